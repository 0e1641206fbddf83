//! From columns with roles to a data set: labels and bags are taken out and checked against each other.

use std::path::Path;

use crate::dedupe;
use crate::error::{Place, ReadError, ReadProblem, listed, shorten};
use crate::labels;
use crate::nominal::{CategoryCollector, reorder, sort_categories};
use crate::options::ReadOptions;
use crate::roles::ColumnRole;
use pellucid_data::{Bags, Column, Dataset, Ids, Origin, Target};
use pellucid_data::{MISSING, Values};

/// What a reader hands over: every column that is not ignored, with its role.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) name: String,
    pub(crate) columns: Vec<(ColumnRole, Column)>,
    pub(crate) rows: usize,
    /// Where each row stands in the file.
    pub(crate) places: Places,
    pub(crate) notes: Vec<String>,
}

/// Where rows stand in the file.
#[derive(Debug)]
pub(crate) enum Places {
    /// The line of each row.
    Lines(Vec<u64>),
    /// The file has no lines; rows are counted.
    #[cfg(feature = "parquet")]
    Rows,
}

impl Places {
    pub(crate) fn of(&self, row: usize) -> Place {
        match self {
            Self::Lines(lines) => lines.get(row).map_or(Place::Whole, |&line| Place::Line(line)),
            #[cfg(feature = "parquet")]
            Self::Rows => Place::Row(row as u64 + 1),
        }
    }
}

/// A nominal column on its way to becoming the target or the bags.
struct Coded {
    name: String,
    codes: Vec<u32>,
    categories: Vec<String>,
}

/// Builds the data set.
pub(crate) fn assemble(parts: Parts, options: &ReadOptions) -> Result<Dataset, ReadError> {
    let Parts { name, columns, rows, places, mut notes } = parts;
    if rows == 0 {
        return Err(ReadProblem::NoRows.into());
    }
    let (mut features, mut target, mut bag, mut ids) = (Vec::new(), None, None, None);
    for (role, column) in columns {
        match role {
            ColumnRole::Feature | ColumnRole::Nominal => features.push(column),
            ColumnRole::Target => target = Some(coded(column)),
            ColumnRole::Bag => bag = Some(coded(column)),
            ColumnRole::Id => ids = Some(named(coded(column))),
            ColumnRole::Ignored => {}
        }
    }
    let bags = bag.map(|bag| number_bags(bag, &places)).transpose()?;
    let target = match (&options.labels, target) {
        (Some(file), _) => {
            Some(from_labels(file, rows, bags.as_ref(), options, &places, &mut notes)?)
        }
        (None, Some(column)) => {
            if let Some(row) = column.codes.iter().position(|&code| code == MISSING) {
                let problem = ReadProblem::MissingLabel { column: column.name };
                return Err(ReadError::at(places.of(row), problem));
            }
            Some(label_examples(column, bags.as_ref(), &places)?)
        }
        (None, None) => None,
    };
    let target = target.map(|target| order_classes(target, options)).transpose()?;
    let mut origin = Origin { ids, ..Origin::default() };
    origin.reading.id = origin.ids.as_ref().map(|ids| ids.name.clone());
    origin.lines = match places {
        Places::Lines(lines) => lines,
        #[cfg(feature = "parquet")]
        Places::Rows => Vec::new(),
    };
    let rest = Dataset::default();
    let mut data = Dataset { name, columns: features, rows, target, bags, notes, origin, ..rest };
    if options.dedupe_instances {
        dedupe::drop_repeats(&mut data);
    }
    Ok(data)
}

/// The texts of a column; readers make role columns nominal.
fn coded(column: Column) -> Coded {
    match column.values {
        Values::Nominal { codes, categories } => Coded { name: column.name, codes, categories },
        other => {
            Coded { name: column.name, codes: vec![MISSING; other.len()], categories: Vec::new() }
        }
    }
}

/// What each row is called.
fn named(column: Coded) -> Ids {
    let Coded { name, codes, categories } = column;
    let text = |&code: &u32| categories.get(code as usize).cloned();
    Ids { name, of_row: codes.iter().map(text).collect() }
}

/// Renumbers bags in order of first appearance.
fn number_bags(column: Coded, places: &Places) -> Result<Bags, ReadError> {
    let mut numbers = vec![MISSING; column.categories.len()];
    let mut names = Vec::new();
    let mut of_row = Vec::with_capacity(column.codes.len());
    for (row, &code) in column.codes.iter().enumerate() {
        let Some(code) = usize::try_from(code).ok().filter(|&code| code < numbers.len()) else {
            return Err(ReadError::at(
                places.of(row),
                ReadProblem::MissingBag { column: column.name },
            ));
        };
        if numbers[code] == MISSING {
            numbers[code] = u32::try_from(names.len()).map_err(|_| ReadProblem::Memory)?;
            names.push(column.categories[code].clone());
        }
        of_row.push(numbers[code]);
    }
    Ok(Bags { name: column.name, names, of_row })
}

/// One label an example; all rows of a bag must agree.
fn label_examples(
    column: Coded,
    bags: Option<&Bags>,
    places: &Places,
) -> Result<Target, ReadError> {
    let Coded { name, codes, categories } = column;
    let Some(bags) = bags else {
        return Ok(Target { name, classes: categories, codes });
    };
    let mut first_row = vec![usize::MAX; bags.names.len()];
    for (row, (&bag, &code)) in bags.of_row.iter().zip(&codes).enumerate() {
        let first = &mut first_row[bag as usize];
        if *first == usize::MAX {
            *first = row;
        } else if codes[*first] != code {
            let text =
                |code: u32| shorten(categories.get(code as usize).map_or("", String::as_str));
            let problem = ReadProblem::TwoLabels {
                bag: shorten(&bags.names[bag as usize]),
                label: text(code),
                other: text(codes[*first]),
                other_place: places.of(*first).plain(),
            };
            return Err(ReadError::at(places.of(row), problem));
        }
    }
    let codes = first_row.into_iter().map(|row| codes[row]).collect();
    Ok(Target { name, classes: categories, codes })
}

/// Labels of a second file: one a row, or one a bag in order of first appearance.
fn from_labels(
    file: &Path,
    rows: usize,
    bags: Option<&Bags>,
    options: &ReadOptions,
    places: &Places,
    notes: &mut Vec<String>,
) -> Result<Target, ReadError> {
    let found = labels::read(file, &options.limits)?;
    let mut collector = CategoryCollector::default();
    for label in &found {
        collector.push(label)?;
    }
    let column = coded(Column { name: "label".to_owned(), values: collector.sorted() });
    match bags {
        Some(bags) if found.len() == bags.names.len() && found.len() != rows => {
            notes.push(
                "the labels were taken as one a bag, in order of first appearance".to_owned(),
            );
            Ok(Target { name: column.name, classes: column.categories, codes: column.codes })
        }
        _ if found.len() == rows => label_examples(column, bags, places),
        _ => {
            let expected = match bags {
                Some(bags) => format!("{rows} (one a row) or {} (one a bag)", bags.names.len()),
                None => rows.to_string(),
            };
            let problem = ReadProblem::LabelCount { found: found.len(), expected };
            Err(ReadError::from(problem).in_file(&labels::name(file)))
        }
    }
}

/// Sorts the classes and puts the positive one last.
fn order_classes(target: Target, options: &ReadOptions) -> Result<Target, ReadError> {
    let Target { name, classes, codes } = target;
    let (mut codes, mut classes) = sort_categories(codes, classes);
    if let Some(positive) = &options.positive_class {
        let Some(at) = classes.iter().position(|class| class == positive) else {
            let classes = listed(&classes);
            return Err(ReadProblem::UnknownClass {
                value: shorten(positive),
                column: name,
                classes,
            }
            .into());
        };
        let order: Vec<usize> =
            (0..classes.len()).filter(|&class| class != at).chain([at]).collect();
        (codes, classes) = reorder(&codes, &classes, &order);
    }
    Ok(Target { name, classes, codes })
}
