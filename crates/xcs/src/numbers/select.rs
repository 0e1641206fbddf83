//! Selects the rules of a model that predicts a number.

use super::Numbers;
use super::residual::{Residuals, Share};
use super::sets::fit_sets;
use crate::compact::SIZES;
use crate::conditions::Conditions;
use crate::encode::Encoded;
use crate::generalize::{CoverageGain, generalize};
use crate::params::Params;
use crate::refit::ClassScores;
use crate::take_out::{SelectedRule, SelectedRules, of_rows, sample_rows};
use crate::train::TableRun;
use pellucid_bits::{Block, words};
use pellucid_matching::{Coverage, Test};
use pellucid_ruleset::number::{Loss, NumberFit};
use std::collections::{BTreeMap, HashSet};

/// The default maximum number of rules.
const MOST_RULES: usize = 50;
/// In each step at most this many rules are generalized, each on other columns.
const MOST_GENERALIZED: usize = 30;
/// The minimum squared z-score of a rule. The best of many hundred rules looks good by chance.
const MIN_SIGNIFICANCE: f64 = 6.0;

/// A rule of the population.
struct PoolRule {
    slot: usize,
    tests: Vec<Test>,
    covered: Vec<Block>,
}

/// Selects the few rules that explain most: each time the one that reduces the squared error of the
/// others most. All amounts are fitted again after each rule.
pub(crate) fn select_few<C: Conditions>(
    run: &TableRun<'_, C>,
    (encoded, numbers): (&Encoded, &Numbers),
    params: &Params,
    slots: &[usize],
    is_late: &dyn Fn() -> bool,
) -> SelectedRules {
    let rows = sample_rows(encoded.examples.rows(), 1, params.seed);
    let values: Vec<f64> = rows.iter().map(|&row| numbers.values[row as usize]).collect();
    let weights = encoded.weights.as_ref().map(|weights| of_rows(weights, &rows));
    let weights = weights.unwrap_or_else(|| vec![1.0; rows.len()]);
    let mut fit = NumberFit::new(&values, weights.into(), Loss::Squared);
    fit.refit();
    let mut coverage = Coverage::new(run.system().matcher.level(), &encoded.examples, rows);
    let pool = pool(run, slots, &mut coverage, is_late);
    let (mut rules, mut sizes): (Vec<SelectedRule>, Vec<ClassScores>) = (Vec::new(), Vec::new());
    let most = params.most_rules.unwrap_or(MOST_RULES);
    while rules.len() < most && !is_late() {
        let residuals = Residuals::of(&fit);
        let found = best_rule(&pool, &residuals, encoded, &mut coverage, &rules);
        let Some((rule, sums)) = found else { break };
        if residuals.significance(sums) < MIN_SIGNIFICANCE {
            break;
        }
        if SIZES.contains(&rules.len()) {
            sizes.push(scores(&fit));
        }
        let covered: Vec<u64> = coverage.of(&rule.tests).iter().flat_map(|block| block.0).collect();
        let members: Vec<u32> = words::members(&covered).map(pellucid_bits::as_u32).collect();
        fit.add_rule(&members, sums.residual > 0.0);
        fit.refit();
        rules.push(rule);
    }
    sizes.push(scores(&fit));
    SelectedRules { rules, sizes, accuracy_by_number: Vec::new() }
}

/// Returns the starting value and the amounts of the rules so far.
fn scores(fit: &NumberFit) -> ClassScores {
    let (base, amounts) = fit.rounded();
    ClassScores {
        base: vec![base],
        rules: amounts.into_iter().map(|amount| vec![amount]).collect(),
    }
}

/// Returns the rules of the population, those with the same condition once.
fn pool<C: Conditions>(
    run: &TableRun<'_, C>,
    slots: &[usize],
    coverage: &mut Coverage<'_>,
    is_late: &dyn Fn() -> bool,
) -> Vec<PoolRule> {
    let mut seen = HashSet::new();
    let mut pool = Vec::with_capacity(slots.len());
    for &slot in slots {
        if is_late() {
            break;
        }
        let tests = run.tests(slot);
        if !tests.is_empty() && seen.insert(tests.clone()) {
            let covered = coverage.of(&tests).to_vec();
            pool.push(PoolRule { slot, tests, covered });
        }
    }
    pool
}

/// Returns the rule with the largest gain after it is generalized, and its sums.
fn best_rule(
    pool: &[PoolRule],
    residuals: &Residuals,
    encoded: &Encoded,
    coverage: &mut Coverage<'_>,
    selected: &[SelectedRule],
) -> Option<(SelectedRule, Share)> {
    let mut best: Option<(f64, SelectedRule, Share)> = None;
    for (_, place) in most_promising(pool, residuals) {
        let mut tests = pool[place].tests.clone();
        let domains = encoded.examples.domains();
        generalize(&mut tests, residuals, domains, coverage);
        if tests.iter().any(|test| domains[test.attribute as usize].is_set) {
            fit_sets(&mut tests, residuals, &encoded.examples, coverage);
            generalize(&mut tests, residuals, domains, coverage);
        }
        if selected.iter().any(|rule| rule.tests == tests) {
            continue;
        }
        let sums = residuals.sums(coverage.of(&tests));
        let gain = residuals.gain_of(sums);
        if best.as_ref().is_none_or(|(most, ..)| gain > *most) {
            best = Some((gain, SelectedRule { slot: pool[place].slot, class: 0, tests }, sums));
        }
    }
    best.map(|(_, rule, sums)| (rule, sums))
}

/// Returns the rules with the largest gains, each on other columns, with their gains.
fn most_promising(pool: &[PoolRule], residuals: &Residuals) -> Vec<(f64, usize)> {
    let mut on_columns: BTreeMap<Vec<u32>, (f64, usize)> = BTreeMap::new();
    for (place, rule) in pool.iter().enumerate() {
        let gain = residuals.gain(&rule.covered);
        let columns = rule.tests.iter().map(|test| test.attribute).collect();
        let best = on_columns.entry(columns).or_insert((gain, place));
        if gain > best.0 {
            *best = (gain, place);
        }
    }
    let mut best: Vec<(f64, usize)> = on_columns.into_values().collect();
    best.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    best.truncate(MOST_GENERALIZED);
    best
}
