//! Checkpoints with an invalid state are rejected.

use crate::cases::{noisy, plain_machine, small};
use pellucid_cover::Literal;
use pellucid_device::Threads;
use pellucid_learn::params::Check;
use pellucid_learn::run::{Control, Driver, Stepper};
use pellucid_rules::default::{DefaultRun, RunState};
use pellucid_rules::evolve::Generation;
use pellucid_rules::g3pmi::G3pMi;
use pellucid_rules::genome::{Gene, Link, Population};
use pellucid_rules::params::Mode;
use pellucid_rules::pareto::Pareto;
use pellucid_rules::train::Training;
use serde_json::{Value, json};

const PREFIX: &str = "the checkpoint does not fit this run: ";

fn assert_rejected<S: Stepper>(run: &mut S, state: S::State, what: &str) {
    let error = run.restore(state).expect_err(what).to_string();
    assert!(error.starts_with(PREFIX), "{what}: {error}");
}

/// Returns the same rules with a changed first rule.
fn with_first(generation: &Generation, change: impl Fn(&mut Vec<Gene>)) -> Generation {
    let mut rules = Population::new();
    for (index, genes) in generation.rules.iter().enumerate() {
        let mut genes = genes.to_vec();
        if index == 0 {
            change(&mut genes);
        }
        rules.push(&genes);
    }
    Generation { rules, ..generation.clone() }
}

#[test]
fn damaged_generations() {
    let data = noisy(3, true);
    let params = small(Mode::G3pMi, 0).check().unwrap();
    let mut run =
        G3pMi::new(Training::new(&data, &Threads::callers()).unwrap(), params, &plain_machine())
            .unwrap();
    run.step().unwrap();
    let good = run.state().clone();
    let literal = |column, rank| {
        with_first(&good, |genes| genes[0].literal = Literal::new(column, rank, false))
    };
    let fitness = |change: fn(&mut Vec<f64>)| {
        let mut generation = good.clone();
        change(&mut generation.fitness);
        generation
    };
    let too_long = with_first(&good, |genes| {
        let inside = Gene { link: Link::And, ..genes[0] };
        genes.splice(..0, vec![inside; 60]);
    });
    let damaged = [
        ("a rank that is not there", literal(9, 1_000_000)),
        ("a column that is not there", literal(900, 0)),
        ("no end", with_first(&good, |genes| genes.last_mut().unwrap().link = Link::And)),
        (
            "two ends",
            with_first(&good, |genes| genes.insert(0, Gene { link: Link::End, ..genes[0] })),
        ),
        ("no genes", with_first(&good, Vec::clear)),
        ("too long", too_long),
        ("a fitness that is no number", fitness(|fitness| fitness[3] = f64::NAN)),
        ("a fitness missing", fitness(|fitness| fitness.truncate(3))),
    ];
    for (what, generation) in damaged {
        assert_rejected(&mut run, generation, what);
    }
    let mut fewer = Generation { number: 1, ..Generation::default() };
    for index in 0..good.rules.len() - 1 {
        fewer.rules.push(good.rules.get(index));
        fewer.fitness.push(good.fitness[index]);
    }
    assert_rejected(&mut run, fewer, "a rule missing");
    // A rejected state leaves the run unchanged, and a valid state is accepted.
    assert_eq!(run.state(), &good);
    run.restore(good).unwrap();
    run.step().unwrap();
}

/// Returns each change of a valid state, as in a forged file.
fn changes(state: &Value, changes: &[(&str, Value)]) -> Vec<(String, Value)> {
    let changed = |(pointer, value): &(&str, Value)| {
        let mut state = state.clone();
        *state.pointer_mut(pointer).expect(pointer) = value.clone();
        (format!("{pointer} as {value}"), state)
    };
    changes.iter().map(changed).collect()
}

#[test]
fn damaged_fronts() {
    let (data, machine) = (noisy(3, true), plain_machine());
    let params = small(Mode::Pareto, 0).check().unwrap();
    let mut run =
        Pareto::new(Training::new(&data, &Threads::callers()).unwrap(), params, &machine).unwrap();
    run.step().unwrap();
    let good = serde_json::to_value(run.state()).unwrap();
    let gene = |column: u32, rank: u32| json!([column, rank, false, "And"]);
    for (what, state) in changes(
        &good,
        &[
            ("/covered/0", json!([1_000_000, 0])),
            ("/covered/0", json!([0, 1_000_000])),
            ("/covered", json!([])),
            ("/rules/ends/0", json!(4_000_000)),
            ("/rules/ends", json!([])),
            ("/rules/genes/0", gene(900, 0)),
            ("/rules/genes/0", gene(9, u32::MAX)),
            ("/rules/genes/0", gene(9, 1_000_000)),
            ("/rules/genes", json!([])),
        ],
    ) {
        assert_rejected(&mut run, serde_json::from_value(state).unwrap(), &what);
    }
    assert_eq!(serde_json::to_value(run.state()).unwrap(), good);
    run.restore(serde_json::from_value(good).unwrap()).unwrap();
    run.step().unwrap();
}

#[test]
fn damaged_findings() {
    let (data, machine) = (noisy(3, true), plain_machine());
    let params = small(Mode::Default, 0).check().unwrap();
    let training = Training::new(&data, &Threads::callers()).unwrap();
    let driver = Driver::new(&Control::new());
    let mut run = DefaultRun::new(&data, training, params, &machine, &driver).unwrap();
    for _ in 0..4 {
        run.step().unwrap();
    }
    let good = serde_json::to_value(run.state()).unwrap();
    let damaged = changes(
        &good,
        &[
            ("/paths", json!([])),
            ("/paths/0/told", json!(99)),
            ("/paths/0/stops", json!([])),
            ("/paths/0/stops/1/votes", json!([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])),
            ("/paths/0/stops/1/base", json!([])),
            ("/paths/0/rules/0/class", json!(2)),
            ("/paths/0/rules", json!([])),
            ("/growths", json!([])),
            ("/growths/0", json!([])),
            ("/growths/0/1/rules", json!([])),
            ("/growths/0/1/rules/0/side", json!(7)),
            ("/growths/0/1/rules/0/tests/0/feature", json!(1_000_000)),
            ("/growths/0/1/fitted", json!([])),
            ("/growths/0/1/fitted/0/1", json!([])),
            ("/judged/codes/0", json!(2)),
            ("/judged/weights", json!([])),
            ("/judged/models/0/1", json!([1.0])),
            ("/judged/models/0/0/stop", json!(99)),
            ("/list/rules/0/class", json!(2)),
            ("/list/base", json!([])),
            ("/list/base", json!([0.0, 0.5, 0.0])),
            ("/list/folds", json!(99)),
        ],
    );
    let unreadable = changes(
        &good,
        &[
            ("/list/rules/0/when", json!("some row (")),
            ("/paths/0/rules/0/when", json!("telling ><")),
        ],
    );
    for (what, state) in unreadable {
        assert!(serde_json::from_value::<RunState>(state).is_err(), "{what}");
    }
    for (what, state) in damaged {
        assert_rejected(&mut run, serde_json::from_value(state).unwrap(), &what);
    }
    assert_eq!(serde_json::to_value(run.state()).unwrap(), good);
    run.restore(serde_json::from_value(good).unwrap()).unwrap();
    run.step().unwrap();
}
