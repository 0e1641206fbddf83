//! Properties of breeding and training rules on generated data.

#![allow(clippy::cast_possible_truncation, reason = "generated sizes are small")]

mod breeding;
mod cases;
mod damage;
mod data;
mod demands;
mod held_out;
mod learning;
mod literals;
mod meaning;
mod numbers;
mod parts;
mod planted;
mod refusals;
mod resume;
mod scorecard;
