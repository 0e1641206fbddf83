//! The lowest layer: bytes, encodings, options and errors.

pub(crate) mod encoding;
pub(crate) mod error;
pub(crate) mod load;
pub(crate) mod options;
pub(crate) mod parallel;
pub(crate) mod path;
pub(crate) mod signature;
pub(crate) mod threads;
