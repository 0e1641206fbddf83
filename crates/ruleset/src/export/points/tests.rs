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
    Rule::new(when.parse().expect("a condition"), class, votes)
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
    let rule = (conditions, 0u32..2, -8i32..=8)
        .prop_map(|(when, class, votes)| Rule::new(when, class, f64::from(votes) / 4.0));
    prop::collection::vec(rule, 4..12)
}

/// Returns the scales of a model whose rules test one value each.
fn plain_scales<P>(model: &RuleModel<P>) -> Option<Vec<Scale<'_>>> {
    Some(scales(model, false)?.into_iter().map(|(scale, _)| scale).collect())
}

/// Returns the total of an example in the table; each scale must have exactly one entry for it.
fn look_up(
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
                pieces.iter().filter(|(span, _)| holds(span)).map(|(_, points)| *points).collect()
            }
            Scale::Values(_, pieces) => {
                let own = Value::Text(category.into());
                let holds = |(values, _): &&(Vec<Value>, f64)| values.contains(&own);
                pieces.iter().filter(holds).map(|(_, points)| *points).collect()
            }
            Scale::Answers(..) => unreachable!("no condition is a question"),
        };
        prop_assert_eq!(own.len(), 1, "{:?}", scale);
        sum += own[0];
    }
    Ok(sum)
}

/// A row: its age, its size and its purpose.
type Row<'a> = (f64, f64, &'a str);

/// Returns whether a condition is true for a row.
fn is_true(when: &Expr, row: Row<'_>) -> bool {
    let (age, size, purpose) = row;
    let number = |name: &str| if name == "age" { age } else { size };
    match when {
        Expr::Compare(_, op, value @ Value::Text(_)) => {
            (*value == Value::Text(purpose.into())) == (*op == Op::Equal)
        }
        Expr::OneOf(_, values) => values.contains(&Value::Text(purpose.into())),
        Expr::Compare(name, op, Value::Number(cut)) => op.holds(number(name), *cut),
        Expr::Within(name, interval) => interval.contains(number(name)),
        other => panic!("{other} is no condition on a row"),
    }
}

/// Returns whether a condition is true for a bag.
fn is_true_for_bag(when: &Expr, bag: &[Row<'_>]) -> bool {
    let count = |filler: &Expr| bag.iter().filter(|row| is_true(filler, **row)).count();
    match when {
        Expr::Not(operand) => !is_true_for_bag(operand, bag),
        Expr::Related(Quantifier::Some, _, filler) => count(filler) > 0,
        Expr::Related(Quantifier::Min(least), _, filler) => count(filler) >= *least as usize,
        Expr::Related(Quantifier::Max(most), _, filler) => count(filler) <= *most as usize,
        Expr::Related(Quantifier::Exactly(number), _, filler) => count(filler) == *number as usize,
        Expr::Compare(name, op, Value::Number(cut)) if name == "rows" => {
            op.holds(bag.len() as f64, *cut)
        }
        other => panic!("{other} is no condition on a bag"),
    }
}

/// Returns a number of a bag, computed without conditions.
fn number_of(quantity: Quantity<'_>, bag: &[Row<'_>]) -> f64 {
    let sorted = |name: &str| {
        let value = |row: &Row<'_>| if name == "age" { row.0 } else { row.1 };
        let mut values: Vec<f64> = bag.iter().map(value).filter(|value| !value.is_nan()).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    match quantity {
        Quantity::Named(_) => bag.len() as f64,
        Quantity::Highest(name, nth) => {
            let place = |values: &[f64]| values.len().checked_sub(nth as usize);
            let values = sorted(name);
            place(&values).map_or(f64::NEG_INFINITY, |place| values[place])
        }
        Quantity::Lowest(name, nth) => {
            sorted(name).get(nth as usize - 1).copied().unwrap_or(f64::INFINITY)
        }
        Quantity::Count(filler) => bag.iter().filter(|row| is_true(filler, **row)).count() as f64,
    }
}

fn of_bags() -> impl Strategy<Value = Expr> {
    let quantifier = prop_oneof![
        Just(Quantifier::Some),
        (1u32..4).prop_map(Quantifier::Min),
        (0u32..4).prop_map(Quantifier::Max),
    ];
    let rows = (quantifier, conditions(), any::<bool>()).prop_map(|(quantifier, filler, not)| {
        let role = Role { name: "row".into(), inverse: false };
        let expr = Expr::Related(quantifier, role, Box::new(filler));
        if not { Expr::Not(Box::new(expr)) } else { expr }
    });
    let size = (prop::sample::select(vec![Op::Greater, Op::LessEqual]), 0i32..5)
        .prop_map(|(op, cut)| Expr::Compare("rows".into(), op, Value::Number(f64::from(cut))));
    prop_oneof![4 => rows, 1 => size]
}

fn bags() -> impl Strategy<Value = Vec<Row<'static>>> {
    let purpose = prop::sample::select(CATEGORIES.to_vec());
    prop::collection::vec((values(), values(), purpose), 0..5)
}

fn values() -> impl Strategy<Value = f64> {
    prop_oneof![3 => -6.0..6.0, 3 => (-4i32..=4).prop_map(f64::from), 1 => Just(f64::NAN)]
}

proptest! {
    #[test]
    fn points_of_rows_add_up_to_the_score(
        rules in rules(conditions()),
        base in prop::collection::vec(-1.0..1.0, 2),
        age in -6.0..6.0,
        size in prop_oneof![-6.0..6.0, (-4i32..=4).prop_map(f64::from)],
        purpose in prop::sample::select(CATEGORIES.to_vec()),
    ) {
        let model = model(rules, base, None);
        let rules: Vec<&Rule> = model.body.rules.iter().collect();
        let votes = points(&rules, |when| is_true(when, (age, size, purpose)));
        let scales = plain_scales(&model).expect("more rules than columns");
        let number = |quantity: Quantity<'_>| if quantity == Quantity::Named("age") { age } else { size };
        let sum = look_up(&scales, number, purpose)?;
        prop_assert!((sum - votes).abs() < 1e-9, "{} {}", sum, votes);
    }

    #[test]
    fn points_of_bags_add_up_to_the_score(
        mut rules in rules(of_bags()),
        bag in bags(),
    ) {
        // There is a table only if two rules test the same value.
        rules.push(rules[0].clone());
        let model = model(rules, vec![0.0, 0.0], Some("bag"));
        let rules: Vec<&Rule> = model.body.rules.iter().collect();
        let votes = points(&rules, |when| is_true_for_bag(when, &bag));
        let scales = plain_scales(&model).expect("one thing each");
        let sum = look_up(&scales, |quantity| number_of(quantity, &bag), "")?;
        prop_assert!((sum - votes).abs() < 1e-9, "{} {}", sum, votes);
    }

    /// The condition of a range on a bag's scale is true exactly within the range.
    #[test]
    fn conditions_are_true_within_their_range(
        mut rules in rules(of_bags()),
        bag in bags(),
    ) {
        rules.push(rules[0].clone());
        let model = model(rules, vec![0.0, 0.0], Some("bag"));
        for scale in plain_scales(&model).expect("one thing each") {
            let Scale::Numbers(quantity, pieces) = scale else { continue };
            let value = number_of(quantity, &bag);
            for (span, _) in pieces {
                let is_above = value > span.low || span.low == f64::NEG_INFINITY;
                let lies_within = is_above && value <= span.high;
                if let SpanText::Condition(condition) = quantity.within(span, true) {
                    let parts = match &condition {
                        Expr::And(parts) => &parts[..],
                        _ => std::slice::from_ref(&condition),
                    };
                    let is_true = parts.iter().all(|part| is_true_for_bag(part, &bag));
                    prop_assert_eq!(is_true, lies_within, "{} {:?}", condition, span);
                }
            }
        }
    }
}

#[test]
fn the_table_of_points_is_readable() {
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
The same model as a table of points: start with +0.30 and add the points of
each value (0 if it is missing). A total above 0 predicts 'bad', any other total
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
    // Points of only some rules do not decide.
    assert!(!crate::export::text_of_first(&chart, 3).contains("table of points"));
    let two_things = model(
        vec![rule("age > 27 and purpose = car", 1, 0.5), rule("age > 3", 1, 1.0)],
        vec![0.0, 0.0],
        None,
    );
    assert_eq!(text(&two_things), "");
    let nothing_twice =
        model(vec![rule("age > 27", 1, 0.5), rule("purpose = car", 1, 1.0)], vec![0.0, 0.0], None);
    assert_eq!(text(&nothing_twice), "");
}

#[test]
fn the_table_of_points_of_bags_is_readable() {
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
    let text = text(&chart);
    let (_, table) = text.split_once("'good'.\n").expect("an introduction");
    assert_eq!(
        table,
        "
  no row has age > 27                        -0.25
  27 < highest age <= 40                     +0.25
  highest age > 40                           +0.50

  2nd lowest \"size of it\" <= 3               +0.75
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
    let chart = chart(&model(rules, vec![0.0, 0.25], None)).expect("one test per rule");
    let rows: Vec<(&str, f64)> =
        chart.scales[0].iter().map(|(text, points)| (text.as_str(), *points)).collect();
    assert_eq!(rows, [("age = 0", -0.25), ("age = 1", 0.25)]);
}
