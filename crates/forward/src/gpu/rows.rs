//! Inputs on a card.

use crate::Inputs;
use crate::inputs::TILE;
use pellucid_bits::BLOCK_BITS;
use pellucid_device::gpu::{Card, CardError, sent};
use std::sync::Arc;

/// Rows from which on scores are not written where only the top of all rows is asked for.
pub(super) const MANY_ROWS: usize = 4096;
/// Rows from which on the sample is the larger one.
const VERY_MANY_ROWS: usize = 1 << 18;
/// Rows of the two samples: powers of two, since they are sorted; the larger is the most that the kernel takes.
const SAMPLES: [usize; 2] = [1024, 2048];

/// Inputs on a card.
#[derive(Debug)]
pub(super) struct CardRows<C: Card> {
    pub(super) inputs: Arc<Inputs>,
    /// As the processor has them.
    pub(super) tiles: C::Memory,
    /// Some rows in tiles of their own, where there are many.
    pub(super) sample: Option<C::Memory>,
    /// For each part but the first a bit for each place.
    pub(super) members: C::Memory,
}

impl<C: Card> CardRows<C> {
    /// Sends inputs.
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

    /// Scores of one network in memory, with those behind the last row.
    pub(super) fn padded(&self) -> usize {
        padded(&self.inputs)
    }
}

fn padded(inputs: &Inputs) -> usize {
    inputs.tile_count() * TILE
}

/// How large the sample of so many rows is; none for few.
pub(super) fn sample_rows(rows: usize) -> usize {
    match rows {
        0..MANY_ROWS => 0,
        MANY_ROWS..VERY_MANY_ROWS => SAMPLES[0],
        _ => SAMPLES[1],
    }
}

/// The numbers of so many rows, evenly drawn, in tiles.
fn sample(inputs: &Inputs, rows: usize) -> Vec<u32> {
    let (features, step) = (inputs.features(), inputs.rows() / rows);
    let mut words = vec![0; rows.div_ceil(TILE) * features * TILE];
    for number in 0..rows {
        // Not always at the same place of a step, should the rows repeat themselves.
        let place = number * step + number * 7 % step;
        for feature in 0..features {
            let at = (number / TILE * features + feature) * TILE + number % TILE;
            words[at] = inputs.at(place, feature).to_bits();
        }
    }
    words
}

/// The members of all parts but the first, each from a word of its own on.
fn members(inputs: &Inputs) -> Vec<u32> {
    let each = padded(inputs) / 32;
    let mut words = vec![0u32; (inputs.parts().len() - 1) * each];
    for (part, words) in inputs.parts().iter().skip(1).zip(words.chunks_exact_mut(each.max(1))) {
        let Some(members) = part.members() else { continue };
        for (block, words) in members.blocks().iter().zip(words.chunks_mut(BLOCK_BITS / 32)) {
            for (place, word) in words.iter_mut().enumerate() {
                // Half of a word.
                #[expect(clippy::cast_possible_truncation)]
                let half = (block.0[place / 2] >> (32 * (place % 2))) as u32;
                *word = half;
            }
        }
    }
    words
}
