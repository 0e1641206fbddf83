//! The learner: trains a model from a table, applies it, and exports it.

use crate::apply::AppliedNetworks;
use crate::decide::Decision;
use crate::default::DefaultRun;
use crate::effects::{effects, sample_any_rows, sample_rows};
use crate::error::NetworkError;
use crate::export;
use crate::model::{
    FeatureEffect, HeldOutEvaluation, LEARNER, Member, MemberOrigin, NetworkEnsemble, NetworkModel,
    OutputScale, RowCounts,
};
use crate::outputs::OutputsRun;
use crate::paper::{PaperRun, SCALE};
use crate::params::{Mode, Params};
use crate::parts::{self, NetworkPart};
use crate::prepare::{FittedPreparation, Labels};
use crate::task::NetworkTask;
use crate::training_table::TrainingTable;
use pellucid_data::Dataset;
use pellucid_forward::Shape;
use pellucid_learn::learner::{
    Applied, Capabilities, DataKind, Describe, Export, ExportWriter, Fit, FitResult, Machine,
    Output, Predicted, scores,
};
use pellucid_learn::metrics::{Ranking, Ties, number_scores};
use pellucid_learn::params::Valid;
use pellucid_learn::parts::{FitParts, HeadNumbers};
use pellucid_learn::run::{Driver, Figures, Observer, RunError};
use serde_json::{Map, Value, json};

/// The network learner.
#[derive(Clone, Copy, Debug)]
pub struct Network;

impl Describe for Network {
    const NAME: &'static str = LEARNER;
    const ABOUT: &'static str =
        "Networks: an ensemble of small neural networks that predicts classes or numbers";
    const DETAILS: &'static str = "\
The target has two classes, more classes, or is a number. For two classes, a search
improves the ranking after gradient descent. More classes and numbers are learned by
gradient descent alone: the parameters of the search need two classes.";
    const KIND: DataKind = DataKind::Table;
    const OUTPUT: Output =
        Output { numbers: true, ranks: true, decides_by_probability: true, ..Output::SCORES };

    type Params = Params;
    type Data = Dataset;
    type Body = NetworkEnsemble;
    type Error = NetworkError;

    fn text(model: &NetworkModel) -> String {
        export::text(model)
    }
}

impl Fit for Network {
    fn fit(
        data: &Dataset,
        params: Valid<Params>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<FitResult<Params, NetworkEnsemble>, RunError<NetworkError>> {
        let examples = TrainingTable::new(data).map_err(RunError::Learner)?;
        let two = || counts_of_two(&examples.positive);
        let (body, run) = match (examples.task, params.mode) {
            (NetworkTask::TwoClasses, Mode::Default) => {
                let mut steps =
                    DefaultRun::new(&examples, &params, machine).map_err(RunError::Learner)?;
                let run = driver.run(&mut steps, observer)?;
                let members = steps.members().map_err(RunError::Learner)?;
                let (shape, scale) = (steps.shape().clone(), OutputScale::Linear);
                (body(steps.prepared, shape, members, scale, two()), run)
            }
            (NetworkTask::TwoClasses, Mode::Paper) => {
                let mut steps =
                    PaperRun::new(&examples, &params, machine).map_err(RunError::Learner)?;
                let run = driver.run(&mut steps, observer)?;
                let members = vec![steps.member().map_err(RunError::Learner)?];
                (body(steps.prepared, steps.shape, members, SCALE, two()), run)
            }
            (task, _) => {
                let mut steps =
                    OutputsRun::new(&examples, &params, machine).map_err(RunError::Learner)?;
                let run = driver.run(&mut steps, observer)?;
                let (members, scale) = (steps.members(), OutputScale::Linear);
                let rows = counts(&examples);
                let body = body(steps.prepared, steps.shape, members, scale, rows);
                (NetworkEnsemble { outputs: task.outputs(), ..body }, run)
            }
        };
        let mut model = NetworkModel::new(LEARNER, params.into_inner(), examples.schema(), body);
        if driver.should_abandon().is_none() {
            model.body.effects =
                effects_of(&model, &examples, machine).map_err(RunError::Learner)?;
        }
        let applied = AppliedNetworks::new(&model, data, machine).map_err(RunError::Learner)?;
        let train = figures(&applied, &examples);
        Ok(FitResult { model, run, train, out_of_fold: None, notes: Vec::new() })
    }

    fn apply(
        model: &NetworkModel,
        data: &Dataset,
        machine: &Machine,
    ) -> Result<Box<dyn Applied>, NetworkError> {
        Ok(Box::new(AppliedNetworks::new(model, data, machine)?))
    }

    // Not inlined, so that the procedures it refers to are compiled in this crate and not by its users.
    #[inline(never)]
    fn capabilities() -> Capabilities<Network> {
        Capabilities {
            check_data: |data| TrainingTable::new(data).map(|_| ()),
            check_model: |model| {
                model.check(&model.schema)?;
                check_calibration(model)
            },
            exports: EXPORTS,
            sizes: |model| {
                Figures::new()
                    .with("networks", model.members.len() as f64)
                    .with("inputs", model.shape.inputs() as f64)
                    .with("numbers", (model.members.len() * model.genes()) as f64)
            },
            summary: Some(summary),
            record_held_out: Some(|model, decisions| {
                model.body.held_out = HeldOutEvaluation::new(decisions);
            }),
            fit_parts: Some(FitParts {
                numbers: HeadNumbers::Range,
                schema: parts::schema,
                part: |head, data, machine| Ok(Box::new(NetworkPart::new(head, data, machine)?)),
                fit: parts::fit_parts,
            }),
            ..Capabilities::new()
        }
    }
}

const EXPORTS: &[Export<Network>] = &[
    Export {
        name: "formula",
        help: "Networks: formula to compute a prediction by hand",
        write: ExportWriter::Text(|model, _| Ok(export::formula(model))),
    },
    Export {
        name: "latex",
        help: "Networks: the same formula as LaTeX equations",
        write: ExportWriter::Text(|model, _| Ok(export::latex(model))),
    },
    Export {
        name: "sql",
        help: "Networks: SQL query that computes scores",
        write: ExportWriter::Text(|model, options| {
            Ok(export::sql(model, &options.table, options.view.as_deref())?)
        }),
    },
    Export {
        name: "python",
        help: "Networks: Python module that computes scores",
        write: ExportWriter::Text(|model, _| Ok(export::python(model))),
    },
    Export {
        name: "onnx",
        help: "Networks: ONNX file, including the preparation of the inputs",
        write: ExportWriter::Binary(|model, _| Ok(export::onnx(model))),
    },
];

/// Returns the numbers of networks, nodes and inputs.
fn summary(model: &NetworkModel) -> Map<String, Value> {
    let bred = |member: &&Member| member.origin == MemberOrigin::Search;
    let members = &model.body.members;
    let nodes: usize = model.body.shape.layers().iter().map(|layer| layer.nodes).sum();
    [
        ("networks", json!(members.len())),
        ("bred", json!(members.iter().filter(bred).count())),
        ("nodes", json!(nodes)),
        ("inputs", json!(model.body.shape.inputs())),
    ]
    .into_iter()
    .map(|(name, size)| (name.to_owned(), size))
    .collect()
}

/// Checks the calibration of a model file.
fn check_calibration(model: &NetworkModel) -> Result<(), NetworkError> {
    let Some(found) = &model.calibration else { return Ok(()) };
    let largest = found.slope * f64::from(f32::MAX);
    if !found.is_sound(model.schema.classes.len()) || !largest.is_finite() {
        let problem =
            "the calibration needs a finite slope of at least 0 and a finite offset for each class";
        return Err(NetworkError::Model(problem.to_owned()));
    }
    Ok(())
}

/// Returns the importance and the effects of the columns on a sample of the training rows.
fn effects_of(
    model: &NetworkModel,
    examples: &TrainingTable<'_>,
    machine: &Machine,
) -> Result<Vec<FeatureEffect>, NetworkError> {
    let (seed, body, data) = (model.params.seed, &model.body, examples.data);
    let (columns, positive) = (data.columns.len(), &examples.positive);
    let rows = match examples.task {
        NetworkTask::TwoClasses => sample_rows(body, columns, positive, seed),
        _ => sample_any_rows(body, columns, data.rows, seed),
    };
    let positive: Vec<bool> = rows.iter().map(|&row| positive[row as usize]).collect();
    let codes: Vec<u32> = rows.iter().map(|&row| examples.codes[row as usize]).collect();
    let sample = data.select(&rows);
    let numbers: &[f64] = sample.number.as_ref().map_or(&[], |number| &number.values);
    let labels = match examples.task {
        NetworkTask::TwoClasses => Labels::Positive(&positive),
        NetworkTask::Classes(classes) => Labels::Classes(&codes, classes),
        NetworkTask::Number => Labels::Numbers(numbers),
    };
    effects(body, &sample, labels, machine, seed)
}

/// Returns the training metrics.
fn figures(applied: &AppliedNetworks, examples: &TrainingTable<'_>) -> Figures {
    match applied.predicted() {
        Predicted::Numbers(numbers) => number_scores(examples.numbers(), numbers),
        Predicted::Classes(predicted) => match examples.task {
            NetworkTask::Classes(classes) => scores(&examples.codes, predicted, classes),
            _ => two_class_figures(applied.first_scores(), &examples.codes),
        },
    }
}

/// Returns the training metrics of scores of two classes.
pub(crate) fn two_class_figures(found: &[f64], codes: &[u32]) -> Figures {
    let predicted: Vec<u32> = found.iter().map(|&score| Decision::BY_SIGN.class(score)).collect();
    let mut figures = scores(codes, &predicted, 2);
    let positive: Vec<bool> = codes.iter().map(|&code| code == 1).collect();
    if let Ok(ranking) = Ranking::new(found, &positive) {
        figures.set("lift", ranking.lift_at(0.2, Ties::Shared));
        figures.set("auc", ranking.auc());
    }
    figures
}

/// Returns the number of rows, and of positive rows.
pub(crate) fn counts_of_two(positive: &[bool]) -> RowCounts {
    let of = positive.iter().filter(|&&positive| positive).count();
    RowCounts { all: positive.len() as u64, positive: of as u64, by_class: Vec::new() }
}

/// Returns the number of rows, and of rows of each class if there are classes.
fn counts(examples: &TrainingTable<'_>) -> RowCounts {
    let mut by_class = Vec::new();
    if let NetworkTask::Classes(classes) = examples.task {
        by_class = vec![0; classes];
        examples.codes.iter().for_each(|&code| by_class[code as usize] += 1);
    }
    RowCounts { all: examples.codes.len() as u64, positive: 0, by_class }
}

/// Returns the model without its feature effects.
pub(crate) fn body(
    prepared: FittedPreparation,
    shape: Shape,
    members: Vec<Member>,
    scale: OutputScale,
    rows: RowCounts,
) -> NetworkEnsemble {
    NetworkEnsemble {
        preparation: prepared.preparation,
        shape,
        outputs: 1,
        members,
        scale,
        rows,
        constant: prepared.constant,
        effects: Vec::new(),
        held_out: None,
    }
}
