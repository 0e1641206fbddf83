use super::store::{Table, TableError};
use pellucid_bits::{BLOCK_BITS, Block};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The class code of an example that is left out of every count: a row of another fold, say.
pub const UNCOUNTED: u32 = u32::MAX;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Single rows.
    Rows,
    /// Whole bags.
    Bags,
}

/// Which examples count, and for which class: one mask of bits per class.
///
/// The same table serves every fold of a cross-validation and every class against the rest: only the labels change.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Tells these labels from others, so that a device need not be sent the same ones again.
    id: u64,
    space: Space,
    masks: Vec<Block>,
    totals: Vec<u64>,
}

/// A number that was not given before.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Labels {
    /// One class code per row, below `classes` or [`UNCOUNTED`].
    ///
    /// # Errors
    /// When the number of codes is not the number of rows, or a code is not a class.
    pub fn rows(table: &Table, codes: &[u32], classes: usize) -> Result<Labels, TableError> {
        let layout = table.layout();
        if codes.len() != layout.rows() {
            return Err(TableError::LabelCount {
                what: "rows",
                found: codes.len(),
                expected: layout.rows(),
            });
        }
        Labels::build(Space::Rows, layout.blocks(), classes, codes, |row| layout.position(row))
    }

    /// One class code per bag, below `classes` or [`UNCOUNTED`].
    ///
    /// # Errors
    /// When the table has no bags, the number of codes is not theirs, or a code is not a class.
    pub fn bags(table: &Table, codes: &[u32], classes: usize) -> Result<Labels, TableError> {
        let bags = table.layout().bags().ok_or(TableError::NoBags)?;
        if codes.len() != bags.len() {
            return Err(TableError::LabelCount {
                what: "bags",
                found: codes.len(),
                expected: bags.len(),
            });
        }
        Labels::build(Space::Bags, bags.panels().len(), classes, codes, |bag| {
            bags.positions()[bag] as usize
        })
    }

    /// Labels of examples that lie elsewhere, of which only it is known how many there are of each class.
    pub(crate) fn elsewhere(space: Space, totals: &[u64]) -> Labels {
        Labels { id: next_id(), space, masks: Vec::new(), totals: totals.to_vec() }
    }

    fn build(
        space: Space,
        blocks: usize,
        classes: usize,
        codes: &[u32],
        position: impl Fn(usize) -> usize,
    ) -> Result<Labels, TableError> {
        if classes == 0 {
            return Err(TableError::NoClasses);
        }
        let mut masks = vec![Block::ZERO; blocks * classes];
        let mut totals = vec![0; classes];
        for (example, &code) in codes.iter().enumerate() {
            if code == UNCOUNTED {
                continue;
            }
            let class = code as usize;
            if class >= classes {
                return Err(TableError::LabelCode { example, code, classes });
            }
            let position = position(example);
            // Class after class within a block, as the counting loop reads them.
            masks[position / BLOCK_BITS * classes + class].set(position % BLOCK_BITS);
            totals[class] += 1;
        }
        Ok(Labels { id: next_id(), space, masks, totals })
    }

    /// A number that no other labels of this process have; a clone has the same.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// What is counted.
    #[must_use]
    pub fn space(&self) -> Space {
        self.space
    }

    /// How many classes there are.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.totals.len()
    }

    /// How many examples count for each class.
    #[must_use]
    pub fn totals(&self) -> &[u64] {
        &self.totals
    }

    /// Which examples are of which class.
    pub(crate) fn masks(&self) -> Masks<'_> {
        Masks { masks: &self.masks, classes: self.classes() }
    }

    /// The class of the example at a position, if it counts.
    pub(crate) fn class_at(&self, position: usize) -> Option<usize> {
        let masks = &self.masks().from(position / BLOCK_BITS)[..self.classes()];
        masks.iter().position(|mask| mask.get(position % BLOCK_BITS))
    }
}

/// Which examples are of which class: for every block the masks of all classes, side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks<'a> {
    pub(crate) masks: &'a [Block],
    pub(crate) classes: usize,
}

impl<'a> Masks<'a> {
    /// The masks from block `block` on, class after class within a block.
    #[inline(always)]
    pub(crate) fn from(self, block: usize) -> &'a [Block] {
        &self.masks[block * self.classes..]
    }

    /// Whether every example of some blocks counts for one of the classes.
    pub(crate) fn are_complete(self, blocks: Range<usize>) -> bool {
        let classes = self.classes;
        self.masks[blocks.start * classes..blocks.end * classes].chunks_exact(classes).all(
            |masks| {
                (0..8).all(|word| masks.iter().fold(0, |all, mask| all | mask.0[word]) == u64::MAX)
            },
        )
    }
}
