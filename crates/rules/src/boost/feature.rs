//! Numbers about whole examples, on which rules that vote are grown.
//!
//! Of a bag: the highest, the lowest and the mean value of each numeric column, whether some row has a category, and how
//! many rows there are. Of a plain row: its own values. "The highest x is above 3" is said as `some row (x > 3)`.

use super::stepped::Stepped;
use crate::summary::{ROWS, extremes, mean_name, mean_of, means, rows_of};
use crate::train::of_example;
use pellucid_cover::Hypothesis;
use pellucid_data::{Column, Dataset, MISSING, Values};
use pellucid_program::{Expr, Op, Value};
use std::borrow::Cow;

/// What a number about each example means.
#[derive(Clone, Debug)]
pub(super) enum Feature {
    /// The highest value of a column in the bag.
    Highest(String),
    /// The lowest value of a column in the bag.
    Lowest(String),
    /// The value itself, or a summary.
    Number(String),
    /// The code of the row's category.
    Category(String, Vec<String>),
    /// 1 where a question holds for the row, or for some row of the bag.
    Holds(Expr, Hypothesis),
}

/// A number about each example, NaN where nothing is known; a column's own numbers need no copy.
type Numbers<'a> = Cow<'a, [f64]>;

impl Feature {
    /// The features of a column that tell two examples apart, in few steps, to be asked about with some operators.
    pub(super) fn of_column(
        data: &Dataset,
        column: &Column,
        allowed: &impl Fn(Op) -> bool,
    ) -> Vec<(Feature, Stepped)> {
        let mut features = Vec::new();
        let mut add = |feature: Feature, numbers: Numbers<'_>| {
            features.extend(feature.stepped(&numbers, allowed));
        };
        let name = || column.name.clone();
        match (&column.values, &data.bags) {
            (Values::Numeric(numbers), None) => add(Feature::Number(name()), numbers.into()),
            (values @ Values::Numeric(_), Some(_)) => {
                if let (Some((highest, lowest)), Some(means)) =
                    (extremes(data, values), means(data, values))
                {
                    add(Feature::Highest(name()), highest.into());
                    add(Feature::Lowest(name()), lowest.into());
                    // A mean of dates says little, and databases have no words for it.
                    if data.origin.reading.date(&column.name).is_none() {
                        add(Feature::Number(mean_name(&column.name)), means.into());
                    }
                }
            }
            (Values::Nominal { codes, categories }, None) => {
                let known = |&code: &u32| if code == MISSING { f64::NAN } else { f64::from(code) };
                let feature = Feature::Category(name(), categories.clone());
                add(feature, codes.iter().map(known).collect());
            }
            (Values::Nominal { codes, categories }, Some(_)) => {
                for (code, category) in (0u32..).zip(categories) {
                    let ask = |op| Expr::Compare(name(), op, Value::Text(category.clone()));
                    let is = |row: usize| (codes[row] != MISSING).then(|| codes[row] == code);
                    let (feature, numbers) = holds(data, ask(Op::Equal), is);
                    add(feature, numbers);
                    let is_not = |row: usize| is(row).map(|is| !is);
                    let (feature, numbers) = holds(data, ask(Op::NotEqual), is_not);
                    add(feature, numbers);
                }
            }
            (Values::Boolean(truths), _) => {
                let (feature, numbers) = holds(data, Expr::Is(name()), |row| truths[row]);
                add(feature, numbers);
            }
        }
        features
    }

    /// How many rows bags have, if that tells two of them apart.
    pub(super) fn rows(
        data: &Dataset,
        allowed: &impl Fn(Op) -> bool,
    ) -> Option<(Feature, Stepped)> {
        let rows = data.bags.as_ref().map(|_| rows_of(data))?;
        Feature::Number(ROWS.to_owned()).stepped(&rows, allowed)
    }

    /// The attribute that it is about; that of a number of rows is no column.
    pub(super) fn attribute(&self) -> &str {
        match self {
            Feature::Highest(name) | Feature::Lowest(name) | Feature::Category(name, _) => name,
            Feature::Number(name) => mean_of(name).unwrap_or(name),
            Feature::Holds(expr, _) => match expr {
                Expr::Compare(name, ..) | Expr::Is(name) => name,
                _ => "",
            },
        }
    }

    /// The condition that the feature is above a cut, or not; the cut lies between two neighbouring values.
    pub(super) fn condition(&self, cut: f64, above: bool) -> Expr {
        let compare = |name: &str, op| Expr::Compare(name.to_owned(), op, Value::Number(cut));
        let some = |expr| of_example(expr, Hypothesis::Presence);
        let not = |expr| Expr::Not(Box::new(expr));
        match (self, above) {
            (Feature::Highest(name), true) => some(compare(name, Op::Greater)),
            (Feature::Highest(name), false) => not(some(compare(name, Op::Greater))),
            (Feature::Lowest(name), true) => not(some(compare(name, Op::LessEqual))),
            (Feature::Lowest(name), false) => some(compare(name, Op::LessEqual)),
            (Feature::Number(name), true) => compare(name, Op::Greater),
            (Feature::Number(name), false) => compare(name, Op::LessEqual),
            (Feature::Holds(expr, hypothesis), true) => of_example(expr.clone(), *hypothesis),
            // Categories have no cuts.
            (Feature::Category(..), _) => Expr::Constant(false),
            (Feature::Holds(expr, hypothesis), false) => not(of_example(expr.clone(), *hypothesis)),
        }
    }

    /// The condition that the feature is one of some categories.
    pub(super) fn among(&self, codes: &[u8]) -> Expr {
        let Feature::Category(name, categories) = self else {
            return Expr::Constant(false);
        };
        // All but one are plainer told by the one.
        let others: Vec<&String> = (0..categories.len())
            .filter(|code| !codes.iter().any(|own| usize::from(*own) == *code))
            .map(|code| &categories[code])
            .collect();
        if let ([other], true) = (&others[..], codes.len() > 1) {
            return Expr::Compare(name.clone(), Op::NotEqual, Value::Text((*other).clone()));
        }
        let values = codes.iter().filter_map(|&code| categories.get(usize::from(code)));
        let mut values: Vec<Value> = values.map(|category| Value::Text(category.clone())).collect();
        match values.len() {
            1 => Expr::Compare(name.clone(), Op::Equal, values.remove(0)),
            _ => Expr::OneOf(name.clone(), values),
        }
    }

    /// The feature in few steps, to be asked about with some operators; nothing where all examples are alike.
    fn stepped(self, numbers: &[f64], allowed: &impl Fn(Op) -> bool) -> Option<(Feature, Stepped)> {
        let mut known = numbers.iter().filter(|number| !number.is_nan());
        let first = known.next()?;
        if known.all(|number| number == first) {
            return None;
        }
        let stepped = match &self {
            Feature::Category(_, categories) => Stepped::categories(numbers, categories.len()),
            _ => Stepped::numbers(numbers),
        };
        let may = |above| match &self {
            Feature::Category(..) => allowed(Op::Equal) && allowed(Op::NotEqual),
            _ => uses_only(&self.condition(0.0, above), allowed),
        };
        let may_be = [may(false), may(true)];
        Some((self, Stepped { may_be, ..stepped }))
    }
}

/// Whether a condition is said with allowed operators; a truth value is said with `=`, its opposite with `!=`.
fn uses_only(expr: &Expr, allowed: &impl Fn(Op) -> bool) -> bool {
    match expr {
        Expr::Compare(_, op, _) => allowed(*op),
        Expr::Is(_) => allowed(Op::Equal),
        Expr::Not(operand) if matches!(**operand, Expr::Is(_)) => allowed(Op::NotEqual),
        Expr::Not(operand) | Expr::Related(_, _, operand) => uses_only(operand, allowed),
        _ => true,
    }
}

/// 1 where a question holds for an example's row or for some row of its bag, else 0; NaN for a plain row without a value.
fn holds(
    data: &Dataset,
    question: Expr,
    is: impl Fn(usize) -> Option<bool>,
) -> (Feature, Numbers<'static>) {
    let number = |truth: Option<bool>| truth.map_or(f64::NAN, |truth| f64::from(u8::from(truth)));
    match &data.bags {
        // `not smoker` also holds where it is not known, so a boolean that is missing counts as false.
        None => {
            let is_boolean = matches!(question, Expr::Is(_));
            let value = |row| number(is(row).or(is_boolean.then_some(false)));
            (Feature::Holds(question, Hypothesis::Rows), (0..data.rows).map(value).collect())
        }
        Some(bags) => {
            let mut values = vec![0.0; bags.names.len()];
            (0..data.rows)
                .filter(|&row| is(row) == Some(true))
                .for_each(|row| values[bags.of_row[row] as usize] = 1.0);
            (Feature::Holds(question, Hypothesis::Presence), values.into())
        }
    }
}
