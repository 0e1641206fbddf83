//! The tests of the library.

mod elsewhere;
mod evaluate;
mod exports;
mod guides;
mod network_exports;
mod own_learner;
mod wrong_level;
