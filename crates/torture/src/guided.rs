//! Coverage-guided fuzzing: starts the instrumented binary for each reader, with the sample files
//! as initial corpus.

use crate::worker;
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The options of fuzzing.
#[derive(Debug, PartialEq)]
struct Plan {
    /// The instrumented binary.
    fuzzer: PathBuf,
    /// The folder of the corpus, which is kept between runs, and of files that break a reader.
    folder: PathBuf,
    /// The number of seconds per reader.
    seconds: u64,
    /// The number of readers that run at the same time.
    jobs: usize,
    /// Names of readers, or prefixes such as `model` and `checkpoint`. All readers if empty.
    selected: Vec<String>,
}

impl Plan {
    fn parse(words: &[String]) -> Result<Plan> {
        let mut plan = Plan {
            fuzzer: std::env::current_exe()?.with_file_name("pellucid-guided"),
            folder: "guided".into(),
            seconds: 60,
            jobs: std::thread::available_parallelism()?.get(),
            selected: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word.as_str() {
                "--fuzzer" => plan.fuzzer = value()?.into(),
                "--folder" => plan.folder = value()?.into(),
                "--seconds" => {
                    plan.seconds = value()?.parse().context("--seconds needs a whole number")?
                }
                "--jobs" => plan.jobs = value()?.parse().context("--jobs needs a whole number")?,
                flag if flag.starts_with("--") => {
                    bail!(
                        "unknown flag {flag}; expected one of --fuzzer, --folder, --seconds, --jobs"
                    )
                }
                name => plan.selected.push(name.to_owned()),
            }
        }
        Ok(plan)
    }

    /// Returns the selected readers, in the order of `known`.
    fn readers<'a>(&self, known: &'a [String]) -> Result<Vec<&'a str>> {
        let matches = |name: &str, pattern: &str| {
            name == pattern || name.strip_prefix(pattern).is_some_and(|rest| rest.starts_with('-'))
        };
        for pattern in &self.selected {
            ensure!(
                known.iter().any(|name| matches(name, pattern)),
                "unknown reader {pattern}; expected one of {}",
                known.join(", ")
            );
        }
        let is_selected = |name: &&str| {
            self.selected.is_empty() || self.selected.iter().any(|pattern| matches(name, pattern))
        };
        Ok(known.iter().map(String::as_str).filter(is_selected).collect())
    }
}

/// Fuzzes the selected readers. Returns whether all of them passed.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let plan = Plan::parse(words)?;
    ensure!(
        plan.fuzzer.exists(),
        "cannot find {}; build it with 'cargo xtask torture --pack FOLDER', or use --fuzzer FILE",
        plan.fuzzer.display()
    );
    let (corpus, found) = (plan.folder.join("corpus"), plan.folder.join("found"));
    std::fs::create_dir_all(&found)?;
    let known = worker::samples(&corpus)?;
    let readers = plan.readers(&known)?;
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| -> Result<()> {
        let work = || -> Result<()> {
            while let Some(&reader) = readers.get(next.fetch_add(1, Ordering::SeqCst)) {
                if !fuzz(&plan, reader, &corpus.join(reader), &found)? {
                    failed.lock().expect("the lock is not poisoned").push(reader);
                }
            }
            Ok(())
        };
        let threads: Vec<_> = (0..plan.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("the thread does not panic"))
    })?;
    let failed = failed.into_inner().unwrap_or_default();
    println!("{} readers, {} s each; failed: {}", readers.len(), plan.seconds, failed.len());
    if !failed.is_empty() {
        println!("failed: {}; files in {}", failed.join(", "), found.display());
    }
    Ok(failed.is_empty())
}

/// Fuzzes one reader and writes a log next to its corpus. Returns whether the reader passed.
fn fuzz(plan: &Plan, reader: &str, corpus: &Path, found: &Path) -> Result<bool> {
    let log_path = plan.folder.join(format!("{reader}.log"));
    let log = std::fs::File::create(&log_path)?;
    let done = Command::new(&plan.fuzzer)
        .arg(corpus)
        .arg(format!("-artifact_prefix={}/{reader}-", found.display()))
        .arg(format!("-max_total_time={}", plan.seconds))
        .args(["-timeout=5", "-rss_limit_mb=1024", "-verbosity=1", "-print_final_stats=1"])
        .env("PELLUCID_READER", reader)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .status()
        .with_context(|| plan.fuzzer.display().to_string())?;
    let text = std::fs::read(&log_path)?;
    let text = String::from_utf8_lossy(&text);
    let runs = text.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units: "));
    let runs = runs.unwrap_or("an unknown number of");
    let outcome = if done.success() { "passed" } else { "FAILED" };
    println!("{reader:<28} {outcome}, {} inputs, log in {}", runs.trim(), log_path.display());
    Ok(done.success())
}

#[cfg(test)]
mod tests {
    use super::Plan;

    fn plan(text: &str) -> anyhow::Result<Plan> {
        Plan::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn readers_are_selected_by_name_or_prefix() {
        let known = ["csv", "csv-bags", "model-xcs", "model-rules"].map(str::to_owned);
        let readers =
            |text: &str| plan(text).expect("flags").readers(&known).map_err(|e| e.to_string());
        assert_eq!(readers("model --seconds 5"), Ok(vec!["model-xcs", "model-rules"]));
        assert_eq!(readers("csv-bags"), Ok(vec!["csv-bags"]));
        assert_eq!(readers("").map(|all| all.len()), Ok(4));
        let error = readers("mod").expect_err("no such reader");
        assert_eq!(
            error,
            "unknown reader mod; expected one of csv, csv-bags, model-xcs, model-rules"
        );
    }

    #[test]
    fn unknown_flags_are_errors() {
        assert!(plan("--second 5").expect_err("a flag").to_string().starts_with("unknown flag"));
        assert!(plan("--seconds").expect_err("a value").to_string().contains("needs a value"));
    }
}
