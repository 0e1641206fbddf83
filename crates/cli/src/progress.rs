//! A run on the terminal: a bar with rate and time left, which leaves nothing behind.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pellucid::learn::run::{Observer, Plan, Record, Summary};

/// Draws a run on standard error, if that is a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar, or nothing at all when `quiet`.
    pub(crate) fn new(quiet: bool) -> Progress {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        Progress { bar: ProgressBar::with_draw_target(None, target) }
    }
}

impl Observer for Progress {
    fn started(&mut self, plan: &Plan) {
        let template = match plan.steps {
            Some(steps) => {
                self.bar.set_length(steps);
                "{prefix} {bar:32} {pos}/{len}  {msg}  {eta} left"
            }
            None => "{prefix} {spinner} {pos}  {msg}  {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_prefix(plan.learner.clone());
    }

    fn record(&mut self, record: &Record) {
        let values: Vec<String> = record.values.iter().map(|(name, value)| format!("{name} {value:.3}")).collect();
        self.bar.set_message(values.join("  "));
        self.bar.set_position(record.step);
    }

    fn warned(&mut self, message: &str) {
        self.bar.suspend(|| eprintln!("warning: {message}"));
    }

    fn stopped(&mut self, _: &Summary) {
        self.bar.finish_and_clear();
    }
}
