//! Limits on the constants of an agent, the size of its environment, and rewards.

use super::Environment;
use crate::params::SystemParams;
use pellucid_learn::params::ParamError;
use std::ops::RangeInclusive;

/// The maximum number of columns.
const MAX_COLUMNS: usize = 1_000_000;
/// The maximum number of actions.
const MAX_ACTIONS: u32 = 100_000;
/// The maximum ratio of a reward to the declared largest reward. Estimates are single-precision
/// floats: beyond a ratio of about a million the accuracy of every rule becomes 0, and rules do not
/// recover from that.
const SLACK: f64 = 1_000.0;

/// Returns the largest absolute reward that an agent with these constants accepts.
#[must_use]
pub fn largest_accepted(life: &SystemParams) -> f64 {
    SLACK * life.reward
}

/// Checks the constants and the environment of an agent.
///
/// # Errors
/// Names the first value that is out of range, and the allowed range.
pub fn check(
    environment: &impl Environment,
    life: &SystemParams,
    dont_care: f64,
) -> Result<(), ParamError> {
    let (columns, actions) = (environment.columns(), environment.actions());
    if !(1..=MAX_COLUMNS).contains(&columns) {
        return Err(ParamError::new("columns", columns, format!("1 to {MAX_COLUMNS}")));
    }
    if !(1..=MAX_ACTIONS).contains(&actions) {
        return Err(ParamError::new("actions", actions, format!("1 to {MAX_ACTIONS}")));
    }
    number("dont_care", dont_care, 0.0..=1.0)?;
    check_constants(life)?;
    let least = life.least_actions.unwrap_or(actions).min(actions);
    if life.population < least {
        let problem = format!(
            "found {}; expected at least {least}, one rule for each action, or a smaller least_actions",
            life.population
        );
        return Err(ParamError::with_problem("population", problem));
    }
    Ok(())
}

fn check_constants(life: &SystemParams) -> Result<(), ParamError> {
    if !(1..=1_000_000).contains(&life.population) {
        return Err(ParamError::new("population", life.population, "1 to 1000000"));
    }
    if life.least_actions == Some(0) {
        return Err(ParamError::new("least_actions", 0, "1 or more"));
    }
    number("learning_rate", life.learning_rate, 0.0001..=1.0)?;
    number("accuracy_fall", life.accuracy_fall, 0.0001..=1.0)?;
    number("accuracy_power", life.accuracy_power, 0.1..=100.0)?;
    number("forgiven_error", life.forgiven_error, 0.0..=1.0)?;
    number("accurate_from", life.accurate_from, 0.0..=1.0)?;
    number("crossover_rate", life.crossover_rate, 0.0..=1.0)?;
    number("mutation", life.mutation, 0.0..=1.0)?;
    number("tournament", life.tournament, 0.0..=1.0)?;
    number("deletion_share", life.deletion_share, 0.0..=1.0)?;
    number("exploration", life.exploration, 0.0..=1.0)?;
    number("discount", life.discount, 0.0..=1.0)?;
    number("reward", life.reward, 1e-6..=1e12)
}

/// Checks one number. NaN is outside of every range.
fn number(name: &'static str, found: f64, allowed: RangeInclusive<f64>) -> Result<(), ParamError> {
    if allowed.contains(&found) {
        return Ok(());
    }
    Err(ParamError::new(name, found, format!("{} to {}", allowed.start(), allowed.end())))
}
