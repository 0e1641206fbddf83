use super::fold::{WORD_LANES, best_height, lanes};
use pellucid_bits::{BLOCK_BITS, Block, as_u32};

/// Rows grouped into bags, slot-major: the first rows of 512 bags are adjacent, then their second
/// rows, and so on.
///
/// This layout turns "is any row of the bag covered" into an OR of whole blocks, and counting
/// covered rows into bit-sliced addition, 512 bags at a time. There is no loop over single bags.
///
/// In detail: a **lane** is a column of rows of one bag. Lanes are sorted by height and divided
/// into **panels** of 512. A panel is as tall as its tallest lane, so bags of different sizes waste
/// little memory. A bag that is much larger than the others is *folded* into up to 64 lanes of one
/// 64-bit word. Its lanes are joined at the end, and the result of the bag is in its last lane. The
/// best height is computed from the sizes. Bags of 1 to 1,000 rows thus cost about as much as their
/// rows. In the worst case, a single huge bag, the cost is eight times the rows.
#[derive(Clone, Debug)]
pub struct BagLayout {
    panels: Vec<Panel>,
    bag_of_row: Vec<u32>,
    row_positions: Vec<u32>,
    bag_positions: Vec<u32>,
    occupied: Vec<Block>,
}

/// A panel of 512 adjacent lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// The index of its first block of rows. Its `j`-th block holds the `j`-th row of every lane.
    pub first_block: usize,
    /// The number of blocks: the height of its tallest lane.
    pub height: usize,
    /// How to join lanes; `Some` if a bag has more than one lane.
    pub join: Option<Join>,
}

/// Masks for joining the lanes of folded bags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// All lanes of folded bags except the last lane of each bag.
    pub inner: Block,
    /// Bit `lane` of mask `i` is set if lane `lane - 2^i` belongs to the same bag.
    pub reach: [Block; 6],
}

impl BagLayout {
    /// Lays out rows; row `r` belongs to bag `bag_of_row[r]`. Every bag below `bags` must have a
    /// row.
    pub(super) fn new(bag_of_row: &[u32], bags: usize) -> BagLayout {
        let mut sizes = vec![0usize; bags];
        bag_of_row.iter().for_each(|&bag| sizes[bag as usize] += 1);
        let height = best_height(&sizes);

        let mut order: Vec<u32> = (0..bags).map(as_u32).collect();
        order.sort_by_key(|&bag| std::cmp::Reverse(lanes(sizes[bag as usize], height).1));

        // By bag: its first lane, counted over all panels. The lanes of a bag do not cross a word
        // boundary.
        let mut first_lane = vec![0usize; bags];
        let mut panels: Vec<Panel> = Vec::new();
        let (mut next, mut blocks) = (0, 0);
        for &bag in &order {
            let (width, tall) = lanes(sizes[bag as usize], height);
            let left = WORD_LANES - next % WORD_LANES;
            if width > left {
                next += left;
            }
            while panels.len() * BLOCK_BITS < next + width {
                panels.push(Panel { first_block: blocks, height: tall, join: None });
                blocks += tall;
            }
            first_lane[bag as usize] = next;
            if width > 1 {
                panels[next / BLOCK_BITS]
                    .join
                    .get_or_insert_with(Join::none)
                    .add(next % BLOCK_BITS, width);
            }
            next += width;
        }

        let mut occupied = vec![Block::ZERO; blocks];
        let mut placed = vec![0usize; bags];
        let row_positions = bag_of_row
            .iter()
            .map(|&bag| {
                let bag = bag as usize;
                let tall = lanes(sizes[bag], height).1;
                let lane = first_lane[bag] + placed[bag] / tall;
                let block = panels[lane / BLOCK_BITS].first_block + placed[bag] % tall;
                placed[bag] += 1;
                occupied[block].set(lane % BLOCK_BITS);
                as_u32(block * BLOCK_BITS + lane % BLOCK_BITS)
            })
            .collect();
        let bag_positions = (0..bags)
            .map(|bag| as_u32(first_lane[bag] + lanes(sizes[bag], height).0 - 1))
            .collect();
        BagLayout {
            panels,
            bag_of_row: bag_of_row.to_vec(),
            row_positions,
            bag_positions,
            occupied,
        }
    }

    /// Returns the number of bags.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bag_positions.len()
    }

    /// Returns whether there are no bags.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bag_positions.is_empty()
    }

    /// Returns the bag of a row.
    #[must_use]
    pub fn bag_of(&self, row: usize) -> u32 {
        self.bag_of_row[row]
    }

    /// Returns the panels, in the order of their blocks.
    #[must_use]
    pub fn panels(&self) -> &[Panel] {
        &self.panels
    }

    /// Returns which positions hold a row. The others are padding and must never be counted.
    #[must_use]
    pub fn occupied(&self) -> &[Block] {
        &self.occupied
    }

    /// Returns the position of each bag's result among the lanes of all panels.
    #[must_use]
    pub fn positions(&self) -> &[u32] {
        &self.bag_positions
    }

    pub(super) fn row_positions(&self) -> &[u32] {
        &self.row_positions
    }

    pub(super) fn blocks(&self) -> usize {
        self.occupied.len()
    }
}

impl Join {
    fn none() -> Join {
        Join { inner: Block::ZERO, reach: [Block::ZERO; 6] }
    }

    fn add(&mut self, first: usize, width: usize) {
        for lane in 0..width {
            if lane + 1 < width {
                self.inner.set(first + lane);
            }
            for (power, reach) in self.reach.iter_mut().enumerate() {
                if lane >= 1 << power {
                    reach.set(first + lane);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_row_has_its_own_position_in_a_lane_of_its_bag(
            sizes in prop::collection::vec(
                prop_oneof![4 => 1usize..6, 2 => 1usize..90, 1 => 200usize..1045],
                1..60,
            ),
        ) {
            let bag_of_row: Vec<u32> =
                (0u32..).zip(&sizes).flat_map(|(bag, &size)| vec![bag; size]).collect();
            let bags = BagLayout::new(&bag_of_row, sizes.len());

            let mut seen = vec![Block::ZERO; bags.blocks()];
            for (&position, &bag) in bags.row_positions().iter().zip(&bag_of_row) {
                let (block, lane) = (position as usize / BLOCK_BITS, position as usize % BLOCK_BITS);
                prop_assert!(!seen[block].get(lane), "two rows at one position");
                seen[block].set(lane);
                let panel = bags.panels.iter().rposition(|panel| panel.first_block <= block).unwrap();
                prop_assert!(block < bags.panels[panel].first_block + bags.panels[panel].height);
                // From any lane, moving up while the next lane reaches back to this one ends at the
                // position of the bag.
                let mut lane = lane;
                while let Some(join) = &bags.panels[panel].join && join.inner.get(lane) {
                    lane += 1;
                    prop_assert!(join.reach[0].get(lane));
                }
                prop_assert_eq!(panel * BLOCK_BITS + lane, bags.positions()[bag as usize] as usize);
            }
            prop_assert_eq!(&seen, &bags.occupied);
        }
    }

    #[test]
    fn ragged_bags_cost_about_their_rows() {
        let bag_of_row: Vec<u32> = (0..102u32)
            .flat_map(|bag| vec![bag; if bag == 40 { 1_044 } else { 1 + bag as usize }])
            .collect();
        let bags = BagLayout::new(&bag_of_row, 102);
        assert!(bags.blocks() * BLOCK_BITS < 2 * bag_of_row.len(), "{} blocks", bags.blocks());
    }
}
