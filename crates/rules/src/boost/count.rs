//! Sums over many examples, for many columns and several conjunctions at once.
//!
//! Each thread takes some blocks of examples and counts them for all wanted columns. So data from
//! main memory is used for all columns, and there is work for every core even with few columns. The
//! sums are integers, so the result does not depend on the order.

use super::local::Block;
use super::stepped::SteppedColumn;
use super::sums::{Sums, by_steps};
use pellucid_device::Threads;
use std::ops::Range;

/// Examples times columns of one task.
const TASK: usize = 1 << 20;

/// Examples, and the columns for which they are counted.
pub(super) struct CountTask<'a> {
    pub(super) pieces: &'a [Block],
    pub(super) columns: Vec<usize>,
}

impl CountTask<'_> {
    /// Returns ranges of blocks, each large enough for a task.
    fn tasks(&self) -> Vec<Range<usize>> {
        let (mut tasks, mut first, mut work) = (Vec::new(), 0, 0);
        for (place, piece) in self.pieces.iter().enumerate() {
            work += piece.examples.len() * self.columns.len();
            if work >= TASK || place + 1 == self.pieces.len() {
                tasks.push(first..place + 1);
                (first, work) = (place + 1, 0);
            }
        }
        tasks
    }
}

/// Returns the sums of each step by task and column; the last sum is that of missing values.
pub(super) fn count_steps(
    all: &[SteppedColumn],
    counts: &[CountTask<'_>],
    threads: &Threads,
) -> Vec<Vec<Vec<Sums>>> {
    let columns = |count: &CountTask<'_>| -> Vec<(&[u8], usize)> {
        count
            .columns
            .iter()
            .map(|&column| (&all[column].steps[..], all[column].count + 1))
            .collect()
    };
    let columns: Vec<Vec<(&[u8], usize)>> = counts.iter().map(columns).collect();
    let tasks: Vec<(usize, Range<usize>)> = counts
        .iter()
        .enumerate()
        .filter(|(_, count)| !count.columns.is_empty())
        .flat_map(|(place, count)| count.tasks().into_iter().map(move |task| (place, task)))
        .collect();
    let of_tasks = threads.map(tasks.len(), |task| {
        let (place, pieces) = tasks[task].clone();
        by_steps(threads.level(), &columns[place], &counts[place].pieces[pieces])
    });
    let nothing = |columns: &Vec<(&[u8], usize)>| -> Vec<Vec<Sums>> {
        columns.iter().map(|&(_, steps)| vec![Sums::default(); steps]).collect()
    };
    let mut sums: Vec<Vec<Vec<Sums>>> = columns.iter().map(nothing).collect();
    for ((place, _), found) in tasks.iter().zip(&of_tasks) {
        for (all, found) in sums[*place].iter_mut().flatten().zip(found.iter().flatten()) {
            all.add(found);
        }
    }
    sums
}
