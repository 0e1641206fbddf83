//! Permutation importance and feature effects (partial dependence).
//!
//! Both come from evaluating the model. Importance is the loss of quality when the values of a column
//! are permuted: of area under the ROC curve, of accuracy with more than two classes, of R² for a
//! number. The effect of a value is the mean score when all rows have that value.

use crate::decide::likeliest;
use crate::error::NetworkError;
use crate::model::{EffectPoint, EffectValue, FeatureEffect, NetworkEnsemble};
use crate::prepare::{Encoding, Labels};
use crate::score::log_odds;
use pellucid_bits::as_u32;
use pellucid_data::{Column, Dataset, Values};
use pellucid_device::Machine;
use pellucid_learn::metrics::{Ranking, number_scores};
use pellucid_learn::rng::Streams;

/// The number of rows for permutation importance. With many columns and inputs the number is
/// reduced, down to a quarter, so that this does not take longer than training.
const IMPORTANCE_ROWS: usize = 4096;
/// The number of rows for each point of a feature effect, reduced in the same way.
const EFFECT_ROWS: usize = 256;
/// The limit on rows × columns × inputs for permutation importance.
const MAX_CELLS: usize = 1 << 23;
/// The maximum number of points of a feature effect.
const MAX_POINTS: usize = 9;
/// The number of columns for which feature effects are computed, most important first.
const MAX_EFFECT_COLUMNS: usize = 64;

/// Returns the number of rows to use for permutation importance.
fn row_limit(model: &NetworkEnsemble, columns: usize) -> usize {
    let each = columns * model.preparation.inputs.len();
    (MAX_CELLS / each.max(1)).clamp(IMPORTANCE_ROWS / 4, IMPORTANCE_ROWS)
}

fn streams(seed: u64) -> Streams {
    Streams::new(seed).at("effects")
}

/// Samples rows for importance and effects. Classes keep their shares, except that a rare class
/// provides up to a quarter of the rows.
pub(crate) fn sample_rows(
    model: &NetworkEnsemble,
    columns: usize,
    positive: &[bool],
    seed: u64,
) -> Vec<u32> {
    let (row_limit, streams) = (row_limit(model, columns), streams(seed));
    let rows_of = |wanted: bool| -> Vec<u32> {
        let mut rows: Vec<u32> = (0_u32..)
            .zip(positive)
            .filter(|(_, positive)| **positive == wanted)
            .map(|(row, _)| row)
            .collect();
        streams.stream(&["chosen".into(), i32::from(wanted).into()]).shuffle(&mut rows);
        rows
    };
    let (mut positives, mut others) = (rows_of(true), rows_of(false));
    let all = (positives.len() + others.len()).min(row_limit);
    let share = positives.len() * all / (positives.len() + others.len()).max(1);
    positives.truncate(share.max(row_limit / 4));
    others.truncate(all.saturating_sub(positives.len()).max(row_limit / 4));
    let mut rows = [positives, others].concat();
    rows.sort_unstable();
    rows
}

/// Samples rows for importance and effects if there are no two classes.
pub(crate) fn sample_any_rows(
    model: &NetworkEnsemble,
    columns: usize,
    rows: usize,
    seed: u64,
) -> Vec<u32> {
    let mut sample: Vec<u32> = (0..as_u32(rows)).collect();
    streams(seed).stream(&["chosen".into()]).shuffle(&mut sample);
    sample.truncate(row_limit(model, columns));
    sample.sort_unstable();
    sample
}

/// Returns the quality of scores, of which importance is a loss. Higher is better.
fn quality(scores: &[Vec<f64>], labels: Labels<'_>) -> f64 {
    match labels {
        Labels::Positive(positive) => {
            Ranking::new(&scores[0], positive).map_or(0.5, |ranking| ranking.auc())
        }
        Labels::Classes(codes, classes) => {
            let curve = (1.0, vec![0.0; classes]);
            let is_right = |&row: &usize| {
                let own: Vec<f64> = scores.iter().map(|scores| scores[row]).collect();
                likeliest(&own, &curve) == codes[row]
            };
            (0..codes.len()).filter(is_right).count() as f64 / codes.len().max(1) as f64
        }
        Labels::Numbers(numbers) => number_scores(numbers, &scores[0]).get("r2").unwrap_or(0.0),
    }
}

/// Returns the importance and effect of every column that the model uses, most important first.
/// `data` contains the [sampled](sample_rows) rows, and `labels` are theirs.
pub(crate) fn effects(
    model: &NetworkEnsemble,
    data: &Dataset,
    labels: Labels<'_>,
    machine: &Machine,
    seed: u64,
) -> Result<Vec<FeatureEffect>, NetworkError> {
    let (row_limit, streams) = (row_limit(model, data.columns.len()), streams(seed));
    let prepared = model.preparation.apply(data)?;
    let quality_of = |columns: &[Vec<f32>]| -> Result<f64, NetworkError> {
        Ok(quality(&model.scores(columns, machine)?, labels))
    };
    let whole = quality_of(&prepared)?;
    let mut effects = Vec::new();
    for (place, column) in data.columns.iter().enumerate() {
        let inputs = inputs_of(model, &column.name);
        if inputs.is_empty() {
            continue;
        }
        let mut order: Vec<usize> = (0..data.rows).collect();
        // The name selects the random stream; another name would give another permutation.
        streams.stream(&["dealt".into(), place.into()]).shuffle(&mut order);
        let mut permuted = prepared.clone();
        for &input in &inputs {
            permuted[input] = order.iter().map(|&row| prepared[input][row]).collect();
        }
        let importance = whole - quality_of(&permuted)?;
        effects.push(FeatureEffect { column: column.name.clone(), importance, points: Vec::new() });
    }
    effects.sort_by(|a, b| b.importance.total_cmp(&a.importance).then(a.column.cmp(&b.column)));
    for effect in effects.iter_mut().take(MAX_EFFECT_COLUMNS) {
        if let Some(column) = data.columns.iter().find(|column| column.name == effect.column) {
            effect.points = points(
                model,
                column,
                &prepared,
                EFFECT_ROWS * row_limit / IMPORTANCE_ROWS,
                machine,
            )?;
        }
    }
    Ok(effects)
}

/// Returns the inputs that are computed from a column.
pub(crate) fn inputs_of(model: &NetworkEnsemble, column: &str) -> Vec<usize> {
    let inputs = model.preparation.inputs.iter().enumerate();
    inputs.filter(|(_, input)| input.column == column).map(|(place, _)| place).collect()
}

/// Returns the change of the mean score by value.
fn points(
    model: &NetworkEnsemble,
    column: &Column,
    prepared: &[Vec<f32>],
    count: usize,
    machine: &Machine,
) -> Result<Vec<EffectPoint>, NetworkError> {
    let all = prepared.first().map_or(0, Vec::len);
    let count = all.min(count);
    let (values, data) = effect_values(model, column);
    if values.is_empty() || count == 0 {
        return Ok(Vec::new());
    }
    let encoded = model.preparation.apply_to(&data, &column.name)?;
    // One block of rows for each value, then one block with the unchanged rows.
    let stacked = |input: usize| -> Vec<f32> {
        // Spread over all rows, because a file may be sorted.
        let own: Vec<f32> = (0..count).map(|place| prepared[input][place * all / count]).collect();
        let of = encoded.iter().find(|(place, _)| *place == input);
        let value = |place: usize| match of {
            Some((_, numbers)) => vec![numbers[place]; count],
            None => own.clone(),
        };
        (0..values.len()).flat_map(value).chain(own.iter().copied()).collect()
    };
    let columns: Vec<Vec<f32>> = (0..prepared.len()).map(stacked).collect();
    let scores = model.scores(&columns, machine)?;
    // What effects are about: the score, or the log odds of each class.
    let outputs: Vec<Vec<f64>> = match scores.len() {
        1 => scores,
        classes => (0..classes)
            .map(|class| {
                let of_row = |row: usize| log_odds(scores.iter().map(|own| own[row]), class);
                (0..scores[0].len()).map(of_row).collect()
            })
            .collect(),
    };
    let mean = |scores: &Vec<f64>, place: usize| -> f64 {
        scores[place * count..(place + 1) * count].iter().sum::<f64>() / count as f64
    };
    let point = |(place, value): (usize, EffectValue)| {
        let change = |scores: &Vec<f64>| mean(scores, place) - mean(scores, values.len());
        let changes: Vec<f64> = outputs.iter().map(change).collect();
        let larger = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
        let score = changes.iter().copied().fold(0.0, larger);
        let by_class = if changes.len() > 1 { changes } else { Vec::new() };
        EffectPoint { value, score, by_class }
    };
    Ok(values.iter().cloned().enumerate().map(point).collect())
}

/// Returns the values of a column to evaluate, and a table with one row for each of them.
fn effect_values(model: &NetworkEnsemble, column: &Column) -> (Vec<EffectValue>, Dataset) {
    let (values, cells) = match &column.values {
        Values::Numeric(numbers) => {
            let mut sorted: Vec<f64> = numbers.iter().copied().filter(|n| n.is_finite()).collect();
            sorted.sort_unstable_by(f64::total_cmp);
            if sorted.is_empty() {
                return (Vec::new(), Dataset::default());
            }
            let mut distinct = sorted.clone();
            distinct.dedup();
            let mut points: Vec<f64> = if distinct.len() <= MAX_POINTS {
                distinct
            } else {
                let at = |step: usize| sorted[(sorted.len() - 1) * step / (MAX_POINTS - 1)];
                (0..MAX_POINTS).map(at).collect()
            };
            points.dedup();
            (
                points.iter().map(|&number| EffectValue::Number(number)).collect(),
                Values::Numeric(points.into()),
            )
        }
        Values::Boolean(_) => {
            let cells = vec![Some(false), Some(true)];
            (vec![EffectValue::Truth(false), EffectValue::Truth(true)], Values::Boolean(cells))
        }
        Values::Nominal { codes, categories } => {
            let mut counts = vec![0_usize; categories.len()];
            for &code in codes {
                if let Some(count) = counts.get_mut(code as usize) {
                    *count += 1;
                }
            }
            let known = |code: &usize| {
                counts[*code] > 0 && has_own_log_odds(model, &column.name, &categories[*code])
            };
            let mut order: Vec<usize> = (0..categories.len()).filter(known).collect();
            order.sort_by(|&a, &b| counts[b].cmp(&counts[a]).then(a.cmp(&b)));
            order.truncate(MAX_POINTS);
            let words: Vec<String> = order.iter().map(|&code| categories[code].clone()).collect();
            let codes = (0..as_u32(words.len())).collect();
            let values = words.iter().map(|word| EffectValue::Word(word.clone())).collect();
            (values, Values::Nominal { codes, categories: words })
        }
    };
    let rows = values.len();
    let column = Column { name: column.name.clone(), values: cells };
    (values, Dataset { columns: vec![column], rows, ..Dataset::default() })
}

/// Whether the model has log odds for a category.
fn has_own_log_odds(model: &NetworkEnsemble, column: &str, word: &str) -> bool {
    model.preparation.inputs.iter().any(|input| {
        input.column == column
            && match &input.encoding {
                Encoding::LogOdds { values, .. } | Encoding::Means { values, .. } => {
                    values.contains_key(word)
                }
                _ => false,
            }
    })
}
