//! Scores and predicted classes of many examples at once.

use crate::apply::{AppliedRules, Condition};
use crate::model::winner;
use pellucid_bits::{BLOCK_BITS, words};
use pellucid_learn::score_matrix::ScoreMatrix;
use pellucid_program::Quantifier;

impl AppliedRules {
    /// Returns the predicted class of every example.
    pub(crate) fn predict_all(&self) -> Vec<u32> {
        let mut predicted = Vec::with_capacity(self.examples());
        self.each_block(|scores, outputs| {
            predicted.extend(scores.chunks_exact(outputs).map(winner));
        });
        // A model without classes predicts the first.
        predicted.resize(self.examples(), 0);
        predicted
    }

    /// Returns the scores of every example.
    pub(crate) fn score_all(&self) -> ScoreMatrix {
        let outputs = self.rule_set().base.len();
        let mut scores = Vec::with_capacity(self.examples() * outputs);
        self.each_block(|block, _| scores.extend_from_slice(block));
        ScoreMatrix::new(outputs, scores)
    }

    /// Calls a function with the scores of consecutive examples and the number of scores of each.
    ///
    /// If rows are examples, all rules are added up for one block of rows at a time, which stays in
    /// the cache. Points are added in the same order as in [`AppliedRules::votes`], so the sums are
    /// identical.
    fn each_block(&self, mut take: impl FnMut(&[f64], usize)) {
        let set = self.rule_set();
        let outputs = set.base.len();
        if outputs == 0 {
            return;
        }
        let Some(questions) = self.row_questions() else {
            (0..self.examples()).for_each(|example| take(&self.votes(example), outputs));
            return;
        };
        let starts: Vec<f64> = set.base.repeat(BLOCK_BITS);
        let mut scores = starts.clone();
        for block in 0..self.examples().div_ceil(BLOCK_BITS) {
            scores.copy_from_slice(&starts);
            for (rule, &question) in set.rules.iter().zip(&questions) {
                for row in words::members(&self.covered.row(question)[block].0) {
                    rule.add_to(&mut scores[row * outputs..][..outputs]);
                }
            }
            let rows = BLOCK_BITS.min(self.examples() - block * BLOCK_BITS);
            take(&scores[..rows * outputs], outputs);
        }
    }

    /// Returns the question of each rule, if each rule is one question about a row and the points
    /// are added up.
    fn row_questions(&self) -> Option<Vec<usize>> {
        if self.data.bags.is_some() || self.is_ordered() {
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
                Rule::new(format!("x {op} {cut}").parse().unwrap(), class, votes)
            };
            let rules = rules.into_iter().map(rule).collect();
            let set = RuleSet { base: vec![0.1, 0.2, 0.0, 0.2], rules, ordered, ..RuleSet::default() };
            let classes = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
            let schema = Schema { columns: vec![Known::numeric("x")], classes, ..Schema::default() };
            let learner = "some".into();
            let model = RuleModel { learner, params: (), schema, calibration: None, body: set };
            let rows = numbers.len();
            let columns = vec![Column { name: "x".into(), values: Values::Numeric(numbers.into()) }];
            let data = Dataset { name: "numbers".into(), columns, rows, ..Dataset::default() };
            let machine = Machine::processor(NonZeroUsize::new(1)).unwrap();
            let applied = AppliedRules::new(&model, &data, &machine).unwrap();
            let single: Vec<u32> = (0..rows).map(|row| winner(&applied.votes(row))).collect();
            prop_assert_eq!(applied.predictions(), single);
            let scores: Vec<Vec<f64>> = (0..rows).map(|row| applied.votes(row)).collect();
            prop_assert_eq!(applied.outputs().numbers(), scores.concat());
        }
    }
}
