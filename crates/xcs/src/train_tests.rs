//! One seed, one trace: whichever way rows are matched, and whether a run is taken up again or never stopped.

#![allow(clippy::cast_possible_truncation, reason = "made-up codes are small")]

use crate::conditions::{Conditions, Intervals};
use crate::encode::Encoded;
use crate::params::{Life, Mode, Params};
use crate::train::TableRun;
use pellucid_bits::Level;
use pellucid_data::{Column, Dataset, MISSING, Target, Values};
use pellucid_learn::params::ClassWeights;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::Stepper;
use pellucid_matching::{Matching, Way};

/// Rows of every kind, some of it missing; the class depends on three columns.
fn rows(rows: usize) -> Dataset {
    let mut stream = Streams::new(9).stream(&[]);
    let mut number = |_| if stream.chance(0.1) { f64::NAN } else { (stream.unit() * 60.0).floor() };
    let (x, y): (Vec<f64>, Vec<f64>) =
        ((0..rows).map(&mut number).collect(), (0..rows).map(&mut number).collect());
    let colours = (0..rows)
        .map(|row| if row % 11 == 0 { MISSING } else { (row % 5) as u32 })
        .collect::<Vec<_>>();
    let flags = (0..rows).map(|row| (row % 7 != 0).then_some(row % 3 == 0)).collect();
    let codes = (0..rows)
        .map(|row| u32::from(x[row] > 30.0 && colours[row] < 3) + u32::from(y[row] > 50.0))
        .collect();
    let names = ["red", "green", "blue", "white", "black"].map(str::to_owned).to_vec();
    let columns = [
        ("x", Values::Numeric(x)),
        ("y", Values::Numeric(y)),
        ("colour", Values::Nominal { codes: colours, categories: names }),
        ("flag", Values::Boolean(flags)),
    ];
    let column = |(name, values): (&str, Values)| Column { name: name.to_owned(), values };
    let classes = ["a", "b", "c"].map(str::to_owned).to_vec();
    Dataset {
        name: "rows".to_owned(),
        columns: columns.into_iter().map(column).collect(),
        rows,
        target: Some(Target { name: "class".to_owned(), classes, codes }),
        ..Dataset::default()
    }
}

fn params(mode: Mode) -> Params {
    let life = Life { population: 300, subsume_niche: true, ..Params::default().life };
    Params { mode, life, seed: 5, ..Params::default() }
}

fn fresh<'a>(encoded: &'a Encoded, params: &'a Params) -> TableRun<'a, Intervals> {
    let domains = encoded.examples.domains();
    let conditions = Intervals::new(domains, params.bounds, 0.5, params.spread, params.reach);
    TableRun::new(encoded, params, conditions)
}

fn bytes<C: Conditions>(run: &TableRun<'_, C>) -> Vec<u8> {
    serde_json::to_vec(run.state()).expect("plain data")
}

#[test]
fn every_way_of_matching_gives_the_same_population() {
    let encoded = Encoded::new(&rows(700), &ClassWeights::default()).expect("a table");
    for mode in [Mode::Supervised, Mode::Reward] {
        let params = params(mode);
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
        assert!(expected == Some(bytes(&run)), "{mode:?}, chosen by the clock");
    }
}

#[test]
fn a_run_that_is_taken_up_again_ends_as_if_never_stopped() {
    let encoded = Encoded::new(&rows(650), &ClassWeights::default()).expect("a table");
    for mode in [Mode::Supervised, Mode::Reward] {
        let params = params(mode);
        let mut whole = fresh(&encoded, &params);
        (0..4).for_each(|_| drop(whole.step().expect("a step")));
        let kept = bytes(&whole);
        let mut again = fresh(&encoded, &params);
        drop(again.step().expect("a step that is forgotten"));
        again.restore(serde_json::from_slice(&kept).expect("what was written")).expect("fits");
        for _ in 0..4 {
            assert_eq!(whole.step().expect("a step"), again.step().expect("a step"));
        }
        assert!(bytes(&whole) == bytes(&again), "{mode:?}");
    }
}

#[test]
fn no_rule_is_lost_or_counted_twice() {
    let encoded = Encoded::new(&rows(300), &ClassWeights::default()).expect("a table");
    for mode in [Mode::Supervised, Mode::Reward] {
        let params = params(mode);
        let mut run = fresh(&encoded, &params);
        for step in 0..4_000 {
            run.show();
            let population = &run.system().state.population;
            assert_eq!(population.misfit(4, 3), None, "{mode:?}, step {step}");
            assert!(population.copies() <= 300);
        }
    }
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let encoded = Encoded::new(&rows(200), &ClassWeights::default()).expect("a table");
    let params = params(Mode::Supervised);
    let mut run = fresh(&encoded, &params);
    drop(run.step().expect("a step"));
    let state = serde_json::to_value(run.state()).expect("plain data");
    type Damage = fn(&mut serde_json::Value);
    let damage: [(&str, Damage); 4] = [
        ("copies were lost", |state| state["population"]["rules"][0]["copies"] = 7.into()),
        ("a rule is damaged", |state| state["population"]["rules"][0]["class"] = 9.into()),
        ("differ in number", |state| {
            drop(state["population"]["rules"].as_array_mut().map(Vec::pop))
        }),
        ("from the future", |state| state["population"]["rules"][0]["stamp"] = 1_000_000.into()),
    ];
    for (expected, damage) in damage {
        let mut state = state.clone();
        damage(&mut state);
        let error = run.restore(serde_json::from_value(state).expect("still a state"));
        let error = error.expect_err("damaged").to_string();
        assert!(error.contains(expected), "{error}");
    }
}
