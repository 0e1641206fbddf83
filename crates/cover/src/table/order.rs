use crate::table::Layout;
use pellucid_bits::{BLOCK_BITS, BitRows, Block};

/// From the order of the layout to the order of the rows.
pub(crate) fn in_row_order(layout: &Layout, bits: Vec<Block>, roots: usize) -> BitRows {
    match layout {
        Layout::Plain { rows } => BitRows::from_blocks(bits, roots, *rows),
        Layout::Bags(_) => {
            let mut ordered = BitRows::zeros(roots, layout.rows());
            for root in 0..roots {
                let bits = &bits[root * layout.blocks()..(root + 1) * layout.blocks()];
                for row in 0..layout.rows() {
                    let position = layout.position(row);
                    if bits[position / BLOCK_BITS].get(position % BLOCK_BITS) {
                        ordered.set(root, row);
                    }
                }
            }
            ordered
        }
    }
}
