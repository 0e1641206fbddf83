//! The choice between classes and a number as target.

use crate::io::{Dataset, NumberTarget, as_numbers};
use crate::learn::params::ParamError;
use pellucid_data::{message, parameter, shorten};

/// Up to this many different numbers are classes.
pub(super) const FEW: usize = 12;
/// Classes have at least this many examples on average.
pub(super) const PER_CLASS: usize = 10;
/// More than this many different numbers are not classes.
pub(super) const USUAL: usize = 50;

/// What to predict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// A number if the target looks like one and the learner can predict numbers, otherwise
    /// classes. A target with more than 12 different numbers looks like a number if some of them
    /// have a fraction, if there are more than 50, or if there are fewer than 10 examples per
    /// number.
    #[default]
    Auto,
    /// Classes.
    Classes,
    /// A number.
    Number,
}

/// Converts the target to a number, if requested, or if the task is automatic and the target looks
/// like a number. Adds a note about an automatic decision.
pub(super) fn take_number(data: &mut Dataset, task: Task, may: bool) -> Result<(), ParamError> {
    match task {
        Task::Classes => Ok(()),
        Task::Number => to_number(data),
        Task::Auto if !may => Ok(()),
        Task::Auto => {
            let Some((values, is_number)) = looks(data) else { return Ok(()) };
            let column = data.target_name().unwrap_or_default().to_owned();
            let assumed = if is_number { "a number" } else { "classes" };
            let other = if is_number { "classes" } else { "number" };
            let column = shorten(&column);
            data.notes.push(message!(
                "assumed that target column '{column}' with {values} different numbers is {assumed}; use ",
                parameter("task").with(other),
                " to change it"
            ));
            if is_number { to_number(data) } else { Ok(()) }
        }
    }
}

/// Returns how many different numbers the target has, and whether it looks like a number. Returns
/// nothing if the target has few values or values that are not numbers.
fn looks(data: &Dataset) -> Option<(usize, bool)> {
    let target = data.target.as_ref()?;
    if target.classes.len() <= FEW {
        return None;
    }
    let numbers = as_numbers(&target.classes, &data.origin.reading).ok()?;
    let (values, examples) = (numbers.len(), data.examples());
    let has_fraction = numbers.iter().any(|number| number.fract() != 0.0);
    Some((values, has_fraction || values > USUAL || values * PER_CLASS > examples))
}

/// Converts the target to a number, if there is a target.
pub(super) fn to_number(data: &mut Dataset) -> Result<(), ParamError> {
    let Some(target) = &data.target else { return Ok(()) };
    let numbers = as_numbers(&target.classes, &data.origin.reading).map_err(|text| {
        let code = target.classes.iter().position(|class| *class == text);
        let example = target.codes.iter().position(|&own| Some(own as usize) == code);
        // The index of a bag is not the index of a row, so its line is not known.
        let line = example.filter(|_| data.bags.is_none()).and_then(|row| data.line(row));
        let location = line.map_or_else(String::new, |line| format!(", line {line}"));
        let problem = format!(
            "{}{location}: found '{}' in target column '{}'; expected a number",
            data.name,
            shorten(&text),
            shorten(&target.name),
        );
        ParamError::with_problem("task", problem)
    })?;
    // Data to predict can have examples without a label. Their number is NaN.
    let number = |&code: &u32| numbers.get(code as usize).copied().unwrap_or(f64::NAN);
    let values = target.codes.iter().map(number).collect();
    data.number = Some(NumberTarget { name: target.name.clone(), values });
    data.target = None;
    Ok(())
}
