//! The readers of the table formats.

pub(crate) mod attribute;
#[cfg(feature = "parquet")]
pub(crate) mod columnar;
pub(crate) mod delimited;
#[cfg(feature = "spreadsheets")]
pub(crate) mod spreadsheet;
