//! What models say of examples that they were learned without.

use super::Votes;
use crate::calibrate::Calibration;

/// Examples that are judged at most: a million tell the third digit for certain.
const MOST_JUDGED: usize = 1_000_000;

/// By example the votes of each class, or the one number, of a model that was learned without it. Where there are very many examples,
/// every second is judged, or every third, or so on.
#[derive(Clone, Debug, PartialEq)]
pub struct Unseen(Votes);

impl Unseen {
    /// Of so many examples the first is judged, and from there on each that is so much further on.
    #[must_use]
    pub fn step(examples: usize) -> usize {
        examples.div_ceil(MOST_JUDGED).max(1)
    }

    /// What was said of the examples that are judged.
    #[must_use]
    pub fn of_judged(votes: Votes) -> Unseen {
        Unseen(votes)
    }

    /// What was said of all examples.
    #[must_use]
    pub fn of_all(votes: Votes) -> Unseen {
        let step = Unseen::step(votes.len());
        Unseen(votes.every(step))
    }

    /// How votes become probabilities, where these are the classes of all examples.
    #[must_use]
    pub fn calibration(&self, codes: &[u32], classes: usize) -> Option<Calibration> {
        let judged: Vec<u32> = codes.iter().copied().step_by(Unseen::step(codes.len())).collect();
        Calibration::fit(&self.0.by_example(), &judged, classes)
    }

    /// The votes for those that are judged, in the order of the examples.
    #[must_use]
    pub fn votes(&self) -> &Votes {
        &self.0
    }

    /// The votes for an example, where it is judged and there are so many in all.
    #[must_use]
    pub fn of(&self, example: usize, examples: usize) -> Option<&[f64]> {
        let step = Unseen::step(examples);
        let place = example.is_multiple_of(step).then_some(example / step)?;
        self.0.of(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_a_million_examples_are_judged() {
        for examples in [0, 1, MOST_JUDGED, MOST_JUDGED + 1, 3 * MOST_JUDGED] {
            let votes = (0..examples).map(|example| example as f64).collect();
            let all = Unseen::of_all(Votes::new(1, votes));
            assert!(all.votes().len() <= MOST_JUDGED);
            assert!(all.votes().len() >= examples.min(MOST_JUDGED / 2));
            let step = Unseen::step(examples);
            for example in (0..examples).step_by(MOST_JUDGED / 10 + 1) {
                let own = [example as f64];
                let wanted = example.is_multiple_of(step).then_some(&own[..]);
                assert_eq!(all.of(example, examples), wanted);
            }
        }
    }
}
