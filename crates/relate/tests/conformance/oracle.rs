//! The meaning of expressions, computed from the facts of a world as a set of individuals for every
//! part.
//!
//! This code does not use the crate under test: no world, no programs, no specification.

use crate::case::{Facts, ROLES};
use pellucid_data::INDIVIDUAL;
use pellucid_program::{Expr, Op, Quantifier, Value};
use std::collections::BTreeSet;

/// Whether each individual is in the set.
pub(crate) type Members = Vec<bool>;

/// Returns the individuals for which an expression is true.
pub(crate) fn members(facts: &Facts, expr: &Expr) -> Members {
    let all_individuals = 0..facts.individuals;
    match expr {
        Expr::Constant(value) => vec![*value; all_individuals.len()],
        Expr::Is(class) => all_individuals.map(|who| facts.classes[class].contains(&who)).collect(),
        Expr::Compare(column, op, Value::Text(name)) => {
            assert_eq!(
                (column.as_str(), *op),
                (INDIVIDUAL, Op::Equal),
                "only conditions that cases generate"
            );
            all_individuals.map(|who| format!("i{who}") == *name).collect()
        }
        Expr::OneOf(column, names) => {
            assert_eq!(column, INDIVIDUAL, "only conditions that cases generate");
            let is_named = |who| names.contains(&Value::Text(format!("i{who}")));
            all_individuals.map(is_named).collect()
        }
        Expr::Not(operand) => members(facts, operand).into_iter().map(|is_in| !is_in).collect(),
        Expr::And(operands) => joined(facts, operands, true),
        Expr::Or(operands) => joined(facts, operands, false),
        Expr::Related(quantifier, role, filler) => {
            let (mut all, mut hits) =
                (vec![0; all_individuals.len()], vec![0; all_individuals.len()]);
            let mut count = |who: u32, is_hit: bool| {
                all[who as usize] += 1;
                hits[who as usize] += u64::from(is_hit);
            };
            match role.name.as_str() {
                "number" => facts.numbers.iter().for_each(|&(who, value)| {
                    count(who, is_true_for_number(filler, facts.distinct_numbers[value as usize]));
                }),
                "word" => facts.words.iter().for_each(|&(who, value)| {
                    count(who, is_true_for_word(filler, &facts.distinct_words[value as usize]));
                }),
                name => {
                    assert!(ROLES.contains(&name), "only conditions that cases generate");
                    let fillers = members(facts, filler);
                    for &(subject, object) in &facts.roles[name] {
                        let (who, other) = match role.inverse {
                            false => (subject, object),
                            true => (object, subject),
                        };
                        count(who, fillers[other as usize]);
                    }
                }
            }
            let is_satisfied = |(&all, &hits): (&u64, &u64)| match *quantifier {
                Quantifier::Some => hits > 0,
                Quantifier::Only => hits == all,
                Quantifier::Min(least) => hits >= u64::from(least),
                Quantifier::Max(most) => hits <= u64::from(most),
                Quantifier::Exactly(number) => hits == u64::from(number),
            };
            all.iter().zip(&hits).map(is_satisfied).collect()
        }
        other => panic!("cases do not ask {other} of individuals"),
    }
}

/// Returns the individuals in all of some sets, or in any of them.
fn joined(facts: &Facts, operands: &[Expr], and: bool) -> Members {
    let mut joined = vec![and; facts.individuals as usize];
    for operand in operands {
        for (to, from) in joined.iter_mut().zip(members(facts, operand)) {
            *to = if and { *to && from } else { *to || from };
        }
    }
    joined
}

fn is_true_for_number(expr: &Expr, number: f64) -> bool {
    match expr {
        Expr::Constant(value) => *value,
        Expr::Not(operand) => !is_true_for_number(operand, number),
        Expr::And(operands) => operands.iter().all(|operand| is_true_for_number(operand, number)),
        Expr::Or(operands) => operands.iter().any(|operand| is_true_for_number(operand, number)),
        Expr::OneOf(_, values) => values.contains(&Value::Number(number)),
        Expr::Within(_, interval) => {
            let (low, high) = (interval.low, interval.high);
            (number > low.value || low.closed && number == low.value)
                && (number < high.value || high.closed && number == high.value)
        }
        Expr::Compare(_, op, Value::Number(other)) => match op {
            Op::Less => number < *other,
            Op::LessEqual => number <= *other,
            Op::Greater => number > *other,
            Op::GreaterEqual => number >= *other,
            Op::Equal => number == *other,
            Op::NotEqual => number != *other,
        },
        other => panic!("cases do not ask {other} of numbers"),
    }
}

fn is_true_for_word(expr: &Expr, word: &str) -> bool {
    match expr {
        Expr::Constant(value) => *value,
        Expr::Not(operand) => !is_true_for_word(operand, word),
        Expr::And(operands) => operands.iter().all(|operand| is_true_for_word(operand, word)),
        Expr::Or(operands) => operands.iter().any(|operand| is_true_for_word(operand, word)),
        Expr::OneOf(_, values) => values.contains(&Value::Text(word.to_owned())),
        Expr::Contains(_, part) => word.contains(part),
        Expr::Compare(_, Op::Equal, Value::Text(other)) => word == other,
        Expr::Compare(_, Op::NotEqual, Value::Text(other)) => word != other,
        other => panic!("cases do not ask {other} of words"),
    }
}

/// Returns the distinct pairs.
pub(crate) fn pair_set(pairs: &[[u32; 2]]) -> BTreeSet<(u32, u32)> {
    pairs.iter().map(|&[subject, object]| (subject, object)).collect()
}
