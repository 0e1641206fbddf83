//! The effect of each column on the prediction (partial dependence), for a report.

use crate::io::Dataset;
use crate::registry::{AnyModel, Data};
use pellucid_data::{Bags, Column, MISSING, Values};
use pellucid_device::Machine;
use serde_json::{Value, json};

/// The most examples whose predictions are averaged, and the most rows of bags.
const MOST_EXAMPLES: usize = 300;
const MOST_ROWS_OF_BAGS: usize = 3000;
/// The most values of a column.
const MOST_VALUES: usize = 16;
/// The most columns that are computed.
const MOST_COLUMNS: usize = 60;
/// The most columns that are shown, those with the largest effect.
const MOST_SHOWN: usize = 12;
/// With more classes than this, a plot of the effects on all of them cannot be read,
const MANY_CLASSES: usize = 6;
/// and only those on the most affected ones are kept.
const MOST_AFFECTED: usize = 3;

/// Returns the effects of the columns of a model: the mean prediction if all rows of a sample had a value,
/// for about 16 values of each column. With many classes, only the most affected ones of each column are
/// kept. `None` if the model cannot be applied.
pub(super) fn effects(
    model: &dyn AnyModel,
    data: &Dataset,
    used: &[String],
    machine: &Machine,
) -> Option<Value> {
    if data.rows == 0 {
        return None;
    }
    let sample = sample(data);
    let mut columns: Vec<(f64, Value)> = Vec::new();
    let is_used = |column: &&Column| used.contains(&column.name);
    for column in sample.columns.iter().filter(is_used).take(MOST_COLUMNS) {
        let values = values_of(column);
        if values.len() < 2 {
            continue;
        }
        let replaced = with_values(&sample, &column.name, &values);
        let means = mean_predictions(model, replaced, sample.examples(), machine)?;
        let outputs = affected(&means);
        let size = outputs.iter().map(|&output| range(&means, output)).fold(0.0, f64::max);
        let kept = |mean: &Vec<f64>| outputs.iter().map(|&at| mean[at]).collect::<Vec<f64>>();
        let points: Vec<Value> = values
            .iter()
            .zip(&means)
            .map(|(value, mean)| json!([value.shown(column), kept(mean)]))
            .collect();
        if size > 0.0 {
            let name = &column.name;
            let one = json!({ "column": name, "size": size, "points": points, "classes": outputs });
            columns.push((size, one));
        }
    }
    columns.sort_by(|one, other| other.0.total_cmp(&one.0));
    let shown: Vec<Value> = columns.into_iter().take(MOST_SHOWN).map(|(_, one)| one).collect();
    let kind = match (model.schema().number, model.calibration()) {
        (Some(_), _) => "number",
        (None, Some(_)) => "probability",
        (None, None) => "score",
    };
    (!shown.is_empty()).then(|| json!({ "rows": sample.examples(), "of": kind, "columns": shown }))
}

/// Returns evenly spaced examples without their targets.
fn sample(data: &Dataset) -> Dataset {
    let step = data.examples().div_ceil(MOST_EXAMPLES);
    let step = match data.bags {
        Some(_) => step.max(data.rows.div_ceil(MOST_ROWS_OF_BAGS)),
        None => step,
    };
    let places: Vec<u32> = (0..).take(data.examples()).step_by(step.max(1)).collect();
    let Dataset { name, columns, rows, bags, .. } = data.select(&places);
    Dataset { name, columns, rows, bags, ..Dataset::default() }
}

/// A value that all rows get.
#[derive(Clone, Copy)]
enum Setting {
    Number(f64),
    Code(u32),
    Truth(bool),
}

impl Setting {
    fn shown(self, column: &Column) -> Value {
        match (self, &column.values) {
            (Setting::Number(number), _) => json!(number),
            (Setting::Truth(truth), _) => json!(if truth { "yes" } else { "no" }),
            (Setting::Code(code), Values::Nominal { categories, .. }) => {
                json!(categories.get(code as usize))
            }
            (Setting::Code(_), _) => Value::Null,
        }
    }
}

/// Returns values of a column: quantiles of numbers, the most common categories, or both truths.
fn values_of(column: &Column) -> Vec<Setting> {
    match &column.values {
        Values::Numeric(numbers) => {
            let mut sorted: Vec<f64> =
                numbers.iter().copied().filter(|number| number.is_finite()).collect();
            sorted.sort_unstable_by(f64::total_cmp);
            let mut distinct = sorted.clone();
            distinct.dedup();
            if distinct.len() > MOST_VALUES {
                let last = sorted.len() - 1;
                distinct =
                    (0..MOST_VALUES).map(|at| sorted[at * last / (MOST_VALUES - 1)]).collect();
                distinct.dedup();
            }
            distinct.into_iter().map(Setting::Number).collect()
        }
        Values::Nominal { codes, categories } => {
            let mut counts = vec![0_u32; categories.len()];
            codes
                .iter()
                .filter(|&&code| code != MISSING)
                .for_each(|&code| counts[code as usize] += 1);
            let mut order: Vec<u32> = (0..).take(counts.len()).collect();
            order.retain(|&code| counts[code as usize] > 0);
            order.sort_by_key(|&code| (std::cmp::Reverse(counts[code as usize]), code));
            order.into_iter().take(MOST_VALUES).map(Setting::Code).collect()
        }
        Values::Boolean(_) => vec![Setting::Truth(false), Setting::Truth(true)],
    }
}

/// Returns the rows once for each value, with the column set to that value.
fn with_values(sample: &Dataset, name: &str, values: &[Setting]) -> Dataset {
    let (rows, times) = (sample.rows, values.len());
    let columns = sample.columns.iter().map(|column| {
        let repeated = match (&column.values, column.name == name) {
            (Values::Numeric(_), true) => {
                Values::Numeric(spread(values, rows, |value| match value {
                    Setting::Number(number) => number,
                    _ => f64::NAN,
                }))
            }
            (Values::Numeric(numbers), false) => Values::Numeric(numbers.repeat(times).into()),
            (Values::Nominal { categories, .. }, true) => Values::Nominal {
                codes: spread(values, rows, |value| match value {
                    Setting::Code(code) => code,
                    _ => MISSING,
                }),
                categories: categories.clone(),
            },
            (Values::Nominal { codes, categories }, false) => {
                Values::Nominal { codes: codes.repeat(times), categories: categories.clone() }
            }
            (Values::Boolean(_), true) => {
                Values::Boolean(spread(values, rows, |value| match value {
                    Setting::Truth(truth) => Some(truth),
                    _ => None,
                }))
            }
            (Values::Boolean(truths), false) => Values::Boolean(truths.repeat(times)),
        };
        Column { name: column.name.clone(), values: repeated }
    });
    Dataset {
        name: sample.name.clone(),
        columns: columns.collect(),
        rows: rows * times,
        bags: sample.bags.as_ref().map(|bags| repeated(bags, times)),
        ..Dataset::default()
    }
}

/// Returns bags several times, each time with other names.
fn repeated(bags: &Bags, times: usize) -> Bags {
    let count = u32::try_from(bags.names.len()).unwrap_or(u32::MAX);
    let named = |time: usize| bags.names.iter().map(move |name| format!("{time}: {name}"));
    let moved = |time: u32| bags.of_row.iter().map(move |bag| time.saturating_mul(count) + bag);
    Bags {
        name: bags.name.clone(),
        names: (0..times).flat_map(named).collect(),
        of_row: (0_u32..).take(times).flat_map(moved).collect(),
    }
}

/// Returns each value as often as there are rows.
fn spread<T: Clone, L: FromIterator<T> + From<Vec<T>>>(
    values: &[Setting],
    rows: usize,
    of: impl Fn(Setting) -> T,
) -> L {
    values.iter().flat_map(|&value| vec![of(value); rows]).collect::<Vec<T>>().into()
}

/// Returns the mean prediction of each group of examples: the probability or score of each class, or the
/// number. For two classes there is one number, that of the positive class.
fn mean_predictions(
    model: &dyn AnyModel,
    data: Dataset,
    examples: usize,
    machine: &Machine,
) -> Option<Vec<Vec<f64>>> {
    let groups = data.examples() / examples;
    let predictions = model.predictions(&Data::Table(data), machine).ok()?;
    let of = |example: usize| -> Option<Vec<f64>> {
        if let Some(numbers) = predictions.applied().predicted().numbers() {
            return Some(vec![numbers[example]]);
        }
        let scores = || predictions.applied().scores()?.of(example);
        match (predictions.probabilities(example), scores()) {
            (Some([_, positive]), _) => Some(vec![*positive]),
            (Some(shares), _) => Some(shares.to_vec()),
            (None, Some([negative, positive])) => Some(vec![positive - negative]),
            (None, Some(scores)) => Some(scores.to_vec()),
            (None, None) => None,
        }
    };
    (0..groups)
        .map(|group| {
            let mut sums: Vec<f64> = Vec::new();
            for example in group * examples..(group + 1) * examples {
                let own = of(example)?;
                sums.resize(own.len(), 0.0);
                sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
            #[expect(clippy::cast_precision_loss, reason = "at most 300 examples")]
            Some(sums.into_iter().map(|sum| sum / examples as f64).collect())
        })
        .collect()
}

/// Returns the outputs in their order; of many, those that change most, the most affected one first.
fn affected(means: &[Vec<f64>]) -> Vec<usize> {
    let outputs = means.first().map_or(0, Vec::len);
    let mut order: Vec<usize> = (0..outputs).collect();
    if outputs > MANY_CLASSES {
        order.sort_by(|&one, &other| range(means, other).total_cmp(&range(means, one)));
        order.truncate(MOST_AFFECTED);
    }
    order
}

/// Returns the largest distance between two means of an output.
fn range(means: &[Vec<f64>], output: usize) -> f64 {
    let ends = means.iter().map(|mean| mean[output]);
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mean| {
        (low.min(mean), high.max(mean))
    });
    high - low
}
