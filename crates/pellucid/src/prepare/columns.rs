//! Columns that are about examples and predict nothing: groups and weights.

use super::IDENTICAL;
use crate::io::{Dataset, MISSING, Values};
use crate::learn::params::ParamError;
use crate::learn::suggest::{listed, nearest};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// Weights beyond these are a slip of the pen.
const SENSIBLE: RangeInclusive<f64> = 0.0..=1e9;

/// Takes a column out of the features.
fn taken(data: &mut Dataset, name: &'static str, column: &str) -> Result<Values, ParamError> {
    let Some(place) = data.columns.iter().position(|other| other.name == column) else {
        let known = || data.columns.iter().map(|column| column.name.as_str());
        let near = nearest(column, known());
        let near = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        let problem =
            format!("there is no column '{column}', there are: {}{near}", listed(known(), 20));
        return Err(ParamError::saying(name, problem));
    };
    Ok(data.columns.remove(place).values)
}

/// One value for each example: that of its row, or the one that all rows of its bag have.
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
                "column '{column}' differs within bag '{bag}'; all rows of a bag must have the same value"
            );
            return Err(ParamError::saying(name, problem));
        }
    }
    Ok(of_bag.into_iter().flatten().collect())
}

/// How much each example counts.
pub(super) fn take_weights(data: &mut Dataset, column: &str) -> Result<(), ParamError> {
    let refused = |problem: String| Err(ParamError::saying("weight", problem));
    let Values::Numeric(numbers) = taken(data, "weight", column)? else {
        return refused(format!("column '{column}' holds words; weights are numbers"));
    };
    if let Some(row) = numbers.iter().position(|number| !SENSIBLE.contains(number)) {
        let place = match data.line(row) {
            Some(line) => format!("line {line}"),
            None => format!("row {}", row + 1),
        };
        let found = numbers[row];
        let found = if found.is_nan() { "no number".to_owned() } else { format!("{found:?}") };
        return refused(format!(
            "column '{column}' has {found} in {place}; weights are numbers from 0 to 1000000000"
        ));
    }
    let weights = of_examples(data, "weight", column, &numbers)?;
    let mut heavy = vec![0.0; data.classes()];
    for (code, weight) in data.example_codes().iter().zip(&weights) {
        heavy[*code as usize] += weight;
    }
    if let Some(class) = heavy.iter().position(|weight| *weight <= 0.0) {
        let target = data.target.as_ref();
        let class = target.and_then(|target| target.classes.get(class)).cloned();
        return refused(format!(
            "all examples of class '{}' weigh 0 in column '{column}'; nothing would be left to learn it from",
            class.unwrap_or_default()
        ));
    }
    data.weights = Some(weights);
    Ok(())
}

/// Which examples belong together.
pub(super) fn take_groups(data: &mut Dataset, column: &str) -> Result<(), ParamError> {
    let has_column = data.columns.iter().any(|other| other.name == column);
    let groups = if column == IDENTICAL && !has_column {
        numbered(&contents(data))
    } else {
        let values = taken(data, "groups", column)?;
        let of_row: Vec<Option<u64>> = (0..data.rows).map(|row| code(&values, row)).collect();
        let known = of_examples(data, "groups", column, &of_row)?;
        // Where the value is missing an example is a group by itself: nothing says that they are the same.
        let alone =
            |(example, known): (usize, Option<u64>)| (known.is_none().then_some(example), known);
        numbered(&known.into_iter().enumerate().map(alone).collect::<Vec<_>>())
    };
    let number = groups.iter().max().map_or(0, |&last| u64::from(last) + 1);
    data.notes.push(format!("{} examples are kept together in {number} groups", groups.len()));
    data.groups = Some(groups);
    Ok(())
}

/// A cell as a number that is equal for equal cells; nothing where it is missing.
fn code(values: &Values, row: usize) -> Option<u64> {
    match values {
        // `+ 0.0` makes one zero of the two.
        Values::Numeric(numbers) => {
            (!numbers[row].is_nan()).then(|| (numbers[row] + 0.0).to_bits())
        }
        Values::Nominal { codes, .. } => (codes[row] != MISSING).then(|| u64::from(codes[row])),
        Values::Boolean(truths) => truths[row].map(u64::from),
    }
}

/// All that an example holds: the cells of its rows, whatever the rows' order.
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

/// Equal things get the same number, counted by first appearance.
fn numbered<T: std::hash::Hash + Eq>(things: &[T]) -> Vec<u32> {
    let mut known: HashMap<&T, u32> = HashMap::new();
    let mut numbers = Vec::with_capacity(things.len());
    for thing in things {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        numbers.push(*known.entry(thing).or_insert(next));
    }
    numbers
}
