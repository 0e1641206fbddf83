//! Numbers that say which concepts are worth a look.
//!
//! A large table has more concepts than anybody reads. Picture crossing out a few objects at random: a concept that is still
//! there is one that does not hang on single objects. That share is its [`stability`]; how many objects it takes at least is
//! its [`delta`]; and how much of what its objects and attributes have lies inside of it is its [`separation`].
//!
//! All come for all concepts of a [`Lattice`](crate::lattice::Lattice) at once, in its order; [`Indices`]
//! are all of them. Support is told by the lattice itself.

mod all;
mod delta;
mod separation;
mod stability;

pub use all::Indices;
pub use delta::delta;
pub use separation::separation;
pub use stability::{Stability, extensional_stability, stability};
