use super::super::LogicError;
use super::super::identity::Digest;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Filters programs by extent, so that equivalent programs are not expanded repeatedly.
///
/// A program with a known extent is admitted only if it is shorter than the admitted one with the
/// same skeleton, or if there are few skeletons so far, or if it is the shortest.
#[derive(Clone, Debug)]
pub(super) struct DuplicateFilter {
    by_extension: FxHashMap<Digest, Vec<AdmittedForm>>,
    most: usize,
}

/// An admitted program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct AdmittedForm {
    skeleton: u64,
    length: u32,
}

/// The state for resuming.
pub(super) type DuplicateFilterState = Vec<(Digest, Vec<AdmittedForm>)>;

impl DuplicateFilter {
    /// Creates an empty filter that admits up to `most` skeletons per extent.
    pub(super) fn new(most: usize) -> DuplicateFilter {
        DuplicateFilter { by_extension: FxHashMap::default(), most }
    }

    /// Whether a program would be admitted.
    pub(super) fn would_admit(&self, extension: Digest, skeleton: u64, length: u32) -> bool {
        let Some(forms) = self.by_extension.get(&extension) else { return true };
        match forms.iter().find(|form| form.skeleton == skeleton) {
            Some(same) => length < same.length,
            None => forms.len() < self.most || forms.iter().all(|form| length < form.length),
        }
    }

    /// Admits a program.
    pub(super) fn admit(&mut self, extension: Digest, skeleton: u64, length: u32) {
        let forms = self.by_extension.entry(extension).or_default();
        match forms.iter_mut().find(|form| form.skeleton == skeleton) {
            Some(same) => same.length = length,
            None => forms.push(AdmittedForm { skeleton, length }),
        }
    }

    /// The state for resuming, in a deterministic order.
    pub(super) fn state(&self) -> DuplicateFilterState {
        let mut state: DuplicateFilterState =
            self.by_extension.iter().map(|(&digest, forms)| (digest, forms.clone())).collect();
        state.sort_unstable_by_key(|&(digest, _)| digest);
        state
    }

    /// Restores a filter.
    pub(super) fn restore(
        most: usize,
        state: DuplicateFilterState,
    ) -> Result<DuplicateFilter, LogicError> {
        let count = state.len();
        let by_extension: FxHashMap<Digest, Vec<AdmittedForm>> = state.into_iter().collect();
        if by_extension.len() < count {
            let message = "a set of examples occurs twice".to_owned();
            return Err(LogicError::Checkpoint(message));
        }
        Ok(DuplicateFilter { by_extension, most })
    }
}
