//! Builds a data set from columns with roles: separates the labels and bags and checks them against
//! each other.

use crate::assembly::join::{self, KeyedTable};
use crate::assembly::{dedupe, labels, unlabeled};
use crate::cells::number_form::NumberForm;
use crate::cells::units::UnitHint;
use crate::columns::categories::{CategoryCollector, reorder, sort_categories};
use crate::columns::parsed::{CodedColumn, ParsedColumn, ParsedTable, RowPositions, into_coded};
use crate::columns::roles::AssignedRole;
use crate::source::error::{ReadError, ReadProblem, listed, shorten};
use crate::source::options::ReadOptions;
use pellucid_data::{Bags, ClassTarget, Column, Dataset, Ids, MISSING, Message, Origin, Reading};

/// Builds the data set; `bag_table` is the table of bags, if there is one.
pub(crate) fn assemble(
    table: ParsedTable,
    bag_table: Option<KeyedTable>,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    let ParsedTable { name, columns, rows, positions, mut notes, form, mut guessed_target, .. } =
        table;
    if rows == 0 {
        return Err(ReadProblem::NoRows.into());
    }
    let mut reading = reading_settings(options, form);
    let ColumnsByRole { mut features, target, bag, ids } = split_by_role(columns, &mut reading);
    let bags = bag.map(|bag| number_bags(bag, &positions)).transpose()?;
    let explain = |error: ReadError, column: &str, is_assumed: bool| {
        if is_assumed { error.with_assumed_target(column) } else { error }
    };
    let mut labeled = match target {
        Some(column) => {
            let name = column.name.clone();
            Some(
                label_examples(column, bags.as_ref(), &positions)
                    .map_err(|error| explain(error, &name, guessed_target))?,
            )
        }
        None => None,
    };
    if let (Some(bag_table), Some(bags)) = (bag_table, &bags) {
        let joined = join::join_bags(bag_table, bags, &features, &positions, &mut notes)?;
        for parsed in joined.features {
            features.extend(feature(parsed, &mut reading));
        }
        if let Some(target) = joined.target {
            if let Some(other) = &labeled {
                return Err(ReadProblem::TwoTargets {
                    rows: shorten(&other.name),
                    bags: shorten(&target.name),
                }
                .into());
            }
            labeled = Some(target);
            guessed_target = joined.guessed_target;
        }
    }
    if let Some(file) = &options.labels {
        let bags = bags.as_ref();
        labeled = Some(if options.labels_by_position {
            let found = labels::read(file, options)?;
            by_position(found, rows, bags, options, &positions, &mut notes)?
        } else {
            let examples = bags.map_or(rows, |bags| bags.names.len());
            join::join_labels(file, bags, ids.as_ref(), examples, options, &mut notes)?
        });
        guessed_target = false;
    }
    let target = labeled.map(|target| {
        let name = target.name.clone();
        order_classes(target, options).map_err(|error| explain(error, &name, guessed_target))
    });
    let target = target.transpose()?;
    reading.key = options.bags.as_ref().and_then(|table| table.other_key.clone());
    reading.id = ids.as_ref().map(|ids: &Ids| ids.name.clone());
    let lines = match positions {
        RowPositions::Lines(lines) => lines,
        RowPositions::Rows => Vec::new(),
    };
    let guessed_target = guessed_target && target.is_some();
    let origin = Origin { ids, lines, guessed_target, reading };
    let rest = Dataset::default();
    let mut data = Dataset { name, columns: features, rows, target, bags, notes, origin, ..rest };
    if options.dedupe_instances {
        dedupe::drop_repeats(&mut data);
    }
    unlabeled::apply_policy(data, options.unlabeled)
}

/// The columns of a table by role.
#[derive(Default)]
struct ColumnsByRole {
    features: Vec<Column>,
    target: Option<CodedColumn>,
    bag: Option<CodedColumn>,
    ids: Option<Ids>,
}

/// Splits the columns by role, and records what a model must store about them.
fn split_by_role(columns: Vec<ParsedColumn>, reading: &mut Reading) -> ColumnsByRole {
    let mut split = ColumnsByRole::default();
    for mut parsed in columns {
        if let Some(header) = parsed.header.take() {
            reading.headers.insert(parsed.column.name.clone(), header);
        }
        if parsed.merged_spellings {
            reading.merged_spellings.push(parsed.column.name.clone());
        }
        match parsed.role {
            AssignedRole::Target => split.target = Some(into_coded(parsed.column)),
            AssignedRole::Bag => split.bag = Some(into_coded(parsed.column)),
            AssignedRole::Id => split.ids = Some(into_ids(into_coded(parsed.column))),
            AssignedRole::Ignored => {}
            _ => split.features.extend(feature(parsed, reading)),
        }
    }
    split
}

/// Returns what a model stores to read another file in the same way.
fn reading_settings(options: &ReadOptions, form: NumberForm) -> Reading {
    Reading {
        missing: options.missing.clone(),
        decimal: Some(form.decimal).filter(|&decimal| decimal != '.'),
        thousands: form.thousands,
        encoding: options.encoding.map(|encoding| encoding.name().to_owned()),
        ..Reading::default()
    }
}

/// Returns the column if it is a feature, and records what a model must store about it.
fn feature(parsed: ParsedColumn, reading: &mut Reading) -> Option<Column> {
    if parsed.identifier.is_some() {
        reading.left_out.push(parsed.column.name);
        return None;
    }
    if let Some(format) = parsed.date {
        reading.dates.insert(parsed.column.name.clone(), format);
    }
    if let UnitHint::Unit(unit) = parsed.unit {
        reading.units.insert(parsed.column.name.clone(), unit);
    }
    Some(parsed.column)
}

/// Returns the name of each row.
fn into_ids(column: CodedColumn) -> Ids {
    let CodedColumn { name, codes, categories } = column;
    let text = |&code: &u32| categories.get(code as usize).cloned();
    Ids { name, of_row: codes.iter().map(text).collect() }
}

/// Numbers the bags in order of first appearance.
fn number_bags(column: CodedColumn, positions: &RowPositions) -> Result<Bags, ReadError> {
    let mut numbers = vec![MISSING; column.categories.len()];
    let mut names = Vec::new();
    let mut of_row = Vec::with_capacity(column.codes.len());
    for (row, &code) in column.codes.iter().enumerate() {
        let Some(code) = usize::try_from(code).ok().filter(|&code| code < numbers.len()) else {
            return Err(ReadError::at(
                positions.of(row),
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

/// Returns one label per example; an empty cell is a missing label. All labeled rows of a bag must agree.
fn label_examples(
    column: CodedColumn,
    bags: Option<&Bags>,
    positions: &RowPositions,
) -> Result<ClassTarget, ReadError> {
    let CodedColumn { name, codes, categories } = column;
    let Some(bags) = bags else {
        return Ok(ClassTarget { name, classes: categories, codes });
    };
    let mut first_row = vec![usize::MAX; bags.names.len()];
    for (row, (&bag, &code)) in bags.of_row.iter().zip(&codes).enumerate() {
        if code == MISSING {
            continue;
        }
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
                other_position: positions.of(*first).phrase(),
            };
            return Err(ReadError::at(positions.of(row), problem));
        }
    }
    let label = |row: usize| codes.get(row).copied().unwrap_or(MISSING);
    let codes = first_row.into_iter().map(label).collect();
    Ok(ClassTarget { name, classes: categories, codes })
}

/// Assigns the labels of a second file: one per row, or one per bag in order of first appearance.
fn by_position(
    found: Vec<String>,
    rows: usize,
    bags: Option<&Bags>,
    options: &ReadOptions,
    positions: &RowPositions,
    notes: &mut Vec<Message>,
) -> Result<ClassTarget, ReadError> {
    let mut collector = CategoryCollector::default();
    for label in &found {
        collector.push(label)?;
    }
    let column = into_coded(Column { name: "label".to_owned(), values: collector.sorted() });
    match bags {
        Some(bags) if found.len() == bags.names.len() && found.len() != rows => {
            notes.push("read the labels as one per bag, in order of first appearance".into());
            Ok(ClassTarget { name: column.name, classes: column.categories, codes: column.codes })
        }
        _ if found.len() == rows => label_examples(column, bags, positions),
        _ => {
            let expected = match bags {
                Some(bags) => format!("{rows} (one per row) or {} (one per bag)", bags.names.len()),
                None => rows.to_string(),
            };
            let problem = ReadProblem::LabelCount { found: found.len(), expected };
            let file = options.labels.as_deref().map(labels::name).unwrap_or_default();
            Err(ReadError::from(problem).in_file(&file))
        }
    }
}

/// Names of a class that is positive however frequent it is, in lower case.
const POSITIVE_NAMES: [&str; 8] = ["1", "yes", "true", "positive", "pos", "+", "y", "t"];

/// Returns the class of two to list last: the one with the name of a positive class, or else the rarer
/// one. Of two equally frequent ones it is the last in sort order.
fn default_positive(classes: &[String], codes: &[u32]) -> usize {
    let is_positive =
        |class: &String| POSITIVE_NAMES.contains(&class.trim().to_lowercase().as_str());
    let count = |class: u32| codes.iter().filter(|&&code| code == class).count();
    match classes.iter().map(is_positive).collect::<Vec<bool>>()[..] {
        [true, false] => 0,
        [false, true] => 1,
        _ => usize::from(count(1) <= count(0)),
    }
}

/// Sorts the classes and puts the positive one last.
fn order_classes(target: ClassTarget, options: &ReadOptions) -> Result<ClassTarget, ReadError> {
    let ClassTarget { name, classes, codes } = target;
    let (mut codes, mut classes) = sort_categories(codes, classes);
    // The classes of a model keep their order.
    let is_free = options.positive_class.is_none() && options.classes.is_empty();
    if is_free && classes.len() == 2 && default_positive(&classes, &codes) == 0 {
        (codes, classes) = reorder(&codes, &classes, &[1, 0]);
    }
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
    Ok(ClassTarget { name, classes, codes })
}
