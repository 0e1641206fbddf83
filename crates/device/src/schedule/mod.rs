//! How work is split over devices.
//!
//! Every device holds all data. Work is split by items, and the result of an item comes from a
//! single device, so the results do not depend on the split. A device that fails is not used again,
//! its share goes to the other devices, and one [`Fault`] reports it.
//!
//! The decisions (`assign.rs`, with the speeds in `pace.rs`) are separate from threads and clocks
//! (`work.rs`).

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
