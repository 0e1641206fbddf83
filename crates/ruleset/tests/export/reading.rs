//! The exact text of exports and explanations.

use crate::machine;
use pellucid_data::{Bags, Column, Dataset};
use pellucid_data::{MISSING, Values};
use pellucid_learn::calibrate::Calibration;
use pellucid_learn::model::{Column as Known, Schema};
use pellucid_ruleset::apply::AppliedRules;
use pellucid_ruleset::export::{python, sql, text};
use pellucid_ruleset::model::{ClassPoints, FoundIn, Rule, RuleModel, RuleSet};
use serde_json::json;

fn model(bag: Option<&str>, base: &[f64], rules: &[(&str, u32, f64, [u64; 2])]) -> RuleModel<()> {
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
        ..Schema::default()
    };
    let rules = rules
        .iter()
        .map(|&(when, class, votes, covered)| Rule {
            covered: covered.to_vec(),
            ..Rule::new(when.parse().expect("a condition"), class, votes)
        })
        .collect();
    let model =
        RuleSet { base: base.to_vec(), rules, examples: vec![45, 47], ..RuleSet::default() };
    RuleModel::new("rules", (), schema, model)
}

fn data(bags: bool) -> Dataset {
    let nan = f64::NAN;
    let columns = vec![
        ("f1", Values::Numeric(vec![1.0, 3.25, 2.75, nan, 0.5, nan].into())),
        ("net charge", Values::Numeric(vec![-1.0, 2.0, nan, nan, 1.5, nan].into())),
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
        ..Dataset::default()
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
    ("only row (ring) or not \"mean(net charge)\" > 0.5", 0, 0.0123, [45, 0]),
    ("not some row (colour in {red, 'it''s blue'} and f1 in [7, 9))", 1, -0.4, [1, 2]),
];

#[test]
fn rules_with_points_are_numbered_and_counted() {
    let model = model(Some("bag"), &[0.3, 0.0], &VOTING);
    let expected = "\
Predicts class ('0' or '1') for each bag (column 'bag') from 4 columns. 92 bags:
45 '0', 47 '1'.

Score = -0.30 + the points of every rule that applies.
Positive: '1'. Negative or zero: '0'.

1. IF some row has (f1 > 2.5 and (\"net charge\" <= 3 or colour = red)) and the
      bag has more than 3 rows
   THEN add 0.82 (favors '1')
        covers 31 of 47 '1' and 2 of 45 '0': precision 94 %, lift 1.8

2. IF 2 to 4 rows have f1 > 1 or not ring
   THEN add 0.31 (favors '1')
        covers 20 of 47 '1' and 10 of 45 '0': precision 67 %, lift 1.3

3. IF every row has ring or the mean of net charge is not above 0.5
   THEN subtract 0.012 (favors '0')
        covers 45 of 45 '0' and 0 of 47 '1': precision 100 %, lift 2.0

4. IF no row has colour in {red, 'it''s blue'} and 7 <= f1 < 9
   THEN subtract 0.40 (favors '0')
        covers 3 of 92, of which 2 are '1' (67 %; overall 51 %)
";
    assert_eq!(text(&model), expected);
}

#[test]
fn a_single_rule_ends_with_otherwise() {
    let rule = ("f1 > 2.5 and \"net charge\" <= 3", 1, 1.0, [2, 31]);
    let mut model = model(None, &[0.5, 0.0], &[rule]);
    model.body.examples.clear();
    let expected = "\
Predicts class ('0' or '1') from 4 columns.

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
Predicts class ('0' or '1') from 4 columns. 92 rows: 45 '0', 47 '1'.

There are no rules: the model always predicts '0'.
";
    assert_eq!(text(&model), expected);
}

#[test]
fn a_bag_is_explained_by_its_rows() {
    let model = model(Some("bag"), &[0.3, 0.0], &VOTING);
    let applied = AppliedRules::new(&model, &data(true), &machine()).unwrap();
    let expected = "\
bag 'p': 1
  score: 0.43 = -0.30 (starting score) + 0.82 (rule 1) + 0.31 (rule 2) - 0.40
         (rule 4)
  rule 1 applies: IF some row has (f1 > 2.5 and (\"net charge\" <= 3 or colour =
      red)) and the bag has more than 3 rows THEN add 0.82 (favors '1')
    1 of 4 rows has f1 > 2.5 and (\"net charge\" <= 3 or colour = red)
      row 2: f1 = 3.25 (> 2.5), \"net charge\" = 2 (<= 3)
    the bag has 4 rows (> 3)
  rule 2 applies: IF 2 to 4 rows have f1 > 1 or not ring THEN add 0.31 (favors
      '1')
    2 of 4 rows have f1 > 1 or not ring
      row 2: f1 = 3.25 (> 1)
      row 3: f1 = 2.75 (> 1)
  rule 4 applies: IF no row has colour in {red, 'it''s blue'} and 7 <= f1 < 9
      THEN subtract 0.40 (favors '0')
    none of 4 rows has colour in {red, 'it''s blue'} and 7 <= f1 < 9
";
    assert_eq!(applied.explain(0).to_string(), expected);
    let expected = "\
bag 'q': 0
  score: -0.40 = -0.30 (starting score) + 0.31 (rule 2) - 0.012 (rule 3) - 0.40
         (rule 4)
  positive: '1'; negative or zero: '0'
  3 rules apply:
  rule 2 applies: IF 2 to 4 rows have f1 > 1 or not ring THEN add 0.31 (favors
      '1')
    all 2 rows have f1 > 1 or not ring
      row 4: ring is missing
      row 6: ring is missing
  rule 3 applies: IF every row has ring or the mean of net charge is not above
      0.5 THEN subtract 0.012 (favors '0')
    the mean of net charge is missing because all values are missing (not > 0.5)
  rule 4 applies: IF no row has colour in {red, 'it''s blue'} and 7 <= f1 < 9
      THEN subtract 0.40 (favors '0')
    none of 2 rows has colour in {red, 'it''s blue'} and 7 <= f1 < 9
  1 rule does not apply:
  rule 1 does not apply: IF some row has (f1 > 2.5 and (\"net charge\" <= 3 or
      colour = red)) and the bag has more than 3 rows THEN add 0.82 (favors '1')
    none of 2 rows has f1 > 2.5 and (\"net charge\" <= 3 or colour = red)
";
    assert_eq!(applied.explain_all(1).to_string(), expected);
}

#[test]
fn a_row_is_explained_by_its_values() {
    let rules = [
        ("f1 > 2.5 and not (\"net charge\" > 1.75 or ring)", 1, 1.0, [0, 0]),
        ("colour != red or ring", 0, 0.25, [0, 0]),
    ];
    let model = model(None, &[0.5, 0.0], &rules);
    let applied = AppliedRules::new(&model, &data(false), &machine()).unwrap();
    let all: String = (0..3).map(|row| applied.explain_all(row).to_string()).collect();
    let expected = "\
row 1: 0
  score: -0.75 = -0.50 (starting score) - 0.25 (rule 2)
  positive: '1'; negative or zero: '0'
  1 rule applies:
  rule 2 applies: IF colour != red or ring THEN subtract 0.25 (favors '0')
    row 1: ring = true
  1 rule does not apply:
  rule 1 does not apply: IF f1 > 2.5 and not (\"net charge\" > 1.75 or ring) THEN
      add 1.00 (favors '1')
    row 1: f1 = 1 (not > 2.5)
row 2: 0
  score: -0.75 = -0.50 (starting score) - 0.25 (rule 2)
  positive: '1'; negative or zero: '0'
  1 rule applies:
  rule 2 applies: IF colour != red or ring THEN subtract 0.25 (favors '0')
    row 2: colour = 'it''s blue' (!= red)
  1 rule does not apply:
  rule 1 does not apply: IF f1 > 2.5 and not (\"net charge\" > 1.75 or ring) THEN
      add 1.00 (favors '1')
    row 2: \"net charge\" = 2 (> 1.75)
row 3: 1
  score: 0.50 = -0.50 (starting score) + 1.00 (rule 1)
  positive: '1'; negative or zero: '0'
  1 rule applies:
  rule 1 applies: IF f1 > 2.5 and not (\"net charge\" > 1.75 or ring) THEN add
      1.00 (favors '1')
    row 3: f1 = 2.75 (> 2.5), \"net charge\" is missing (not > 1.75), ring is
      missing
  1 rule does not apply:
  rule 2 does not apply: IF colour != red or ring THEN subtract 0.25 (favors
      '0')
    row 3: colour is missing (not != red), ring is missing
";
    assert_eq!(all, expected);
}

#[test]
fn an_explanation_is_json_too() {
    let rules = [("some row (f1 > 2.5 and not ring) and rows > 3", 1, 1.0, [0, 0])];
    let model = model(Some("bag"), &[0.5, 0.0], &rules);
    let applied = AppliedRules::new(&model, &data(true), &machine()).unwrap();
    let witness = |row: usize, f1: f64, ring: Option<bool>| {
        json!({
            "row": row,
            "satisfies": true,
            "values": [
                {"column": "f1", "value": f1, "test": "> 2.5"},
                {"column": "ring", "value": ring, "test": ""},
            ],
        })
    };
    let expected = json!({
        "example": 1,
        "bag": "p",
        "predicted": "1",
        "begin": [{"class": "0", "votes": 0.5}, {"class": "1", "votes": 0.0}],
        "votes": [{"class": "0", "votes": 0.5}, {"class": "1", "votes": 1.0}],
        "rules": [{
            "number": 1,
            "holds": true,
            "when": "some row has (f1 > 2.5 and not ring) and the bag has more than 3 rows",
            "class": "1",
            "votes": 1.0,
            "reasons": [
                {
                    "about": "rows",
                    "question": "f1 > 2.5 and not ring",
                    "covered": 2,
                    "of": 4,
                    "witnesses": [witness(2, 3.25, Some(false)), witness(3, 2.75, None)],
                },
                {"about": "size", "rows": 4, "test": "> 3"},
            ],
        }],
    });
    assert_eq!(serde_json::to_value(applied.explain(0)).unwrap(), expected);
}

/// A query without how each column is read.
fn outline(query: &str) -> String {
    let read = ["CASE WHEN TRIM(", "CASE WHEN LOWER("];
    let line = |line: &str| {
        let (text, name) = (line.trim_start(), line.rsplit_once(" AS ").map_or("", |both| both.1));
        match read.iter().any(|start| text.starts_with(start)) {
            true => format!("{}… AS {name}\n", &line[..line.len() - text.len()]),
            false => format!("{line}\n"),
        }
    };
    query.lines().map(line).collect()
}

#[test]
fn the_query_is_readable() {
    let rules = [
        ("some row (f1 > 2.5 and colour = 'it''s blue')", 1, 1.0, [2, 31]),
        ("min 3 row (ring) or \"mean(net charge)\" <= 0.5", 0, 0.25, [20, 3]),
    ];
    let expected = "\
-- Predicts class ('0' or '1') for each bag (column 'bag') from 4 columns. 92
-- bags: 45 '0', 47 '1'.
CREATE VIEW \"judged\" AS
SELECT v.\"example\" AS \"bag\",
  CASE WHEN v.\"score for 0\" >= v.\"score for 1\" THEN '0' ELSE '1' END AS \"predicted\",
  1.0 / (1.0 + EXP(1.5 * (v.\"score for 0\" - v.\"score for 1\") + -0.25)) AS \"probability of 1\",
  v.\"score for 0\",
  v.\"score for 1\"
FROM (
  SELECT g.\"example\",
    -- score for 0
    CAST(0.5 AS DOUBLE PRECISION)
    -- 2. IF at least 3 rows have ring or the mean of net charge is at most 0.5
    -- THEN subtract 0.25 (favors '0')
    + CASE WHEN (g.rows_2 >= 3 OR (g.mean_1 IS NOT NULL AND g.mean_1 <= 0.5)) THEN 0.25 ELSE 0.0 \
END AS \"score for 0\",
    -- score for 1
    CAST(0.0 AS DOUBLE PRECISION)
    -- 1. IF some row has f1 > 2.5 and colour = 'it''s blue' THEN add 1.00
    -- (favors '1')
    + CASE WHEN g.rows_1 > 0 THEN 1.0 ELSE 0.0 END AS \"score for 1\"
  FROM (
    SELECT c.\"example\",
      COUNT(*) AS all_rows,
      SUM(CASE WHEN ((c.\"f1\" IS NOT NULL AND c.\"f1\" > 2.5) AND \
(c.\"colour\" IS NOT NULL AND c.\"colour\" = 'it''s blue')) THEN 1 ELSE 0 END) AS rows_1,
      SUM(CASE WHEN (c.\"ring\" IS NOT NULL AND c.\"ring\" = 1) THEN 1 ELSE 0 END) AS rows_2,
      AVG(c.\"net charge\") AS mean_1
    FROM (
      SELECT t.\"bag\" AS \"example\",
        … AS \"f1\",
        … AS \"net charge\",
        … AS \"colour\",
        … AS \"ring\"
      FROM \"atoms\" t WHERE t.\"bag\" IS NOT NULL AND TRIM(CAST(t.\"bag\" AS TEXT)) <> ''
    ) c GROUP BY c.\"example\"
  ) g
) v
";
    let mut calibrated = model(Some("bag"), &[0.5, 0.0], &rules);
    let offsets = vec![0.0, 0.25];
    calibrated.calibration = Some(Calibration { slope: 1.5, offsets, examples: 92 });
    let written = sql(&calibrated, "atoms", Some("judged")).unwrap();
    assert_eq!(outline(&written), expected);
    let expected = "\
-- Predicts class ('0' or '1') from 4 columns. 92 rows: 45 '0', 47 '1'.
SELECT v.*,
  CASE WHEN v.\"score for 0\" >= v.\"score for 1\" THEN '0' ELSE '1' END AS \"predicted\"
FROM (
  SELECT
    -- score for 0
    CAST(0.5 AS DOUBLE PRECISION) AS \"score for 0\",
    -- score for 1
    (SELECT CAST(0.0 AS DOUBLE PRECISION)
    -- 1. IF not f1 > 2.5 THEN 1
    + CASE WHEN NOT ((c.\"f1\" IS NOT NULL AND c.\"f1\" > 2.5)) THEN 1.0 ELSE 0.0 END
    FROM (SELECT
      … AS \"f1\"
    ) c) AS \"score for 1\",
    t.*
  FROM \"atoms\" t
) v
";
    let plain = model(None, &[0.5, 0.0], &[("not f1 > 2.5", 1, 1.0, [2, 31])]);
    assert_eq!(outline(&sql(&plain, "atoms", None).unwrap()), expected);
}

#[test]
fn the_module_is_readable() {
    let rules = [("some row (f1 > 2.5 and colour = 'it''s blue')", 1, 1.0, [2, 31])];
    let module = python(&model(Some("bag"), &[0.5, 0.0], &rules)).unwrap();
    let expected = r#""""Predicts class ('0' or '1') for each bag (column 'bag') from 4 columns. 92
bags: 45 '0', 47 '1'.

predict(rows) returns the class of one bag, given as a list of rows.
predict_all(rows) groups rows into bags and returns a dictionary from bags to
classes. A row is a dictionary from column names to values; None and NaN are
missing values.
"""

import re


def rule_1(rows):
    """IF some row has f1 > 2.5 and colour = 'it''s blue' THEN 1"""
    return any(((number(row, "f1") > 2.5) and (text(row, "colour") == "it's blue")) for row in rows)


# The starting score of each class, and the class and points of each rule.
START = {"0": 0.5, "1": 0.0}
RULES = [
    (rule_1, "1", 1.0),
]


def scores(rows):
    """Return the score of each class."""
    total = dict(START)
    for rule, name, points in RULES:
        if rule(rows):
            total[name] += points
    return total


def predict(rows):
    """Return the class with the highest score; in a tie, the first one."""
    total = scores(rows)
    return max(total, key=total.get)"#;
    let start = module.split("\n\n\ndef predict_all").next().unwrap();
    assert_eq!(start, expected);
}

#[test]
fn invalid_models_are_rejected() {
    let error_of = |bag, when| {
        let model = model(bag, &[0.5, 0.0], &[(when, 1, 1.0, [0, 0])]);
        let by_query = sql(&model, "t", None).unwrap_err();
        assert_eq!(python(&model).unwrap_err(), by_query);
        by_query.to_string()
    };
    let rules =
        r#"{"base": [0.5], "rules": [{"when": "f1 >", "class": 0, "votes": 1, "covered": []}]}"#;
    let error = serde_json::from_str::<RuleSet>(rules).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "condition 'f1 >': column 5: found the end; expected a number or a category \
             (in 'quotes' if it is not a plain word)"
        ),
        "{error}"
    );
    assert_eq!(
        error_of(None, "f2 > 1"),
        "rule 1: there is no column 'f2'; expected one of 'f1', 'net charge', 'colour', 'ring'"
    );
    assert_eq!(
        error_of(None, "colour > 1"),
        "rule 1: column 'colour' is nominal; expected '= category', '!= category' or 'in {a, b}'"
    );
    assert_eq!(
        error_of(Some("bag"), "f1 > 1"),
        "rule 1: 'f1 > 1' is not a condition on bags; expected a condition on rows such as \
         'some row (x > 1)', on mean(x) or on rows"
    );
    assert_eq!(
        error_of(Some("bag"), "mean(colour) > 1"),
        "rule 1: 'mean(colour) > 1' is not a condition on bags; expected a condition on rows such as \
         'some row (x > 1)', on mean(x) or on rows"
    );
    let mut model = model(None, &[0.5, 0.0], &[("f1 > 1", 1, f64::NAN, [0, 0])]);
    assert_eq!(
        sql(&model, "t", None).unwrap_err().to_string(),
        "the points of the model do not add up to a finite number"
    );
    model.schema.classes.clear();
    model.body = RuleSet::default();
    assert_eq!(
        sql(&model, "t", None).unwrap_err().to_string(),
        "the model has no classes; expected at least one"
    );
}

#[test]
fn models_without_counts_still_open() {
    let model: RuleSet = serde_json::from_str(r#"{"base": [0.5], "rules": []}"#).unwrap();
    assert_eq!(model, RuleSet { base: vec![0.5], ..RuleSet::default() });
}

/// With more than two classes a rule may lower the score of a class; its coverage then counts that class.
#[test]
fn a_rule_that_lowers_a_class_says_so() {
    let schema = Schema {
        columns: vec![Known::numeric("petal")],
        classes: ["setosa", "versicolor", "virginica"].map(str::to_owned).to_vec(),
        ..Schema::default()
    };
    let rule = |when: &str, class, votes, covered: [u64; 3]| Rule {
        covered: covered.to_vec(),
        ..Rule::new(when.parse().expect("a condition"), class, votes)
    };
    let rules =
        vec![rule("petal > 2.5", 0, -2.42, [0, 50, 50]), rule("petal > 4.9", 2, 1.5, [0, 2, 46])];
    let set = RuleSet { base: vec![0.0; 3], rules, examples: vec![50; 3], ..RuleSet::default() };
    let model = RuleModel::new("rules", (), schema, set);
    let data = Dataset {
        columns: vec![Column { name: "petal".into(), values: Values::Numeric(vec![3.0].into()) }],
        rows: 1,
        ..Dataset::default()
    };
    let applied = AppliedRules::new(&model, &data, &machine()).expect("it fits");
    let why = applied.explain(0).to_string();
    for shown in [&text(&model), &why] {
        assert!(shown.contains("lower 'setosa' by 2.42"), "{shown}");
        assert!(!shown.contains("(-2.42)"), "{shown}");
    }
    assert!(why.contains("scores: -2.42 for setosa, 0.00 for versicolor"), "{why}");
    let covers = "covers 100 of 150, of which 0 are 'setosa' (0 %; overall 33 %)";
    assert!(text(&model).contains(covers), "{}", text(&model));
}

#[test]
fn a_rule_with_points_for_several_classes_names_them() {
    let schema = Schema {
        columns: vec![Known::numeric("petal")],
        classes: ["setosa", "versicolor", "virginica"].map(str::to_owned).to_vec(),
        ..Schema::default()
    };
    let points = |class, votes| ClassPoints { class, votes };
    let rule = Rule {
        others: vec![points(2, 0.9), points(0, -2.1)],
        covered: vec![0, 48, 40],
        found_in: Some(FoundIn { folds: 14, of: 15 }),
        ..Rule::new("petal > 2.5".parse().expect("a condition"), 1, 1.4)
    };
    let set = RuleSet {
        base: vec![0.5, 0.0, 0.0],
        rules: vec![rule],
        examples: vec![50; 3],
        ..RuleSet::default()
    };
    let model = RuleModel::new("rules", (), schema, set);
    let data = Dataset {
        columns: vec![Column { name: "petal".into(), values: Values::Numeric(vec![3.0].into()) }],
        rows: 1,
        ..Dataset::default()
    };
    let applied = AppliedRules::new(&model, &data, &machine()).expect("it fits");
    let why = applied.explain(0).to_string();
    for shown in [&text(&model), &why] {
        let then = "raise 'versicolor' by 1.40, 'virginica' by 0.90; lower 'setosa' by 2.10";
        let words: Vec<&str> = shown.split_whitespace().collect();
        assert!(words.join(" ").contains(then), "{shown}");
    }
    assert!(
        why.contains("scores: -1.60 for setosa, 1.40 for versicolor, 0.90 for virginica"),
        "{why}"
    );
    let shown = text(&model);
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert!(words.join(" ").contains("found in 14 of 15 folds"), "{shown}");
    let json = serde_json::to_string(&model.body.rules[0]).expect("JSON");
    let read: Rule = serde_json::from_str(&json).expect("a rule");
    assert_eq!(read, model.body.rules[0]);
    let twice = Rule { others: vec![points(1, 0.5)], ..read };
    let error = RuleSet { rules: vec![twice], ..model.body }.check(3).expect_err("an invalid rule");
    assert_eq!(error.to_string(), "rule 1 has points for class 1 twice");
}
