use crate::MisuseError;
use pellucid_cover::EvaluateError;
use pellucid_device::DeviceError;
use thiserror::Error;

/// The reason why programs could not be answered.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReasonError {
    /// A program applies a condition to the wrong sort of object.
    #[error(transparent)]
    Misuse(#[from] MisuseError),
    /// The evaluation of programs that use only classes failed.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// No device is left.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
