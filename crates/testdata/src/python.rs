//! Python, which runs exported models.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs a Python script and returns its standard output. The script must read all of its standard
/// input before it writes.
///
/// # Panics
///
/// When `python3` is not installed, or the script fails.
#[must_use]
pub fn python(script: &str, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new("python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is needed to run exported models");
    // The script reads everything before it writes, so this cannot deadlock.
    child.stdin.take().expect("a pipe").write_all(input).expect("written");
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "the script failed; see its messages above");
    output.stdout
}
