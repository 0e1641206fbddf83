//! A progress bar on standard error, with rate and time left. It is removed at the end.

use crate::flags::with_flags;
use crate::forecast::{Expected, Forecast, LONG, Status, estimate_beside};
use crate::out::{rate, say};
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pellucid::data::Message;
use pellucid::learn::run::{Observer, Plan, Record, ResumeProgress, RunSummary};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The time between two updates.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// Draws progress on standard error, if that is a terminal. Learners report to it as an [`Observer`],
/// other commands call it directly.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    quiet: bool,
    /// The work that was done before a resume.
    resumed_from: ResumePoint,
}

/// The steps, evaluations and seconds before a resume.
#[derive(Clone, Copy, Debug, Default)]
struct ResumePoint {
    step: u64,
    evaluated: u64,
    seconds: f64,
}

impl Progress {
    /// Returns a progress bar, which is hidden if `quiet`.
    pub fn new(quiet: bool) -> Progress {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        Progress {
            bar: ProgressBar::with_draw_target(None, target),
            quiet,
            resumed_from: ResumePoint::default(),
        }
    }

    /// Starts the bar, with the number of steps if it is known.
    pub fn begin(&self, name: &str, steps: Option<u64>) {
        let template = if steps.is_some() {
            "{prefix} {bar:32} {pos}/{len}  {msg}  {eta} left"
        } else {
            "{prefix} {spinner} {pos}  {msg}  {elapsed}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        match steps {
            Some(steps) => self.bar.set_length(steps),
            // A step may be long: keep the spinner moving.
            None => self.bar.enable_steady_tick(UPDATE_INTERVAL),
        }
        self.bar.set_prefix(name.to_owned());
    }

    /// Shows a spinner for work that cannot report its progress.
    pub fn wait(&self, name: &str, message: &str) {
        if self.bar.is_hidden() {
            return;
        }
        if let Ok(style) = ProgressStyle::with_template("{prefix} {spinner} {msg}  {elapsed}") {
            self.bar.set_style(style);
        }
        self.bar.set_prefix(name.to_owned());
        self.bar.set_message(message.to_owned());
        self.bar.enable_steady_tick(UPDATE_INTERVAL);
    }

    /// Sets the number of finished steps.
    pub fn at(&self, step: u64, message: String) {
        self.bar.set_message(message);
        self.bar.set_position(step);
    }

    /// Shows what a search has found, what it will find and the time left.
    fn foresee(
        &self,
        noun: &str,
        found: u64,
        elapsed: Duration,
        forecast: &Forecast<'_>,
        expected: &Expected,
    ) {
        // The spinner and a blank.
        let columns = usize::from(Term::stderr().size().1).saturating_sub(2);
        let limit = forecast.deadline.map(|deadline| {
            let left = deadline.saturating_duration_since(Instant::now());
            left.as_secs_f64()
        });
        let status = Status { noun, found, seconds: elapsed.as_secs_f64(), limit };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            self.bar.set_style(style);
        }
        self.bar.set_message(forecast.line(expected, &status, columns));
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

/// Runs `work`, which counts in `so_far`, and shows its progress unless `quiet`.
pub fn watch<R>(name: &str, quiet: bool, so_far: &AtomicU64, work: impl FnOnce() -> R) -> R {
    observe(name, None, quiet, so_far, None, work)
}

/// Does the same for work with a known number of steps.
pub fn watch_steps<R>(
    name: &str,
    steps: u64,
    quiet: bool,
    so_far: &AtomicU64,
    work: impl FnOnce() -> R,
) -> R {
    observe(name, Some(steps), quiet, so_far, None, work)
}

/// Does the same for a search. If it takes long, the line also shows how much is expected and the time left.
pub fn watch_with<R>(
    name: &str,
    quiet: bool,
    so_far: &AtomicU64,
    forecast: Option<Forecast<'_>>,
    work: impl FnOnce() -> R,
) -> R {
    observe(name, None, quiet, so_far, forecast, work)
}

fn observe<R>(
    name: &str,
    steps: Option<u64>,
    quiet: bool,
    so_far: &AtomicU64,
    forecast: Option<Forecast<'_>>,
    work: impl FnOnce() -> R,
) -> R {
    let progress = Progress::new(quiet);
    if progress.bar.is_hidden() {
        return work();
    }
    progress.begin(name, steps);
    let (done, is_done) = channel::<()>();
    let (is_over, expected, start) = (AtomicBool::new(false), OnceLock::new(), Instant::now());
    std::thread::scope(|scope| {
        let (progress, is_over, expected) = (&progress, &is_over, &expected);
        scope.spawn(move || {
            let mut estimator = None;
            // The channel closes when the work ends.
            while is_done.recv_timeout(UPDATE_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let (found, elapsed) = (so_far.load(Relaxed), start.elapsed());
                match (&forecast, expected.get()) {
                    (Some(forecast), Some(expected)) => {
                        progress.foresee(name, found, elapsed, forecast, expected);
                    }
                    _ => {
                        let speed = rate(found as f64 / elapsed.as_secs_f64());
                        progress.at(found, format!("{speed}/s"));
                    }
                }
                if let Some(forecast) = forecast
                    && estimator.is_none()
                    && elapsed >= LONG
                {
                    let estimate = move || {
                        if let Some(found) = estimate_beside(&forecast, start, is_over) {
                            let _ = expected.set(found);
                        }
                    };
                    // Without a thread there is no estimate.
                    estimator = Some(Builder::new().spawn_scoped(scope, estimate).ok());
                }
            }
            is_over.store(true, Relaxed);
            if let Some(estimator) = estimator.flatten() {
                estimator.thread().unpark();
            }
            progress.end();
        });
        let result = work();
        drop(done);
        result
    })
}

impl Observer for Progress {
    fn started(&mut self, plan: &Plan) {
        self.begin(&plan.learner, plan.steps);
        if let Some(resumed) = &plan.resumed {
            let ResumeProgress { step, evaluated, seconds, .. } = *resumed;
            self.resumed_from = ResumePoint { step, evaluated, seconds };
        }
    }

    fn record(&mut self, record: &Record) {
        let values = record.values.iter().map(|(name, value)| format!("{name} {value:.3}"));
        let mut parts: Vec<String> = values.collect();
        let ResumePoint { step, evaluated, seconds } = self.resumed_from;
        let speed = |count: u64| count as f64 / (record.seconds - seconds);
        let speeds = [speed(record.step - step), speed(record.evaluated - evaluated)];
        if speeds.iter().all(|speed| speed.is_finite()) {
            let [steps, evaluated] = speeds.map(rate);
            parts.push(format!("{steps} steps/s  {evaluated} evaluated/s"));
        }
        self.at(record.step, parts.join("  "));
    }

    fn warned(&mut self, message: &Message) {
        if !self.quiet {
            self.bar.suspend(|| say(format_args!("warning: {}", with_flags(message))));
        }
    }

    fn stopped(&mut self, _: &RunSummary) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid::learn::run::Figures;

    #[test]
    fn hidden_progress_still_runs_the_work() {
        assert_eq!(watch("concepts", true, &AtomicU64::new(0), || 7), 7);
    }

    #[test]
    fn follows_a_run() {
        let mut progress = Progress::new(true);
        progress.begin("rules", Some(10));
        let values = Figures::new().with("fitness", 0.51239);
        progress.record(&Record { step: 4, steps: Some(10), evaluated: 400, seconds: 0.1, values });
        assert_eq!((progress.bar.position(), progress.bar.length()), (4, Some(10)));
        assert_eq!(progress.bar.message(), "fitness 0.512  40.0 steps/s  4.00 k evaluated/s");
        progress.end();
        assert!(progress.bar.is_finished());
    }
}
