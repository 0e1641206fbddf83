//! What the rules of the selected model cover in the test folds.
//!
//! The rules of a fold are not those of the model: other examples give other cut points and other rules.
//! But stability already says in which folds a rule on the same columns, in the same directions, was found.
//! That rule of the fold was found without the test fold, so what it covers there is an honest estimate of
//! what the rule of the model covers in new data. Folds without such a rule say nothing, and are not counted.

use super::DefaultRun;
use crate::model::{Rule, RuleSet};
use crate::params::Mode;
use pellucid_learn::out_of_fold::HeldOutCoverage;
use pellucid_program::Expr;

/// What each rule of a model covers in test folds, by its condition: counting the training examples changes
/// the order of rules.
#[derive(Clone, Debug, Default)]
pub struct HeldOutRules(Vec<(Expr, HeldOutCoverage)>);

impl HeldOutRules {
    /// Returns the coverage of each rule of a model, in its order; empty if that of all is unknown.
    #[must_use]
    pub fn in_order_of(&self, model: &RuleSet) -> Vec<Option<HeldOutCoverage>> {
        let of = |rule: &Rule| {
            let known = self.0.iter().find(|(when, _)| *when == rule.when);
            known.map(|(_, coverage)| coverage.clone())
        };
        if self.0.is_empty() { Vec::new() } else { model.rules.iter().map(of).collect() }
    }
}

impl DefaultRun<'_> {
    /// Returns for each rule of a model of this run what the rules of the folds that express the same idea
    /// cover in their test folds. Empty for lists, for remote examples, and without folds.
    #[must_use]
    pub fn held_out_rules(&self, model: &RuleSet) -> HeldOutRules {
        if self.params.mode == Mode::List || self.remote.is_some() || model.ordered {
            return HeldOutRules::default();
        }
        let selection = self.selection();
        let (Some(paths), Some(path)) = (&self.paths, self.state.paths.get(selection.path)) else {
            return HeldOutRules::default();
        };
        let size = path.models.get(selection.model).map_or(0, |model| model.votes.len());
        let ways = self.state.growths.get(selection.path).and_then(|ways| ways.split_first());
        let Some((whole, folds)) = ways.filter(|(_, folds)| folds.len() == self.inner.len()) else {
            return HeldOutRules::default();
        };
        let of_rule = |rule: &Rule| {
            let place = path.rules.iter().take(size).position(|known| known.when == rule.when)?;
            let mut sum = HeldOutCoverage::new(folds.len(), self.outputs());
            for (fold, split) in folds.iter().zip(&self.inner) {
                if let Some(tests) = whole.same_idea(place, fold, size) {
                    let covers = paths.table.covers(tests);
                    let codes = &self.training.codes;
                    let test = split.test.iter();
                    sum.add(test.map(|&example| {
                        (codes.get(example as usize).copied().unwrap_or(0), covers(example))
                    }));
                }
            }
            Some((rule.when.clone(), sum))
        };
        HeldOutRules(model.rules.iter().filter_map(of_rule).collect())
    }
}
