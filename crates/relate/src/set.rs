//! The sets of objects that questions refer to.

use pellucid_bits::{BLOCK_BITS, Bits, Block};
use std::ops::Range;
use std::sync::Arc;

/// A set of objects.
#[derive(Clone, Debug)]
pub(crate) enum Set {
    /// One bit per object.
    Bits(Arc<Bits>),
    /// A range of objects. The distinct numbers of a data property are sorted, so the numbers that
    /// satisfy a comparison form such a range, and so does a single text.
    Run(Range<u32>),
}

/// The identity of a set, valid as long as the set is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SetKey {
    Bits(usize),
    Run(u32, u32),
}

impl Set {
    /// The empty set.
    pub(crate) const NONE: Set = Set::Run(0..0);

    pub(crate) fn key(&self) -> SetKey {
        match self {
            Set::Bits(bits) => SetKey::Bits(Arc::as_ptr(bits) as usize),
            Set::Run(run) => SetKey::Run(run.start, run.end),
        }
    }

    /// Returns one block of 512 objects.
    pub(crate) fn block(&self, number: usize) -> Block {
        match self {
            Set::Bits(bits) => bits.blocks()[number],
            Set::Run(run) => run_block(run, number),
        }
    }

    /// Returns the set as bits over `objects` objects.
    pub(crate) fn bits(&self, objects: usize) -> Arc<Bits> {
        match self {
            Set::Bits(bits) => Arc::clone(bits),
            Set::Run(run) => Arc::new(run_bits(run, objects)),
        }
    }

    /// Returns the number of bytes of the set.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Set::Bits(bits) => size_of_val(bits.blocks()),
            Set::Run(_) => size_of::<Set>(),
        }
    }
}

/// Returns the bits of a range over `objects` objects.
pub(crate) fn run_bits(run: &Range<u32>, objects: usize) -> Bits {
    let blocks = (0..pellucid_bits::blocks_for(objects)).map(|number| run_block(run, number));
    Bits::from_blocks(blocks.collect(), objects)
}

/// Returns one block of 512 bits of a range.
fn run_block(run: &Range<u32>, number: usize) -> Block {
    let first = number * BLOCK_BITS;
    // The number of bits, at most 64, from `at` up to an end.
    let below = |end: u32, at: usize| (end as usize).saturating_sub(at).min(64);
    let low = |count: usize| if count == 64 { u64::MAX } else { (1 << count) - 1 };
    Block(std::array::from_fn(|word| {
        let at = first + word * 64;
        low(below(run.end, at)) & !low(below(run.start, at))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_the_bits_between_its_ends() {
        for run in [0..0, 0..1, 3..70, 511..513, 64..1024, 1000..1000, 0..1030, 1029..1030] {
            let expected: Bits = (0..1030).map(|object| run.contains(&object)).collect();
            assert_eq!(run_bits(&run, 1030), expected, "{run:?}");
            assert_eq!(Set::Run(run.clone()).bits(1030).count(), run.len() as u64);
        }
    }
}
