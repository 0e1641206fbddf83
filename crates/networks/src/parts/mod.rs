//! Breeding networks on rows that lie elsewhere, in parts, such as with the workers of a cluster.
//!
//! Picture the row of judges on tour: the cases stay in their towns, and it is the judges who travel. Every town says how many of its own cases
//! a objective puts near the front, the numbers are added up, and who is at home breeds the next judges from them. At home it is known of every case
//! to which class it belongs, and of what is in it nothing but how often which word stands with which class and where a tenth and
//! nine tenths of the numbers lie, beside a few thousand cases that were looked at.
//!
//! [`Parts`] is all towns as seen from home, [`Part`] one of them. Mode `paper` is bred from counts and is learned so, with the model that one process would
//! learn from all rows in the order of the parts, byte for byte. The default mode follows a gradient, which adds up fractions; they come out differently in
//! another order.

mod part;
mod query;
mod survey;

pub use part::{Part, schema};

use crate::default::{objective, shape};
use crate::effects::{sample_rows, effects};
use crate::error::NetworkError;
use crate::training_table::TrainingTable;
use crate::evaluator::{Evaluator, halves};
use crate::learner::{body, figures};
use crate::metric::FitnessMetric;
use crate::model::{LEARNER, NetworkModel, NetworkEnsemble};
use crate::paper::{PaperRun, SCALE, Split, assign_folds, preparation_options};
use crate::params::{Mode, Params};
use crate::prepare::from_counts::CountedPreparation;
use crate::prepare::{FittedPreparation, Preparation};
use pellucid_bits::as_u32;
use pellucid_data::{Column, Dataset, MISSING, Values};
use pellucid_device::{DeviceError, Machine};
use pellucid_forward::elsewhere::{Around, Asks};
use pellucid_forward::{Inputs, InputsError, Session, Shape, Ties, Width};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::learner::Learned;
use pellucid_learn::model::Schema;
use pellucid_learn::params::{ParamError, Valid};
use pellucid_learn::parts::{failure, strange, sum, to_bytes, unpacked};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Driver, Figures, Observer, RunError};
use query::{ALL, RowRole, Plan, Query};
use std::fmt;
use std::sync::Arc;

/// Training rows by which thresholds are guessed.
const SAMPLE: usize = 4096;

/// Rows elsewhere, all parts together.
#[derive(Clone)]
pub struct Parts {
    /// Who asks all parts a question.
    pub ask: Ask,
}

/// Asks all parts a question; gives what each answers, always in the same order.
pub type Ask = Arc<dyn Fn(&Question<'_>) -> Result<Vec<Vec<u64>>, DeviceError> + Send + Sync>;

/// What is asked of every part; see [`Part`] for the answers.
#[derive(Clone, Copy, Debug)]
pub enum Question<'a> {
    /// What all parts know from now on, beside earlier plans and whatever becomes of them: [`Part::plan`]. There is no answer.
    Plan(&'a [u8]),
    /// Something about the rows: [`Part::answer`].
    Query(&'a [u8]),
}

impl fmt::Debug for Parts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Parts").finish_non_exhaustive()
    }
}

impl Parts {
    fn answers(&self, query: &Query) -> Result<Vec<Vec<u64>>, DeviceError> {
        (self.ask)(&Question::Query(&to_bytes(query)?))
    }

    /// The sum of what all parts answer.
    fn sum_answers(&self, query: &Query) -> Result<Vec<u64>, DeviceError> {
        sum(&self.answers(query)?)
    }

    /// The numbers that all parts answer with.
    fn numbers(&self, query: &Query) -> Result<Vec<Vec<u32>>, DeviceError> {
        let answers = self.answers(query)?;
        answers.iter().map(|words| unpacked(words).ok_or_else(strange)).collect()
    }

    fn send_plan(&self, plan: &Plan) -> Result<(), DeviceError> {
        (self.ask)(&Question::Plan(&to_bytes(plan)?)).map(|_| ())
    }

    fn scores(&self, inputs: usize, shape: &Shape, genes: &[f32]) -> Result<Vec<f32>, DeviceError> {
        let found = self.numbers(&Query::Scores(inputs, shape.clone(), genes.to_vec()))?;
        Ok(found.concat().into_iter().map(f32::from_bits).collect())
    }
}

/// Asks parts for what networks need to be ranked.
struct RemoteRanker(Parts);

impl Asks for RemoteRanker {
    fn around(&mut self, around: &Around) -> Result<Vec<u64>, DeviceError> {
        self.0.sum_answers(&Query::Around(around.clone()))
    }

    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, DeviceError> {
        self.0.scores(inputs, shape, genes)
    }
}

/// Learns from rows that lie elsewhere. The head has the names and kinds of their columns, all their categories and the ends of their numbers, and none
/// of its own rows count.
///
/// # Errors
/// As [`Network::fit`](pellucid_learn::learner::Learner::fit), and when a part fails or what is asked for needs the rows themselves.
pub fn fit_parts(
    head: &Dataset,
    parts: &Parts,
    params: Valid<Params>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<Learned<Params, NetworkEnsemble>, RunError<NetworkError>> {
    let schema = possible(head, &params).map_err(RunError::Learner)?;
    let labels = labels(parts).map_err(RunError::Learner)?;
    let codes = &labels.codes;
    let positive: Vec<bool> = codes.iter().map(|&code| code == 1).collect();
    let mut steps = start_run(head, parts, &params, &labels, machine).map_err(RunError::Learner)?;
    let run = driver.run(&mut steps, observer)?;
    let members = vec![steps.member().map_err(RunError::Learner)?];
    let body = body(steps.prepared, steps.shape, members, SCALE, &positive);
    let mut model = NetworkModel::new(LEARNER, params.into_inner(), schema, body);
    let finish = |model: &mut NetworkModel| -> Result<Figures, NetworkError> {
        if driver.should_abandon().is_none() {
            let seed = model.params.seed;
            let rows = sample_rows(&model.model, head.columns.len(), &positive, seed);
            let labels: Vec<bool> = rows.iter().map(|&row| positive[row as usize]).collect();
            let data = values(head, parts, rows)?;
            model.model.effects = effects(&model.model, &data, &labels, machine, seed)?;
        }
        model.model.check(model.schema.classes.len())?;
        let networks = &model.model;
        let scores = networks.scores_by(codes.len(), |member| {
            let scores = parts.scores(ALL, &networks.shape, &member.genes)?;
            if scores.len() == codes.len() { Ok(scores) } else { Err(strange().into()) }
        })?;
        Ok(figures(&scores, codes))
    };
    let train = finish(&mut model).map_err(RunError::Learner)?;
    Ok(Learned { model, run, train, out_of_fold: None, notes: Vec::new() })
}

/// Looks whether what is wanted can be learned from counts; gives what a model remembers of the rows.
fn possible(head: &Dataset, params: &Params) -> Result<Schema, NetworkError> {
    let refused = |field: &'static str, problem: &str| {
        Err(NetworkError::Param(ParamError::saying(field, problem)))
    };
    if params.mode != Mode::Paper {
        return refused(
            "mode",
            "found default, and rows that lie elsewhere are counted: networks are bred on them, with mode paper; the gradient of the default mode adds up fractions, which come out differently in another order",
        );
    }
    if matches!(params.metric, FitnessMetric::Auc | FitnessMetric::LogLoss) {
        return refused(
            "metric",
            "rows that lie elsewhere are counted near the end of the top; 'lift', 'precision' or 'mcc' was expected",
        );
    }
    Ok(TrainingTable::new(head)?.schema())
}

/// What is known of rows at first.
struct Labels {
    /// By part its first row among all.
    starts: Vec<usize>,
    /// By row its class.
    codes: Vec<u32>,
}

fn labels(parts: &Parts) -> Result<Labels, NetworkError> {
    let mut labels = Labels { starts: Vec::new(), codes: Vec::new() };
    for own in parts.numbers(&Query::Labels)? {
        labels.starts.push(labels.codes.len());
        labels.codes.extend(own);
    }
    if labels.codes.iter().any(|&code| code > 1) {
        return Err(strange().into());
    }
    match labels.codes.len() {
        rows if rows > Inputs::MOST_ROWS => Err(InputsError::Rows(rows).into()),
        _ => Ok(labels),
    }
}

/// A run over rows elsewhere of which the classes are known.
fn start_run<'a>(
    head: &Dataset,
    parts: &Parts,
    params: &'a Params,
    Labels { starts, codes }: &Labels,
    machine: &Machine,
) -> Result<PaperRun<'a>, NetworkError> {
    let Split { train, test } = Split::new(codes, None, params.seed);
    let of = |rows: &[u32]| -> Vec<u32> { rows.iter().map(|&row| codes[row as usize]).collect() };
    let fold = assign_folds(&of(&train), None, params.seed);
    let folds = fold.iter().map(|&fold| fold as usize + 1).max().unwrap_or(1);
    let mut roles = vec![RowRole::default(); codes.len()];
    train.iter().zip(&fold).for_each(|(&row, &fold)| roles[row as usize].train(fold));
    test.iter().for_each(|&row| roles[row as usize].hold_out());
    let held_out: Vec<bool> = of(&test).into_iter().map(|code| code == 1).collect();
    let all: Vec<u32> = (0..as_u32(test.len())).collect();
    let positives = |of: &[bool]| of.iter().filter(|&&positive| positive).count();
    let mut totals = vec![(test.len(), positives(&held_out))];
    for (number, half) in halves(&all, &held_out, Streams::new(params.seed)).enumerate() {
        let mut total = (0, 0);
        for ((&row, &positive), _) in test.iter().zip(&held_out).zip(&half).filter(|one| *one.1) {
            roles[row as usize].put_in_half(number);
            total = (total.0 + 1, total.1 + usize::from(positive));
        }
        totals.push(total);
    }
    parts.send_plan(&Plan::Split { starts: starts.clone(), roles, folds })?;
    let names = head.columns.iter().map(|column| &column.name);
    let print = names.fold(Fingerprint::new(), Fingerprint::with);
    let print = parts.sum_answers(&Query::Print)?.into_iter().fold(print, Fingerprint::with_number);
    let counted = survey::column_counts(parts, head, folds)?;
    let CountedPreparation { preparation, training, constant } =
        Preparation::of_counts(head, &counted, folds, &preparation_options(params))?;
    let text = serde_json::to_string(&preparation).map_err(|error| failure(error.to_string()))?;
    parts.send_plan(&Plan::Prepared { preparation: text, training })?;
    let features = preparation.inputs.len();
    let shape = shape(params, features, Width::Raw)?;
    let objective = objective(params, train.len(), Ties::Strict);
    let trained = [(train.len(), of(&train).iter().filter(|&&code| code == 1).count())];
    let inputs = [&trained[..], &totals]
        .map(|totals| Inputs::elsewhere(features, totals).map(Arc::new))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let sample = sample(parts, train, features, params.seed)?;
    let session = Session::elsewhere(inputs, Box::new(RemoteRanker(parts.clone())), Some(sample))?;
    let evaluator = Evaluator::elsewhere(session, objective, shape);
    let prepared = FittedPreparation { preparation, training: Vec::new(), constant };
    Ok(PaperRun::over(params, print, prepared, evaluator, held_out, machine))
}

/// A few training rows, as networks see them.
fn sample(
    parts: &Parts,
    mut train: Vec<u32>,
    features: usize,
    seed: u64,
) -> Result<Inputs, NetworkError> {
    Streams::new(seed).stream(&["sample".into()]).shuffle(&mut train);
    train.truncate(SAMPLE);
    train.sort_unstable();
    let numbers = parts.numbers(&Query::Sample(train.clone()))?.concat();
    if numbers.len() != train.len() * features {
        return Err(strange().into());
    }
    let number = |feature: usize| numbers.iter().skip(feature).step_by(features);
    let column = |feature| number(feature).map(|&bits| f32::from_bits(bits)).collect();
    let columns: Vec<Vec<f32>> = (0..features).map(column).collect();
    Ok(Inputs::unlabelled(&columns)?)
}

/// Some rows, in their order.
fn values(head: &Dataset, parts: &Parts, rows: Vec<u32>) -> Result<Dataset, NetworkError> {
    let (count, width) = (rows.len(), head.columns.len());
    let words = parts.answers(&Query::Values(rows))?.concat();
    if words.len() != count * width {
        return Err(strange().into());
    }
    let code = |word: u64| u32::try_from(word).unwrap_or(MISSING);
    let columns = head.columns.iter().enumerate().map(|(place, column)| {
        let words = words.iter().skip(place).step_by(width).copied();
        let values = match &column.values {
            Values::Numeric(_) => Values::Numeric(words.map(f64::from_bits).collect()),
            Values::Nominal { categories, .. } => {
                Values::Nominal { codes: words.map(code).collect(), categories: categories.clone() }
            }
            Values::Boolean(_) => {
                let truth = |word| [Some(false), Some(true)].get(word as usize).copied().flatten();
                Values::Boolean(words.map(code).map(truth).collect())
            }
        };
        Column { name: column.name.clone(), values }
    });
    let columns = columns.collect();
    Ok(Dataset { name: head.name.clone(), columns, rows: count, ..Dataset::default() })
}
