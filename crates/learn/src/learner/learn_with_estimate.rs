//! Training with a held-out estimate and a calibration.

use super::cross_fit::FoldResources;
use super::fold_sizes::validate;
use super::inner_folds::{INNER_FOLDS, inner_folds};
use super::{Examples, Fit, FitResultOf, Machine, NoEstimate, learn};
use crate::out_of_fold::OutOfFold;
use crate::params::Valid;
use crate::run::{Driver, Observer, RunError};

/// A run of more than this many seconds is not repeated for an estimate alone. Models with scores need
/// their folds for the calibration: it is part of the model, which must not depend on the speed of the
/// machine.
pub const PATIENCE: f64 = 60.0;

/// A trained model with the out-of-fold scores of its estimate, or the reason why there is none.
pub type FitWithEstimate<L> = (FitResultOf<L>, Result<OutOfFold, NoEstimate>);

/// The inner cross-validation for the held-out estimate.
#[derive(Clone, Copy)]
pub struct Inner<'a> {
    /// The maximum number of folds; 0 for no estimate.
    pub folds: usize,
    /// Called with the number of finished folds and the total.
    pub on_fold: &'a (dyn Fn(usize, usize) + Send + Sync),
}

impl Default for Inner<'_> {
    fn default() -> Self {
        Inner { folds: INNER_FOLDS, on_fold: &|_, _| () }
    }
}

/// Trains a model, computes its out-of-fold scores and calibrates the model on them.
///
/// A learner that validates itself returns its [out-of-fold scores](super::FitResult::out_of_fold) and
/// has calibrated its model on them. For other learners one model is fitted for each inner fold, in
/// parallel; if the model has several sizes, these folds select one ([`FoldSizes`](super::FoldSizes)).
/// There is no estimate without folds, with too few examples, or if the run is stopped early. A model
/// without scores gets none if its run took longer than [`PATIENCE`].
///
/// # Errors
/// As [`learn`].
pub fn learn_with_estimate<L: Fit>(
    data: &L::Data,
    params: Valid<L::Params>,
    inner: Inner<'_>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<FitWithEstimate<L>, RunError<L::Error>> {
    let mut learned = learn::<L>(data, params.clone(), machine, driver, observer)?;
    let own = learned.out_of_fold.take();
    if let Some(reason) = reason_to_skip::<L>(&learned, inner, driver) {
        return Ok((learned, Err(reason)));
    }
    let scores = match own {
        Some(own) => Ok(own),
        None => {
            let total = inner_folds(data, inner.folds);
            let resources = FoldResources {
                control: driver.control(),
                threads: &machine.threads,
                machine: &|| machine.one_of_many(),
                progress: &|done| (inner.on_fold)(done, total),
            };
            validate::<L>(&mut learned, (data, &params), inner.folds, &resources, &|_| None)?
        }
    };
    if let Ok(scores) = &scores
        && data.numbers().is_none()
        && let Some(record) = L::capabilities().record_held_out
    {
        record(&mut learned.model, scores.decisions());
    }
    Ok((learned, scores))
}

/// Returns the reason to skip the estimate, if there is one.
fn reason_to_skip<L: Fit>(
    learned: &FitResultOf<L>,
    inner: Inner<'_>,
    driver: &Driver,
) -> Option<NoEstimate> {
    let run = &learned.run.summary;
    if run.stop.is_pause() {
        Some(NoEstimate::CutShort)
    } else if inner.folds == 0 {
        Some(NoEstimate::NotAsked)
    } else if driver.goes_on_from().is_some() {
        // The earlier model may have been trained on the same examples.
        Some(NoEstimate::MaybeSeen)
    } else if !L::OUTPUT.scores && run.seconds > PATIENCE {
        Some(NoEstimate::TooLong)
    } else {
        None
    }
}
