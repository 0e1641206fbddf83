use super::fold::{WORD_LANES, best_height, lanes};
use pellucid_bits::{BLOCK_BITS, Block, as_u32};

/// Rows grouped into bags, slot-major: the first rows of 512 bags lie side by side, then their second rows,
/// and so on.
///
/// Whether any row of a bag is covered is then an OR of whole blocks, and counting covered rows is bit-sliced
/// addition, 512 bags at a time; no loop over single bags exists.
///
/// In detail: a **lane** is a column of rows of one bag. Lanes are sorted by height and cut into **panels**
/// of 512, and a panel is as tall as its tallest lane, so ragged bags waste little. A bag much larger than
/// the others is *folded* into up to 64 lanes of one 64-bit word, and the lanes are joined at the end; its
/// last lane is where the bag's result lies. Which height is best is computed from the sizes. Bags of one row
/// to a thousand thus cost about their rows; the worst case, a single huge bag, costs eight times its rows.
#[derive(Clone, Debug)]
pub struct Bags {
    panels: Vec<Panel>,
    bag_of_row: Vec<u32>,
    row_positions: Vec<u32>,
    bag_positions: Vec<u32>,
    occupied: Vec<Block>,
}

/// 512 lanes side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// The number of its first block of rows; its `j`-th block holds the `j`-th row of every lane.
    pub first_block: usize,
    /// How many blocks it has: the height of its tallest lane.
    pub height: usize,
    /// `Some` where a bag has more than one lane.
    pub join: Option<Join>,
}

/// Where the lanes of folded bags meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// Every lane of a folded bag but its last.
    pub inner: Block,
    /// Bit `lane` of the `i`-th: lane `lane - 2^i` belongs to the same bag.
    pub reach: [Block; 6],
}

impl Bags {
    /// Lays out rows of which the `r`-th belongs to bag `bag_of_row[r]`; every bag below `bags` must have a
    /// row.
    pub(super) fn new(bag_of_row: &[u32], bags: usize) -> Bags {
        let mut sizes = vec![0usize; bags];
        bag_of_row.iter().for_each(|&bag| sizes[bag as usize] += 1);
        let height = best_height(&sizes);

        let mut order: Vec<u32> = (0..bags).map(as_u32).collect();
        order.sort_by_key(|&bag| std::cmp::Reverse(lanes(sizes[bag as usize], height).1));

        // A bag's first lane, counted over all panels; its lanes do not cross a word.
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
        Bags { panels, bag_of_row: bag_of_row.to_vec(), row_positions, bag_positions, occupied }
    }

    /// How many bags there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bag_positions.len()
    }

    /// Whether there is no bag.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bag_positions.is_empty()
    }

    /// The bag of a row.
    #[must_use]
    pub fn bag_of(&self, row: usize) -> u32 {
        self.bag_of_row[row]
    }

    /// The panels, in the order of their blocks.
    #[must_use]
    pub fn panels(&self) -> &[Panel] {
        &self.panels
    }

    /// Which positions hold a row; the others are padding and must never count.
    #[must_use]
    pub fn occupied(&self) -> &[Block] {
        &self.occupied
    }

    /// The place of each bag's result among the lanes of all panels.
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
        fn every_row_has_a_place_of_its_own_in_a_lane_of_its_bag(
            sizes in prop::collection::vec(prop_oneof![4 => 1usize..6, 2 => 1usize..90, 1 => 200usize..1045], 1..60),
        ) {
            let bag_of_row: Vec<u32> = (0u32..).zip(&sizes).flat_map(|(bag, &size)| vec![bag; size]).collect();
            let bags = Bags::new(&bag_of_row, sizes.len());

            let mut seen = vec![Block::ZERO; bags.blocks()];
            for (&position, &bag) in bags.row_positions().iter().zip(&bag_of_row) {
                let (block, lane) = (position as usize / BLOCK_BITS, position as usize % BLOCK_BITS);
                prop_assert!(!seen[block].get(lane), "two rows in one place");
                seen[block].set(lane);
                let panel = bags.panels.iter().rposition(|panel| panel.first_block <= block).unwrap();
                prop_assert!(block < bags.panels[panel].first_block + bags.panels[panel].height);
                // From any lane, stepping up while the next lane reaches back to this one ends at the bag's
                // place.
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
        let bags = Bags::new(&bag_of_row, 102);
        assert!(bags.blocks() * BLOCK_BITS < 2 * bag_of_row.len(), "{} blocks", bags.blocks());
    }
}
