//! All concepts of a context: counted, shown one by one, or kept.
//!
//! The search itself is the engine's ([`pellucid_close`]): on the processor here, or on whatever devices a
//! [`Machine`](pellucid_device::Machine) has, by [`search_on`](pellucid_close::search_on).

use pellucid_close::{Found, Outcome, Terms, Visitor, search};
use pellucid_data::Relation;

/// Lists the concepts of a relation on the processor, with one worker thread for every visitor.
///
/// # Panics
/// When there is no visitor, or when the environment variable `PELLUCID_SIMD` names no level of instructions.
pub fn enumerate<V: Visitor>(
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
) -> Outcome {
    search(relation, terms, visitors).unwrap_or_else(|error| panic!("{error}"))
}

/// A concept that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concept {
    /// The attributes, as words.
    pub intent: Box<[u64]>,
    /// How many objects have all of them.
    pub support: u64,
}

/// Keeps every concept it sees.
#[derive(Clone, Debug, Default)]
struct Keep(Vec<Concept>);

impl Visitor for Keep {
    fn visit(&mut self, found: &Found<'_>) {
        self.0.push(Concept { intent: found.intent.into(), support: found.support });
    }
}

/// All concepts in memory, by falling support and then by intent, so that the order is always the same.
#[must_use]
pub fn collect(relation: &Relation, terms: &Terms<'_>) -> (Vec<Concept>, Outcome) {
    let mut workers = vec![Keep::default(); threads()];
    let outcome = enumerate(relation, terms, &mut workers);
    let mut kept: Vec<Concept> = workers.into_iter().flat_map(|worker| worker.0).collect();
    kept.sort_unstable_by(|a, b| b.support.cmp(&a.support).then_with(|| a.intent.cmp(&b.intent)));
    (kept, outcome)
}

/// As many as the machine has cores.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}
