//! What people read: exact texts.

use crate::device;
use pellucid_engine::data::{Bags, Column, Dataset};
use pellucid_engine::{MISSING, Values};
use pellucid_learn::model::{Column as Known, Schema};
use pellucid_rules::apply::Applied;
use pellucid_rules::export::{python, sql, text};
use pellucid_rules::model::{LEARNER, Model, Rule, RuleSet};
use pellucid_rules::params::Params;

fn model(bag: Option<&str>, base: &[f64], rules: &[(&str, u32, f64, [u64; 2])]) -> Model {
    let colours = vec!["red".to_owned(), "it's blue".to_owned()];
    let schema = Schema {
        columns: vec![
            Known::numeric("f1"),
            Known::numeric("net charge"),
            Known::nominal("colour", colours),
            Known::boolean("ring"),
        ],
        target: Some("class".to_owned()),
        bag: bag.map(str::to_owned),
        classes: vec!["0".to_owned(), "1".to_owned()],
    };
    let rules = rules
        .iter()
        .map(|&(when, class, votes, covered)| Rule {
            when: when.to_owned(),
            class,
            votes,
            covered: covered.to_vec(),
        })
        .collect();
    let model = RuleSet { base: base.to_vec(), rules, examples: vec![45, 47] };
    Model { learner: LEARNER.into(), params: Params::default(), schema, model }
}

fn data(bags: bool) -> Dataset {
    let nan = f64::NAN;
    let columns = vec![
        ("f1", Values::Numeric(vec![1.0, 3.25, 2.75, nan, 0.5, nan])),
        ("net charge", Values::Numeric(vec![-1.0, 2.0, nan, nan, 1.5, nan])),
        (
            "colour",
            Values::Nominal {
                codes: vec![0, 1, MISSING, 0, 1, 0],
                categories: vec!["red".to_owned(), "it's blue".to_owned()],
            },
        ),
        ("ring", Values::Boolean(vec![Some(true), Some(false), None, None, Some(true), None])),
    ];
    Dataset {
        name: "toys".to_owned(),
        columns: columns
            .into_iter()
            .map(|(name, values)| Column { name: name.to_owned(), values })
            .collect(),
        rows: 6,
        target: None,
        bags: bags.then(|| Bags {
            name: "bag".to_owned(),
            names: vec!["p".to_owned(), "q".to_owned()],
            of_row: vec![0, 0, 0, 1, 0, 1],
        }),
        notes: Vec::new(),
    }
}

const VOTING: [(&str, u32, f64, [u64; 2]); 4] = [
    (
        "some row (f1 > 2.5 and (\"net charge\" <= 3 or colour = red)) and rows > 3",
        1,
        0.824,
        [2, 31],
    ),
    ("min 2 row (f1 > 1 or not ring) and max 4 row (f1 > 1 or not ring)", 1, 0.31, [10, 20]),
    ("only row (ring) or not mean(\"net charge\") > 0.5", 0, 0.0123, [45, 0]),
    ("not some row (colour in {red, 'it''s blue'} and f1 in [7, 9))", 1, -0.4, [1, 2]),
];

#[test]
fn rules_that_vote_are_numbered_and_counted() {
    let model = model(Some("bag"), &[0.3, 0.0], &VOTING);
    let expected = "\
class of each bag (column 'bag') from 4 columns; classes: 0, 1

";
    assert_eq!(text(&model), expected);
}

#[test]
fn a_single_rule_has_an_otherwise() {
    let rule = ("f1 > 2.5 and \"net charge\" <= 3", 1, 1.0, [2, 31]);
    let mut model = model(None, &[0.5, 0.0], &[rule]);
    model.model.examples.clear();
    let expected = "\
class of each row from 4 columns; classes: 0, 1

IF f1 > 2.5 and \"net charge\" <= 3
THEN 1
     covers 31 '1' and 2 '0': precision 94 %
otherwise 0
";
    assert_eq!(text(&model), expected);
}

#[test]
fn a_model_without_rules_says_so() {
    let model = model(None, &[0.5, 0.0], &[]);
    let expected = "\
class of each row from 4 columns; classes: 0, 1

There are no rules: always 0.
";
    assert_eq!(text(&model), expected);
}

#[test]
fn a_bag_is_explained_by_its_rows() {
    let model = model(Some("bag"), &[0.3, 0.0], &VOTING);
    let applied = Applied::new(&model, &data(true), &[device()]).unwrap();
    let expected = "";
    assert_eq!(applied.explain(0).to_string(), expected);
    let expected = "";
    assert_eq!(applied.explain_all(1).to_string(), expected);
}

#[test]
fn a_row_is_explained_by_its_values() {
    let rules = [
        ("f1 > 2.5 and not (\"net charge\" > 1.75 or ring)", 1, 1.0, [0, 0]),
        ("colour != red or ring", 0, 0.25, [0, 0]),
    ];
    let model = model(None, &[0.5, 0.0], &rules);
    let applied = Applied::new(&model, &data(false), &[device()]).unwrap();
    let all: String = (0..3).map(|row| applied.explain_all(row).to_string()).collect();
    let expected = "";
    assert_eq!(all, expected);
}

#[test]
fn an_explanation_is_json_too() {
    let rules = [("some row (f1 > 2.5 and not ring) and rows > 3", 1, 1.0, [0, 0])];
    let model = model(Some("bag"), &[0.5, 0.0], &rules);
    let applied = Applied::new(&model, &data(true), &[device()]).unwrap();
    let expected = serde_json::json!({});
    assert_eq!(serde_json::to_value(applied.explain(0)).unwrap(), expected);
}

#[test]
fn the_query_reads_well() {
    let rules = [
        ("some row (f1 > 2.5 and colour = 'it''s blue')", 1, 1.0, [2, 31]),
        ("min 3 row (ring) or mean(\"net charge\") <= 0.5", 0, 0.25, [20, 3]),
    ];
    let expected = "";
    assert_eq!(sql(&model(Some("bag"), &[0.5, 0.0], &rules), "atoms").unwrap(), expected);
    let expected = "";
    let plain = model(None, &[0.5, 0.0], &[("not f1 > 2.5", 1, 1.0, [2, 31])]);
    assert_eq!(sql(&plain, "atoms").unwrap(), expected);
}

#[test]
fn the_module_reads_well() {
    let rules = [("some row (f1 > 2.5 and colour = 'it''s blue')", 1, 1.0, [2, 31])];
    let module = python(&model(Some("bag"), &[0.5, 0.0], &rules)).unwrap();
    let expected = "";
    assert!(module.starts_with(expected), "{module}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |bag, when| {
        let model = model(bag, &[0.5, 0.0], &[(when, 1, 1.0, [0, 0])]);
        let by_query = sql(&model, "t").unwrap_err();
        assert_eq!(python(&model).unwrap_err(), by_query);
        by_query.to_string()
    };
    assert_eq!(refused(None, "f1 >"), "");
    assert_eq!(refused(None, "f2 > 1"), "");
    assert_eq!(refused(None, "colour > 1"), "");
    assert_eq!(refused(Some("bag"), "f1 > 1"), "");
    assert_eq!(refused(Some("bag"), "mean(colour) > 1"), "");
    let mut model = model(None, &[0.5, 0.0], &[("f1 > 1", 1, f64::NAN, [0, 0])]);
    assert_eq!(sql(&model, "t").unwrap_err().to_string(), "");
    model.schema.classes.clear();
    model.model = RuleSet::default();
    assert_eq!(sql(&model, "t").unwrap_err().to_string(), "");
}
