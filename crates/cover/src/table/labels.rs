use super::bags::Bags;
use super::layout::Layout;
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

/// Which examples count, for which class, and how much.
///
/// An example counts once for its class ([`Labels::rows`], [`Labels::bags`]), or it weighs something for
/// every class ([`Labels::weighted_rows`], [`Labels::weighted_bags`]). A class is one mask of bits, or one
/// for every bit of its weights: devices count each mask by itself, and what a mask counts is worth a power
/// of two.
///
/// The same table serves every fold of a cross-validation and every class against the rest: only the labels
/// change.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Tells these labels from others, so that a device need not be sent the same ones again.
    id: u64,
    space: Space,
    /// Block after block, and within a block class after class, as the counting loop reads them.
    masks: Vec<Block>,
    /// How many masks each class has in a block, the lowest bit first.
    planes: Vec<usize>,
    /// Whether no example is in two masks.
    exclusive: bool,
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
        Labels::by_code(&Places::rows(table), codes, classes)
    }

    /// One class code per bag, below `classes` or [`UNCOUNTED`].
    ///
    /// # Errors
    /// When the table has no bags, the number of codes is not theirs, or a code is not a class.
    pub fn bags(table: &Table, codes: &[u32], classes: usize) -> Result<Labels, TableError> {
        Labels::by_code(&Places::bags(table)?, codes, classes)
    }

    /// What every row weighs for each class: the tally of a class is the sum of the weights.
    ///
    /// ```
    /// use pellucid_cover::{Hypothesis, Labels, Session, Table};
    /// use pellucid_data::Values;
    /// use pellucid_device::Device;
    /// use std::sync::Arc;
    /// let table = Table::new(vec![("age".into(), Values::Numeric(vec![23.0, 51.0, 48.0, 35.0].into()))])?;
    /// // What a mistake would cost, and how many rows there are.
    /// let labels = Labels::weighted_rows(&table, &[&[5, 200, 31, 7], &[1, 1, 1, 1]])?;
    /// let mut session = Session::new(Arc::new(table), labels, Hypothesis::Rows, &[Device::processor(None)?])?;
    /// let old = session.programs_mut().parse("age > 40")?;
    /// assert_eq!(session.tally(&[old])?.of(0), [231, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no class, or the number of weights is not the number of rows.
    pub fn weighted_rows(table: &Table, weights: &[&[u32]]) -> Result<Labels, TableError> {
        Labels::by_weight(&Places::rows(table), weights)
    }

    /// What every bag weighs for each class: the tally of a class is the sum of the weights.
    ///
    /// # Errors
    /// When the table has no bags, there is no class, or the number of weights is not the number of bags.
    pub fn weighted_bags(table: &Table, weights: &[&[u32]]) -> Result<Labels, TableError> {
        Labels::by_weight(&Places::bags(table)?, weights)
    }

    /// Labels of examples that lie elsewhere, of which only it is known how many there are of each class.
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

    fn by_code(places: &Places<'_>, codes: &[u32], classes: usize) -> Result<Labels, TableError> {
        places.check(codes)?;
        let mut labels = Labels::empty(places, vec![1; classes])?;
        for (example, &code) in codes.iter().enumerate() {
            if code == UNCOUNTED {
                continue;
            }
            let class = code as usize;
            if class >= classes {
                return Err(TableError::LabelCode { example, code, classes });
            }
            labels.set(places.of(example), class);
            labels.totals[class] += 1;
        }
        Ok(labels)
    }

    fn by_weight(places: &Places<'_>, weights: &[&[u32]]) -> Result<Labels, TableError> {
        weights.iter().try_for_each(|weights| places.check(weights))?;
        let planes = weights.iter().map(|weights| {
            let bits = weights.iter().fold(0, |bits, weight| bits | weight);
            (u32::BITS - bits.leading_zeros()) as usize
        });
        let mut labels = Labels::empty(places, planes.collect())?;
        labels.exclusive = false;
        let mut first = 0;
        for (class, weights) in weights.iter().enumerate() {
            for (example, &weight) in weights.iter().enumerate() {
                let place = places.of(example);
                (0..labels.planes[class])
                    .filter(|bit| weight >> bit & 1 == 1)
                    .for_each(|bit| labels.set(place, first + bit));
                labels.totals[class] += u64::from(weight);
            }
            first += labels.planes[class];
        }
        Ok(labels)
    }

    /// Labels by which nothing counts, with so many masks for each class.
    fn empty(places: &Places<'_>, planes: Vec<usize>) -> Result<Labels, TableError> {
        if planes.is_empty() {
            return Err(TableError::NoClasses);
        }
        Ok(Labels {
            id: next_id(),
            space: places.space(),
            masks: vec![Block::ZERO; places.blocks() * planes.iter().sum::<usize>()],
            totals: vec![0; planes.len()],
            planes,
            exclusive: true,
        })
    }

    fn set(&mut self, place: usize, mask: usize) {
        let width = self.width();
        self.masks[place / BLOCK_BITS * width + mask].set(place % BLOCK_BITS);
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

    /// How many examples count for each class, or what all of them weigh.
    #[must_use]
    pub fn totals(&self) -> &[u64] {
        &self.totals
    }

    /// How many masks there are in a block, those of all classes together.
    pub(crate) fn width(&self) -> usize {
        self.planes.iter().sum()
    }

    /// Which examples are in which mask.
    pub(crate) fn masks(&self) -> Masks<'_> {
        Masks { masks: &self.masks, width: self.width(), exclusive: self.exclusive }
    }

    /// The masks that the example at a position is in.
    pub(crate) fn masks_at(&self, position: usize) -> impl Iterator<Item = usize> {
        let masks = &self.masks().from(position / BLOCK_BITS)[..self.width()];
        let set =
            move |(mask, block): (usize, &Block)| block.get(position % BLOCK_BITS).then_some(mask);
        masks.iter().enumerate().filter_map(set)
    }

    /// What the example at a position weighs for each class, added to `sums`.
    pub(crate) fn add_weights_at(&self, position: usize, sums: &mut [u64]) {
        let mut counts = vec![0; self.width()];
        self.masks_at(position).for_each(|mask| counts[mask] += 1);
        self.add_up(&counts, sums);
    }

    /// Adds what was counted of each mask to the sums of the classes.
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

    /// Whether what is counted of a mask is what is counted of a class.
    pub(crate) fn is_one_mask_a_class(&self) -> bool {
        self.planes.iter().all(|&planes| planes == 1)
    }

    /// How many examples each mask has.
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

/// Where examples lie: rows or bags of a table.
#[derive(Debug)]
enum Places<'a> {
    Rows(&'a Layout),
    Bags(&'a Bags),
}

impl<'a> Places<'a> {
    fn rows(table: &'a Table) -> Places<'a> {
        Places::Rows(table.layout())
    }

    fn bags(table: &'a Table) -> Result<Places<'a>, TableError> {
        table.layout().bags().map(Places::Bags).ok_or(TableError::NoBags)
    }

    fn space(&self) -> Space {
        match self {
            Places::Rows(_) => Space::Rows,
            Places::Bags(_) => Space::Bags,
        }
    }

    fn blocks(&self) -> usize {
        match self {
            Places::Rows(layout) => layout.blocks(),
            Places::Bags(bags) => bags.panels().len(),
        }
    }

    fn of(&self, example: usize) -> usize {
        match self {
            Places::Rows(layout) => layout.position(example),
            Places::Bags(bags) => bags.positions()[example] as usize,
        }
    }

    /// Whether something was said of every example.
    fn check(&self, said: &[u32]) -> Result<(), TableError> {
        let (what, expected) = match self {
            Places::Rows(layout) => ("rows", layout.rows()),
            Places::Bags(bags) => ("bags", bags.len()),
        };
        let found = said.len();
        if found == expected {
            Ok(())
        } else {
            Err(TableError::LabelCount { what, found, expected })
        }
    }
}

/// Which examples are in which mask: for every block all masks, side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks<'a> {
    pub(crate) masks: &'a [Block],
    /// Masks of a block.
    pub(crate) width: usize,
    /// Whether no example is in two masks.
    pub(crate) exclusive: bool,
}

impl<'a> Masks<'a> {
    /// The masks from block `block` on.
    #[inline(always)]
    pub(crate) fn from(self, block: usize) -> &'a [Block] {
        &self.masks[block * self.width..]
    }

    /// Whether every example of some blocks is in one of two masks, and in one alone: one count then gives
    /// the other.
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
