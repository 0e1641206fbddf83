//! Random models and data with edge cases: missing values, infinities, odd names, ties.

use pellucid_data::{Bags, Column, Dataset};
use pellucid_data::{MISSING, Values};
use pellucid_learn::calibrate::Calibration;
use pellucid_learn::model::{self, NumberTargetSummary, Schema};
use pellucid_program::{Edge, Expr, Interval, Op, Quantifier, Role, Value};
use pellucid_ruleset::model::{ClassPoints, Rule, RuleModel, RuleSet};
use pellucid_ruleset::summary::{ROWS, mean_name};
use proptest::prelude::*;
use proptest::sample::select;

/// A model and data for it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) model: RuleModel<()>,
    pub(crate) data: Dataset,
}

/// A column with infinities, one without, and one named like a summary.
const NUMERIC: [&str; 3] = ["x", "odd \"name\" ", ROWS];
const NOMINAL: [&str; 2] = ["it's", "two  words\\"];
const BOOLEAN: &str = "select";
const BAG: &str = "the \"bag\"'s";
const CATEGORIES: [&str; 8] = ["red", "it's", "\"\"\"", "1", "2.5", "", "true", "a\\b\nc"];
const CLASSES: [&str; 4] = ["it's", "say \"no\"", "", "\\\"\"\""];

/// Multiples of 1/4, so that sums are exact in any order.
fn quarter() -> impl Strategy<Value = f64> {
    (-8i32..=8).prop_map(|number| f64::from(number) / 4.0)
}

/// A number to compare with.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        12 => quarter(),
        1 => select(vec![f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1e-300, 1e22]),
    ]
}

fn interval() -> impl Strategy<Value = Interval> {
    (number(), any::<bool>(), number(), any::<bool>()).prop_map(
        |(low, low_closed, high, high_closed)| Interval {
            low: Edge { value: low, closed: low_closed },
            high: Edge { value: high, closed: high_closed },
        },
    )
}

fn name(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    select(names).prop_map(str::to_owned)
}

fn op() -> impl Strategy<Value = Op> {
    select(Op::ALL.to_vec())
}

fn category() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => select(CATEGORIES.to_vec()).prop_map(|text| Value::Text(text.to_owned())),
        1 => select(vec![1.0, 2.5, 7.0]).prop_map(Value::Number),
    ]
}

fn joined(leaf: BoxedStrategy<Expr>) -> BoxedStrategy<Expr> {
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|operand| Expr::Not(Box::new(operand))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::and),
            prop::collection::vec(inner, 2..4).prop_map(Expr::or),
        ]
    })
    .boxed()
}

fn row_condition() -> BoxedStrategy<Expr> {
    let nominal_op = select(vec![Op::Equal, Op::NotEqual]);
    let leaf = prop_oneof![
        6 => (name(&NUMERIC), op(), number())
            .prop_map(|(name, op, number)| Expr::Compare(name, op, Value::Number(number))),
        2 => (name(&NUMERIC), interval()).prop_map(|(name, span)| Expr::Within(name, span)),
        1 => (name(&NUMERIC), prop::collection::vec(number().prop_map(Value::Number), 0..4))
            .prop_map(|(name, values)| Expr::OneOf(name, values)),
        3 => (name(&NOMINAL), nominal_op, category())
            .prop_map(|(name, op, value)| Expr::Compare(name, op, value)),
        1 => (name(&NOMINAL), prop::collection::vec(category(), 0..4))
            .prop_map(|(name, values)| Expr::OneOf(name, values)),
        1 => (name(&NOMINAL), select(vec!["", "a", "b", "'"]))
            .prop_map(|(name, text)| Expr::Contains(name, text.to_owned())),
        2 => Just(Expr::Is(BOOLEAN.to_owned())),
        1 => any::<bool>().prop_map(Expr::Constant),
    ];
    joined(leaf.boxed())
}

fn bag_condition() -> BoxedStrategy<Expr> {
    let quantifier = prop_oneof![
        3 => Just(Quantifier::Some),
        1 => Just(Quantifier::Only),
        1 => (0u32..4).prop_map(Quantifier::Min),
        1 => (0u32..4).prop_map(Quantifier::Max),
        1 => (0u32..4).prop_map(Quantifier::Exactly),
    ];
    let role = Role { name: "row".to_owned(), inverse: false };
    // Sums with infinities depend on the order of addition, so the first column has no mean.
    let summary = prop_oneof![
        name(&NUMERIC[1..]).prop_map(|column| mean_name(&column)),
        Just(ROWS.to_owned())
    ];
    let leaf = prop_oneof![
        5 => (quantifier, row_condition())
            .prop_map(move |(quantifier, filler)| Expr::Related(quantifier, role.clone(), Box::new(filler))),
        2 => (summary.clone(), op(), number())
            .prop_map(|(name, op, number)| Expr::Compare(name, op, Value::Number(number))),
        1 => (summary, interval()).prop_map(|(name, span)| Expr::Within(name, span)),
    ];
    joined(leaf.boxed())
}

/// Points in tenths: their sums depend on the order, and are often equal.
fn votes() -> impl Strategy<Value = f64> {
    (-3i32..=9).prop_map(|tenths| f64::from(tenths) / 10.0)
}

fn columns(rows: usize) -> impl Strategy<Value = Vec<Column>> {
    let numbers = |infinite: u32| {
        let value = prop_oneof![
            8 => quarter(),
            2 => Just(f64::NAN),
            infinite => select(vec![f64::INFINITY, f64::NEG_INFINITY, f64::MAX]),
        ];
        prop::collection::vec(value, rows).prop_map(|numbers| Values::Numeric(numbers.into()))
    };
    let codes = || {
        let code = prop_oneof![8 => 0u32..8, 2 => Just(MISSING)];
        prop::collection::vec(code, rows).prop_map(|codes| Values::Nominal {
            codes,
            categories: CATEGORIES.map(str::to_owned).to_vec(),
        })
    };
    let truths = prop::collection::vec(any::<Option<bool>>(), rows).prop_map(Values::Boolean);
    (numbers(1), numbers(0), numbers(0), codes(), codes(), truths).prop_map(
        |(first, second, third, fourth, fifth, last)| {
            let names = NUMERIC.into_iter().chain(NOMINAL).chain([BOOLEAN]);
            names
                .zip([first, second, third, fourth, fifth, last])
                .map(|(name, values)| Column { name: name.to_owned(), values })
                .collect()
        },
    )
}

/// Bags numbered by first appearance.
fn bags(raw: &[u32]) -> Bags {
    let mut seen: Vec<u32> = Vec::new();
    let mut of_row = Vec::new();
    for &bag in raw {
        let place = seen.iter().position(|&other| other == bag).unwrap_or_else(|| {
            seen.push(bag);
            seen.len() - 1
        });
        of_row.push(u32::try_from(place).unwrap());
    }
    let names = seen.iter().map(|bag| format!("bag '{bag}'")).collect();
    Bags { name: BAG.to_owned(), names, of_row }
}

/// An optional calibration; a few are so steep that exponents must be clipped.
fn calibration(classes: usize) -> impl Strategy<Value = Option<Calibration>> {
    let slope = prop_oneof![6 => 0.0f64..4.0, 1 => Just(1e4)];
    let offsets = prop::collection::vec(-3.0f64..3.0, classes);
    prop::option::of((slope, offsets))
        .prop_map(|found| found.map(|(slope, offsets)| Calibration { slope, offsets, examples: 9 }))
}

/// Any case, with bags or without; zero classes mean that a number is predicted.
pub(crate) fn case() -> impl Strategy<Value = Case> {
    (any::<bool>(), 1usize..20, 0usize..=CLASSES.len(), any::<bool>()).prop_flat_map(
        |(has_bags, rows, classes, ordered)| {
            let outputs = classes.max(1);
            let condition = if has_bags { bag_condition() } else { row_condition() };
            let class = 0..u32::try_from(outputs).unwrap();
            // A rule of a list decides for one class; other rules may have points for several.
            let others = if ordered { 0..1 } else { 0..outputs };
            let rule = (condition, class, votes(), prop::collection::vec(votes(), others));
            let rule = rule.prop_map(move |(expr, class, votes, others)| {
                let next = |place: u32| (class + place) % u32::try_from(outputs).unwrap();
                let others = (1u32..).zip(others);
                let others = others.map(|(place, votes)| ClassPoints { class: next(place), votes });
                Rule { others: others.collect(), ..Rule::new(expr, class, votes) }
            });
            let rules = prop::collection::vec(rule, 0..7);
            let base = prop::collection::vec(votes(), outputs);
            let of_row = prop::collection::vec(0u32..6, rows);
            let made = (rules, base, columns(rows), of_row, calibration(classes));
            made.prop_map(move |(rules, base, columns, of_row, calibration)| {
                let data = Dataset {
                    name: "made up".to_owned(),
                    columns,
                    rows,
                    target: None,
                    bags: has_bags.then(|| bags(&of_row)),
                    notes: Vec::new(),
                    ..Dataset::default()
                };
                let schema = Schema {
                    columns: data.columns.iter().map(known).collect(),
                    target: Some("class".to_owned()),
                    bag: has_bags.then(|| BAG.to_owned()),
                    classes: CLASSES[..classes].iter().map(|&class| class.to_owned()).collect(),
                    ..Schema::default()
                };
                let schema = Schema {
                    number: (classes == 0).then(|| NumberTargetSummary::of(&[1.0]).unwrap()),
                    ..schema
                };
                let model = RuleSet { base, rules, ordered, ..RuleSet::default() };
                let params = ();
                let mut model = RuleModel::new("rules", params, schema, model);
                model.calibration = calibration.filter(|_| classes > 0);
                Case { model, data }
            })
        },
    )
}

fn known(column: &Column) -> model::Column {
    match &column.values {
        Values::Numeric(_) => model::Column::numeric(&column.name),
        // The last category is in the data but not in the training data.
        Values::Nominal { categories, .. } => {
            let seen = categories.len().saturating_sub(1);
            model::Column::nominal(&column.name, categories[..seen].to_vec())
        }
        Values::Boolean(_) => model::Column::boolean(&column.name),
    }
}
