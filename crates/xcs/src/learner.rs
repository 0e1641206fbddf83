//! The learner as every face knows it: from a table to a model, and what is done with the model.

use crate::compact::{Candidate, Rows, compact};
use crate::conditions::{Conditions, Intervals, Ternary};
use crate::encode::Encoded;
use crate::error::XcsError;
use crate::export;
use crate::model::{Classifiers, Crowd, LEARNER, Member, RuleFigures, XcsModel, as_rules};
use crate::params::{Mode, Params};
use crate::train::TableRun;
use crate::widen::{Aim, widen};
use pellucid_bits::words;
use pellucid_data::Dataset;
use pellucid_device::Threads;
use pellucid_learn::learner::{Applied, DataKind, Export, Learned, Learner, Machine, scores};
use pellucid_learn::model::{Schema, StoredModel};
use pellucid_learn::params::{ParamError, Valid};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Control, Driver, Figures, Observer, Run, RunError};
use pellucid_matching::{Coverage, Domain, Test};
use pellucid_ruleset::apply::AppliedRules;
use pellucid_ruleset::model::{Rule, RuleSet};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::time::Duration;

/// The learner of classifier populations.
#[derive(Clone, Copy, Debug)]
pub struct Xcs;

/// The most examples by which rules are chosen for the model; of more, so many are drawn.
const MOST_JUDGING: usize = 20_000;
/// The most pairs of an example and a class by which they are chosen. Every rule that is taken changes what all classes have
/// in its examples, so of very many classes fewer examples are drawn.
const MOST_PAIRS: usize = 4_000_000;
/// But never fewer than these.
const LEAST_JUDGING: usize = 1_000;
/// How long rules are chosen once the run is to stop: whoever stops it gets a model, and soon.
const LAST_MOMENTS: Duration = Duration::from_millis(400);

impl Learner for Xcs {
    const NAME: &'static str = LEARNER;
    const ABOUT: &'static str =
        "Classifiers: a population of rules that breed where they are right";
    const KIND: DataKind = DataKind::Table;
    const GOES_ON: bool = true;

    type Params = Params;
    type Data = Dataset;
    type Body = Classifiers;
    type Error = XcsError;

    fn fit(
        data: &Dataset,
        params: Valid<Params>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<Learned<Params, Classifiers>, RunError<XcsError>> {
        let mut encoded = Encoded::new(data, &params.class_weights, &machine.threads)
            .map_err(RunError::Learner)?;
        let earlier: Option<XcsModel> = match driver.goes_on_from() {
            None => None,
            Some(stored) => Some(opened(stored).map_err(RunError::Learner)?),
        };
        if let Some(model) = &earlier {
            encoded.know_classes(&model.schema.classes);
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

    fn learns_together(data: &Dataset, params: &Valid<Params>, machine: &Machine) -> bool {
        crate::lockstep::fit::learns_together(data, params, machine)
    }

    fn fit_together(
        jobs: &[(Dataset, Valid<Params>)],
        machine: &Machine,
        threads: &Threads,
        control: &Control,
    ) -> Vec<Option<Learned<Params, Classifiers>>> {
        crate::lockstep::fit::fit_together(jobs, machine, threads, control)
    }

    fn apply(
        model: &XcsModel,
        data: &Dataset,
        machine: &Machine,
    ) -> Result<Box<dyn Applied>, XcsError> {
        Ok(Box::new(AppliedRules::new(&as_rules(model), data, machine)?))
    }

    fn check_model(model: &XcsModel) -> Result<(), XcsError> {
        model.model.check(model.schema.classes.len())
    }

    fn text(model: &XcsModel) -> String {
        export::text(model)
    }

    fn exports() -> &'static [Export<Xcs>] {
        const FORMS: &[Export<Xcs>] = &[
            Export {
                name: "sql",
                help: "Classifiers: a query that predicts",
                write: |model, options| {
                    Ok(pellucid_ruleset::export::sql(
                        &as_rules(model),
                        &options.table,
                        options.view.as_deref(),
                    )?)
                },
            },
            Export {
                name: "python",
                help: "Classifiers: a Python module that predicts",
                write: |model, _| Ok(pellucid_ruleset::export::python(&as_rules(model))?),
            },
            Export {
                name: "csv",
                help: "Classifiers: a table of rules and what is known of them",
                write: |model, options| Ok(export::csv(model, options.spreadsheet)),
            },
            Export {
                name: "html",
                help: "Classifiers: a page for people",
                write: |model, options| Ok(export::html(model, options.part)),
            },
        ];
        FORMS
    }

    fn sizes(model: &XcsModel) -> Figures {
        Figures::new()
            .with("rules", model.model.set.rules.len() as f64)
            .with("comparisons", model.model.set.comparisons() as f64)
    }

    fn summary(model: &XcsModel) -> Map<String, Value> {
        let set = &model.model.set;
        let crowd = model.model.population;
        [
            ("rules", json!(set.rules.len())),
            ("comparisons", json!(set.comparisons())),
            ("population", json!({"rules": crowd.rules, "copies": crowd.copies})),
        ]
        .into_iter()
        .map(|(name, size)| (name.to_owned(), size))
        .collect()
    }

    fn parameter(error: &XcsError) -> Option<&ParamError> {
        error.parameter()
    }

    pellucid_learn::compiled_with_learner!();
}

/// The model that a run goes on from.
fn opened(stored: &StoredModel) -> Result<XcsModel, XcsError> {
    let model: XcsModel = stored.read(LEARNER)?;
    Xcs::check_model(&model)?;
    Ok(model)
}

/// How the conditions of a population are written down.
pub(crate) enum Representation {
    /// Bits, where all columns have two values.
    Bits(Ternary),
    /// Lists of tests otherwise.
    Lists(Intervals),
}

impl Representation {
    /// What fits some data.
    pub(crate) fn of(encoded: &Encoded, params: &Params) -> Representation {
        let domains = encoded.examples.domains();
        let columns = domains.len() as f64;
        let named = params.named.unwrap_or_else(|| usual_columns(columns)).min(columns);
        if domains.iter().all(|&domain| domain == Domain::ordered(2)) {
            return Representation::Bits(Ternary::new(domains.len(), 1.0 - named / columns));
        }
        let Params { bounds, spread, reach, .. } = *params;
        Representation::Lists(Intervals::new(domains, bounds, named / columns, spread, reach))
    }
}

/// The model, with what it does on the data it was learned from.
pub(crate) fn finished(
    data: &Dataset,
    encoded: &Encoded,
    params: Params,
    body: Classifiers,
    run: Run,
    machine: &Machine,
) -> Result<Learned<Params, Classifiers>, XcsError> {
    let schema = only_named(encoded.schema.clone(), &body.set);
    let mut model = XcsModel::new(LEARNER, params, schema, body);
    let applied = AppliedRules::new(&as_rules(&model), data, machine)?;
    let classes = model.schema.classes.len();
    for (index, rule) in model.model.set.rules.iter_mut().enumerate() {
        rule.covered = vec![0; classes];
        for (example, &class) in encoded.classes.iter().enumerate() {
            rule.covered[class as usize] += u64::from(applied.holds(index, example));
        }
    }
    let train = scores(&encoded.classes, &applied.predictions(), classes);
    model.model.importance = crate::importance::importance(&model, &applied, &encoded.classes);
    if !model.params.keep_all {
        model.model.groups = crate::groups::groups(&model, &applied, &encoded.classes);
    }
    Ok(Learned { model, run, train, out_of_fold: None, notes: Vec::new() })
}

/// How many columns a new rule names where nothing is said: all of a few, and ever fewer of many.
fn usual_columns(columns: f64) -> f64 {
    (1.0 + columns.sqrt()).clamp(1.0, 10.0).min(columns)
}

/// Learns, and takes the model out of the population.
fn learn<C: Conditions>(
    encoded: &Encoded,
    params: &Params,
    conditions: C,
    earlier: Option<&XcsModel>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<(Classifiers, Run), RunError<XcsError>> {
    let mut run = TableRun::new(encoded, params, conditions);
    run.match_on(machine);
    if let Some(model) = earlier {
        run.go_on_from(model).map_err(RunError::Learner)?;
    }
    let told = driver.run(&mut run, observer)?;
    let (control, began) = (driver.control(), driver.control().now());
    let is_late =
        || control.should_stop().is_some() && control.now().saturating_sub(began) > LAST_MOMENTS;
    Ok((take_out(&run, encoded, params, &is_late), told))
}

/// The model: all rules by their fitness, or the few that say most. Once it is late, those that were chosen so far.
pub(crate) fn take_out<C: Conditions>(
    run: &TableRun<'_, C>,
    encoded: &Encoded,
    params: &Params,
    is_late: &dyn Fn() -> bool,
) -> Classifiers {
    let population = &run.system().state.population;
    let count = encoded.schema.classes.len();
    let reward = params.life.reward;
    // What foretells no reward speaks against its class; those for it say the same.
    let speaks = |slot: &usize| {
        let rule = &population.rules[*slot];
        match params.mode {
            Mode::Supervised => rule.experience > 0,
            Mode::Reward => f64::from(rule.prediction) > 0.5 * reward,
        }
    };
    let mut slots: Vec<usize> = population.slots().filter(speaks).collect();
    let mut examples = vec![0_u64; count];
    encoded.classes.iter().for_each(|&class| examples[class as usize] += 1);
    let (order, base, accuracy_by_number) = if params.keep_all {
        let fitness = |slot: usize| f64::from(population.rules[slot].fitness);
        let mut order: Vec<(usize, f64, Vec<Test>)> =
            slots.iter().map(|&slot| (slot, fitness(slot), run.tests(slot))).collect();
        order.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        // Where no rule holds, the largest class.
        let rows = encoded.classes.len().max(1) as f64;
        let base = examples.iter().map(|&own| 1e-9 * own as f64 / rows).collect();
        (order, base, Vec::new())
    } else {
        let rows = judging_rows(encoded.examples.rows(), count, params.seed);
        if is_late() {
            // There may be time for some only, so the fittest come first.
            let fitness = |slot: usize| population.rules[slot].fitness;
            slots.sort_by(|&one, &other| {
                fitness(other).total_cmp(&fitness(one)).then(one.cmp(&other))
            });
        }
        let classes: Vec<u32> = rows.iter().map(|&row| encoded.classes[row as usize]).collect();
        let weights = encoded.weights.as_ref().map(|weights| of_rows(weights, &rows));
        let known = Rows { classes: &classes, weights: weights.as_deref() };
        let candidates = candidates(run, encoded, &slots, rows, known, is_late);
        let taken = compact(&candidates, known, count, params.most_rules, is_late);
        let order = taken.taken.iter().map(|&(rule, votes)| {
            let Candidate { slot, tests, .. } = &candidates[rule];
            (*slot, votes, tests.clone())
        });
        (order.collect(), taken.base, taken.accuracy)
    };
    let mut rules = Vec::with_capacity(order.len());
    let mut figures = Vec::with_capacity(order.len());
    for (slot, votes, tests) in order {
        let rule = &population.rules[slot];
        let when = encoded.phrase(&tests);
        rules.push(Rule { when, class: rule.class, votes, covered: Vec::new() });
        let supervised = params.mode == Mode::Supervised;
        figures.push(RuleFigures {
            copies: rule.copies,
            experience: rule.experience,
            accuracy: if supervised {
                rule.accuracy()
            } else {
                f64::from(rule.prediction) / reward
            },
            error: if supervised { 0.0 } else { f64::from(rule.error) / reward },
            fitness: f64::from(rule.fitness),
        });
    }
    let set = RuleSet { base, rules, examples, ..RuleSet::default() };
    let everyone = if params.keep_population { everyone(run, encoded, params) } else { Vec::new() };
    let population = Crowd { rules: population.distinct(), copies: population.copies() };
    let (importance, groups) = (Vec::new(), Vec::new());
    Classifiers { set, figures, accuracy_by_number, importance, groups, population, everyone }
}

/// The whole population in words, to go on from.
fn everyone<C: Conditions>(
    run: &TableRun<'_, C>,
    encoded: &Encoded,
    params: &Params,
) -> Vec<Member> {
    let population = &run.system().state.population;
    #[expect(clippy::cast_possible_truncation, reason = "estimates are kept short")]
    let reward = params.life.reward as f32;
    let member = |slot: usize| {
        let rule = &population.rules[slot];
        Member {
            when: encoded.phrase(&run.tests(slot)),
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
    population.slots().map(member).collect()
}

/// The weights of some rows, one on average.
fn of_rows(weights: &[f64], rows: &[u32]) -> Vec<f64> {
    let own: Vec<f64> = rows.iter().map(|&row| weights[row as usize]).collect();
    let total: f64 = own.iter().sum();
    let scale = if total > 0.0 { rows.len() as f64 / total } else { 1.0 };
    own.iter().map(|weight| weight * scale).collect()
}

/// The rules that may be taken, each freed of what it can do without, and each once.
fn candidates<C: Conditions>(
    run: &TableRun<'_, C>,
    encoded: &Encoded,
    slots: &[usize],
    rows: Vec<u32>,
    known: Rows<'_>,
    is_late: &dyn Fn() -> bool,
) -> Vec<Candidate> {
    let aims = Aim::all(known, encoded.schema.classes.len());
    let mut coverage = Coverage::new(&encoded.examples, rows);
    let mut seen = HashSet::new();
    let mut candidates = Vec::with_capacity(slots.len());
    for &slot in slots {
        if is_late() {
            break;
        }
        let class = run.system().rule(pellucid_bits::as_u32(slot)).class;
        let mut tests = run.tests(slot);
        widen(&mut tests, &aims[class as usize], encoded.examples.domains(), &mut coverage);
        if seen.insert((class, tests.clone())) {
            let covered = coverage.of(&tests).iter().flat_map(|block| block.0).collect::<Vec<_>>();
            let members = words::members(&covered).map(pellucid_bits::as_u32).collect();
            candidates.push(Candidate { class, slot, tests, members });
        }
    }
    candidates
}

/// The rows by which rules are chosen: all, or many of them drawn; of very many classes fewer.
fn judging_rows(rows: usize, classes: usize, seed: u64) -> Vec<u32> {
    let most = (MOST_PAIRS / classes.max(1)).clamp(LEAST_JUDGING, MOST_JUDGING);
    let mut all: Vec<u32> = (0..pellucid_bits::as_u32(rows)).collect();
    if rows > most {
        Streams::new(seed).stream(&["judging".into()]).shuffle(&mut all);
        all.truncate(most);
        all.sort_unstable();
    }
    all
}

/// The columns that the rules name: other data needs no more than these.
fn only_named(mut schema: Schema, set: &RuleSet) -> Schema {
    let mut names = std::collections::BTreeSet::new();
    set.rules.iter().for_each(|rule| crate::importance::columns(&rule.when, &mut names));
    schema.columns.retain(|column| names.contains(&column.name));
    schema
}
