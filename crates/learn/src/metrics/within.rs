//! The area under the ROC curve where several models have each ranked examples of their own.
//!
//! The folds of a cross-validation give one score to each example, but by different models: one that begins a little higher
//! puts all of its examples before those of another, which says nothing about either. Models that know nothing would so be
//! told to rank backwards, because the fold with the most positives left the fewest to learn from. Only pairs that
//! one model has ranked are compared.

use super::Ranking;
use std::collections::BTreeMap;

/// The chance that a random positive stands before a random negative that the same model ranked, where a tie counts half.
/// Where no model has seen both, as when each ranks a single example, all pairs are compared; nothing where one of the classes
/// is missing or a ranking cannot be made ([`Ranking::weighted`]).
///
/// ```
/// use pellucid_learn::metrics::auc_within;
///
/// // Two models without a clue; the second begins higher, and happens to have more negatives.
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
        fn it_is_the_share_of_pairs_of_one_model_that_stand_right(
            list in prop::collection::vec((0u32..4, 0u8..6, any::<bool>(), 1u8..4), 1..40),
        ) {
            let models: Vec<u32> = list.iter().map(|one| one.0).collect();
            let scores: Vec<f64> = list.iter().map(|one| f64::from(one.1)).collect();
            let labels: Vec<bool> = list.iter().map(|one| one.2).collect();
            let weights: Vec<f64> = list.iter().map(|one| f64::from(one.3)).collect();
            let by_pairs = |within: bool| {
                let (mut won, mut pairs) = (0.0, 0.0);
                for positive in list.iter().filter(|one| one.2) {
                    for negative in list.iter().filter(|one| !one.2 && (!within || one.0 == positive.0)) {
                        let weight = f64::from(positive.3) * f64::from(negative.3);
                        let stands = f64::from(u8::from(positive.1 > negative.1)) + f64::from(u8::from(positive.1 == negative.1)) / 2.0;
                        won += weight * stands;
                        pairs += weight;
                    }
                }
                (pairs > 0.0).then(|| won / pairs)
            };
            let expected = by_pairs(true).or_else(|| by_pairs(false));
            let found = auc_within(&models, &scores, &labels, Some(&weights));
            prop_assert_eq!(found.is_some(), expected.is_some());
            prop_assert!(found.zip(expected).is_none_or(|(found, expected)| (found - expected).abs() < 1e-9));
        }
    }
}
