//! How the score moves with each column, and how much rests on it.
//!
//! Both are found by asking the model: a column's values are dealt to other rows, and the ranking suffers; all rows are given one
//! value of the column, and the mean score moves.

use crate::error::NetworkError;
use crate::model::{Effect, Networks, Point, Value};
use pellucid_data::{Column, Dataset, Values};
use pellucid_device::Machine;
use pellucid_learn::metrics::Ranking;
use pellucid_learn::rng::Streams;

/// Rows by which importance is found; fewer, down to a quarter, where there are so many columns and inputs that asking would take longer
/// than learning.
const RANKED: usize = 4096;
/// Rows that are given each value; fewer in the same way.
const GIVEN: usize = 256;
/// Numbers that are asked about for importance, as far as a quarter of the rows allows.
const ASKED: usize = 1 << 23;
/// Values of a column that are told.
const TOLD: usize = 9;
/// With more columns than this, only so many, those on which most rests, have their effects told.
const MOST_COLUMNS: usize = 64;

/// How many rows importance is found by, with so many columns.
fn ranked(model: &Networks, columns: usize) -> usize {
    let each = columns * model.preparation.inputs.len();
    (ASKED / each.max(1)).clamp(RANKED / 4, RANKED)
}

fn streams(seed: u64) -> Streams {
    Streams::new(seed).at("effects")
}

/// The rows that are asked about, of so many columns: a few, with as many of each class as there are, and a quarter of them of a class that is rare, if it has
/// so many.
pub(crate) fn chosen(model: &Networks, columns: usize, positive: &[bool], seed: u64) -> Vec<u32> {
    let (ranked, streams) = (ranked(model, columns), streams(seed));
    let of = |wanted: bool| -> Vec<u32> {
        let mut rows: Vec<u32> = (0_u32..)
            .zip(positive)
            .filter(|(_, positive)| **positive == wanted)
            .map(|(row, _)| row)
            .collect();
        streams.stream(&["chosen".into(), i32::from(wanted).into()]).shuffle(&mut rows);
        rows
    };
    let (mut positives, mut others) = (of(true), of(false));
    let all = (positives.len() + others.len()).min(ranked);
    let share = positives.len() * all / (positives.len() + others.len()).max(1);
    positives.truncate(share.max(ranked / 4));
    others.truncate(all.saturating_sub(positives.len()).max(ranked / 4));
    let mut rows = [positives, others].concat();
    rows.sort_unstable();
    rows
}

/// The effects of all columns that the model uses, the most important first, by the rows that were [chosen] and whether each is positive.
pub(crate) fn effects(
    model: &Networks,
    data: &Dataset,
    labels: &[bool],
    machine: &Machine,
    seed: u64,
) -> Result<Vec<Effect>, NetworkError> {
    let (ranked, streams) = (ranked(model, data.columns.len()), streams(seed));
    let prepared = model.preparation.apply(data)?;
    let area = |columns: &[Vec<f32>]| -> Result<f64, NetworkError> {
        let scores = model.scores(columns, machine)?;
        Ok(Ranking::new(&scores, labels).map_or(0.5, |ranking| ranking.auc()))
    };
    let whole = area(&prepared)?;
    let mut effects = Vec::new();
    for (place, column) in data.columns.iter().enumerate() {
        let inputs = inputs_of(model, &column.name);
        if inputs.is_empty() {
            continue;
        }
        let mut order: Vec<usize> = (0..labels.len()).collect();
        streams.stream(&["dealt".into(), place.into()]).shuffle(&mut order);
        let mut dealt = prepared.clone();
        for &input in &inputs {
            dealt[input] = order.iter().map(|&row| prepared[input][row]).collect();
        }
        let importance = whole - area(&dealt)?;
        effects.push(Effect { column: column.name.clone(), importance, points: Vec::new() });
    }
    effects.sort_by(|a, b| b.importance.total_cmp(&a.importance).then(a.column.cmp(&b.column)));
    for effect in effects.iter_mut().take(MOST_COLUMNS) {
        if let Some(column) = data.columns.iter().find(|column| column.name == effect.column) {
            effect.points = points(model, column, &prepared, GIVEN * ranked / RANKED, machine)?;
        }
    }
    Ok(effects)
}

/// The inputs that come from a column.
pub(crate) fn inputs_of(model: &Networks, column: &str) -> Vec<usize> {
    let inputs = model.preparation.inputs.iter().enumerate();
    inputs.filter(|(_, input)| input.column == column).map(|(place, _)| place).collect()
}

/// The mean score by value.
fn points(
    model: &Networks,
    column: &Column,
    prepared: &[Vec<f32>],
    given: usize,
    machine: &Machine,
) -> Result<Vec<Point>, NetworkError> {
    let all = prepared.first().map_or(0, Vec::len);
    let given = all.min(given);
    let (values, data) = asked(model, column);
    if values.is_empty() || given == 0 {
        return Ok(Vec::new());
    }
    let told = model.preparation.apply_to(&data, &column.name)?;
    // All values under one another, and the rows as they are at the end.
    let stacked = |input: usize| -> Vec<f32> {
        // From everywhere: a file may be sorted.
        let own: Vec<f32> = (0..given).map(|place| prepared[input][place * all / given]).collect();
        let of = told.iter().find(|(place, _)| *place == input);
        let value = |place: usize| match of {
            Some((_, numbers)) => vec![numbers[place]; given],
            None => own.clone(),
        };
        (0..values.len()).flat_map(value).chain(own.iter().copied()).collect()
    };
    let columns: Vec<Vec<f32>> = (0..prepared.len()).map(stacked).collect();
    let scores = model.scores(&columns, machine)?;
    let mean = |place: usize| {
        scores[place * given..(place + 1) * given].iter().sum::<f64>() / given as f64
    };
    let usual = mean(values.len());
    let point = |(place, value): (usize, Value)| Point { value, score: mean(place) - usual };
    Ok(values.into_iter().enumerate().map(point).collect())
}

/// The values of a column that are asked about, and data that holds them, a row each.
fn asked(model: &Networks, column: &Column) -> (Vec<Value>, Dataset) {
    let (values, told) = match &column.values {
        Values::Numeric(numbers) => {
            let mut sorted: Vec<f64> = numbers.iter().copied().filter(|n| n.is_finite()).collect();
            sorted.sort_unstable_by(f64::total_cmp);
            if sorted.is_empty() {
                return (Vec::new(), Dataset::default());
            }
            let mut distinct = sorted.clone();
            distinct.dedup();
            let mut told: Vec<f64> = if distinct.len() <= TOLD {
                distinct
            } else {
                let at = |step: usize| sorted[(sorted.len() - 1) * step / (TOLD - 1)];
                (0..TOLD).map(at).collect()
            };
            told.dedup();
            (
                told.iter().map(|&number| Value::Number(number)).collect(),
                Values::Numeric(told.into()),
            )
        }
        Values::Boolean(_) => {
            let told = vec![Some(false), Some(true)];
            (vec![Value::Truth(false), Value::Truth(true)], Values::Boolean(told))
        }
        Values::Nominal { codes, categories } => {
            let mut counts = vec![0_usize; categories.len()];
            for &code in codes {
                if let Some(count) = counts.get_mut(code as usize) {
                    *count += 1;
                }
            }
            let known =
                |code: &usize| counts[*code] > 0 && speaks(model, &column.name, &categories[*code]);
            let mut order: Vec<usize> = (0..categories.len()).filter(known).collect();
            order.sort_by(|&a, &b| counts[b].cmp(&counts[a]).then(a.cmp(&b)));
            order.truncate(TOLD);
            let words: Vec<String> = order.iter().map(|&code| categories[code].clone()).collect();
            let codes = (0..pellucid_bits::as_u32(words.len())).collect();
            let values = words.iter().map(|word| Value::Word(word.clone())).collect();
            (values, Values::Nominal { codes, categories: words })
        }
    };
    let rows = values.len();
    let column = Column { name: column.name.clone(), values: told };
    (values, Dataset { columns: vec![column], rows, ..Dataset::default() })
}

/// Whether a word has log odds of its own.
fn speaks(model: &Networks, column: &str, word: &str) -> bool {
    model.preparation.inputs.iter().any(|input| {
        input.column == column
            && match &input.encoding {
                crate::prepare::Encoding::LogOdds { values, .. } => values.contains_key(word),
                _ => false,
            }
    })
}
