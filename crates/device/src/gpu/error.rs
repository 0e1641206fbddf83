//! Why a GPU did not do what it was asked to.

use crate::{DeviceError, DeviceErrorKind};
use thiserror::Error;

/// Why a card did not do what it was asked to.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CardError {
    /// There is too little memory.
    #[error("{what} needs {needed} bytes of GPU memory; {available} are available")]
    TooSmall {
        /// What needs the memory.
        what: String,
        /// How many bytes it needs.
        needed: usize,
        /// How many bytes there are.
        available: usize,
    },
    /// The GPU failed.
    #[error("{0}")]
    Lost(String),
    /// The request is not one that this GPU can do.
    #[error("{0}")]
    Refused(String),
}

impl CardError {
    /// The same failure, as one of a device.
    #[must_use]
    pub fn of_device(&self, id: &str) -> DeviceError {
        let kind = match self {
            CardError::TooSmall { .. } => DeviceErrorKind::TooSmall,
            CardError::Lost(_) | CardError::Refused(_) => DeviceErrorKind::Failed,
        };
        DeviceError { kind, ..DeviceError::new(id, self.to_string()) }
    }
}
