//! Little to look at: few objects in the set, or few subjects asked.

use super::wide::Subjects;
use crate::Edges;
use pellucid_bits::{BLOCK_BITS, Bits, Block, as_u32};

/// Which subjects have an object in a set, followed from the objects back; nothing when that are more than
/// `most` edges.
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

/// Which of some subjects have at least so many objects that are in a set, or outside of it.
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
