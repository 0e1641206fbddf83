//! `learn --watch`: a run as it goes. On a terminal a block of lines is drawn again and again: the step, the
//! best value so far, the curve, the rate and the time left. Elsewhere it is a line every few seconds.

use crate::flags::with_flags;
use crate::out::{duration, rate, say};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pellucid::data::Message;
use pellucid::learn::run::{Observer, Plan, Record, RunSummary};
use std::time::{Duration, Instant};

/// The time between two drawings on a terminal.
const DRAWING_INTERVAL: Duration = Duration::from_millis(100);
/// The time between two lines elsewhere.
const LINE_INTERVAL: Duration = Duration::from_secs(2);
/// The width of the curve.
const CURVE: usize = 50;
/// The width of the block, so that it fits on a terminal with 80 columns.
const WIDTH: usize = 78;
/// The values that say how good a model is, the most telling first. Higher is better.
const QUALITIES: [&str; 7] =
    ["held_out", "explained", "best", "quality", "auc", "accuracy", "train"];
/// The heights of the curve.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Shows a run as it goes, on standard error.
#[derive(Debug)]
pub struct Watch {
    bar: ProgressBar,
    history: RunHistory,
    shown: Option<Instant>,
}

impl Default for Watch {
    fn default() -> Watch {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        Watch { bar, history: RunHistory::default(), shown: None }
    }
}

impl Watch {
    fn show(&mut self, interval: Duration, is_last: bool) {
        let is_early = self.shown.is_some_and(|shown| shown.elapsed() < interval);
        if is_early && !is_last {
            return;
        }
        self.shown = Some(Instant::now());
        match self.bar.is_hidden() {
            true => say(self.history.line()),
            false => self.bar.set_message(self.history.block()),
        }
    }

    fn interval(&self) -> Duration {
        if self.bar.is_hidden() { LINE_INTERVAL } else { DRAWING_INTERVAL }
    }
}

impl Observer for Watch {
    fn started(&mut self, plan: &Plan) {
        self.history.learner = plan.learner.to_string();
        if let Some(resumed) = &plan.resumed {
            self.history.resumed = (resumed.step, resumed.evaluated, resumed.seconds);
        }
    }

    fn record(&mut self, record: &Record) {
        self.history.push(record);
        self.show(self.interval(), false);
    }

    fn warned(&mut self, message: &Message) {
        self.bar.suspend(|| say(format_args!("warning: {}", with_flags(message))));
    }

    fn stopped(&mut self, _: &RunSummary) {
        if self.history.last.is_none() {
            return;
        }
        self.show(Duration::ZERO, true);
        // The last drawing stays, so that the curve can be read after the run.
        self.bar.abandon();
    }
}

/// What is known of a run.
#[derive(Clone, Debug, Default)]
struct RunHistory {
    learner: String,
    /// The step, the evaluations and the seconds before a resume.
    resumed: (u64, u64, f64),
    last: Option<Record>,
    /// The best value and its step.
    best: Option<(f64, u64)>,
    /// The value of each step, thinned out when there are many.
    curve: Vec<f64>,
    /// Only every n-th value is kept.
    every: u64,
    seen: u64,
}

impl RunHistory {
    fn push(&mut self, record: &Record) {
        if let Some((_, value)) = quality(record) {
            if value.is_finite() && self.best.is_none_or(|(best, _)| value > best) {
                self.best = Some((value, record.step));
            }
            self.every = self.every.max(1);
            if self.seen.is_multiple_of(self.every) && value.is_finite() {
                self.curve.push(value);
            }
            self.seen += 1;
            if self.curve.len() > 2 * CURVE {
                self.every *= 2;
                let mut place = 0;
                self.curve.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
            }
        }
        self.last = Some(record.clone());
    }

    /// Returns how far the run is.
    fn progress(&self, record: &Record) -> String {
        let mut text = format!("{}: step {}", self.learner, record.step);
        if let Some(steps) = record.steps {
            text += &format!(" of {steps}");
        }
        text += &format!(", {}", duration(record.seconds));
        match self.left(record) {
            Some(0.0) => text += ", done",
            Some(left) => text += &format!(", {} left", duration(left)),
            None => {}
        }
        text
    }

    /// Returns the seconds that the rest takes at the rate so far.
    fn left(&self, record: &Record) -> Option<f64> {
        let (step, _, seconds) = self.resumed;
        let done = record.step.checked_sub(step).filter(|done| *done > 0)?;
        let rest = record.steps?.checked_sub(record.step)?;
        Some((record.seconds - seconds) / done as f64 * rest as f64)
    }

    fn rates(&self, record: &Record) -> String {
        let (step, evaluated, seconds) = self.resumed;
        let speed = |count: u64| count as f64 / (record.seconds - seconds);
        let speeds = [
            speed(record.step.saturating_sub(step)),
            speed(record.evaluated.saturating_sub(evaluated)),
        ];
        if speeds.iter().any(|speed| !speed.is_finite()) {
            return String::new();
        }
        let [steps, evaluated] = speeds.map(rate);
        format!("{steps} steps/s, {evaluated} evaluated/s")
    }

    /// Returns the values of the last step.
    fn values(record: &Record) -> Vec<String> {
        let named =
            |(name, value): (&str, f64)| format!("{} {}", name.replace('_', " "), short(value));
        record.values.iter().map(named).collect()
    }

    /// Returns the best value.
    fn best(&self, record: &Record) -> String {
        match (quality(record), self.best) {
            (Some((name, _)), Some((best, step))) => {
                format!("best {} {} at step {step}", name.replace('_', " "), short(best))
            }
            _ => String::new(),
        }
    }

    /// Returns the run in one line.
    fn line(&self) -> String {
        let Some(record) = &self.last else { return String::new() };
        let values = RunHistory::values(record).join(", ");
        joined([self.progress(record), values, self.best(record), self.rates(record)], "; ")
    }

    /// Returns the run in several lines.
    fn block(&self) -> String {
        let Some(record) = &self.last else { return String::new() };
        let values = wrapped(&RunHistory::values(record));
        let lines =
            [self.progress(record), self.best(record), self.drawn(), values, self.rates(record)];
        joined(lines, "\n  ")
    }

    /// Returns the curve with its ends.
    fn drawn(&self) -> String {
        let ends = self.curve.iter().fold(None, |ends: Option<(f64, f64)>, &value| {
            Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        });
        let Some((low, high)) = ends.filter(|_| self.curve.len() > 1) else {
            return String::new();
        };
        let count = self.curve.len().min(CURVE);
        let bar = |place: usize| {
            // Each column has the last of its values.
            let value = self.curve[(place + 1) * self.curve.len() / count - 1];
            let share = if high > low { (value - low) / (high - low) } else { 1.0 };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 7")]
            let height = (share * 7.0).round() as usize;
            BARS[height.min(7)]
        };
        let curve: String = (0..count).map(bar).collect();
        format!("{} {curve} {}", short(low), short(high))
    }
}

/// Joins the parts that are not empty.
fn joined(parts: impl IntoIterator<Item = String>, between: &str) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(between)
}

/// Joins values with commas, in as many lines as they need.
fn wrapped(values: &[String]) -> String {
    let (mut text, mut width) = (String::new(), 2);
    for (place, value) in values.iter().enumerate() {
        let letters = value.chars().count();
        match place {
            0 => {}
            _ if width + 2 + letters > WIDTH => {
                text += ",\n  ";
                width = 2;
            }
            _ => {
                text += ", ";
                width += 2;
            }
        }
        text += value;
        width += letters;
    }
    text
}

/// Returns the value that says how good the model is, with its name.
fn quality(record: &Record) -> Option<(&'static str, f64)> {
    QUALITIES.iter().find_map(|&name| Some((name, record.values.get(name)?)))
}

/// Returns a number with three decimals, or none if it is whole.
fn short(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid::learn::run::Figures;

    fn record(step: u64, accuracy: f64) -> Record {
        let values = Figures::new().with("accuracy", accuracy).with("rules", 4.0);
        let seconds = 0.5 * step as f64;
        Record { step, steps: Some(10), evaluated: 100 * step, seconds, values }
    }

    fn history(accuracies: &[f64]) -> RunHistory {
        let mut history = RunHistory { learner: "xcs".to_owned(), ..RunHistory::default() };
        (1..).zip(accuracies).for_each(|(step, &accuracy)| history.push(&record(step, accuracy)));
        history
    }

    #[test]
    fn a_run_is_a_line_or_a_block() {
        let history = history(&[0.5, 0.875, 0.75]);
        assert_eq!(
            history.line(),
            "xcs: step 3 of 10, 1.5 s, 3.5 s left; accuracy 0.750, rules 4; best accuracy 0.875 at \
             step 2; 2.00 steps/s, 200 evaluated/s"
        );
        assert_eq!(
            history.block(),
            "xcs: step 3 of 10, 1.5 s, 3.5 s left\n  best accuracy 0.875 at step 2\n  0.500 ▁█▆ 0.875\n  \
             accuracy 0.750, rules 4\n  2.00 steps/s, 200 evaluated/s"
        );
    }

    #[test]
    fn a_block_fits_on_80_columns() {
        let mut history = history(&(0..200).map(|at| f64::from(at % 7) / 7.0).collect::<Vec<_>>());
        let mut last = record(10, 0.5);
        for name in ["columns_named", "copies", "error", "population", "explained_by_all", "most"] {
            last.values.set(name, 12345.678);
        }
        history.push(&last);
        let block = history.block();
        assert!(block.lines().all(|line| line.chars().count() < 80), "{block}");
        assert!(block.lines().count() > 5 && block.contains("columns named 12345.678"), "{block}");
        assert!(block.starts_with("xcs: step 10 of 10, 5.0 s, done\n"), "{block}");
    }

    #[test]
    fn a_long_curve_is_thinned_out_and_ends_with_a_late_value() {
        let values: Vec<f64> = (0..5000).map(|step| f64::from(step) / 5000.0).collect();
        let history = history(&values);
        assert!(history.curve.len() <= 2 * CURVE + 1, "{}", history.curve.len());
        assert!(history.curve.last().is_some_and(|last| *last > 0.9));
        assert!(history.drawn().chars().count() < CURVE + 20);
        assert_eq!(history.best, Some((0.9998, 5000)));
    }

    #[test]
    fn a_run_without_a_quality_has_no_curve() {
        let mut history = RunHistory { learner: "rules".to_owned(), ..RunHistory::default() };
        let values = Figures::new().with("rules", 7.0);
        history.push(&Record { step: 1, steps: None, evaluated: 0, seconds: 70.0, values });
        assert_eq!(
            history.line(),
            "rules: step 1, 1 min 10 s; rules 7; 0.01 steps/s, 0.00 evaluated/s"
        );
        assert_eq!(history.drawn(), "");
    }
}
