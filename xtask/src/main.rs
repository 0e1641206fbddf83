//! The project's chores, as `cargo xtask NAME`.
//!
//! `test` is the gate: a change is fit to land when it is green. It installs what it needs, so that it also
//! runs on a bare machine with Rust and Python.

#![forbid(unsafe_code)]

mod browser;
mod files;
mod gate;
mod guide;
#[cfg(test)]
mod links;
mod mathematics;
mod matrix;
mod measure;
#[cfg(test)]
mod named;
mod ptx;
mod python;
mod recipe;
mod release;
mod shape;
mod skipped;
mod tools;
mod torture;
mod words;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask NAME

  test           format, lints, words, tests, documentation, the Python package, quick comparisons: the gate
  test --full    the same with the long tests, the wheel and Ray, the GPU's kernels compiled again, and the
                 recipe for a learner
  python         the tests of the Python package alone
  matrix [3.10 …] [--part]  the same in environments with Python 3.10 to 3.14, NumPy 1.26 and 2, pandas 2
                 and 3, scikit-learn 1.6 and later; --part: the tests that depend most on these packages
  browser        reports in headless Chromium: the same predictions as the command, every control, no errors
  browser FOLDER the same, with screenshots
  browser --pictures  make the pictures of the documentation
  guide          make a book of docs/ with mdBook, in target/guide
  ptx            compile the GPU's kernels to PTX
  ptx --check    the same, but only compare with the PTX that is there
  words          phrases to avoid in text for users, and unclear public names
  shape          lines and functions that are too long
  mathematics    functions whose last digits depend on the system
  release --dry-run [--host] [--twice]  make what a release consists of in target/release-artifacts, install
                 the wheel and run README's lines; --host: only the wheel of this machine, --twice: build
                 again and compare the bytes
  recipe         add a learner to a copy of the project by the list in CONTRIBUTING.md
  bench          ours beside numpy; results go to bench/results
  torture ARGS   damaged files, kills and full disks; --minutes M, --seed N, --mutations N, --kills N,
                 --only mutations|kills|writes|disks; not part of the gate
  torture --guided [READER …]  the readers under libFuzzer, each for --seconds N (60)
  torture --pack FOLDER  the binaries for the same on a machine without Rust
  bench FOLDER   the same, and rules, concepts and logic beside their peers on the data in a folder";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["test"] => gate::run(false),
        ["test", "--full"] => gate::run(true),
        ["python"] => python::test(false),
        ["python", "--full"] => python::test(true),
        ["matrix", ref more @ ..] => matrix::run(more),
        ["browser"] => browser::run(None),
        ["browser", "--pictures"] => browser::pictures(),
        ["guide"] => guide::run(),
        ["browser", folder] => browser::run(Some(folder)),
        ["ptx"] => ptx::write(),
        ["ptx", "--check"] => ptx::check(),
        ["words"] => words::run(),
        ["shape"] => shape::check(),
        ["mathematics"] => mathematics::check(),
        ["release", ref more @ ..] => release::run(more),
        ["recipe"] => recipe::check(),
        ["torture", ref more @ ..] => torture::run(more),
        ["bench"] => measure::run(None),
        ["bench", folder] => measure::run(Some(folder)),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
