//! Runs commands in tests, with their input and output and a temporary folder.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// Returns a command without the variables that the caller's environment would add.
pub fn clean<S: AsRef<std::ffi::OsStr>>(
    program: &str,
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).env("COLUMNS", "80").stdin(Stdio::null());
    command.env_remove("PELLUCID_SIMD").env_remove("PELLUCID_FAULT");
    command
}

/// Starts a command with pipes on all sides.
pub fn spawn_piped(command: &mut Command) -> Child {
    let all = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    all.spawn().expect("the command starts")
}

/// Runs a command to its end with this input.
pub fn run_with(command: &mut Command, input: &[u8]) -> Output {
    let mut child = spawn_piped(command);
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // A command that stops early closes its input, which is not an error.
        scope.spawn(move || {
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the command ends")
    })
}

/// Returns whether a command failed because the CPU does not support the requested instruction set.
pub fn lacks_instructions(output: &Output) -> bool {
    let message = stderr(output);
    output.status.code() == Some(2)
        && (message.contains("this CPU supports") || message.contains("this processor has"))
}

/// Returns the standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8 on standard output")
}

/// Returns the standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8 on standard error")
}

/// Parses JSON lines.
pub fn answers(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// A temporary folder for one test, removed when it is dropped.
#[derive(Debug)]
pub struct Folder(tempfile::TempDir);

impl Default for Folder {
    fn default() -> Folder {
        Folder::new()
    }
}

impl Folder {
    /// Creates an empty folder.
    #[must_use]
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    /// Returns its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the path of a file in the folder as text.
    pub fn at(&self, name: &str) -> String {
        self.path().join(name).to_str().expect("a plain name").to_owned()
    }

    /// Writes a file.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.at(name);
        std::fs::write(&path, contents).expect("a file");
        path
    }
}
