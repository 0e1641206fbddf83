//! Long sets of categories, told by what is not in them where that takes half as many words: `colour in {all but red, blue}`.
//!
//! *All* are the categories that were met in learning: of any other, and of a missing value, such a condition does not hold,
//! as it does not hold by the set written in full.

use pellucid_learn::model::Column;
use pellucid_program::{Expr, Value};

/// What stands before the categories that are not in a set.
const ALL_BUT: &str = "all but ";

/// A set told by what is not in it, where that is much shorter. To be told what is not the case is harder to follow, so a few
/// words less are not worth it.
pub(super) fn all_but(expr: &Expr, known: &[Column]) -> Option<String> {
    let Expr::OneOf(name, values) = expr else { return None };
    let column = known.iter().find(|column| column.name == *name)?;
    let is = |value: &Value, category: &str| matches!(value, Value::Text(text) if text == category);
    let (own, others): (Vec<&String>, Vec<&String>) = column
        .categories
        .iter()
        .partition(|category| values.iter().any(|value| is(value, category)));
    // A set with a category that is not known, or with one twice, stays as it is.
    if own.len() != values.len() || others.is_empty() || 2 * others.len() > own.len() {
        return None;
    }
    let others = others.into_iter().map(|other| Value::Text(other.clone())).collect();
    let text = Expr::OneOf(name.clone(), others).to_string();
    // The name may have a bracket too; that of the set is the first after it.
    let (name, set) = text.split_at(Expr::Is(name.clone()).to_string().len());
    Some(format!("{name}{}", set.replacen('{', &format!("{{{ALL_BUT}"), 1)))
}

/// Whether a condition told so has such a set.
pub(super) fn has_all_but(expr: &Expr, known: &[Column]) -> bool {
    match expr {
        Expr::Not(operand) | Expr::Related(_, _, operand) => has_all_but(operand, known),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().any(|operand| has_all_but(operand, known))
        }
        other => all_but(other, known).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CATEGORIES: [&str; 6] = ["red", "it's", "all but red", "a, b", "{", "blue"];

    fn known() -> Vec<Column> {
        let categories = CATEGORIES.map(String::from).to_vec();
        vec![Column::nominal("odd {name", categories)]
    }

    proptest! {
        /// The set that is told, read back, is the set.
        #[test]
        fn what_is_told_is_the_same_set(chosen in prop::collection::btree_set(0..CATEGORIES.len(), 1..=CATEGORIES.len())) {
            let values = chosen.iter().map(|&place| Value::Text(CATEGORIES[place].into())).collect();
            let told = all_but(&Expr::OneOf("odd {name".into(), values), &known());
            prop_assert_eq!(told.is_some(), chosen.len() == 4 || chosen.len() == 5);
            if let Some(told) = told {
                let (name, set) = told.split_once("\" in {all but ").expect("a set told by the others");
                let others: Expr = format!("{name}\" in {{{set}").parse().expect("a set");
                let Expr::OneOf(name, others) = others else { panic!("{told}") };
                prop_assert_eq!(name, "odd {name");
                for (place, category) in CATEGORIES.iter().enumerate() {
                    let is_other = others.contains(&Value::Text((*category).into()));
                    prop_assert_eq!(is_other, !chosen.contains(&place), "{} {}", told, category);
                }
            }
        }
    }

    #[test]
    fn what_is_not_known_stays() {
        let told = |text: &str| all_but(&text.parse().unwrap(), &known());
        assert_eq!(told("\"odd {name\" in {red, blue, '{', green}"), None);
        assert_eq!(told("\"odd {name\" in {red, red, blue, blue}"), None);
        assert_eq!(told("other in {red, blue}"), None);
        let expr: Expr =
            "not (x > 1 or \"odd {name\" in {red, 'it''s', 'all but red', '{'})".parse().unwrap();
        assert!(has_all_but(&expr, &known()));
        assert!(!has_all_but(&"\"odd {name\" in {red, blue}".parse().unwrap(), &known()));
    }
}
