//! The decision threshold: what predictions should optimize instead of accuracy.
//!
//! With a rare class, the most accurate threshold may never predict it. Other goals add a constant
//! to the scores of each class, fitted on out-of-fold scores. The order of examples stays the same,
//! and so do the probabilities, which are calibrated afterwards.

use pellucid_learn::calibrate::Calibration;
use pellucid_learn::params::{ParamError, Setting, SettingKind};
use pellucid_learn::score_matrix::ScoreMatrix;
use pellucid_learn::suggest::listed;
use serde::{Deserialize, Serialize};

/// The goal of the decision threshold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThresholdGoal {
    /// The highest accuracy: the scores as they are.
    #[default]
    Accuracy,
    /// The highest balanced accuracy.
    BalancedAccuracy,
    /// A recall of the positive class.
    Recall(f64),
    /// The lowest cost, given the cost of a missed example of each class; 1 by default.
    Cost(Vec<(String, f64)>),
}

/// The accepted values.
const EXPECTED: &str = "accuracy, balanced-accuracy, recall=SHARE (above 0, below 1), \
                        cost:CLASS=COST,… (costs above 0)";

impl Setting for ThresholdGoal {
    const KIND: SettingKind = SettingKind::Text;

    fn read(text: &str) -> Result<ThresholdGoal, String> {
        let cost = |pair: &str| {
            let (class, cost) = pair.rsplit_once('=')?;
            Some((class.trim().to_owned(), cost.trim().parse().ok()?))
        };
        let parsed = match text {
            "accuracy" => Some(ThresholdGoal::Accuracy),
            "balanced-accuracy" => Some(ThresholdGoal::BalancedAccuracy),
            text => match (text.strip_prefix("recall="), text.strip_prefix("cost:")) {
                (Some(share), _) => share.trim().parse().ok().map(ThresholdGoal::Recall),
                (_, Some(costs)) => {
                    costs.split(',').map(cost).collect::<Option<_>>().map(ThresholdGoal::Cost)
                }
                _ => None,
            },
        };
        parsed.filter(ThresholdGoal::is_sensible).ok_or_else(|| EXPECTED.to_owned())
    }

    fn show(&self) -> String {
        match self {
            ThresholdGoal::Accuracy => "accuracy".to_owned(),
            ThresholdGoal::BalancedAccuracy => "balanced-accuracy".to_owned(),
            ThresholdGoal::Recall(share) => format!("recall={share}"),
            ThresholdGoal::Cost(costs) => {
                let costs: Vec<String> =
                    costs.iter().map(|(class, cost)| format!("{class}={cost}")).collect();
                format!("cost:{}", costs.join(","))
            }
        }
    }

    fn allowed() -> Option<String> {
        Some(EXPECTED.to_owned())
    }
}

impl ThresholdGoal {
    fn is_sensible(&self) -> bool {
        match self {
            ThresholdGoal::Accuracy | ThresholdGoal::BalancedAccuracy => true,
            ThresholdGoal::Recall(share) => *share > 0.0 && *share < 1.0,
            ThresholdGoal::Cost(costs) => {
                costs.iter().all(|(_, cost)| *cost > 0.0 && cost.is_finite())
            }
        }
    }

    /// Checks that the goal fits the classes; there are none if a number is predicted.
    ///
    /// # Errors
    /// If a class does not exist, a recall is requested with more than two classes, or there are no
    /// classes.
    pub fn check(&self, classes: &[String]) -> Result<(), ParamError> {
        match self {
            ThresholdGoal::Accuracy => Ok(()),
            _ if classes.is_empty() => Err(ParamError::with_problem(
                "decide",
                "the target is a number; a decision threshold needs classes",
            )),
            ThresholdGoal::Recall(_) if classes.len() != 2 => {
                let problem = format!(
                    "recall needs two classes, found {}; use balanced-accuracy or cost: instead",
                    classes.len()
                );
                Err(ParamError::with_problem("decide", problem))
            }
            ThresholdGoal::Cost(costs) => {
                match costs.iter().find(|(class, _)| !classes.contains(class)) {
                    Some((class, _)) => {
                        let known = listed(classes.iter().map(String::as_str), 8);
                        Err(ParamError::new("decide", format_args!("class '{class}'"), known))
                    }
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Returns the constants to add to the scores of each class, given out-of-fold scores and
    /// classes. `None` if the scores stay as they are.
    #[must_use]
    pub(crate) fn shift(
        &self,
        votes: &ScoreMatrix,
        codes: &[u32],
        classes: &[String],
    ) -> Option<Vec<f64>> {
        let costs = match self {
            ThresholdGoal::Accuracy => return None,
            ThresholdGoal::Recall(share) => return shift_for_recall(votes, codes, *share),
            _ => self.error_costs(codes, classes),
        };
        // The class with the highest expected cost of a miss: the largest probability times cost,
        // or its logarithm.
        let curve = Calibration::fit(&votes.by_example(), codes, classes.len())?;
        if curve.slope <= 0.0 {
            return None;
        }
        let shift = |(offset, cost): (&f64, &f64)| (offset + libm::log(*cost)) / curve.slope;
        let shifts: Vec<f64> = curve.offsets.iter().zip(&costs).map(shift).collect();
        // Only differences matter.
        let least = shifts.iter().copied().fold(f64::INFINITY, f64::min);
        let shifts: Vec<f64> = shifts.iter().map(|shift| shift - least).collect();
        shifts.iter().all(|shift| shift.is_finite()).then_some(shifts)
    }

    /// Returns the cost of a missed example of each class, if costs were given.
    #[must_use]
    pub fn miss_costs(&self, classes: &[String]) -> Option<Vec<f64>> {
        let ThresholdGoal::Cost(costs) = self else { return None };
        let cost = |class: &String| costs.iter().rev().find(|(other, _)| other == class);
        Some(classes.iter().map(|class| cost(class).map_or(1.0, |(_, cost)| *cost)).collect())
    }

    /// Returns how much an error on an example of each class counts, 1 on average over some examples.
    /// A recall is reached by the threshold alone, so all errors count the same.
    pub(crate) fn error_costs(&self, codes: &[u32], classes: &[String]) -> Vec<f64> {
        let mut counts = vec![0.0; classes.len()];
        codes.iter().for_each(|&code| counts[code as usize] += 1.0);
        let costs = match self {
            ThresholdGoal::Accuracy | ThresholdGoal::Recall(_) => vec![1.0; classes.len()],
            ThresholdGoal::BalancedAccuracy => {
                counts.iter().map(|count: &f64| 1.0 / count.max(1.0)).collect()
            }
            ThresholdGoal::Cost(_) => self.miss_costs(classes).unwrap_or_default(),
        };
        let total: f64 = costs.iter().zip(&counts).map(|(cost, count)| cost * count).sum();
        let scale = if total > 0.0 { codes.len() as f64 / total } else { 1.0 };
        costs.into_iter().map(|cost| cost * scale).collect()
    }

    /// Describes the goal of the threshold; `None` for accuracy.
    #[must_use]
    pub fn describe(&self, classes: &[String]) -> Option<String> {
        let positive = classes.last().map_or("", String::as_str);
        match self {
            ThresholdGoal::Accuracy => None,
            ThresholdGoal::BalancedAccuracy => Some(
                "Threshold chosen for balanced accuracy (equal recall of all classes).".to_owned(),
            ),
            ThresholdGoal::Recall(share) => Some(format!(
                "Threshold chosen for a recall of {} % of '{positive}' on new data.",
                (share * 1000.0).round() / 10.0
            )),
            ThresholdGoal::Cost(costs) => {
                let cost = |(class, cost): &(String, f64)| format!("{cost} per missed '{class}'");
                let costs: Vec<String> = costs.iter().map(cost).collect();
                Some(format!("Threshold chosen for a cost of {}.", costs.join(" and ")))
            }
        }
    }
}

/// Returns the constant for the positive class with which a share of it is predicted correctly. The
/// quantile is taken among one more example than there are, so that the share is right on average
/// for a new example.
fn shift_for_recall(votes: &ScoreMatrix, codes: &[u32], share: f64) -> Option<Vec<f64>> {
    let of_class = votes.iter().zip(codes).filter(|(_, code)| **code == 1);
    let mut margins: Vec<f64> = of_class.map(|(votes, _)| votes[1] - votes[0]).collect();
    margins.sort_unstable_by(f64::total_cmp);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let missed = ((1.0 - share) * (margins.len() as f64 + 1.0)).floor() as usize;
    let least = *margins.get(missed.saturating_sub(1))?;
    // An example with exactly this margin must be found too, but in a tie the first class wins.
    let shift = -least + 1e-3;
    Some(if shift >= 0.0 { vec![0.0, shift] } else { vec![-shift, 0.0] })
}

#[cfg(test)]
/// Returns the recall of a class with some constants added.
fn recall(votes: &ScoreMatrix, codes: &[u32], shift: &[f64], class: u32) -> f64 {
    let own = || votes.iter().zip(codes).filter(|(_, code)| **code == class);
    let is_found = |votes: &&[f64]| {
        let moved: Vec<f64> = votes.iter().zip(shift).map(|(votes, shift)| votes + shift).collect();
        crate::model::winner(&moved) == class
    };
    own().map(|(votes, _)| votes).filter(is_found).count() as f64 / own().count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_learn::rng::Streams;

    /// Scores of a calibrated model for a class with one in twenty examples.
    fn rare(examples: usize, seed: u64) -> (ScoreMatrix, Vec<u32>) {
        let mut stream = Streams::new(seed).stream(&[]);
        let one = |_| {
            let margin = 4.0 * stream.unit() + 4.0 * stream.unit() - 8.0 + 2.0;
            let share = 1.0 / (1.0 + (-margin).exp());
            ([0.0, margin], u32::from(stream.unit() < share))
        };
        let (votes, codes): (Vec<[f64; 2]>, Vec<u32>) = (0..examples).map(one).unzip();
        (ScoreMatrix::new(2, votes.concat()), codes)
    }

    fn classes() -> Vec<String> {
        vec!["well".into(), "ill".into()]
    }

    #[test]
    fn a_wanted_recall_is_reached_on_new_examples() {
        let ((votes, codes), (others, their_codes)) = (rare(4000, 7), rare(4000, 8));
        for share in [0.5, 0.8, 0.95] {
            let shift = ThresholdGoal::Recall(share).shift(&votes, &codes, &classes()).unwrap();
            let found = recall(&others, &their_codes, &shift, 1);
            assert!((found - share).abs() < 0.05, "{share}: {found}");
        }
    }

    #[test]
    fn balance_and_costs_move_the_threshold() {
        let (votes, codes) = rare(4000, 7);
        let shift = |how: ThresholdGoal| how.shift(&votes, &codes, &classes()).unwrap();
        let both = |shift: &[f64]| {
            (0..2).map(|class| recall(&votes, &codes, shift, class)).sum::<f64>() / 2.0
        };
        let balanced = shift(ThresholdGoal::BalancedAccuracy);
        assert!(both(&balanced) > both(&[0.0, 0.0]) + 0.05, "{}", both(&balanced));
        let costs = |cost: f64| shift(ThresholdGoal::Cost(vec![("ill".into(), cost)]));
        let found = |cost: f64| recall(&votes, &codes, &costs(cost), 1);
        assert!(found(1.0) < found(4.0) && found(4.0) < found(40.0));
        assert_eq!(ThresholdGoal::Accuracy.shift(&votes, &codes, &classes()), None);
    }

    #[test]
    fn errors_cost_one_on_average() {
        let (_, codes) = rare(4000, 7);
        let goals = ["accuracy", "balanced-accuracy", "recall=0.9", "cost:ill=5"];
        for goal in goals.map(|text| ThresholdGoal::read(text).unwrap()) {
            let costs = goal.error_costs(&codes, &classes());
            let total: f64 = codes.iter().map(|&code| costs[code as usize]).sum();
            assert!((total / 4000.0 - 1.0).abs() < 1e-9, "{goal:?}: {costs:?}");
        }
        let costs = ThresholdGoal::Cost(vec![("ill".into(), 5.0)]);
        assert_eq!(costs.miss_costs(&classes()), Some(vec![1.0, 5.0]));
        let shares = costs.error_costs(&codes, &classes());
        assert!((shares[1] / shares[0] - 5.0).abs() < 1e-9);
        assert_eq!(ThresholdGoal::BalancedAccuracy.miss_costs(&classes()), None);
    }

    #[test]
    fn decide_parses_what_it_shows() {
        for text in ["accuracy", "balanced-accuracy", "recall=0.9", "cost:ill=5,well=0.5"] {
            assert_eq!(ThresholdGoal::read(text).unwrap().show(), text);
        }
        for text in ["recall=1", "recall=0", "cost:ill", "cost:ill=-1", "f1", ""] {
            assert_eq!(ThresholdGoal::read(text), Err(EXPECTED.to_owned()), "{text}");
        }
        assert!(ThresholdGoal::Recall(0.9).check(&["a".into(), "b".into(), "c".into()]).is_err());
        assert!(ThresholdGoal::Cost(vec![("sick".into(), 2.0)]).check(&classes()).is_err());
        assert!(ThresholdGoal::BalancedAccuracy.check(&[]).is_err());
    }
}
