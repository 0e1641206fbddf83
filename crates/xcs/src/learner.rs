//! The learner: trains a model from a table, applies it, and exports it.

use crate::applied::AppliedClassifiers;
use crate::conditions::{Conditions, Intervals, Ternary};
use crate::encode::Encoded;
use crate::error::XcsError;
use crate::export;
use crate::lockstep;
use crate::model::{Classifiers, LEARNER, XcsModel, as_selected_rules, only_named};
use crate::numbers::check_numbers;
use crate::params::Params;
use crate::sizes;
use crate::take_out::take_out;
use crate::train::TableRun;
use pellucid_data::Dataset;
use pellucid_learn::digits::rounded;
use pellucid_learn::learner::{
    Applied, Capabilities, DataKind, Describe, Export, ExportWriter, Fit, FitMany, FitResult,
    Machine, Output, scores,
};
use pellucid_learn::metrics::{Middle, number_scores};
use pellucid_learn::model::StoredModel;
use pellucid_learn::params::Valid;
use pellucid_learn::run::{Driver, Figures, Observer, Run, RunError};
use pellucid_matching::CodeDomain;
use pellucid_ruleset::apply::AppliedRules;
use pellucid_ruleset::model::{Rule, RuleModel, RuleSet};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The classifier system learner.
#[derive(Clone, Copy, Debug)]
pub struct Xcs;

/// The time for the selection of rules after a run was stopped.
const GRACE_PERIOD: Duration = Duration::from_millis(400);

impl Describe for Xcs {
    const NAME: &'static str = LEARNER;
    const ABOUT: &'static str =
        "Learning classifier systems: a population of rules that evolves (UCS, XCSF, XCS)";
    const KIND: DataKind = DataKind::Table;
    const OUTPUT: Output = Output { numbers: true, ..Output::SCORES };

    type Params = Params;
    type Data = Dataset;
    type Body = Classifiers;
    type Error = XcsError;

    fn text(model: &XcsModel) -> String {
        export::text(model)
    }
}

impl Fit for Xcs {
    fn fit(
        data: &Dataset,
        params: Valid<Params>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<FitResult<Params, Classifiers>, RunError<XcsError>> {
        let mut encoded = Encoded::new(data, &params.class_weights, &machine.threads)
            .map_err(RunError::Learner)?;
        let earlier: Option<XcsModel> = match driver.goes_on_from() {
            None => None,
            Some(stored) => Some(open_earlier(stored).map_err(RunError::Learner)?),
        };
        if encoded.numbers.is_some() {
            check_numbers(&params).map_err(|error| RunError::Learner(XcsError::Unknown(error)))?;
        }
        if let Some(model) = &earlier {
            if model.schema.number.is_some() != encoded.numbers.is_some() {
                let earlier = if model.schema.number.is_some() { "a number" } else { "classes" };
                return Err(RunError::Learner(XcsError::OtherTarget { earlier }));
            }
            encoded.add_classes(&model.schema.classes);
        }
        let (encoded, earlier) = (encoded, earlier.as_ref());
        let (body, run) = match Representation::of(&encoded, &params) {
            Representation::Bits(bits) => {
                learn(&encoded, &params, bits, earlier, machine, driver, observer)?
            }
            Representation::Lists(lists) => {
                learn(&encoded, &params, lists, earlier, machine, driver, observer)?
            }
        };
        finished(data, &encoded, params.into_inner(), body, run, machine).map_err(RunError::Learner)
    }

    fn apply(
        model: &XcsModel,
        data: &Dataset,
        machine: &Machine,
    ) -> Result<Box<dyn Applied>, XcsError> {
        Ok(Box::new(AppliedClassifiers::new(model, data, machine)?))
    }

    // Not inlined, so that the procedures it refers to are compiled in this crate and not by its users.
    #[inline(never)]
    fn capabilities() -> Capabilities<Xcs> {
        Capabilities {
            check_model: |model| model.check(model.schema.outputs()),
            exports: EXPORTS,
            sizes: |model| {
                Figures::new()
                    .with("rules", model.set.rules.len() as f64)
                    .with("comparisons", model.set.comparisons() as f64)
            },
            summary: Some(summary),
            resize: Some(sizes::with_rules),
            fold_sizes: Some(sizes::FOLD_SIZES),
            continues: true,
            fit_many: Some(FitMany {
                is_faster: lockstep::fit::learns_together,
                fit: lockstep::fit::fit_together,
            }),
            ..Capabilities::new()
        }
    }
}

const EXPORTS: &[Export<Xcs>] = &[
    Export {
        name: "sql",
        help: "Classifiers: SQL query that predicts",
        write: ExportWriter::Text(|model, options| {
            let (table, view) = (&options.table, options.view.as_deref());
            Ok(pellucid_ruleset::export::sql(&as_selected_rules(model), table, view)?)
        }),
    },
    Export {
        name: "python",
        help: "Classifiers: Python module that predicts",
        write: ExportWriter::Text(|model, _| {
            Ok(pellucid_ruleset::export::python(&as_selected_rules(model))?)
        }),
    },
    Export {
        name: "csv",
        help: "Classifiers: CSV table of the rules and their figures",
        write: ExportWriter::Text(|model, options| Ok(export::csv(model, options.spreadsheet))),
    },
];

/// Returns the sizes of the rules and of the population, and the front of accuracy and size.
fn summary(model: &XcsModel) -> Map<String, Value> {
    let population = model.population;
    let mut summary = Map::new();
    let mut put = |name: &str, value: Value| summary.insert(name.to_owned(), value);
    put("rules", json!(model.set.rules.len()));
    put("comparisons", json!(model.set.comparisons()));
    put("population", json!({"rules": population.rules, "copies": population.copies}));
    if let Some(front) = sizes::front(model) {
        put("front", front);
    }
    summary
}

/// Opens the model that a run continues from.
fn open_earlier(stored: &StoredModel) -> Result<XcsModel, XcsError> {
    let model: XcsModel = stored.read(LEARNER)?;
    model.check(model.schema.outputs())?;
    Ok(model)
}

/// The representation of conditions.
pub(crate) enum Representation {
    /// Bits, if all columns have two values.
    Bits(Ternary),
    /// Lists of tests otherwise.
    Lists(Intervals),
}

impl Representation {
    /// Chooses the representation for some data.
    pub(crate) fn of(encoded: &Encoded, params: &Params) -> Representation {
        let domains = encoded.examples.domains();
        let columns = domains.len() as f64;
        let named = params.named.unwrap_or_else(|| default_columns(columns)).min(columns);
        if domains.iter().all(|&domain| domain == CodeDomain::ordered(2)) {
            return Representation::Bits(Ternary::new(domains.len(), 1.0 - named / columns));
        }
        let Params { bounds, spread, reach, .. } = *params;
        Representation::Lists(Intervals::new(domains, bounds, named / columns, spread, reach))
    }
}

/// The significant digits of the mean number of covered examples.
const MEAN_DIGITS: usize = 7;

/// Completes the model with its coverage, importance and groups on the training data.
pub(crate) fn finished(
    data: &Dataset,
    encoded: &Encoded,
    params: Params,
    mut body: Classifiers,
    run: Run,
    machine: &Machine,
) -> Result<FitResult<Params, Classifiers>, XcsError> {
    let mut schema = encoded.schema.clone();
    let path_rules = body.set.path.iter().flat_map(|path| &path.rules);
    only_named(&mut schema, body.set.rules.iter().chain(path_rules));
    let classes = schema.outputs();
    let numbers = data.number.as_ref().map(|number| &number.values[..]);
    // Counts the covered examples, and returns their mean number, if the target is a number.
    let count = |rules: &mut Vec<Rule>| -> Result<Vec<f64>, XcsError> {
        let set = RuleSet { base: vec![0.0; classes], rules: rules.clone(), ..RuleSet::default() };
        let plain = RuleModel::new(LEARNER, (), schema.clone(), set);
        let applied = AppliedRules::new(&plain, data, machine)?;
        let mut means = Vec::new();
        for (index, rule) in rules.iter_mut().enumerate() {
            let is_covered = |example: usize| applied.holds(index, example);
            rule.covered = vec![0; classes];
            for (example, &class) in encoded.classes.iter().enumerate() {
                rule.covered[class as usize] += u64::from(is_covered(example));
            }
            if let Some(numbers) = numbers {
                let own = (0..numbers.len()).filter(|&example| is_covered(example));
                let own: Vec<f64> = own.map(|example| numbers[example]).collect();
                means.push(rounded(Middle::of(&own).mean, MEAN_DIGITS));
            }
        }
        Ok(means)
    };
    match &mut body.set.path {
        Some(path) => {
            let means = count(&mut path.rules)?;
            let selected = path.selected;
            if let Some(statistics) = &mut body.set.number {
                statistics.means = means;
            }
            sizes::select(&mut body, selected);
        }
        None => {
            let _ = count(&mut body.set.rules)?;
            body.importance = crate::importance::importance(&body.set);
        }
    }
    let mut model = XcsModel::new(LEARNER, params, schema, body);
    let train = complete(&mut model, data, &encoded.classes, machine)?;
    Ok(FitResult { model, run, train, out_of_fold: None, notes: Vec::new() })
}

/// Completes a model with the groups of examples, and returns its scores on the training data.
pub(crate) fn complete(
    model: &mut XcsModel,
    data: &Dataset,
    classes: &[u32],
    machine: &Machine,
) -> Result<Figures, XcsError> {
    let applied = AppliedRules::new(&as_selected_rules(model), data, machine)?;
    if let Some(number) = &data.number {
        let predicted = Applied::predicted(&applied);
        return Ok(number_scores(&number.values, predicted.numbers().unwrap_or_default()));
    }
    if !model.params.keep_all {
        model.body.groups = crate::groups::groups(&model.body, &applied, classes);
    }
    Ok(scores(classes, &applied.predictions(), model.schema.classes.len()))
}

/// Returns the default number of columns in a new rule: all of a few columns, and a smaller share
/// of many.
fn default_columns(columns: f64) -> f64 {
    (1.0 + columns.sqrt()).clamp(1.0, 10.0).min(columns)
}

/// Runs the learning and selects the model from the population.
fn learn<C: Conditions>(
    encoded: &Encoded,
    params: &Params,
    conditions: C,
    earlier: Option<&XcsModel>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<(Classifiers, Run), RunError<XcsError>> {
    let mut run = TableRun::new(encoded, params, conditions, machine.level());
    run.match_on(machine);
    if let Some(model) = earlier {
        run.start_from(model).map_err(RunError::Learner)?;
    }
    let summary = driver.run(&mut run, observer)?;
    let (control, began) = (driver.control(), driver.control().now());
    let is_late =
        || control.should_stop().is_some() && control.now().saturating_sub(began) > GRACE_PERIOD;
    Ok((take_out(&run, encoded, params, &is_late), summary))
}
