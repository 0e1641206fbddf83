//! The processor. There are several ways to answer questions, and what each costs is known well enough to
//! choose:
//!
//! - `wide`: up to 512 sets are laid side by side, and every edge is followed once for all of them;
//! - `narrow`: one set; the objects of 64 edges are looked up at once;
//! - `few`: only the subjects that are asked about, one by one; or, for a small set, from its objects back;
//! - `run`: one set whose objects lie side by side, as the values of a comparison do: their owners do, too.
//!
//! `world` chooses among them and spreads the work over threads; `single` has those that take one question at
//! a time.

mod few;
mod lanes;
mod narrow;
mod run;
mod single;
mod wide;
mod world;

pub(crate) use narrow::{Hits, Narrow, Runs};
pub(crate) use wide::{Asked, LANES, Subjects, alike};
pub(crate) use world::CpuWorld;
