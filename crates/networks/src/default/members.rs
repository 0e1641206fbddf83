//! Selects the networks of the model.

use super::DefaultRun;
use super::evaluation_sets::EvaluationSets;
use crate::error::NetworkError;
use crate::evaluator::EvaluationRequest;
use crate::metric::{Fitness, Sigmoid};
use crate::model::{Member, MemberOrigin};
use crate::search::bits;
use pellucid_bits::as_u32;

impl DefaultRun<'_> {
    /// Returns the networks of the model. For each island this is the network from the search if it
    /// is better than the trained network on held-out rows that had no influence on its selection,
    /// and the trained network otherwise.
    pub(crate) fn members(&mut self) -> Result<Vec<Member>, NetworkError> {
        let mut members = Vec::with_capacity(self.state.islands.len());
        for number in 0..self.state.islands.len() {
            let island = &self.state.islands[number];
            let (seed, bias) = (island.seed().0.to_vec(), island.seed().1);
            let bred = island.best.as_ref().map(|(genes, _)| genes.clone());
            let bred = bred.filter(|genes| bits(genes) != bits(&seed));
            let EvaluationSets { halves, confirmation, .. } = &self.evaluation_sets[number];
            let (subsets, confirmations) =
                ([&confirmation[..], halves].concat(), confirmation.len());
            let both = [seed.clone(), bred.clone().unwrap_or_default()].concat();
            let found =
                self.evaluator.evaluate(&[EvaluationRequest { genes: &both, subsets }])?.remove(0);
            let is_better = found.get(1).is_some_and(|bred| {
                let (last, chosen) = bred.split_at(confirmations);
                let (seed_last, seed_chosen) = found[0].split_at(confirmations);
                Fitness::mean(chosen).is_better(&Fitness::mean(seed_chosen))
                    && Fitness::is_significantly_better(last, seed_last)
            });
            let (genes, origin) = match bred.filter(|_| is_better) {
                Some(bred) => (bred, MemberOrigin::Search),
                None => (seed, MemberOrigin::Gradient),
            };
            let scores = self.evaluator.session.scores(0, &self.trainer.shape, &genes)?;
            let own = |row: &usize| self.folds < 2 || self.fold[*row] == as_u32(number);
            let held_out: Vec<usize> = (0..scores.len()).filter(own).collect();
            let calibration = match origin {
                MemberOrigin::Gradient => Sigmoid { slope: 1.0, offset: f64::from(bias) },
                MemberOrigin::Search => {
                    let of: Vec<f32> = held_out.iter().map(|&row| scores[row]).collect();
                    let positive: Vec<bool> =
                        held_out.iter().map(|&row| self.examples.positive[row]).collect();
                    Sigmoid::fit(&of, &positive).0
                }
            };
            let chosen = &found[usize::from(is_better)];
            members.push(Member {
                genes,
                slope: calibration.slope,
                offset: calibration.offset,
                offsets: Vec::new(),
                origin,
                chosen_by: self
                    .evaluator
                    .objective
                    .metric_value(Fitness::mean(&chosen[confirmations..])),
            });
        }
        Ok(members)
    }
}
