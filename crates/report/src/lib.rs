//! Pictures and pages a person understands.
#![forbid(unsafe_code)]
