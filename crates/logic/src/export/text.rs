//! The text form of a model.

use crate::learn::{HeldOut, LearnedExpression, LearnedExpressions, LogicModel, Minimality};
use crate::syntax::manchester;
use pellucid_data::visible_line;
use pellucid_learn::metrics::{Confusion, Metric};
use pellucid_program::Expr;
use std::fmt::Write;

/// The maximum length of an expression on one line.
const MAX_LINE: usize = 100;

/// Formats the expressions, the best first, with their coverage and scores, and the baselines.
#[must_use]
pub fn text(model: &LogicModel) -> String {
    let found = &model.body;
    let problem = match found.problem.as_str() {
        "" => String::new(),
        name => format!(" of '{}'", visible_line(name)),
    };
    // Writing to a string cannot fail.
    let mut page = String::new();
    let _ = writeln!(
        page,
        "{} positive and {} negative examples{problem} in '{}'\n",
        found.positives,
        found.negatives,
        visible_line(&found.ontology)
    );
    if let Some(best) = found.answers.first() {
        let (f1, accuracy) = scores(found, best);
        let _ = writeln!(page, "{}", format_best(model, best));
        let _ = writeln!(
            page,
            "    covers {} of {} positive and {} of {} negative: F1 {f1:.3}, accuracy {accuracy:.1} %",
            best.positive, found.positives, best.negative, found.negatives
        );
        if let Some(held_out) = best.held_out {
            let (f1, accuracy) = held_out_scores(&held_out);
            let method = held_out.method;
            let _ = writeln!(
                page,
                "    cross-validation that selected method {method}: F1 {f1:.3}, accuracy {accuracy:.1} %"
            );
        }
        if let Some(minimality) = best.minimality {
            let _ = writeln!(page, "    {}", minimality_sentence(best.length, minimality));
        }
    }
    let majority = if found.positives > found.negatives { "positive" } else { "negative" };
    let _ = writeln!(
        page,
        "    baseline (all individuals): F1 {:.3}; baseline (always {majority}): accuracy {:.1} %",
        found.baseline.f1,
        100.0 * found.baseline.accuracy
    );
    write_others(&mut page, found);
    page
}

/// Writes the answers of the other methods, and then the rest of the leaderboard.
fn write_others(page: &mut String, found: &LearnedExpressions) {
    let others = || found.answers.iter().skip(1);
    if others().any(|answer| answer.held_out.is_some()) {
        let _ = writeln!(
            page,
            "\nanswers of the other methods, by the mean of F1 and accuracy in cross-validation"
        );
        if is_preferred_selected(found) {
            let _ = writeln!(
                page,
                "(evolve is selected unless another method is better by more than half a standard error)"
            );
        }
        let _ = writeln!(page, "     F1  accuracy  method");
    }
    for answer in others() {
        let Some(held_out) = answer.held_out else { continue };
        let (f1, accuracy) = held_out_scores(&held_out);
        let (method, expression) = (held_out.method, answer.expression());
        let _ = writeln!(page, "  {f1:.3}  {accuracy:>6.1} %  {method:<8} {expression}");
    }
    let mut rest = others().filter(|answer| answer.held_out.is_none()).peekable();
    if rest.peek().is_some() {
        let _ = writeln!(
            page,
            "\nother expressions on the leaderboard, by their training examples\n  pos  neg     F1  accuracy"
        );
    }
    for answer in rest {
        let (f1, accuracy) = scores(found, answer);
        let _ = writeln!(
            page,
            "{:>5}{:>5}  {f1:.3}  {accuracy:>6.1} %  {}",
            answer.positive,
            answer.negative,
            answer.expression()
        );
    }
}

/// Whether the first answer is not the one with the highest mean of F1 and accuracy.
fn is_preferred_selected(found: &LearnedExpressions) -> bool {
    let mean = |answer: &LearnedExpression| {
        let (f1, accuracy) = held_out_scores(&answer.held_out?);
        Some(f1 + accuracy / 100.0)
    };
    let first = found.answers.first().and_then(mean);
    first.is_some_and(|first| found.answers.iter().filter_map(mean).any(|other| other > first))
}

/// Returns F1, and accuracy in percent, on the training examples.
fn scores(found: &LearnedExpressions, answer: &LearnedExpression) -> (f64, f64) {
    let LearnedExpression { positive, negative, .. } = *answer;
    let counts = Confusion::from_covered(positive, negative, found.positives, found.negatives);
    (Metric::F1.of(&counts), 100.0 * counts.accuracy())
}

/// Says whether the best expression is the shortest one.
fn minimality_sentence(length: u32, Minimality { proven, searched }: Minimality) -> String {
    match proven {
        true => "minimal: proven; no shorter expression is as good on these examples".to_owned(),
        false => format!(
            "minimal: not proven; no expression up to length {searched} is as good on these \
             examples, and this one has length {length}"
        ),
    }
}

/// Returns F1, and the accuracy in percent.
fn held_out_scores(held_out: &HeldOut) -> (f64, f64) {
    let counts = held_out.confusion();
    (Metric::F1.of(&counts), 100.0 * counts.accuracy())
}

/// Formats the best expression; a long one with one operand per line.
fn format_best(model: &LogicModel, best: &LearnedExpression) -> String {
    let text = best.expression();
    let (operands, connective) = match best.expr() {
        _ if text.chars().count() <= MAX_LINE => return text.to_owned(),
        Expr::Or(operands) => (operands, "or"),
        Expr::And(operands) => (operands, "and"),
        _ => return text.to_owned(),
    };
    let names = model.body.names.lexicon();
    let line = |(index, operand): (usize, &Expr)| {
        let text = manchester::print(operand, &names);
        let text = match operand {
            Expr::And(_) | Expr::Or(_) => format!("({text})"),
            _ => text,
        };
        format!("{:>3} {text}", if index > 0 { connective } else { "" })
    };
    operands.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Baseline, ExpressionScore, LearnedExpressions};
    use crate::syntax::{Glossary, Lexicon};

    #[test]
    fn a_long_expression_has_one_operand_per_line() {
        let class = |number: usize| format!("http://x.example/#LongNameNumber{number}");
        let names = (0..9).fold(Lexicon::default(), |names, number| {
            names.class(&class(number), &format!("LongNameNumber{number}"))
        });
        let both = |a, b| Expr::And(vec![Expr::Is(class(a)), Expr::Is(class(b))]);
        let expr = Expr::Or(vec![both(0, 1), both(2, 3), both(4, 5), Expr::Is(class(6))]);
        let score = ExpressionScore { positive: 3, negative: 1, quality: 0.75, length: 13 };
        let answers = LearnedExpressions {
            ontology: "x".to_owned(),
            positives: 4,
            negatives: 4,
            baseline: Baseline::of(4, 4),
            names: Glossary::of([&expr], &names),
            answers: vec![LearnedExpression::new(expr.clone(), &names, score)],
            ..LearnedExpressions::default()
        };
        let (params, schema) = (Default::default(), Default::default());
        let page = text(&LogicModel::new("logic", params, schema, answers));
        let expected = "4 positive and 4 negative examples in 'x'

    (LongNameNumber0 and LongNameNumber1)
 or (LongNameNumber2 and LongNameNumber3)
 or (LongNameNumber4 and LongNameNumber5)
 or LongNameNumber6
    covers 3 of 4 positive and 1 of 4 negative: F1 0.750, accuracy 75.0 %
    baseline (all individuals): F1 0.667; baseline (always negative): accuracy 50.0 %
";
        assert_eq!(page, expected);
    }
}
