//! The `pellucid` command. Its code is in the library, which the Python package calls as well.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(pellucid_cli::run(std::env::args_os()))
}
