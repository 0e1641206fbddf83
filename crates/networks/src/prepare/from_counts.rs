//! Fits a preparation from counts of remote rows. The result is identical to [`InputPreparation::fit`]
//! on the rows, except for binned numbers, which need the rows.

use super::bins::{Bins, LogOdds};
use super::scale::Scale;
pub(crate) use super::scale::Spread;
use super::{Encoding, Input, InputPreparation, PreparationOptions};
use crate::error::NetworkError;
use pellucid_data::{Column, Dataset, Values};
use serde::{Deserialize, Serialize};

/// Statistics of a column of the training rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ColumnCounts {
    /// The spread of the numbers; `None` if all are missing.
    Numbers(Option<Spread>),
    /// The numbers of false and true values.
    Truths([u64; 2]),
    /// The numbers of positive and negative rows, by code (missing comes last) and fold.
    Words(Vec<[u64; 2]>),
}

/// A fitted preparation, and the encoding of the training rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CountedPreparation {
    pub(crate) preparation: InputPreparation,
    /// The encoding of the training rows, by input.
    pub(crate) training: Vec<OutOfFold>,
    pub(crate) constant: Vec<String>,
}

/// The encoding of training rows by an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum OutOfFold {
    /// The same as for new rows.
    Same,
    /// The number before scaling, by code (missing comes last) and fold.
    Words(Vec<f64>),
}

impl InputPreparation {
    /// Fits a preparation from statistics of the training rows, which are assigned to `folds`
    /// folds. Only the names and categories of the columns of `data` are used.
    ///
    /// # Errors
    /// When no column is usable.
    pub(crate) fn of_counts(
        data: &Dataset,
        counted: &[ColumnCounts],
        folds: usize,
        options: &PreparationOptions,
    ) -> Result<CountedPreparation, NetworkError> {
        let mut found = CountedPreparation {
            preparation: InputPreparation { inputs: Vec::new(), clip: options.clip },
            training: Vec::new(),
            constant: Vec::new(),
        };
        for (column, counted) in data.columns.iter().zip(counted) {
            match input(column, counted, folds, options) {
                Some((input, training)) => {
                    found.preparation.inputs.push(input);
                    found.training.push(training);
                }
                None => found.constant.push(column.name.clone()),
            }
        }
        if found.training.is_empty() {
            return Err(NetworkError::NoColumns(data.name.clone()));
        }
        Ok(found)
    }
}

/// Returns the input of a column, or `None` if all values are the same.
fn input(
    column: &Column,
    counted: &ColumnCounts,
    folds: usize,
    options: &PreparationOptions,
) -> Option<(Input, OutOfFold)> {
    let (encoding, spread, training) = match (counted, &column.values) {
        (ColumnCounts::Numbers(spread), _) => (Encoding::Number, (*spread)?, OutOfFold::Same),
        (&ColumnCounts::Truths([no, yes]), _) => {
            let spread = Spread::of_counted(vec![(0.0, no), (1.0, yes)])?;
            (Encoding::Truth, spread, OutOfFold::Same)
        }
        (ColumnCounts::Words(counts), Values::Nominal { categories, .. }) => {
            let by_word: Vec<&[[u64; 2]]> = counts.chunks_exact(folds).collect();
            let rows = |of: &&[[u64; 2]]| usize::try_from(of.iter().flatten().sum::<u64>()).ok();
            let rows: Vec<usize> = by_word.iter().map(rows).collect::<Option<_>>()?;
            let (&missing, rows) = rows.split_last()?;
            let (bins, bin_of) = Bins::counted(rows, missing, categories, options.rare)?;
            let mut odds = LogOdds::empty(&bins, folds, options.smoothing);
            for (&bin, of) in bin_of.iter().zip(&by_word) {
                for (fold, &[positives, others]) in of.iter().enumerate() {
                    odds.add(bin, fold, true, positives);
                    odds.add(bin, fold, false, others);
                }
            }
            let without = |&bin: &u32| (0_u32..).take(folds).map(move |fold| (bin, fold));
            let numbers: Vec<f64> = bin_of
                .iter()
                .flat_map(without)
                .map(|(bin, fold)| odds.without(bin, fold))
                .collect();
            let rows = counts.iter().map(|[positives, others]| positives + others);
            let spread = Spread::of_counted(numbers.iter().copied().zip(rows).collect())?;
            (bins.encoding(&odds.of_all()), spread, OutOfFold::Words(numbers))
        }
        (ColumnCounts::Words(_), _) => return None,
    };
    // Remote rows are supported only in mode `paper`, which does not scale numbers without a range.
    let scale = Scale::over(&spread, || 1.0)?;
    let (name, middle, half_range) = (column.name.clone(), scale.middle, scale.half_range);
    Some((Input { column: name, encoding, class: None, middle, half_range }, training))
}
