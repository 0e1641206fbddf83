//! Errors of a GPU.

use crate::{DeviceError, DeviceErrorKind};
use thiserror::Error;

/// The error of a GPU operation.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CardError {
    /// The memory is too small.
    #[error("{what} needs {needed} bytes of GPU memory; {available} are available")]
    TooSmall {
        /// What needs the memory.
        what: String,
        /// The bytes that it needs.
        needed: usize,
        /// The bytes that are available.
        available: usize,
    },
    /// The GPU failed.
    #[error("{0}")]
    Lost(String),
    /// This GPU cannot do what was requested.
    #[error("{0}")]
    Refused(String),
}

impl CardError {
    /// Converts the error to the error of a device.
    #[must_use]
    pub fn of_device(&self, id: &str) -> DeviceError {
        let kind = match self {
            CardError::TooSmall { .. } => DeviceErrorKind::TooSmall,
            CardError::Lost(_) | CardError::Refused(_) => DeviceErrorKind::Failed,
        };
        DeviceError { kind, ..DeviceError::new(id, self.to_string()) }
    }
}
