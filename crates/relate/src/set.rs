//! What questions are about: some objects of a role.

use pellucid_bits::{BLOCK_BITS, Bits, Block};
use std::ops::Range;
use std::sync::Arc;

/// Some objects.
#[derive(Clone, Debug)]
pub(crate) enum Set {
    /// A bit for each object.
    Bits(Arc<Bits>),
    /// All objects from one to before another. The distinct numbers of a data property are sorted, so those
    /// that satisfy a comparison are such a run, and so is a single text.
    Run(Range<u32>),
}

/// What tells two sets apart, as long as both are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SetKey {
    Bits(usize),
    Run(u32, u32),
}

impl Set {
    /// No object.
    pub(crate) const NONE: Set = Set::Run(0..0);

    pub(crate) fn key(&self) -> SetKey {
        match self {
            Set::Bits(bits) => SetKey::Bits(Arc::as_ptr(bits) as usize),
            Set::Run(run) => SetKey::Run(run.start, run.end),
        }
    }

    /// 512 of the objects.
    pub(crate) fn block(&self, number: usize) -> Block {
        match self {
            Set::Bits(bits) => bits.blocks()[number],
            Set::Run(run) => run_block(run, number),
        }
    }

    /// The same as bits, of so many objects.
    pub(crate) fn bits(&self, objects: usize) -> Arc<Bits> {
        match self {
            Set::Bits(bits) => Arc::clone(bits),
            Set::Run(run) => Arc::new(run_bits(run, objects)),
        }
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Set::Bits(bits) => size_of_val(bits.blocks()),
            Set::Run(_) => size_of::<Set>(),
        }
    }
}

/// The bits of a run, of so many objects.
pub(crate) fn run_bits(run: &Range<u32>, objects: usize) -> Bits {
    let blocks = (0..pellucid_bits::blocks_for(objects)).map(|number| run_block(run, number));
    Bits::from_blocks(blocks.collect(), objects)
}

/// 512 bits of a run.
fn run_block(run: &Range<u32>, number: usize) -> Block {
    let first = number * BLOCK_BITS;
    // How many of the lowest 64 bits from `at` on lie before an end.
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
