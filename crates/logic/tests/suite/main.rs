//! The tests of knowledge bases and the learner of class expressions.

mod closure_against_naive;
mod closure_of_classes;
mod closure_of_roles;
mod columns;
mod expressions;
mod learning;
mod names_and_problems;
mod peers;
mod real_files;
mod support;
