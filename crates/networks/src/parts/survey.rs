//! Column statistics of remote rows, from counts alone.

use super::RemoteRows;
use super::query::{DIGIT, DIGITS, DigitPrefix, Query, number};
use crate::prepare::from_counts::{ColumnCounts, Spread};
use pellucid_data::{Dataset, Values};
use pellucid_device::DeviceError;
use pellucid_learn::parts::invalid_answer;
use std::collections::HashMap;

/// Returns statistics of the columns of the training rows, which are assigned to `folds` folds. The
/// head has the names, types and categories of the columns.
pub(super) fn column_counts(
    parts: &RemoteRows,
    head: &Dataset,
    folds: usize,
) -> Result<Vec<ColumnCounts>, DeviceError> {
    let words = parts.sum_answers(&Query::Counts)?;
    let mut left = &words[..];
    let mut next = |count: usize| {
        let (own, rest) = left.split_at_checked(count).ok_or_else(invalid_answer)?;
        left = rest;
        Ok::<&[u64], DeviceError>(own)
    };
    let mut found = Vec::with_capacity(head.columns.len());
    let (mut wanted, mut numeric) = (Vec::new(), Vec::new());
    for (place, column) in head.columns.iter().enumerate() {
        found.push(match &column.values {
            Values::Numeric(_) => {
                let own = next(2)?;
                let finite = usize::try_from(own[0]).map_err(|_| invalid_answer())?;
                if finite > 0 {
                    wanted.extend(Spread::positions(finite).map(|rank| (place, rank as u64)));
                    numeric.push((place, own[1] > 0));
                }
                ColumnCounts::Numbers(None)
            }
            Values::Boolean(_) => {
                let own = next(2)?;
                ColumnCounts::Truths([own[0], own[1]])
            }
            Values::Nominal { categories, .. } => {
                let own = next((categories.len() + 1) * folds * 2)?;
                ColumnCounts::Words(own.as_chunks::<2>().0.to_vec())
            }
        });
    }
    let numbers = select(parts, &wanted)?;
    for (&at, (place, has_infinite)) in numbers.as_chunks::<4>().0.iter().zip(numeric) {
        found[place] = ColumnCounts::Numbers(Some(Spread::at(at, has_infinite)));
    }
    Ok(found)
}

/// Returns the numbers with the given ranks among the finite numbers of a column, lowest rank
/// first. They are found digit by digit, with one query per digit.
fn select(parts: &RemoteRows, wanted: &[(usize, u64)]) -> Result<Vec<f64>, DeviceError> {
    let mut found: Vec<(u64, u64)> = wanted.iter().map(|&(_, rank)| (0, rank)).collect();
    for digits in 0..u64::BITS / DIGIT {
        if wanted.is_empty() {
            break;
        }
        let (mut prefixes, mut places) = (Vec::new(), HashMap::new());
        for (&(column, _), &(with, _)) in wanted.iter().zip(&found) {
            places.entry((column, with)).or_insert_with(|| {
                prefixes.push(DigitPrefix { column, digits, with });
                prefixes.len() - 1
            });
        }
        let words = parts.sum_answers(&Query::Digits(prefixes.clone()))?;
        let counts = words.as_chunks::<DIGITS>().0;
        if counts.len() != prefixes.len() {
            return Err(invalid_answer());
        }
        for (&(column, _), (with, rank)) in wanted.iter().zip(&mut found) {
            let counts = &counts[places[&(column, *with)]];
            let mut next = None;
            for (digit, &count) in (0_u64..).zip(counts) {
                if *rank < count {
                    next = Some(digit);
                    break;
                }
                *rank -= count;
            }
            *with = *with << DIGIT | next.ok_or_else(invalid_answer)?;
        }
    }
    Ok(found.into_iter().map(|(word, _)| number(word)).collect())
}
