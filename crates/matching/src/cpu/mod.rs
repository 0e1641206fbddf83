//! The processor: three ways to a match set.
//!
//! - `direct`: the tests of every condition, one after the other, until one fails.
//! - `sliced`: 512 conditions side by side; a row of bits for each code of a column says whom that code rules
//!   out.
//! - `bitmap`: who matches which of some rows, known beforehand: a new condition is held against all of them
//!   at once, on `planes`. Over all rows it stays for ever, over the next few it is made anew when they are
//!   used up.
//!
//! `survey` holds many conditions against many rows, on all threads: its part of what devices do together.

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
