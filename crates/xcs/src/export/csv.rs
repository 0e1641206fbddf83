use crate::model::XcsModel;
use pellucid_data::{CsvQuotes, as_spreadsheet_text, csv_cell};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns the rules as a CSV table, one line each: the condition, the class, its points (or the amount), the
/// covered examples of each class, and the figures of the population. With `spreadsheet`, cells
/// that look like formulas are written as text.
#[must_use]
pub fn csv(model: &XcsModel, spreadsheet: bool) -> String {
    let classes = &model.schema.classes;
    let quoted = |text: &str| {
        let safe = if spreadsheet { as_spreadsheet_text(text) } else { Cow::Borrowed(text) };
        csv_cell(&safe, CsvQuotes::Changed).into_owned()
    };
    if model.schema.number.is_some() {
        return numbers(model, quoted);
    }
    let mut out = "rule,condition,class,points".to_owned();
    for class in classes {
        let _ = write!(out, ",{}", quoted(&format!("covers {class}")));
    }
    out += ",numerosity,experience,accuracy,error,fitness\n";
    let rules = model.body.set.rules.iter().zip(&model.body.figures);
    for (number, (rule, known)) in (1..).zip(rules) {
        let class = classes.get(rule.class as usize).map_or("", String::as_str);
        let when = quoted(&rule.when.to_string());
        let _ = write!(out, "{number},{when},{},{}", quoted(class), rule.votes);
        for place in 0..classes.len() {
            let _ = write!(out, ",{}", rule.covered.get(place).copied().unwrap_or(0));
        }
        let _ = writeln!(
            out,
            ",{},{},{},{},{}",
            known.copies, known.experience, known.accuracy, known.error, known.fitness
        );
    }
    out
}

/// Returns the rules of a model that predicts a number.
fn numbers(model: &XcsModel, quoted: impl Fn(&str) -> String) -> String {
    let set = &model.body.set;
    let mut out =
        "rule,condition,amount,covers,mean,numerosity,experience,prediction,error,fitness\n"
            .to_owned();
    for (number, (rule, known)) in (1..).zip(set.rules.iter().zip(&model.body.figures)) {
        let when = quoted(&rule.when.to_string());
        let covers = rule.covered.first().copied().unwrap_or(0);
        let mean = set.mean_covered(rule).map_or_else(String::new, |mean| mean.to_string());
        let _ = writeln!(
            out,
            "{number},{when},{},{covers},{mean},{},{},{},{},{}",
            rule.votes, known.copies, known.experience, known.accuracy, known.error, known.fitness
        );
    }
    out
}
