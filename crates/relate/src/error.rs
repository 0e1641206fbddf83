use crate::MisuseError;
use pellucid_cover::EvaluateError;
use pellucid_device::DeviceError;
use thiserror::Error;

/// Why programs could not be answered.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReasonError {
    /// A program asks the wrong sort of thing.
    #[error(transparent)]
    Misuse(#[from] MisuseError),
    /// A program about classes alone could not be counted.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// No device is left.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
