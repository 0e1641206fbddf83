//! The table of points: what each value adds to the score, if every rule tests a single value.
//!
//! Five rules with cut points on one column are five steps of one scale. Together they form a chart
//! as used in clinics: look up each value, add the points, and check whether the total is above
//! zero. For bags the values are summaries: the highest, lowest or mean value of a column, the
//! number of rows, or the number of rows with some value. A scorecard may also have rules on several columns,
//! each a group of its own.

mod quantity;

use super::score::signed_points;
use super::text::{class_name, condition_text};
use crate::model::{Rule, RuleModel};
use pellucid_export::wrap::paragraph;
use pellucid_program::{Expr, Op, Value};
use quantity::{Quantity, Span, SpanText, quantity_of};

/// A table of points.
#[derive(Debug, PartialEq)]
pub struct Chart {
    /// How to read the table.
    pub how: String,
    /// The starting score.
    pub start: f64,
    /// For each column or summary, its values in words and the points of each. At most one value of
    /// a scale is true.
    pub scales: Vec<Vec<(String, f64)>>,
}

/// Rules of which at most one row applies: those on one column, or one rule on several columns.
pub(super) struct PointsGroup {
    /// The columns, if rows are no bags.
    pub(super) columns: Vec<String>,
    /// Whether this is a rule that tests several values.
    pub(super) tests_several: bool,
    /// The places of the rules in the model.
    pub(super) rules: Vec<usize>,
    /// The ranges or values in words, with their points.
    pub(super) rows: Vec<(String, f64)>,
}

/// Returns the points of all ranges and values of a scorecard; rules on several columns come last. `None` if
/// a rule cannot be a line of a scorecard.
pub(super) fn points_groups<P>(model: &RuleModel<P>) -> Option<Vec<PointsGroup>> {
    let of_scale = |(scale, rules): (Scale<'_>, Vec<usize>)| {
        let tests_several =
            matches!(&scale, Scale::Answers(question, _) if scale_key(question).is_none());
        let columns: Vec<&str> = match &scale {
            _ if model.schema.bag.is_some() => Vec::new(),
            Scale::Numbers(Quantity::Named(name), _) | Scale::Values(name, _) => vec![name],
            Scale::Numbers(..) => Vec::new(),
            Scale::Answers(question, _) => distinct(question.columns()),
        };
        let columns: Vec<String> = columns.into_iter().map(str::to_owned).collect();
        let is_one_number = matches!(&scale, Scale::Values(_, pieces)
            if matches!(&pieces[..], [(values, _)] if matches!(values[..], [Value::Number(_)])));
        let mut rows = scale_rows(model, scale);
        if let (true, [name]) = (is_one_number, &columns[..]) {
            rows.push((any_other(name), 0.0));
        }
        PointsGroup { columns, tests_several, rules, rows }
    };
    let mut groups: Vec<PointsGroup> = scales(model, true)?.into_iter().map(of_scale).collect();
    groups.sort_by_key(|group| group.tests_several);
    Some(groups)
}

/// Returns the text for the values of a column that no rule names.
pub(super) fn any_other(name: &str) -> String {
    format!("{name}: any other value")
}

/// Returns names in their order, each once.
fn distinct(names: Vec<&str>) -> Vec<&str> {
    let mut known: Vec<&str> = Vec::with_capacity(names.len());
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known
}

/// Returns the table if there are two classes, every rule tests one value, and some rules test the same one.
pub fn chart<P>(model: &RuleModel<P>) -> Option<Chart> {
    let scales = scales(model, false)?;
    if scales.len() == model.body.rules.len() {
        return None;
    }
    let scales = scales.into_iter().map(|(scale, _)| scale_rows(model, scale)).collect();
    let (negative, positive) = (class_name(model, 0), class_name(model, 1));
    let start = model.body.base[1] - model.body.base[0];
    let how = format!(
        "The same model as a table of points: start with {} and add the points of each value (0 if it is \
         missing). A total above 0 predicts '{positive}', any other total '{negative}'.",
        signed(start)
    );
    Some(Chart { how, start, scales })
}

/// Returns the table as text; empty if there is none.
pub(super) fn text<P>(model: &RuleModel<P>) -> String {
    let Some(Chart { how, scales, .. }) = chart(model) else { return String::new() };
    let mut out = paragraph("\n", 0, &how);
    let letters = |text: &str| text.chars().count();
    // A long set of categories shifts its own points, not those of all rows.
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

/// What a rule tests: the range of a number, the category or number in a column, by the column's name, or the
/// answer to a question.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ScaleKey<'a> {
    Number(Quantity<'a>),
    Value(&'a str),
    Question(&'a Expr),
}

/// The points of a number's ranges, of a column's values, or of the answers no and yes; at most one of
/// them is true.
#[derive(Debug, PartialEq)]
enum Scale<'a> {
    Numbers(Quantity<'a>, Vec<(Span, f64)>),
    Values(&'a str, Vec<(Vec<Value>, f64)>),
    Answers(&'a Expr, [f64; 2]),
}

/// Returns the scales of a model with the places of their rules, in the order in which rules first use them.
/// A rule that tests several values is a question if these are allowed.
fn scales<P>(model: &RuleModel<P>, several: bool) -> Option<Vec<(Scale<'_>, Vec<usize>)>> {
    let rules = &model.body.rules;
    if model.schema.classes.len() != 2 || model.body.base.len() != 2 || model.body.ordered {
        return None;
    }
    let mut scales: Vec<(ScaleKey<'_>, Vec<usize>)> = Vec::new();
    for (place, rule) in rules.iter().enumerate() {
        let question = several.then_some(ScaleKey::Question(&rule.when));
        let own = scale_key(&rule.when).or(question)?;
        match scales.iter_mut().find(|(other, _)| *other == own) {
            Some((_, rules)) => rules.push(place),
            None => scales.push((own, vec![place])),
        }
    }
    // The highest date of a bag would be shown as a number.
    let is_dated = |(key, _): &(ScaleKey<'_>, Vec<usize>)| match key {
        ScaleKey::Number(number) => {
            number.column().is_some_and(|name| model.schema.reading.date(name).is_some())
        }
        ScaleKey::Value(_) | ScaleKey::Question(_) => false,
    };
    if scales.iter().any(is_dated) {
        return None;
    }
    let rules_at = |places: &[usize]| places.iter().map(|&place| &rules[place]).collect::<Vec<_>>();
    let scales = scales.into_iter();
    scales.map(|(key, places)| Some((scale(model, key, &rules_at(&places))?, places))).collect()
}

/// Returns the scale of some rules.
fn scale<'a, P>(model: &RuleModel<P>, key: ScaleKey<'a>, rules: &[&Rule]) -> Option<Scale<'a>> {
    match key {
        ScaleKey::Number(number) => Some(Scale::Numbers(number, numbers(rules)?)),
        ScaleKey::Value(name) => {
            let column = model.schema.columns.iter().find(|column| column.name == *name);
            let categories = column?.categories.iter().cloned().map(Value::Text).collect();
            Some(Scale::Values(name, sets(rules, categories)?))
        }
        ScaleKey::Question(question) => {
            let answer = |yes: bool| points(rules, |when| (when == question) == yes);
            Some(Scale::Answers(question, [false, true].map(answer)))
        }
    }
}

/// Returns what a condition tests, if it is one test of one value.
fn scale_key(when: &Expr) -> Option<ScaleKey<'_>> {
    let is_text = |value: &Value| matches!(value, Value::Text(_));
    match when {
        Expr::Compare(name, Op::Equal | Op::NotEqual, Value::Text(_))
        | Expr::Compare(name, Op::Equal, Value::Number(_)) => Some(ScaleKey::Value(name)),
        Expr::OneOf(name, values) if values.iter().all(is_text) => Some(ScaleKey::Value(name)),
        Expr::Is(_) => Some(ScaleKey::Question(when)),
        Expr::Not(question) if matches!(**question, Expr::Is(_)) => {
            Some(ScaleKey::Question(question))
        }
        _ => quantity_of(when).map(|(number, _)| ScaleKey::Number(number)),
    }
}

/// Returns the points of a value, given which conditions are true for it.
fn points(rules: &[&Rule], is_true: impl Fn(&Expr) -> bool) -> f64 {
    let own = rules.iter().filter(|rule| is_true(&rule.when));
    own.map(|rule| signed_points(rule)).sum()
}

/// Returns a scale of numbers: ranges from one cut point to the next.
fn numbers(rules: &[&Rule]) -> Option<Vec<(Span, f64)>> {
    let span = |when: &Expr| quantity_of(when).map(|(_, span)| span);
    let mut cuts = vec![f64::NEG_INFINITY, f64::INFINITY];
    for rule in rules {
        let Span { low, high } = span(&rule.when)?;
        cuts.extend([low, high]);
    }
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let piece = |ends: &[f64]| {
        let own = Span { low: ends[0], high: ends[1] };
        // A condition that is true for one value of a range is true for the whole range.
        (own, points(rules, |when| span(when).is_some_and(|span| span.covers(own))))
    };
    Some(cuts.windows(2).map(piece).collect())
}

/// Returns a scale of categories, or of the numbers that rules name. Values with the same points
/// are grouped; the group with the fewest points comes first.
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
        let is_true = |when: &Expr| match when {
            Expr::Compare(_, op, value) => (*value == own) == (*op == Op::Equal),
            Expr::OneOf(_, values) => values.contains(&own),
            _ => false,
        };
        let points = points(rules, is_true);
        match pieces.iter_mut().find(|(_, other)| other.total_cmp(&points).is_eq()) {
            Some((values, _)) => values.push(own),
            None => pieces.push((vec![own], points)),
        }
    }
    pieces.sort_by(|one, other| one.1.total_cmp(&other.1));
    (!pieces.is_empty()).then_some(pieces)
}

/// Returns the ranges or values of a scale in words, with their points.
fn scale_rows<P>(model: &RuleModel<P>, scale: Scale<'_>) -> Vec<(String, f64)> {
    match scale {
        Scale::Numbers(number, pieces) => {
            let text = |span| match number.within(span, model.schema.bag.is_some()) {
                SpanText::Condition(condition) => condition_text(model, &condition),
                SpanText::Words(words) => words,
            };
            pieces.into_iter().map(|(span, points)| (text(span), points)).collect()
        }
        Scale::Values(name, pieces) => {
            let expr = |mut values: Vec<Value>| match values.len() {
                1 => Expr::Compare(name.to_owned(), Op::Equal, values.remove(0)),
                _ => Expr::OneOf(name.to_owned(), values),
            };
            let piece = |(values, points)| (condition_text(model, &expr(values)), points);
            pieces.into_iter().map(piece).collect()
        }
        Scale::Answers(question, [no, yes]) if scale_key(question).is_none() => {
            let rows =
                [(condition_text(model, question), yes), ("any other values".to_owned(), no)];
            rows.to_vec()
        }
        Scale::Answers(question, [no, yes]) => {
            let negation = Expr::Not(Box::new(question.clone()));
            vec![(condition_text(model, &negation), no), (condition_text(model, question), yes)]
        }
    }
}

/// Returns points with a sign and two decimals.
pub fn signed(points: f64) -> String {
    match format!("{:.2}", points.abs()) {
        nothing if nothing == "0.00" => nothing,
        number if points < 0.0 => format!("-{number}"),
        number => format!("+{number}"),
    }
}

#[cfg(test)]
mod tests;
