//! Individuals, the classes they are in, the roles between them and the values they have; and what programs over them
//! hold for.
//!
//! A [`World`] is closed: what it does not say is not so, and two names are two individuals. `not` is therefore the
//! complement within all individuals. `some`, `only`, `min`, `max` and `exactly` count the distinct individuals (or
//! values) that a role leads to and that satisfy the filler: `only` and `max` hold where there are none at all.
//!
//! A data property is a role like any other, from individuals to the distinct values there are, and a condition on a
//! value is a set of those. So there is one kernel for all restrictions: follow every edge, look whether its object is
//! in a set, and count the hits of each subject. [`spec`] says the same, one individual at a time.
//!
//! A [`Reasoner`] answers many programs at once.

mod check;
mod combine;
mod edges;
mod examples;
mod model;
mod needs;
mod reasoner;
mod recipe;
pub(crate) mod relate;
pub mod spec;
mod values;

pub use check::{MisuseError, check};
pub use edges::{Edges, sorted};
pub use examples::{ExampleError, Examples};
pub use model::{INDIVIDUAL, Links, Property, Target, World};
pub use reasoner::Reasoner;
pub use relate::{Classes, Inhabited, Inquiry};
