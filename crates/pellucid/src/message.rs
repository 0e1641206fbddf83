//! The messages of errors.

use crate::concepts::scale::ScaleError;
use crate::contexts::ContextError;
use crate::data::{DataError, Message, message, parameter};
use crate::devices::ChoiceError;
use crate::generate::GenerateError;
use crate::io::ReadError;
use crate::learn::params::ParamError;
use crate::logic::kb::KbError;
use crate::prepare::TargetError;
use crate::registry;
use std::error::Error;

/// Returns the message of an error of any type. The parameters in it are marked if the error belongs to this
/// library.
///
/// ```
/// use pellucid::prelude::*;
///
/// let error = io::read_from(&b"a,b\n"[..], "a.csv", &ReadOptions::default()).unwrap_err();
/// assert_eq!(pellucid::message_of(&error), error.to_string().as_str());
/// ```
#[must_use]
pub fn message_of(error: &(dyn Error + 'static)) -> Message {
    macro_rules! first_of {
        ($($type:ty),+) => {
            $(if let Some(error) = error.downcast_ref::<$type>() {
                return error.message();
            })+
        };
    }
    first_of!(
        ReadError,
        DataError,
        ParamError,
        TargetError,
        KbError,
        ScaleError,
        ContextError,
        GenerateError,
        ChoiceError,
        registry::Error
    );
    error.to_string().into()
}

impl registry::Error {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            registry::Error::Param(error) => error.message(),
            registry::Error::AssumedTarget { error, column } => message!(
                error.message(),
                "; assumed column '{column}' is the target, use `",
                parameter("target"),
                "` to change it"
            ),
            registry::Error::Fit { message, .. } => message.clone(),
            registry::Error::Other(error) => message_of(&**error),
            other => other.to_string().into(),
        }
    }
}
