//! Rules that ask one thing each, once more as a table of points: what a value adds to the sum that decides.
//!
//! Five rules with cuts on one column are five steps of one scale. Side by side they are a chart as clinics use it: look up each
//! value, add the points, see whether the sum is above zero.

use super::dates::dated;
use super::prose::condition;
use super::text::class_name;
use super::wrap::paragraph;
use crate::model::{Rule, RuleModel};
use pellucid_program::{Edge, Expr, Interval, Op, Value};

/// What the values of a column add: conditions of which one at most holds, and the points of each.
#[derive(Debug, PartialEq)]
struct Scale(Vec<(Expr, f64)>);

/// The table, where all rules of two classes ask one thing each and some of them the same; nothing otherwise.
pub(super) fn text<P>(model: &RuleModel<P>) -> String {
    let Some(scales) = scales(model) else { return String::new() };
    let (first, second) = (class_name(model, 0), class_name(model, 1));
    let begin = signed(model.model.base[1] - model.model.base[0]);
    let mut out = String::from("\n");
    out += &paragraph(
        "",
        0,
        &format!(
            "The same as points for '{second}': begin with {begin}, and for each value add what stands beside it, nothing where it is not known. Above 0 it is '{second}', otherwise '{first}'."
        ),
    );
    let (reading, has_bags) = (&model.schema.reading, model.schema.bag.is_some());
    let shown = |expr: &Expr| condition(&dated(expr, reading), has_bags);
    let lines: Vec<Vec<(String, String)>> = scales
        .iter()
        .map(|Scale(pieces)| {
            pieces.iter().map(|(expr, points)| (shown(expr), signed(*points))).collect()
        })
        .collect();
    let letters = |text: &str| text.chars().count();
    // A long set of categories pushes its own points aside, not those of all.
    let width = lines
        .iter()
        .flatten()
        .map(|(text, _)| letters(text))
        .filter(|width| *width <= 48)
        .max()
        .unwrap_or(0);
    for scale in &lines {
        out += "\n";
        for (text, points) in scale {
            let room = " ".repeat(width.saturating_sub(letters(text)));
            out += &format!("  {text}{room}  {points:>6}\n");
        }
    }
    out
}

/// The scales of a model in the order in which its rules first ask about them.
fn scales<P>(model: &RuleModel<P>) -> Option<Vec<Scale>> {
    let rules = &model.model.rules;
    if model.schema.classes.len() != 2 || model.model.base.len() != 2 {
        return None;
    }
    let mut columns: Vec<(&str, Vec<&Rule>)> = Vec::new();
    for rule in rules {
        let name = column_of(&rule.when)?;
        match columns.iter_mut().find(|(other, _)| *other == name) {
            Some((_, own)) => own.push(rule),
            None => columns.push((name, vec![rule])),
        }
    }
    let scale = |(name, rules): &(&str, Vec<&Rule>)| {
        let categories = || {
            let column = model.schema.columns.iter().find(|column| column.name == *name);
            column.map_or(&[][..], |column| &column.categories)
        };
        numbers(name, rules).or_else(|| sets(name, rules, categories()))
    };
    (columns.len() < rules.len()).then(|| columns.iter().map(scale).collect())?
}

/// The column that a condition asks about, if it asks one thing of one value.
fn column_of(when: &Expr) -> Option<&str> {
    match when {
        Expr::Compare(name, ..) | Expr::Within(name, _) | Expr::OneOf(name, _) => Some(name),
        _ => None,
    }
}

/// What a value gets from some rules, given which conditions hold for it.
fn points(rules: &[&Rule], holds: impl Fn(&Expr) -> bool) -> f64 {
    let own = rules.iter().filter(|rule| holds(&rule.when));
    own.map(|rule| if rule.class == 1 { rule.votes } else { -rule.votes }).sum()
}

/// A scale of numbers: from one cut to the next.
fn numbers(name: &str, rules: &[&Rule]) -> Option<Scale> {
    let mut cuts: Vec<f64> = Vec::new();
    for rule in rules {
        match &rule.when {
            Expr::Compare(_, Op::Greater | Op::LessEqual, Value::Number(cut)) => cuts.push(*cut),
            Expr::Within(_, Interval { low, high }) if !low.closed && high.closed => {
                cuts.extend([low.value, high.value]);
            }
            _ => return None,
        }
    }
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let compare = |op, cut: f64| Expr::Compare(name.to_owned(), op, Value::Number(cut));
    let piece = |place: usize| {
        let (low, high) = (place.checked_sub(1).map(|below| cuts[below]), cuts.get(place).copied());
        let expr = match (low, high) {
            (Some(low), Some(high)) => {
                let (low, high) =
                    (Edge { value: low, closed: false }, Edge { value: high, closed: true });
                Expr::Within(name.to_owned(), Interval { low, high })
            }
            (Some(low), None) => compare(Op::Greater, low),
            (None, high) => compare(Op::LessEqual, high?),
        };
        // Whatever holds for the highest value of a piece holds for all of it.
        let highest = high.unwrap_or(f64::INFINITY);
        Some((expr, points(rules, |when| holds_for(when, highest))))
    };
    (0..=cuts.len()).map(piece).collect::<Option<_>>().map(Scale)
}

/// Whether a condition on numbers holds for one.
fn holds_for(when: &Expr, number: f64) -> bool {
    match when {
        Expr::Compare(_, op, Value::Number(cut)) => op.holds(number, *cut),
        Expr::Within(_, interval) => interval.contains(number),
        _ => false,
    }
}

/// A scale of categories: those that get the same points stand together, the fewest points first.
fn sets(name: &str, rules: &[&Rule], categories: &[String]) -> Option<Scale> {
    let is_text = |value: &Value| matches!(value, Value::Text(_));
    let is_set = |rule: &&Rule| match &rule.when {
        Expr::Compare(_, Op::Equal | Op::NotEqual, value) => is_text(value),
        Expr::OneOf(_, values) => values.iter().all(is_text),
        _ => false,
    };
    if categories.is_empty() || !rules.iter().all(is_set) {
        return None;
    }
    let mut pieces: Vec<(Vec<Value>, f64)> = Vec::new();
    for category in categories {
        let own = Value::Text(category.clone());
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
    let piece = |(mut values, points): (Vec<Value>, f64)| {
        let expr = match values.len() {
            1 => Expr::Compare(name.to_owned(), Op::Equal, values.remove(0)),
            _ => Expr::OneOf(name.to_owned(), values),
        };
        (expr, points)
    };
    Some(Scale(pieces.into_iter().map(piece).collect()))
}

/// Points with their sign, all of as many digits.
fn signed(points: f64) -> String {
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
    use proptest::prelude::*;

    const CATEGORIES: [&str; 4] = ["car", "radio", "it's", "boat"];

    fn model(rules: Vec<Rule>, base: Vec<f64>) -> RuleModel<()> {
        let schema = Schema {
            columns: vec![
                Column::numeric("age"),
                Column::numeric("size of it"),
                Column::nominal("purpose", CATEGORIES.map(String::from).to_vec()),
            ],
            classes: vec!["good".into(), "bad".into()],
            ..Schema::default()
        };
        RuleModel::new("rules", (), schema, RuleSet { base, rules, ..RuleSet::default() })
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

    fn rules() -> impl Strategy<Value = Vec<Rule>> {
        let rule = (conditions(), 0u32..2, -8i32..=8).prop_map(|(when, class, votes)| Rule {
            when,
            class,
            votes: f64::from(votes) / 4.0,
            covered: Vec::new(),
        });
        prop::collection::vec(rule, 4..12)
    }

    /// Whether a condition holds for a value of the column that it asks about.
    fn holds(when: &Expr, values: (f64, f64, &str)) -> bool {
        let (age, size, purpose) = values;
        let own = Value::Text(purpose.into());
        match when {
            Expr::Compare(name, op, value) if name == "purpose" => {
                (*value == own) == (*op == Op::Equal)
            }
            Expr::OneOf(_, values) => values.contains(&own),
            _ => holds_for(when, if column_of(when) == Some("age") { age } else { size }),
        }
    }

    proptest! {
        #[test]
        fn points_add_up_to_the_votes(
            rules in rules(),
            base in prop::collection::vec(-1.0..1.0, 2),
            age in -6.0..6.0,
            size in prop_oneof![-6.0..6.0, (-4i32..=4).prop_map(f64::from)],
            purpose in prop::sample::select(CATEGORIES.to_vec()),
        ) {
            let model = model(rules, base);
            let values = (age, size, purpose);
            let votes: f64 = points(&model.model.rules.iter().collect::<Vec<_>>(), |when| holds(when, values));
            let scales = scales(&model).expect("more rules than columns");
            let mut sum = 0.0;
            for Scale(pieces) in &scales {
                let own: Vec<f64> = pieces.iter().filter(|(when, _)| holds(when, values)).map(|(_, points)| *points).collect();
                prop_assert_eq!(own.len(), 1, "{:?}", pieces);
                sum += own[0];
            }
            prop_assert!((sum - votes).abs() < 1e-9, "{} {}", sum, votes);
        }
    }

    #[test]
    fn a_chart_reads_well() {
        let rule = |when: &str, class, votes| Rule {
            when: when.parse().expect("a condition"),
            class,
            votes,
            covered: Vec::new(),
        };
        let chart = model(
            vec![
                rule("age > 27", 1, 0.5),
                rule("age <= 60", 0, 0.25),
                rule("purpose in {car, boat}", 0, 1.0),
                rule("27 < age <= 40", 1, 0.125),
            ],
            vec![0.0, 0.3],
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
        let two_things = model(
            vec![rule("age > 27 and purpose = car", 1, 0.5), rule("age > 3", 1, 1.0)],
            vec![0.0, 0.0],
        );
        assert_eq!(text(&two_things), "");
        let nothing_twice =
            model(vec![rule("age > 27", 1, 0.5), rule("purpose = car", 1, 1.0)], vec![0.0, 0.0]);
        assert_eq!(text(&nothing_twice), "");
    }
}
