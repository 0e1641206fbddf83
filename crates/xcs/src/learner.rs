//! The learner: trains a model from a table, applies it, and exports it.

use crate::compact::{Candidate, WeightedRows, select_rules};
use crate::conditions::{Conditions, Intervals, Ternary};
use crate::encode::Encoded;
use crate::error::XcsError;
use crate::export;
use crate::generalize::{BalancedClass, generalize};
use crate::lockstep;
use crate::model::{
    Classifiers, LEARNER, PopulationSize, RuleFigures, StoredClassifier, XcsModel, as_rules,
};
use crate::params::{Mode, Params};
use crate::population::Classifier;
use crate::refit::{ClassScores, accuracy_by_number, refit};
use crate::train::TableRun;
use pellucid_bits::words;
use pellucid_data::Dataset;
use pellucid_learn::learner::{
    Applied, Capabilities, DataKind, Describe, Export, ExportWriter, Fit, FitMany, FitResult,
    Machine, scores,
};
use pellucid_learn::model::{Schema, StoredModel};
use pellucid_learn::params::Valid;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Driver, Figures, Observer, Run, RunError};
use pellucid_matching::{CodeDomain, Coverage, Test};
use pellucid_program::Expr;
use pellucid_ruleset::apply::AppliedRules;
use pellucid_ruleset::model::{ClassPoints, Rule, RuleSet};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::time::Duration;

/// The classifier system learner.
#[derive(Clone, Copy, Debug)]
pub struct Xcs;

/// The maximum number of examples for the selection of rules; larger tables are sampled.
const MAX_SAMPLE: usize = 20_000;
/// The maximum number of pairs of an example and a class. Every selected rule changes the weights
/// of all classes, so with very many classes fewer examples are used.
const MAX_PAIRS: usize = 4_000_000;
/// The minimum number of sampled examples.
const MIN_SAMPLE: usize = 1_000;
/// The time for the selection of rules after a run was stopped.
const GRACE_PERIOD: Duration = Duration::from_millis(400);

impl Describe for Xcs {
    const NAME: &'static str = LEARNER;
    const ABOUT: &'static str =
        "Classifiers: a learning classifier system that evolves a population of rules (UCS, XCS)";
    const KIND: DataKind = DataKind::Table;

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
        if let Some(model) = &earlier {
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
        Ok(Box::new(AppliedRules::new(&as_rules(model), data, machine)?))
    }

    // Not inlined, so that the procedures it refers to are compiled in this crate and not by its users.
    #[inline(never)]
    fn capabilities() -> Capabilities<Xcs> {
        Capabilities {
            check_model: |model| model.check(model.schema.classes.len()),
            exports: EXPORTS,
            sizes: |model| {
                Figures::new()
                    .with("rules", model.set.rules.len() as f64)
                    .with("comparisons", model.set.comparisons() as f64)
            },
            summary: Some(summary),
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
            Ok(pellucid_ruleset::export::sql(&as_rules(model), table, view)?)
        }),
    },
    Export {
        name: "python",
        help: "Classifiers: Python module that predicts",
        write: ExportWriter::Text(|model, _| {
            Ok(pellucid_ruleset::export::python(&as_rules(model))?)
        }),
    },
    Export {
        name: "csv",
        help: "Classifiers: CSV table of the rules and their figures",
        write: ExportWriter::Text(|model, options| Ok(export::csv(model, options.spreadsheet))),
    },
];

/// Returns the sizes of the rules and of the population.
fn summary(model: &XcsModel) -> Map<String, Value> {
    let population = model.population;
    [
        ("rules", json!(model.set.rules.len())),
        ("comparisons", json!(model.set.comparisons())),
        ("population", json!({"rules": population.rules, "copies": population.copies})),
    ]
    .into_iter()
    .map(|(name, size)| (name.to_owned(), size))
    .collect()
}

/// Opens the model that a run continues from.
fn open_earlier(stored: &StoredModel) -> Result<XcsModel, XcsError> {
    let model: XcsModel = stored.read(LEARNER)?;
    model.check(model.schema.classes.len())?;
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

/// Completes the model with its coverage, importance and groups on the training data.
pub(crate) fn finished(
    data: &Dataset,
    encoded: &Encoded,
    params: Params,
    body: Classifiers,
    run: Run,
    machine: &Machine,
) -> Result<FitResult<Params, Classifiers>, XcsError> {
    let schema = only_named(encoded.schema.clone(), &body.set);
    let mut model = XcsModel::new(LEARNER, params, schema, body);
    let applied = AppliedRules::new(&as_rules(&model), data, machine)?;
    let classes = model.schema.classes.len();
    for (index, rule) in model.body.set.rules.iter_mut().enumerate() {
        rule.covered = vec![0; classes];
        for (example, &class) in encoded.classes.iter().enumerate() {
            rule.covered[class as usize] += u64::from(applied.holds(index, example));
        }
    }
    let train = scores(&encoded.classes, &applied.predictions(), classes);
    model.body.importance = crate::importance::importance(&model, &applied, &encoded.classes);
    if !model.params.keep_all {
        model.body.groups = crate::groups::groups(&model, &applied, &encoded.classes);
    }
    Ok(FitResult { model, run, train, out_of_fold: None, notes: Vec::new() })
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

/// Selects the model from the population: all rules with their fitness as points, or the few rules
/// that explain most. Once `is_late` returns true, the rules selected so far are the model.
pub(crate) fn take_out<C: Conditions>(
    run: &TableRun<'_, C>,
    encoded: &Encoded,
    params: &Params,
    is_late: &dyn Fn() -> bool,
) -> Classifiers {
    let population = &run.system().state.population;
    let reward = params.life.reward;
    // A rule that predicts no reward argues against its class; other rules say the same in favor of
    // another class.
    let is_in_favor = |slot: &usize| {
        let rule = &population.rules[*slot];
        match params.mode {
            Mode::Supervised => rule.experience > 0,
            Mode::Reward => f64::from(rule.prediction) > 0.5 * reward,
        }
    };
    let slots: Vec<usize> = population.slots().filter(is_in_favor).collect();
    let mut examples = vec![0_u64; encoded.schema.classes.len()];
    encoded.classes.iter().for_each(|&class| examples[class as usize] += 1);
    let SelectedRules { rules: selected, base, accuracy_by_number } = if params.keep_all {
        select_all(run, encoded, &slots, &examples)
    } else {
        select_few(run, encoded, params, slots, is_late)
    };
    let mut rules = Vec::with_capacity(selected.len());
    let mut figures = Vec::with_capacity(selected.len());
    for (slot, points, tests) in selected {
        let rule = &population.rules[slot];
        rules.push(to_rule(encoded.to_expr(&tests), rule.class, &points));
        figures.push(rule_figures(rule, params));
    }
    let set = RuleSet { base, rules, examples, ..RuleSet::default() };
    let classifiers =
        if params.keep_population { stored_classifiers(run, encoded, params) } else { Vec::new() };
    let population = PopulationSize { rules: population.distinct(), copies: population.copies() };
    let (importance, groups) = (Vec::new(), Vec::new());
    Classifiers { set, figures, accuracy_by_number, importance, groups, population, classifiers }
}

/// Rules selected from a population.
struct SelectedRules {
    /// The slot, the points for each class and the tests of each rule.
    rules: Vec<(usize, Vec<f64>, Vec<Test>)>,
    /// The starting score of each class.
    base: Vec<f64>,
    accuracy_by_number: Vec<f64>,
}

/// Returns a rule with points for its class, and for other classes if it has any.
fn to_rule(when: Expr, class: u32, points: &[f64]) -> Rule {
    let others = (0..).zip(points).filter(|&(other, &votes)| other != class && votes != 0.0);
    Rule {
        others: others.map(|(class, &votes)| ClassPoints { class, votes }).collect(),
        ..Rule::new(when, class, points[class as usize])
    }
}

/// Returns points for one class alone.
fn for_class(class: u32, votes: f64, count: usize) -> Vec<f64> {
    let mut points = vec![0.0; count];
    points[class as usize] = votes;
    points
}

/// Selects all rules, with their fitness as points.
fn select_all<C: Conditions>(
    run: &TableRun<'_, C>,
    encoded: &Encoded,
    slots: &[usize],
    examples: &[u64],
) -> SelectedRules {
    let population = &run.system().state.population;
    let fitness = |slot: usize| f64::from(population.rules[slot].fitness);
    let mut slots = slots.to_vec();
    slots.sort_by(|&one, &other| fitness(other).total_cmp(&fitness(one)).then(one.cmp(&other)));
    let points =
        |slot: usize| for_class(population.rules[slot].class, fitness(slot), examples.len());
    let rules = slots.into_iter().map(|slot| (slot, points(slot), run.tests(slot))).collect();
    // If no rule applies, the largest class is predicted.
    let rows = encoded.classes.len().max(1) as f64;
    let base = examples.iter().map(|&own| 1e-9 * own as f64 / rows).collect();
    SelectedRules { rules, base, accuracy_by_number: Vec::new() }
}

/// Selects the few rules that explain most.
fn select_few<C: Conditions>(
    run: &TableRun<'_, C>,
    encoded: &Encoded,
    params: &Params,
    mut slots: Vec<usize>,
    is_late: &dyn Fn() -> bool,
) -> SelectedRules {
    let population = &run.system().state.population;
    let count = encoded.schema.classes.len();
    let rows = sample_rows(encoded.examples.rows(), count, params.seed);
    if is_late() {
        // There may not be time for all rules, so the fittest come first.
        let fitness = |slot: usize| population.rules[slot].fitness;
        slots.sort_by(|&one, &other| fitness(other).total_cmp(&fitness(one)).then(one.cmp(&other)));
    }
    let classes: Vec<u32> = rows.iter().map(|&row| encoded.classes[row as usize]).collect();
    let weights = encoded.weights.as_ref().map(|weights| of_rows(weights, &rows));
    let known = WeightedRows { classes: &classes, weights: weights.as_deref() };
    let candidates = candidates(run, encoded, &slots, rows, known, is_late);
    let most = params.most_rules.unwrap_or_else(|| default_rules(count));
    let selection = select_rules(&candidates, known, count, most, is_late);
    let selected = || selection.selected.iter().map(|&(rule, votes)| (&candidates[rule], votes));
    let rules = selected().map(|(rule, votes)| for_class(rule.class, votes, count)).collect();
    let mut scores = ClassScores { base: selection.base.clone(), rules };
    let mut accuracy = selection.accuracy.clone();
    if count > 2 && !is_late() {
        let members: Vec<&[u32]> = selected().map(|(rule, _)| &rule.members[..]).collect();
        let own: Vec<u32> = selected().map(|(rule, _)| rule.class).collect();
        scores = refit(&members, &own, known, scores);
        accuracy = accuracy_by_number(&members, known, &scores);
    }
    let rules = selected().zip(scores.rules);
    SelectedRules {
        rules: rules.map(|((rule, _), points)| (rule.slot, points, rule.tests.clone())).collect(),
        base: scores.base,
        accuracy_by_number: accuracy,
    }
}

/// Returns the default maximum number of rules: ten for each class, but at least 50.
fn default_rules(classes: usize) -> usize {
    (10 * classes).max(50)
}

/// Returns the figures of a rule.
fn rule_figures(rule: &Classifier, params: &Params) -> RuleFigures {
    let reward = params.life.reward;
    let (accuracy, error) = match params.mode {
        Mode::Supervised => (rule.accuracy(), 0.0),
        Mode::Reward => (f64::from(rule.prediction) / reward, f64::from(rule.error) / reward),
    };
    RuleFigures {
        copies: rule.copies,
        experience: rule.experience,
        accuracy,
        error,
        fitness: f64::from(rule.fitness),
    }
}

/// Returns the whole population, to continue from.
fn stored_classifiers<C: Conditions>(
    run: &TableRun<'_, C>,
    encoded: &Encoded,
    params: &Params,
) -> Vec<StoredClassifier> {
    let population = &run.system().state.population;
    #[expect(clippy::cast_possible_truncation, reason = "estimates are kept short")]
    let reward = params.life.reward as f32;
    let stored = |slot: usize| {
        let rule = &population.rules[slot];
        StoredClassifier {
            when: encoded.to_expr(&run.tests(slot)),
            class: rule.class,
            copies: rule.copies,
            experience: rule.experience,
            correct: rule.correct,
            prediction: rule.prediction / reward,
            error: rule.error / reward,
            fitness: rule.fitness,
            niche: rule.niche,
        }
    };
    population.slots().map(stored).collect()
}

/// Returns the weights of some rows, 1 on average.
fn of_rows(weights: &[f64], rows: &[u32]) -> Vec<f64> {
    let own: Vec<f64> = rows.iter().map(|&row| weights[row as usize]).collect();
    let total: f64 = own.iter().sum();
    let scale = if total > 0.0 { rows.len() as f64 / total } else { 1.0 };
    own.iter().map(|weight| weight * scale).collect()
}

/// Returns the rules that can be selected, each generalized and without duplicates.
fn candidates<C: Conditions>(
    run: &TableRun<'_, C>,
    encoded: &Encoded,
    slots: &[usize],
    rows: Vec<u32>,
    known: WeightedRows<'_>,
    is_late: &dyn Fn() -> bool,
) -> Vec<Candidate> {
    let targets = BalancedClass::all(known, encoded.schema.classes.len());
    let level = run.system().matcher.level();
    let mut coverage = Coverage::new(level, &encoded.examples, rows);
    let mut seen = HashSet::new();
    let mut candidates = Vec::with_capacity(slots.len());
    for &slot in slots {
        if is_late() {
            break;
        }
        let class = run.system().rule(pellucid_bits::as_u32(slot)).class;
        let mut tests = run.tests(slot);
        generalize(&mut tests, &targets[class as usize], encoded.examples.domains(), &mut coverage);
        if seen.insert((class, tests.clone())) {
            let covered = coverage.of(&tests).iter().flat_map(|block| block.0).collect::<Vec<_>>();
            let members = words::members(&covered).map(pellucid_bits::as_u32).collect();
            candidates.push(Candidate { class, slot, tests, members });
        }
    }
    candidates
}

/// Samples the rows for the selection of rules; fewer if there are very many classes.
fn sample_rows(rows: usize, classes: usize, seed: u64) -> Vec<u32> {
    let most = (MAX_PAIRS / classes.max(1)).clamp(MIN_SAMPLE, MAX_SAMPLE);
    let mut all: Vec<u32> = (0..pellucid_bits::as_u32(rows)).collect();
    if rows > most {
        Streams::new(seed).stream(&["judging".into()]).shuffle(&mut all);
        all.truncate(most);
        all.sort_unstable();
    }
    all
}

/// Removes the columns that no rule uses from the schema.
fn only_named(mut schema: Schema, set: &RuleSet) -> Schema {
    let mut names = std::collections::BTreeSet::new();
    set.rules.iter().for_each(|rule| crate::importance::columns(&rule.when, &mut names));
    schema.columns.retain(|column| names.contains(&column.name));
    schema
}
