//! Rules with minimal premises: from minimal generators to every intent with enough confidence.
//!
//! A set of attributes is a **minimal generator** if removing any of its attributes enlarges the
//! extent. So every attribute has a *witness*: an object that has all other attributes and not this
//! one. Subsets of minimal generators are minimal generators, so they form a tree: a set grows by
//! an attribute after its last one as long as all attributes have witnesses.

use super::neighbors::Neighbors;
use super::{AssociationRule, RuleSink};
use crate::bitmap::intersect;
use pellucid_bits::words::{count, full, insert, words_for};
use rustc_hash::FxHashSet;

/// A minimal generator.
struct Generator {
    set: Vec<u64>,
    extent: Vec<u64>,
    /// The witnesses of each attribute.
    witnesses: Vec<Vec<u64>>,
    /// The next attribute to try.
    next: usize,
}

/// Emits every rule whose premise is a minimal generator.
pub(super) fn generic<F: FnMut(AssociationRule)>(sink: &mut RuleSink<'_, F>) {
    let bitmap = sink.bitmap;
    if (bitmap.objects() as u64) < sink.options.min_objects() {
        return;
    }
    let root = Generator {
        set: vec![0; words_for(bitmap.attributes())],
        extent: full(bitmap.objects()),
        witnesses: Vec::new(),
        next: 0,
    };
    emit_rules_of(sink, &root);
    let mut path = vec![root];
    while let Some(top) = path.last_mut() {
        let attribute = top.next;
        top.next += 1;
        let is_long = sink.options.longest_premise.is_some_and(|most| top.witnesses.len() >= most);
        if attribute >= bitmap.attributes() || is_long {
            path.pop();
        } else if sink.should_stop() {
            return;
        } else if let Some(grown) = grow(sink, top, attribute) {
            emit_rules_of(sink, &grown);
            path.push(grown);
        }
    }
}

/// Returns the generator with one more attribute if it is minimal and has enough support.
fn grow<F: FnMut(AssociationRule)>(
    sink: &RuleSink<'_, F>,
    from: &Generator,
    attribute: usize,
) -> Option<Generator> {
    let column = sink.bitmap.column(attribute);
    let mut extent = from.extent.clone();
    intersect(&mut extent, column);
    let own: Vec<u64> =
        from.extent.iter().zip(column).map(|(extent, column)| extent & !column).collect();
    if count(&own) == 0 || count(&extent) < sink.options.min_objects() {
        return None;
    }
    let mut witnesses = Vec::with_capacity(from.witnesses.len() + 1);
    for before in &from.witnesses {
        let mut left = before.clone();
        intersect(&mut left, column);
        if left.iter().all(|&word| word == 0) {
            return None;
        }
        witnesses.push(left);
    }
    witnesses.push(own);
    let mut set = from.set.clone();
    insert(&mut set, attribute);
    Some(Generator { set, extent, witnesses, next: attribute + 1 })
}

/// Emits the rules of one generator: walks down from its closure, neighbor by neighbor, while the
/// confidence suffices.
fn emit_rules_of<F: FnMut(AssociationRule)>(sink: &mut RuleSink<'_, F>, generator: &Generator) {
    let (bitmap, options) = (sink.bitmap, sink.options);
    let min_support = options.min_objects();
    let of = count(&generator.extent);
    let closed = bitmap.intent(&generator.extent);
    if sink.options.exact && closed != generator.set {
        sink.emit(&generator.set, of, &closed, of);
    }
    if !sink.options.includes_inexact() {
        return;
    }
    let mut neighbors = Neighbors::new(bitmap);
    let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
    let mut open = vec![closed];
    while let Some(intent) = open.pop() {
        if sink.should_stop() {
            return;
        }
        neighbors.of(&intent, &bitmap.extent(&intent), |support| {
            support >= min_support && options.is_confident(support, of)
        });
        for (below, support) in neighbors.found() {
            if seen.insert(below.to_vec()) {
                sink.emit(&generator.set, of, below, support);
                open.push(below.to_vec());
            }
        }
    }
}
