//! Scores with the information on their examples: one by one, or grouped if they are identical.

use super::fold_scores::Scores;
use pellucid_learn::distinct::DistinctValues;
use pellucid_learn::score_matrix::ScoreMatrix;
use std::borrow::Cow;

/// Information on the scored examples, once for each repetition.
#[derive(Clone, Debug)]
pub(super) struct ExampleInfo {
    pub(super) codes: Vec<u32>,
    /// The folds in which they are held out.
    pub(super) folds: Vec<u32>,
    pub(super) weights: Vec<f64>,
}

/// Scores, and the examples that have them.
#[derive(Clone, Debug)]
pub(super) struct ScoredExamples<'a> {
    pub(super) votes: ScoreMatrix,
    pub(super) codes: Cow<'a, [u32]>,
    pub(super) folds: Cow<'a, [u32]>,
    pub(super) weights: Cow<'a, [f64]>,
    /// The number of examples in each group; `None` if each entry is one example.
    pub(super) counts: Option<Vec<u64>>,
}

impl<'a> ScoredExamples<'a> {
    /// Returns scores example by example.
    pub(super) fn one_by_one(votes: ScoreMatrix, examples: &'a ExampleInfo) -> ScoredExamples<'a> {
        let ExampleInfo { codes, folds, weights } = examples;
        let (codes, folds, weights) = (codes.into(), folds.into(), weights.into());
        ScoredExamples { votes, codes, folds, weights, counts: None }
    }

    /// Groups the examples of one class and one fold that have the same margin, for two classes.
    /// `None` if there are too many groups, or scores are missing.
    pub(super) fn grouped(scores: &Scores, examples: &ExampleInfo) -> Option<ScoredExamples<'a>> {
        let ExampleInfo { codes, folds, weights } = examples;
        let key = |((margin, code), fold): ((&f32, &u32), &u32)| {
            u64::from(margin.to_bits()) << 32 | u64::from(*fold) << 1 | u64::from(*code)
        };
        let few = DistinctValues::of(scores.margins().iter().zip(codes).zip(folds).map(key))?;
        let (mut own, mut counts) = (vec![0.0; few.distinct.len()], vec![0; few.distinct.len()]);
        for (&place, weight) in few.places.iter().zip(weights) {
            own[place as usize] += weight;
            counts[place as usize] += 1;
        }
        let (mut votes, mut codes, mut folds) = (Vec::new(), Vec::new(), Vec::new());
        for key in few.distinct {
            #[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
            let [bits, of] = [key >> 32, key & u64::from(u32::MAX)].map(|half| half as u32);
            let margin = f64::from(f32::from_bits(bits));
            if !margin.is_finite() {
                return None;
            }
            votes.extend([0.0, margin]);
            codes.push(of & 1);
            folds.push(of >> 1);
        }
        let (codes, folds, weights) = (codes.into(), folds.into(), own.into());
        Some(ScoredExamples {
            votes: ScoreMatrix::new(2, votes),
            codes,
            folds,
            weights,
            counts: Some(counts),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_learn::calibrate::Calibration;
    use pellucid_learn::metrics::auc_within;
    use proptest::prelude::*;

    /// Returns the accuracy, the AUC and the calibration.
    fn figures(scored: &ScoredExamples<'_>) -> (f64, Option<f64>, Option<Calibration>) {
        let ScoredExamples { votes, codes, folds, weights, counts } = scored;
        let is_second: Vec<bool> = codes.iter().map(|&code| code == 1).collect();
        let margins: Vec<f64> = votes.iter().map(|votes| votes[1] - votes[0]).collect();
        let right = margins.iter().zip(&is_second).zip(&**weights);
        let right = right.filter(|((margin, is_second), _)| (**margin > 0.0) == **is_second);
        (
            right.map(|(_, weight)| weight).sum(),
            auc_within(folds, &margins, &is_second, Some(weights)),
            Calibration::fit_repeated(&votes.by_example(), codes, counts.as_deref(), 1, 2),
        )
    }

    proptest! {
        #[test]
        fn grouped_examples_give_the_same_figures(
            examples in prop::collection::vec((-2i8..3, 0u32..2, 0u32..3), 400..600),
        ) {
            let margins: Vec<f32> = examples.iter().map(|one| f32::from(one.0) / 3.0).collect();
            let votes = margins.iter().flat_map(|&margin| [0.0, f64::from(margin)]).collect();
            let all = ExampleInfo {
                codes: examples.iter().map(|one| one.1).collect(),
                folds: examples.iter().map(|one| one.2).collect(),
                weights: vec![1.0; examples.len()],
            };
            let each = ScoredExamples::one_by_one(ScoreMatrix::new(2, votes), &all);
            let scores = Scores::from_margins(margins);
            let grouped = ScoredExamples::grouped(&scores, &all).expect("at most thirty groups");
            prop_assert!(grouped.codes.len() <= 30);
            prop_assert_eq!(figures(&grouped), figures(&each));
        }
    }

    #[test]
    fn missing_scores_are_not_grouped() {
        let (codes, folds, weights) = (vec![0; 100], vec![0; 100], vec![1.0; 100]);
        let all = ExampleInfo { codes, folds, weights };
        let mut margins = vec![0.5; 100];
        assert!(ScoredExamples::grouped(&Scores::from_margins(margins.clone()), &all).is_some());
        margins[7] = f32::NAN;
        assert!(ScoredExamples::grouped(&Scores::from_margins(margins), &all).is_none());
    }
}
