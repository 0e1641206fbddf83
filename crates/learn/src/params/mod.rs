//! Parameters that describe themselves and are checked once.
//!
//! The parameters of a learner are a plain struct with defaults. A
//! [`parameters!`](crate::parameters) table has the name, the allowed values, the help and the modes
//! of each parameter. It is the source of everything else: the check that turns the struct into
//! [`Valid`], which learners require; setting by name from text or JSON ([`Chosen`]); the flags of
//! the command line; the tables of the guides; and the builder for Rust programs.
//!
//! ```
//! use pellucid_learn::params::{Check, Chosen, ParamError};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Debug, Serialize, Deserialize)]
//! struct Params {
//!     population: usize,
//!     crossover: f64,
//! }
//!
//! impl Default for Params {
//!     fn default() -> Params {
//!         Params { population: 50, crossover: 0.9 }
//!     }
//! }
//!
//! pellucid_learn::parameters! {
//!     Params {
//!         group "Breeding" {
//!             /// Number of rules per generation
//!             population(usize: population) within(2..=1_000_000);
//!             /// Probability of crossover
//!             crossover(f64: crossover) value("P") within(0.0..=1.0);
//!         }
//!     }
//! }
//!
//! let mut chosen = Chosen::<Params>::new();
//! chosen.set_text("population", "20")?;
//! assert_eq!(chosen.check()?.population, 20);
//!
//! let error = Params { population: 1, crossover: 0.9 }.check().err().map(|e| e.to_string());
//! let expected = "population: found 1; expected a number from 2 to 1000000";
//! assert_eq!(error.as_deref(), Some(expected));
//! # Ok::<(), ParamError>(())
//! ```

mod chosen;
mod class_weights;
mod declare;
mod error;
mod guide;
mod param_value;
mod range;
mod setting;
mod table;

pub use chosen::Chosen;
pub use class_weights::ClassWeights;
pub use error::ParamError;
pub use guide::guide_table;
pub use param_value::ParamValue;
pub use range::{one_of, probability, within};
pub use setting::{NamedChoice, Setting, SettingKind};
pub use table::{Applies, Described, NumericSetting, Parameter, Parameters, Row, described};

use serde::{Serialize, Serializer};
use std::ops::Deref;

/// Parameters that can be checked.
pub trait Check: Sized {
    /// Checks each field.
    ///
    /// # Errors
    /// For the first invalid field: its name, the value found and the values expected.
    fn check_fields(&self) -> Result<(), ParamError>;

    /// Checks every field and returns valid parameters.
    ///
    /// # Errors
    /// As [`Check::check_fields`].
    fn check(self) -> Result<Valid<Self>, ParamError> {
        self.check_fields()?;
        Ok(Valid(self))
    }
}

impl<P: Parameters> Check for P {
    fn check_fields(&self) -> Result<(), ParamError> {
        P::table().iter().try_for_each(|parameter| parameter.check(self))
    }
}

/// Parameters that passed [`Check::check`], which is the only way to make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valid<P>(P);

impl<P> Valid<P> {
    /// Returns the parameters, which can be changed and checked again.
    pub fn into_inner(self) -> P {
        self.0
    }
}

impl<P> Deref for Valid<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.0
    }
}

impl<P: Serialize> Serialize for Valid<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
