//! What each column is for: told by the caller, or suggested by the format and then noted.

use crate::error::{ReadError, ReadProblem, listed, shorten};
use crate::options::{Choice, Expected, ExpectedKind, ReadOptions};
use crate::units::Beside;
use pellucid_data::DateFormat;
use std::collections::HashMap;
use strsim::levenshtein;

/// Names of columns that hold labels, when nobody says which one does.
const TARGET_NAMES: [&str; 4] = ["target", "class", "label", "y"];

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnRole {
    /// A feature of the type its values suggest.
    Feature,
    /// A feature whose values are codes.
    Nominal,
    /// A feature of numbers, whatever else some of its cells hold.
    Numeric,
    /// A feature of dates.
    Date,
    /// The labels.
    Target,
    /// The names of the bags.
    Bag,
    /// The names of the rows.
    Id,
    /// Nothing.
    Ignored,
}

impl ColumnRole {
    fn name(self) -> &'static str {
        match self {
            Self::Feature => "feature",
            Self::Nominal => "nominal",
            Self::Numeric => "numeric",
            Self::Date => "date",
            Self::Target => "target",
            Self::Bag => "bag",
            Self::Id => "id",
            Self::Ignored => "ignored",
        }
    }
}

/// What each column of a file is for.
#[derive(Debug)]
pub(crate) struct Roles {
    /// The role of each column.
    pub(crate) of: Vec<ColumnRole>,
    /// The format of dates that was told for a column.
    pub(crate) dates: Vec<Option<DateFormat>>,
    /// What stands beside the numbers of a column, as a model knows it.
    pub(crate) beside: Vec<Beside>,
    /// The words that a model knows of a column, or of the target.
    pub(crate) words: Vec<Vec<String>>,
    /// Whether a column stays even if it names rows or bags.
    pub(crate) kept: Vec<bool>,
    /// Whether nobody named the target that was taken.
    pub(crate) guessed_target: bool,
}

/// A column the format suggests for a role, and the note that says why it was taken.
#[derive(Debug, Clone)]
pub(crate) struct Suggestion {
    pub(crate) column: usize,
    pub(crate) note: String,
}

/// What the format suggests; the first suggestion whose column is free is taken.
#[derive(Debug, Default)]
pub(crate) struct Suggestions {
    pub(crate) target: Vec<Suggestion>,
    /// Whether the file itself says that it is the target.
    pub(crate) target_declared: bool,
    /// The last column that has no other role, if nothing better was suggested.
    pub(crate) target_last: bool,
    pub(crate) bag: Vec<Suggestion>,
    pub(crate) ignored: Vec<Suggestion>,
}

/// Gives each column its role: first what the caller said, then what the format suggests.
pub(crate) fn assign(
    names: &[String],
    options: &ReadOptions,
    suggestions: Suggestions,
    notes: &mut Vec<String>,
) -> Result<Roles, ReadError> {
    options.limits.check_columns(names.len())?;
    let mut roles = vec![ColumnRole::Feature; names.len()];
    let mut dates: Vec<Option<DateFormat>> = vec![None; names.len()];
    let mut kept = vec![false; names.len()];
    let mut guessed_target = false;
    if options.labels.is_some() && matches!(options.target, Choice::Column(_)) {
        let both = "a target column and a file of labels are both given; one of them was expected";
        return Err(ReadProblem::Options(both.to_owned()).into());
    }
    let choices = [
        (&options.target, ColumnRole::Target),
        (&options.bag, ColumnRole::Bag),
        (&options.id, ColumnRole::Id),
    ];
    for (choice, role) in choices {
        match choice {
            Choice::Column(name) => {
                if let Some(column) = find(names, name, role.name(), options.lenient)? {
                    take(&mut roles, names, column, role)?;
                }
            }
            Choice::IfPresent(name) => {
                if let Some(column) = position(names, name) {
                    take(&mut roles, names, column, role)?;
                }
            }
            Choice::Auto | Choice::None => {}
        }
    }
    let lists = [
        (&options.ignore, ColumnRole::Ignored),
        (&options.nominal, ColumnRole::Nominal),
        (&options.numeric, ColumnRole::Numeric),
    ];
    for (list, role) in lists {
        for name in list {
            if let Some(column) = find(names, name, role.name(), options.lenient)? {
                take(&mut roles, names, column, role)?;
            }
        }
    }
    for (name, format) in &options.dates {
        if let Some(column) = find(names, name, ColumnRole::Date.name(), options.lenient)? {
            take(&mut roles, names, column, ColumnRole::Date)?;
            dates[column].clone_from(format);
        }
    }
    for name in &options.keep {
        if let Some(column) = find(names, name, "kept", options.lenient)? {
            kept[column] = true;
        }
    }
    let mut beside = vec![Beside::Unknown; names.len()];
    expect(names, options, &mut roles, &mut dates, &mut beside);
    let words = known_words(names, options, &roles);
    for Suggestion { column, note } in suggestions.ignored {
        if roles[column] == ColumnRole::Feature {
            roles[column] = ColumnRole::Ignored;
            notes.push(note);
        }
    }
    if options.bag == Choice::Auto {
        take_first_free(&mut roles, suggestions.bag, ColumnRole::Bag, notes);
    }
    if options.target == Choice::Auto && options.labels.is_none() {
        let taken = take_first_free(&mut roles, suggestions.target, ColumnRole::Target, notes);
        guessed_target = taken && !suggestions.target_declared;
        let features = roles
            .iter()
            .filter(|role| !matches!(role, ColumnRole::Bag | ColumnRole::Id | ColumnRole::Ignored))
            .count();
        let last = roles.iter().rposition(|&role| role == ColumnRole::Feature);
        // A lone column is a feature: a target alone could not be learned.
        if let (false, true, true, Some(last)) =
            (taken, suggestions.target_last, features > 1 || options.lone_target, last)
        {
            roles[last] = ColumnRole::Target;
            guessed_target = true;
            notes.push(assumed_target(&names[last]));
        }
    }
    Ok(Roles { of: roles, dates, beside, words, kept, guessed_target })
}

/// Gives the columns that a model knows the kinds it knows them by. Others are of no use, unless one of those is not there:
/// then it helps to see what is.
fn expect(
    names: &[String],
    options: &ReadOptions,
    roles: &mut [ColumnRole],
    dates: &mut [Option<DateFormat>],
    beside: &mut [Beside],
) {
    if options.expected.is_empty() {
        return;
    }
    let mut wanted = vec![false; names.len()];
    let mut all_there = true;
    let places: HashMap<&String, usize> = names.iter().zip(0..).collect();
    for Expected { name, kind } in &options.expected {
        let Some(&column) = places.get(name) else {
            all_there = false;
            continue;
        };
        wanted[column] = true;
        if let (ExpectedKind::Measured(unit), ColumnRole::Feature | ColumnRole::Numeric) =
            (kind, roles[column])
        {
            beside[column] = Beside::Unit(unit.clone());
        }
        if roles[column] == ColumnRole::Feature {
            roles[column] = match kind {
                ExpectedKind::Numbers => {
                    beside[column] = Beside::Nothing;
                    ColumnRole::Numeric
                }
                ExpectedKind::Measured(_) => ColumnRole::Numeric,
                ExpectedKind::Words(_) => ColumnRole::Nominal,
                ExpectedKind::Truths => ColumnRole::Feature,
                ExpectedKind::Dates(format) => {
                    dates[column] = Some(format.clone());
                    ColumnRole::Date
                }
            };
        }
    }
    for (role, wanted) in roles.iter_mut().zip(wanted) {
        if !wanted && *role == ColumnRole::Feature && (all_there || options.lenient) {
            *role = ColumnRole::Ignored;
        }
    }
}

/// The words that a model knows of each column. Where data is read for no model, there are none.
fn known_words(names: &[String], options: &ReadOptions, roles: &[ColumnRole]) -> Vec<Vec<String>> {
    let mut words = vec![Vec::new(); names.len()];
    for Expected { name, kind } in &options.expected {
        if let ExpectedKind::Words(known) = kind
            && let Some(column) = names.iter().position(|other| other == name)
            && roles[column] == ColumnRole::Nominal
        {
            words[column].clone_from(known);
        }
    }
    if let Some(target) = roles.iter().position(|&role| role == ColumnRole::Target) {
        words[target].clone_from(&options.classes);
    }
    words
}

fn take_first_free(
    roles: &mut [ColumnRole],
    from: Vec<Suggestion>,
    role: ColumnRole,
    notes: &mut Vec<String>,
) -> bool {
    let free = from.into_iter().find(|suggestion| roles[suggestion.column] == ColumnRole::Feature);
    free.is_some_and(|Suggestion { column, note }| {
        roles[column] = role;
        notes.push(note);
        true
    })
}

fn take(
    roles: &mut [ColumnRole],
    names: &[String],
    column: usize,
    role: ColumnRole,
) -> Result<(), ReadError> {
    if roles[column] != ColumnRole::Feature {
        let (first, second) = (roles[column].name(), role.name());
        return Err(ReadProblem::TwoRoles { name: names[column].clone(), first, second }.into());
    }
    roles[column] = role;
    Ok(())
}

/// A column by its name, or by its number if no column has that name.
fn position(names: &[String], wanted: &str) -> Option<usize> {
    names.iter().position(|name| name == wanted).or_else(|| {
        let number = wanted.parse::<usize>().ok()?;
        (1..=names.len()).contains(&number).then(|| number - 1)
    })
}

/// A column that was named, which must be there unless it may be in another table.
fn find(
    names: &[String],
    wanted: &str,
    role: &'static str,
    lenient: bool,
) -> Result<Option<usize>, ReadError> {
    let found = position(names, wanted);
    if found.is_some() || lenient {
        return Ok(found);
    }
    Err(unknown(names, wanted, role))
}

/// The complaint about a column that is not there.
pub(crate) fn unknown(names: &[String], wanted: &str, role: &'static str) -> ReadError {
    let near = nearest(names, wanted);
    let known = if near.is_empty() {
        format!("the columns are {}", listed(names))
    } else {
        format!(
            "did you mean {}?",
            near.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" or ")
        )
    };
    ReadProblem::UnknownColumn { role, name: shorten(wanted), known }.into()
}

/// Up to three names within a third of the wanted name's length in edits, letter case aside.
fn nearest(names: &[String], wanted: &str) -> Vec<String> {
    let wanted: String = wanted.to_lowercase().chars().take(60).collect();
    let letters = wanted.chars().count();
    let allowed = letters.div_ceil(3);
    let mut near: Vec<(usize, &String)> = names
        .iter()
        .filter(|name| name.len() <= 240)
        .map(|name| (levenshtein(&wanted, &name.to_lowercase()), name))
        .filter(|&(distance, _)| distance <= allowed && distance < letters)
        .collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().take(3).map(|(_, name)| name.clone()).collect()
}

/// Fails if two columns have one name.
pub(crate) fn check_names(names: &[String]) -> Result<(), ReadProblem> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&column| (&names[column], column));
    let repeated = order.windows(2).filter(|pair| names[pair[0]] == names[pair[1]]);
    match repeated.min_by_key(|pair| pair[1]) {
        Some(pair) => Err(ReadProblem::DuplicateName {
            name: shorten(&names[pair[0]]),
            first: pair[0] + 1,
            second: pair[1] + 1,
        }),
        None => Ok(()),
    }
}

/// Columns whose names say that they hold labels.
pub(crate) fn by_name(names: &[String]) -> Vec<Suggestion> {
    let holding = |wanted: &&str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    TARGET_NAMES
        .iter()
        .filter_map(holding)
        .map(|column| Suggestion { column, note: assumed_target(&names[column]) })
        .collect()
}

/// What is said of a target that was not named.
pub(crate) fn assumed_target(column: &str) -> String {
    format!("assumed column '{}' is the target; use `target` to change it", shorten(column))
}
