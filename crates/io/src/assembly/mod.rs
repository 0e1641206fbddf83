//! Joins tables and builds data sets.

mod assemble;
mod dedupe;
pub(crate) mod frame;
mod join;
mod labels;
pub(crate) mod load;
pub(crate) mod read;
mod several;
mod table_text;
mod unlabeled;
