//! Runs are reproducible, whatever the matching method, and whether or not they are interrupted.

#![allow(clippy::cast_possible_truncation, reason = "made-up codes are small")]

use crate::conditions::{Conditions, Intervals};
use crate::encode::Encoded;
use crate::params::{Mode, Params, SystemParams};
use crate::train::TableRun;
use pellucid_bits::Level;
use pellucid_data::{ClassTarget, Column, Dataset, MISSING, NumberTarget, Values};
use pellucid_device::Threads;
use pellucid_learn::params::ClassWeights;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::Stepper;
use pellucid_matching::{Matching, Way};

/// Rows with every type of column and some missing values; the class depends on three columns.
fn rows(rows: usize) -> Dataset {
    let mut stream = Streams::new(9).stream(&[]);
    let mut number = |_| if stream.chance(0.1) { f64::NAN } else { (stream.unit() * 60.0).floor() };
    let (x, y): (Vec<f64>, Vec<f64>) =
        ((0..rows).map(&mut number).collect(), (0..rows).map(&mut number).collect());
    let colors = (0..rows)
        .map(|row| if row % 11 == 0 { MISSING } else { (row % 5) as u32 })
        .collect::<Vec<_>>();
    let flags = (0..rows).map(|row| (row % 7 != 0).then_some(row % 3 == 0)).collect();
    let codes = (0..rows)
        .map(|row| u32::from(x[row] > 30.0 && colors[row] < 3) + u32::from(y[row] > 50.0))
        .collect();
    let names = ["red", "green", "blue", "white", "black"].map(str::to_owned).to_vec();
    let columns = [
        ("x", Values::Numeric(x.into())),
        ("y", Values::Numeric(y.into())),
        ("color", Values::Nominal { codes: colors, categories: names }),
        ("flag", Values::Boolean(flags)),
    ];
    let column = |(name, values): (&str, Values)| Column { name: name.to_owned(), values };
    let classes = ["a", "b", "c"].map(str::to_owned).to_vec();
    Dataset {
        name: "rows".to_owned(),
        columns: columns.into_iter().map(column).collect(),
        rows,
        target: Some(ClassTarget { name: "class".to_owned(), classes, codes }),
        ..Dataset::default()
    }
}

/// The same rows with a number as target.
fn numbers(rows: Dataset) -> Dataset {
    let Values::Numeric(x) = &rows.columns[0].values else { return rows };
    let codes = rows.example_codes();
    let number = |(x, code): (&f64, &u32)| 7.0 * f64::from(*code) + x.min(40.0) / 10.0;
    let values = x.iter().zip(&codes).map(number).collect();
    let number = Some(NumberTarget { name: "number".to_owned(), values });
    Dataset { target: None, number, ..rows.clone() }
}

/// Encoded rows, with classes in both modes and with a number.
fn cases(count: usize) -> [(Encoded, Params); 3] {
    let encoded = |data: &Dataset| {
        Encoded::new(data, &ClassWeights::default(), &Threads::callers()).expect("a table")
    };
    [
        (encoded(&rows(count)), params(Mode::Supervised)),
        (encoded(&rows(count)), params(Mode::Reward)),
        (encoded(&numbers(rows(count))), params(Mode::Supervised)),
    ]
}

fn params(mode: Mode) -> Params {
    let life = SystemParams { population: 300, subsume_niche: true, ..Params::default().life };
    Params { mode, life, seed: 5, ..Params::default() }
}

fn fresh<'a>(encoded: &'a Encoded, params: &'a Params) -> TableRun<'a, Intervals> {
    let domains = encoded.examples.domains();
    let conditions = Intervals::new(domains, params.bounds, 0.5, params.spread, params.reach);
    TableRun::new(encoded, params, conditions, Level::Portable)
}

fn bytes<C: Conditions>(run: &TableRun<'_, C>) -> Vec<u8> {
    serde_json::to_vec(run.state()).expect("plain data")
}

#[test]
fn every_matching_method_gives_the_same_population() {
    for (encoded, params) in cases(700) {
        let mode = params.mode;
        let mut expected = None;
        for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
            for way in Way::ALL {
                let mut run = fresh(&encoded, &params);
                run.match_by(Matching::by(way, level, &encoded.examples, 400));
                (0..3).for_each(|_| drop(run.step().expect("a step")));
                let found = bytes(&run);
                let expected = expected.get_or_insert_with(|| found.clone());
                assert!(*expected == found, "{mode:?}, {} on {level}", way.name());
            }
        }
        let mut run = fresh(&encoded, &params);
        (0..3).for_each(|_| drop(run.step().expect("a step")));
        assert!(expected == Some(bytes(&run)), "{mode:?}, method selected by timing");
    }
}

#[test]
fn a_resumed_run_gives_the_same_population() {
    for (encoded, params) in cases(650) {
        let mode = params.mode;
        let mut whole = fresh(&encoded, &params);
        (0..4).for_each(|_| drop(whole.step().expect("a step")));
        let kept = bytes(&whole);
        let mut again = fresh(&encoded, &params);
        drop(again.step().expect("a step that is discarded"));
        again.restore(serde_json::from_slice(&kept).expect("what was written")).expect("fits");
        for _ in 0..4 {
            assert_eq!(whole.step().expect("a step"), again.step().expect("a step"));
        }
        assert!(bytes(&whole) == bytes(&again), "{mode:?}");
    }
}

#[test]
fn no_rule_is_lost_or_counted_twice() {
    for (encoded, params) in cases(300) {
        let mode = params.mode;
        let mut run = fresh(&encoded, &params);
        for step in 0..4_000 {
            run.show();
            let population = &run.system().state.population;
            assert_eq!(population.find_problem(4, 3), None, "{mode:?}, step {step}");
            assert!(population.copies() <= 300);
        }
    }
}

/// Runs some steps of a thousand examples.
fn learned<'a>(encoded: &'a Encoded, params: &'a Params, steps: usize) -> TableRun<'a, Intervals> {
    let mut run = fresh(encoded, params);
    (0..steps).for_each(|_| drop(run.step().expect("a step")));
    run
}

#[test]
fn condensation_makes_the_population_smaller() {
    let encoded =
        Encoded::new(&rows(400), &ClassWeights::default(), &Threads::callers()).expect("a table");
    let iterations = Some(8_000);
    let plain = Params { iterations, ..params(Mode::Supervised) };
    let condensed = Params { condensation: 0.5, ..plain.clone() };
    let half = learned(&encoded, &condensed, 4);
    assert!(bytes(&half) == bytes(&learned(&encoded, &plain, 4)), "the first half is the same");
    let whole = learned(&encoded, &condensed, 8);
    let rules = |run: &TableRun<'_, Intervals>| run.system().state.population.distinct();
    assert!(rules(&whole) < rules(&half), "{} of {}", rules(&whole), rules(&half));
    // During condensation new rules come only from covering.
    let made = |run: &TableRun<'_, Intervals>| run.system().made;
    let bred = made(&learned(&encoded, &plain, 8)) - made(&half);
    let covered = made(&whole) - made(&half);
    assert!(covered * 10 < bred, "{covered} new rules while condensing, {bred} otherwise");
}

#[test]
fn specify_keeps_the_population_valid_and_makes_rules_more_specific() {
    let encoded =
        Encoded::new(&rows(300), &ClassWeights::default(), &Threads::callers()).expect("a table");
    let mut params = params(Mode::Reward);
    let specificity = |run: &TableRun<'_, Intervals>| {
        let population = &run.system().state.population;
        let tests: usize =
            population.slots().map(|slot| population.conditions.specificity(slot)).sum();
        tests as f64 / population.distinct() as f64
    };
    let plain = specificity(&learned(&encoded, &params, 4));
    params.life.specify = true;
    let mut run = fresh(&encoded, &params);
    for step in 0..4_000 {
        run.show();
        assert_eq!(run.system().state.population.find_problem(4, 3), None, "step {step}");
    }
    assert!(
        specificity(&run) > plain,
        "{} columns per rule, {plain} without specify",
        specificity(&run)
    );
}

#[test]
fn weights_determine_how_often_an_example_is_shown() {
    let mut data = rows(300);
    // One class has weight 0 and is never shown.
    let codes = data.target.as_ref().expect("classes").codes.clone();
    data.weights = Some(codes.iter().map(|&code| if code == 1 { 0.0 } else { 2.0 }).collect());
    let encoded =
        Encoded::new(&data, &ClassWeights::default(), &Threads::callers()).expect("a table");
    let params = params(Mode::Supervised);
    let run = learned(&encoded, &params, 3);
    let population = &run.system().state.population;
    assert!(population.slots().all(|slot| population.rules[slot].class != 1));
    let none = Dataset { weights: Some(vec![0.0; 300]), ..rows(300) };
    let error = Encoded::new(&none, &ClassWeights::default(), &Threads::callers())
        .expect_err("no weight")
        .to_string();
    assert!(error.contains("all example weights are 0"), "{error}");
}

#[test]
fn conditions_are_parsed_back() {
    let encoded =
        Encoded::new(&rows(500), &ClassWeights::default(), &Threads::callers()).expect("a table");
    let params = params(Mode::Supervised);
    let run = learned(&encoded, &params, 2);
    let mut seen = 0;
    for slot in run.system().state.population.slots() {
        let tests = run.tests(slot);
        let expr = encoded.to_expr(&tests);
        let parsed = encoded.parse_condition(&expr).expect("its own condition");
        assert_eq!(parsed, Some(tests), "{expr}");
        seen += 1;
    }
    assert!(seen > 50, "{seen} rules");
    for (condition, expected) in
        [("depth > 3", "column 'depth'"), ("color > 3", "does not match the column type")]
    {
        let error = encoded.parse_condition(&condition.parse().expect("an expression"));
        let error = error.expect_err("not of this table").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_corrupt_checkpoint_is_rejected() {
    let encoded =
        Encoded::new(&rows(200), &ClassWeights::default(), &Threads::callers()).expect("a table");
    let params = params(Mode::Supervised);
    let mut run = fresh(&encoded, &params);
    drop(run.step().expect("a step"));
    let state = serde_json::to_value(run.state()).expect("plain data");
    type Damage = fn(&mut serde_json::Value);
    let damage: [(&str, Damage); 4] = [
        ("numerosity is wrong", |state| state["population"]["rules"][0]["copies"] = 7.into()),
        ("an invalid value", |state| state["population"]["rules"][0]["class"] = 9.into()),
        ("numbers of rules and conditions", |state| {
            drop(state["population"]["rules"].as_array_mut().map(Vec::pop))
        }),
        ("in the future", |state| state["population"]["rules"][0]["stamp"] = 1_000_000.into()),
    ];
    for (expected, damage) in damage {
        let mut state = state.clone();
        damage(&mut state);
        let error = run.restore(serde_json::from_value(state).expect("still a state"));
        let error = error.expect_err("damaged").to_string();
        assert!(error.contains(expected), "{error}");
    }
}
