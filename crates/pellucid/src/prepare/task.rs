//! Whether the target is classes or a number.

use crate::io::{Dataset, NumberTarget, as_numbers};
use crate::learn::params::ParamError;
use pellucid_data::shorten;

/// Up to so many different numbers are taken for classes.
pub(super) const FEW: usize = 12;
/// Classes have at least this many examples on average.
pub(super) const PER_CLASS: usize = 10;
/// More different numbers than this are no list of classes that anybody would read.
pub(super) const USUAL: usize = 50;

/// What the target is taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// A number where it looks like one and the learner predicts numbers, otherwise classes. More than twelve different numbers
    /// look like one where some have a fraction, where there are more than fifty, or where they have fewer than ten examples
    /// each.
    #[default]
    Auto,
    /// Classes, whatever they are called.
    Classes,
    /// A number.
    Number,
}

/// Takes the target for a number, if that is asked for, or nothing is said and it looks like one. Notes what was decided for
/// the user.
pub(super) fn take_number(data: &mut Dataset, task: Task, may: bool) -> Result<(), ParamError> {
    match task {
        Task::Classes => Ok(()),
        Task::Number => to_number(data),
        Task::Auto if !may => Ok(()),
        Task::Auto => {
            let Some((values, is_number)) = looks(data) else { return Ok(()) };
            let column = data.target_name().unwrap_or_default().to_owned();
            let words = if is_number { "a number" } else { "classes" };
            let other = if is_number { "classes" } else { "number" };
            data.notes.push(format!(
                "target column '{}' holds {values} different numbers and is taken for {words}; --task {other} takes it for {}",
                shorten(&column),
                if is_number { "classes" } else { "a number" }
            ));
            if is_number { to_number(data) } else { Ok(()) }
        }
    }
}

/// How many different numbers the target has, and whether it looks like one to be predicted; nothing where that is no question.
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

/// The target as a number, whatever it looks like; nothing is done where there is none.
pub(super) fn to_number(data: &mut Dataset) -> Result<(), ParamError> {
    let Some(target) = &data.target else { return Ok(()) };
    let numbers = as_numbers(&target.classes, &data.origin.reading).map_err(|text| {
        let code = target.classes.iter().position(|class| *class == text);
        let example = target.codes.iter().position(|&own| Some(own as usize) == code);
        // Where rows are bagged the place of one is not that of its row.
        let line = example.filter(|_| data.bags.is_none()).and_then(|row| data.line(row));
        let place = line.map_or_else(String::new, |line| format!(" in line {line}"));
        let problem = format!(
            "target column '{}' of {} holds '{}'{place}, which is no number; classes may be called anything",
            shorten(&target.name),
            data.name,
            shorten(&text)
        );
        ParamError::saying("task", problem)
    })?;
    // An example without a label, which only data to predict has, has no number either.
    let number = |&code: &u32| numbers.get(code as usize).copied().unwrap_or(f64::NAN);
    let values = target.codes.iter().map(number).collect();
    data.number = Some(NumberTarget { name: target.name.clone(), values });
    data.target = None;
    Ok(())
}
