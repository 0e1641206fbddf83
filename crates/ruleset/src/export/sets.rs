//! Sets of categories, told by what is not in them where that takes half as many words: `colour in {all but red, blue}`.
//!
//! *All* are the categories that were met in learning: of any other, and of a missing value, such a condition does not hold,
//! as it does not hold by the set written in full.

use super::prose::visible;
use pellucid_learn::model::Column;
use pellucid_program::{Expr, Value};

/// A set in words, in pieces for those who show some of them first.
#[derive(Debug, PartialEq)]
pub(super) struct Told {
    /// What stands before the categories.
    pub(super) before: String,
    /// The categories: those of the set, or those that are not in it.
    pub(super) categories: Vec<String>,
    /// Whether they are those that are not in it.
    by_others: bool,
}

impl Told {
    /// A set of categories in words; nothing of other conditions.
    ///
    /// To be told what is not the case is harder to follow, so a few words less are not worth it.
    pub(super) fn new(expr: &Expr, known: &[Column]) -> Option<Told> {
        let Expr::OneOf(name, values) = expr else { return None };
        let column = known.iter().find(|column| column.name == *name);
        let is_own = |category: &&String| {
            values.iter().any(|value| matches!(value, Value::Text(text) if text == *category))
        };
        let categories = column.map_or(&[][..], |column| &column.categories);
        let (own, others): (Vec<&String>, Vec<&String>) = categories.iter().partition(is_own);
        // A set with a category that is not known, or with one twice, stays as it is.
        let by_others =
            own.len() == values.len() && !others.is_empty() && 2 * others.len() <= own.len();
        let categories = match by_others {
            true => others.into_iter().map(|text| Value::Text(text.clone()).to_string()).collect(),
            false => values.iter().map(Value::to_string).collect::<Vec<_>>(),
        };
        // A column by itself is an expression, so it gets quotes where an expression needs them.
        let name = Expr::Is(name.clone());
        let before = format!("{name} in {{{}", if by_others { "all but " } else { "" });
        let categories = categories.iter().map(|category| visible(category)).collect();
        Some(Told { before: visible(&before), categories, by_others })
    }

    /// All of it.
    pub(super) fn text(&self) -> String {
        format!("{}{}}}", self.before, self.categories.join(", "))
    }
}

/// The sets of a condition in words, each of them once for every time that it is there.
pub(super) fn sets_in(expr: &Expr, known: &[Column]) -> Vec<Told> {
    match expr {
        Expr::Not(operand) | Expr::Related(_, _, operand) => sets_in(operand, known),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().flat_map(|operand| sets_in(operand, known)).collect()
        }
        other => Told::new(other, known).into_iter().collect(),
    }
}

/// Whether a condition has a set that is told by what is not in it.
pub(super) fn has_all_but(expr: &Expr, known: &[Column]) -> bool {
    sets_in(expr, known).iter().any(|set| set.by_others)
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
            let told = Told::new(&Expr::OneOf("odd {name".into(), values), &known()).expect("a set");
            prop_assert_eq!(told.by_others, chosen.len() == 4 || chosen.len() == 5);
            if told.by_others {
                let told = told.text();
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
        for text in [
            "\"odd {name\" in {red, blue, '{', green}",
            "\"odd {name\" in {red, red, blue, blue}",
            "other in {red, blue}",
        ] {
            let told = Told::new(&text.parse().unwrap(), &known()).expect("a set");
            assert_eq!(told.text(), text);
        }
        let expr: Expr =
            "not (x > 1 or \"odd {name\" in {red, 'it''s', 'all but red', '{'})".parse().unwrap();
        assert!(has_all_but(&expr, &known()));
        assert!(!has_all_but(&"\"odd {name\" in {red, blue}".parse().unwrap(), &known()));
    }
}
