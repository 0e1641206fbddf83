//! Summaries of runs, for display and as JSON.

use crate::cluster::Partition;
use pellucid_close::{SearchOutcome, SearchStop};
use pellucid_data::{Context, DependencyGraph};
use pellucid_learn::run::{Control, StopReason};
use serde::{Serialize, Serializer};

/// Whether a list is complete, and otherwise why the run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The list is complete.
    Complete,
    /// The run stopped early for this reason.
    Cut(StopReason),
}

impl Completion {
    /// Converts the stop reason of a search; `control` distinguishes a time limit from an
    /// interrupt.
    #[must_use]
    pub fn of(stop: SearchStop, control: &Control) -> Completion {
        match stop {
            SearchStop::Complete => Completion::Complete,
            SearchStop::Limit => Completion::Cut(StopReason::Cap),
            SearchStop::Requested => {
                Completion::Cut(control.should_stop().unwrap_or(StopReason::Interrupted))
            }
        }
    }

    /// Returns one of `complete`, `cap`, `time` and `interrupted`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Completion::Complete => "complete",
            Completion::Cut(StopReason::Cap) => "cap",
            Completion::Cut(StopReason::Time) => "time",
            Completion::Cut(_) => "interrupted",
        }
    }

    /// Whether a time limit or an interrupt ended the run. A requested maximum does not count.
    #[must_use]
    pub fn is_pause(self) -> bool {
        matches!(self, Completion::Cut(reason) if reason.is_pause())
    }
}

impl Serialize for Completion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// The summary of a list of concepts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConceptsSummary {
    /// The number of concepts listed.
    pub concepts: u64,
    /// The digest of their intents. It is independent of order, device and number of threads.
    pub digest: String,
    /// The elapsed time in seconds.
    pub seconds: f64,
    /// Whether the list is complete.
    pub stop: Completion,
    /// The number of objects in the context.
    pub objects: usize,
    /// The number of attributes in the context.
    pub attributes: usize,
    /// The devices used, separated by commas.
    pub device: String,
}

impl ConceptsSummary {
    /// Summarizes a search.
    #[must_use]
    pub fn new(
        found: &SearchOutcome,
        stop: Completion,
        seconds: f64,
        context: &Context,
        devices: &[&str],
    ) -> ConceptsSummary {
        ConceptsSummary {
            concepts: found.concepts,
            digest: found.digest.to_string(),
            seconds,
            stop,
            objects: context.objects.len(),
            attributes: context.attributes.len(),
            device: devices.join(","),
        }
    }
}

/// The summary of a list of implications or association rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImplicationsSummary {
    /// The number of implications (rules with a confidence of 1).
    pub implications: usize,
    /// The number of association rules, if rules were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<usize>,
    /// The elapsed time in seconds.
    pub seconds: f64,
    /// Whether the list is complete.
    pub stop: Completion,
    /// The number of objects in the context.
    pub objects: usize,
    /// The number of attributes in the context.
    pub attributes: usize,
}

/// The summary of a partition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClusterSummary {
    /// The number of clusters.
    pub clusters: usize,
    /// The modularization quality.
    pub mq: f64,
    /// The elapsed time in seconds.
    pub seconds: f64,
    /// Whether the search came to its end.
    pub stop: Completion,
    /// The number of modules in the graph.
    pub modules: usize,
    /// The number of edges in the graph.
    pub edges: usize,
    /// The number of modules that were set aside.
    pub omnipresent: usize,
    /// The number of modules without edges.
    pub unconnected: usize,
}

impl ClusterSummary {
    /// Summarizes a partition.
    #[must_use]
    pub fn new(
        partition: &Partition,
        graph: &DependencyGraph,
        stop: Completion,
        seconds: f64,
    ) -> ClusterSummary {
        ClusterSummary {
            clusters: partition.clusters.len(),
            mq: partition.quality,
            seconds,
            stop,
            modules: graph.modules.len(),
            edges: graph.edges().len(),
            omnipresent: partition.omnipresent.len(),
            unconnected: partition.unconnected.len(),
        }
    }
}
