//! Python, which runs what is exported.

use std::io::Write;
use std::process::{Command, Stdio};

/// What a Python script says on standard output when it is given this on standard input, which it
/// reads to the end first.
///
/// # Panics
///
/// When there is no `python3`, or the script fails.
#[must_use]
pub fn python(script: &str, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new("python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is needed to run what is exported");
    // It reads everything before it writes, so neither waits for the other.
    child.stdin.take().expect("a pipe").write_all(input).expect("written");
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "the script failed, see above");
    output.stdout
}
