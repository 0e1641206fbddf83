//! Readers under libFuzzer: starts the instrumented binary for each reader, with the sample files as its first corpus.

use crate::worker;
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What to run, and for how long.
#[derive(Debug, PartialEq)]
struct Plan {
    /// The instrumented binary.
    fuzzer: PathBuf,
    /// Where the corpus is kept between runs, and where files go that break a reader.
    folder: PathBuf,
    /// Seconds for each reader.
    seconds: u64,
    /// Readers at a time.
    jobs: usize,
    /// Readers by name, or by the first part of it (`model`, `checkpoint`); all if none is named.
    wanted: Vec<String>,
}

impl Plan {
    fn parse(words: &[String]) -> Result<Plan> {
        let mut plan = Plan {
            fuzzer: std::env::current_exe()?.with_file_name("pellucid-guided"),
            folder: "guided".into(),
            seconds: 60,
            jobs: std::thread::available_parallelism()?.get(),
            wanted: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word.as_str() {
                "--fuzzer" => plan.fuzzer = value()?.into(),
                "--folder" => plan.folder = value()?.into(),
                "--seconds" => {
                    plan.seconds = value()?.parse().context("--seconds takes a whole number")?
                }
                "--jobs" => plan.jobs = value()?.parse().context("--jobs takes a whole number")?,
                flag if flag.starts_with("--") => {
                    bail!(
                        "there is no flag {flag}; there are --fuzzer, --folder, --seconds and --jobs"
                    )
                }
                name => plan.wanted.push(name.to_owned()),
            }
        }
        Ok(plan)
    }

    /// The readers that are wanted, in the order of `known`.
    fn chosen<'a>(&self, known: &'a [String]) -> Result<Vec<&'a str>> {
        let is_meant = |name: &str, wanted: &str| {
            name == wanted || name.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('-'))
        };
        for wanted in &self.wanted {
            ensure!(
                known.iter().any(|name| is_meant(name, wanted)),
                "there is no reader {wanted}; there are {}",
                known.join(", ")
            );
        }
        let is_wanted = |name: &&str| {
            self.wanted.is_empty() || self.wanted.iter().any(|wanted| is_meant(name, wanted))
        };
        Ok(known.iter().map(String::as_str).filter(is_wanted).collect())
    }
}

/// Fuzzes the readers that are named; returns whether all of them held.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let plan = Plan::parse(words)?;
    ensure!(
        plan.fuzzer.exists(),
        "there is no {}; 'cargo xtask torture --pack FOLDER' builds it, --fuzzer FILE names another",
        plan.fuzzer.display()
    );
    let (corpus, found) = (plan.folder.join("corpus"), plan.folder.join("found"));
    std::fs::create_dir_all(&found)?;
    let known = worker::samples(&corpus)?;
    let readers = plan.chosen(&known)?;
    let (next, broken) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| -> Result<()> {
        let work = || -> Result<()> {
            while let Some(&reader) = readers.get(next.fetch_add(1, Ordering::SeqCst)) {
                if !fuzz(&plan, reader, &corpus.join(reader), &found)? {
                    broken.lock().expect("no thread panics while it notes a name").push(reader);
                }
            }
            Ok(())
        };
        let threads: Vec<_> = (0..plan.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("a thread that waits"))
    })?;
    let broken = broken.into_inner().unwrap_or_default();
    println!("{} readers, {} s each; broken: {}", readers.len(), plan.seconds, broken.len());
    if !broken.is_empty() {
        println!("broken: {}; files in {}", broken.join(", "), found.display());
    }
    Ok(broken.is_empty())
}

/// Fuzzes one reader; its log is kept beside its corpus. Returns whether it held.
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
    let outcome = if done.success() { "held" } else { "BROKEN" };
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
    fn readers_are_chosen_by_name_or_by_the_first_part_of_it() {
        let known = ["csv", "csv-bags", "model-xcs", "model-rules"].map(str::to_owned);
        let chosen =
            |text: &str| plan(text).expect("flags").chosen(&known).map_err(|e| e.to_string());
        assert_eq!(chosen("model --seconds 5"), Ok(vec!["model-xcs", "model-rules"]));
        assert_eq!(chosen("csv-bags"), Ok(vec!["csv-bags"]));
        assert_eq!(chosen("").map(|all| all.len()), Ok(4));
        let error = chosen("mod").expect_err("no such reader");
        assert_eq!(
            error,
            "there is no reader mod; there are csv, csv-bags, model-xcs, model-rules"
        );
    }

    #[test]
    fn flags_that_do_not_exist_are_refused() {
        assert!(
            plan("--second 5").expect_err("a flag").to_string().starts_with("there is no flag")
        );
        assert!(plan("--seconds").expect_err("a value").to_string().contains("needs a value"));
    }
}
