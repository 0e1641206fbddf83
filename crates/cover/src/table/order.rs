use crate::table::Layout;
use pellucid_bits::{BLOCK_BITS, BitRows, Block, blocks_for};
use pellucid_device::Threads;

/// The number of bits in a word.
const WORD_BITS: usize = 64;

/// Reorders bits from layout order to row order. Each thread takes one root at a time.
pub(crate) fn in_row_order(
    threads: &Threads,
    layout: &Layout,
    bits: Vec<Block>,
    roots: usize,
) -> BitRows {
    let (rows, positions) = match layout {
        Layout::Plain { rows } => return BitRows::from_blocks(bits, roots, *rows),
        Layout::Bags(bags) => (layout.rows(), bags.row_positions()),
    };
    let mut ordered = vec![Block::ZERO; roots * blocks_for(rows)];
    if rows > 0 {
        let from = bits.chunks_exact(layout.blocks());
        let to = ordered.chunks_exact_mut(blocks_for(rows));
        let mut both: Vec<(&[Block], &mut [Block])> = from.zip(to).collect();
        threads.each(&mut both, |_, (from, to)| gather(from, positions, to));
    }
    BitRows::from_blocks(ordered, roots, rows)
}

/// Writes bit `positions[i]` of `from` to bit `i` of `to`. Each word is assembled in a register
/// without branches before it is written.
fn gather(from: &[Block], positions: &[u32], to: &mut [Block]) {
    let words = to.iter_mut().flat_map(|block| &mut block.0);
    for (word, positions) in words.zip(positions.chunks(WORD_BITS)) {
        let bit = |position: u32| {
            let position = position as usize;
            from[position / BLOCK_BITS].0[position % BLOCK_BITS / WORD_BITS]
                >> (position % WORD_BITS)
                & 1
        };
        let bits = (0..).zip(positions).map(|(shift, &position)| bit(position) << shift);
        *word = bits.fold(0, |word, bit: u64| word | bit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use pellucid_data::Values;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_bit_moves_to_its_row(
            seed: u64,
            bags in prop::collection::vec(0u32..9, 0..700),
            roots in 0usize..4,
        ) {
            // Bags are numbered without gaps, in order of first occurrence.
            let mut seen: Vec<u32> = Vec::new();
            let of_row: Vec<u32> = bags.iter().map(|bag| {
                let index = seen.iter().position(|known| known == bag);
                u32::try_from(index.unwrap_or_else(|| { seen.push(*bag); seen.len() - 1 })).unwrap()
            }).collect();
            let column = ("x".to_owned(), Values::Numeric(vec![0.0; of_row.len()].into()));
            let table = Table::with_bags(vec![column], &of_row).unwrap();
            let layout = table.layout();
            let mut draw = seed;
            let mut bits = vec![Block::ZERO; roots * layout.blocks()];
            for word in bits.iter_mut().flat_map(|block| &mut block.0) {
                draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *word = draw ^ draw >> 29;
            }
            let ordered = in_row_order(&Threads::callers(), layout, bits.clone(), roots);
            for root in 0..roots {
                for row in 0..of_row.len() {
                    let position = root * layout.blocks() * BLOCK_BITS + layout.position(row);
                    let expected = bits[position / BLOCK_BITS].get(position % BLOCK_BITS);
                    prop_assert_eq!(ordered.get(root, row), expected);
                }
            }
        }
    }
}
