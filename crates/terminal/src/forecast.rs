//! What a search will find and how long that takes, shown while it runs.
//!
//! The estimate is made beside the search, on a thread of its own that takes a small share of the time.

use crate::out::{duration, grouped, rate};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A search that takes longer is long enough for an estimate.
pub(crate) const LONG: Duration = Duration::from_secs(2);

/// The time that an estimate may take at once.
const HEAD_START: Duration = Duration::from_millis(200);
/// The share of the time of all threads that an estimate may take in addition.
const SHARE: f64 = 0.02;
/// How long an estimate sleeps when it has used its share.
const NAP: Duration = Duration::from_millis(20);

/// The number of results to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The estimate.
    pub number: u64,
    /// The lower end of its 95 % confidence interval.
    pub low: u64,
    /// The upper end of its 95 % confidence interval.
    pub high: u64,
}

/// Estimates the number of results. Returns nothing if the function that it is given returned true,
/// or if there is no estimate. It calls that function often.
pub type MakeEstimate<'a> = &'a (dyn Fn(&(dyn Fn() -> bool + Sync)) -> Option<Expected> + Sync);

/// An estimate to make if a search takes long, and the limits of the search.
#[derive(Clone, Copy)]
pub struct Forecast<'a> {
    /// Makes the estimate.
    pub estimate: MakeEstimate<'a>,
    /// The number of threads of the search.
    pub threads: usize,
    /// The maximum number of results.
    pub most: Option<u64>,
    /// Whether the search fails if there are more.
    pub fails_beyond: bool,
    /// When the search ends at the latest.
    pub deadline: Option<Instant>,
}

impl std::fmt::Debug for Forecast<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Forecast { threads, most, fails_beyond, deadline, .. } = self;
        f.debug_struct("Forecast")
            .field("threads", threads)
            .field("most", most)
            .field("fails_beyond", fails_beyond)
            .field("deadline", deadline)
            .finish_non_exhaustive()
    }
}

/// A search under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Status<'a> {
    /// What is found, such as `concepts`.
    pub(crate) noun: &'a str,
    pub(crate) found: u64,
    pub(crate) seconds: f64,
    /// The seconds until the time limit.
    pub(crate) limit: Option<f64>,
}

impl Forecast<'_> {
    /// Returns the line to show, in the longest form that fits into a number of columns. If none
    /// does, it is the shortest one.
    pub(crate) fn line(&self, expected: &Expected, status: &Status<'_>, columns: usize) -> String {
        let mut forms = self.forms(expected, status);
        let shortest = forms.pop().unwrap_or_default();
        forms.into_iter().find(|form| form.chars().count() <= columns).unwrap_or(shortest)
    }

    /// Returns the line in several forms, the longest first.
    fn forms(&self, expected: &Expected, status: &Status<'_>) -> Vec<String> {
        let Status { noun, found, .. } = *status;
        let (now, about) = (short(found), short(expected.number));
        let (low, high) = (short(expected.low), short(expected.high));
        if found > expected.high {
            return vec![
                format!("Found {now} {noun}, more than the estimate of {about} ({low} to {high})."),
                format!("{now} {noun}, more than estimated"),
                now,
            ];
        }
        let most = self.most.unwrap_or(u64::MAX);
        let limit = short(most);
        if expected.low > most && self.fails_beyond {
            return vec![
                format!(
                    "Found {now} of about {about} {noun} ({low} to {high}): more than the maximum of \
                     {limit}."
                ),
                format!("about {about} {noun}, the maximum is {limit}"),
                format!("more than {limit}"),
            ];
        }
        let left = self.left(expected, status);
        let (sentence, part) = match &left {
            None => (String::new(), String::new()),
            Some(left) => (format!(" {}.", capitalized(left)), format!(", {left}")),
        };
        let mut forms = if expected.low > most {
            vec![
                format!(
                    "Found {now} of {limit} {noun} (--max; there are about {about}).{sentence}"
                ),
                format!("{now} of {limit}{part}"),
            ]
        } else {
            vec![
                format!(
                    "Found {now} of about {about} {noun} (95 % interval: {low} to {high}).{sentence}"
                ),
                format!("{now} of about {about} {noun} ({low} to {high}){part}"),
                format!("{now} of about {about}{part}"),
            ]
        };
        forms.extend(left);
        forms
    }

    /// Returns the time left, at the rate so far.
    fn left(&self, expected: &Expected, status: &Status<'_>) -> Option<String> {
        let Status { found, seconds, limit, .. } = *status;
        let most = self.most.unwrap_or(u64::MAX);
        let (number, high) = (expected.number.min(most), expected.high.min(most));
        let rest = |end: u64| seconds * end.saturating_sub(found) as f64 / found as f64;
        let likely = rest(number);
        match limit {
            Some(limit) if found == 0 || limit < likely => {
                Some(format!("{} left until --time-limit", duration(limit)))
            }
            _ if found == 0 => None,
            _ if found < number => Some(format!("about {} left", duration(likely))),
            _ => Some(format!("at most about {} left", duration(rest(high)))),
        }
    }
}

/// Makes an estimate without slowing the search: the thread is parked when it has used its share of
/// the time. Returns nothing if the search ends before; unpark the thread then.
pub(crate) fn estimate_beside(
    forecast: &Forecast<'_>,
    start: Instant,
    is_over: &AtomicBool,
) -> Option<Expected> {
    // The time used, and when the thread last went on.
    let clock = Mutex::new((Duration::ZERO, Instant::now()));
    let stop = || {
        let Ok(mut clock) = clock.lock() else { return true };
        let (used, since) = &mut *clock;
        *used += since.elapsed();
        while !is_over.load(Relaxed) && *used > allowed(start.elapsed(), forecast.threads) {
            std::thread::park_timeout(NAP);
        }
        *since = Instant::now();
        is_over.load(Relaxed)
    };
    (forecast.estimate)(&stop)
}

/// Returns the time that an estimate may take while a search has run for some time.
fn allowed(elapsed: Duration, threads: usize) -> Duration {
    HEAD_START + elapsed.mul_f64(SHARE * threads as f64)
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns a number in full, or a large one with three digits.
fn short(number: u64) -> String {
    if number < 100_000 { grouped(number) } else { rate(number as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: Expected = Expected { number: 50_200_000, low: 45_100_000, high: 55_300_000 };

    fn forecast(most: Option<u64>) -> Forecast<'static> {
        Forecast { estimate: &|_| None, threads: 1, most, fails_beyond: false, deadline: None }
    }

    fn status(found: u64) -> Status<'static> {
        Status { noun: "concepts", found, seconds: 10.0, limit: None }
    }

    #[test]
    fn a_line_has_the_number_the_interval_and_the_time_left() {
        let line = |found| forecast(None).line(&EXPECTED, &status(found), 120);
        assert_eq!(
            line(12_550_000),
            "Found 12.6 M of about 50.2 M concepts (95 % interval: 45.1 M to 55.3 M). About 30 s left."
        );
        assert_eq!(
            line(52_000_000),
            "Found 52.0 M of about 50.2 M concepts (95 % interval: 45.1 M to 55.3 M). At most about \
             0.6 s left."
        );
        assert_eq!(
            line(60_000_000),
            "Found 60.0 M concepts, more than the estimate of 50.2 M (45.1 M to 55.3 M)."
        );
        assert_eq!(line(0), "Found 0 of about 50.2 M concepts (95 % interval: 45.1 M to 55.3 M).");
    }

    #[test]
    fn a_narrow_terminal_has_a_shorter_line() {
        let line = |columns| forecast(None).line(&EXPECTED, &status(12_550_000), columns);
        assert_eq!(line(80), "12.6 M of about 50.2 M concepts (45.1 M to 55.3 M), about 30 s left");
        assert_eq!(line(45), "12.6 M of about 50.2 M, about 30 s left");
        assert_eq!(line(20), "about 30 s left");
        assert_eq!(line(5), "about 30 s left");
        for columns in 15..150 {
            for found in [0, 1_000, 12_550_000, 52_000_000, 60_000_000] {
                for most in [None, Some(50_000_000), Some(20_000_000)] {
                    for fails_beyond in [false, true] {
                        let forecast = Forecast { fails_beyond, ..forecast(most) };
                        let line = forecast.line(&EXPECTED, &status(found), columns);
                        let letters = line.chars().count();
                        assert!(letters <= columns.max(24), "{columns} columns: {line}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_limits_of_the_search_count() {
        let found = status(10_000_000);
        assert_eq!(
            forecast(Some(20_000_000)).line(&EXPECTED, &found, 120),
            "Found 10.0 M of 20.0 M concepts (--max; there are about 50.2 M). About 10 s left."
        );
        // The number may be below the limit.
        assert_eq!(
            forecast(Some(50_000_000)).line(&EXPECTED, &found, 80),
            "10.0 M of about 50.2 M concepts (45.1 M to 55.3 M), about 40 s left"
        );
        let fails = Forecast { fails_beyond: true, ..forecast(Some(20_000_000)) };
        assert_eq!(
            fails.line(&EXPECTED, &found, 120),
            "Found 10.0 M of about 50.2 M concepts (45.1 M to 55.3 M): more than the maximum of 20.0 M."
        );
        let limited = Status { limit: Some(12.0), ..found };
        assert_eq!(
            forecast(None).line(&EXPECTED, &limited, 80),
            "10.0 M of about 50.2 M concepts (45.1 M to 55.3 M), 12 s left until --time-limit"
        );
    }

    #[test]
    fn an_estimate_ends_with_the_search() {
        let estimate: MakeEstimate<'_> = &|stop| (!stop()).then_some(EXPECTED);
        let forecast = Forecast { estimate, ..forecast(None) };
        let (over, running) = (AtomicBool::new(true), AtomicBool::new(false));
        assert_eq!(estimate_beside(&forecast, Instant::now(), &over), None);
        assert_eq!(estimate_beside(&forecast, Instant::now(), &running), Some(EXPECTED));
    }
}
