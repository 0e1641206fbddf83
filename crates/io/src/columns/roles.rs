//! Assigns a role to each column: the one that the caller gave, or one that the format suggests.

use crate::cells::units::UnitHint;
use crate::source::error::{ReadError, ReadProblem, listed, shorten};
use crate::source::options::{Choice, ExpectedColumn, ExpectedKind, ReadOptions};
use pellucid_data::{DateFormat, Message, message, parameter};
use std::collections::HashMap;
use strsim::levenshtein;

/// Column names that suggest the target.
const TARGET_NAMES: [&str; 4] = ["target", "class", "label", "y"];

/// The role of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AssignedRole {
    /// A feature of the type its values suggest.
    Feature,
    /// A feature whose values are codes.
    Nominal,
    /// A numeric feature; cells that are not numbers are missing.
    Numeric,
    /// A feature of dates.
    Date,
    /// The labels.
    Target,
    /// The names of the bags.
    Bag,
    /// The names of the rows.
    Id,
    /// Not read.
    Ignored,
}

impl AssignedRole {
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

/// The roles of all columns of a file, and what else the caller specified.
#[derive(Debug)]
pub(crate) struct Roles {
    /// The role of each column.
    pub(crate) of: Vec<AssignedRole>,
    /// The date format that the caller gave for a column.
    pub(crate) dates: Vec<Option<DateFormat>>,
    /// The unit of a column's numbers in the model.
    pub(crate) units: Vec<UnitHint>,
    /// The categories of a column in the model, or the classes of the target.
    pub(crate) words: Vec<Vec<String>>,
    /// Whether a column stays a feature even if it looks like an identifier.
    pub(crate) kept: Vec<bool>,
    /// Whether the target was assumed.
    pub(crate) guessed_target: bool,
}

/// A column that the format suggests for a role, and the note to add if it gets the role.
#[derive(Debug, Clone)]
pub(crate) struct Suggestion {
    pub(crate) column: usize,
    pub(crate) note: Message,
}

/// The suggestions of a format; for each role the first suggestion whose column is free is used.
#[derive(Debug, Default)]
pub(crate) struct Suggestions {
    pub(crate) target: Vec<Suggestion>,
    /// Whether the file declares the target.
    pub(crate) target_declared: bool,
    /// Whether to fall back on the last column that has no other role.
    pub(crate) target_last: bool,
    pub(crate) bag: Vec<Suggestion>,
    pub(crate) ignored: Vec<Suggestion>,
}

/// Assigns the roles: first those that the caller gave, then those that the format suggests.
pub(crate) fn assign(
    names: &[String],
    options: &ReadOptions,
    suggestions: Suggestions,
    notes: &mut Vec<Message>,
) -> Result<Roles, ReadError> {
    options.limits.check_columns(names.len())?;
    let mut dates: Vec<Option<DateFormat>> = vec![None; names.len()];
    let mut roles = given_roles(names, options, &mut dates)?;
    let mut kept = vec![false; names.len()];
    for name in &options.keep {
        if let Some(column) = find(names, name, "kept", options.lenient)? {
            kept[column] = true;
        }
    }
    let mut units = vec![UnitHint::Unknown; names.len()];
    expect(names, options, &mut roles, &mut dates, &mut units);
    let words = known_words(names, options, &roles);
    for Suggestion { column, note } in suggestions.ignored {
        if roles[column] == AssignedRole::Feature {
            roles[column] = AssignedRole::Ignored;
            notes.push(note);
        }
    }
    if options.bag == Choice::Auto {
        take_first_free(&mut roles, suggestions.bag, AssignedRole::Bag, notes);
    }
    let mut guessed_target = false;
    if options.target == Choice::Auto && options.labels.is_none() {
        let taken = take_first_free(&mut roles, suggestions.target, AssignedRole::Target, notes);
        guessed_target = taken && !suggestions.target_declared;
        let last = roles.iter().rposition(|&role| role == AssignedRole::Feature);
        // The only column is a feature: there is nothing to learn from a target alone.
        if let (false, true, true, Some(last)) =
            (taken, suggestions.target_last, has_two_columns(&roles) || options.lone_target, last)
        {
            roles[last] = AssignedRole::Target;
            guessed_target = true;
            notes.push(assumed_target(&names[last]));
        }
    }
    Ok(Roles { of: roles, dates, units, words, kept, guessed_target })
}

/// Whether there are at least two columns that may be features or the target.
fn has_two_columns(roles: &[AssignedRole]) -> bool {
    let is_named = |role: &&AssignedRole| {
        matches!(role, AssignedRole::Bag | AssignedRole::Id | AssignedRole::Ignored)
    };
    roles.iter().filter(|role| !is_named(role)).count() > 1
}

/// Assigns the roles that the caller gave, and collects the date formats.
fn given_roles(
    names: &[String],
    options: &ReadOptions,
    dates: &mut [Option<DateFormat>],
) -> Result<Vec<AssignedRole>, ReadError> {
    let mut roles = vec![AssignedRole::Feature; names.len()];
    if options.labels.is_some() && matches!(options.target, Choice::Column(_)) {
        let both = "found both a target column and a file of labels; expected one of them";
        return Err(ReadProblem::Options(both.into()).into());
    }
    let choices = [
        (&options.target, AssignedRole::Target),
        (&options.bag, AssignedRole::Bag),
        (&options.id, AssignedRole::Id),
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
        (&options.ignore, AssignedRole::Ignored),
        (&options.nominal, AssignedRole::Nominal),
        (&options.numeric, AssignedRole::Numeric),
    ];
    for (list, role) in lists {
        for name in list {
            if let Some(column) = find(names, name, role.name(), options.lenient)? {
                take(&mut roles, names, column, role)?;
            }
        }
    }
    for (name, format) in &options.dates {
        if let Some(column) = find(names, name, AssignedRole::Date.name(), options.lenient)? {
            take(&mut roles, names, column, AssignedRole::Date)?;
            dates[column].clone_from(format);
        }
    }
    Ok(roles)
}

/// Gives the columns of a model the types that the model knows. Other columns are ignored, unless a
/// column of the model is missing: then the error lists them.
fn expect(
    names: &[String],
    options: &ReadOptions,
    roles: &mut [AssignedRole],
    dates: &mut [Option<DateFormat>],
    units: &mut [UnitHint],
) {
    if options.expected.is_empty() {
        return;
    }
    let mut expected = vec![false; names.len()];
    let mut all_found = true;
    let indices: HashMap<&String, usize> = names.iter().zip(0..).collect();
    for ExpectedColumn { name, kind } in &options.expected {
        let Some(&column) = indices.get(name) else {
            all_found = false;
            continue;
        };
        expected[column] = true;
        if let (ExpectedKind::Measured(unit), AssignedRole::Feature | AssignedRole::Numeric) =
            (kind, roles[column])
        {
            units[column] = UnitHint::Unit(unit.clone());
        }
        if roles[column] == AssignedRole::Feature {
            roles[column] = match kind {
                ExpectedKind::Numbers => {
                    units[column] = UnitHint::NoUnit;
                    AssignedRole::Numeric
                }
                ExpectedKind::Measured(_) => AssignedRole::Numeric,
                ExpectedKind::Words(_) => AssignedRole::Nominal,
                ExpectedKind::Truths => AssignedRole::Feature,
                ExpectedKind::Dates(format) => {
                    dates[column] = Some(format.clone());
                    AssignedRole::Date
                }
            };
        }
    }
    for (role, expected) in roles.iter_mut().zip(expected) {
        if !expected && *role == AssignedRole::Feature && (all_found || options.lenient) {
            *role = AssignedRole::Ignored;
        }
    }
}

/// Returns the categories of each column in the model; empty when there is no model.
fn known_words(
    names: &[String],
    options: &ReadOptions,
    roles: &[AssignedRole],
) -> Vec<Vec<String>> {
    let mut words = vec![Vec::new(); names.len()];
    for ExpectedColumn { name, kind } in &options.expected {
        if let ExpectedKind::Words(known) = kind
            && let Some(column) = names.iter().position(|other| other == name)
            && roles[column] == AssignedRole::Nominal
        {
            words[column].clone_from(known);
        }
    }
    if let Some(target) = roles.iter().position(|&role| role == AssignedRole::Target) {
        words[target].clone_from(&options.classes);
    }
    words
}

fn take_first_free(
    roles: &mut [AssignedRole],
    from: Vec<Suggestion>,
    role: AssignedRole,
    notes: &mut Vec<Message>,
) -> bool {
    let free =
        from.into_iter().find(|suggestion| roles[suggestion.column] == AssignedRole::Feature);
    free.is_some_and(|Suggestion { column, note }| {
        roles[column] = role;
        notes.push(note);
        true
    })
}

fn take(
    roles: &mut [AssignedRole],
    names: &[String],
    column: usize,
    role: AssignedRole,
) -> Result<(), ReadError> {
    if roles[column] != AssignedRole::Feature {
        let (first, second) = (roles[column].name(), role.name());
        return Err(ReadProblem::TwoRoles { name: names[column].clone(), first, second }.into());
    }
    roles[column] = role;
    Ok(())
}

/// Finds a column by its name, or by its number if no column has that name.
fn position(names: &[String], wanted: &str) -> Option<usize> {
    names.iter().position(|name| name == wanted).or_else(|| {
        let number = wanted.parse::<usize>().ok()?;
        (1..=names.len()).contains(&number).then(|| number - 1)
    })
}

/// Finds a column that the caller named; fails if it does not exist, unless it may be in another table.
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

/// Returns the error for a column that does not exist.
pub(crate) fn unknown(names: &[String], wanted: &str, role: &'static str) -> ReadError {
    let near = nearest(names, wanted);
    let known = if near.is_empty() {
        format!("expected one of {}", listed(names))
    } else {
        format!(
            "did you mean {}?",
            near.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" or ")
        )
    };
    ReadProblem::UnknownColumn { role, name: shorten(wanted), known }.into()
}

/// Returns up to three names whose edit distance is at most a third of the name's length, ignoring case.
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

/// Fails if two columns have the same name.
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

/// Returns the columns whose names suggest the target.
pub(crate) fn by_name(names: &[String]) -> Vec<Suggestion> {
    let holding = |wanted: &&str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    TARGET_NAMES
        .iter()
        .filter_map(holding)
        .map(|column| Suggestion { column, note: assumed_target(&names[column]) })
        .collect()
}

/// Returns the note about a target that was assumed.
pub(crate) fn assumed_target(column: &str) -> Message {
    let (column, target) = (shorten(column), parameter("target"));
    message!("assumed column '{column}' is the target; use `", target, "` to change it")
}
