//! What came of a search, for programs and for people.

use pellucid_close::{Outcome, Stop};
use pellucid_data::Context;
use pellucid_learn::run::{Control, StopReason};
use serde::{Serialize, Serializer};

/// Whether everything was listed, or what cut the list short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Everything was listed.
    Complete,
    /// It was cut short for this reason.
    Cut(StopReason),
}

impl Completion {
    /// What a search says, and who told it to stop.
    #[must_use]
    pub fn of(stop: Stop, control: &Control) -> Completion {
        match stop {
            Stop::Complete => Completion::Complete,
            Stop::Most => Completion::Cut(StopReason::Cap),
            Stop::Told => Completion::Cut(control.should_stop().unwrap_or(StopReason::Interrupted)),
        }
    }

    /// In a word: `complete`, `cap`, `time` or `interrupted`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Completion::Complete => "complete",
            Completion::Cut(StopReason::Cap) => "cap",
            Completion::Cut(StopReason::Time) => "time",
            Completion::Cut(_) => "interrupted",
        }
    }

    /// Whether it was cut short from outside; whoever asked for so many at most got what was asked for.
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

/// What came of listing concepts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConceptsSummary {
    /// How many concepts were listed.
    pub concepts: u64,
    /// The digest of their intents, the same for every order, device and number of threads.
    pub digest: String,
    /// How long it took.
    pub seconds: f64,
    /// Whether these are all.
    pub stop: Completion,
    /// Objects of the context.
    pub objects: usize,
    /// Attributes of the context.
    pub attributes: usize,
    /// The devices that searched, with commas between them.
    pub device: String,
}

impl ConceptsSummary {
    /// Sums up a search of a context on some devices.
    #[must_use]
    pub fn new(
        found: &Outcome,
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

/// What came of listing what follows from what.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImplicationsSummary {
    /// How many hold without exception.
    pub implications: usize,
    /// How many rules there are in all, if rules were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<usize>,
    /// How long it took.
    pub seconds: f64,
    /// Whether these are all.
    pub stop: Completion,
    /// Objects of the context.
    pub objects: usize,
    /// Attributes of the context.
    pub attributes: usize,
}
