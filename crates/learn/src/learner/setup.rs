//! The setup of a cross-validation.

use super::Machine;
use crate::run::Control;
use crate::split::{FoldScore, Folds};
use pellucid_device::{DeviceError, Threads};

/// The setup of a cross-validation.
#[derive(Clone, Copy)]
pub struct CrossValidationSetup<'a> {
    /// The folds.
    pub folds: &'a Folds,
    /// The number of inner folds of each training fold for the calibration, as in training on all data;
    /// 0 for none. Without them, a learner that does not validate itself has no probabilities.
    pub inner: usize,
    /// The control that can stop it.
    pub control: &'a Control,
    /// The threads; one fold runs on each.
    pub threads: &'a Threads,
    /// Returns the devices of one fold: one CPU thread, and the devices that all folds share.
    pub machine: &'a (dyn Fn() -> Result<Machine, DeviceError> + Send + Sync),
    /// Called after every finished fold.
    pub on_fold: &'a (dyn Fn(&FoldScore) + Send + Sync),
}
