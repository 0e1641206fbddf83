//! The refinement of a conjunction: cut points are moved to better positions, and useless
//! comparisons are removed.

use super::counter::{Conjunction, ExampleCounter};
use crate::train::RulesError;
use pellucid_cover::{Literal, Table};
use pellucid_program::Domain;

/// The most positions of one cut point tried at a time.
const PLACES: usize = 256;
/// The most rounds over the comparisons.
const ROUNDS: usize = 6;

/// Moves cut points and removes comparisons until nothing improves. Returns the conjunction and its
/// correct weight.
pub(super) fn refine(
    counter: &mut ExampleCounter,
    table: &Table,
    conjunction: Conjunction,
) -> Result<(f64, Conjunction), RulesError> {
    let right = counter.rights(std::slice::from_ref(&conjunction))?[0];
    let mut best = (right, conjunction);
    for _ in 0..ROUNDS {
        let before = best.clone();
        best = prune(counter, best)?;
        for index in 0..best.1.len() {
            best = move_cut(counter, table, best, index)?;
        }
        if best == before {
            break;
        }
    }
    best.1.sort_unstable();
    Ok(best)
}

/// Removes comparisons as long as nothing gets worse.
fn prune(
    counter: &mut ExampleCounter,
    mut best: (f64, Conjunction),
) -> Result<(f64, Conjunction), RulesError> {
    while best.1.len() > 1 {
        let without = |index: usize| {
            let mut shorter = best.1.clone();
            shorter.remove(index);
            shorter
        };
        let shorter: Vec<Conjunction> = (0..best.1.len()).map(without).collect();
        let right = counter.rights(&shorter)?;
        match (0..right.len())
            .filter(|&index| right[index] >= best.0)
            .max_by(|&a, &b| right[a].total_cmp(&right[b]).then(b.cmp(&a)))
        {
            None => break,
            Some(index) => best = (right[index], shorter[index].clone()),
        }
    }
    Ok(best)
}

/// Moves one cut point to the best position; if a range of positions is best, to the middle of its
/// values.
fn move_cut(
    counter: &mut ExampleCounter,
    table: &Table,
    best: (f64, Conjunction),
    index: usize,
) -> Result<(f64, Conjunction), RulesError> {
    let literal = best.1[index];
    let Domain::Numeric(values) = table.columns()[literal.column() as usize].domain() else {
        return Ok(best);
    };
    let last = values.len() - 2;
    // All positions if there are few; otherwise a coarse grid, then all positions around the best.
    let coarse = places(0, last);
    let (mut right, mut at) = try_cuts(counter, &best.1, index, &coarse, values)?;
    if coarse.len() <= last {
        let step = last.div_ceil(PLACES - 1);
        let fine = places(at.saturating_sub(step), (at + step).min(last));
        let (finer, finer_at) = try_cuts(counter, &best.1, index, &fine, values)?;
        if finer >= right {
            (right, at) = (finer, finer_at);
        }
    }
    if right < best.0 {
        return Ok(best);
    }
    Ok((right, with_cut(&best.1, index, at)))
}

/// Returns up to [`PLACES`] ranks in a range.
fn places(from: usize, to: usize) -> Vec<usize> {
    let step = (to - from + 1).div_ceil(PLACES).max(1);
    (from..=to).step_by(step).collect()
}

/// Returns the best result of a cut point at some positions, and the middle of the values in the
/// longest range of such positions.
fn try_cuts(
    counter: &mut ExampleCounter,
    conjunction: &Conjunction,
    index: usize,
    places: &[usize],
    values: &[f64],
) -> Result<(f64, usize), RulesError> {
    let tried: Vec<Conjunction> =
        places.iter().map(|&place| with_cut(conjunction, index, place)).collect();
    let right = counter.rights(&tried)?;
    let most = right.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut longest = 0..0;
    let mut start = 0;
    for place in 0..=right.len() {
        if right.get(place) != Some(&most) {
            if place - start > longest.len() {
                longest = start..place;
            }
            start = place + 1;
        }
    }
    let (first, last) = (places[longest.start], places[longest.end - 1]);
    let (low, high) = (values[first], values[last + 1]);
    let middle = values.partition_point(|&value| value <= low + (high - low) / 2.0);
    Ok((most, middle.saturating_sub(1).clamp(first, last)))
}

#[expect(clippy::cast_possible_truncation, reason = "a table has fewer than 2^31 values")]
fn with_cut(conjunction: &Conjunction, index: usize, rank: usize) -> Conjunction {
    let mut moved = conjunction.clone();
    moved[index] = Literal::new(moved[index].column(), rank as u32, moved[index].is_opposite());
    moved
}
