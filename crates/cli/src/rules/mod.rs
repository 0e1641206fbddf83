//! The commands of the rule learner.

pub(crate) mod cv;
pub(crate) mod learn;
pub(crate) mod predict;
pub(crate) mod show;
