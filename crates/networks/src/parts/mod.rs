//! Training on remote rows, split into parts, for example on the workers of a cluster.
//!
//! The rows never leave their part. Each part answers queries about its own rows, and the answers
//! are combined: the class of each row, counts of categories by class, quantiles of numbers, and
//! ranks of network scores. Only a sample of a few thousand rows is transferred.
//!
//! [`Parts`] represents all parts on the coordinating process, and [`NetworkPart`] is one of them. Only
//! mode `paper` can be trained this way. It depends only on counts, so the model is identical, byte
//! for byte, to the one that a single process would learn from all rows in the order of the parts.
//! The default mode sums floating-point gradients, and those sums depend on the order.

mod part;
mod query;
mod survey;

pub use part::{NetworkPart, schema};

use crate::default::{objective, shape};
use crate::effects::{effects, sample_rows};
use crate::error::NetworkError;
use crate::evaluator::{Evaluator, halves};
use crate::learner::{body, counts_of_two, two_class_figures};
use crate::metric::FitnessMetric;
use crate::model::{LEARNER, NetworkEnsemble, NetworkModel};
use crate::paper::{PaperRun, SCALE, Split, assign_folds, preparation_options};
use crate::params::{Mode, Params};
use crate::prepare::Labels::Positive;
use crate::prepare::from_counts::CountedPreparation;
use crate::prepare::{FittedPreparation, InputPreparation};
use crate::task::NetworkTask;
use crate::training_table::TrainingTable;
use pellucid_bits::as_u32;
use pellucid_data::{Column, Dataset, MISSING, Values};
use pellucid_device::{DeviceError, Machine};
use pellucid_forward::elsewhere::{Around, Asks};
use pellucid_forward::{Inputs, InputsError, Session, Shape, TieCounting, Width};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::learner::FitResult;
use pellucid_learn::model::Schema;
use pellucid_learn::params::{ParamError, Valid};
use pellucid_learn::parts::{Parts, Request, failure, invalid_answer, sum, to_bytes, unpack};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Driver, Figures, Observer, RunError};
use query::{ALL, Plan, Query, RowRole};
use std::sync::Arc;

/// The number of training rows from which thresholds are estimated.
const SAMPLE: usize = 4096;

/// All remote parts.
#[derive(Clone, Debug)]
pub(crate) struct RemoteRows(Parts);

impl RemoteRows {
    fn answers(&self, query: &Query) -> Result<Vec<Vec<u64>>, DeviceError> {
        (self.0.send)(Request::Query(&to_bytes(query)?))
    }

    /// Returns the sum of the answers of all parts.
    fn sum_answers(&self, query: &Query) -> Result<Vec<u64>, DeviceError> {
        sum(&self.answers(query)?)
    }

    /// Returns the numbers that each part answers with.
    fn numbers(&self, query: &Query) -> Result<Vec<Vec<u32>>, DeviceError> {
        let answers = self.answers(query)?;
        answers.iter().map(|words| unpack(words).ok_or_else(invalid_answer)).collect()
    }

    fn send_plan(&self, plan: &Plan) -> Result<(), DeviceError> {
        (self.0.send)(Request::Plan(&to_bytes(plan)?)).map(|_| ())
    }

    fn scores(&self, inputs: usize, shape: &Shape, genes: &[f32]) -> Result<Vec<f32>, DeviceError> {
        let found = self.numbers(&Query::Scores(inputs, shape.clone(), genes.to_vec()))?;
        Ok(found.concat().into_iter().map(f32::from_bits).collect())
    }
}

/// Ranks networks by asking the parts.
struct RemoteRanker(RemoteRows);

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

/// Trains on remote rows. `head` has the names and types of their columns, all categories and the
/// ranges of numbers; its own rows are not used.
///
/// # Errors
/// As [`Network::fit`](pellucid_learn::learner::Fit::fit), and when a part fails or the
/// parameters need the rows themselves.
pub fn fit_parts(
    head: &Dataset,
    parts: Parts,
    params: Valid<Params>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<FitResult<Params, NetworkEnsemble>, RunError<NetworkError>> {
    let schema = possible(head, &params).map_err(RunError::Learner)?;
    let parts = &RemoteRows(parts);
    let labels = fetch_labels(parts).map_err(RunError::Learner)?;
    let codes = &labels.codes;
    let positive: Vec<bool> = codes.iter().map(|&code| code == 1).collect();
    let mut steps = start_run(head, parts, &params, &labels, machine).map_err(RunError::Learner)?;
    let run = driver.run(&mut steps, observer)?;
    let members = vec![steps.member().map_err(RunError::Learner)?];
    let rows = counts_of_two(&positive);
    let body = body(steps.prepared, steps.shape, members, SCALE, rows);
    let mut model = NetworkModel::new(LEARNER, params.into_inner(), schema, body);
    let finish = |model: &mut NetworkModel| -> Result<Figures, NetworkError> {
        if driver.should_abandon().is_none() {
            let seed = model.params.seed;
            let rows = sample_rows(&model.body, head.columns.len(), &positive, seed);
            let labels: Vec<bool> = rows.iter().map(|&row| positive[row as usize]).collect();
            let data = fetch_rows(head, parts, rows)?;
            model.body.effects = effects(&model.body, &data, Positive(&labels), machine, seed)?;
        }
        model.body.check(&model.schema)?;
        let networks = &model.body;
        let scores = networks.scores_by(0, codes.len(), |genes| {
            let scores = parts.scores(ALL, &networks.shape, genes)?;
            if scores.len() == codes.len() { Ok(scores) } else { Err(invalid_answer().into()) }
        })?;
        Ok(two_class_figures(&scores, codes))
    };
    let train = finish(&mut model).map_err(RunError::Learner)?;
    Ok(FitResult { model, run, train, out_of_fold: None, notes: Vec::new() })
}

/// Checks that the model can be trained from counts. Returns the schema of the model.
fn possible(head: &Dataset, params: &Params) -> Result<Schema, NetworkError> {
    let refuse = |field: &'static str, problem: &str| {
        Err(NetworkError::Param(ParamError::with_problem(field, problem)))
    };
    if params.mode != Mode::Paper {
        return refuse(
            "mode",
            "found default; expected paper, because remote rows provide counts, \
             but the gradients of the default mode depend on the order of the rows",
        );
    }
    if matches!(params.metric, FitnessMetric::Auc | FitnessMetric::LogLoss) {
        return refuse(
            "metric",
            "remote rows are only ranked at the top; expected one of 'lift', 'precision' or 'mcc'",
        );
    }
    let table = TrainingTable::new(head)?;
    if table.task != NetworkTask::TwoClasses {
        let target = head.target_name().unwrap_or_default().to_owned();
        return Err(NetworkError::Distributed { name: head.name.clone(), target });
    }
    Ok(table.schema())
}

/// The classes of all rows.
struct Labels {
    /// The number of the first row of each part.
    starts: Vec<usize>,
    /// The class of each row.
    codes: Vec<u32>,
}

fn fetch_labels(parts: &RemoteRows) -> Result<Labels, NetworkError> {
    let mut labels = Labels { starts: Vec::new(), codes: Vec::new() };
    for own in parts.numbers(&Query::Labels)? {
        labels.starts.push(labels.codes.len());
        labels.codes.extend(own);
    }
    if labels.codes.iter().any(|&code| code > 1) {
        return Err(invalid_answer().into());
    }
    match labels.codes.len() {
        rows if rows > Inputs::MOST_ROWS => Err(InputsError::Rows(rows).into()),
        _ => Ok(labels),
    }
}

/// Starts a run over remote rows.
fn start_run<'a>(
    head: &Dataset,
    parts: &RemoteRows,
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
    let held_out: Vec<bool> = of(&test).into_iter().map(|code| code == 1).collect();
    let totals = hold_out(&test, &held_out, params.seed, &mut roles);
    parts.send_plan(&Plan::Split { starts: starts.clone(), roles, folds })?;
    let names = head.columns.iter().map(|column| &column.name);
    let print = names.fold(Fingerprint::new(), Fingerprint::with);
    let print = parts.sum_answers(&Query::Print)?.into_iter().fold(print, Fingerprint::with_number);
    let counted = survey::column_counts(parts, head, folds)?;
    let CountedPreparation { preparation, training, constant } =
        InputPreparation::of_counts(head, &counted, folds, &preparation_options(params))?;
    let text = serde_json::to_string(&preparation).map_err(|error| failure(error.to_string()))?;
    parts.send_plan(&Plan::Prepared { preparation: text, training })?;
    let features = preparation.inputs.len();
    let shape = shape(params, features, Width::Raw)?;
    let objective = objective(params, train.len(), TieCounting::Strict);
    let trained = [(train.len(), of(&train).iter().filter(|&&code| code == 1).count())];
    let inputs = [&trained[..], &totals]
        .map(|totals| Inputs::elsewhere(features, totals).map(Arc::new))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let sample = fetch_sample(parts, train, features, params.seed)?;
    let session = Session::elsewhere(inputs, Box::new(RemoteRanker(parts.clone())), Some(sample))?;
    let evaluator = Evaluator::remote(session, objective, shape);
    let prepared = FittedPreparation { preparation, training: Vec::new(), constant };
    Ok(PaperRun::over(params, print, prepared, evaluator, held_out, machine))
}

/// Marks the held-out rows and assigns them to halves. Returns the numbers of rows and of positive
/// rows, first of all held-out rows and then of each half.
fn hold_out(
    test: &[u32],
    positive: &[bool],
    seed: u64,
    roles: &mut [RowRole],
) -> Vec<(usize, usize)> {
    test.iter().for_each(|&row| roles[row as usize].hold_out());
    let all: Vec<u32> = (0..as_u32(test.len())).collect();
    let positives = positive.iter().filter(|&&positive| positive).count();
    let mut totals = vec![(test.len(), positives)];
    for (number, half) in halves(&all, positive, Streams::new(seed)).enumerate() {
        let mut total = (0, 0);
        for ((&row, &positive), _) in test.iter().zip(positive).zip(&half).filter(|one| *one.1) {
            roles[row as usize].put_in_half(number);
            total = (total.0 + 1, total.1 + usize::from(positive));
        }
        totals.push(total);
    }
    totals
}

/// Returns a sample of the training rows, prepared as inputs of networks.
fn fetch_sample(
    parts: &RemoteRows,
    mut train: Vec<u32>,
    features: usize,
    seed: u64,
) -> Result<Inputs, NetworkError> {
    Streams::new(seed).stream(&["sample".into()]).shuffle(&mut train);
    train.truncate(SAMPLE);
    train.sort_unstable();
    let numbers = parts.numbers(&Query::Sample(train.clone()))?.concat();
    if numbers.len() != train.len() * features {
        return Err(invalid_answer().into());
    }
    let number = |feature: usize| numbers.iter().skip(feature).step_by(features);
    let column = |feature| number(feature).map(|&bits| f32::from_bits(bits)).collect();
    let columns: Vec<Vec<f32>> = (0..features).map(column).collect();
    Ok(Inputs::unlabelled(&columns)?)
}

/// Returns the values of some rows, in their order.
fn fetch_rows(head: &Dataset, parts: &RemoteRows, rows: Vec<u32>) -> Result<Dataset, NetworkError> {
    let (count, width) = (rows.len(), head.columns.len());
    let words = parts.answers(&Query::Values(rows))?.concat();
    if words.len() != count * width {
        return Err(invalid_answer().into());
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
