//! The tests of the readers and writers.

mod contexts;
mod damage;
mod frames;
mod graphs;
mod limits;
mod malformed;
mod mutations;
mod ontologies;
mod parquet;
mod problems;
mod reading;
mod round_trip;
mod shared_data;
mod spreadsheets;
mod unlabeled;
