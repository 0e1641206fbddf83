//! The tests of the library.

mod evaluate;
mod exported_code;
mod exports;
mod groups;
mod guides;
mod network_exports;
mod network_outputs;
mod own_learner;
mod wrong_level;
