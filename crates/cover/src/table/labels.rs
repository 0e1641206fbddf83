use super::bags::BagLayout;
use super::layout::Layout;
use super::store::{Table, TableError};
use pellucid_bits::{BLOCK_BITS, Block};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The class code of an example that is excluded from every count, for example a row of another
/// fold.
pub const UNCOUNTED: u32 = u32::MAX;

/// What to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Single rows.
    Rows,
    /// Whole bags.
    Bags,
}

/// The labels: which examples count, for which class, and with what weight.
///
/// An example counts once for its class ([`Labels::rows`], [`Labels::bags`]), or it has a weight
/// for every class ([`Labels::weighted_rows`], [`Labels::weighted_bags`]). A class has one mask of
/// bits, or one mask for every bit of its weights. Devices count each mask separately, and the
/// count of a mask is multiplied by a power of two.
///
/// The same table can be used for every fold of a cross-validation and for every class against the
/// rest. Only the labels change.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Identifies the labels, so that a device does not receive the same ones twice.
    id: u64,
    space: Space,
    /// Block by block, and within a block class by class, in the order in which the counting loop
    /// reads them.
    masks: Vec<Block>,
    /// By class: the number of masks in a block, lowest bit first.
    planes: Vec<usize>,
    /// Whether every example is in at most one mask.
    exclusive: bool,
    totals: Vec<u64>,
}

/// Returns a new id.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Labels {
    /// Creates labels from one class code per row, below `classes` or [`UNCOUNTED`].
    ///
    /// # Errors
    /// When the number of codes differs from the number of rows, or a code is not a class.
    pub fn rows(table: &Table, codes: &[u32], classes: usize) -> Result<Labels, TableError> {
        Labels::by_code(&ExamplePositions::rows(table), codes, classes)
    }

    /// Creates labels from one class code per bag, below `classes` or [`UNCOUNTED`].
    ///
    /// # Errors
    /// When the table has no bags, the number of codes differs from the number of bags, or a code is
    /// not a class.
    pub fn bags(table: &Table, codes: &[u32], classes: usize) -> Result<Labels, TableError> {
        Labels::by_code(&ExamplePositions::bags(table)?, codes, classes)
    }

    /// Creates labels from the weight of every row for each class. The tally of a class is the sum
    /// of the weights.
    ///
    /// ```
    /// use pellucid_cover::{Hypothesis, Labels, Session, Table};
    /// use pellucid_data::Values;
    /// use pellucid_device::Device;
    /// use std::sync::Arc;
    /// let table = Table::new(vec![("age".into(), Values::Numeric(vec![23.0, 51.0, 48.0, 35.0].into()))])?;
    /// // The cost of an error for each row, and 1 to count the rows.
    /// let labels = Labels::weighted_rows(&table, &[&[5, 200, 31, 7], &[1, 1, 1, 1]])?;
    /// let mut session =
    ///     Session::new(Arc::new(table), labels, Hypothesis::Rows, &[Device::processor(None)?])?;
    /// let old = session.programs_mut().parse("age > 40")?;
    /// assert_eq!(session.tally(&[old])?.of(0), [231, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are no classes, or the number of weights differs from the number of rows.
    pub fn weighted_rows(table: &Table, weights: &[&[u32]]) -> Result<Labels, TableError> {
        Labels::by_weight(&ExamplePositions::rows(table), weights)
    }

    /// Creates labels from the weight of every bag for each class. The tally of a class is the sum
    /// of the weights.
    ///
    /// # Errors
    /// When the table has no bags, there are no classes, or the number of weights differs from the
    /// number of bags.
    pub fn weighted_bags(table: &Table, weights: &[&[u32]]) -> Result<Labels, TableError> {
        Labels::by_weight(&ExamplePositions::bags(table)?, weights)
    }

    /// Creates labels of remote examples, for which only the number in each class is known.
    pub(crate) fn elsewhere(space: Space, totals: &[u64]) -> Labels {
        Labels {
            id: next_id(),
            space,
            masks: Vec::new(),
            planes: vec![1; totals.len()],
            exclusive: true,
            totals: totals.to_vec(),
        }
    }

    fn by_code(
        positions: &ExamplePositions<'_>,
        codes: &[u32],
        classes: usize,
    ) -> Result<Labels, TableError> {
        positions.check(codes)?;
        let mut labels = Labels::empty(positions, vec![1; classes])?;
        for (example, &code) in codes.iter().enumerate() {
            if code == UNCOUNTED {
                continue;
            }
            let class = code as usize;
            if class >= classes {
                return Err(TableError::LabelCode { example, code, classes });
            }
            labels.set(positions.of(example), class);
            labels.totals[class] += 1;
        }
        Ok(labels)
    }

    fn by_weight(
        positions: &ExamplePositions<'_>,
        weights: &[&[u32]],
    ) -> Result<Labels, TableError> {
        weights.iter().try_for_each(|weights| positions.check(weights))?;
        let planes = weights.iter().map(|weights| {
            let bits = weights.iter().fold(0, |bits, weight| bits | weight);
            (u32::BITS - bits.leading_zeros()) as usize
        });
        let mut labels = Labels::empty(positions, planes.collect())?;
        labels.exclusive = false;
        let mut first = 0;
        for (class, weights) in weights.iter().enumerate() {
            for (example, &weight) in weights.iter().enumerate() {
                let position = positions.of(example);
                (0..labels.planes[class])
                    .filter(|bit| weight >> bit & 1 == 1)
                    .for_each(|bit| labels.set(position, first + bit));
                labels.totals[class] += u64::from(weight);
            }
            first += labels.planes[class];
        }
        Ok(labels)
    }

    /// Creates labels without counted examples. `planes` is the number of masks of each class.
    fn empty(positions: &ExamplePositions<'_>, planes: Vec<usize>) -> Result<Labels, TableError> {
        if planes.is_empty() {
            return Err(TableError::NoClasses);
        }
        Ok(Labels {
            id: next_id(),
            space: positions.space(),
            masks: vec![Block::ZERO; positions.blocks() * planes.iter().sum::<usize>()],
            totals: vec![0; planes.len()],
            planes,
            exclusive: true,
        })
    }

    fn set(&mut self, position: usize, mask: usize) {
        let width = self.width();
        self.masks[position / BLOCK_BITS * width + mask].set(position % BLOCK_BITS);
    }

    /// Returns an id that no other labels of this process have. A clone has the same id.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Returns what is counted: rows or bags.
    #[must_use]
    pub fn space(&self) -> Space {
        self.space
    }

    /// Returns the number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.totals.len()
    }

    /// Returns the number of counted examples of each class, or the sum of their weights.
    #[must_use]
    pub fn totals(&self) -> &[u64] {
        &self.totals
    }

    /// Returns the number of masks in a block, for all classes together.
    pub(crate) fn width(&self) -> usize {
        self.planes.iter().sum()
    }

    /// Returns the masks: which examples are in which mask.
    pub(crate) fn masks(&self) -> Masks<'_> {
        Masks { masks: &self.masks, width: self.width(), exclusive: self.exclusive }
    }

    /// Returns the masks that contain the example at a position.
    pub(crate) fn masks_at(&self, position: usize) -> impl Iterator<Item = usize> {
        let masks = &self.masks().from(position / BLOCK_BITS)[..self.width()];
        let set =
            move |(mask, block): (usize, &Block)| block.get(position % BLOCK_BITS).then_some(mask);
        masks.iter().enumerate().filter_map(set)
    }

    /// Adds the weight of the example at a position for each class to `sums`.
    pub(crate) fn add_weights_at(&self, position: usize, sums: &mut [u64]) {
        let mut counts = vec![0; self.width()];
        self.masks_at(position).for_each(|mask| counts[mask] += 1);
        self.add_up(&counts, sums);
    }

    /// Adds the counts of the masks to the sums of the classes.
    pub(crate) fn add_up(&self, counts: &[u64], sums: &mut [u64]) {
        let mut counts = counts.iter();
        for (&planes, sum) in self.planes.iter().zip(sums) {
            *sum += counts
                .by_ref()
                .take(planes)
                .enumerate()
                .map(|(bit, count)| count << bit)
                .sum::<u64>();
        }
    }

    /// Returns whether every class has exactly one mask.
    pub(crate) fn has_one_mask_per_class(&self) -> bool {
        self.planes.iter().all(|&planes| planes == 1)
    }

    /// Returns the number of examples in each mask.
    pub(crate) fn mask_totals(&self) -> Vec<u64> {
        let width = self.width();
        let mut totals = vec![0; width];
        for (index, mask) in self.masks.iter().enumerate() {
            totals[index % width] +=
                mask.0.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        totals
    }
}

/// The positions of examples: rows or bags of a table.
#[derive(Debug)]
enum ExamplePositions<'a> {
    Rows(&'a Layout),
    Bags(&'a BagLayout),
}

impl<'a> ExamplePositions<'a> {
    fn rows(table: &'a Table) -> ExamplePositions<'a> {
        ExamplePositions::Rows(table.layout())
    }

    fn bags(table: &'a Table) -> Result<ExamplePositions<'a>, TableError> {
        table.layout().bags().map(ExamplePositions::Bags).ok_or(TableError::NoBags)
    }

    fn space(&self) -> Space {
        match self {
            ExamplePositions::Rows(_) => Space::Rows,
            ExamplePositions::Bags(_) => Space::Bags,
        }
    }

    fn blocks(&self) -> usize {
        match self {
            ExamplePositions::Rows(layout) => layout.blocks(),
            ExamplePositions::Bags(bags) => bags.panels().len(),
        }
    }

    fn of(&self, example: usize) -> usize {
        match self {
            ExamplePositions::Rows(layout) => layout.position(example),
            ExamplePositions::Bags(bags) => bags.positions()[example] as usize,
        }
    }

    /// Checks that there is one value for every example.
    fn check(&self, values: &[u32]) -> Result<(), TableError> {
        let (what, expected) = match self {
            ExamplePositions::Rows(layout) => ("rows", layout.rows()),
            ExamplePositions::Bags(bags) => ("bags", bags.len()),
        };
        let found = values.len();
        if found == expected {
            Ok(())
        } else {
            Err(TableError::LabelCount { what, found, expected })
        }
    }
}

/// The masks of all examples. For every block, all masks are adjacent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks<'a> {
    pub(crate) masks: &'a [Block],
    /// The number of masks per block.
    pub(crate) width: usize,
    /// Whether every example is in at most one mask.
    pub(crate) exclusive: bool,
}

impl<'a> Masks<'a> {
    /// Returns the masks from block `block` on.
    #[inline(always)]
    pub(crate) fn from(self, block: usize) -> &'a [Block] {
        &self.masks[block * self.width..]
    }

    /// Returns whether there are two masks and every example of some blocks is in exactly one of
    /// them. One count then gives the other.
    pub(crate) fn are_one_or_other(self, blocks: Range<usize>) -> bool {
        self.exclusive
            && self.width == 2
            && self.masks[2 * blocks.start..2 * blocks.end].as_chunks().0.iter().all(
                |[one, other]| {
                    one.0.iter().zip(&other.0).all(|(one, other)| one | other == u64::MAX)
                },
            )
    }
}
