//! The bounds of inference: edges, and the time of the run.

use pellucid_learn::run::{Control, StopReason};

/// The bounds of the completion of relations.
#[derive(Clone, Copy, Debug)]
pub(super) struct InferenceBounds<'a> {
    /// The maximum number of edges.
    pub(super) edges: usize,
    /// The control of the run.
    pub(super) control: &'a Control,
}

/// Why relations cannot be completed, with the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Excess {
    /// Too many edges.
    Edges(u32),
    /// Too many ways to derive the same edges.
    Steps(u32),
    /// The run was stopped.
    Stopped(StopReason),
}

impl InferenceBounds<'_> {
    /// Returns an error if the run should stop; see [`stop_rarely`].
    pub(super) fn check(&self, calls: &mut u32) -> Result<(), Excess> {
        stop_rarely(self.control, calls).map_err(Excess::Stopped)
    }
}

/// Returns an error if a run should stop. Looks at the clock at every 1,024th call, so that the
/// inference of a small ontology is always complete and a run with no time left still has a result.
pub(super) fn stop_rarely(control: &Control, calls: &mut u32) -> Result<(), StopReason> {
    *calls = calls.wrapping_add(1);
    if calls.is_multiple_of(1024) { control.should_stop().map_or(Ok(()), Err) } else { Ok(()) }
}
