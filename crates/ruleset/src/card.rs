//! Scorecards: rule sets whose rules have one or two conditions and a whole number of points each, and the
//! share of the positive class among held-out examples by total.

use serde::{Deserialize, Serialize};

/// What a scorecard has beside its rules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scorecard {
    /// Held-out examples by score, the lowest first; empty if unknown.
    #[serde(default)]
    pub bands: Vec<RiskBand>,
    /// The columns with missing values in the training data.
    #[serde(default)]
    pub missing: Vec<String>,
    /// What rules on two columns gain; `None` without such rules, or if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<PairGain>,
}

/// The AUC on held-out data of a scorecard with rules on two columns, and of one without.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairGain {
    /// With rules on two columns.
    pub auc: f64,
    /// Without them.
    pub without: f64,
}

/// The held-out examples whose score is in some range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RiskBand {
    /// The lowest score.
    pub low: f64,
    /// The highest score.
    pub high: f64,
    /// The number of examples.
    pub examples: u64,
    /// The number of examples of the positive class.
    pub positive: u64,
}

impl RiskBand {
    /// Returns scores with their classes in at most `most` bands, each with at least `least` examples if
    /// there are as many. Examples with the same score are in the same band.
    #[must_use]
    pub fn of_scores(mut scores: Vec<(f64, bool)>, most: usize, least: usize) -> Vec<RiskBand> {
        scores.sort_by(|one, other| one.0.total_cmp(&other.0));
        let wanted = scores.len().div_ceil(most.max(1)).max(least) as u64;
        let mut bands: Vec<RiskBand> = Vec::new();
        for same in scores.chunk_by(|one, other| one.0 == other.0) {
            let positive = same.iter().filter(|(_, is_positive)| *is_positive).count() as u64;
            let (score, examples) = (same[0].0, same.len() as u64);
            match bands.last_mut() {
                Some(band) if band.examples < wanted => band.add(score, examples, positive),
                _ => bands.push(RiskBand { low: score, high: score, examples, positive }),
            }
        }
        // A last band with few examples says little.
        if bands.len() > 1 && bands.last().is_some_and(|band| band.examples < wanted / 2) {
            let last = bands.pop();
            if let (Some(last), Some(band)) = (last, bands.last_mut()) {
                band.add(last.high, last.examples, last.positive);
            }
        }
        bands
    }

    fn add(&mut self, score: f64, examples: u64, positive: u64) {
        self.high = score;
        self.examples += examples;
        self.positive += positive;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bands_are_in_order_and_have_every_example_once(
            scores in prop::collection::vec((-6i32..7, any::<bool>()), 0..80),
            most in 1usize..12,
        ) {
            let scores: Vec<(f64, bool)> =
                scores.into_iter().map(|(score, is)| (f64::from(score), is)).collect();
            let bands = RiskBand::of_scores(scores.clone(), most, 3);
            prop_assert!(bands.len() <= most.max(1));
            prop_assert!(bands.windows(2).all(|pair| pair[0].high < pair[1].low));
            let of = |band: &RiskBand| -> Vec<bool> {
                let own = scores.iter().filter(|(score, _)| (band.low..=band.high).contains(score));
                own.map(|(_, is_positive)| *is_positive).collect()
            };
            for band in &bands {
                let own = of(band);
                prop_assert_eq!(own.len() as u64, band.examples);
                prop_assert_eq!(own.iter().filter(|is| **is).count() as u64, band.positive);
            }
            prop_assert_eq!(bands.iter().map(|band| band.examples).sum::<u64>(), scores.len() as u64);
        }
    }
}
