//! The rule learner: training in all modes, and the operations on its models.

use crate::apply::{AppliedRules, ApplyError};
use crate::card::Scorecard;
use crate::conform::MisfitError;
use crate::default::{DefaultRun, HeldOutRules, RemoteData};
use crate::export;
use crate::g3pmi::G3pMi;
use crate::model::{LEARNER, Rule, RuleModel, RuleSet};
use crate::params::{Mode, Params};
use crate::pareto::Pareto;
use crate::parts::{RemoteRules, RulesPart, unweighted};
use crate::path::RulePath;
use crate::summary::mean_of;
use crate::train::{Machine, RulesError, Training, check_classes, check_counts};
use pellucid_data::{ClassTarget, Dataset, Message};
use pellucid_device::Threads;
use pellucid_export::wrap::paragraph;
use pellucid_learn::digits::rounded;
use pellucid_learn::learner::{
    Applied, Capabilities, DataKind, Describe, Export, ExportWriter, Fit, FitResult, GpuUse,
    LearnerError, Output, scores,
};
use pellucid_learn::metrics::{Middle, number_scores};
use pellucid_learn::model::Schema;
use pellucid_learn::params::{ClassWeights, ParamError, Valid};
use pellucid_learn::parts::{FitParts, HeadNumbers, Parts};
use pellucid_learn::run::{Driver, Figures, Observer, RunError};
use pellucid_program::Expr;
use serde_json::{Map, Value, json};

/// The learner of rules.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

/// From this number of examples on, opening a GPU saves time.
const GPU_EXAMPLES: usize = 2_000_000;

impl Describe for Rules {
    const NAME: &'static str = LEARNER;
    const ABOUT: &'static str = "IF-THEN rules over rows, or over bags of rows";
    const DETAILS: &'static str = "\
In multiple-instance data each example is a bag of rows, and one row is enough to
make it positive: a molecule has a smell because of one of its shapes. The bag
column groups rows into bags; some file formats declare it. Without bags every
row is an example.";
    const KIND: DataKind = DataKind::Table;
    const OUTPUT: Output = Output { numbers: true, ..Output::SCORES };

    type Params = Params;
    type Data = Dataset;
    type Body = RuleSet;
    type Error = RulesError;

    fn text(model: &RuleModel) -> String {
        let decide = decided_for(model).map(|note| paragraph("\n", 0, &note));
        let is_additive = model.card.is_none() && export::sentences::chart(model).is_some();
        let hint = "Mode scorecard gives such a table with whole points and the risk by total.";
        let hint = if is_additive { paragraph("\n", 0, hint) } else { String::new() };
        export::text(&with_own_columns(model)) + &decide.unwrap_or_default() + &hint
    }
}

impl Fit for Rules {
    fn fit(
        data: &Dataset,
        params: Valid<Params>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<FitResult<Params, RuleSet>, RunError<RulesError>> {
        let training = Training::new(data, &machine.threads).map_err(RunError::Learner)?;
        fit(data, training, params, machine, driver, observer)
    }

    fn apply(
        model: &RuleModel,
        data: &Dataset,
        machine: &Machine,
    ) -> Result<Box<dyn Applied>, RulesError> {
        Ok(Box::new(AppliedRules::new(&with_own_columns(model), data, machine)?))
    }

    // Not inlined, so that the procedures it refers to are compiled in this crate and not by its users.
    #[inline(never)]
    fn capabilities() -> Capabilities<Rules> {
        Capabilities {
            check_data: check_classes,
            check_model: |model| Ok(model.check(model.schema.outputs())?),
            exports: EXPORTS,
            sizes: |model| {
                Figures::new()
                    .with("rules", model.rules.len() as f64)
                    .with("comparisons", model.comparisons() as f64)
            },
            summary: Some(summary),
            resize: Some(with_rules),
            miss_costs: |params, classes| params.voting.decide.miss_costs(classes),
            leading_column,
            gpus: GpuUse { fits: uses_gpus, applies: false },
            fit_parts: Some(FitParts {
                numbers: HeadNumbers::All,
                schema: |head| Ok(Training::new(head, &Threads::callers())?.schema),
                part: |head, data, machine| Ok(Box::new(RulesPart::new(head, data, machine)?)),
                fit: fit_parts,
            }),
            ..Capabilities::new()
        }
    }
}

const EXPORTS: &[Export<Rules>] = &[
    Export {
        name: "sql",
        help: "Rules: an SQL query that predicts",
        write: ExportWriter::Text(|model, options| {
            Ok(export::sql(&with_own_columns(model), &options.table, options.view.as_deref())?)
        }),
    },
    Export {
        name: "python",
        help: "Rules: a Python module that predicts",
        write: ExportWriter::Text(|model, _| Ok(export::python(&with_own_columns(model))?)),
    },
    Export {
        name: "csv",
        help: "Rules: a table of the rules, or of the points and the risk of a scorecard",
        write: ExportWriter::Text(|model, _| Ok(export::csv(&with_own_columns(model)))),
    },
];

impl LearnerError for RulesError {
    fn parameter(&self) -> Option<&ParamError> {
        match self {
            RulesError::Param(error) => Some(error),
            RulesError::Apply(error) => match &**error {
                ApplyError::Misfit(MisfitError::Bags(error)) => Some(error),
                _ => None,
            },
            _ => None,
        }
    }

    fn message(&self) -> Message {
        match self {
            RulesError::Data(error) => error.message(),
            RulesError::Param(error) => error.message(),
            other => other.to_string().into(),
        }
    }
}

/// Returns the model with about this many rules.
fn with_rules(model: &RuleModel, rules: usize) -> Option<RuleModel> {
    let path = model.path.as_ref()?;
    let selected = path.index_of_size(rules);
    let mut model = model.clone();
    model.calibration.clone_from(&path.models.get(selected)?.calibration);
    let path = RulePath { selected, ..path.clone() };
    let (number, ordered, card) = (model.number.clone(), model.ordered, model.card.clone());
    // The risk by total and the gain of pairs are known for the selected size only.
    let card = card.map(|card| Scorecard { bands: Vec::new(), pairs: None, ..card });
    let rules = match ordered {
        true => path.list(selected, &model.examples),
        false => path.model(selected, &model.examples),
    };
    model.body = RuleSet { path: Some(path), number, card, ..rules };
    Some(model)
}

/// Returns the column whose rules move scores most; a rule on several columns counts for each.
fn leading_column(model: &RuleModel) -> Option<String> {
    let mut columns: Vec<(String, f64)> = Vec::new();
    for rule in &model.rules {
        let mut own = rule.when.columns();
        own.sort_unstable();
        own.dedup();
        for column in own {
            let contribution = rule.contribution(&model.examples);
            match columns.iter_mut().find(|(known, _)| known == column) {
                Some((_, sum)) => *sum += contribution,
                None => columns.push((column.to_owned(), contribution)),
            }
        }
    }
    columns.into_iter().max_by(|one, other| one.1.total_cmp(&other.1)).map(|(column, _)| column)
}

/// Returns the numbers of rules and comparisons.
fn summary(model: &RuleModel) -> Map<String, Value> {
    let sizes = [("rules", model.rules.len()), ("comparisons", model.comparisons())];
    sizes.into_iter().map(|(name, size)| (name.to_owned(), json!(size))).collect()
}

/// Trains on distributed rows. `head` has all their values; its own rows do not count.
///
/// # Errors
/// As [`Rules::fit`](Fit::fit), and if a part fails or the mode does not support distributed
/// rows.
pub fn fit_parts(
    head: &Dataset,
    parts: Parts,
    params: Valid<Params>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<FitResult<Params, RuleSet>, RunError<RulesError>> {
    unweighted(head).map_err(RunError::Learner)?;
    let what = if head.bags.is_some() { "bag" } else { "row" };
    let mut training = Training::new(head, &machine.threads).map_err(RunError::Learner)?;
    check_counts(&head.name, &training.classes, &parts.examples, what)
        .map_err(RunError::Learner)?;
    training.parts = Some(RemoteRules(parts));
    fit(head, training, params, machine, driver, observer)
}

/// Returns the classes of remote examples as data without columns, and the remote data; `None` if
/// examples are local.
fn remote_labels<'a>(
    head: &'a Dataset,
    training: &mut Training,
    params: &Params,
) -> Result<Option<(Dataset, RemoteData<'a>)>, RulesError> {
    let Some(parts) = training.parts.clone() else { return Ok(None) };
    if training.classes.len() == 2 && params.voting.prefer_one_rule {
        let problem =
            "a short list cannot be searched for in distributed rows; expected always_vote";
        return Err(ParamError::with_problem("always_vote", problem).into());
    }
    if params.class_weights != ClassWeights::default() {
        let problem = "class weights are not supported for distributed rows";
        return Err(ParamError::with_problem("class_weight", problem).into());
    }
    let labels = parts.labels()?;
    let sizes = labels.iter().map(Vec::len).collect();
    training.codes = labels.concat();
    let codes = training.codes.clone();
    let target = head.target.as_ref().map(|target| ClassTarget { codes, ..target.clone() });
    let data = Dataset {
        name: head.name.clone(),
        rows: training.codes.len(),
        target,
        ..Dataset::default()
    };
    Ok(Some((data, RemoteData { head, parts, sizes })))
}

fn fit(
    data: &Dataset,
    mut training: Training,
    params: Valid<Params>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<FitResult<Params, RuleSet>, RunError<RulesError>> {
    let schema = training.schema.clone();
    let (mut out_of_fold, mut calibration) = (None, None);
    let mut held_out_rules = HeldOutRules::default();
    if training.numbers.is_some()
        && matches!(params.mode, Mode::G3pMi | Mode::Pareto | Mode::Scorecard)
    {
        let (name, mode) = (data.name.clone(), params.mode);
        return Err(RunError::Learner(RulesError::Number { name, mode }));
    }
    if training.parts.is_some() && params.mode == Mode::List {
        let (name, mode) = (data.name.clone(), params.mode);
        return Err(RunError::Learner(RulesError::Distributed { name, mode }));
    }
    let parts = training.parts.clone();
    let finds = finds(&params);
    let (rules, run) = match params.mode {
        Mode::Default | Mode::List | Mode::Scorecard => {
            let remote = remote_labels(data, &mut training, &params).map_err(RunError::Learner)?;
            let (data, remote) = match &remote {
                None => (data, None),
                Some((labels, remote)) => (labels, Some(remote.clone())),
            };
            let mut run = DefaultRun::of(data, remote, training, params.clone(), machine, driver)
                .map_err(RunError::Learner)?;
            let run_report = driver.run(&mut run, observer)?;
            out_of_fold = run.out_of_fold();
            calibration = out_of_fold.as_ref().and_then(|scores| run.calibration(scores));
            if let Some(scores) = &mut out_of_fold {
                scores.by_size = run.out_of_fold_by_size();
            }
            let mut rules = run.model();
            if let Some(path) = &mut rules.path
                && let Some(stop) = path.models.get_mut(path.selected)
            {
                stop.calibration.clone_from(&calibration);
            }
            held_out_rules = run.held_out_rules(&rules);
            (Ok(rules), run_report)
        }
        Mode::Pareto => {
            let mut run =
                Pareto::new(training, params.clone(), machine).map_err(RunError::Learner)?;
            let run_report = driver.run(&mut run, observer)?;
            (run.model(), run_report)
        }
        Mode::G3pMi => {
            let mut run =
                G3pMi::new(training, params.clone(), machine).map_err(RunError::Learner)?;
            let run_report = driver.run(&mut run, observer)?;
            (run.model(), run_report)
        }
    };
    let rules = rules.map_err(RunError::Learner)?;
    let schema = only_named(schema, rules.rules.iter().chain(&rules.front).chain(found(&rules)));
    let params = params.into_inner();
    let mut model = RuleModel::new(LEARNER, params, schema, rules);
    model.calibration = calibration;
    let train = match &parts {
        // If rules were found without a GPU, counting on the CPU is faster than opening a GPU.
        None if finds => counted(&mut model, data, &machine.clone().undisturbed()),
        None => counted(&mut model, data, machine),
        Some(parts) => parts.evaluate(&mut model),
    };
    let train = train.map_err(RunError::Learner)?;
    if let Some(scores) = &mut out_of_fold {
        scores.coverage = held_out_rules.in_order_of(&model.body);
    }
    Ok(FitResult { model, run, train, out_of_fold, notes: Vec::new() })
}

/// Returns whether training on a number of examples uses GPUs: populations of rules always do, and the search
/// for one rule after the other does if that saves more time than opening a GPU takes.
fn uses_gpus(params: &Params, examples: usize) -> bool {
    match params.mode {
        Mode::Default | Mode::Scorecard => examples >= GPU_EXAMPLES,
        Mode::List => false,
        _ => true,
    }
}

/// Returns whether rules are found one after the other.
fn finds(params: &Params) -> bool {
    matches!(params.mode, Mode::Default | Mode::List | Mode::Scorecard)
}

/// Records the number of examples and the coverage of each rule in the model; returns the training
/// scores.
fn counted(
    model: &mut RuleModel,
    data: &Dataset,
    machine: &Machine,
) -> Result<Figures, RulesError> {
    let codes = data.example_codes();
    let classes = model.schema.outputs();
    model.body.examples = vec![0; classes];
    codes.iter().for_each(|&code| model.body.examples[code as usize] += 1);
    let applied = AppliedRules::new(model, data, machine)?;
    count(&mut model.body.rules, &applied, (&codes, classes), &machine.threads);
    let train = match &data.number {
        Some(number) => {
            let predicted: Vec<f64> =
                (0..codes.len()).map(|example| applied.votes(example)[0]).collect();
            number_scores(&number.values, &predicted)
        }
        None => scores(&codes, &applied.predictions(), classes),
    };
    let means = data.number.as_ref().map(|number| means(&applied, &number.values));
    if let Some(mut path) = model.body.path.take() {
        let mut all = model.clone();
        all.body.rules = path.rules;
        let applied = AppliedRules::new(&all, data, machine)?;
        count(&mut all.body.rules, &applied, (&codes, classes), &machine.threads);
        if let (Some(about), Some(number)) = (&mut model.body.number, &data.number) {
            about.means = self::means(&applied, &number.values);
        }
        path.rules = all.body.rules;
        model.body.path = Some(path);
        by_weight(&mut model.body);
    } else if let (Some(about), Some(means)) = (&mut model.body.number, means) {
        about.means = means;
    }
    if !model.body.front.is_empty() {
        let rules = std::mem::take(&mut model.body.front);
        let mut front = model.clone();
        front.body.rules = rules;
        let applied = AppliedRules::new(&front, data, machine)?;
        count(&mut front.body.rules, &applied, (&codes, classes), &machine.threads);
        model.body.front = front.body.rules;
    }
    Ok(train)
}

/// Sorts rules by how much they explain, once their coverage is known.
pub(crate) fn by_weight(model: &mut RuleSet) {
    if let (Some(path), false) = (&model.path, model.ordered) {
        model.rules = path.model(path.selected, &model.examples).rules;
    }
}

/// Returns whether a rule decides an example: it applies and, in a list, no earlier rule does.
fn takes(applied: &AppliedRules, rule: usize, example: usize) -> bool {
    applied.holds(rule, example)
        && !(applied.is_ordered() && (0..rule).any(|before| applied.holds(before, example)))
}

/// Returns the mean target of the examples that each rule decides, rounded.
fn means(applied: &AppliedRules, numbers: &[f64]) -> Vec<f64> {
    let mean = |rule: usize| {
        let own = numbers.iter().enumerate().filter(|(example, _)| takes(applied, rule, *example));
        let own: Vec<f64> = own.map(|(_, number)| *number).collect();
        rounded(Middle::of(&own).mean, 7)
    };
    (0..applied.rules()).map(mean).collect()
}

/// Records the number of examples of each class that each rule covers.
pub(crate) fn count(
    rules: &mut [Rule],
    applied: &AppliedRules,
    (codes, classes): (&[u32], usize),
    threads: &Threads,
) {
    threads.each(rules, |index, rule| {
        rule.covered = vec![0; classes];
        (0..codes.len())
            .filter(|&example| takes(applied, index, example))
            .for_each(|example| rule.covered[codes[example] as usize] += 1);
    });
}

/// Returns the rules of models of all sizes.
fn found(rules: &RuleSet) -> impl Iterator<Item = &Rule> {
    rules.path.iter().flat_map(|path| &path.rules)
}

/// Returns the note on the decision threshold, if there is one.
#[must_use]
pub fn decided_for(model: &RuleModel) -> Option<String> {
    model.params.voting.decide.describe(&model.schema.classes)
}

/// Returns the model with only the columns of its own rules, without those of other sizes.
#[must_use]
pub fn with_own_columns(model: &RuleModel) -> RuleModel {
    let rules = model.body.rules.iter().chain(&model.body.front);
    RuleModel { schema: only_named(model.schema.clone(), rules), ..model.clone() }
}

/// Returns a schema with only the columns that some rules use: new data needs no others.
fn only_named<'a>(mut schema: Schema, rules: impl Iterator<Item = &'a Rule>) -> Schema {
    let mut names = Vec::new();
    for rule in rules {
        named(&rule.when, schema.bag.is_some(), &mut names);
    }
    schema.columns.retain(|column| names.contains(&column.name));
    schema
}

/// Collects the columns of an expression; outside of rows the names are summaries.
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
