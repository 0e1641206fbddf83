//! Takes the model out of a population: selects its rules, their points, and models of smaller sizes.

use crate::candidates::candidates;
use crate::compact::{Candidate, WeightedRows, select_rules};
use crate::conditions::Conditions;
use crate::encode::Encoded;
use crate::joint_selection::{JointSelection, select_jointly};
use crate::model::{Classifiers, PopulationSize, RuleFigures, StoredClassifier};
use crate::numbers::{self, Numbers};
use crate::params::{Mode, Params};
use crate::population::Classifier;
use crate::refit::{ClassScores, accuracy_by_number, refit};
use crate::sizes;
use crate::train::TableRun;
use pellucid_learn::rng::Streams;
use pellucid_matching::Test;
use pellucid_ruleset::model::{ClassPoints, Rule, RuleSet};
use pellucid_ruleset::number::NumberStatistics;
use pellucid_ruleset::path::{RulePath, SizedModel};

/// The maximum number of examples for the selection of rules; larger tables are sampled.
const MAX_SAMPLE: usize = 20_000;
/// The maximum number of pairs of an example and a class. Every selected rule changes the weights
/// of all classes, so with very many classes fewer examples are used.
const MAX_PAIRS: usize = 4_000_000;
/// The minimum number of sampled examples.
const MIN_SAMPLE: usize = 1_000;

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
    let mut examples = vec![0_u64; encoded.schema.outputs()];
    encoded.classes.iter().for_each(|&class| examples[class as usize] += 1);
    let selected = match &encoded.numbers {
        Some(numbers) => numbers::select_few(run, (encoded, numbers), params, &slots, is_late),
        None if params.keep_all => select_all(run, encoded, &slots, &examples),
        None => select_few(run, encoded, params, slots, is_late),
    };
    let figures = |slot: usize| rule_figures(&population.rules[slot], encoded, params);
    let figures: Vec<RuleFigures> = selected.rules.iter().map(|own| figures(own.slot)).collect();
    let classifiers =
        if params.keep_population { stored_classifiers(run, encoded, params) } else { Vec::new() };
    let size = PopulationSize { rules: population.distinct(), copies: population.copies() };
    let mut taken = Classifiers { classifiers, population: size, ..Classifiers::default() };
    if params.keep_all {
        taken.set = selected.whole(encoded, examples);
        taken.figures = figures;
    } else {
        let path = selected.path(encoded);
        let index = sizes::index_of(&path, params);
        let number = encoded.numbers.as_ref().map(|_| NumberStatistics::default());
        taken.set = RuleSet { path: Some(path), examples, number, ..RuleSet::default() };
        taken.path_figures = figures;
        taken.accuracy_by_number = selected.accuracy_by_number;
        sizes::select(&mut taken, index);
    }
    taken
}

/// A rule selected from a population.
pub(crate) struct SelectedRule {
    pub(crate) slot: usize,
    pub(crate) class: u32,
    pub(crate) tests: Vec<Test>,
}

/// Rules selected from a population.
pub(crate) struct SelectedRules {
    pub(crate) rules: Vec<SelectedRule>,
    /// The points of the first rules in models of several sizes, the smallest first.
    pub(crate) sizes: Vec<ClassScores>,
    pub(crate) accuracy_by_number: Vec<f64>,
}

impl SelectedRules {
    /// Returns a model of all rules, with the points of the largest size.
    fn whole(&self, encoded: &Encoded, examples: Vec<u64>) -> RuleSet {
        let Some(ClassScores { base, rules }) = self.sizes.last() else {
            return RuleSet { base: vec![0.0; examples.len()], examples, ..RuleSet::default() };
        };
        let to_rule = |(own, points): (&SelectedRule, &Vec<f64>)| {
            Rule::new(encoded.to_expr(&own.tests), own.class, points[own.class as usize])
        };
        let rules = self.rules.iter().zip(rules).map(to_rule).collect();
        RuleSet { base: base.clone(), rules, examples, ..RuleSet::default() }
    }

    /// Returns the models of all sizes.
    fn path(&self, encoded: &Encoded) -> RulePath {
        // The classes for which a rule has points in some size, its own first.
        let classes: Vec<Vec<u32>> = (0..)
            .zip(&self.rules)
            .map(|(place, own): (usize, &SelectedRule)| {
                let is_used = |&class: &u32| {
                    let points =
                        |size: &ClassScores| size.rules.get(place)?.get(class as usize).copied();
                    class != own.class
                        && self.sizes.iter().filter_map(points).any(|votes| votes != 0.0)
                };
                let count = pellucid_bits::as_u32(encoded.schema.classes.len());
                std::iter::once(own.class).chain((0..count).filter(is_used)).collect()
            })
            .collect();
        let to_rule = |(own, classes): (&SelectedRule, &Vec<u32>)| Rule {
            others: classes[1..].iter().map(|&class| ClassPoints { class, votes: 0.0 }).collect(),
            ..Rule::new(encoded.to_expr(&own.tests), own.class, 0.0)
        };
        let to_sized = |size: &ClassScores| {
            let points = || size.rules.iter().zip(&classes);
            let of = |points: &[f64], classes: &[u32]| -> Vec<f64> {
                classes.iter().map(|&class| points[class as usize]).collect()
            };
            let others: Vec<Vec<f64>> =
                points().map(|(own, classes)| of(own, &classes[1..])).collect();
            let has_others = others.iter().any(|others| !others.is_empty());
            SizedModel {
                base: size.base.clone(),
                votes: points().map(|(own, classes)| own[classes[0] as usize]).collect(),
                others: if has_others { others } else { Vec::new() },
                ..SizedModel::default()
            }
        };
        RulePath {
            rules: self.rules.iter().zip(&classes).map(to_rule).collect(),
            models: self.sizes.iter().map(to_sized).collect(),
            selected: 0,
        }
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
    let class = |slot: usize| population.rules[slot].class;
    let rule = |&slot: &usize| SelectedRule { slot, class: class(slot), tests: run.tests(slot) };
    let points = |&slot: &usize| for_class(class(slot), fitness(slot), examples.len());
    // If no rule applies, the largest class is predicted.
    let rows = encoded.classes.len().max(1) as f64;
    let base = examples.iter().map(|&own| 1e-9 * own as f64 / rows).collect();
    let sizes = vec![ClassScores { base, rules: slots.iter().map(points).collect() }];
    SelectedRules { rules: slots.iter().map(rule).collect(), sizes, accuracy_by_number: Vec::new() }
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
    let selection = if count > 2 {
        select_jointly(&candidates, known, count, most, is_late)
    } else {
        select_for_own_class(&candidates, known, count, most, is_late)
    };
    let selected: Vec<&Candidate> = selection.order.iter().map(|&rule| &candidates[rule]).collect();
    let members: Vec<&[u32]> = selected.iter().map(|rule| &rule.members[..]).collect();
    let own = if count > 2 {
        selection.raised_classes()
    } else {
        selected.iter().map(|rule| rule.class).collect()
    };
    let fitted = |scores: ClassScores| {
        let (members, own) = (&members[..scores.rules.len()], &own[..scores.rules.len()]);
        if count > 2 && !is_late() { refit(members, own, known, scores) } else { scores }
    };
    let sizes: Vec<ClassScores> = selection.sizes.into_iter().map(fitted).collect();
    let shown = sizes.iter().rfind(|size| size.rules.len() <= params.rules.unwrap_or(usize::MAX));
    let accuracy =
        |size: &ClassScores| accuracy_by_number(&members[..size.rules.len()], known, size);
    let accuracy_by_number = shown.filter(|_| !is_late()).map_or_else(Vec::new, accuracy);
    let to_rule = |(rule, &class): (&&Candidate, &u32)| {
        let Candidate { slot, tests, .. } = *rule;
        SelectedRule { slot: *slot, class, tests: tests.clone() }
    };
    let rules = selected.iter().zip(&own).map(to_rule).collect();
    SelectedRules { rules, sizes, accuracy_by_number }
}

/// Selects rules with points for their own class alone.
fn select_for_own_class(
    candidates: &[Candidate],
    known: WeightedRows<'_>,
    count: usize,
    most: usize,
    is_late: &dyn Fn() -> bool,
) -> JointSelection {
    let found = select_rules(candidates, known, count, most, is_late);
    let points = |(&rule, &votes): (&usize, &f64)| for_class(candidates[rule].class, votes, count);
    let to_scores = |size: &Vec<f64>| ClassScores {
        base: found.base.clone(),
        rules: found.order.iter().zip(size).map(points).collect(),
    };
    JointSelection { sizes: found.sizes.iter().map(to_scores).collect(), order: found.order }
}

/// Returns the default maximum number of rules: ten for each class, but at least 50.
fn default_rules(classes: usize) -> usize {
    (10 * classes).max(50)
}

/// Returns the figures of a rule.
fn rule_figures(rule: &Classifier, encoded: &Encoded, params: &Params) -> RuleFigures {
    let reward = params.life.reward;
    let (prediction, error) = (f64::from(rule.prediction) / reward, f64::from(rule.error) / reward);
    let (accuracy, error) = match (&encoded.numbers, params.mode) {
        (Some(Numbers { scale, .. }), _) => {
            (scale.middle + scale.spread * prediction, scale.spread * error)
        }
        (None, Mode::Supervised) => (rule.accuracy(), 0.0),
        (None, Mode::Reward) => (prediction, error),
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
        let (prediction, error) = (rule.prediction / reward, rule.error / reward);
        let (prediction, error) = match &encoded.numbers {
            None => (prediction, error),
            Some(Numbers { scale, .. }) => (
                short(scale.middle + scale.spread * f64::from(prediction)),
                short(scale.spread * f64::from(error)),
            ),
        };
        StoredClassifier {
            when: encoded.to_expr(&run.tests(slot)),
            class: rule.class,
            copies: rule.copies,
            experience: rule.experience,
            correct: rule.correct,
            prediction,
            error,
            fitness: rule.fitness,
            niche: rule.niche,
        }
    };
    population.slots().map(stored).collect()
}

/// Returns a number in single precision; a very large one becomes the largest of these.
#[expect(clippy::cast_possible_truncation, reason = "estimates are kept short")]
fn short(number: f64) -> f32 {
    number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

/// Returns the weights of some rows, 1 on average.
pub(crate) fn of_rows(weights: &[f64], rows: &[u32]) -> Vec<f64> {
    let own: Vec<f64> = rows.iter().map(|&row| weights[row as usize]).collect();
    let total: f64 = own.iter().sum();
    let scale = if total > 0.0 { rows.len() as f64 / total } else { 1.0 };
    own.iter().map(|weight| weight * scale).collect()
}

/// Samples the rows for the selection of rules; fewer if there are very many classes.
pub(crate) fn sample_rows(rows: usize, classes: usize, seed: u64) -> Vec<u32> {
    let most = (MAX_PAIRS / classes.max(1)).clamp(MIN_SAMPLE, MAX_SAMPLE);
    let mut all: Vec<u32> = (0..pellucid_bits::as_u32(rows)).collect();
    if rows > most {
        Streams::new(seed).stream(&["judging".into()]).shuffle(&mut all);
        all.truncate(most);
        all.sort_unstable();
    }
    all
}
