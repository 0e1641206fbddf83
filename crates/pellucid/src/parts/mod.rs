//! Training on rows in other processes, such as the workers of a cluster.
//!
//! The rows are split into parts. The [`Outline`] of a part has the distinct values of its columns
//! and the number of examples of each class. The outlines of all parts are [joined](Outline::join).
//! The joined outline provides the [head](Outline::head), which the coordinating process trains on,
//! and lets each process prepare its [part](Outline::part), which answers requests. The caller
//! transports requests and answers.
//!
//! ```
//! use pellucid::io::{Column, GivenColumn, Values};
//! use pellucid::parts::{Outline, OutlineNumbers};
//! let rows = |ages: Vec<f64>, ill: Vec<u32>| {
//!     let categories = vec!["no".to_owned(), "yes".to_owned()];
//!     let ill = Values::Nominal { codes: ill, categories };
//!     let values = [("age", Values::Numeric(ages.into())), ("ill", ill)];
//!     values.map(|(name, values)| GivenColumn::from(Column { name: name.to_owned(), values })).to_vec()
//! };
//! let first = rows(vec![34.0, 61.0], vec![0, 1]);
//! let second = rows(vec![58.0, 34.0, 71.0], vec![1, 0, 1]);
//! let outline = |rows: &[GivenColumn]| Outline::of(rows, "ill", None, OutlineNumbers::All);
//! let whole = outline(&first)?.join(outline(&second)?)?;
//! assert_eq!(whole.examples()?, [2, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod outline;

/// Parts and requests of networks.
pub use crate::networks::parts as network;
pub use crate::rules::parts::{Part, Parts, Question};
pub use outline::{Outline, OutlineError, OutlineNumbers};

use crate::learn::learner::{Learned, NoEstimate};
use crate::learn::run::{Driver, Observer};
use crate::networks::Network;
use crate::registry::{AnyLearned, Error, Settings, boxed_model, params};
use crate::report;
use crate::rules::Rules;
use crate::rules::learner::fit_parts;
use pellucid_data::Dataset;
use pellucid_device::Machine;

/// Trains rules on rows in other processes, given the head of the data and a way to send requests
/// to the parts.
///
/// # Errors
/// When a parameter is not allowed, the mode does not support distributed training, or a part fails.
pub fn learn_rules(
    head: &Dataset,
    parts: Parts,
    settings: &Settings,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<AnyLearned, Error> {
    let params = params::<Rules>(settings)?;
    let learned = fit_parts(head, parts, params, machine, driver, observer);
    let learned = learned.map_err(Error::of_run::<Rules>)?;
    let Learned { model, run, train, notes, out_of_fold } = learned;
    let held_out = match out_of_fold {
        _ if run.summary.stop.is_pause() => Err(NoEstimate::CutShort),
        Some(scores) => Ok(scores),
        None => Err(NoEstimate::Elsewhere),
    };
    let model = boxed_model::<Rules>(model, report::rules::DRAWINGS);
    Ok(AnyLearned { model, run, train, held_out, notes })
}

/// Trains networks on rows in other processes, given the head of the data and a way to send
/// requests to the parts. The head needs only the [range](OutlineNumbers::Range) of numbers.
///
/// # Errors
/// When a parameter is not allowed, the mode or the metric does not support distributed training,
/// or a part fails.
pub fn learn_networks(
    head: &Dataset,
    parts: &network::Parts,
    settings: &Settings,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<AnyLearned, Error> {
    let params = params::<Network>(settings)?;
    let learned = network::fit_parts(head, parts, params, machine, driver, observer);
    let Learned { model, run, train, notes, .. } = learned.map_err(Error::of_run::<Network>)?;
    let held_out = Err(NoEstimate::Elsewhere);
    let model = boxed_model::<Network>(model, report::networks::DRAWINGS);
    Ok(AnyLearned { model, run, train, held_out, notes })
}
