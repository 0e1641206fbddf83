use super::Direct;
use crate::{Domain, MISSING, Test, spec};
use pellucid_bits::{BLOCK_BITS, Block, Kernel, Level, Simd};

/// 512 conditions a block, side by side. For every code of every column, and for "missing", a row of bits
/// says which conditions that code rules out; an example rules out the union over its codes.
///
/// A ternary column has two codes, so a condition on twenty of them is written with twenty bits or so, and an
/// example is matched with twenty loads for every 512 conditions.
#[derive(Clone, Debug)]
pub(crate) struct Sliced {
    /// The first row of each column.
    first: Vec<usize>,
    /// Rows of blocks, block-major: all rows of the first 512 conditions, then all of the next.
    rows: Vec<Block>,
    per_block: usize,
    taken: Vec<Block>,
}

impl Sliced {
    /// The most rows that are worth keeping: beyond, writing a condition takes longer than it saves.
    pub(crate) const MOST_ROWS: usize = 4_096;

    /// How many rows the columns need.
    pub(crate) fn rows_for(domains: &[Domain]) -> usize {
        domains.iter().map(|domain| domain.codes as usize + 1).sum()
    }

    pub(crate) fn new(domains: &[Domain]) -> Sliced {
        let mut first = Vec::with_capacity(domains.len());
        let mut next = 0;
        for domain in domains {
            first.push(next);
            next += domain.codes as usize + 1;
        }
        Sliced { first, rows: Vec::new(), per_block: next, taken: Vec::new() }
    }

    pub(crate) fn from_conditions(domains: &[Domain], conditions: &Direct) -> Sliced {
        let mut sliced = Sliced::new(domains);
        for slot in conditions.taken() {
            sliced.put(domains, slot, &conditions.tests(slot));
        }
        sliced
    }

    /// Writes a condition onto an empty hook.
    pub(crate) fn put(&mut self, domains: &[Domain], slot: usize, tests: &[Test]) {
        let (block, bit) = (slot / BLOCK_BITS, slot % BLOCK_BITS);
        if self.taken.len() <= block {
            self.taken.resize(block + 1, Block::ZERO);
            self.rows.resize((block + 1) * self.per_block, Block::ZERO);
        }
        self.taken[block].set(bit);
        self.write(domains, slot, tests, true);
    }

    /// Takes the condition off a hook; its tests must be those that were put there.
    pub(crate) fn clear(&mut self, domains: &[Domain], slot: usize, tests: &[Test]) {
        self.taken[slot / BLOCK_BITS].0[slot % BLOCK_BITS / 64] &= !(1 << (slot % 64));
        self.write(domains, slot, tests, false);
    }

    fn write(&mut self, domains: &[Domain], slot: usize, tests: &[Test], excluded: bool) {
        let (block, word, bit) = (slot / BLOCK_BITS, slot % BLOCK_BITS / 64, 1 << (slot % 64));
        let rows = &mut self.rows[block * self.per_block..(block + 1) * self.per_block];
        for test in tests {
            let attribute = test.attribute as usize;
            let domain = domains[attribute];
            let own = &mut rows[self.first[attribute]..][..domain.codes as usize + 1];
            for (code, row) in (0..).zip(&mut *own) {
                let rules_out = code == domain.codes || !spec::satisfies(domain, test, code);
                if rules_out && excluded {
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
        for (block, taken) in sliced.taken.iter().enumerate() {
            let rows = &sliced.rows[block * sliced.per_block..(block + 1) * sliced.per_block];
            let mut out = simd.splat(false);
            for (column, &code) in codes.iter().enumerate() {
                let first = sliced.first[column];
                // What is missing has the last row of its column.
                let row = if code == MISSING {
                    sliced.first.get(column + 1).map_or(sliced.per_block, |&next| next) - 1
                } else {
                    first + code as usize
                };
                out = simd.or(out, simd.load(&rows[row]));
            }
            simd.store(simd.and_not(simd.load(taken), out), &mut left);
            super::bitmap::push_members(&left.0, block * BLOCK_BITS, into);
        }
    }
}
