//! Joins a table of rows with a second table that has one row per bag or row, by name.

use std::collections::HashMap;
use std::path::Path;

use crate::assembly::labels;
use crate::assembly::load::load;
use crate::columns::parsed::{CodedColumn, ParsedColumn, ParsedTable, RowPositions, into_coded};
use crate::columns::roles::{self, AssignedRole};
use crate::source::error::{ReadError, ReadProblem, counted, listed, shorten};
use crate::source::options::{BagTable, Choice, ReadOptions};
use pellucid_data::{Bags, ClassTarget, Ids, MISSING, Message, Values, message, parameter};

/// The second table, indexed by name.
#[derive(Debug)]
pub(crate) struct KeyedTable {
    file: String,
    /// The row of each name in the table.
    row_of: HashMap<String, usize>,
    /// The names in order.
    names: Vec<String>,
    features: Vec<ParsedColumn>,
    target: Option<CodedColumn>,
    guessed_target: bool,
    /// The names of all its columns.
    pub(crate) columns: Vec<String>,
    notes: Vec<Message>,
}

/// The result of joining the table of bags.
pub(crate) struct JoinedBags {
    /// Its columns, with one value per row of the table of rows.
    pub(crate) features: Vec<ParsedColumn>,
    pub(crate) target: Option<ClassTarget>,
    pub(crate) guessed_target: bool,
}

/// Reads the table of bags.
pub(crate) fn read(bag_table: &BagTable, options: &ReadOptions) -> Result<ParsedTable, ReadError> {
    let mut bag_options = options.clone().id(bag_table.key_of_bags()).bag(Choice::None);
    (bag_options.bags, bag_options.labels) = (None, None);
    (bag_options.lenient, bag_options.lone_target) = (true, true);
    // The row names are columns of the first table only, and this file may have another format.
    (bag_options.format, bag_options.delimiter) = (None, None);
    let table = load(&bag_table.file, &bag_options)?;
    if !table.columns.iter().any(|parsed| parsed.role == AssignedRole::Id) {
        let error = roles::unknown(&table.names, bag_table.key_of_bags(), "key");
        return Err(error.in_file(&labels::name(&bag_table.file)));
    }
    Ok(table)
}

impl KeyedTable {
    /// Indexes the second table; fails if a name is missing or appears twice.
    pub(crate) fn new(table: ParsedTable, file: &Path) -> Result<Self, ReadError> {
        let name = labels::name(file);
        Self::of(table, name.clone()).map_err(|error| error.in_file(&name))
    }

    fn of(table: ParsedTable, file: String) -> Result<Self, ReadError> {
        let ParsedTable { columns, positions, notes, names: all, guessed_target, .. } = table;
        let (mut features, mut target, mut key) = (Vec::new(), None, None);
        for parsed in columns {
            match parsed.role {
                AssignedRole::Id => key = Some(into_coded(parsed.column)),
                AssignedRole::Target => target = Some(into_coded(parsed.column)),
                AssignedRole::Bag | AssignedRole::Ignored => {}
                _ => features.push(parsed),
            }
        }
        let Some(key) = key else { return Err(ReadProblem::Ended("a column of names").into()) };
        let (mut row_of, mut names) = (HashMap::with_capacity(key.codes.len()), Vec::new());
        for (row, &code) in key.codes.iter().enumerate() {
            let Some(name) = key.categories.get(code as usize).filter(|_| code != MISSING) else {
                let column = key.name.clone();
                return Err(ReadError::at(positions.of(row), ReadProblem::MissingBag { column }));
            };
            if let Some(first) = row_of.insert(name.clone(), row) {
                let problem = ReadProblem::DuplicateKey {
                    name: shorten(name),
                    first: positions.of(first).phrase(),
                };
                return Err(ReadError::at(positions.of(row), problem));
            }
            names.push(name.clone());
        }
        Ok(Self { file, row_of, names, features, target, guessed_target, columns: all, notes })
    }

    /// Returns the row of each name, and notes the names of the second table that are not used.
    fn rows_of<'a>(
        &self,
        wanted: impl Iterator<Item = Option<&'a str>>,
        unknown: impl Fn(usize) -> ReadError,
        notes: &mut Vec<Message>,
    ) -> Result<Vec<usize>, ReadError> {
        let mut used = vec![false; self.names.len()];
        let mut lines = Vec::new();
        for (index, name) in wanted.enumerate() {
            let line = name.and_then(|name| self.row_of.get(name)).copied();
            let line = line.ok_or_else(|| unknown(index))?;
            used[line] = true;
            lines.push(line);
        }
        let unused: Vec<&String> = self
            .names
            .iter()
            .zip(&used)
            .filter(|(_, used)| !**used)
            .map(|(name, _)| name)
            .collect();
        if !unused.is_empty() {
            notes.push(
                format!(
                    "skipped {} of {} without a row: {}",
                    counted(unused.len(), "name"),
                    self.file,
                    listed(&unused)
                )
                .into(),
            );
        }
        Ok(lines)
    }

    /// Returns the labels of some rows.
    fn labels(&self, lines: &[usize]) -> Option<ClassTarget> {
        let target = self.target.as_ref()?;
        Some(ClassTarget {
            name: target.name.clone(),
            classes: target.categories.clone(),
            codes: lines.iter().map(|&line| target.codes[line]).collect(),
        })
    }
}

/// Joins the table of bags with the bags of the table of rows.
pub(crate) fn join_bags(
    keyed: KeyedTable,
    bags: &Bags,
    own: &[pellucid_data::Column],
    positions: &RowPositions,
    notes: &mut Vec<Message>,
) -> Result<JoinedBags, ReadError> {
    if let Some(parsed) = keyed
        .features
        .iter()
        .find(|parsed| own.iter().any(|column| column.name == parsed.column.name))
    {
        let name = shorten(&parsed.column.name);
        return Err(ReadProblem::Options(message!(
            "column '{name}' is in both tables; rename or remove one of them"
        ))
        .into());
    }
    let first_row =
        |bag: usize| bags.of_row.iter().position(|&other| other as usize == bag).unwrap_or(0);
    let unknown = |bag: usize| {
        let problem = ReadProblem::MissingBagRow {
            name: shorten(&bags.names[bag]),
            file: keyed.file.clone(),
        };
        ReadError::at(positions.of(first_row(bag)), problem)
    };
    let file = &keyed.file;
    notes.extend(keyed.notes.iter().map(|note| message!("{file}: ", note.clone())));
    let lines = keyed.rows_of(bags.names.iter().map(|name| Some(name.as_str())), unknown, notes)?;
    let target = keyed.labels(&lines);
    let of_row: Vec<usize> = bags.of_row.iter().map(|&bag| lines[bag as usize]).collect();
    let guessed_target = keyed.guessed_target;
    let spread = |mut parsed: ParsedColumn| {
        parsed.column.values = match parsed.column.values {
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
        parsed
    };
    let features = keyed.features.into_iter().map(spread).collect();
    Ok(JoinedBags { features, target, guessed_target })
}

/// Reads the labels of a second file by the names of bags or rows.
pub(crate) fn join_labels(
    file: &Path,
    bags: Option<&Bags>,
    ids: Option<&Ids>,
    examples: usize,
    options: &ReadOptions,
    notes: &mut Vec<Message>,
) -> Result<ClassTarget, ReadError> {
    let name = labels::name(file);
    let (heading, what) = match (bags, ids) {
        (Some(bags), _) => (&bags.name, "bag"),
        (None, Some(ids)) => (&ids.name, "row"),
        (None, None) => {
            return Err(ReadProblem::Options(message!(
                "{name} has labels by name, but the rows have no names; use `",
                parameter("id"),
                "` or `",
                parameter("bag"),
                "` to set the column that names them, or `",
                parameter("labels_by_position"),
                "` for one label per line in the order of the rows"
            ))
            .into());
        }
    };
    let mut plain =
        ReadOptions::default().limits(options.limits).keep_identifiers(true).bag(Choice::None);
    (plain.encoding, plain.lone_target) = (options.encoding, true);
    let by_heading = load(file, &plain.clone().id(Choice::IfPresent(heading.clone())))?;
    let has_key = by_heading.columns.iter().any(|parsed| parsed.role == AssignedRole::Id);
    let table = if has_key { by_heading } else { load(file, &plain.id("1"))? };
    if !table.columns.iter().any(|parsed| parsed.role == AssignedRole::Target) {
        return Err(ReadError::from(ReadProblem::LabelsWithoutNames).in_file(&name));
    }
    let mut keyed = KeyedTable::new(table, file)?;
    // Notes about columns other than names and labels do not matter here.
    keyed.notes.clear();
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
    let lines = keyed.rows_of(wanted, unknown, notes)?;
    let target = keyed.labels(&lines);
    target.ok_or_else(|| ReadError::from(ReadProblem::LabelsWithoutNames).in_file(&name))
}
