//! Exact texts.
