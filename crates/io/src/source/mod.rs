//! The lowest layer: bytes, encodings, options and errors.

pub(crate) mod compression;
pub(crate) mod encoding;
pub(crate) mod error;
#[cfg(any(feature = "parquet", feature = "spreadsheets"))]
pub(crate) mod guard;
pub(crate) mod load;
pub(crate) mod options;
pub(crate) mod parallel;
pub(crate) mod parts;
pub(crate) mod path;
pub(crate) mod signature;
pub(crate) mod threads;
