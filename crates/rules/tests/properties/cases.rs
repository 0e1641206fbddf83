//! Generated tables and data sets, small parameters, and machines to learn on.

use pellucid_bits::Level;
use pellucid_cover::{Literal, Table};
use pellucid_data::{Bags, ClassTarget, Column, Dataset};
use pellucid_data::{MISSING, Values};
use pellucid_device::{Device, Threads};
use pellucid_learn::learner::{FitResultOf, learn};
use pellucid_learn::params::Check;
use pellucid_learn::rng::{Stream, Streams};
use pellucid_learn::run::{Control, Driver, RunError, Silent};
use pellucid_program::Domain;
use pellucid_rules::Rules;
use pellucid_rules::params::{Mode, Params};
use pellucid_rules::train::{Machine, RulesError};
use std::num::NonZeroUsize;
use std::sync::Arc;

pub(crate) fn stream(seed: u64) -> Stream {
    Streams::new(seed).at("cases").stream(&[])
}

pub(crate) fn threads(count: usize) -> Arc<Threads> {
    Arc::new(Threads::new(NonZeroUsize::new(count)).expect("threads"))
}

pub(crate) fn machine(count: usize, level: Level) -> Machine {
    let cpu = Device::with_level(threads(count), level).expect("an available level");
    Machine::new(vec![cpu], threads(count))
}

/// One thread at the best available level.
pub(crate) fn plain_machine() -> Machine {
    machine(1, Level::best())
}

/// Parameters for a fast run.
pub(crate) fn small(mode: Mode, seed: u64) -> Params {
    let mut params = Params { mode, seed, ..Params::default() };
    params.breeding.population = 40;
    params.breeding.generations = 6;
    params.voting.most_rules = 8;
    params
}

pub(crate) fn learned(
    data: &Dataset,
    params: Params,
    machine: &Machine,
) -> Result<FitResultOf<Rules>, RunError<RulesError>> {
    data.check().expect("data that fits together");
    let params = params.check().expect("allowed parameters");
    learn::<Rules>(data, params, machine, &Driver::new(&Control::new()), &mut Silent)
}

/// Returns the error of a training run.
pub(crate) fn refusal(data: &Dataset, params: Params) -> String {
    learned(data, params, &plain_machine()).expect_err("a refusal").to_string()
}

const CATEGORIES: [&str; 6] = ["red", "two words", "it's", "1", "true", "never seen"];

/// Values of one kind: few or many numbers, infinities, a constant, missing values, categories
/// (some unused), booleans.
pub(crate) fn values(stream: &mut Stream, kind: usize, rows: usize) -> Values {
    let share = [0.0, 0.0, 0.2, 0.9][stream.index(4)];
    let number = |stream: &mut Stream| match kind {
        0 => stream.between(-2, 2) as f64,
        1 => stream.range(-3.0, 1000.0),
        2 => [f64::NEG_INFINITY, -1.5, 0.0, 1e300, f64::INFINITY][stream.index(5)],
        3 => 7.25,
        _ => f64::NAN,
    };
    match kind {
        5 => {
            // The last category never occurs, and with three of them just two do.
            let known = 2 + stream.index(CATEGORIES.len() - 2);
            let codes = (0..rows)
                .map(|_| if stream.chance(share) { MISSING } else { stream.index(known) as u32 });
            let codes = codes.collect();
            let categories = CATEGORIES[..known].iter().chain(&CATEGORIES[5..]);
            Values::Nominal { codes, categories: categories.map(|&text| text.into()).collect() }
        }
        6 => {
            let codes = (0..rows)
                .map(|_| if stream.chance(share) { MISSING } else { stream.index(2) as u32 });
            let codes = codes.collect();
            Values::Nominal { codes, categories: vec!["no".into(), "yes".into()] }
        }
        7 => Values::Boolean(
            (0..rows).map(|_| (!stream.chance(share)).then(|| stream.chance(0.4))).collect(),
        ),
        8 => Values::Boolean(vec![Some(true); rows]),
        _ => Values::Numeric(
            (0..rows)
                .map(|_| if stream.chance(share) { f64::NAN } else { number(stream) })
                .collect(),
        ),
    }
}

/// The number of kinds of values.
pub(crate) const KINDS: usize = 9;

/// One column of each kind in random order.
pub(crate) fn columns(stream: &mut Stream, rows: usize) -> Vec<(String, Values)> {
    let mut kinds: Vec<usize> = (0..KINDS).collect();
    stream.shuffle(&mut kinds);
    kinds.into_iter().map(|kind| (format!("kind {kind}"), values(stream, kind, rows))).collect()
}

/// Bags of one to five rows, numbered by first appearance.
pub(crate) fn bag_of_row(stream: &mut Stream, rows: usize) -> Vec<u32> {
    let mut of_row: Vec<u32> = Vec::new();
    for bag in 0.. {
        if of_row.len() >= rows {
            break;
        }
        let size = (1 + stream.index(5)).min(rows - of_row.len());
        of_row.extend(std::iter::repeat_n(bag, size));
    }
    of_row
}

/// Returns whether a literal is true for a row, judging by the table's ranks.
pub(crate) fn literal_holds(literal: Literal, table: &Table, row: usize) -> bool {
    let column = literal.column() as usize;
    let rank = table.rank(row, column);
    match table.columns()[column].domain() {
        Domain::Boolean => (rank == Some(1)) != literal.is_opposite(),
        Domain::Numeric(_) => {
            rank.is_some_and(|rank| (rank > literal.rank()) != literal.is_opposite())
        }
        Domain::Nominal(_) => {
            rank.is_some_and(|rank| (rank == literal.rank()) != literal.is_opposite())
        }
    }
}

/// Creates a data set from columns; the target is by row or by bag.
pub(crate) fn dataset(
    columns: Vec<(String, Values)>,
    of_row: Option<Vec<u32>>,
    classes: &[&str],
    codes: Vec<u32>,
) -> Dataset {
    let rows = columns[0].1.len();
    let bags = of_row.map(|of_row| Bags {
        name: "bag".into(),
        names: (0..codes.len()).map(|bag| format!("bag {bag}")).collect(),
        of_row,
    });
    let classes = classes.iter().map(|&class| class.to_owned()).collect();
    Dataset {
        name: "made up".into(),
        columns: columns.into_iter().map(|(name, values)| Column { name, values }).collect(),
        rows,
        target: Some(ClassTarget { name: "class".into(), classes, codes }),
        bags,
        notes: Vec::new(),
        ..Dataset::default()
    }
}

/// Two classes, a column that mostly separates them, and a column of every kind.
pub(crate) fn noisy(seed: u64, has_bags: bool) -> Dataset {
    let mut stream = stream(seed);
    let rows = if has_bags { 140 } else { 60 };
    let mut columns = columns(&mut stream, rows);
    let telling: Vec<f64> = (0..rows).map(|_| stream.index(100) as f64 / 100.0).collect();
    let of_row = has_bags.then(|| bag_of_row(&mut stream, rows));
    let example = |row: usize| of_row.as_ref().map_or(row, |of_row| of_row[row] as usize);
    let mut codes = vec![0; example(rows - 1) + 1];
    for row in 0..rows {
        let holds = telling[row] > if has_bags { 0.75 } else { 0.5 };
        codes[example(row)] |= u32::from(holds && !stream.chance(0.1));
    }
    columns.push(("telling".into(), Values::Numeric(telling.into())));
    dataset(columns, of_row, &["no", "yes"], codes)
}
