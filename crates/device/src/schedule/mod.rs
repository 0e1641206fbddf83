//! How work is split over several devices.
//!
//! Every device holds all that is worked with; work is split by its items, and what comes of an item comes from one device
//! alone, so the result is the same whatever the split. A device that fails is left out from then on, its share goes to
//! the others, and one [`Fault`] tells of it.
//!
//! What is decided (`assign.rs`, by the paces in `pace.rs`) is apart from threads and clocks (`work.rs`).

mod assign;
mod executor;
mod fault;
mod member;
mod pace;
mod split;
mod work;

pub use executor::Executor;
pub use fault::{Fault, FaultListener};
use member::Member;
pub(crate) use member::caught;
pub use split::{LoadError, Schedule};
pub use work::Work;
