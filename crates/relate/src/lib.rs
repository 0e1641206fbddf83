//! The engine **relate**: evaluates programs over individuals, their classes, the roles between
//! them, and their data values.
//!
//! A [`World`] is closed: facts that it does not contain are false, and different names denote
//! different individuals. `not` is therefore the complement within all individuals. `some`, `only`,
//! `min`, `max` and `exactly` count the distinct individuals (or values) that a role leads to and
//! that satisfy the filler. `only` and `max` are also true for individuals without any such edge.
//!
//! A data property is a role like any other, from individuals to distinct values, and a condition
//! on a value is a set of values. One kernel therefore serves all restrictions: follow every edge,
//! test whether its object is in a set, and count the hits of each subject. [`spec`] does the same,
//! one individual at a time.
//!
//! A [`Reasoner`] answers many programs at once. It groups the questions along one role into an
//! [`Inquiry`]. A [`Residency`] answers inquiries on a device; [`open`] creates one for each
//! device.
//!
//! ```
//! use pellucid_data::Register;
//! use pellucid_device::Machine;
//! use pellucid_program::Domain;
//! use pellucid_relate::{Edges, LabeledIndividuals, Links, Property, Reasoner, World};
//! use std::sync::Arc;
//!
//! // Anna has the child Bert, Bert has Carl; their ages are 61, 34 and 8.
//! let people: Register = ["anna", "bert", "carl"].into_iter().collect();
//! let ages = Property {
//!     values: Domain::Numeric(vec![8.0, 34.0, 61.0]),
//!     edges: Edges::new(3, 3, vec![[0, 2], [1, 1], [2, 0]]),
//! };
//! let world = World::new(Arc::new(people))
//!     .class("Male", [false, true, true].into_iter().collect())
//!     .role("hasChild", Links::new(3, vec![[0, 1], [1, 2]]))
//!     .property("age", ages);
//!
//! let mut reasoner = Reasoner::new(Arc::new(world), &Machine::processor(None)?)?;
//! let father = reasoner.programs_mut().parse("Male and some hasChild (true)")?;
//! let of_a_minor = reasoner.programs_mut().parse("some hasChild (some age (age < 18))")?;
//! let covered = reasoner.cover(&[father, of_a_minor])?;
//! assert_eq!(covered.ones(0).collect::<Vec<_>>(), [1]);
//! assert_eq!(covered.ones(1).collect::<Vec<_>>(), [1]);
//!
//! // Bert is a positive example, the others are negative: counts by class, negative first.
//! reasoner.ask(LabeledIndividuals::binary(&[1], &[0, 2]));
//! assert_eq!(reasoner.tally(&[of_a_minor])?.of(0), [0, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

mod check;
mod combine;
mod cpu;
mod edges;
mod error;
mod examples;
mod gpu;
mod inquiry;
mod model;
mod needs;
mod reasoner;
mod recipe;
mod set;
pub mod spec;
mod values;

pub use check::{MisuseError, check};
pub use edges::{Edges, sorted};
pub use error::ReasonError;
pub use examples::{ExampleError, LabeledIndividuals};
pub use inquiry::{Classes, Inquiry, Residency};
pub use model::{Links, Property, Target, World};
pub use reasoner::Reasoner;

use pellucid_device::{DeviceError, Hardware};
use std::sync::Arc;

/// Loads a world onto a device.
///
/// # Errors
/// If the device has too little memory or cannot be reached.
pub fn open(hardware: &Hardware, world: &Arc<World>) -> Result<Box<dyn Residency>, DeviceError> {
    match hardware {
        Hardware::Processor(processor) => Ok(Box::new(cpu::CpuWorld::new(processor, world))),
        Hardware::Gpu(gpu) => gpu.open(gpu::LoadWorld(world)),
    }
}
