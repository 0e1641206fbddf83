//! The `pellucid` command: all of it is in the library, which the Python package calls too.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(pellucid_cli::run(std::env::args_os()))
}
