//! pellucid.
#![forbid(unsafe_code)]
