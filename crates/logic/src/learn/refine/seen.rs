use super::super::LogicError;
use super::super::identity::Digest;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What was seen to hold for which individuals, so that the same is not looked into twice.
///
/// A newcomer that holds for the same as others is let in only when no other of its skeleton is as short, and when not
/// too many skeletons are there already or it is the shortest of them.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    by_extension: FxHashMap<Digest, Vec<AdmittedForm>>,
    most: usize,
}

/// A program that was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct AdmittedForm {
    skeleton: u64,
    length: u32,
}

/// What must be kept of it.
pub(super) type SeenState = Vec<(Digest, Vec<AdmittedForm>)>;

impl Seen {
    /// Nothing seen; so many skeletons may hold for the same.
    pub(super) fn new(most: usize) -> Seen {
        Seen { by_extension: FxHashMap::default(), most }
    }

    /// Whether a program is new enough to look into.
    pub(super) fn would_admit(&self, extension: Digest, skeleton: u64, length: u32) -> bool {
        let Some(forms) = self.by_extension.get(&extension) else { return true };
        match forms.iter().find(|form| form.skeleton == skeleton) {
            Some(same) => length < same.length,
            None => forms.len() < self.most || forms.iter().all(|form| length < form.length),
        }
    }

    /// Lets a program in.
    pub(super) fn admit(&mut self, extension: Digest, skeleton: u64, length: u32) {
        let forms = self.by_extension.entry(extension).or_default();
        match forms.iter_mut().find(|form| form.skeleton == skeleton) {
            Some(same) => same.length = length,
            None => forms.push(AdmittedForm { skeleton, length }),
        }
    }

    /// What must be kept, in an order that does not depend on the run.
    pub(super) fn state(&self) -> SeenState {
        let mut state: SeenState =
            self.by_extension.iter().map(|(&digest, forms)| (digest, forms.clone())).collect();
        state.sort_unstable_by_key(|&(digest, _)| digest);
        state
    }

    /// Goes on from what was kept.
    pub(super) fn restore(most: usize, state: SeenState) -> Result<Seen, LogicError> {
        let count = state.len();
        let by_extension: FxHashMap<Digest, Vec<AdmittedForm>> = state.into_iter().collect();
        if by_extension.len() < count {
            let words = "a set of examples is there twice among those seen".to_owned();
            return Err(LogicError::Checkpoint(words));
        }
        Ok(Seen { by_extension, most })
    }
}
