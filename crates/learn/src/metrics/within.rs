//! The area under the ROC curve of examples that several models have ranked separately.
//!
//! In a cross-validation, the scores of different folds come from different models, and an offset
//! between two models says nothing about their examples. Comparing across folds is even biased: the
//! fold with the most positives has the fewest positives to train on. So only pairs within one model
//! are compared.

use super::Ranking;
use std::collections::BTreeMap;

/// Returns the probability that a random positive is ranked before a random negative of the same
/// model; a tie counts half. If no model has both classes, as in leave-one-out, all pairs are
/// compared. `None` if a class is missing or the ranking is invalid ([`Ranking::weighted`]).
///
/// ```
/// use pellucid_learn::metrics::auc_within;
///
/// // Two uninformative models; the second has higher scores and more negatives.
/// let (models, scores) = ([0, 0, 1, 1, 1], [0.4, 0.4, 0.5, 0.5, 0.5]);
/// let labels = [true, false, true, false, false];
/// assert_eq!(auc_within(&models, &scores, &labels, None), Some(0.5));
/// ```
#[must_use]
pub fn auc_within(
    models: &[u32],
    scores: &[f64],
    labels: &[bool],
    weights: Option<&[f64]>,
) -> Option<f64> {
    let mut own: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    models.iter().enumerate().for_each(|(place, &model)| own.entry(model).or_default().push(place));
    let ranking = |places: &[usize]| {
        let scores: Vec<f64> = places.iter().map(|&place| scores[place]).collect();
        let labels: Vec<bool> = places.iter().map(|&place| labels[place]).collect();
        let own = |weights: &[f64]| places.iter().map(|&place| weights[place]).collect::<Vec<_>>();
        match weights {
            Some(weights) => Ranking::weighted(&scores, &labels, &own(weights)).ok(),
            None => Ranking::new(&scores, &labels).ok(),
        }
    };
    let (mut won, mut pairs) = (0.0, 0.0);
    for ranking in own.values().filter_map(|places| ranking(places)) {
        won += ranking.auc() * ranking.pairs();
        pairs += ranking.pairs();
    }
    if pairs > 0.0 {
        return Some((won / pairs).clamp(0.0, 1.0));
    }
    let everything: Vec<usize> = (0..scores.len()).collect();
    ranking(&everything).map(|ranking| ranking.auc())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_share_of_correctly_ordered_pairs_within_models(
            list in prop::collection::vec((0u32..4, 0u8..6, any::<bool>(), 1u8..4), 1..40),
        ) {
            let models: Vec<u32> = list.iter().map(|one| one.0).collect();
            let scores: Vec<f64> = list.iter().map(|one| f64::from(one.1)).collect();
            let labels: Vec<bool> = list.iter().map(|one| one.2).collect();
            let weights: Vec<f64> = list.iter().map(|one| f64::from(one.3)).collect();
            let by_pairs = |within: bool| {
                let (mut won, mut pairs) = (0.0, 0.0);
                for positive in list.iter().filter(|one| one.2) {
                    let is_compared = |one: &&(u32, u8, bool, u8)| {
                        !one.2 && (!within || one.0 == positive.0)
                    };
                    for negative in list.iter().filter(is_compared) {
                        let weight = f64::from(positive.3) * f64::from(negative.3);
                        let order = match positive.1.cmp(&negative.1) {
                            std::cmp::Ordering::Greater => 1.0,
                            std::cmp::Ordering::Equal => 0.5,
                            std::cmp::Ordering::Less => 0.0,
                        };
                        won += weight * order;
                        pairs += weight;
                    }
                }
                (pairs > 0.0).then(|| won / pairs)
            };
            let expected = by_pairs(true).or_else(|| by_pairs(false));
            let found = auc_within(&models, &scores, &labels, Some(&weights));
            prop_assert_eq!(found.is_some(), expected.is_some());
            let is_close = |(found, expected): (f64, f64)| (found - expected).abs() < 1e-9;
            prop_assert!(found.zip(expected).is_none_or(is_close));
        }
    }
}
