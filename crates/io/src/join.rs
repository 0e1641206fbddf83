//! Joins a table of rows with a second table that has one row per bag or row, by name.

use std::collections::HashMap;
use std::path::Path;

use crate::assemble::{Coded, Part, Parts, Places, coded};
use crate::error::{ReadError, ReadProblem, listed, shorten};
use crate::labels;
use crate::options::{BagTable, Choice, ReadOptions};
use crate::read::load;
use crate::roles::{self, ColumnRole};
use pellucid_data::{Bags, Ids, MISSING, Target, Values};

/// The second table, indexed by name.
#[derive(Debug)]
pub(crate) struct Second {
    file: String,
    /// The row of each name in the table.
    place: HashMap<String, usize>,
    /// The names in order.
    names: Vec<String>,
    features: Vec<Part>,
    target: Option<Coded>,
    guessed_target: bool,
    /// The names of all its columns.
    pub(crate) columns: Vec<String>,
    notes: Vec<String>,
}

/// The result of joining the table of bags.
pub(crate) struct Joined {
    /// Its columns, with one value per row of the table of rows.
    pub(crate) features: Vec<Part>,
    pub(crate) target: Option<Target>,
    pub(crate) guessed_target: bool,
}

/// Reads the table of bags.
pub(crate) fn read(table: &BagTable, options: &ReadOptions) -> Result<Parts, ReadError> {
    let mut of_bags = options.clone().id(table.key_of_bags()).bag(Choice::None);
    (of_bags.bags, of_bags.labels) = (None, None);
    (of_bags.lenient, of_bags.lone_target) = (true, true);
    // The row names are columns of the first table only, and this file may have another format.
    (of_bags.format, of_bags.delimiter) = (None, None);
    let parts = load(&table.file, &of_bags)?;
    if !parts.columns.iter().any(|part| part.role == ColumnRole::Id) {
        let error = roles::unknown(&parts.names, table.key_of_bags(), "key");
        return Err(error.in_file(&labels::name(&table.file)));
    }
    Ok(parts)
}

impl Second {
    /// Indexes the second table; fails if a name is missing or appears twice.
    pub(crate) fn new(parts: Parts, file: &Path) -> Result<Self, ReadError> {
        let name = labels::name(file);
        Self::of(parts, name.clone()).map_err(|error| error.in_file(&name))
    }

    fn of(parts: Parts, file: String) -> Result<Self, ReadError> {
        let Parts { columns, places, notes, names: all, guessed_target, .. } = parts;
        let (mut features, mut target, mut key) = (Vec::new(), None, None);
        for part in columns {
            match part.role {
                ColumnRole::Id => key = Some(coded(part.column)),
                ColumnRole::Target => target = Some(coded(part.column)),
                ColumnRole::Bag | ColumnRole::Ignored => {}
                _ => features.push(part),
            }
        }
        let Some(key) = key else { return Err(ReadProblem::Ended("a column of names").into()) };
        let (mut place, mut names) = (HashMap::with_capacity(key.codes.len()), Vec::new());
        for (row, &code) in key.codes.iter().enumerate() {
            let Some(name) = key.categories.get(code as usize).filter(|_| code != MISSING) else {
                let column = key.name.clone();
                return Err(ReadError::at(places.of(row), ReadProblem::MissingBag { column }));
            };
            if let Some(first) = place.insert(name.clone(), row) {
                let problem = ReadProblem::TwiceNamed {
                    name: shorten(name),
                    first: places.of(first).plain(),
                };
                return Err(ReadError::at(places.of(row), problem));
            }
            names.push(name.clone());
        }
        Ok(Self { file, place, names, features, target, guessed_target, columns: all, notes })
    }

    /// Returns the row of each name, and notes the names of the second table that are not used.
    fn lines_of<'a>(
        &self,
        wanted: impl Iterator<Item = Option<&'a str>>,
        unknown: impl Fn(usize) -> ReadError,
        notes: &mut Vec<String>,
    ) -> Result<Vec<usize>, ReadError> {
        let mut asked = vec![false; self.names.len()];
        let mut lines = Vec::new();
        for (place, name) in wanted.enumerate() {
            let line = name.and_then(|name| self.place.get(name)).copied();
            let line = line.ok_or_else(|| unknown(place))?;
            asked[line] = true;
            lines.push(line);
        }
        let left: Vec<&String> = self
            .names
            .iter()
            .zip(&asked)
            .filter(|(_, asked)| !**asked)
            .map(|(name, _)| name)
            .collect();
        if !left.is_empty() {
            notes.push(format!(
                "skipped {} names of {} that have no row: {}",
                left.len(),
                self.file,
                listed(&left)
            ));
        }
        Ok(lines)
    }

    /// Returns the labels of some rows.
    fn labels(&self, lines: &[usize]) -> Option<Target> {
        let target = self.target.as_ref()?;
        Some(Target {
            name: target.name.clone(),
            classes: target.categories.clone(),
            codes: lines.iter().map(|&line| target.codes[line]).collect(),
        })
    }
}

/// Joins the table of bags with the bags of the table of rows.
pub(crate) fn bags(
    second: Second,
    bags: &Bags,
    own: &[pellucid_data::Column],
    places: &Places,
    notes: &mut Vec<String>,
) -> Result<Joined, ReadError> {
    if let Some(part) =
        second.features.iter().find(|part| own.iter().any(|column| column.name == part.column.name))
    {
        return Err(ReadProblem::Options(format!(
            "column '{}' is in both tables; rename or remove one of them",
            shorten(&part.column.name)
        ))
        .into());
    }
    let first_row =
        |bag: usize| bags.of_row.iter().position(|&other| other as usize == bag).unwrap_or(0);
    let unknown = |bag: usize| {
        let problem =
            ReadProblem::NotInSecond { name: shorten(&bags.names[bag]), file: second.file.clone() };
        ReadError::at(places.of(first_row(bag)), problem)
    };
    notes.extend(second.notes.iter().map(|note| format!("{}: {note}", second.file)));
    let lines =
        second.lines_of(bags.names.iter().map(|name| Some(name.as_str())), unknown, notes)?;
    let target = second.labels(&lines);
    let of_row: Vec<usize> = bags.of_row.iter().map(|&bag| lines[bag as usize]).collect();
    let guessed_target = second.guessed_target;
    let spread = |mut part: Part| {
        part.column.values = match part.column.values {
            Values::Numeric(numbers) => {
                Values::Numeric(of_row.iter().map(|&line| numbers[line]).collect())
            }
            Values::Nominal { codes, categories } => Values::Nominal {
                codes: of_row.iter().map(|&line| codes[line]).collect(),
                categories,
            },
            Values::Boolean(truths) => {
                Values::Boolean(of_row.iter().map(|&line| truths[line]).collect())
            }
        };
        part
    };
    let features = second.features.into_iter().map(spread).collect();
    Ok(Joined { features, target, guessed_target })
}

/// Reads the labels of a second file by the names of bags or rows.
pub(crate) fn labels(
    file: &Path,
    bags: Option<&Bags>,
    ids: Option<&Ids>,
    examples: usize,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<Target, ReadError> {
    let name = labels::name(file);
    let (heading, what) = match (bags, ids) {
        (Some(bags), _) => (&bags.name, "bag"),
        (None, Some(ids)) => (&ids.name, "row"),
        (None, None) => {
            return Err(ReadProblem::Options(format!(
                "{name} has labels by name, but the rows have no names; use `id` or `bag` to set the column \
                 that names them, or `labels_by_position` for one label per line in the order of the rows"
            ))
            .into());
        }
    };
    let mut plain =
        ReadOptions::default().limits(options.limits).keep_identifiers(true).bag(Choice::None);
    (plain.encoding, plain.lone_target) = (options.encoding, true);
    let by_heading = load(file, &plain.clone().id(Choice::IfPresent(heading.clone())))?;
    let has_key = by_heading.columns.iter().any(|part| part.role == ColumnRole::Id);
    let parts = if has_key { by_heading } else { load(file, &plain.id("1"))? };
    if !parts.columns.iter().any(|part| part.role == ColumnRole::Target) {
        return Err(ReadError::from(ReadProblem::LabelsWithoutNames).in_file(&name));
    }
    let mut second = Second::new(parts, file)?;
    // Notes about columns other than names and labels do not matter here.
    second.notes.clear();
    let wanted = (0..examples).map(|example| match (bags, ids) {
        (Some(bags), _) => Some(bags.names[example].as_str()),
        (None, Some(ids)) => ids.of_row[example].as_deref(),
        (None, None) => None,
    });
    let unknown = |example: usize| {
        let called = match (bags, ids) {
            (Some(bags), _) => bags.names[example].clone(),
            (None, Some(ids)) => ids.of_row[example].clone().unwrap_or_default(),
            (None, None) => String::new(),
        };
        let problem = ReadProblem::NoLabel { what, name: shorten(&called) };
        ReadError::from(problem).in_file(&name)
    };
    let lines = second.lines_of(wanted, unknown, notes)?;
    let target = second.labels(&lines);
    target.ok_or_else(|| ReadError::from(ReadProblem::LabelsWithoutNames).in_file(&name))
}
