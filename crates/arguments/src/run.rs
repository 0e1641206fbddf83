use anyhow::Result;
use clap::Args;
use pellucid::learn::checkpoint::Cadence;
use pellucid::learn::run::{Control, Driver};
use std::path::PathBuf;
use std::time::Duration;

/// The time limit and the checkpoint of a run.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Stop after this time and keep the best model so far (seconds, or with a unit: 90s, 10m, 2h)
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Run")]
    pub time_limit: Option<Duration>,
    /// Save the state of the run to this file, so that it can be resumed
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    pub checkpoint: Option<PathBuf>,
    /// Number of steps between checkpoints [default: every minute]
    #[arg(long, value_name = "STEPS", requires = "checkpoint", help_heading = "Run")]
    pub checkpoint_every: Option<u64>,
    /// Resume from the checkpoint
    #[arg(long, requires = "checkpoint", help_heading = "Run")]
    pub resume: bool,
}

impl RunArgs {
    /// Returns the driver of the run.
    pub fn driver(&self, control: &Control) -> Driver {
        let driver = Driver::new(control).resume(self.resume);
        let cadence = self.checkpoint_every.map_or_else(Cadence::default, Cadence::Steps);
        match &self.checkpoint {
            None => driver,
            Some(path) => driver.checkpoint(path, cadence),
        }
    }
}

/// Parses a duration such as 90, 90s, 10m or 1.5h.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let expected =
        || "expected seconds, or a number with s, m or h, for example 90s, 10m or 1.5h".to_owned();
    let unit = text.chars().last().filter(|last| last.is_alphabetic());
    let seconds = match unit {
        None | Some('s') => 1.0,
        Some('m') => 60.0,
        Some('h') => 3600.0,
        Some(_) => return Err(expected()),
    };
    let number =
        text.trim_end_matches(char::is_alphabetic).parse::<f64>().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| expected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_durations() {
        assert_eq!(time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(time("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(time("10m"), Ok(Duration::from_secs(600)));
        for wrong in ["", "s", "-1", "5d", "nan", "ten", "1e300h"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
