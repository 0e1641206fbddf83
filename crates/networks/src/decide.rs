//! The decision rule: from a score to a class.
//!
//! A score of 0 does not always mean that both classes are equally likely; the calibration tells
//! how likely they are. The predicted class is therefore the one with the higher calibrated
//! probability (the first one in a tie). Without a calibration the sign of the score decides.
//! `predict`, explanations and all exports use this rule.

use crate::model::NetworkModel;

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
