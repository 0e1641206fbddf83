//! Rules with the shortest premises: from minimal generators to every intent that follows with enough confidence.
//!
//! A set of attributes is a **minimal generator** if each of them matters: without it, more objects would have the rest. So
//! for each there is a *witness*, an object that has all of the others and not this one. Every part of a minimal
//! generator is one too, and that makes them a tree: a set grows by an attribute behind its last, as long as all have
//! witnesses.

use super::neighbours::Neighbours;
use super::{AssociationRule, Teller};
use crate::bitmap::intersect;
use pellucid_bits::words::{count, full, insert, words_for};
use rustc_hash::FxHashSet;

/// A minimal generator.
struct Generator {
    set: Vec<u64>,
    extent: Vec<u64>,
    /// For each of its attributes all witnesses.
    witnesses: Vec<Vec<u64>>,
    /// Where to go on.
    next: usize,
}

/// Tells every rule from a minimal generator.
pub(super) fn generic<F: FnMut(AssociationRule)>(teller: &mut Teller<'_, F>) {
    let bitmap = teller.bitmap;
    if (bitmap.objects() as u64) < teller.options.fewest() {
        return;
    }
    let root = Generator {
        set: vec![0; words_for(bitmap.attributes())],
        extent: full(bitmap.objects()),
        witnesses: Vec::new(),
        next: 0,
    };
    rules_of(teller, &root);
    let mut path = vec![root];
    while let Some(top) = path.last_mut() {
        let attribute = top.next;
        top.next += 1;
        let is_long =
            teller.options.longest_premise.is_some_and(|most| top.witnesses.len() >= most);
        if attribute >= bitmap.attributes() || is_long {
            path.pop();
        } else if teller.is_over() {
            return;
        } else if let Some(grown) = grow(teller, top, attribute) {
            rules_of(teller, &grown);
            path.push(grown);
        }
    }
}

/// The generator with an attribute more, if it is minimal and has enough objects.
fn grow<F: FnMut(AssociationRule)>(
    teller: &Teller<'_, F>,
    from: &Generator,
    attribute: usize,
) -> Option<Generator> {
    let column = teller.bitmap.column(attribute);
    let mut extent = from.extent.clone();
    intersect(&mut extent, column);
    let own: Vec<u64> =
        from.extent.iter().zip(column).map(|(extent, column)| extent & !column).collect();
    if count(&own) == 0 || count(&extent) < teller.options.fewest() {
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

/// Tells the rules of one generator: downhill from its closure, neighbour by neighbour, as long as enough go along.
fn rules_of<F: FnMut(AssociationRule)>(teller: &mut Teller<'_, F>, generator: &Generator) {
    let (bitmap, options) = (teller.bitmap, teller.options);
    let min_support = options.fewest();
    let of = count(&generator.extent);
    let closed = bitmap.intent(&generator.extent);
    if teller.options.exact && closed != generator.set {
        teller.tell(&generator.set, of, &closed, of);
    }
    if !teller.options.wants_exceptions() {
        return;
    }
    let mut neighbours = Neighbours::new(bitmap);
    let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
    let mut open = vec![closed];
    while let Some(intent) = open.pop() {
        if teller.is_over() {
            return;
        }
        neighbours.of(&intent, &bitmap.extent(&intent), |support| {
            support >= min_support && options.is_confident(support, of)
        });
        for (below, support) in neighbours.found() {
            if seen.insert(below.to_vec()) {
                teller.tell(&generator.set, of, below, support);
                open.push(below.to_vec());
            }
        }
    }
}
