//! The decision rule: from a score to a class.
//!
//! A score of 0 does not always mean that both classes are equally likely; the calibration tells
//! how likely they are. The predicted class is therefore the one with the higher calibrated
//! probability (the first one in a tie). Without a calibration the sign of the score decides.
//! `predict`, explanations and all exports use this rule. With more than two classes it is the same:
//! the class with the highest calibrated probability, or without a calibration the highest score.

use crate::model::NetworkModel;
use pellucid_bits::as_u32;
use pellucid_learn::calibrate::Calibration;

/// A linear decision rule: the second class is predicted if `slope × score + offset` is above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decision {
    pub(crate) slope: f64,
    pub(crate) offset: f64,
    /// Whether the numbers come from a calibration and therefore also give a probability.
    pub(crate) is_calibrated: bool,
}

impl Decision {
    /// The rule of an uncalibrated model: the sign of the score decides.
    pub(crate) const BY_SIGN: Decision = Decision { slope: 1.0, offset: 0.0, is_calibrated: false };

    /// Returns the decision rule of a model.
    pub(crate) fn of(model: &NetworkModel) -> Decision {
        match &model.calibration {
            Some(found) if found.is_sound(2) => Decision {
                slope: found.slope,
                offset: found.offsets[1] - found.offsets[0],
                is_calibrated: true,
            },
            _ => Decision::BY_SIGN,
        }
    }

    /// Returns the class predicted for a score.
    pub(crate) fn class(self, score: f64) -> u32 {
        u32::from(self.slope * score + self.offset > 0.0)
    }

    /// Returns the score above which the second class is predicted, or `None` if all scores predict
    /// the same class.
    pub(crate) fn threshold(self) -> Option<f64> {
        Some(-self.offset / self.slope + 0.0).filter(|threshold| threshold.is_finite())
    }
}

/// Returns the slope and the offsets by class that turn scores into what classes are compared by: the
/// calibration of the model, or the scores themselves.
pub(crate) fn curve_of(model: &NetworkModel) -> (f64, Vec<f64>) {
    let classes = model.schema.classes.len();
    match calibration_of(model) {
        Some(found) => (found.slope, found.offsets.clone()),
        None => (1.0, vec![0.0; classes]),
    }
}

/// Returns the calibration of a model, if it has one.
pub(crate) fn calibration_of(model: &NetworkModel) -> Option<&Calibration> {
    model.calibration.as_ref().filter(|found| found.is_sound(model.schema.classes.len()))
}

/// Returns the class predicted for the scores of a row; in a tie, the first.
pub(crate) fn likeliest(scores: &[f64], (slope, offsets): &(f64, Vec<f64>)) -> u32 {
    let value = |class: usize| slope * scores[class] + offsets[class];
    let better = |best: usize, class: usize| if value(class) > value(best) { class } else { best };
    as_u32((0..scores.len()).reduce(better).unwrap_or(0))
}
