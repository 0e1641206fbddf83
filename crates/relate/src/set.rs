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

/// A set of objects that has an owner elsewhere. Copying it touches no memory of the set, which for
/// hundreds of sets would take longer than everything else that is done with them.
#[derive(Clone, Debug)]
pub(crate) enum SetRef<'a> {
    /// One bit per object.
    Bits(&'a Arc<Bits>),
    /// A range of objects.
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

    /// Returns a reference to the set.
    pub(crate) fn by_ref(&self) -> SetRef<'_> {
        match self {
            Set::Bits(bits) => SetRef::Bits(bits),
            Set::Run(run) => SetRef::Run(run.clone()),
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

impl SetRef<'_> {
    pub(crate) fn key(&self) -> SetKey {
        match self {
            SetRef::Bits(bits) => SetKey::Bits(Arc::as_ptr(bits) as usize),
            SetRef::Run(run) => SetKey::Run(run.start, run.end),
        }
    }

    /// Returns the set, which keeps its bits alive.
    pub(crate) fn kept(&self) -> Set {
        match self {
            SetRef::Bits(bits) => Set::Bits(Arc::clone(bits)),
            SetRef::Run(run) => Set::Run(run.clone()),
        }
    }

    /// Returns one block of 512 objects.
    pub(crate) fn block(&self, number: usize) -> Block {
        match self {
            SetRef::Bits(bits) => bits.blocks()[number],
            SetRef::Run(run) => run_block(run, number),
        }
    }

    /// Returns the set as bits over `objects` objects.
    pub(crate) fn bits(&self, objects: usize) -> Arc<Bits> {
        match self {
            SetRef::Bits(bits) => Arc::clone(bits),
            SetRef::Run(run) => Arc::new(run_bits(run, objects)),
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
            assert_eq!(SetRef::Run(run.clone()).bits(1030).count(), run.len() as u64);
        }
    }
}
