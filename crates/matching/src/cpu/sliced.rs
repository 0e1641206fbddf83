use super::Direct;
use crate::{CodeDomain, MISSING, Test, spec};
use pellucid_bits::{BLOCK_BITS, Block, Kernel, Level, Simd};

/// 512 conditions per block, side by side. For every code of every column, and for a missing value,
/// a row of bits marks the conditions that the code excludes. An example excludes the union over
/// its codes.
///
/// A ternary column has two codes, so a condition on twenty columns sets about twenty bits, and an
/// example is matched with twenty loads for every 512 conditions.
#[derive(Clone, Debug)]
pub(crate) struct Sliced {
    /// The first row of each column.
    first: Vec<usize>,
    /// The rows of bits: all rows of the first 512 conditions, then all rows of the next.
    rows: Vec<Block>,
    per_block: usize,
    occupied: Vec<Block>,
}

impl Sliced {
    /// The maximum number of rows; with more, storing a condition takes longer than it saves.
    pub(crate) const MAX_ROWS: usize = 4_096;

    /// Returns the number of rows that the columns need.
    pub(crate) fn rows_for(domains: &[CodeDomain]) -> usize {
        domains.iter().map(|domain| domain.codes as usize + 1).sum()
    }

    pub(crate) fn new(domains: &[CodeDomain]) -> Sliced {
        let mut first = Vec::with_capacity(domains.len());
        let mut next = 0;
        for domain in domains {
            first.push(next);
            next += domain.codes as usize + 1;
        }
        Sliced { first, rows: Vec::new(), per_block: next, occupied: Vec::new() }
    }

    pub(crate) fn from_conditions(domains: &[CodeDomain], conditions: &Direct) -> Sliced {
        let mut sliced = Sliced::new(domains);
        for slot in conditions.taken() {
            sliced.put(domains, slot, &conditions.tests(slot));
        }
        sliced
    }

    /// Stores a condition in an empty slot.
    pub(crate) fn put(&mut self, domains: &[CodeDomain], slot: usize, tests: &[Test]) {
        let (block, bit) = (slot / BLOCK_BITS, slot % BLOCK_BITS);
        if self.occupied.len() <= block {
            self.occupied.resize(block + 1, Block::ZERO);
            self.rows.resize((block + 1) * self.per_block, Block::ZERO);
        }
        self.occupied[block].set(bit);
        self.write(domains, slot, tests, true);
    }

    /// Removes the condition of a slot; `tests` must be its tests.
    pub(crate) fn clear(&mut self, domains: &[CodeDomain], slot: usize, tests: &[Test]) {
        self.occupied[slot / BLOCK_BITS].0[slot % BLOCK_BITS / 64] &= !(1 << (slot % 64));
        self.write(domains, slot, tests, false);
    }

    fn write(&mut self, domains: &[CodeDomain], slot: usize, tests: &[Test], excluded: bool) {
        let (block, word, bit) = (slot / BLOCK_BITS, slot % BLOCK_BITS / 64, 1 << (slot % 64));
        let rows = &mut self.rows[block * self.per_block..(block + 1) * self.per_block];
        for test in tests {
            let attribute = test.attribute as usize;
            let domain = domains[attribute];
            let own = &mut rows[self.first[attribute]..][..domain.codes as usize + 1];
            for (code, row) in (0..).zip(&mut *own) {
                let is_excluded = code == domain.codes || !spec::satisfies(domain, test, code);
                if is_excluded && excluded {
                    row.0[word] |= bit;
                } else {
                    row.0[word] &= !bit;
                }
            }
        }
    }

    pub(crate) fn matched(&self, level: Level, codes: &[u32], into: &mut Vec<u32>) {
        into.clear();
        level.run(Match { sliced: self, codes, into });
    }
}

struct Match<'a> {
    sliced: &'a Sliced,
    codes: &'a [u32],
    into: &'a mut Vec<u32>,
}

impl Kernel for Match<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Match { sliced, codes, into } = self;
        let mut left = Block::ZERO;
        for (block, occupied) in sliced.occupied.iter().enumerate() {
            let rows = &sliced.rows[block * sliced.per_block..(block + 1) * sliced.per_block];
            let mut out = simd.splat(false);
            for (column, &code) in codes.iter().enumerate() {
                let first = sliced.first[column];
                // A missing value has the last row of its column.
                let row = if code == MISSING {
                    sliced.first.get(column + 1).map_or(sliced.per_block, |&next| next) - 1
                } else {
                    first + code as usize
                };
                out = simd.or(out, simd.load(&rows[row]));
            }
            simd.store(simd.and_not(simd.load(occupied), out), &mut left);
            super::bitmap::push_members(&left.0, block * BLOCK_BITS, into);
        }
    }
}
