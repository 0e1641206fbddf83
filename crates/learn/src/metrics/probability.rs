//! Metrics of predicted probabilities.

use super::share;

/// Why a metric of probabilities is undefined.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProbabilityError {
    /// Lists of different lengths.
    #[error(
        "found {probabilities} probabilities and {labels} labels; expected the same number of each"
    )]
    Lengths {
        /// The number of probabilities.
        probabilities: usize,
        /// The number of labels.
        labels: usize,
    },
    /// A value outside 0 to 1.
    #[error("found probability {value} for example {example}; expected a number from 0 to 1")]
    Outside {
        /// The index of the example, from 0.
        example: usize,
        /// The value found.
        value: f64,
    },
}

/// Returns the mean of -ln(probability of the actual label); 0 for no examples.
///
/// Probabilities are clamped to 1e-15 from 0 and 1, so that one wrong certainty does not cost
/// infinity.
///
/// # Errors
/// If the lists differ in length or a value is not a probability.
pub fn log_loss(probabilities: &[f64], labels: &[bool]) -> Result<f64, ProbabilityError> {
    mean_of(probabilities, labels, |p, label| {
        let p = p.clamp(1e-15, 1.0 - 1e-15);
        -libm::log(if label { p } else { 1.0 - p })
    })
}

/// Returns the Brier score, the mean of (probability - outcome)²; 0 for no examples.
///
/// # Errors
/// If the lists differ in length or a value is not a probability.
pub fn brier(probabilities: &[f64], labels: &[bool]) -> Result<f64, ProbabilityError> {
    mean_of(probabilities, labels, |p, label| {
        let miss = p - f64::from(u8::from(label));
        miss * miss
    })
}

fn mean_of(
    probabilities: &[f64],
    labels: &[bool],
    cost: impl Fn(f64, bool) -> f64,
) -> Result<f64, ProbabilityError> {
    if probabilities.len() != labels.len() {
        let (probabilities, labels) = (probabilities.len(), labels.len());
        return Err(ProbabilityError::Lengths { probabilities, labels });
    }
    let mut sum = 0.0;
    for (example, (&value, &label)) in probabilities.iter().zip(labels).enumerate() {
        if !(0.0..=1.0).contains(&value) {
            return Err(ProbabilityError::Outside { example, value });
        }
        sum += cost(value, label);
    }
    Ok(share(sum, labels.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        let (p, labels) = ([0.9, 0.2, 0.5], [true, false, true]);
        let loss = log_loss(&p, &labels).expect("probabilities");
        assert!((loss + (0.9_f64.ln() + 0.8_f64.ln() + 0.5_f64.ln()) / 3.0).abs() < 1e-12);
        let score = brier(&p, &labels).expect("probabilities");
        assert!((score - (0.01 + 0.04 + 0.25) / 3.0).abs() < 1e-12);
        assert!(log_loss(&[0.0], &[true]).expect("a probability").is_finite());
        assert_eq!(brier(&[], &[]), Ok(0.0));
    }

    #[test]
    fn invalid_probabilities_are_rejected() {
        let error = brier(&[0.5, 1.5], &[true, true]).expect_err("1.5 is too much");
        assert_eq!(
            error.to_string(),
            "found probability 1.5 for example 1; expected a number from 0 to 1"
        );
        assert!(log_loss(&[f64::NAN], &[true]).is_err());
        assert!(log_loss(&[0.1], &[]).is_err());
    }
}
