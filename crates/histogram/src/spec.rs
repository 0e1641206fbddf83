//! The plain version: every backend returns what these functions return.

use crate::{Conjunction, Group, NO_GROUP, StepSums, StepTable, Total};

fn holds(table: &StepTable<'_>, conjunction: &Conjunction, example: usize) -> bool {
    conjunction.iter().all(|test| test.holds(table.columns[test.column as usize].steps[example]))
}

/// Returns the sums over the examples of a conjunction.
#[must_use]
pub fn total(
    table: &StepTable<'_>,
    (group_of, groups): (&[u32], &[Group]),
    conjunction: &Conjunction,
) -> Total {
    let mut total = Total::default();
    for (example, &group) in group_of.iter().enumerate() {
        if group != NO_GROUP && holds(table, conjunction, example) {
            total.sums.add(group, groups[group as usize]);
            total.digest = total.digest.wrapping_add(table.digests[example]);
        }
    }
    total
}

/// Returns the sums over the examples of a conjunction by step of some columns, with missing values last;
/// over all examples or the sample.
#[must_use]
pub fn step_sums(
    table: &StepTable<'_>,
    (group_of, groups): (&[u32], &[Group]),
    (conjunction, columns): (&Conjunction, &[u32]),
    sampled: bool,
) -> Vec<StepSums> {
    let mut all = Vec::new();
    for &column in columns {
        let column = table.columns[column as usize];
        let mut sums = vec![StepSums::default(); column.count + 1];
        for (example, &group) in group_of.iter().enumerate() {
            let is_scanned = !sampled || table.sample.binary_search(&index(example)).is_ok();
            if is_scanned && group != NO_GROUP && holds(table, conjunction, example) {
                let step = usize::from(column.steps[example]).min(column.count);
                sums[step].add(group, groups[group as usize]);
            }
        }
        all.extend(sums);
    }
    all
}

fn index(example: usize) -> u32 {
    u32::try_from(example).unwrap_or(u32::MAX)
}
