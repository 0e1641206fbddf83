//! The matching methods of the CPU.
//!
//! - `direct`: evaluates the tests of every condition in order until one fails.
//! - `sliced`: processes 512 conditions side by side; for each code of a column, a row of bits
//!   marks the conditions that the code excludes.
//! - `bitmap`: stores which conditions match which rows. A new condition is matched with all rows
//!   at once, using `planes`. A bitmap over all rows is kept; a bitmap over the next rows is computed
//!   again when they are used up.
//!
//! `survey` matches many conditions with many rows on all threads; it is the part of the CPU in the
//! work that devices share.

mod bitmap;
mod direct;
mod planes;
mod sliced;
mod survey;

pub(crate) use bitmap::Bitmap;
pub(crate) use direct::Direct;
pub(crate) use planes::{Cover, Planes};
pub(crate) use sliced::Sliced;
pub(crate) use survey::OnThreads;
