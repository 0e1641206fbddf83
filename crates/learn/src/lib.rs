//! learn.
#![forbid(unsafe_code)]
pub mod metrics;
pub mod params;
pub mod rng;
pub mod suggest;
