//! Interestingness measures of formal concepts.
//!
//! - [`stability`]: the share of subsets of the extent with the same intent. A stable concept does
//!   not depend on single objects.
//! - [`delta`]: the minimum number of objects to remove before the intent changes.
//! - [`separation`]: the share of the crosses in the rows and columns of a concept that are inside
//!   the concept.
//!
//! Each function returns the values of all concepts of a [`Lattice`](crate::lattice::Lattice), in
//! its order. [`Indices`] has all of them. The lattice itself provides the support.

mod all;
mod delta;
mod separation;
mod stability;

pub use all::Indices;
pub use delta::delta;
pub use separation::separation;
pub use stability::{Stability, extensional_stability, stability};
