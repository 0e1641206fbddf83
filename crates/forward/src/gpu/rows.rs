//! Inputs on a GPU.

use crate::Inputs;
use crate::inputs::TILE;
use pellucid_bits::BLOCK_BITS;
use pellucid_device::gpu::{Card, CardError, sent};
use std::sync::Arc;

/// The number of rows from which scores are not stored if only the top of all rows is requested.
pub(super) const MANY_ROWS: usize = 4096;
/// The number of rows from which the larger sample is used.
const VERY_MANY_ROWS: usize = 1 << 18;
/// The sizes of the two samples in rows. They are powers of two for sorting; the larger is the maximum that
/// the kernel supports.
const SAMPLES: [usize; 2] = [1024, 2048];

/// Inputs on a GPU.
#[derive(Debug)]
pub(super) struct CardRows<C: Card> {
    pub(super) inputs: Arc<Inputs>,
    /// The tiles, in the same layout as on the CPU.
    pub(super) tiles: C::Memory,
    /// A sample of rows in separate tiles, if there are many rows.
    pub(super) sample: Option<C::Memory>,
    /// One bit per row for each part except the first.
    pub(super) members: C::Memory,
}

impl<C: Card> CardRows<C> {
    /// Copies inputs to a GPU.
    pub(super) fn send(card: &C, inputs: &Arc<Inputs>) -> Result<CardRows<C>, CardError> {
        let words = inputs.tiles().iter().flat_map(|block| block.0.map(f32::to_bits));
        let tiles = sent(card, &words.collect::<Vec<u32>>())?;
        let sample = match sample_rows(inputs.rows()) {
            0 => None,
            rows => Some(sent(card, &sample(inputs, rows))?),
        };
        Ok(CardRows {
            inputs: Arc::clone(inputs),
            tiles,
            sample,
            members: sent(card, &members(inputs))?,
        })
    }

    /// Returns the number of scores per network in memory, including padding after the last row.
    pub(super) fn padded(&self) -> usize {
        padded(&self.inputs)
    }
}

fn padded(inputs: &Inputs) -> usize {
    inputs.tile_count() * TILE
}

/// Returns the size of the sample for a number of rows; 0 for few rows.
pub(super) fn sample_rows(rows: usize) -> usize {
    match rows {
        0..MANY_ROWS => 0,
        MANY_ROWS..VERY_MANY_ROWS => SAMPLES[0],
        _ => SAMPLES[1],
    }
}

/// Returns the features of a sample of evenly spaced rows, in tiles.
fn sample(inputs: &Inputs, rows: usize) -> Vec<u32> {
    let (features, step) = (inputs.features(), inputs.rows() / rows);
    let mut words = vec![0; rows.div_ceil(TILE) * features * TILE];
    for number in 0..rows {
        // The offset within a step varies, in case the rows are periodic.
        let place = number * step + number * 7 % step;
        for feature in 0..features {
            let at = (number / TILE * features + feature) * TILE + number % TILE;
            words[at] = inputs.at(place, feature).to_bits();
        }
    }
    words
}

/// Returns the members of all parts except the first. Each part starts at a new word.
fn members(inputs: &Inputs) -> Vec<u32> {
    let each = padded(inputs) / 32;
    let mut words = vec![0u32; (inputs.parts().len() - 1) * each];
    for (part, words) in inputs.parts().iter().skip(1).zip(words.chunks_exact_mut(each.max(1))) {
        let Some(members) = part.members() else { continue };
        for (block, words) in members.blocks().iter().zip(words.chunks_mut(BLOCK_BITS / 32)) {
            for (place, word) in words.iter_mut().enumerate() {
                // Half of a 64-bit word.
                #[expect(clippy::cast_possible_truncation)]
                let half = (block.0[place / 2] >> (32 * (place % 2))) as u32;
                *word = half;
            }
        }
    }
    words
}
