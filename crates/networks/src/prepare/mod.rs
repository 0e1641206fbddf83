//! From a table to numbers that a network can take, without a look at what it may not see.
//!
//! Picture a clerk who writes every row anew on squared paper before it goes to the machine: numbers are moved and stretched so
//! that most lie between -1 and 1, and a word is replaced by how much likelier the positive class is where it stands. What
//! the clerk goes by is a [`Preparation`]; it is found from the training rows, kept in the model, and used for whatever
//! comes later.
//!
//! **No leak.** How likely a class is with a word is known from the labels. A network that is trained on a row must not find
//! that row's own label in its inputs, so the training rows are written [out of fold](FittedPreparation::training): each by what the
//! rows of the other folds say. Rows that come later are written by what all training rows say.
//!
//! **Missing values** are never lost and never spread: a missing number or truth value becomes 0, the middle of its
//! column, and where the column is also told by log odds, missing has log odds of its own. A word that is rare, or that was never met, has log
//! odds 0: it says nothing.

mod bins;
pub(crate) mod from_counts;
mod encode;
mod scale;

use crate::error::NetworkError;
use bins::{Bins, LogOdds};
use encode::Source;
use pellucid_data::{Column, Dataset, Values};
use pellucid_learn::params::ParamError;
use scale::Scale;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Numbers beyond this many half ranges are cut where nothing else is said: their squares can still be added up.
const FARTHEST: f64 = 1e9;

/// How a table is written for a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Preparation {
    /// The inputs of the network, in order.
    pub inputs: Vec<Input>,
    /// How far from 0 an input may lie; nothing where none is cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<f64>,
}

/// One input of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// The column that it comes from.
    pub column: String,
    /// How a value becomes a number.
    #[serde(flatten)]
    pub encoding: Encoding,
    /// The number that becomes 0.
    pub middle: f64,
    /// How far from it 1 lies.
    pub half_range: f64,
}

/// How a value becomes a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "encoding", rename_all = "kebab-case")]
pub enum Encoding {
    /// The number itself.
    Number,
    /// 1 for true and 0 for false.
    Truth,
    /// By word: the logarithm of how much the odds of the positive class are raised by it. Words that are not there have 0.
    LogOdds {
        /// The words that occur often enough.
        values: BTreeMap<String, f64>,
        /// Where the word is missing.
        missing: f64,
    },
    /// The same for a number, by the step on which it lies: the first step ends with the first cut, which belongs to it.
    Steps {
        /// Where steps end, ascending.
        cuts: Vec<f64>,
        /// By step, one more than there are cuts.
        log_odds: Vec<f64>,
        /// Where the number is missing.
        missing: f64,
    },
}

/// How log odds are found, and what is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreparationOptions {
    /// Words in fewer rows than this have log odds 0.
    pub rare: usize,
    /// How many rows of no opinion are added to those of a word; nothing for the formula of the publication's program.
    pub smoothing: Option<f64>,
    /// In how many steps at most numbers are told by log odds too; 0 for not at all.
    pub steps: usize,
    /// How far from 0 an input may lie.
    pub clip: Option<f64>,
}

/// A preparation that was found from some rows, and those rows written with it.
#[derive(Clone, Debug)]
pub struct FittedPreparation {
    /// What was found.
    pub preparation: Preparation,
    /// By input the training rows, each written by what the rows of other folds say.
    pub training: Vec<Vec<f32>>,
    /// The columns that say nothing because all their values are the same.
    pub constant: Vec<String>,
}

impl Preparation {
    /// Finds a preparation from rows whose class is known; `fold` says for each row which others may speak about it. With a
    /// to_f32 fold each row is written by what all rows say.
    ///
    /// # Errors
    /// When no column is left to learn from.
    pub fn fit(
        data: &Dataset,
        positive: &[bool],
        fold: &[u32],
        options: &PreparationOptions,
    ) -> Result<FittedPreparation, NetworkError> {
        let mut found = FittedPreparation {
            preparation: Preparation { inputs: Vec::new(), clip: options.clip },
            training: Vec::new(),
            constant: Vec::new(),
        };
        for column in &data.columns {
            let before = found.training.len();
            found.add(column, positive, fold, options);
            if found.training.len() == before {
                found.constant.push(column.name.clone());
            }
        }
        if found.training.is_empty() {
            return Err(NetworkError::NoColumns(data.name.clone()));
        }
        Ok(found)
    }

    /// Writes rows: by input, then by row. The data has the columns by name and kind, as a model's schema asks for.
    ///
    /// # Errors
    /// When a column is not there or of another kind; only a forged model can have such a thing.
    pub fn apply(&self, data: &Dataset) -> Result<Vec<Vec<f32>>, NetworkError> {
        self.inputs.iter().map(|input| self.written(input, data)).collect()
    }

    /// The same for the inputs of one column, each with its place; the data needs no other column.
    pub(crate) fn apply_to(
        &self,
        data: &Dataset,
        column: &str,
    ) -> Result<Vec<(usize, Vec<f32>)>, NetworkError> {
        let own = self.inputs.iter().enumerate().filter(|(_, input)| input.column == column);
        own.map(|(place, input)| Ok((place, self.written(input, data)?))).collect()
    }

    fn written(&self, input: &Input, data: &Dataset) -> Result<Vec<f32>, NetworkError> {
        let column = data.columns.iter().find(|column| column.name == input.column);
        let source = column.and_then(|column| input.encoding.source(&column.values));
        let Some(source) = source else {
            return Err(NetworkError::Input { column: input.column.clone() });
        };
        let scale = input.scale(self.clip);
        Ok((0..data.rows).map(|row| scale.of(source.number(row))).collect())
    }

    /// Looks whether a preparation from a file makes sense.
    ///
    /// # Errors
    /// Says what does not.
    pub fn check(&self) -> Result<(), NetworkError> {
        let sound = |input: &Input| {
            input.middle.is_finite()
                && input.half_range.is_finite()
                && input.half_range > 0.0
                && match &input.encoding {
                    Encoding::Number | Encoding::Truth => true,
                    Encoding::LogOdds { values, missing } => {
                        missing.is_finite() && values.values().all(|odds| odds.is_finite())
                    }
                    Encoding::Steps { cuts, log_odds, missing } => {
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
        Scale { middle: self.middle, half_range: self.half_range, clip: clip.unwrap_or(FARTHEST) }
    }
}

impl FittedPreparation {
    /// Adds what a column gives: nothing if all its values are the same.
    fn add(&mut self, column: &Column, positive: &[bool], fold: &[u32], options: &PreparationOptions) {
        match &column.values {
            Values::Numeric(numbers) => {
                self.add_plain(column, Encoding::Number, options);
                if options.steps > 1
                    && let Some(bins) = Bins::steps(numbers, options.steps, options.rare)
                {
                    self.add_log_odds(column, &bins, positive, fold, options);
                }
            }
            Values::Boolean(_) => self.add_plain(column, Encoding::Truth, options),
            Values::Nominal { codes, categories } => {
                if let Some(bins) = Bins::words(codes, categories, options.rare) {
                    self.add_log_odds(column, &bins, positive, fold, options);
                }
            }
        }
    }

    fn add_plain(&mut self, column: &Column, encoding: Encoding, options: &PreparationOptions) {
        let Some(source) = encoding.source(&column.values) else { return };
        let numbers: Vec<f64> = (0..column.values.len()).map(|row| source.number(row)).collect();
        self.push(column, encoding, &numbers, options);
    }

    fn add_log_odds(
        &mut self,
        column: &Column,
        bins: &Bins,
        positive: &[bool],
        fold: &[u32],
        options: &PreparationOptions,
    ) {
        let odds = LogOdds::new(bins, positive, fold, options.smoothing);
        let numbers: Vec<f64> =
            bins.of_row.iter().zip(fold).map(|(&bin, &fold)| odds.without(bin, fold)).collect();
        self.push(column, bins.encoding(&odds.of_all()), &numbers, options);
    }

    /// Adds an input with these numbers in the training rows, NaN for missing ones.
    fn push(&mut self, column: &Column, encoding: Encoding, numbers: &[f64], options: &PreparationOptions) {
        let Some(found) = Scale::fit(numbers, options.clip.is_none()) else { return };
        let input = Input {
            column: column.name.clone(),
            encoding,
            middle: found.middle,
            half_range: found.half_range,
        };
        let scale = input.scale(options.clip);
        self.training.push(numbers.iter().map(|&number| scale.of(number)).collect());
        self.preparation.inputs.push(input);
    }
}

impl Encoding {
    /// The numbers that a column gives, if it is of the kind that is needed.
    pub(crate) fn source<'a>(&'a self, values: &'a Values) -> Option<Source<'a>> {
        Source::new(self, values)
    }
}

#[cfg(test)]
mod tests;
