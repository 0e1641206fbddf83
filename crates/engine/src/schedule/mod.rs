//! How a batch is split over several devices.
//!
//! Every device holds the whole table; a batch is split by its roots, and the counts of a root come from one device
//! alone, so the result is the same whatever the split. A device that fails is left out from then on, its share goes to
//! the others, and one [`Fault`] tells of it.
//!
//! What is decided (`assign.rs`, by the paces in `pace.rs`) is apart from threads and clocks (`work.rs`).

mod assign;
mod crew;
mod fault;
mod member;
mod pace;
mod split;
mod work;

pub(crate) use crew::Crew;
pub use fault::{Fault, FaultListener};
use member::Member;
pub use split::{LoadError, Schedule};
pub(crate) use work::Work;
