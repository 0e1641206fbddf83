//! Predicted classes of many examples at once.

use crate::apply::{AppliedRules, Condition};
use crate::model::winner;
use pellucid_bits::{BLOCK_BITS, words};
use pellucid_program::Quantifier;

impl AppliedRules {
    /// Returns the predicted class of every example.
    ///
    /// If rows are examples, all rules are added up for one block of rows at a time, which stays in
    /// the cache. Points are added in the same order as in [`AppliedRules::votes`], so the sums are
    /// identical.
    pub(crate) fn predict_all(&self) -> Vec<u32> {
        let Some(questions) = self.row_questions() else {
            return (0..self.examples()).map(|example| winner(&self.votes(example))).collect();
        };
        let set = self.rule_set();
        let classes = set.base.len();
        let starts: Vec<f64> = set.base.repeat(BLOCK_BITS);
        let mut scores = starts.clone();
        let mut predicted = Vec::with_capacity(self.examples());
        for block in 0..self.examples().div_ceil(BLOCK_BITS) {
            scores.copy_from_slice(&starts);
            for (rule, &question) in set.rules.iter().zip(&questions) {
                for row in words::members(&self.covered.row(question)[block].0) {
                    scores[row * classes + rule.class as usize] += rule.votes;
                }
            }
            let rows = BLOCK_BITS.min(self.examples() - predicted.len());
            predicted.extend(scores.chunks_exact(classes).take(rows).map(winner));
        }
        predicted
    }

    /// Returns the question of each rule, if each rule is one question about a row and the points
    /// are added up.
    fn row_questions(&self) -> Option<Vec<usize>> {
        if self.data.bags.is_some() || self.is_ordered() || self.rule_set().base.is_empty() {
            return None;
        }
        let question = |condition: &Condition| match condition {
            Condition::Rows(Quantifier::Some, question) => Some(*question),
            _ => None,
        };
        self.conditions.iter().map(question).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Rule, RuleModel, RuleSet};
    use pellucid_data::{Column, Dataset, Values};
    use pellucid_device::Machine;
    use pellucid_learn::model::{Column as Known, Schema};
    use proptest::prelude::*;
    use std::num::NonZeroUsize;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn predictions_in_blocks_equal_single_predictions(
            numbers in prop::collection::vec(
                prop_oneof![Just(f64::NAN), (0..20_i32).prop_map(f64::from)], 1..1200),
            rules in prop::collection::vec(
                (0..20_i32, 0..4_u32, -1.0..1.0_f64, any::<bool>()), 0..12),
            ordered in any::<bool>(),
        ) {
            let rule = |(cut, class, votes, above): (i32, u32, f64, bool)| {
                let op = if above { ">" } else { "<=" };
                Rule { when: format!("x {op} {cut}").parse().unwrap(), class, votes, covered: vec![] }
            };
            let rules = rules.into_iter().map(rule).collect();
            let set = RuleSet { base: vec![0.1, 0.2, 0.0, 0.2], rules, ordered, ..RuleSet::default() };
            let classes = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
            let schema = Schema { columns: vec![Known::numeric("x")], classes, ..Schema::default() };
            let learner = "some".into();
            let model = RuleModel { learner, params: (), schema, calibration: None, model: set };
            let rows = numbers.len();
            let columns = vec![Column { name: "x".into(), values: Values::Numeric(numbers.into()) }];
            let data = Dataset { name: "numbers".into(), columns, rows, ..Dataset::default() };
            let machine = Machine::processor(NonZeroUsize::new(1)).unwrap();
            let applied = AppliedRules::new(&model, &data, &machine).unwrap();
            let single: Vec<u32> = (0..rows).map(|row| winner(&applied.votes(row))).collect();
            prop_assert_eq!(applied.predictions(), single);
        }
    }
}
