//! Turns the columns of a table into inputs of a network, without leaking labels.
//!
//! Numbers are centered and scaled so that most lie between -1 and 1. A category is replaced by its
//! log odds: how much more likely the positive class is in its rows. A [`InputPreparation`] is fitted on
//! the training rows, stored in the model, and applied to new rows.
//!
//! **Out-of-fold encoding.** Log odds are computed from labels. A network that is trained on a row
//! must not find the label of that row in its inputs. The training rows are therefore encoded [out
//! of fold](FittedPreparation::training): each with the log odds from the other folds. New rows are
//! encoded with the log odds from all training rows.
//!
//! **Other targets.** With more than two classes, a category has log odds for each class against the
//! others. If a number is predicted, a category is replaced by the mean of the target in its rows.
//!
//! **Missing values.** A missing number or boolean becomes 0, the center of its column. If the
//! column also has log odds, missing values have log odds of their own. A rare or unknown category
//! has log odds 0.

mod bins;
mod encode;
pub(crate) mod from_counts;
mod means;
mod scale;

use crate::error::NetworkError;
use bins::{Bins, LogOdds};
use encode::Source;
use means::Means;
use pellucid_bits::as_u32;
use pellucid_data::{Column, Dataset, Values};
use pellucid_learn::params::ParamError;
use scale::Scale;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The limit on inputs if no other is set; their squares can still be summed.
const DEFAULT_CLIP: f64 = 1e9;

/// The preparation of the inputs of a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InputPreparation {
    /// The inputs of the network, in order.
    pub inputs: Vec<Input>,
    /// The largest absolute value of an input; `None` for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<f64>,
}

/// An input of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// The column that it is computed from.
    pub column: String,
    /// The encoding of values as numbers.
    #[serde(flatten)]
    pub encoding: Encoding,
    /// The class that log odds are about, if there are more than two classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<u32>,
    /// The number that is scaled to 0.
    pub middle: f64,
    /// The distance from there to the number that is scaled to 1.
    pub half_range: f64,
}

/// The encoding of values as numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "encoding", rename_all = "kebab-case")]
pub enum Encoding {
    /// The number itself.
    Number,
    /// 1 for true and 0 for false.
    Truth,
    /// The log odds of a category, relative to the overall log odds; 0 for other categories.
    LogOdds {
        /// The log odds of frequent categories.
        values: BTreeMap<String, f64>,
        /// The log odds of a missing category.
        missing: f64,
    },
    /// The log odds of the bin that contains a number. A bin includes its upper bound.
    Steps {
        /// The upper bounds of the bins, ascending.
        cuts: Vec<f64>,
        /// The log odds of each bin; one more than there are bounds.
        log_odds: Vec<f64>,
        /// The log odds of a missing number.
        missing: f64,
    },
    /// The mean of the predicted number in the rows of a category, minus the overall mean, in
    /// standard deviations; 0 for other categories.
    Means {
        /// The means of frequent categories.
        values: BTreeMap<String, f64>,
        /// The mean of a missing category.
        missing: f64,
    },
    /// The mean of the predicted number in the bin that contains a number, minus the overall mean, in
    /// standard deviations. A bin includes its upper bound.
    MeanSteps {
        /// The upper bounds of the bins, ascending.
        cuts: Vec<f64>,
        /// The mean of each bin; one more than there are bounds.
        means: Vec<f64>,
        /// The mean of a missing number.
        missing: f64,
    },
}

/// The labels of training rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Labels<'a> {
    /// Whether each row is positive.
    Positive(&'a [bool]),
    /// The class of each row by code, and the number of classes.
    Classes(&'a [u32], usize),
    /// The standardized number of each row.
    Numbers(&'a [f64]),
}

/// The options of a preparation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreparationOptions {
    /// Categories in fewer rows than this have log odds 0.
    pub rare: usize,
    /// The number of pseudo-rows added to each bin; `None` for the formula of the publication's
    /// program.
    pub smoothing: Option<f64>,
    /// The maximum number of bins for numbers; 0 for no bins.
    pub steps: usize,
    /// The largest absolute value of an input.
    pub clip: Option<f64>,
}

/// A fitted preparation, and the encoded training rows.
#[derive(Clone, Debug)]
pub struct FittedPreparation {
    /// The preparation.
    pub preparation: InputPreparation,
    /// The training rows, input by input, each encoded from the other folds.
    pub training: Vec<Vec<f32>>,
    /// The columns that are ignored because all their values are the same.
    pub constant: Vec<String>,
}

impl InputPreparation {
    /// Fits a preparation on labeled rows. Each row is encoded from the rows of the other folds, or
    /// from all rows if there is only one fold.
    ///
    /// # Errors
    /// When no column is usable.
    pub fn fit(
        data: &Dataset,
        positive: &[bool],
        fold: &[u32],
        options: &PreparationOptions,
    ) -> Result<FittedPreparation, NetworkError> {
        InputPreparation::fit_on(data, Labels::Positive(positive), fold, options)
    }

    /// Fits a preparation on rows with any labels, see [`fit`](InputPreparation::fit).
    pub(crate) fn fit_on(
        data: &Dataset,
        labels: Labels<'_>,
        fold: &[u32],
        options: &PreparationOptions,
    ) -> Result<FittedPreparation, NetworkError> {
        let mut found = FittedPreparation {
            preparation: InputPreparation { inputs: Vec::new(), clip: options.clip },
            training: Vec::new(),
            constant: Vec::new(),
        };
        for column in &data.columns {
            let before = found.training.len();
            found.add(column, labels, fold, options);
            if found.training.len() == before {
                found.constant.push(column.name.clone());
            }
        }
        if found.training.is_empty() {
            return Err(NetworkError::NoColumns(data.name.clone()));
        }
        Ok(found)
    }

    /// Returns the largest absolute value of an input.
    #[must_use]
    pub fn largest_input(&self) -> f64 {
        self.clip.unwrap_or(DEFAULT_CLIP)
    }

    /// Encodes rows; the result is by input, then by row. The data must have the columns of the
    /// schema of the model.
    ///
    /// # Errors
    /// When a column is absent or has a different type, which happens only with a corrupt model.
    pub fn apply(&self, data: &Dataset) -> Result<Vec<Vec<f32>>, NetworkError> {
        self.inputs.iter().map(|input| self.encode(input, data)).collect()
    }

    /// Encodes the inputs of one column, each with its index. The data needs no other column.
    pub(crate) fn apply_to(
        &self,
        data: &Dataset,
        column: &str,
    ) -> Result<Vec<(usize, Vec<f32>)>, NetworkError> {
        let own = self.inputs.iter().enumerate().filter(|(_, input)| input.column == column);
        own.map(|(place, input)| Ok((place, self.encode(input, data)?))).collect()
    }

    fn encode(&self, input: &Input, data: &Dataset) -> Result<Vec<f32>, NetworkError> {
        let column = data.columns.iter().find(|column| column.name == input.column);
        let source = column.and_then(|column| input.encoding.source(&column.values));
        let Some(source) = source else {
            return Err(NetworkError::Input { column: input.column.clone() });
        };
        let scale = input.scale(self.clip);
        Ok((0..data.rows).map(|row| scale.of(source.number(row))).collect())
    }

    /// Checks a preparation from a file.
    ///
    /// # Errors
    /// Names the first invalid input.
    pub fn check(&self) -> Result<(), NetworkError> {
        let sound = |input: &Input| {
            input.middle.is_finite()
                && input.half_range.is_finite()
                && input.half_range > 0.0
                && match &input.encoding {
                    Encoding::Number | Encoding::Truth => true,
                    Encoding::LogOdds { values, missing } | Encoding::Means { values, missing } => {
                        missing.is_finite() && values.values().all(|odds| odds.is_finite())
                    }
                    Encoding::Steps { cuts, log_odds, missing }
                    | Encoding::MeanSteps { cuts, means: log_odds, missing } => {
                        missing.is_finite()
                            && log_odds.iter().all(|odds| odds.is_finite())
                            && log_odds.len() == cuts.len() + 1
                            && cuts.windows(2).all(|pair| pair[0] < pair[1])
                    }
                }
        };
        if let Some(input) = self.inputs.iter().find(|input| !sound(input)) {
            return Err(NetworkError::Input { column: input.column.clone() });
        }
        match self.clip {
            Some(clip) if !(clip > 0.0 && clip.is_finite()) => {
                Err(NetworkError::Param(ParamError::new("clip", clip, "a number above 0")))
            }
            _ => Ok(()),
        }
    }
}

impl Input {
    pub(crate) fn scale(&self, clip: Option<f64>) -> Scale {
        Scale {
            middle: self.middle,
            half_range: self.half_range,
            clip: clip.unwrap_or(DEFAULT_CLIP),
        }
    }
}

impl FittedPreparation {
    /// Adds the inputs of a column; none if all its values are the same.
    fn add(
        &mut self,
        column: &Column,
        labels: Labels<'_>,
        fold: &[u32],
        options: &PreparationOptions,
    ) {
        match &column.values {
            Values::Numeric(numbers) => {
                self.add_plain(column, Encoding::Number, options);
                if options.steps > 1
                    && let Some(bins) = Bins::steps(numbers, options.steps, options.rare)
                {
                    self.add_bins(column, &bins, labels, fold, options);
                }
            }
            Values::Boolean(_) => self.add_plain(column, Encoding::Truth, options),
            Values::Nominal { codes, categories } => {
                if let Some(bins) = Bins::words(codes, categories, options.rare) {
                    self.add_bins(column, &bins, labels, fold, options);
                }
            }
        }
    }

    fn add_plain(&mut self, column: &Column, encoding: Encoding, options: &PreparationOptions) {
        let Some(source) = encoding.source(&column.values) else { return };
        let numbers: Vec<f64> = (0..column.values.len()).map(|row| source.number(row)).collect();
        self.push(column, encoding, None, &numbers, options);
    }

    /// Adds the encoding of bins: their log odds, the log odds of each class, or their means.
    fn add_bins(
        &mut self,
        column: &Column,
        bins: &Bins,
        labels: Labels<'_>,
        fold: &[u32],
        options: &PreparationOptions,
    ) {
        let mut add_log_odds = |positive: &[bool], class: Option<u32>| {
            let odds = LogOdds::new(bins, positive, fold, options.smoothing);
            let without = |(&bin, &fold): (&u32, &u32)| odds.without(bin, fold);
            let numbers: Vec<f64> = bins.of_row.iter().zip(fold).map(without).collect();
            self.push(column, bins.encoding(&odds.of_all()), class, &numbers, options);
        };
        match labels {
            Labels::Positive(positive) => add_log_odds(positive, None),
            Labels::Classes(codes, classes) => {
                for class in 0..as_u32(classes) {
                    let positive: Vec<bool> = codes.iter().map(|&code| code == class).collect();
                    add_log_odds(&positive, Some(class));
                }
            }
            Labels::Numbers(values) => {
                let means = Means::new(bins, values, fold, options.smoothing.unwrap_or(0.0));
                let without = |(&bin, &fold): (&u32, &u32)| means.without(bin, fold);
                let numbers: Vec<f64> = bins.of_row.iter().zip(fold).map(without).collect();
                let encoding = bins.encoding(&means.of_all()).into_means();
                self.push(column, encoding, None, &numbers, options);
            }
        }
    }

    /// Adds an input with the given numbers in the training rows, NaN for missing ones.
    fn push(
        &mut self,
        column: &Column,
        encoding: Encoding,
        class: Option<u32>,
        numbers: &[f64],
        options: &PreparationOptions,
    ) {
        let Some(found) = Scale::fit(numbers, options.clip.is_none()) else { return };
        let input = Input {
            column: column.name.clone(),
            encoding,
            class,
            middle: found.middle,
            half_range: found.half_range,
        };
        let scale = input.scale(options.clip);
        self.training.push(numbers.iter().map(|&number| scale.of(number)).collect());
        self.preparation.inputs.push(input);
    }
}

impl Encoding {
    /// Returns the encoding for a predicted number: means instead of log odds.
    fn into_means(self) -> Encoding {
        match self {
            Encoding::LogOdds { values, missing } => Encoding::Means { values, missing },
            Encoding::Steps { cuts, log_odds: means, missing } => {
                Encoding::MeanSteps { cuts, means, missing }
            }
            other => other,
        }
    }

    /// Returns the column with this encoding, or `None` if the column has a different type.
    pub(crate) fn source<'a>(&'a self, values: &'a Values) -> Option<Source<'a>> {
        Source::new(self, values)
    }
}

#[cfg(test)]
mod tests;
