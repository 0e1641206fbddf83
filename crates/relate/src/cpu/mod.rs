//! The CPU backend. It has several strategies to answer questions, and chooses by estimated cost:
//!
//! - `wide`: up to 512 sets side by side; every edge is followed once for all of them;
//! - `narrow`: one set; the objects of 64 edges are looked up at once;
//! - `few`: only the requested subjects, one by one; or, for a small set, backward from its
//!   objects;
//! - `run`: one set that is a range of objects, such as the values of a comparison, so their owners
//!   are adjacent, too.
//!
//! `world` chooses the strategy and distributes the work over threads. `single` contains the
//! strategies that answer one question at a time.

mod few;
mod lanes;
mod narrow;
mod run;
mod single;
mod wide;
mod world;

pub(crate) use narrow::{Hits, Narrow, Runs};
pub(crate) use wide::{LANES, LaneQuestions, Subjects, group_by_bits};
pub(crate) use world::CpuWorld;
