//! Matches single conditions, outside a population, with many rows at once.

use crate::cpu::{Cover, Planes};
use crate::{CodedExamples, Test, spec};
use pellucid_bits::{BLOCK_BITS, Block, Level, blocks_for};

/// A set of rows in a layout in which a condition is matched with all of them at once.
///
/// ```
/// use pellucid_bits::Level;
/// use pellucid_matching::{Coverage, CodeDomain, CodedExamples, Test};
///
/// let examples = CodedExamples::new(vec![CodeDomain::ordered(4)], vec![0, 3, 1, 2])?;
/// let mut coverage = Coverage::new(Level::Portable, &examples, vec![0, 1, 2, 3]);
/// let covered = coverage.of(&[Test::between(0, 1, 2)]);
/// assert_eq!(covered[0].0[0], 0b1100);
/// # Ok::<(), pellucid_matching::ExamplesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Coverage<'a> {
    examples: &'a CodedExamples,
    rows: Vec<u32>,
    level: Level,
    planes: Planes,
    covered: Vec<Block>,
}

impl<'a> Coverage<'a> {
    /// Lays out rows of the examples, using the given instruction set.
    #[must_use]
    pub fn new(level: Level, examples: &'a CodedExamples, rows: Vec<u32>) -> Coverage<'a> {
        let blocks = blocks_for(rows.len());
        let planes = Planes::new(examples.domains().len(), blocks);
        Coverage { examples, rows, level, planes, covered: vec![Block::ZERO; blocks] }
    }

    /// Returns the rows.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Returns the rows that a condition matches, one bit for each row in the given order.
    pub fn of(&mut self, tests: &[Test]) -> &[Block] {
        let domains = self.examples.domains();
        if self.level == Level::Scalar {
            self.covered.fill(Block::ZERO);
            for (place, &row) in self.rows.iter().enumerate() {
                if spec::matches(domains, tests, self.examples.row(row as usize)) {
                    self.covered[place / BLOCK_BITS].set(place % BLOCK_BITS);
                }
            }
            return &self.covered;
        }
        for (block, covered) in self.covered.iter_mut().enumerate() {
            *covered = Block::first(self.rows.len() - block * BLOCK_BITS);
        }
        self.planes.prepare(self.examples, &self.rows, tests);
        let covered = &mut self.covered;
        self.level.run(Cover { planes: &self.planes, domains, tests, covered });
        &self.covered
    }
}
