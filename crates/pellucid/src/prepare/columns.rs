//! Groups and weights of examples, which are columns but not features.

use super::{GroupNames, IDENTICAL};
use crate::io::{Dataset, MISSING, Values};
use crate::learn::params::ParamError;
use crate::learn::suggest::{listed, nearest};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// The allowed weights. Larger numbers are likely mistakes.
const ALLOWED_WEIGHTS: RangeInclusive<f64> = 0.0..=1e9;

/// Removes a column from the features and returns its values. `name` is the parameter that names the column.
fn take_column(data: &mut Dataset, name: &'static str, column: &str) -> Result<Values, ParamError> {
    let Some(index) = data.columns.iter().position(|other| other.name == column) else {
        let known = || data.columns.iter().map(|column| column.name.as_str());
        let near = nearest(column, known());
        let near = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        let problem =
            format!("unknown column '{column}'; expected one of {}{near}", listed(known(), 20));
        return Err(ParamError::with_problem(name, problem));
    };
    Ok(data.columns.remove(index).values)
}

/// Returns the value of each example: that of its row, or the common value of all rows of its bag.
fn of_examples<T: Copy + PartialEq>(
    data: &Dataset,
    name: &'static str,
    column: &str,
    of_row: &[T],
) -> Result<Vec<T>, ParamError> {
    let Some(bags) = &data.bags else { return Ok(of_row.to_vec()) };
    let mut of_bag: Vec<Option<T>> = vec![None; bags.names.len()];
    for (&bag, &value) in bags.of_row.iter().zip(of_row) {
        let known = of_bag[bag as usize].get_or_insert(value);
        if *known != value {
            let bag = &bags.names[bag as usize];
            let problem = format!(
                "column '{column}' has different values in bag '{bag}'; all rows of a bag must have the \
                 same value"
            );
            return Err(ParamError::with_problem(name, problem));
        }
    }
    Ok(of_bag.into_iter().flatten().collect())
}

/// Takes the weights of examples from a column.
pub(super) fn take_weights(data: &mut Dataset, column: &str) -> Result<(), ParamError> {
    let invalid = |problem: String| Err(ParamError::with_problem("weight", problem));
    let Values::Numeric(numbers) = take_column(data, "weight", column)? else {
        return invalid(format!("column '{column}' contains text; expected numbers"));
    };
    if let Some(row) = numbers.iter().position(|number| !ALLOWED_WEIGHTS.contains(number)) {
        let location = match data.line(row) {
            Some(line) => format!("line {line}"),
            None => format!("row {}", row + 1),
        };
        let found = numbers[row];
        let found =
            if found.is_nan() { "a missing value".to_owned() } else { format!("{found:?}") };
        return invalid(format!(
            "{location}: found {found} in column '{column}'; expected a number from 0 to 1000000000"
        ));
    }
    let weights = of_examples(data, "weight", column, &numbers)?;
    let mut class_weights = vec![0.0; data.classes()];
    for (code, weight) in data.example_codes().iter().zip(&weights) {
        class_weights[*code as usize] += weight;
    }
    if let Some(class) = class_weights.iter().position(|weight| *weight <= 0.0) {
        let target = data.target.as_ref();
        let class = target.and_then(|target| target.classes.get(class)).cloned();
        return invalid(format!(
            "all examples of class '{}' have weight 0 in column '{column}'; expected at least one positive \
             weight per class",
            class.unwrap_or_default()
        ));
    }
    data.weights = Some(weights);
    Ok(())
}

/// Takes the groups of examples from a column. Returns their names unless they are groups of identical
/// examples.
pub(super) fn take_groups(
    data: &mut Dataset,
    column: &str,
) -> Result<Option<GroupNames>, ParamError> {
    let has_column = data.columns.iter().any(|other| other.name == column);
    let (groups, names) = if column == IDENTICAL && !has_column {
        (numbered(&contents(data)), None)
    } else {
        let values = take_column(data, "groups", column)?;
        let of_row: Vec<Option<u64>> = (0..data.rows).map(|row| code(&values, row)).collect();
        let known = of_examples(data, "groups", column, &of_row)?;
        // An example with a missing value is a group of its own.
        let key =
            |(example, known): (usize, Option<u64>)| (known.is_none().then_some(example), known);
        let groups = numbered(&known.iter().copied().enumerate().map(key).collect::<Vec<_>>());
        let names = group_names(&values, &of_row, &known, &groups);
        (groups, Some(GroupNames { column: column.to_owned(), names }))
    };
    let number = groups.iter().max().map_or(0, |&last| u64::from(last) + 1);
    data.notes.push(format!("{} examples in {number} groups", groups.len()).into());
    data.groups = Some(groups);
    Ok(names)
}

/// Returns the value of each group as text.
fn group_names(
    values: &Values,
    of_row: &[Option<u64>],
    of_example: &[Option<u64>],
    groups: &[u32],
) -> Vec<String> {
    let count = groups.iter().max().map_or(0, |&last| last as usize + 1);
    let mut rows: HashMap<u64, usize> = HashMap::new();
    for (row, code) in of_row.iter().enumerate() {
        code.iter().for_each(|&code| {
            rows.entry(code).or_insert(row);
        });
    }
    let mut names = vec!["missing".to_owned(); count];
    for (&group, code) in groups.iter().zip(of_example) {
        let Some(&row) = code.and_then(|code| rows.get(&code)) else { continue };
        names[group as usize] = match values {
            Values::Numeric(numbers) => numbers[row].to_string(),
            Values::Nominal { codes, categories } => categories[codes[row] as usize].clone(),
            Values::Boolean(truths) => {
                if truths[row] == Some(true) { "yes" } else { "no" }.to_owned()
            }
        };
    }
    names
}

/// Returns a number that is equal for equal cells, or nothing for a missing value.
fn code(values: &Values, row: usize) -> Option<u64> {
    match values {
        // `+ 0.0` converts -0.0 to 0.0.
        Values::Numeric(numbers) => {
            (!numbers[row].is_nan()).then(|| (numbers[row] + 0.0).to_bits())
        }
        Values::Nominal { codes, .. } => (codes[row] != MISSING).then(|| u64::from(codes[row])),
        Values::Boolean(booleans) => booleans[row].map(u64::from),
    }
}

/// Returns the content of each example: the cells of its rows, in sorted order.
fn contents(data: &Dataset) -> Vec<Vec<Vec<Option<u64>>>> {
    let mut of_example = vec![Vec::new(); data.examples()];
    for row in 0..data.rows {
        let cells = data.columns.iter().map(|column| code(&column.values, row)).collect();
        let example = data.bags.as_ref().map_or(row, |bags| bags.of_row[row] as usize);
        of_example[example].push(cells);
    }
    of_example.iter_mut().for_each(|rows: &mut Vec<Vec<Option<u64>>>| rows.sort_unstable());
    of_example
}

/// Numbers items by first appearance. Equal items get the same number.
fn numbered<T: std::hash::Hash + Eq>(things: &[T]) -> Vec<u32> {
    let mut known: HashMap<&T, u32> = HashMap::new();
    let mut numbers = Vec::with_capacity(things.len());
    for thing in things {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        numbers.push(*known.entry(thing).or_insert(next));
    }
    numbers
}
