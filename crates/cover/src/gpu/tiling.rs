//! The table in tiles of 1,024 positions.
//!
//! Two blocks of 512 rows make a tile. Plain rows are divided into consecutive tiles. Bags are in
//! panels of 512 lanes, as tall as the tallest lane. Two adjacent panels make a **stack** of tiles,
//! one tile for each row of the bags.

use super::argument::{NONE, SLOT_WORDS};
use crate::table::{Labels, Layout, Space, TILE_BLOCKS, Table};
use pellucid_bits::{Block, as_u32};
use pellucid_device::Threads;
use std::ops::Range;

/// Marks an empty half of a tile.
const EMPTY: u32 = u32::MAX;
/// The number of blocks of a join: one of inner lanes, and six of reaches.
const JOIN_BLOCKS: usize = 7;
/// The number of pieces per thread when packing, so that no thread waits long for the last one.
const PIECES_PER_THREAD: usize = 4;

/// The assignment of blocks to tiles.
#[derive(Debug)]
pub(super) struct Tiling {
    /// By tile: the blocks of its two halves.
    tiles: Vec<[u32; 2]>,
    stacks: Vec<Stack>,
}

/// A stack of tiles.
#[derive(Clone, Copy, Debug)]
struct Stack {
    first_tile: u32,
    height: u32,
    /// Whether it contains a folded bag.
    folded: bool,
}

/// A range of tiles, and of the stacks they form if there are bags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TileRange {
    pub(super) tiles: Range<usize>,
    pub(super) stacks: Range<usize>,
}

impl Tiling {
    pub(super) fn new(layout: &Layout) -> Tiling {
        let mut tiling = Tiling { tiles: Vec::new(), stacks: Vec::new() };
        match layout {
            Layout::Plain { .. } => {
                let blocks = as_u32(layout.blocks());
                tiling.tiles.extend(
                    (0..blocks)
                        .step_by(2)
                        .map(|block| [block, if block + 1 < blocks { block + 1 } else { EMPTY }]),
                );
            }
            Layout::Bags(bags) => {
                for pair in bags.panels().chunks(2) {
                    let height = pair.iter().map(|panel| panel.height).max().unwrap_or(0);
                    let block = |half: usize, row: usize| match pair.get(half) {
                        Some(panel) if row < panel.height => as_u32(panel.first_block + row),
                        _ => EMPTY,
                    };
                    tiling.stacks.push(Stack {
                        first_tile: as_u32(tiling.tiles.len()),
                        height: as_u32(height),
                        folded: pair.iter().any(|panel| panel.join.is_some()),
                    });
                    tiling.tiles.extend((0..height).map(|row| [block(0, row), block(1, row)]));
                }
            }
        }
        tiling
    }

    pub(super) fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Returns the number of stacks; 0 if there are no bags.
    pub(super) fn stacks(&self) -> usize {
        self.stacks.len()
    }

    /// Returns the range of all tiles.
    pub(super) fn whole(&self) -> TileRange {
        TileRange { tiles: 0..self.len(), stacks: 0..self.stacks() }
    }

    /// Divides a range into ranges of at most `most` tiles. A stack is never divided, however tall
    /// it is.
    pub(super) fn cut(&self, whole: &TileRange, most: usize) -> Vec<TileRange> {
        let most = most.max(1);
        if whole.tiles.len() <= most {
            return vec![whole.clone()];
        }
        if self.stacks.is_empty() {
            let ends = |start: usize| (start + most).min(whole.tiles.end);
            let starts = whole.tiles.clone().step_by(most);
            return starts
                .map(|start| TileRange { tiles: start..ends(start), stacks: 0..0 })
                .collect();
        }
        let mut ranges: Vec<TileRange> = Vec::new();
        for stack in whole.stacks.clone() {
            let Stack { first_tile, height, .. } = self.stacks[stack];
            let end = (first_tile + height) as usize;
            match ranges.last_mut() {
                Some(last) if end - last.tiles.start <= most => {
                    (last.tiles.end, last.stacks.end) = (end, stack + 1);
                }
                _ => ranges
                    .push(TileRange { tiles: first_tile as usize..end, stacks: stack..stack + 1 }),
            }
        }
        ranges
    }

    /// Writes the planes of a range of tiles, tile by tile and plane by plane. Each thread takes
    /// some of the tiles.
    pub(super) fn pack(
        &self,
        threads: &Threads,
        table: &Table,
        tiles: Range<usize>,
        out: &mut [u32],
    ) {
        let words = table.planes() as usize * SLOT_WORDS;
        if words == 0 || tiles.is_empty() {
            return;
        }
        let tiles = &self.tiles[tiles];
        let some = tiles.len().div_ceil(threads.count() * PIECES_PER_THREAD).max(1);
        let out = out.chunks_mut(some * words);
        let mut parts: Vec<(&mut [u32], &[[u32; 2]])> = out.zip(tiles.chunks(some)).collect();
        threads.each(&mut parts, |_, (out, tiles)| {
            for (out, halves) in out.chunks_exact_mut(words).zip(*tiles) {
                pack_tile(table, *halves, out);
            }
        });
    }

    /// Writes one block for each half of a range of tiles.
    fn halves(&self, blocks: &[Block], tiles: Range<usize>, out: &mut Vec<u32>) {
        for &block in self.tiles[tiles].as_flattened() {
            push(blocks.get(block as usize).unwrap_or(&Block::ZERO), out);
        }
    }

    /// Returns which positions of all tiles hold a row. Only bags need this.
    pub(super) fn occupied(&self, layout: &Layout) -> Vec<u32> {
        let mut words = Vec::new();
        if let Some(bags) = layout.bags() {
            self.halves(bags.occupied(), 0..self.len(), &mut words);
        }
        words
    }

    /// Returns the stacks of all bags as the kernel reads them, and their joins.
    pub(super) fn stacks_and_joins(&self, layout: &Layout) -> (Vec<u32>, Vec<u32>) {
        let (mut stacks, mut joins) = (Vec::new(), Vec::new());
        let Some(bags) = layout.bags() else { return (stacks, joins) };
        for (stack, pair) in self.stacks.iter().zip(bags.panels().chunks(2)) {
            let join =
                if stack.folded { as_u32(joins.len() / (JOIN_BLOCKS * SLOT_WORDS)) } else { NONE };
            stacks.extend([stack.first_tile, stack.height, join, 0]);
            if !stack.folded {
                continue;
            }
            for index in 0..JOIN_BLOCKS {
                for half in 0..2 {
                    let join = pair.get(half).and_then(|panel| panel.join.as_ref());
                    let block = join.map_or(&Block::ZERO, |join| match index {
                        0 => &join.inner,
                        _ => &join.reach[index - 1],
                    });
                    push(block, &mut joins);
                }
            }
        }
        (stacks, joins)
    }

    /// Returns the masks of the labels for all tiles, or for all stacks if bags are counted.
    pub(super) fn labels(&self, labels: &Labels) -> Vec<u32> {
        let width = labels.width();
        let halves: Vec<[u32; 2]> = match labels.space() {
            Space::Rows => self.tiles.clone(),
            // The masks of bags have one block per panel.
            Space::Bags => {
                (0..as_u32(self.stacks.len())).map(|stack| [2 * stack, 2 * stack + 1]).collect()
            }
        };
        let masks = labels.masks().from(0);
        let mut words = Vec::with_capacity(halves.len() * width * SLOT_WORDS);
        for halves in halves {
            for mask in 0..width {
                for block in halves {
                    let mask = (block != EMPTY).then(|| masks.get(block as usize * width + mask));
                    push(mask.flatten().unwrap_or(&Block::ZERO), &mut words);
                }
            }
        }
        words
    }

    /// Splits the bits of a range of tiles into blocks of the layout.
    pub(super) fn unpack(&self, tiles: Range<usize>, words: &[u32], blocks: &mut [Block]) {
        let halves = self.tiles[tiles].as_flattened();
        for (&block, words) in halves.iter().zip(words.as_chunks::<{ SLOT_WORDS / 2 }>().0) {
            if let Some(block) = blocks.get_mut(block as usize) {
                let pairs = words.as_chunks::<2>().0;
                for (word, pair) in block.0.iter_mut().zip(pairs) {
                    *word = u64::from(pair[0]) | u64::from(pair[1]) << 32;
                }
            }
        }
    }
}

/// Writes the planes of a tile with these blocks as halves.
fn pack_tile(table: &Table, halves: [u32; 2], out: &mut [u32]) {
    for (half, block) in halves.into_iter().enumerate() {
        let slots = out.chunks_exact_mut(SLOT_WORDS);
        let to = slots.map(|slot| &mut slot[half * SLOT_WORDS / 2..][..SLOT_WORDS / 2]);
        if block == EMPTY {
            to.for_each(|to| to.fill(0));
            continue;
        }
        let tile = table.tile(block as usize / TILE_BLOCKS);
        let offset = block as usize % TILE_BLOCKS;
        let planes = tile.planes(0..table.planes());
        for (to, plane) in to.zip(planes.chunks_exact(tile.height)) {
            write(&plane[offset], to);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the word is split into halves")]
fn write(block: &Block, out: &mut [u32]) {
    for (pair, word) in out.as_chunks_mut::<2>().0.iter_mut().zip(block.0) {
        *pair = [word as u32, (word >> 32) as u32];
    }
}

fn push(block: &Block, out: &mut Vec<u32>) {
    let start = out.len();
    out.resize(start + SLOT_WORDS / 2, 0);
    write(block, &mut out[start..]);
}
