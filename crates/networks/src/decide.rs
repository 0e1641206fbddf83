//! From a score to a class.
//!
//! A score of 0 need not mean that both classes are equally likely: the calibration says how likely they are. So the class is the one
//! with the larger calibrated probability, the first where they are equal; the sign of the score decides where a model has no
//! calibration. `predict`, its explanations and every export decide by this one rule.

use crate::model::NetworkModel;

/// How a score decides: the second class where `slope × score + offset` is above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decision {
    pub(crate) slope: f64,
    pub(crate) offset: f64,
    /// Whether these are the numbers of a calibration, so that they give a probability too.
    pub(crate) is_calibrated: bool,
}

impl Decision {
    /// The rule for scores whose sign decides.
    pub(crate) const BY_SIGN: Decision = Decision { slope: 1.0, offset: 0.0, is_calibrated: false };

    /// The rule of a model.
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

    /// The class of a score.
    pub(crate) fn class(self, score: f64) -> u32 {
        u32::from(self.slope * score + self.offset > 0.0)
    }

    /// The score above which the second class is predicted; nothing where all scores have the same class.
    pub(crate) fn threshold(self) -> Option<f64> {
        Some(-self.offset / self.slope + 0.0).filter(|threshold| threshold.is_finite())
    }
}
