//! Parameters that describe themselves and are checked once.
//!
//! A learner's parameters are a plain struct with defaults, which may hold anything. One [`parameters!`](crate::parameters)
//! table says of each parameter what it is called, what is allowed, what it does and where it applies. Everything else comes
//! from that table: the check that turns the struct into [`Valid`] (and only a `Valid` can be fitted, so that no learner
//! meets a population of zero), setting by name from text or JSON ([`Chosen`]), the flags of the command, the tables of the
//! guides, the builder a Rust program uses.
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
//!             /// Rules in a generation
//!             population(usize: population) within(2..=1_000_000);
//!             /// How often two parents are crossed
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
//! assert_eq!(error.as_deref(), Some("population: found 1, allowed 2 to 1000000"));
//! # Ok::<(), ParamError>(())
//! ```

mod chosen;
mod class_weights;
mod declare;
mod error;
mod given;
mod guide;
mod range;
mod setting;
mod table;

pub use chosen::Chosen;
pub use class_weights::ClassWeights;
pub use error::ParamError;
pub use given::Given;
pub use guide::guide_table;
pub use range::{one_of, probability, within};
pub use setting::{NamedChoice, Setting, SettingKind};
pub use table::{Applies, Described, Parameter, Parameters, Ranged, Row, described};

use serde::{Serialize, Serializer};
use std::ops::Deref;

/// Parameters that can be checked.
pub trait Check: Sized {
    /// Checks each field; the first that is not allowed is the error.
    ///
    /// # Errors
    /// Names the field, the value found and what is allowed.
    fn check_fields(&self) -> Result<(), ParamError>;

    /// Checks every field and gives parameters that can be fitted.
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
    /// The parameters, free to be changed and checked again.
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
