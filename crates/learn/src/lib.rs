//! learn.
#![forbid(unsafe_code)]
