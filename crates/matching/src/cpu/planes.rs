//! Bit planes of the columns of examples; a condition is evaluated on 512 rows at a time.

use crate::{CodeDomain, CodedExamples, MISSING, Test};
use pellucid_bits::{Block, Kernel, Simd, planes, planes_of_64};

/// The bit planes of some rows, computed when a column is first used. Plane *p* has bit *p* of
/// every code, and a last plane marks the rows whose code is not missing.
#[derive(Clone, Debug)]
pub(crate) struct Planes {
    columns: Vec<Vec<Block>>,
    blocks: usize,
}

impl Planes {
    pub(crate) fn new(columns: usize, blocks: usize) -> Planes {
        Planes { columns: vec![Vec::new(); columns], blocks }
    }

    /// Discards all planes, because the rows have changed.
    pub(crate) fn forget(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
    }

    /// Computes the planes of the columns that some tests use.
    pub(crate) fn prepare(&mut self, examples: &CodedExamples, rows: &[u32], tests: &[Test]) {
        for test in tests {
            let attribute = test.attribute as usize;
            if self.columns[attribute].is_empty() {
                self.lay_out(examples, rows, attribute);
            }
        }
    }

    /// Computes the planes of a column, block by block: all planes of the first 512 rows, then all
    /// planes of the next.
    fn lay_out(&mut self, examples: &CodedExamples, rows: &[u32], attribute: usize) {
        let planes = examples.domains()[attribute].bits();
        let column = &mut self.columns[attribute];
        column.resize(self.blocks * (planes + 1), Block::ZERO);
        for (group, rows) in rows.chunks(64).enumerate() {
            let (mut codes, mut known) = ([0; 64], 0);
            for (place, &row) in rows.iter().enumerate() {
                let code = examples.row(row as usize)[attribute];
                if code != MISSING {
                    codes[place] = code;
                    known |= 1 << place;
                }
            }
            let words = planes_of_64(&codes);
            let own = &mut column[group / 8 * (planes + 1)..][..planes + 1];
            for (plane, &word) in own.iter_mut().zip(&words[..planes]) {
                plane.0[group % 8] = word;
            }
            own[planes].0[group % 8] = known;
        }
    }
}

/// Finds the rows that a condition matches. Its columns must be prepared.
pub(crate) struct Cover<'a> {
    pub(crate) planes: &'a Planes,
    pub(crate) domains: &'a [CodeDomain],
    pub(crate) tests: &'a [Test],
    /// One block for every 512 rows; initially the rows to consider.
    pub(crate) covered: &'a mut [Block],
}

impl Kernel for Cover<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Cover { planes, domains, tests, covered } = self;
        for (block, covered) in covered.iter_mut().enumerate() {
            let mut left = simd.load(covered);
            for test in tests {
                let domain = domains[test.attribute as usize];
                let count = domain.bits();
                let own =
                    &planes.columns[test.attribute as usize][block * (count + 1)..][..count + 1];
                let known = simd.load(&own[count]);
                let inside = if domain.is_set {
                    within_set(simd, &own[..count], test.set())
                } else {
                    within_bounds(simd, &own[..count], test)
                };
                left = simd.and3(left, known, inside);
                if simd.zero_words(left) == u8::MAX {
                    break;
                }
            }
            simd.store(left, covered);
        }
    }
}

/// Tests `low <= code` and `code <= high`.
#[inline(always)]
fn within_bounds<S: Simd>(simd: S, planes: &[Block], test: &Test) -> S::Bits {
    let each = planes.as_chunks().0.iter();
    let [[mut not_below], [mut above]] =
        planes::above(simd, each, [test.low, test.high], [true, false]);
    // Bounds past the last code.
    if test.high >> planes.len() != 0 {
        above = simd.splat(false);
    }
    if test.low >> planes.len() != 0 {
        not_below = simd.splat(false);
    }
    simd.and_not(not_below, above)
}

/// Tests whether codes are in a set: for each code of the set, the rows where all planes have its
/// bits.
#[inline(always)]
fn within_set<S: Simd>(simd: S, planes: &[Block], set: u64) -> S::Bits {
    let mut inside = simd.splat(false);
    let mut codes = set;
    while codes != 0 {
        let code = codes.trailing_zeros();
        codes &= codes - 1;
        if planes.len() < 6 && code >> planes.len() != 0 {
            continue;
        }
        let [same] = planes::equal(simd, planes.as_chunks().0.iter(), code);
        inside = simd.or(inside, same);
    }
    inside
}
