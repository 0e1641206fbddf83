//! The training data for all modes: a table, and one class against the rest.

use crate::apply::ApplyError;
use crate::cut::{between_values, pair};
use crate::export::ExportError;
use crate::grammar::Grammar;
use crate::model::RuleError;
use crate::params::{Mode, Params};
use crate::parts::RemoteRules;
use pellucid_cover::{EvaluateError, Hypothesis, Labels, Literal, Session, Table, TableError};
use pellucid_data::{DataError, Dataset, TargetKind};
pub use pellucid_device::Machine;
use pellucid_device::{DeviceError, Threads};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::model::{Column, NumberTargetSummary, Schema};
use pellucid_learn::params::ParamError;
use pellucid_program::{Domain, Expr, Op, Quantifier, Role, Value};
use std::sync::Arc;

/// The reason why training failed.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// The target is missing or unsuitable.
    #[error(transparent)]
    Data(#[from] DataError),
    /// There are no columns besides the target.
    #[error("{0}: found no column besides the target; expected at least one")]
    NoColumns(String),
    /// A class with a single example.
    #[error("{name}: class '{class}' has only one {what}; expected at least two of each class")]
    SingleExample {
        /// The name of the data.
        name: String,
        /// The class.
        class: String,
        /// "row" or "bag".
        what: &'static str,
    },
    /// More classes than the mode supports.
    #[error(
        "{name}: mode {mode} needs two classes, found {classes}; use mode default for more classes"
    )]
    ManyClasses {
        /// The name of the data.
        name: String,
        /// The mode.
        mode: &'static str,
        /// The number of classes that occur.
        classes: usize,
    },
    /// A number as the target of a mode that needs classes.
    #[error(
        "{name}: mode {mode} predicts one of two classes, but the target is a number; \
         use mode default or list"
    )]
    Number {
        /// The name of the data.
        name: String,
        /// The mode.
        mode: Mode,
    },
    /// Distributed rows in a mode that does not support them.
    #[error(
        "{name}: mode {mode} does not support distributed rows; use mode default, g3p-mi or pareto"
    )]
    Distributed {
        /// The name of the data.
        name: String,
        /// The mode.
        mode: Mode,
    },
    /// A parameter does not fit the data.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The table could not be built.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A device failed.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// The rules could not be applied.
    #[error(transparent)]
    Apply(Box<ApplyError>),
    /// The model is invalid.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The model could not be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The checkpoint is invalid.
    #[error("the checkpoint does not fit this run: {0}")]
    Checkpoint(&'static str),
}

impl From<ApplyError> for RulesError {
    fn from(error: ApplyError) -> RulesError {
        RulesError::Apply(Box::new(error))
    }
}

impl From<DeviceError> for RulesError {
    fn from(error: DeviceError) -> RulesError {
        RulesError::Evaluate(EvaluateError::Device(error))
    }
}

/// The training data.
#[derive(Clone, Debug)]
pub struct Training {
    /// The rows.
    pub table: Arc<Table>,
    /// The class of each example.
    pub codes: Vec<u32>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The target of each example, if it is a number; there are no classes then.
    pub numbers: Option<Vec<f64>>,
    /// The weight of each example, if given.
    pub weights: Option<Vec<f64>>,
    /// The group of each example, if folds keep groups together.
    pub groups: Option<Vec<u32>>,
    /// Whether rows are grouped into bags.
    pub has_bags: bool,
    /// The schema for the model.
    pub schema: Schema,
    /// The name of the data.
    pub name: String,
    /// The distributed rows, if any; the table then has only their values.
    pub parts: Option<RemoteRules>,
}

impl Training {
    /// Creates the training data.
    ///
    /// # Errors
    /// If there is no target, or only one class.
    pub fn new(data: &Dataset, threads: &Threads) -> Result<Training, RulesError> {
        if data.columns.is_empty() && data.bags.is_none() {
            return Err(RulesError::NoColumns(data.name.clone()));
        }
        let (name, classes, numbers) = match data.target_kind() {
            TargetKind::Number(_) => {
                let number = data.require_number()?;
                (&number.name, Vec::new(), Some(number.values.clone()))
            }
            _ => {
                let target = data.require_classes()?;
                (&target.name, target.classes.clone(), None)
            }
        };
        let schema = Schema {
            columns: threads
                .map(data.columns.len(), |column| Column::describe(&data.columns[column])),
            target: Some(name.clone()),
            bag: data.bags.as_ref().map(|bags| bags.name.clone()),
            classes: classes.clone(),
            number: numbers.as_deref().and_then(NumberTargetSummary::of),
            reading: data.origin.reading.clone(),
            never_predicted: Vec::new(),
        };
        Ok(Training {
            codes: data.example_codes(),
            classes,
            numbers,
            weights: data.weights.clone(),
            groups: data.groups.clone(),
            has_bags: data.bags.is_some(),
            schema,
            name: data.name.clone(),
            parts: None,
            table: Arc::new(Table::from_dataset_on(threads, data.clone())?),
        })
    }

    /// Returns the number of examples of each class.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        if let Some(parts) = &self.parts {
            return parts.examples().to_vec();
        }
        let mut counts = vec![0; self.schema.outputs()];
        self.codes.iter().for_each(|&code| counts[code as usize] += 1);
        counts
    }

    /// Creates a session that counts or weighs the examples of one class (as 1) against the rest
    /// (as 0).
    ///
    /// # Errors
    /// If a device fails.
    pub fn session(
        &self,
        class: u32,
        hypothesis: Hypothesis,
        machine: &Machine,
    ) -> Result<Session, RulesError> {
        if let Some(parts) = &self.parts {
            return parts.session(Arc::clone(&self.table), class, hypothesis);
        }
        let codes: Vec<u32> = self.codes.iter().map(|&code| u32::from(code == class)).collect();
        let (table, has_bags) = (&self.table, self.has_bags);
        let labels = match self.weights.as_deref().map(whole_weights) {
            None if has_bags => Labels::bags(table, &codes, 2),
            None => Labels::rows(table, &codes, 2),
            Some(weights) => {
                let of = |class: u32| -> Vec<u32> {
                    let own =
                        |(&code, &weight): (&u32, &u32)| if code == class { weight } else { 0 };
                    codes.iter().zip(&weights).map(own).collect()
                };
                let (rest, class) = (of(0), of(1));
                let weigh = if has_bags { Labels::weighted_bags } else { Labels::weighted_rows };
                weigh(table, &[&rest, &class])
            }
        }?;
        Ok(Session::on(machine, Arc::clone(&self.table), labels, hypothesis)?)
    }

    /// Returns a digest of the data and the parameters, for checkpoints.
    #[must_use]
    pub fn fingerprint(&self, params: &Params, threads: &Threads) -> Fingerprint {
        let of_column = |column: usize| {
            let column = &self.table.columns()[column];
            let print = Fingerprint::new().with(column.name());
            match column.domain() {
                Domain::Numeric(values) => {
                    values.iter().fold(print, |print, value| print.with_number(value.to_bits()))
                }
                Domain::Nominal(categories) => {
                    categories.iter().fold(print, |print, text| print.with(text))
                }
                Domain::Boolean => print,
            }
        };
        let of_tile = |tile: usize| {
            let blocks = self.table.tile(tile).planes(0..self.table.planes());
            let words = blocks.iter().flat_map(|block| block.0);
            words.fold(Fingerprint::new(), Fingerprint::with_number)
        };
        let columns = threads.map(self.table.columns().len(), of_column);
        let tiles = threads.map(self.table.tiles(), of_tile);
        let prints = columns.into_iter().chain(tiles);
        let mut print =
            prints.fold(Fingerprint::new(), |print, part| print.with_number(part.value()));
        // For distributed rows only their number is known.
        let examples = self.parts.iter().flat_map(RemoteRules::examples);
        print = examples.fold(print, |print, &number| print.with_number(number));
        let numbers = self.numbers.iter().flatten();
        let numbers = numbers.chain(self.weights.iter().flatten());
        print = numbers.fold(print, |print, number| print.with_number(number.to_bits()));
        let codes = self.codes.iter().chain(self.groups.iter().flatten());
        print = codes.fold(print, |print, &code| print.with_number(u64::from(code)));
        let chosen = serde_json::to_vec(params).unwrap_or_default();
        print.with(chosen)
    }
}

/// The largest integer weight.
const HEAVIEST: f64 = 4095.0;

/// Returns weights as integers: small integers as they are, others multiplied by a power of two,
/// which keeps halves and quarters exact, so that the largest is at least half of the limit.
/// Positive weights stay positive.
fn whole_weights(weights: &[f64]) -> Vec<u32> {
    let heaviest = weights.iter().copied().fold(0.0, f64::max);
    let exact = heaviest <= HEAVIEST && weights.iter().all(|weight| weight.fract() == 0.0);
    let scale = if exact { 1.0 } else { libm::exp2(libm::log2(HEAVIEST / heaviest).floor()) };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 4,095")]
    let whole = |&weight: &f64| match weight > 0.0 {
        true => ((weight * scale).round() as u32).max(1),
        false => 0,
    };
    weights.iter().map(whole).collect()
}

/// Checks that the classes of the data are suitable for training. A fold may have fewer examples
/// than this requires.
///
/// # Errors
/// If there is no target, only one class, or a class with a single example.
pub fn check_classes(data: &Dataset) -> Result<(), RulesError> {
    if let TargetKind::Number(_) = data.target_kind() {
        data.require_number()?;
        return Ok(());
    }
    let target = data.require_classes()?;
    let what = if data.bags.is_some() { "bag" } else { "row" };
    let mut counts = vec![0; target.classes.len()];
    target.codes.iter().for_each(|&code| counts[code as usize] += 1);
    check_counts(&data.name, &target.classes, &counts, what)
}

/// Checks the number of examples of each class; `what` is the name of an example.
///
/// # Errors
/// If a class has a single example.
pub(crate) fn check_counts(
    name: &str,
    classes: &[String],
    counts: &[u64],
    what: &'static str,
) -> Result<(), RulesError> {
    match classes.iter().zip(counts).find(|(_, count)| **count == 1) {
        None => Ok(()),
        Some((class, _)) => {
            let (name, class) = (name.to_owned(), class.clone());
            Err(RulesError::SingleExample { name, class, what })
        }
    }
}

/// Returns a readable comparison: the number lies between the observed values and has few digits.
#[must_use]
pub fn readable(literal: Literal, table: &Table, grammar: &Grammar) -> Expr {
    let column = &table.columns()[literal.column() as usize];
    match column.domain() {
        Domain::Numeric(values) => {
            let rank = literal.rank() as usize;
            if let Some(pair) = pair(values)
                && rank == 0
                && grammar.has_operator(Op::Equal)
            {
                let meant = Value::Number(pair[usize::from(!literal.is_opposite())]);
                return Expr::Compare(column.name().to_owned(), Op::Equal, meant);
            }
            let own = values[rank];
            let number =
                values.get(rank + 1).map_or(own, |&next| between_values(values)(own, next));
            let op = if literal.is_opposite() { Op::LessEqual } else { Op::Greater };
            Expr::Compare(column.name().to_owned(), op, Value::Number(number))
        }
        // With two categories it is clearer to name the one that is meant.
        Domain::Nominal(categories) if categories.len() == 2 && literal.is_opposite() => {
            Literal::new(literal.column(), 1 - literal.rank(), false).expr(table)
        }
        _ => literal.expr(table),
    }
}

/// Returns a condition on a row as a condition on an example: on enough rows of a bag, or on the
/// row itself.
#[must_use]
pub fn of_example(expr: Expr, hypothesis: Hypothesis) -> Expr {
    let related = |quantifier, expr| {
        let role = Role { name: crate::apply::ROLE.to_owned(), inverse: false };
        Expr::Related(quantifier, role, Box::new(expr))
    };
    match hypothesis {
        Hypothesis::Rows => expr,
        Hypothesis::Presence => related(Quantifier::Some, expr),
        Hypothesis::AtLeast(least) => related(Quantifier::Min(least), expr),
        Hypothesis::Between(least, most) => Expr::and(vec![
            related(Quantifier::Min(least), expr.clone()),
            related(Quantifier::Max(most), expr),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::whole_weights;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn small_whole_weights_stay_as_they_are(weights in prop::collection::vec(0u32..4096, 0..30)) {
            let numbers: Vec<f64> = weights.iter().map(|&weight| f64::from(weight)).collect();
            prop_assert_eq!(whole_weights(&numbers), weights);
        }

        #[test]
        fn other_weights_keep_their_proportions(weights in prop::collection::vec(0.0..1e6, 1..30)) {
            let whole = whole_weights(&weights);
            let (at, heaviest) = (0..weights.len()).fold((0, 0.0), |(at, heaviest), one| {
                if weights[one] > heaviest { (one, weights[one]) } else { (at, heaviest) }
            });
            prop_assume!(heaviest > 0.0);
            prop_assert!((2047..=4095).contains(&whole[at]), "{}", whole[at]);
            for (&whole_one, weight) in whole.iter().zip(weights) {
                let wanted = weight / heaviest * f64::from(whole[at]);
                prop_assert!((f64::from(whole_one) - wanted).abs() <= 1.0, "{whole_one} for {weight}");
                prop_assert_eq!(whole_one == 0, weight == 0.0);
            }
        }
    }
}
