//! Comparison with a plain enumeration, which keeps every expression and evaluates it by the specification.

use super::shortest;
use crate::learn::random_world::{context, planted, random_kb};
use crate::learn::{LearningTask, Operators, Options, SearchContext};
use pellucid_program::{Expr, Op, Quantifier, Role, Value};
use pellucid_relate::spec;

/// The longest expressions that are enumerated.
const LONGEST: usize = 5;

fn options() -> Options {
    let operators = Operators { cardinality: 2, ..Operators::default() };
    let exclude = ["C", "D", "t", "age"].map(str::to_owned).to_vec();
    Options { exclude, operators, ..Options::default() }
}

/// Returns all expressions over two classes, two roles and a text property, by length.
fn all_expressions() -> Vec<Vec<Expr>> {
    let colour = |text: &str| Expr::Compare("colour".into(), Op::Equal, Value::Text(text.into()));
    let mut values = vec![Vec::new(), vec![Expr::Constant(true)]];
    values[1].extend(["red", "green", "blue"].map(colour));
    let mut found = vec![Vec::new(), [true, false].map(Expr::Constant).to_vec()];
    found[1].extend(["A", "B"].map(|name| Expr::Is(name.into())));
    for length in 2..=LONGEST {
        let mut more = combinations(&values, length);
        if length == 4 {
            let texts = ["red", "green", "blue"].map(|text| Value::Text(text.into()));
            more.push(Expr::OneOf("colour".into(), texts.to_vec()));
        }
        values.push(more);
        let mut more = combinations(&found, length);
        for (quantifier, rest) in quantifiers() {
            for (name, fillers) in [("r", &found), ("s", &found), ("colour", &values)] {
                for inverse in [false, true] {
                    let filler = length.checked_sub(rest + usize::from(inverse));
                    if inverse && name == "colour" {
                        continue;
                    }
                    for filler in
                        filler.and_then(|filler| fillers.get(filler)).into_iter().flatten()
                    {
                        let role = Role { name: name.into(), inverse };
                        more.push(Expr::Related(quantifier, role, Box::new(filler.clone())));
                    }
                }
            }
        }
        found.push(more);
    }
    found
}

fn quantifiers() -> Vec<(Quantifier, usize)> {
    let mut all = vec![(Quantifier::Some, 2), (Quantifier::Only, 2), (Quantifier::Min(2), 3)];
    all.extend((0..=2).flat_map(|n| [(Quantifier::Max(n), 3), (Quantifier::Exactly(n), 3)]));
    all
}

/// Returns the negations, conjunctions and disjunctions of a length.
fn combinations(shorter: &[Vec<Expr>], length: usize) -> Vec<Expr> {
    let negated = shorter[length - 1].iter().map(|one| Expr::Not(Box::new(one.clone())));
    let mut found: Vec<Expr> = negated.collect();
    for left in 1..length - 1 {
        for one in &shorter[left] {
            for other in &shorter[length - 1 - left] {
                found.push(Expr::and(vec![one.clone(), other.clone()]));
                found.push(Expr::or(vec![one.clone(), other.clone()]));
            }
        }
    }
    found
}

/// Returns the length of the shortest expression that is as good, by the plain enumeration.
fn shortest_length(context: &mut SearchContext, all: &[Vec<Expr>], quality: f64) -> Option<usize> {
    let world = context.kb().world.clone();
    let task = context.task().clone();
    (1..all.len()).find(|&length| {
        all[length].iter().any(|expr| {
            let program = context.programs_mut().add(expr).expect("a sound expression");
            let count = |list: &[u32]| {
                let holds = |&&one: &&u32| spec::holds(&world, context.programs(), program, one);
                list.iter().filter(holds).count() as u64
            };
            context.quality(count(&task.positive), count(&task.negative)) >= quality
        })
    })
}

#[test]
fn the_shortest_expression_is_found_or_there_is_none() {
    let all = all_expressions();
    let answers = [
        "A and B and (A or B) and not (not A)",
        "(A and some r (B)) or (B and some r (B) and A)",
        "min 2 inverse s (A or B) or (A and not A)",
        "some colour (colour = red or colour = blue) and (A or not A)",
        "(A and B) or (not A and not B)",
        "only s (A and B) and (B or not B)",
    ];
    let (mut shorter, mut proven) = (0, 0);
    for seed in 0..6 {
        let kb = random_kb(seed, 60);
        for text in answers {
            let Some(mut task) = planted(&kb, text) else { continue };
            task.positive.truncate(9);
            task.negative.truncate(9);
            let task = LearningTask {
                positive: task.positive,
                negative: task.negative,
                ..LearningTask::default()
            };
            let mut context = context(&kb, task, &options(), 1);
            let answer: Expr = text.parse().expect("an expression");
            let program = context.programs_mut().add(&answer).expect("sound");
            let score = context.score(&[program]).expect("a CPU")[0];
            let expected = shortest_length(&mut context, &all, score.quality);
            let result = shortest(&mut context, &answer, &score).expect("a CPU").expect("a search");
            match (&result.found, expected) {
                (Some(found), expected) => {
                    let length = crate::length(found);
                    assert!(
                        expected == Some(length) || (expected.is_none() && length > LONGEST),
                        "seed {seed}, {text}: {found}, {expected:?}"
                    );
                    let program = context.programs_mut().add(found).expect("sound");
                    assert!(context.score(&[program]).expect("a CPU")[0].quality >= score.quality);
                    assert!(
                        result.minimality.proven
                            && result.minimality.searched as usize + 1 == length
                    );
                    shorter += 1;
                }
                (None, expected) => {
                    assert!(
                        expected.is_none_or(|length| length >= crate::length(&answer)),
                        "seed {seed}, {text}: {expected:?}"
                    );
                    proven += usize::from(result.minimality.proven);
                }
            }
        }
    }
    assert!(shorter > 10, "only {shorter} answers had a shorter one");
    assert!(proven + shorter > 20, "only {proven} answers were proven");
}

#[test]
fn a_limit_ends_the_search_before_a_length() {
    let kb = random_kb(3, 60);
    let text = "(A and some r (B)) or (some s (some r (A)) and not B)";
    let task = planted(&kb, text).expect("some");
    let mut lengths = Vec::new();
    for proof_effort in [0, 1, 20, 500, 10_000, 100_000] {
        let options = Options { proof_effort, ..options() };
        let mut context = context(&kb, task.clone(), &options, 1);
        let answer: Expr = text.parse().expect("an expression");
        let program = context.programs_mut().add(&answer).expect("sound");
        let score = context.score(&[program]).expect("a CPU")[0];
        let result = shortest(&mut context, &answer, &score).expect("a CPU");
        assert_eq!(result.is_none(), proof_effort == 0);
        lengths.extend(result.map(|result| result.minimality.searched));
    }
    assert!(
        lengths.is_sorted() && lengths[0] == 0 && lengths[lengths.len() - 1] > 3,
        "{lengths:?}"
    );
}
