//! The search for one conjunction: a beam that grows by one comparison at a time.

use super::counter::{Conjunction, ExampleCounter, RowCounter};
use crate::params::Params;
use crate::train::RulesError;
use pellucid_cover::{Literal, Table};
use pellucid_device::Threads;
use pellucid_program::{Domain, Op};

/// The beam width.
const BEAM: usize = 20;
/// The number of comparisons used to extend conjunctions: those that are best on their own.
const COMPARISONS: usize = 120;
/// The number of initial cut points per numeric column; the best one is refined later.
const CUTS: usize = 16;

/// Returns the best conjunctions for each way of counting examples, with the weight of correctly
/// predicted examples.
pub(super) fn search(
    rows: &mut RowCounter,
    examples: &mut [ExampleCounter],
    vocabulary: &[Literal],
    most: usize,
    keep: usize,
) -> Result<Vec<Vec<(f64, Conjunction)>>, RulesError> {
    let mut tried: Vec<Conjunction> = vocabulary.iter().map(|&literal| vec![literal]).collect();
    let mut found = vec![Vec::new(); examples.len()];
    let mut comparisons: Vec<Literal> = Vec::new();
    for length in 1..=most {
        for (counter, found) in examples.iter_mut().zip(&mut found) {
            remember(counter, &tried, keep, found)?;
        }
        if length == most {
            break;
        }
        let mut beam = ranked(rows.enrichment(&tried)?, tried);
        if length == 1 {
            comparisons = beam.iter().take(COMPARISONS).map(|(_, single)| single[0]).collect();
        }
        beam.truncate(BEAM);
        tried = longer(&beam, &comparisons);
        if tried.is_empty() {
            break;
        }
    }
    Ok(found)
}

/// Returns every conjunction of the beam extended by every comparison that restricts it.
fn longer(beam: &[(f64, Conjunction)], comparisons: &[Literal]) -> Vec<Conjunction> {
    let mut longer: Vec<Conjunction> = Vec::with_capacity(beam.len() * comparisons.len());
    for (_, conjunction) in beam {
        let fits = |literal: &&Literal| conjunction.iter().all(|mine| differs(*mine, **literal));
        longer.extend(comparisons.iter().filter(fits).map(|&literal| {
            let mut longer = conjunction.clone();
            longer.push(literal);
            longer.sort_unstable();
            longer
        }));
    }
    longer.sort_unstable();
    longer.dedup();
    longer
}

/// Returns whether a second comparison restricts the first one: another column, or the other end of
/// an interval.
fn differs(mine: Literal, other: Literal) -> bool {
    mine.column() != other.column() || mine.is_opposite() != other.is_opposite()
}

/// Sorts by score, the highest first; ties by length, then by literals.
fn ranked(scores: Vec<f64>, conjunctions: Vec<Conjunction>) -> Vec<(f64, Conjunction)> {
    let mut ranked: Vec<(f64, Conjunction)> = scores.into_iter().zip(conjunctions).collect();
    ranked.sort_by(|left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then(left.1.len().cmp(&right.1.len()))
            .then_with(|| left.1.cmp(&right.1))
    });
    ranked
}

/// Keeps the conjunctions with the most correct examples.
fn remember(
    counter: &mut ExampleCounter,
    conjunctions: &[Conjunction],
    keep: usize,
    found: &mut Vec<(f64, Conjunction)>,
) -> Result<(), RulesError> {
    let (mut scores, mut all): (Vec<f64>, Vec<Conjunction>) =
        std::mem::take(found).into_iter().unzip();
    let new = counter.rights(conjunctions)?;
    // Only conjunctions as good as the worst that would be kept are copied.
    let mut sorted = new.clone();
    sorted.sort_by(|left, right| right.total_cmp(left));
    let enough = sorted.get(keep).copied().unwrap_or(f64::NEG_INFINITY);
    for (score, conjunction) in
        new.into_iter().zip(conjunctions).filter(|(score, _)| *score >= enough)
    {
        scores.push(score);
        all.push(conjunction.clone());
    }
    *found = ranked(scores, all);
    found.truncate(keep);
    Ok(())
}

/// Returns the initial comparisons: every category, and quantiles of every numeric column.
#[expect(clippy::cast_possible_truncation, reason = "a table has fewer than 2^31 values")]
pub(super) fn vocabulary(table: &Table, params: &Params, threads: &Threads) -> Vec<Literal> {
    let grammar = &params.grammar;
    let of_column = |number: usize| {
        let column = &table.columns()[number];
        let (ranks, ops): (Vec<u32>, _) = match column.domain() {
            _ if !grammar.has_attribute(column.name()) => return Vec::new(),
            Domain::Numeric(values) if values.len() < 2 => return Vec::new(),
            Domain::Numeric(_) => (cuts(table, number), [Op::Greater, Op::LessEqual]),
            Domain::Nominal(categories) => {
                ((0..categories.len() as u32).collect(), [Op::Equal, Op::NotEqual])
            }
            Domain::Boolean => (vec![0], [Op::Equal, Op::NotEqual]),
        };
        let allowed = ops.into_iter().zip([false, true]);
        let allowed: Vec<bool> = allowed
            .filter(|(op, _)| grammar.has_operator(*op))
            .map(|(_, is_opposite)| is_opposite)
            .collect();
        let literals = |rank: u32| {
            allowed.iter().map(move |&is_opposite| Literal::new(number as u32, rank, is_opposite))
        };
        ranks.into_iter().flat_map(literals).collect()
    };
    threads.map(table.columns().len(), of_column).concat()
}

/// Returns cut points of a column with about equally many rows between them.
#[expect(clippy::cast_possible_truncation, reason = "a table has fewer than 2^31 values")]
fn cuts(table: &Table, column: usize) -> Vec<u32> {
    let last = table.columns()[column].ranks() as u32 - 1;
    if last as usize <= CUTS {
        return (0..last).collect();
    }
    // A few thousand rows are enough to estimate quantiles.
    let step = table.rows().div_ceil(4096).max(1);
    let mut ranks: Vec<u32> =
        (0..table.rows()).step_by(step).filter_map(|row| table.rank(row, column)).collect();
    ranks.sort_unstable();
    let at = |part: usize| ranks[part * (ranks.len() - 1) / (CUTS + 1)].min(last - 1);
    let mut cuts: Vec<u32> =
        if ranks.is_empty() { Vec::new() } else { (1..=CUTS).map(at).collect() };
    cuts.dedup();
    cuts
}
