//! What the tests of the command share: running it, files it reads, answers it gives.
#![allow(dead_code, reason = "every test file uses its own part")]

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// The command, without what the caller's environment would change.
pub(crate) fn pellucid<S: AsRef<std::ffi::OsStr>>(
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pellucid"));
    command.args(arguments).env("COLUMNS", "80").stdin(Stdio::null());
    command.env_remove("PELLUCID_SIMD").env_remove("PELLUCID_FAULT");
    command
}

/// Starts a command with pipes on all sides.
pub(crate) fn piped(command: &mut Command) -> Child {
    let all = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    all.spawn().expect("the command starts")
}

/// Runs a command to its end with this input.
pub(crate) fn run_with(command: &mut Command, input: &[u8]) -> Output {
    let mut child = piped(command);
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // A command that stops early closes its input; that is its right.
        scope.spawn(move || {
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the command ends")
    })
}

/// Whether a command ended because the processor lacks the instructions it was told to use.
pub(crate) fn lacks_instructions(output: &Output) -> bool {
    output.status.code() == Some(2) && stderr(output).contains("this processor has")
}

/// Runs a command that is expected to be done, and gives its standard output.
pub(crate) fn done<S: AsRef<std::ffi::OsStr>>(
    arguments: impl IntoIterator<Item = S>,
    input: &str,
) -> String {
    let output = run_with(&mut pellucid(arguments), input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// Standard output as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8 on standard output")
}

/// Standard error as text.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8 on standard error")
}

/// JSON lines as values.
pub(crate) fn answers(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// A folder for one test, gone with it.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, as text for the command.
    pub(crate) fn at(&self, name: &str) -> String {
        self.path().join(name).to_str().expect("a plain name").to_owned()
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.at(name);
        std::fs::write(&path, contents).expect("a file");
        path
    }
}
