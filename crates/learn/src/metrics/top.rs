//! The top share of examples that several models have ranked separately.
//!
//! The scores of two folds come from two models with different scales, so the top 20 % of all
//! examples are the top 20 % of each fold.

use std::collections::BTreeMap;

/// The examples in the top share.
#[derive(Clone, Debug, PartialEq)]
pub struct Top {
    /// The degree of membership of each example, from 0 to 1: ties at the cutoff share it equally.
    pub inside: Vec<f64>,
    /// The number of examples in the top share.
    pub room: f64,
}

impl Top {
    /// Returns the top `share` of the examples of each model, at least one per model. `None` for no
    /// examples.
    ///
    /// ```
    /// use pellucid_learn::metrics::Top;
    ///
    /// // The second model has larger scores, which does not matter.
    /// let top = Top::within(&[0, 0, 1, 1], &[0.2, 0.1, 9.0, 9.0], 0.5).expect("four examples");
    /// assert_eq!((top.inside, top.room), (vec![1.0, 0.0, 0.5, 0.5], 2.0));
    /// ```
    #[must_use]
    pub fn within(models: &[u32], scores: &[f64], share: f64) -> Option<Top> {
        let mut own: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (place, &model) in models.iter().enumerate().take(scores.len()) {
            own.entry(model).or_default().push(place);
        }
        let mut top = Top { inside: vec![0.0; scores.len()], room: 0.0 };
        own.into_values().for_each(|places| top.add(places, scores, share));
        (top.room > 0.0).then_some(top)
    }

    /// Adds the top examples of one model.
    fn add(&mut self, mut places: Vec<usize>, scores: &[f64], share: f64) {
        places.sort_unstable_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        // The tolerance makes 0.2 x 5 equal to 1 in floating point.
        let mut left = (share * places.len() as f64 + 1e-9).floor().max(1.0);
        self.room += left;
        for tied in places.chunk_by(|&a, &b| scores[a] == scores[b]) {
            let part = (left / tied.len() as f64).min(1.0);
            tied.iter().for_each(|&place| self.inside[place] = part);
            left -= part * tied.len() as f64;
            if left <= 0.0 {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_constant_added_to_one_model_changes_nothing(
            list in prop::collection::vec((0u32..3, 0u8..6), 1..60),
            added in -100.0_f64..100.0,
        ) {
            let models: Vec<u32> = list.iter().map(|one| one.0).collect();
            let scores: Vec<f64> = list.iter().map(|one| f64::from(one.1)).collect();
            let shift = |model: u32| if model == 1 { added.round() } else { 0.0 };
            let moved: Vec<f64> =
                list.iter().map(|one| f64::from(one.1) + shift(one.0)).collect();
            let top = Top::within(&models, &scores, 0.2).expect("some examples");
            prop_assert_eq!(&top, &Top::within(&models, &moved, 0.2).expect("some examples"));
            prop_assert!((top.inside.iter().sum::<f64>() - top.room).abs() < 1e-9);
        }
    }
}
