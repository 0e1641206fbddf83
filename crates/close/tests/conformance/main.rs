//! The search for concepts against the specification, on every way it can take, and on real files.

mod agrees;
mod files;
mod terms;

use pellucid_bits::Level;
use pellucid_close::{Digest, Found, Outcome, Terms, Tuning, search_with};
use pellucid_data::Relation;

/// A concept with everything that is told about it.
type Concept = (Vec<u64>, u64, Vec<u64>);

/// One way to search.
#[derive(Clone, Copy, Debug)]
struct Way {
    level: Level,
    threads: usize,
    tuning: Tuning,
}

/// What is searched for and how, with all concepts in order.
fn listed(relation: &Relation, terms: &Terms<'_>, way: Way) -> (Outcome, Vec<Concept>) {
    let mut found: Vec<Vec<Concept>> = vec![Vec::new(); way.threads];
    let mut visitors: Vec<_> = found
        .iter_mut()
        .map(|list| {
            |found: &Found<'_>| {
                list.push((found.intent.to_vec(), found.support, found.extent.to_vec()));
            }
        })
        .collect();
    let outcome = search_with(relation, terms, &mut visitors, way.level, way.tuning);
    let mut all: Vec<Concept> = found.into_iter().flatten().collect();
    all.sort_unstable();
    (outcome, all)
}

/// Only counted.
fn counted(relation: &Relation, terms: &Terms<'_>, way: Way) -> Outcome {
    search_with(relation, terms, &mut vec![(); way.threads], way.level, way.tuning)
}

/// The levels this machine has.
fn levels() -> Vec<Level> {
    Level::ALL.into_iter().filter(|level| level.is_available()).collect()
}

/// Each way of searching alone, and all together.
fn tunings() -> Vec<Tuning> {
    let all = Tuning::default();
    let tree = Tuning { handful: 0, few: 0, rows: usize::MAX, lists: Some(false), ..all };
    vec![
        all,
        tree,
        Tuning { handful: 8, ..tree },
        Tuning { handful: 3, rows: 0, ..tree },
        Tuning { few: 3, ..tree },
        Tuning { few: 1, rows: 2, ..tree },
        Tuning { rows: 0, ..tree },
        Tuning { rows: 0, most_bytes: 0, ..tree },
        Tuning { lists: Some(true), ..tree },
        Tuning { lists: Some(true), most_bytes: 0, ..all },
        Tuning { lists: Some(true), ..all },
        Tuning { level_bytes: 0, ..tree },
        Tuning { level_bytes: 0, most_bytes: 0, lists: Some(true), ..tree },
    ]
}

/// The digest of intents that were listed.
fn digest_of(concepts: &[Concept]) -> Digest {
    let mut digest = Digest::default();
    for (intent, _, _) in concepts {
        let attributes = pellucid_bits::words::members(intent);
        let key = |attribute| Digest::key(u32::try_from(attribute).unwrap());
        digest.add(attributes.map(key).fold(0, u64::wrapping_add));
    }
    digest
}
