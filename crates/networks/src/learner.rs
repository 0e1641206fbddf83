//! The learner: trains a model from a table, applies it, and exports it.

use crate::apply::AppliedNetworks;
use crate::decide::Decision;
use crate::default::DefaultRun;
use crate::effects::{effects, sample_rows};
use crate::error::NetworkError;
use crate::export;
use crate::model::{
    HeldOutEvaluation, LEARNER, Member, MemberOrigin, NetworkEnsemble, NetworkModel, OutputScale,
    RowCounts,
};
use crate::paper::{PaperRun, SCALE};
use crate::params::{Mode, Params};
use crate::parts::{self, NetworkPart};
use crate::prepare::FittedPreparation;
use crate::training_table::TrainingTable;
use pellucid_data::Dataset;
use pellucid_forward::Shape;
use pellucid_learn::learner::{
    Applied, Capabilities, DataKind, Describe, Export, ExportWriter, Fit, FitResult, Machine,
    Output, scores,
};
use pellucid_learn::metrics::{Ranking, Ties};
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
        "Networks: an ensemble of small neural networks that ranks rows of two classes";
    const KIND: DataKind = DataKind::Table;
    const OUTPUT: Output = Output { ranks: true, decides_by_probability: true, ..Output::SCORES };

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
        let (body, run) = match params.mode {
            Mode::Default => {
                let mut steps =
                    DefaultRun::new(&examples, &params, machine).map_err(RunError::Learner)?;
                let run = driver.run(&mut steps, observer)?;
                let members = steps.members().map_err(RunError::Learner)?;
                let (shape, scale) = (steps.shape().clone(), OutputScale::Linear);
                (body(steps.prepared, shape, members, scale, &examples.positive), run)
            }
            Mode::Paper => {
                let mut steps =
                    PaperRun::new(&examples, &params, machine).map_err(RunError::Learner)?;
                let run = driver.run(&mut steps, observer)?;
                let members = vec![steps.member().map_err(RunError::Learner)?];
                (body(steps.prepared, steps.shape, members, SCALE, &examples.positive), run)
            }
        };
        let mut model = NetworkModel::new(LEARNER, params.into_inner(), examples.schema(), body);
        if driver.should_abandon().is_none() {
            let (seed, positive) = (model.params.seed, &examples.positive);
            let rows = sample_rows(&model.body, data.columns.len(), positive, seed);
            let labels: Vec<bool> = rows.iter().map(|&row| positive[row as usize]).collect();
            model.body.effects = effects(&model.body, &data.select(&rows), &labels, machine, seed)
                .map_err(RunError::Learner)?;
        }
        let applied = AppliedNetworks::new(&model, data, machine).map_err(RunError::Learner)?;
        let train = figures(applied.scores(), &examples.codes);
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
                model.check(model.schema.classes.len())?;
                check_calibration(model)
            },
            exports: EXPORTS,
            sizes: |model| {
                Figures::new()
                    .with("networks", model.members.len() as f64)
                    .with("inputs", model.shape.inputs() as f64)
                    .with("numbers", (model.members.len() * model.shape.genes()) as f64)
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
    if !found.is_sound(2) || !largest.is_finite() {
        let problem =
            "the calibration needs a finite slope of at least 0 and a finite offset for each class";
        return Err(NetworkError::Model(problem.to_owned()));
    }
    Ok(())
}

/// Returns the training metrics of scores.
pub(crate) fn figures(found: &[f64], codes: &[u32]) -> Figures {
    let predicted: Vec<u32> = found.iter().map(|&score| Decision::BY_SIGN.class(score)).collect();
    let mut figures = scores(codes, &predicted, 2);
    let positive: Vec<bool> = codes.iter().map(|&code| code == 1).collect();
    if let Ok(ranking) = Ranking::new(found, &positive) {
        figures.set("lift", ranking.lift_at(0.2, Ties::Shared));
        figures.set("auc", ranking.auc());
    }
    figures
}

/// Returns the model without its feature effects.
pub(crate) fn body(
    prepared: FittedPreparation,
    shape: Shape,
    members: Vec<Member>,
    scale: OutputScale,
    positive: &[bool],
) -> NetworkEnsemble {
    let all = positive.len() as u64;
    let positive = positive.iter().filter(|&&positive| positive).count();
    NetworkEnsemble {
        preparation: prepared.preparation,
        shape,
        members,
        scale,
        rows: RowCounts { all, positive: positive as u64 },
        constant: prepared.constant,
        effects: Vec::new(),
        held_out: None,
    }
}
