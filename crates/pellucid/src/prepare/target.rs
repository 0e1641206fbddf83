//! Checks of the target, and classes that are left out or merged.

use super::task::{FEW, PER_CLASS, USUAL};
use crate::io::{Dataset, MergedClasses};
use crate::learn::params::ParamError;
use crate::learn::suggest::{listed, nearest};
use pellucid_data::{Message, message, parameter};

/// A target that is not suitable for classification. The messages suggest parameters that help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The target has many different numbers, so it is a quantity.
    #[error("{}", self.message())]
    Quantity {
        /// The name of the data.
        name: String,
        /// The column.
        column: String,
        /// A clause that says that the target was assumed, or empty.
        guessed: &'static str,
        /// The number of different values.
        values: usize,
        /// The number of examples.
        examples: usize,
        /// Rows or bags.
        what: &'static str,
    },
    /// There are few examples per class.
    #[error("{}", self.message())]
    ManyClasses {
        /// The name of the data.
        name: String,
        /// The column.
        column: String,
        /// A clause that says that the target was assumed, or empty.
        guessed: &'static str,
        /// The number of classes.
        values: usize,
        /// The number of examples.
        examples: usize,
        /// Rows or bags.
        what: &'static str,
    },
    /// There are more classes than the limit.
    #[error("{}", self.message())]
    Names {
        /// The name of the data.
        name: String,
        /// The column.
        column: String,
        /// A clause that says that the target was assumed, or empty.
        guessed: &'static str,
        /// The number of classes.
        values: usize,
        /// The limit.
        most: usize,
        /// Rows or bags.
        what: &'static str,
    },
    /// Some classes have a single example.
    #[error("{}", self.message())]
    SingleExample {
        /// The name of the data.
        name: String,
        /// The column.
        column: String,
        /// A clause that says that the target was assumed, or empty.
        guessed: &'static str,
        /// The classes.
        classes: Vec<String>,
        /// Rows or bags.
        what: &'static str,
    },
}

impl TargetError {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        let merge_rare = |least: usize| parameter("merge_rare").with(least);
        match self {
            TargetError::Quantity { name, column, guessed, values, examples, what } => message!(
                "{name}: target column '{column}'{guessed} has {values} different numbers in {examples} \
                 {what}, which looks like a quantity rather than classes. With the learner 'rules', use ",
                parameter("task").with("number"),
                " to predict a number. If the numbers are codes, use ",
                merge_rare(10),
                " to merge those with fewer than 10 {what} into one class. Otherwise choose another target"
            ),
            TargetError::ManyClasses { name, column, guessed, values, examples, what } => message!(
                "{name}: target column '{column}'{guessed} has {values} classes in {examples} {what}, \
                 which is too few {what} per class. Choose another target, or use ",
                merge_rare(10),
                " to merge classes with fewer than 10 {what}"
            ),
            TargetError::Names { name, column, guessed, values, most, what } => message!(
                "{name}: target column '{column}'{guessed} has {values} classes, which look like names; \
                 the limit is {most} classes. Choose another target, use ",
                merge_rare(100),
                " to merge classes with fewer than 100 {what}, or use ",
                parameter("most_classes").with(values),
                " to allow all of them"
            ),
            TargetError::SingleExample { name, column, guessed, classes, what } => message!(
                "{name}: ",
                single_examples(classes, what),
                " in column '{column}'{guessed}; a class needs at least 2 {what}. Use ",
                parameter("drop_class"),
                " to leave classes out, or ",
                merge_rare(2),
                " to merge classes with fewer than 2 {what}"
            ),
        }
    }
}

fn single_examples(classes: &[String], what: &str) -> String {
    let one = what.trim_end_matches('s');
    match classes {
        [class] => format!("class '{class}' has a single {one}"),
        more => {
            let names: Vec<String> = more.iter().map(|class| format!("'{class}'")).collect();
            let names = listed(names.iter().map(String::as_str), 5);
            format!("{} classes have a single {one} each ({names})", more.len())
        }
    }
}

/// The default limit on the number of classes. The work grows with rows times classes, and a model with more
/// classes would not be readable.
pub const MOST_CLASSES: usize = 1000;

/// Checks whether the target is suitable for classification. Data without a target passes; the
/// learner rejects it.
///
/// # Errors
/// When the target is not suitable.
pub fn check_target(data: &Dataset) -> Result<(), TargetError> {
    check_target_within(data, None)
}

/// Checks the target with a limit on the number of classes. If a limit is given, classes may have
/// few examples.
///
/// # Errors
/// As [`check_target`].
pub fn check_target_within(data: &Dataset, most: Option<usize>) -> Result<(), TargetError> {
    let Some(target) = &data.target else { return Ok(()) };
    let (name, column) = (data.name.clone(), target.name.clone());
    let what = if data.bags.is_some() { "bags" } else { "rows" };
    let guessed = if data.origin.guessed_target { " (assumed to be the target)" } else { "" };
    let counts = counts(data);
    let values = counts.iter().filter(|&&count| count > 0).count();
    let examples = data.examples();
    let is_number = |class: &String| class.trim().parse::<f64>().is_ok_and(f64::is_finite);
    if values > FEW && values * PER_CLASS > examples && target.classes.iter().all(is_number) {
        return Err(TargetError::Quantity { name, column, guessed, values, examples, what });
    }
    if values > most.unwrap_or(MOST_CLASSES) {
        let most = most.unwrap_or(MOST_CLASSES);
        return Err(TargetError::Names { name, column, guessed, values, most, what });
    }
    if most.is_none() && values > USUAL && values * PER_CLASS > examples {
        return Err(TargetError::ManyClasses { name, column, guessed, values, examples, what });
    }
    let single = target.classes.iter().zip(&counts).filter(|(_, count)| **count == 1);
    let classes: Vec<String> = single.map(|(class, _)| class.clone()).collect();
    if classes.is_empty() || values < 2 {
        return Ok(());
    }
    Err(TargetError::SingleExample { name, column, guessed, classes, what })
}

/// Returns the number of examples of each class.
fn counts(data: &Dataset) -> Vec<usize> {
    let mut counts = vec![0; data.classes()];
    data.example_codes().iter().for_each(|&code| counts[code as usize] += 1);
    counts
}

/// Removes the examples of some classes.
pub(super) fn without_classes(data: Dataset, names: &[String]) -> Result<Dataset, ParamError> {
    let Some(target) = &data.target else {
        return Err(ParamError::with_problem("drop_class", "the data has no classes"));
    };
    let mut keep = vec![true; target.classes.len()];
    for name in names {
        let Some(index) = target.classes.iter().position(|class| class == name) else {
            let known = || target.classes.iter().map(String::as_str);
            let near = nearest(name, known());
            let near = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
            let problem =
                format!("unknown class '{name}'; expected one of {}{near}", listed(known(), 20));
            return Err(ParamError::with_problem("drop_class", problem));
        };
        keep[index] = false;
    }
    let codes = &target.codes;
    let kept: Vec<u32> = (0..)
        .zip(codes)
        .filter(|(_, code)| keep[**code as usize])
        .map(|(example, _)| example)
        .collect();
    if kept.is_empty() {
        return Err(ParamError::with_problem("drop_class", "at least one class must remain"));
    }
    let dropped = codes.len() - kept.len();
    let mut notes = data.notes.clone();
    notes.push(
        format!("left out {dropped} examples of {}", listed(names.iter().map(String::as_str), 5))
            .into(),
    );
    let mut data = Dataset { notes, ..data.select(&kept) };
    if let Some(target) = &mut data.target {
        let classes: Vec<String> = target
            .classes
            .iter()
            .zip(&keep)
            .filter(|(_, keep)| **keep)
            .map(|(class, _)| class.clone())
            .collect();
        recode(target, classes, |name| name.to_owned());
    }
    Ok(data)
}

/// Merges the classes with fewer examples than `least` into one.
pub(super) fn merge_rare(data: &mut Dataset, least: usize) -> Result<(), ParamError> {
    if least < 2 {
        return Err(ParamError::new("merge_rare", least, "2 or more"));
    }
    let counts = counts(data);
    let Some(target) = &data.target else {
        return Err(ParamError::with_problem("merge_rare", "the data has no classes"));
    };
    let rare = target.classes.iter().zip(&counts).filter(|(_, count)| **count < least);
    let rare: Vec<String> = rare.map(|(class, _)| class.clone()).collect();
    if rare.len() == target.classes.len() {
        let largest = counts.iter().max().copied().unwrap_or(0);
        let problem = format!(
            "all {} classes have fewer than {least} examples, the largest has {largest}; at least one \
             class must remain",
            rare.len()
        );
        return Err(ParamError::with_problem("merge_rare", problem));
    }
    if rare.len() < 2 {
        data.notes.push(match &rare[..] {
            [class] => {
                message!("merged no classes: only class '{class}' has fewer than {least} examples")
            }
            _ => message!("merged no classes: every class has at least {least} examples"),
        });
        return Ok(());
    }
    let taken =
        |name: &str| target.classes.iter().any(|class| class == name && !rare.contains(class));
    let into =
        ["other", "other classes", "all other classes"].into_iter().find(|name| !taken(name));
    let into = into.unwrap_or("rare classes").to_owned();
    let shown: Vec<&str> = rare.iter().map(String::as_str).collect();
    data.notes.push(
        format!(
            "merged {} classes with fewer than {least} examples into '{into}': {}",
            rare.len(),
            listed(shown, 10)
        )
        .into(),
    );
    merge(data, &into, &rare);
    data.origin.reading.merged = Some(MergedClasses { into, classes: rare });
    Ok(())
}

/// Merges some classes into one. The merged class comes first, so that the positive class stays last.
pub(super) fn merge(data: &mut Dataset, into: &str, rare: &[String]) {
    let Some(target) = &mut data.target else { return };
    let kept = target.classes.iter().filter(|class| !rare.contains(class) && *class != into);
    let mut classes = vec![into.to_owned()];
    classes.extend(kept.cloned());
    let is_rare = |name: &str| rare.iter().any(|class| class == name);
    recode(target, classes, |name| if is_rare(name) { into } else { name }.to_owned());
}

/// Replaces the classes of a target. `name` maps the old names to the new ones.
fn recode(
    target: &mut pellucid_data::ClassTarget,
    classes: Vec<String>,
    name: impl Fn(&str) -> String,
) {
    let new_code = |class: &String| {
        let code = classes.iter().position(|known| *known == name(class));
        code.and_then(|code| u32::try_from(code).ok()).unwrap_or(0)
    };
    let new_codes: Vec<u32> = target.classes.iter().map(new_code).collect();
    // The code of an example without a label is beyond the end and stays.
    let recoded = |code: u32| new_codes.get(code as usize).copied().unwrap_or(code);
    target.codes.iter_mut().for_each(|code| *code = recoded(*code));
    target.classes = classes;
}
