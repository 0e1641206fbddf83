//! From data to a model, whatever the mode.

use crate::apply::{Applied, ApplyError};
use crate::default::DefaultRun;
use crate::g3pmi::G3pMi;
use crate::model::{LEARNER, Model, Rule, RuleSet};
use crate::params::{Mode, Params};
use crate::pareto::Pareto;
use crate::summary::mean_of;
use crate::train::{LearnError, Machine, Training, check_classes};
use pellucid_engine::Expr;
use pellucid_engine::data::Dataset;
use pellucid_learn::metrics::ConfusionMatrix;
use pellucid_learn::model::Schema;
use pellucid_learn::params::Valid;
use pellucid_learn::run::{DriveError, Driver, Observer, Run, Values};

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The model.
    pub model: Model,
    /// How the run went.
    pub run: Run,
    /// How well the model does on the data it was learned from.
    pub train: Values,
}

/// Why a run gave no model.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Learning failed.
    #[error(transparent)]
    Drive(#[from] DriveError<LearnError>),
    /// Data or parameters cannot be used.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The model could not be judged.
    #[error(transparent)]
    Apply(#[from] ApplyError),
}

/// Learns rules from data. The driver brings the time limit, the checkpoint and the interrupt; the observer watches.
///
/// # Errors
/// When the data cannot be learned from, the parameters do not fit it, or the devices or the checkpoint fail.
pub fn learn(
    data: &Dataset,
    params: Valid<Params>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<Learned, RunError> {
    check_classes(data)?;
    learn_part(data, params, machine, driver, observer)
}

/// Learns from a part of some data, in which a class may have a single example.
pub(crate) fn learn_part(
    data: &Dataset,
    params: Valid<Params>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<Learned, RunError> {
    let training = Training::new(data)?;
    let schema = training.schema.clone();
    let (rules, run) = match params.mode {
        Mode::Default => {
            let mut run = DefaultRun::new(data, training, params.clone(), machine)?;
            let told = driver.run(&mut run, observer)?;
            (run.model(), told)
        }
        Mode::Pareto => {
            let mut run = Pareto::new(training, params.clone(), machine)?;
            let told = driver.run(&mut run, observer)?;
            (run.model()?, told)
        }
        Mode::G3pMi => {
            let mut run = G3pMi::new(training, params.clone(), machine)?;
            let told = driver.run(&mut run, observer)?;
            (run.model()?, told)
        }
    };
    let schema = only_named(schema, &rules);
    let mut model =
        Model { learner: LEARNER.into(), params: params.into_inner(), schema, model: rules };
    let codes = data.example_codes();
    let classes = model.schema.classes.len();
    model.model.examples = vec![0; classes];
    codes.iter().for_each(|&code| model.model.examples[code as usize] += 1);
    let applied = Applied::new(&model, data, machine)?;
    count(&mut model.model.rules, &applied, &codes, classes);
    let train = scores(&codes, &applied.predictions(), classes);
    if !model.model.front.is_empty() {
        let rules = std::mem::take(&mut model.model.front);
        let mut front = model.clone();
        front.model.rules = rules;
        let applied = Applied::new(&front, data, machine)?;
        count(&mut front.model.rules, &applied, &codes, classes);
        model.model.front = front.model.rules;
    }
    Ok(Learned { model, run, train })
}

/// Notes with each rule how many examples of each class it covers.
fn count(rules: &mut [Rule], applied: &Applied, codes: &[u32], classes: usize) {
    for (index, rule) in rules.iter_mut().enumerate() {
        rule.covered = vec![0; classes];
        (0..codes.len())
            .filter(|&example| applied.holds(index, example))
            .for_each(|example| rule.covered[codes[example] as usize] += 1);
    }
}

/// The columns that the rules name: other data needs no more than these.
fn only_named(mut schema: Schema, rules: &RuleSet) -> Schema {
    let mut names = Vec::new();
    for expr in
        rules.rules.iter().chain(&rules.front).filter_map(|rule| rule.when.parse::<Expr>().ok())
    {
        named(&expr, schema.bag.is_some(), &mut names);
    }
    schema.columns.retain(|column| names.contains(&column.name));
    schema
}

/// The columns that an expression names; outside of rows the words are summaries.
fn named(expr: &Expr, summary: bool, names: &mut Vec<String>) {
    match expr {
        Expr::Constant(_) => {}
        Expr::Is(name)
        | Expr::Compare(name, ..)
        | Expr::Within(name, _)
        | Expr::OneOf(name, _)
        | Expr::Contains(name, _) => {
            let name = if summary { mean_of(name).unwrap_or_default() } else { name };
            names.push(name.to_owned());
        }
        Expr::Not(operand) => named(operand, summary, names),
        Expr::Related(_, _, filler) => named(filler, false, names),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().for_each(|operand| named(operand, summary, names))
        }
    }
}

/// How well predictions do: accuracy, balanced accuracy and F1 (of the positive class, or the mean over classes where there
/// are more than two).
#[must_use]
pub fn scores(codes: &[u32], predicted: &[u32], classes: usize) -> Values {
    let Ok(matrix) = ConfusionMatrix::from_codes(codes, predicted, classes) else {
        return Values::new();
    };
    let f1 = if classes == 2 { matrix.against_rest(1).f_beta(1.0) } else { matrix.macro_f1() };
    Values::new()
        .with("accuracy", matrix.accuracy())
        .with("balanced_accuracy", matrix.balanced_accuracy())
        .with("f1", f1)
}
