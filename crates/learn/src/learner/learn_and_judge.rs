//! Learning a model together with its held-out estimate and its calibration.

use super::cross_fit::{FoldSite, INNER_FOLDS, cross_fit, inner_folds};
use super::{Examples, LearnedBy, Learner, Machine, NoEstimate, learn};
use crate::out_of_fold::OutOfFold;
use crate::params::Valid;
use crate::run::{Driver, Observer, RunError};

/// A run that took longer than this many seconds is not repeated for an estimate alone. Models that give scores need their folds
/// for the calibration, however long they take: it is part of the model, which must not depend on how fast a machine is.
pub const PATIENCE: f64 = 60.0;

/// A learned model, and the out-of-fold scores behind its estimate, or why there is no estimate.
pub type JudgedBy<L> = (LearnedBy<L>, Result<OutOfFold, NoEstimate>);

/// How the held-out estimate beside a model is made.
#[derive(Clone, Copy)]
pub struct Inner<'a> {
    /// The most folds; 0 for no estimate.
    pub folds: usize,
    /// Receives the number of folds that are done, and of how many.
    pub told: &'a (dyn Fn(usize, usize) + Send + Sync),
}

impl Default for Inner<'_> {
    fn default() -> Self {
        Inner { folds: INNER_FOLDS, told: &|_, _| () }
    }
}

/// Learns a model, scores every example by models that were fitted without it, and calibrates the model on these scores.
///
/// A learner that validates itself hands over its [out-of-fold scores](super::Learned::out_of_fold) and has calibrated its
/// model on them. For other learners one model is fitted for each inner fold, as many side by side as there are threads. Without
/// folds, with too few examples, or when the run is stopped early, there is no estimate. A model without scores gets none either
/// where its run took longer than [`PATIENCE`].
///
/// # Errors
/// As [`Learner::check`] and [`Learner::fit`].
pub fn learn_and_judge<L: Learner>(
    data: &L::Data,
    params: Valid<L::Params>,
    inner: Inner<'_>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<JudgedBy<L>, RunError<L::Error>> {
    let mut learned = learn::<L>(data, params.clone(), machine, driver, observer)?;
    let own = learned.out_of_fold.take();
    if let Some(reason) = no_estimate::<L>(&learned, inner, driver) {
        return Ok((learned, Err(reason)));
    }
    let scores = match own {
        Some(own) => Ok(own),
        None => {
            let total = inner_folds(data, inner.folds);
            let site = FoldSite {
                control: driver.control(),
                threads: &machine.threads,
                machine: &|| machine.one_of_many(),
                progress: &|done| (inner.told)(done, total),
            };
            let scores = cross_fit::<L>(data, &params, inner.folds, &site, &|_| None)?;
            learned.model.calibration = scores.as_ref().ok().and_then(OutOfFold::calibration);
            scores
        }
    };
    if let Ok(scores) = &scores
        && data.numbers().is_none()
    {
        L::judged(&mut learned.model, &scores.decisions());
    }
    Ok((learned, scores))
}

/// Why no estimate is made, if so.
fn no_estimate<L: Learner>(
    learned: &LearnedBy<L>,
    inner: Inner<'_>,
    driver: &Driver,
) -> Option<NoEstimate> {
    let run = &learned.run.summary;
    if run.stop.is_pause() {
        Some(NoEstimate::CutShort)
    } else if inner.folds == 0 {
        Some(NoEstimate::NotAsked)
    } else if driver.goes_on_from().is_some() {
        // The earlier model may have been learned from these very examples: then none of them is new.
        Some(NoEstimate::MaybeSeen)
    } else if !L::VOTES && run.seconds > PATIENCE {
        Some(NoEstimate::TooLong)
    } else {
        None
    }
}
