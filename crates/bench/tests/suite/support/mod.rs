//! What the tests of the command share.
#![allow(dead_code, unused_imports, reason = "every test file uses its own part")]

pub(crate) use pellucid_testdata::command::{
    Folder, answers, lacks_instructions, run_with, spawn_piped, stderr, stdout,
};

use pellucid_testdata::command::clean;
use std::process::Command;

/// The command, without what the caller's environment would change.
pub(crate) fn bench<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    clean(env!("CARGO_BIN_EXE_pellucid-bench"), arguments)
}

/// Runs a command that is expected to be done, and gives its standard output.
pub(crate) fn done<S: AsRef<std::ffi::OsStr>>(
    arguments: impl IntoIterator<Item = S>,
    input: &str,
) -> String {
    let output = run_with(&mut bench(arguments), input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}
