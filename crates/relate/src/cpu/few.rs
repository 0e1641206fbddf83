//! Answers from few objects in the set, or for few subjects.

use super::wide::Subjects;
use crate::Edges;
use pellucid_bits::{BLOCK_BITS, Bits, Block, as_u32};

/// Finds the subjects that have an object in a set by following the edges backward. Returns false,
/// with `out` cleared, if that takes more than `most` edges.
pub(crate) fn backwards(inverse: &Edges, set: &Bits, most: usize, out: &mut [Block]) -> bool {
    if set.count() > most as u64 {
        return false;
    }
    let mut walked = 0;
    for object in set.ones() {
        let subjects = inverse.of(as_u32(object));
        walked += subjects.len();
        if walked > most {
            out.fill(Block::ZERO);
            return false;
        }
        for &subject in subjects {
            out[subject as usize / BLOCK_BITS].set(subject as usize % BLOCK_BITS);
        }
    }
    true
}

/// Finds the subjects that have at least `at_least` objects in a set, or outside it.
pub(crate) fn one_by_one(
    edges: &Edges,
    set: &[Block],
    outside: bool,
    at_least: u32,
    subjects: Subjects<'_>,
    out: &mut [Block],
) {
    for place in 0..subjects.len() {
        let mut left = at_least;
        for &object in edges.of(subjects.get(place)) {
            let object = object as usize;
            let inside = set[object / BLOCK_BITS].get(object % BLOCK_BITS);
            left -= u32::from(inside != outside);
            if left == 0 {
                out[place / BLOCK_BITS].set(place % BLOCK_BITS);
                break;
            }
        }
    }
}
