//! Targets that are no classes yet: a number to be predicted, a thousand values, a class with one example.

use super::task::{FEW, PER_CLASS, USUAL};
use crate::io::{Dataset, MergedClasses};
use crate::learn::params::ParamError;
use crate::learn::suggest::{listed, nearest};

/// Why the target of some data is better not learned as it is, with a way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// Many different numbers: a quantity.
    #[error(
        "{name}: target column '{column}'{guessed} holds {values} different numbers in {examples} {what}; that is a quantity and no list of classes. Rules predict it as a number (task number); for classes make a column of them, such as above and below a limit, or choose another target; where the numbers are codes, merge_rare 10 makes one class of those with fewer than 10 {what}"
    )]
    Quantity {
        /// What the data is called.
        name: String,
        /// The column.
        column: String,
        /// How it was chosen, if nobody did.
        guessed: &'static str,
        /// How many different values it has.
        values: usize,
        /// How many examples there are.
        examples: usize,
        /// Rows or bags.
        what: &'static str,
    },
    /// Nearly as many classes as examples.
    #[error(
        "{name}: target column '{column}'{guessed} has {values} classes in {examples} {what}, too few of each to learn; choose another target, or merge_rare 10 makes one class of those with fewer than 10 {what}"
    )]
    ManyClasses {
        /// What the data is called.
        name: String,
        /// The column.
        column: String,
        /// How it was chosen, if nobody did.
        guessed: &'static str,
        /// How many classes it has.
        values: usize,
        /// How many examples there are.
        examples: usize,
        /// Rows or bags.
        what: &'static str,
    },
    /// More classes than a model can tell apart.
    #[error(
        "{name}: target column '{column}'{guessed} has {values} classes, which look like names; at most {most} are learned. Choose another target, merge_rare 100 makes one class of those with fewer than 100 {what}, or most_classes {values} allows them all"
    )]
    Names {
        /// What the data is called.
        name: String,
        /// The column.
        column: String,
        /// Whether it was assumed to be the target.
        guessed: &'static str,
        /// How many classes it has.
        values: usize,
        /// How many are allowed.
        most: usize,
        /// Rows or bags.
        what: &'static str,
    },
    /// Classes with a single example.
    #[error(
        "{name}: {} in column '{column}'{guessed}, two or more are needed to learn and to judge; drop_class leaves a class out, merge_rare 2 makes one class of all that have fewer than 2",
        lonely(classes, what)
    )]
    Lonely {
        /// What the data is called.
        name: String,
        /// The column.
        column: String,
        /// How it was chosen, if nobody did.
        guessed: &'static str,
        /// The classes.
        classes: Vec<String>,
        /// Rows or bags.
        what: &'static str,
    },
}

fn lonely(classes: &[String], what: &str) -> String {
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

/// The most classes that are learned where nothing else is said: the work grows with rows times classes, and nobody reads
/// a model of more.
pub const MOST_CLASSES: usize = 1000;

/// Looks whether the target of some data can sensibly be learned. Data without a target is for the learner to refuse.
///
/// # Errors
/// Says what the target looks like, and a way out.
pub fn check_target(data: &Dataset) -> Result<(), TargetError> {
    check_target_within(data, None)
}

/// The same, where the caller says how many classes there may be. A caller who says so knows that they are few of each.
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
    Err(TargetError::Lonely { name, column, guessed, classes, what })
}

/// How many examples each class has.
fn counts(data: &Dataset) -> Vec<usize> {
    let mut counts = vec![0; data.classes()];
    data.example_codes().iter().for_each(|&code| counts[code as usize] += 1);
    counts
}

/// The data without the examples of some classes.
pub(super) fn without_classes(data: Dataset, names: &[String]) -> Result<Dataset, ParamError> {
    let Some(target) = &data.target else {
        return Err(ParamError::saying("drop_class", "the data has no classes"));
    };
    let mut keep = vec![true; target.classes.len()];
    for name in names {
        let Some(place) = target.classes.iter().position(|class| class == name) else {
            let known = || target.classes.iter().map(String::as_str);
            let near = nearest(name, known());
            let near = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
            let problem =
                format!("there is no class '{name}', there are: {}{near}", listed(known(), 20));
            return Err(ParamError::saying("drop_class", problem));
        };
        keep[place] = false;
    }
    let codes = &target.codes;
    let kept: Vec<u32> = (0..)
        .zip(codes)
        .filter(|(_, code)| keep[**code as usize])
        .map(|(example, _)| example)
        .collect();
    if kept.is_empty() {
        return Err(ParamError::saying("drop_class", "no class would be left"));
    }
    let dropped = codes.len() - kept.len();
    let mut notes = data.notes.clone();
    notes.push(format!(
        "{dropped} examples of {} were left out",
        listed(names.iter().map(String::as_str), 5)
    ));
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

/// Makes one class of those with fewer examples than `least`.
pub(super) fn merge_rare(data: &mut Dataset, least: usize) -> Result<(), ParamError> {
    if least < 2 {
        return Err(ParamError::new("merge_rare", least, "2 or more"));
    }
    let counts = counts(data);
    let Some(target) = &data.target else {
        return Err(ParamError::saying("merge_rare", "the data has no classes"));
    };
    let rare = target.classes.iter().zip(&counts).filter(|(_, count)| **count < least);
    let rare: Vec<String> = rare.map(|(class, _)| class.clone()).collect();
    if rare.len() == target.classes.len() {
        let largest = counts.iter().max().copied().unwrap_or(0);
        let problem = format!(
            "all {} classes have fewer than {least} examples, the largest {largest}; nothing would be left to tell apart",
            rare.len()
        );
        return Err(ParamError::saying("merge_rare", problem));
    }
    if rare.len() < 2 {
        data.notes.push(match &rare[..] {
            [class] => format!("class '{class}' alone has fewer than {least} examples: there is nothing to merge it with"),
            _ => format!("no class has fewer than {least} examples: nothing was merged"),
        });
        return Ok(());
    }
    let taken =
        |name: &str| target.classes.iter().any(|class| class == name && !rare.contains(class));
    let into =
        ["other", "other classes", "all other classes"].into_iter().find(|name| !taken(name));
    let into = into.unwrap_or("rare classes").to_owned();
    let shown: Vec<&str> = rare.iter().map(String::as_str).collect();
    data.notes.push(format!(
        "{} classes with fewer than {least} examples were made one, '{into}': {}",
        rare.len(),
        listed(shown, 10)
    ));
    merge(data, &into, &rare);
    data.origin.reading.merged = Some(MergedClasses { into, classes: rare });
    Ok(())
}

/// Makes one class of some; it comes first, so that the positive class stays where it is.
pub(super) fn merge(data: &mut Dataset, into: &str, rare: &[String]) {
    let Some(target) = &mut data.target else { return };
    let kept = target.classes.iter().filter(|class| !rare.contains(class) && *class != into);
    let mut classes = vec![into.to_owned()];
    classes.extend(kept.cloned());
    let is_rare = |name: &str| rare.iter().any(|class| class == name);
    recode(target, classes, |name| if is_rare(name) { into } else { name }.to_owned());
}

/// Gives a target other classes; `name` says what each of the old ones is called among them.
fn recode(target: &mut pellucid_data::Target, classes: Vec<String>, name: impl Fn(&str) -> String) {
    let place = |class: &String| {
        let place = classes.iter().position(|known| *known == name(class));
        place.and_then(|place| u32::try_from(place).ok()).unwrap_or(0)
    };
    let places: Vec<u32> = target.classes.iter().map(place).collect();
    // An example without a label keeps having none.
    let known = |code: u32| places.get(code as usize).copied().unwrap_or(code);
    target.codes.iter_mut().for_each(|code| *code = known(*code));
    target.classes = classes;
}
