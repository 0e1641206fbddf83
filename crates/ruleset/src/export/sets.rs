//! Sets of categories, written by the categories not in them if that is at most half as long:
//! `color in {all but red, blue}`.
//!
//! *All* means the categories in the training data. For any other category, and for a missing
//! value, the condition is false, as it is with the set written in full.

use pellucid_data::visible_line;
use pellucid_learn::model::Column;
use pellucid_program::{Expr, Value};

/// The text of a set, in pieces so that a page can hide some categories.
#[derive(Debug, PartialEq)]
pub struct SetText {
    /// The text before the categories.
    pub before: String,
    /// The categories in the set, or those that are not in it.
    pub categories: Vec<String>,
    /// Whether the categories are those that are not in the set.
    is_complement: bool,
}

impl SetText {
    /// Returns the text of a set of categories; `None` for other conditions.
    ///
    /// A complement is harder to read, so it must save at least half of the categories.
    pub(super) fn new(expr: &Expr, known: &[Column]) -> Option<SetText> {
        let Expr::OneOf(name, values) = expr else { return None };
        let column = known.iter().find(|column| column.name == *name);
        let is_own = |category: &&String| {
            values.iter().any(|value| matches!(value, Value::Text(text) if text == *category))
        };
        let categories = column.map_or(&[][..], |column| &column.categories);
        let (own, others): (Vec<&String>, Vec<&String>) = categories.iter().partition(is_own);
        // A set with an unknown or a repeated category stays as it is.
        let is_complement =
            own.len() == values.len() && !others.is_empty() && 2 * others.len() <= own.len();
        let categories = match is_complement {
            true => others.into_iter().map(|text| Value::Text(text.clone()).to_string()).collect(),
            false => values.iter().map(Value::to_string).collect::<Vec<_>>(),
        };
        // Written as an expression, the column name gets quotes if it needs them.
        let name = Expr::Is(name.clone());
        let before = format!("{name} in {{{}", if is_complement { "all but " } else { "" });
        let categories =
            categories.iter().map(|category| visible_line(category).into_owned()).collect();
        Some(SetText { before: visible_line(&before).into_owned(), categories, is_complement })
    }

    /// Returns the whole text.
    pub fn text(&self) -> String {
        format!("{}{}}}", self.before, self.categories.join(", "))
    }
}

/// Returns the texts of all sets in a condition, repetitions included.
pub fn sets_in(expr: &Expr, known: &[Column]) -> Vec<SetText> {
    match expr {
        Expr::Not(operand) | Expr::Related(_, _, operand) => sets_in(operand, known),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().flat_map(|operand| sets_in(operand, known)).collect()
        }
        other => SetText::new(other, known).into_iter().collect(),
    }
}

/// Returns whether a condition has a set that is written by its complement.
pub(super) fn has_all_but(expr: &Expr, known: &[Column]) -> bool {
    sets_in(expr, known).iter().any(|set| set.is_complement)
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
        /// The text of a set reads back as the same set.
        #[test]
        fn the_text_reads_back_as_the_set(
            chosen in prop::collection::btree_set(0..CATEGORIES.len(), 1..=CATEGORIES.len()),
        ) {
            let values = chosen.iter().map(|&index| Value::Text(CATEGORIES[index].into())).collect();
            let set = SetText::new(&Expr::OneOf("odd {name".into(), values), &known()).expect("a set");
            prop_assert_eq!(set.is_complement, chosen.len() == 4 || chosen.len() == 5);
            if set.is_complement {
                let text = set.text();
                let (name, set) = text.split_once("\" in {all but ").expect("a complement");
                let others: Expr = format!("{name}\" in {{{set}").parse().expect("a set");
                let Expr::OneOf(name, others) = others else { panic!("{text}") };
                prop_assert_eq!(name, "odd {name");
                for (index, category) in CATEGORIES.iter().enumerate() {
                    let is_other = others.contains(&Value::Text((*category).into()));
                    prop_assert_eq!(is_other, !chosen.contains(&index), "{} {}", text, category);
                }
            }
        }
    }

    #[test]
    fn sets_with_unknown_categories_stay() {
        for text in [
            "\"odd {name\" in {red, blue, '{', green}",
            "\"odd {name\" in {red, red, blue, blue}",
            "other in {red, blue}",
        ] {
            let set = SetText::new(&text.parse().unwrap(), &known()).expect("a set");
            assert_eq!(set.text(), text);
        }
        let expr: Expr =
            "not (x > 1 or \"odd {name\" in {red, 'it''s', 'all but red', '{'})".parse().unwrap();
        assert!(has_all_but(&expr, &known()));
        assert!(!has_all_but(&"\"odd {name\" in {red, blue}".parse().unwrap(), &known()));
    }
}
