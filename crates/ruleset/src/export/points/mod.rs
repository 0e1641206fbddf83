//! Rules that ask one thing each, once more as a table of points: what a value adds to the sum that decides.
//!
//! Five rules with cuts on one column are five steps of one scale. Side by side they are a chart as clinics use it: look up each
//! value, add the points, see whether the sum is above zero. Of bags the values are summaries: the greatest value of a column,
//! the least, the mean, how many rows there are or have something.

mod quantity;

use super::text::{class_name, in_words};
use super::wrap::paragraph;
use crate::model::{Rule, RuleModel};
use pellucid_program::{Expr, Op, Value};
use quantity::{Quantity, Said, Span, asked};

/// A table of points.
#[derive(Debug, PartialEq)]
pub(super) struct Chart {
    /// How it is read.
    pub(super) how: String,
    /// The points to begin with.
    pub(super) begin: f64,
    /// By column or summary: what each of its values is, in words, and what it adds. One of them holds at most.
    pub(super) scales: Vec<Vec<(String, f64)>>,
}

/// The table, where all rules of two classes ask one thing each and some of them the same; nothing otherwise.
pub(super) fn chart<P>(model: &RuleModel<P>) -> Option<Chart> {
    let scales = scales(model)?.into_iter().map(|scale| in_rows(model, scale)).collect();
    let (first, second) = (class_name(model, 0), class_name(model, 1));
    let begin = model.model.base[1] - model.model.base[0];
    let how = format!(
        "The same as points for '{second}': begin with {}, and for each value add what stands beside it, nothing where it is not known. Above 0 it is '{second}', otherwise '{first}'.",
        signed(begin)
    );
    Some(Chart { how, begin, scales })
}

/// The table as text; nothing where there is none.
pub(super) fn text<P>(model: &RuleModel<P>) -> String {
    let Some(Chart { how, scales, .. }) = chart(model) else { return String::new() };
    let mut out = paragraph("\n", 0, &how);
    let letters = |text: &str| text.chars().count();
    // A long set of categories pushes its own points aside, not those of all.
    let widths = scales.iter().flatten().map(|(text, _)| letters(text));
    let width = widths.filter(|width| *width <= 48).max().unwrap_or(0);
    for scale in &scales {
        out += "\n";
        for (text, points) in scale {
            let room = " ".repeat(width.saturating_sub(letters(text)));
            out += &format!("  {text}{room}  {:>6}\n", signed(*points));
        }
    }
    out
}

/// What rules ask about: where a number lies, or which category or number a column has, by its name.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked<'a> {
    Number(Quantity<'a>),
    Value(&'a str),
}

/// What the values of a number or of a column add: pieces of which one at most holds, and the points of each.
#[derive(Debug, PartialEq)]
enum Scale<'a> {
    Numbers(Quantity<'a>, Vec<(Span, f64)>),
    Values(&'a str, Vec<(Vec<Value>, f64)>),
}

/// The scales of a model in the order in which its rules first ask about them.
fn scales<P>(model: &RuleModel<P>) -> Option<Vec<Scale<'_>>> {
    let rules = &model.model.rules;
    if model.schema.classes.len() != 2 || model.model.base.len() != 2 || model.model.ordered {
        return None;
    }
    let mut scales: Vec<(Asked<'_>, Vec<&Rule>)> = Vec::new();
    for rule in rules {
        let own = asked_by(&rule.when)?;
        match scales.iter_mut().find(|(other, _)| *other == own) {
            Some((_, rules)) => rules.push(rule),
            None => scales.push((own, vec![rule])),
        }
    }
    // The greatest of a column of dates would be a number again.
    let is_dated = |(asked, _): &(Asked<'_>, Vec<&Rule>)| match asked {
        Asked::Number(number) => {
            number.column().is_some_and(|name| model.schema.reading.date(name).is_some())
        }
        Asked::Value(_) => false,
    };
    if scales.len() == rules.len() || scales.iter().any(is_dated) {
        return None;
    }
    let scale = scales.into_iter().map(|(asked, rules)| match asked {
        Asked::Number(number) => Some(Scale::Numbers(number, numbers(&rules)?)),
        Asked::Value(name) => {
            let column = model.schema.columns.iter().find(|column| column.name == *name);
            let categories = column?.categories.iter().cloned().map(Value::Text).collect();
            Some(Scale::Values(name, sets(&rules, categories)?))
        }
    });
    scale.collect()
}

/// What a condition asks about, if it asks one thing of one value.
fn asked_by(when: &Expr) -> Option<Asked<'_>> {
    let is_text = |value: &Value| matches!(value, Value::Text(_));
    match when {
        Expr::Compare(name, Op::Equal | Op::NotEqual, Value::Text(_))
        | Expr::Compare(name, Op::Equal, Value::Number(_)) => Some(Asked::Value(name)),
        Expr::OneOf(name, values) if values.iter().all(is_text) => Some(Asked::Value(name)),
        _ => asked(when).map(|(number, _)| Asked::Number(number)),
    }
}

/// What a value gets from some rules, given which conditions hold for it.
fn points(rules: &[&Rule], holds: impl Fn(&Expr) -> bool) -> f64 {
    let own = rules.iter().filter(|rule| holds(&rule.when));
    own.map(|rule| if rule.class == 1 { rule.votes } else { -rule.votes }).sum()
}

/// A scale of numbers: from one cut to the next.
fn numbers(rules: &[&Rule]) -> Option<Vec<(Span, f64)>> {
    let span = |when: &Expr| asked(when).map(|(_, span)| span);
    let mut cuts = vec![f64::NEG_INFINITY, f64::INFINITY];
    for rule in rules {
        let Span { low, high } = span(&rule.when)?;
        cuts.extend([low, high]);
    }
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let piece = |ends: &[f64]| {
        let own = Span { low: ends[0], high: ends[1] };
        // Whatever holds for one value of a piece holds for all of it.
        (own, points(rules, |when| span(when).is_some_and(|span| span.covers(own))))
    };
    Some(cuts.windows(2).map(piece).collect())
}

/// A scale of categories, or else of the numbers that rules name: those that get the same points stand together, the fewest points first.
fn sets(rules: &[&Rule], categories: Vec<Value>) -> Option<Vec<(Vec<Value>, f64)>> {
    let mut values = categories;
    for rule in rules {
        if let Expr::Compare(_, _, number @ Value::Number(_)) = &rule.when
            && !values.contains(number)
        {
            values.push(number.clone());
        }
    }
    let mut pieces: Vec<(Vec<Value>, f64)> = Vec::new();
    for own in values {
        let holds = |when: &Expr| match when {
            Expr::Compare(_, op, value) => (*value == own) == (*op == Op::Equal),
            Expr::OneOf(_, values) => values.contains(&own),
            _ => false,
        };
        let points = points(rules, holds);
        match pieces.iter_mut().find(|(_, other)| other.total_cmp(&points).is_eq()) {
            Some((values, _)) => values.push(own),
            None => pieces.push((vec![own], points)),
        }
    }
    pieces.sort_by(|one, other| one.1.total_cmp(&other.1));
    (!pieces.is_empty()).then_some(pieces)
}

/// The pieces of a scale in words.
fn in_rows<P>(model: &RuleModel<P>, scale: Scale<'_>) -> Vec<(String, f64)> {
    match scale {
        Scale::Numbers(number, pieces) => {
            let said = |span| match number.within(span, model.schema.bag.is_some()) {
                Said::Condition(condition) => in_words(model, &condition),
                Said::Words(words) => words,
            };
            pieces.into_iter().map(|(span, points)| (said(span), points)).collect()
        }
        Scale::Values(name, pieces) => {
            let said = |mut values: Vec<Value>| match values.len() {
                1 => Expr::Compare(name.to_owned(), Op::Equal, values.remove(0)),
                _ => Expr::OneOf(name.to_owned(), values),
            };
            let piece = |(values, points)| (in_words(model, &said(values)), points);
            pieces.into_iter().map(piece).collect()
        }
    }
}

/// Points with their sign, all of as many digits.
pub(super) fn signed(points: f64) -> String {
    match format!("{:.2}", points.abs()) {
        nothing if nothing == "0.00" => nothing,
        number if points < 0.0 => format!("-{number}"),
        number => format!("+{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RuleSet;
    use pellucid_learn::model::{Column, Schema};
    use pellucid_program::{Edge, Interval, Quantifier, Role};
    use proptest::prelude::*;

    const CATEGORIES: [&str; 4] = ["car", "radio", "it's", "boat"];

    fn model(rules: Vec<Rule>, base: Vec<f64>, bag: Option<&str>) -> RuleModel<()> {
        let schema = Schema {
            columns: vec![
                Column::numeric("age"),
                Column::numeric("size of it"),
                Column::nominal("purpose", CATEGORIES.map(String::from).to_vec()),
            ],
            classes: vec!["good".into(), "bad".into()],
            bag: bag.map(String::from),
            ..Schema::default()
        };
        RuleModel::new("rules", (), schema, RuleSet { base, rules, ..RuleSet::default() })
    }

    fn rule(when: &str, class: u32, votes: f64) -> Rule {
        Rule { when: when.parse().expect("a condition"), class, votes, covered: Vec::new() }
    }

    fn conditions() -> impl Strategy<Value = Expr> {
        let name = || prop::sample::select(vec!["age", "size of it"]).prop_map(String::from);
        let cut = || (-4i32..=4).prop_map(f64::from);
        let category =
            || prop::sample::select(CATEGORIES.to_vec()).prop_map(|text| Value::Text(text.into()));
        prop_oneof![
            (name(), prop::sample::select(vec![Op::Greater, Op::LessEqual]), cut())
                .prop_map(|(name, op, cut)| Expr::Compare(name, op, Value::Number(cut))),
            (name(), cut(), 1i32..4).prop_map(|(name, low, more)| {
                let high = Edge { value: low + f64::from(more), closed: true };
                Expr::Within(name, Interval { low: Edge { value: low, closed: false }, high })
            }),
            (prop::sample::select(vec![Op::Equal, Op::NotEqual]), category())
                .prop_map(|(op, value)| Expr::Compare("purpose".into(), op, value)),
            prop::collection::vec(category(), 2..4)
                .prop_map(|values| Expr::OneOf("purpose".into(), values)),
        ]
    }

    fn rules(conditions: impl Strategy<Value = Expr>) -> impl Strategy<Value = Vec<Rule>> {
        let rule = (conditions, 0u32..2, -8i32..=8).prop_map(|(when, class, votes)| Rule {
            when,
            class,
            votes: f64::from(votes) / 4.0,
            covered: Vec::new(),
        });
        prop::collection::vec(rule, 4..12)
    }

    /// What stands in the table for an example; each scale must have one piece for it.
    fn looked_up(
        scales: &[Scale<'_>],
        number: impl Fn(Quantity<'_>) -> f64,
        category: &str,
    ) -> Result<f64, TestCaseError> {
        let mut sum = 0.0;
        for scale in scales {
            let own: Vec<f64> = match scale {
                Scale::Numbers(quantity, pieces) => {
                    let value = number(*quantity);
                    let holds = |span: &Span| {
                        value > span.low && value <= span.high
                            || value == f64::NEG_INFINITY && span.low == value
                    };
                    pieces
                        .iter()
                        .filter(|(span, _)| holds(span))
                        .map(|(_, points)| *points)
                        .collect()
                }
                Scale::Values(_, pieces) => {
                    let own = Value::Text(category.into());
                    let holds = |(values, _): &&(Vec<Value>, f64)| values.contains(&own);
                    pieces.iter().filter(holds).map(|(_, points)| *points).collect()
                }
            };
            prop_assert_eq!(own.len(), 1, "{:?}", scale);
            sum += own[0];
        }
        Ok(sum)
    }

    /// A row: its age, its size and its purpose.
    type Row<'a> = (f64, f64, &'a str);

    /// Whether a condition holds for a row.
    fn holds(when: &Expr, row: Row<'_>) -> bool {
        let (age, size, purpose) = row;
        let number = |name: &str| if name == "age" { age } else { size };
        match when {
            Expr::Compare(_, op, value @ Value::Text(_)) => {
                (*value == Value::Text(purpose.into())) == (*op == Op::Equal)
            }
            Expr::OneOf(_, values) => values.contains(&Value::Text(purpose.into())),
            Expr::Compare(name, op, Value::Number(cut)) => op.holds(number(name), *cut),
            Expr::Within(name, interval) => interval.contains(number(name)),
            other => panic!("{other} is not asked of rows"),
        }
    }

    /// Whether a condition holds for a bag.
    fn holds_for_bag(when: &Expr, bag: &[Row<'_>]) -> bool {
        let count = |filler: &Expr| bag.iter().filter(|row| holds(filler, **row)).count();
        match when {
            Expr::Not(operand) => !holds_for_bag(operand, bag),
            Expr::Related(Quantifier::Some, _, filler) => count(filler) > 0,
            Expr::Related(Quantifier::Min(least), _, filler) => count(filler) >= *least as usize,
            Expr::Related(Quantifier::Max(most), _, filler) => count(filler) <= *most as usize,
            Expr::Related(Quantifier::Exactly(number), _, filler) => {
                count(filler) == *number as usize
            }
            Expr::Compare(name, op, Value::Number(cut)) if name == "rows" => {
                op.holds(bag.len() as f64, *cut)
            }
            other => panic!("{other} is not asked of bags"),
        }
    }

    /// A number of a bag, found another way than by conditions.
    fn number_of(quantity: Quantity<'_>, bag: &[Row<'_>]) -> f64 {
        let sorted = |name: &str| {
            let value = |row: &Row<'_>| if name == "age" { row.0 } else { row.1 };
            let mut values: Vec<f64> =
                bag.iter().map(value).filter(|value| !value.is_nan()).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        match quantity {
            Quantity::Named(_) => bag.len() as f64,
            Quantity::Greatest(name, nth) => {
                let place = |values: &[f64]| values.len().checked_sub(nth as usize);
                let values = sorted(name);
                place(&values).map_or(f64::NEG_INFINITY, |place| values[place])
            }
            Quantity::Least(name, nth) => {
                sorted(name).get(nth as usize - 1).copied().unwrap_or(f64::INFINITY)
            }
            Quantity::Count(filler) => bag.iter().filter(|row| holds(filler, **row)).count() as f64,
        }
    }

    fn of_bags() -> impl Strategy<Value = Expr> {
        let quantifier = prop_oneof![
            Just(Quantifier::Some),
            (1u32..4).prop_map(Quantifier::Min),
            (0u32..4).prop_map(Quantifier::Max),
        ];
        let rows =
            (quantifier, conditions(), any::<bool>()).prop_map(|(quantifier, filler, not)| {
                let role = Role { name: "row".into(), inverse: false };
                let expr = Expr::Related(quantifier, role, Box::new(filler));
                if not { Expr::Not(Box::new(expr)) } else { expr }
            });
        let size = (prop::sample::select(vec![Op::Greater, Op::LessEqual]), 0i32..5)
            .prop_map(|(op, cut)| Expr::Compare("rows".into(), op, Value::Number(f64::from(cut))));
        prop_oneof![4 => rows, 1 => size]
    }

    fn values() -> impl Strategy<Value = f64> {
        prop_oneof![3 => -6.0..6.0, 3 => (-4i32..=4).prop_map(f64::from), 1 => Just(f64::NAN)]
    }

    proptest! {
        #[test]
        fn points_add_up_to_the_votes(
            rules in rules(conditions()),
            base in prop::collection::vec(-1.0..1.0, 2),
            age in -6.0..6.0,
            size in prop_oneof![-6.0..6.0, (-4i32..=4).prop_map(f64::from)],
            purpose in prop::sample::select(CATEGORIES.to_vec()),
        ) {
            let model = model(rules, base, None);
            let votes = points(&model.model.rules.iter().collect::<Vec<_>>(), |when| holds(when, (age, size, purpose)));
            let scales = scales(&model).expect("more rules than columns");
            let number = |quantity: Quantity<'_>| if quantity == Quantity::Named("age") { age } else { size };
            let sum = looked_up(&scales, number, purpose)?;
            prop_assert!((sum - votes).abs() < 1e-9, "{} {}", sum, votes);
        }

        #[test]
        fn of_bags_too(
            mut rules in rules(of_bags()),
            bag in prop::collection::vec((values(), values(), prop::sample::select(CATEGORIES.to_vec())), 0..5),
        ) {
            // There is a table only where two rules ask the same.
            rules.push(rules[0].clone());
            let model = model(rules, vec![0.0, 0.0], Some("bag"));
            let votes = points(&model.model.rules.iter().collect::<Vec<_>>(), |when| holds_for_bag(when, &bag));
            let scales = scales(&model).expect("one thing each");
            let sum = looked_up(&scales, |quantity| number_of(quantity, &bag), "")?;
            prop_assert!((sum - votes).abs() < 1e-9, "{} {}", sum, votes);
        }

        /// What is said of a piece of a bag's scale as a condition holds just there.
        #[test]
        fn conditions_say_where_they_hold(
            mut rules in rules(of_bags()),
            bag in prop::collection::vec((values(), values(), prop::sample::select(CATEGORIES.to_vec())), 0..5),
        ) {
            rules.push(rules[0].clone());
            let model = model(rules, vec![0.0, 0.0], Some("bag"));
            for scale in scales(&model).expect("one thing each") {
                let Scale::Numbers(quantity, pieces) = scale else { continue };
                let value = number_of(quantity, &bag);
                for (span, _) in pieces {
                    let lies_within = (value > span.low || span.low == f64::NEG_INFINITY) && value <= span.high;
                    if let Said::Condition(condition) = quantity.within(span, true) {
                        let parts = match &condition {
                            Expr::And(parts) => &parts[..],
                            _ => std::slice::from_ref(&condition),
                        };
                        let holds = parts.iter().all(|part| holds_for_bag(part, &bag));
                        prop_assert_eq!(holds, lies_within, "{} {:?}", condition, span);
                    }
                }
            }
        }
    }

    #[test]
    fn a_chart_reads_well() {
        let chart = model(
            vec![
                rule("age > 27", 1, 0.5),
                rule("age <= 60", 0, 0.25),
                rule("purpose in {car, boat}", 0, 1.0),
                rule("27 < age <= 40", 1, 0.125),
            ],
            vec![0.0, 0.3],
            None,
        );
        assert_eq!(
            text(&chart),
            "
The same as points for 'bad': begin with +0.30, and for each value add what
stands beside it, nothing where it is not known. Above 0 it is 'bad', otherwise
'good'.

  age <= 27                     -0.25
  27 < age <= 40                +0.38
  40 < age <= 60                +0.25
  age > 60                      +0.50

  purpose in {car, boat}        -1.00
  purpose in {radio, 'it''s'}    0.00
"
        );
        assert!(crate::export::text(&chart).ends_with(&text(&chart)));
        // Points of some rules alone decide nothing.
        assert!(!crate::export::text_of_first(&chart, 3).contains("as points"));
        let two_things = model(
            vec![rule("age > 27 and purpose = car", 1, 0.5), rule("age > 3", 1, 1.0)],
            vec![0.0, 0.0],
            None,
        );
        assert_eq!(text(&two_things), "");
        let nothing_twice = model(
            vec![rule("age > 27", 1, 0.5), rule("purpose = car", 1, 1.0)],
            vec![0.0, 0.0],
            None,
        );
        assert_eq!(text(&nothing_twice), "");
    }

    #[test]
    fn a_chart_of_bags_reads_well() {
        let chart = model(
            vec![
                rule("some row (age > 27)", 1, 0.5),
                rule("not some row (age > 40)", 0, 0.25),
                rule("min 2 row (\"size of it\" <= 3)", 1, 0.75),
                rule("rows > 4", 1, 1.0),
                rule("rows <= 9", 1, 0.5),
                rule("mean(age) > 30", 0, 1.0),
                rule("min 2 row (purpose = car)", 1, 0.5),
                rule("some row (purpose = car)", 1, 0.25),
            ],
            vec![0.0, 0.0],
            Some("bag"),
        );
        let told = text(&chart);
        let (_, table) = told.split_once("'good'.\n").expect("how it is read");
        assert_eq!(
            table,
            "
  no row has age > 27                        -0.25
  27 < greatest age <= 40                    +0.25
  greatest age > 40                          +0.50

  2nd least \"size of it\" <= 3                +0.75
  fewer than 2 rows have \"size of it\" <= 3    0.00

  number of rows <= 4                        +0.50
  4 < number of rows <= 9                    +1.50
  number of rows > 9                         +1.00

  mean of age <= 30                           0.00
  mean of age > 30                           -1.00

  no row has purpose = car                    0.00
  exactly 1 row has purpose = car            +0.25
  at least 2 rows have purpose = car         +0.75
"
        );
        let of_one_row = model(
            vec![
                rule("some row (age > 27 and purpose = car)", 1, 0.5),
                rule("some row (age > 3)", 1, 1.0),
                rule("some row (age > 4)", 1, 1.0),
            ],
            vec![0.0, 0.0],
            Some("bag"),
        );
        assert_eq!(super::chart(&of_one_row), None);
        let every_row = model(
            vec![rule("only row (age > 27)", 1, 0.5), rule("only row (age > 30)", 1, 0.5)],
            vec![0.0, 0.0],
            Some("bag"),
        );
        assert_eq!(super::chart(&every_row), None);
    }

    #[test]
    fn one_of_two_numbers_is_a_value() {
        let rules = vec![
            rule("age = 1", 1, 0.5),
            rule("age = 0", 0, 0.25),
            rule("age = 1", 0, 0.25),
            rule("purpose = car", 1, 1.0),
        ];
        let chart = chart(&model(rules, vec![0.0, 0.25], None)).expect("each asks one thing");
        let said: Vec<(&str, f64)> =
            chart.scales[0].iter().map(|(text, points)| (text.as_str(), *points)).collect();
        assert_eq!(said, [("age = 0", -0.25), ("age = 1", 0.25)]);
    }
}
