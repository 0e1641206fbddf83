//! The method that is selected unless another one is clearly better.
//!
//! Five folds of a few dozen examples often differ by chance. Of the methods, `evolve` is the best on
//! most problems, so another one has to beat it by more than chance would.

use crate::learn::Method;

/// The preferred method.
pub(super) const PREFERRED: Method = Method::Evolve;

/// How many standard errors of the mean difference another method must be ahead.
const CLEARLY_BETTER: f64 = 0.5;

/// Returns whether differences in quality, one per fold, have a mean that is more than
/// [`CLEARLY_BETTER`] standard errors above zero. Methods that are equal on every fold keep their
/// order.
pub(super) fn is_clearly_better(differences: &[f64]) -> bool {
    let count = differences.len() as f64;
    if count < 2.0 || differences.iter().all(|&difference| difference == 0.0) {
        return true;
    }
    let mean = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|one| (one - mean).powi(2)).sum();
    let standard_error = (squares / (count - 1.0) / count).sqrt();
    mean > CLEARLY_BETTER * standard_error
}
