//! All formal concepts of a context: counted, visited or collected.
//!
//! The search is implemented in [`pellucid_close`]. The functions here use the CPU;
//! [`open`](pellucid_close::open) uses the devices of a [`Machine`](pellucid_device::Machine).

use pellucid_bits::LevelError;
use pellucid_close::{ConceptView, SearchOutcome, Terms, Visitor, search};
use pellucid_data::Relation;

/// Enumerates the concepts of a relation on the CPU, with one thread per visitor.
///
/// # Errors
/// If `PELLUCID_SIMD` is not a level that this CPU supports.
///
/// # Panics
/// If `visitors` is empty.
pub fn enumerate<V: Visitor>(
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
) -> Result<SearchOutcome, LevelError> {
    search(relation, terms, visitors)
}

/// A formal concept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concept {
    /// The intent, as words.
    pub intent: Box<[u64]>,
    /// The number of objects in the extent.
    pub support: u64,
}

/// Collects every concept.
#[derive(Clone, Debug, Default)]
struct Collector(Vec<Concept>);

impl Visitor for Collector {
    fn visit(&mut self, found: &ConceptView<'_>) {
        self.0.push(Concept { intent: found.intent.into(), support: found.support });
    }
}

/// Collects all concepts, sorted by descending support and then by intent.
///
/// # Errors
/// If `PELLUCID_SIMD` is not a level that this CPU supports.
pub fn collect(
    relation: &Relation,
    terms: &Terms<'_>,
) -> Result<(Vec<Concept>, SearchOutcome), LevelError> {
    let mut workers = vec![Collector::default(); threads()];
    let outcome = enumerate(relation, terms, &mut workers)?;
    let mut concepts: Vec<Concept> = workers.into_iter().flat_map(|worker| worker.0).collect();
    concepts
        .sort_unstable_by(|a, b| b.support.cmp(&a.support).then_with(|| a.intent.cmp(&b.intent)));
    Ok((concepts, outcome))
}

/// The number of threads that can run in parallel.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}
