//! Examples with an empty target cell: dropped for training, kept for prediction.

use crate::source::error::{ReadError, ReadProblem, counted, shorten};
use crate::source::options::UnlabeledExamples;
use pellucid_data::{Dataset, MISSING};

/// Drops the examples without a label, with a note, or keeps them.
pub(crate) fn apply_policy(data: Dataset, policy: UnlabeledExamples) -> Result<Dataset, ReadError> {
    let Some(target) = &data.target else { return Ok(data) };
    let is_labeled = |(_, code): &(u32, &u32)| **code != MISSING;
    let labeled: Vec<u32> =
        (0..).zip(&target.codes).filter(is_labeled).map(|(example, _)| example).collect();
    let missing = target.codes.len() - labeled.len();
    match policy {
        _ if missing == 0 => Ok(data),
        // A target column without any label is the same as no target.
        UnlabeledExamples::Keep if labeled.is_empty() => Ok(Dataset { target: None, ..data }),
        UnlabeledExamples::Keep => Ok(data),
        UnlabeledExamples::LeaveOut if labeled.is_empty() => {
            let error = ReadError::from(ReadProblem::NoLabels { column: target.name.clone() });
            Err(if data.origin.guessed_target {
                error.with_assumed_target(&target.name)
            } else {
                error
            })
        }
        UnlabeledExamples::LeaveOut => {
            let note = skipped_note(missing, data.bags.is_some(), &target.name);
            let mut notes = data.notes.clone();
            notes.push(note.into());
            Ok(Dataset { notes, ..data.select(&labeled) })
        }
    }
}

fn skipped_note(missing: usize, is_bagged: bool, column: &str) -> String {
    let examples = counted(missing, if is_bagged { "bag" } else { "row" });
    format!("skipped {examples} without a label in target column '{}'", shorten(column))
}
