//! Work under way, on the terminal: a bar with rate and time left that leaves nothing behind.

use crate::out::{parameters_as_flags, rate, say};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pellucid::learn::run::{Observer, Plan, Record, Resumed, RunSummary};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long between two looks at work that counts as it goes.
const GLANCE: Duration = Duration::from_millis(100);

/// Draws progress on standard error, if that is a terminal. Learners tell it as an [`Observer`] of their run,
/// other commands by hand.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    quiet: bool,
    /// What was done before a resume.
    before: Before,
}

/// Steps, what was evaluated in them, and in how many seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    step: u64,
    evaluated: u64,
    seconds: f64,
}

impl Progress {
    /// A bar, or nothing at all when `quiet`.
    pub fn new(quiet: bool) -> Progress {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        Progress {
            bar: ProgressBar::with_draw_target(None, target),
            quiet,
            before: Before::default(),
        }
    }

    /// So many steps lie ahead, if that is known.
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
            // A step may be long; that time passes is seen all the same.
            None => self.bar.enable_steady_tick(GLANCE),
        }
        self.bar.set_prefix(name.to_owned());
    }

    /// Something begins that cannot say how far it is: that time passes is seen from the start.
    pub fn wait(&self, name: &str, message: &str) {
        if self.bar.is_hidden() {
            return;
        }
        if let Ok(style) = ProgressStyle::with_template("{prefix} {spinner} {msg}  {elapsed}") {
            self.bar.set_style(style);
        }
        self.bar.set_prefix(name.to_owned());
        self.bar.set_message(message.to_owned());
        self.bar.enable_steady_tick(GLANCE);
    }

    /// So many steps are done.
    pub fn at(&self, step: u64, message: String) {
        self.bar.set_message(message);
        self.bar.set_position(step);
    }

    /// Nothing is left to do; the bar goes.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

/// Does work that counts as it goes, and shows how far it is, if standard error is a terminal and not
/// `quiet`.
pub fn watch<R>(name: &str, quiet: bool, so_far: &AtomicU64, work: impl FnOnce() -> R) -> R {
    let progress = Progress::new(quiet);
    if progress.bar.is_hidden() {
        return work();
    }
    progress.begin(name, None);
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        let progress = &progress;
        scope.spawn(move || {
            let start = Instant::now();
            // The end is heard at once.
            while is_done.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                let count = so_far.load(Relaxed);
                let speed = count as f64 / start.elapsed().as_secs_f64();
                progress.at(count, format!("{}/s", rate(speed)));
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
            let Resumed { step, evaluated, seconds, .. } = *resumed;
            self.before = Before { step, evaluated, seconds };
        }
    }

    fn record(&mut self, record: &Record) {
        let values = record.values.iter().map(|(name, value)| format!("{name} {value:.3}"));
        let mut told: Vec<String> = values.collect();
        let Before { step, evaluated, seconds } = self.before;
        let speed = |count: u64| count as f64 / (record.seconds - seconds);
        let speeds = [speed(record.step - step), speed(record.evaluated - evaluated)];
        if speeds.iter().all(|speed| speed.is_finite()) {
            let [steps, evaluated] = speeds.map(rate);
            told.push(format!("{steps} steps/s  {evaluated} evaluated/s"));
        }
        self.at(record.step, told.join("  "));
    }

    fn warned(&mut self, message: &str) {
        if !self.quiet {
            self.bar.suspend(|| say(format_args!("warning: {}", parameters_as_flags(message))));
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
    fn work_that_nobody_watches_is_done_all_the_same() {
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
