//! Reports: hostile names stay text, the page refers to nothing outside, and every size is in it.

use pellucid_learn::calibrate::Calibration;
use pellucid_learn::metrics::{Backing, Decision, Decisions};
use pellucid_learn::model::{Column, Schema, StoredModel};
use pellucid_report::page::{EvaluationSource, Provenance, Report};
use pellucid_rules::params::Params;
use pellucid_ruleset::model::{Rule, RuleModel, RuleSet};
use pellucid_ruleset::path::{RulePath, SizedModel};
use serde_json::Value;
use std::path::Path;

const HOSTILE: [&str; 7] = [
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'; alert(1); '",
    "\u{202e}right to left \u{5d0}\u{5d1}",
    "<!--",
    "&lt;b&gt;\u{2028}\u{0}",
    "]]>${alert(1)}`\\u003c",
];

fn rule(when: &str, class: u32, votes: f64) -> Rule {
    let when = when.parse().expect("a condition");
    Rule { covered: vec![10, 30], ..Rule::new(when, class, votes) }
}

/// Returns a model with one column of categories and these names.
fn model(column: &str, target: &str, class: &str) -> RuleModel<Params> {
    let categories = HOSTILE.map(str::to_owned).to_vec();
    let quoted = pellucid_program::Expr::OneOf(
        column.to_owned(),
        categories[..4].iter().cloned().map(pellucid_program::Value::Text).collect(),
    );
    let rules = vec![Rule { when: quoted, ..rule("true", 1, 1.5) }, rule("age > 40.5", 0, 0.25)];
    let sized = |votes: &[f64]| SizedModel {
        base: vec![0.0, 0.5],
        votes: votes.to_vec(),
        accuracy: Some(0.75),
        ..SizedModel::default()
    };
    let models = vec![sized(&[]), sized(&[1.5]), sized(&[1.5, -0.25])];
    let path = RulePath { rules: rules.clone(), models, selected: 2 };
    let schema = Schema {
        columns: vec![Column::nominal(column, categories), Column::numeric("age")],
        target: Some(target.to_owned()),
        classes: vec!["no".to_owned(), class.to_owned()],
        ..Schema::default()
    };
    let (base, examples) = (vec![0.0, 0.5], vec![60, 40]);
    let body = RuleSet { base, rules, examples, path: Some(path), ..RuleSet::default() };
    let calibration = Calibration { slope: 1.0, offsets: vec![0.0, 0.0], examples: 100 };
    RuleModel {
        learner: "rules".into(),
        params: Params::default(),
        schema,
        calibration: Some(calibration),
        body,
    }
}

fn report(model: &RuleModel<Params>) -> Report {
    let json = model.to_json().expect("a model");
    let stored = StoredModel::parse(Path::new("model.json"), json.clone().into_bytes());
    let stored = stored.expect("a model file");
    Report::new("0.0.0").with_model(&stored, &model.schema, "text").expect("a model").with_download(
        "model",
        "model.json",
        &json,
    )
}

/// Returns the content of a page.
fn content(page: &str) -> Value {
    let start = page.split("id=\"content\">").nth(1).expect("the content");
    serde_json::from_str(start.split("</script>").next().expect("its end")).expect("JSON")
}

#[test]
fn hostile_names_stay_text() {
    let long = "x".repeat(500);
    for name in HOSTILE.into_iter().chain([long.as_str()]) {
        let from = Provenance {
            date: Some(name.to_owned()),
            command: Some(name.to_owned()),
            model: Some((name.to_owned(), String::new())),
            data: None,
        };
        let page = report(&model(name, name, name)).with_provenance(&from).html();
        // One script has the data, the other draws the page.
        assert_eq!(page.matches("<script").count(), 2, "{name}");
        assert_eq!(page.matches("</script").count(), 2, "{name}");
        assert!(!page.contains("<img") && !page.contains("<!--"), "{name}");
        let head = page.split("</title>").next().expect("a head");
        assert!(!head.contains('\u{202e}') && !head.contains('\u{0}'), "{name}");
        let content = content(&page);
        assert_eq!(content["columns"][0]["name"], name);
        assert_eq!(content["task"]["classes"][1], name);
        assert_eq!(content["provenance"]["command"], name);
    }
}

#[test]
fn a_page_is_small_and_refers_to_nothing_outside() {
    let page = report(&model("color", "outcome", "yes")).html();
    assert!(page.len() < 300_000, "{}", page.len());
    let without_namespace = page.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=\"", "<link", "@import", "url("] {
        assert!(!without_namespace.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'; script-src 'sha256-"));
    assert!(page.contains("<html lang=\"en\">") && page.contains("name=\"viewport\""));
}

#[test]
fn every_size_has_its_rules_and_points() {
    let content = content(&report(&model("color", "outcome", "yes")).html());
    let rules = &content["model"]["rules"];
    let count = |size: usize| rules["sizes"][size]["rules"].as_array().map(Vec::len);
    assert_eq!([0, 1, 2].map(count), [Some(0), Some(1), Some(2)]);
    assert_eq!(rules["pool"].as_array().map(Vec::len), Some(2), "rules are stored once");
    assert_eq!(rules["selected"], 2);
    // A list of pairs of a class and its points.
    assert_eq!(rules["sizes"][2]["rules"][0].to_string(), "[0,[[1,1.5]]]");
    assert_eq!(rules["sizes"][2]["calibration"]["slope"], 1.0);
}

#[test]
fn curves_count_every_example_once() {
    let mut decisions = Decisions::new(vec!["no".into(), "yes".into()]);
    for unit in 0..200_u32 {
        let share = f64::from(unit % 50) / 50.0;
        let decision = Decision {
            unit,
            model: 0,
            actual: u32::from(unit % 3 == 0),
            predicted: u32::from(share > 0.5),
        };
        decisions.push(decision, Backing::Probabilities(&[1.0 - share, share]));
    }
    let source = EvaluationSource::OutOfFold { folds: 5, repeats: 1 };
    let page = report(&model("color", "outcome", "yes"))
        .with_classes(&source, &decisions.summary(), &decisions)
        .html();
    let content = content(&page);
    let curve = &content["evaluation"]["curves"][0];
    let sum = |name: &str| -> u64 {
        curve[name].as_array().into_iter().flatten().filter_map(Value::as_u64).sum()
    };
    assert_eq!((sum("own"), sum("others")), (67, 133));
    let at: Vec<f64> =
        curve["at"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    assert!(at.is_sorted_by(|one, other| one > other) && at.len() == 50, "{at:?}");
    assert_eq!(content["evaluation"]["confusion"][0].as_array().map(Vec::len), Some(2));
}

#[test]
fn files_that_are_too_large_are_named() {
    let noise: Vec<u8> = (0_u64..400_000)
        .scan(7_u64, |state, _| {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            Some(state.to_be_bytes()[0])
        })
        .collect();
    let report = Report::new("0.0.0").with_export("SQL", "model.sql", &noise);
    let small = report.clone().with_export("Python", "model.py", b"pass");
    assert!(report.html().len() < 300_000);
    let content = content(&small.html());
    assert_eq!(content["too_large"], serde_json::json!(["SQL (model.sql)"]));
    assert_eq!(content["downloads"].as_array().map(Vec::len), Some(1));
}
