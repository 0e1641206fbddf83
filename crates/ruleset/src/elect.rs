//! The class of very many examples at once.

use crate::apply::{AppliedRules, Condition};
use crate::model::winner;
use pellucid_bits::{BLOCK_BITS, words};
use pellucid_program::Quantifier;

impl AppliedRules {
    /// The class of every example. Where rows are examples, rule after rule votes on a block of rows, which then still lies in the
    /// cache; the numbers are added in the same order as by [`AppliedRules::votes`], so the sums are the same to the last bit.
    pub(crate) fn elect(&self) -> Vec<u32> {
        let Some(questions) = self.row_questions() else {
            return (0..self.examples()).map(|example| winner(&self.votes(example))).collect();
        };
        let set = self.rule_set();
        let classes = set.base.len();
        let nobody: Vec<f64> = set.base.repeat(BLOCK_BITS);
        let mut votes = nobody.clone();
        let mut elected = Vec::with_capacity(self.examples());
        for block in 0..self.examples().div_ceil(BLOCK_BITS) {
            votes.copy_from_slice(&nobody);
            for (rule, &question) in set.rules.iter().zip(&questions) {
                for row in words::members(&self.covered.row(question)[block].0) {
                    votes[row * classes + rule.class as usize] += rule.votes;
                }
            }
            let here = BLOCK_BITS.min(self.examples() - elected.len());
            elected.extend(votes.chunks_exact(classes).take(here).map(winner));
        }
        elected
    }

    /// The question that each rule asks of a row, if that is all that rules ask and all that hold vote.
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
        fn all_at_once_is_one_by_one(
            numbers in prop::collection::vec(prop_oneof![Just(f64::NAN), (0..20_i32).prop_map(f64::from)], 1..1200),
            rules in prop::collection::vec((0..20_i32, 0..4_u32, -1.0..1.0_f64, any::<bool>()), 0..12),
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
            let model = RuleModel { learner: "some".into(), params: (), schema, calibration: None, model: set };
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
