//! Columns with roles: what the readers of all table formats produce.

pub(crate) mod bags;
pub(crate) mod categories;
pub(crate) mod date_unit;
pub(crate) mod known;
pub(crate) mod misfit;
pub(crate) mod name_words;
pub(crate) mod parsed;
pub(crate) mod roles;
pub(crate) mod spellings;
