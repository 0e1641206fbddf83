//! All concepts of a context: counted, shown one by one, or kept.

use pellucid_engine::close::{self, Outcome, Relation, Terms, Visitor, spec};

/// Lists the concepts of a relation, with one worker thread for every visitor.
///
/// # Panics
/// When there is no visitor.
pub fn enumerate<V: Visitor>(
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
) -> Outcome {
    spec::concepts(relation, terms, &mut visitors[0])
}

/// A concept that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concept {
    /// The attributes, as words.
    pub intent: Box<[u64]>,
    /// How many objects have all of them.
    pub support: u64,
}

/// All concepts in memory, by falling support and then by intent, so that the order is always the same.
#[must_use]
pub fn collect(relation: &Relation, terms: &Terms<'_>) -> (Vec<Concept>, Outcome) {
    let mut kept: Vec<Concept> = Vec::new();
    let mut keep = |found: &close::Found<'_>| {
        kept.push(Concept { intent: found.intent.into(), support: found.support });
    };
    let outcome = enumerate(relation, terms, std::slice::from_mut(&mut keep));
    kept.sort_unstable_by(|a, b| b.support.cmp(&a.support).then_with(|| a.intent.cmp(&b.intent)));
    (kept, outcome)
}
