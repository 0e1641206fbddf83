//! Rows as a gradient sees them: in tiles, each of one fold.

use super::layers::{Column, ZERO_COLUMN, ROWS};
use pellucid_bits::FLOATS;
use pellucid_learn::rng::Streams;
use std::ops::Range;

/// Prepared rows in tiles with workspace for [`ROWS`]. Rows of a fold are dealt to its tiles at random, once; workspace that is left over
/// has weight 0.
#[derive(Clone, Debug)]
pub(crate) struct Tiles {
    pub(crate) inputs: usize,
    /// Tile by tile, input by input.
    x: Vec<Column>,
    /// Tile by tile: 1 for rows of the positive class.
    labels: Vec<Column>,
    weights: Vec<Column>,
    /// How many rows each tile has.
    rows: Vec<usize>,
    /// The tiles of each fold.
    folds: Vec<Range<usize>>,
}

/// One tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile<'a> {
    pub(crate) x: &'a [Column],
    pub(crate) labels: &'a Column,
    pub(crate) weights: &'a Column,
    /// Rows that it has, and blocks that hold them.
    pub(crate) rows: usize,
    pub(crate) blocks: usize,
}

/// Some numbers in the places of a tile.
fn column(numbers: impl Iterator<Item = f32>) -> Column {
    let mut column = ZERO_COLUMN;
    let places = column.iter_mut().flat_map(|block| &mut block.0);
    places.zip(numbers).for_each(|(place, number)| *place = number);
    column
}

impl Tiles {
    /// Lays out rows: `columns` by input, `fold` by row. Tiles are full or, where fewer rows than fit in make a step, of about
    /// equally many rows, so that no step hears a to_f32 row.
    pub(crate) fn new(
        columns: &[Vec<f32>],
        positive: &[bool],
        fold: &[u32],
        rows_in_tile: usize,
        streams: Streams,
    ) -> Tiles {
        let rows_in_tile = rows_in_tile.clamp(1, ROWS);
        let folds = fold.iter().map(|&fold| fold as usize + 1).max().unwrap_or(1);
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); folds];
        fold.iter().enumerate().for_each(|(row, &fold)| members[fold as usize].push(row));
        let mut tiles = Tiles {
            inputs: columns.len(),
            x: Vec::new(),
            labels: Vec::new(),
            weights: Vec::new(),
            rows: Vec::new(),
            folds: Vec::with_capacity(folds),
        };
        for (fold, mut rows) in members.into_iter().enumerate() {
            streams.stream(&["tiles".into(), fold.into()]).shuffle(&mut rows);
            let first = tiles.count();
            let (all, count) = (rows.len(), rows.len().div_ceil(rows_in_tile));
            for tile in 0..count {
                let own = match rows_in_tile {
                    ROWS => tile * ROWS..all.min((tile + 1) * ROWS),
                    _ => all * tile / count..all * (tile + 1) / count,
                };
                let rows = &rows[own];
                let of = |numbers: &Vec<f32>| column(rows.iter().map(|&row| numbers[row]));
                tiles.x.extend(columns.iter().map(of));
                let label = |&row: &usize| f32::from(u8::from(positive[row]));
                tiles.labels.push(column(rows.iter().map(label)));
                tiles.weights.push(column(rows.iter().map(|_| 1.0)));
                tiles.rows.push(rows.len());
            }
            tiles.folds.push(first..tiles.count());
        }
        tiles
    }

    fn count(&self) -> usize {
        self.labels.len()
    }

    /// The tiles of all folds but one; all tiles where there is one fold.
    pub(crate) fn without(&self, fold: usize) -> Vec<u32> {
        let kept = |&place: &usize| self.folds.len() < 2 || !self.folds[fold].contains(&place);
        (0..self.count()).filter(kept).map(pellucid_bits::as_u32).collect()
    }

    /// The tiles of a fold.
    pub(crate) fn of_fold(&self, fold: usize) -> Vec<u32> {
        self.folds[fold].clone().map(pellucid_bits::as_u32).collect()
    }

    pub(crate) fn tile(&self, place: u32) -> Tile<'_> {
        let (place, rows) = (place as usize, self.rows[place as usize]);
        Tile {
            x: &self.x[place * self.inputs..][..self.inputs],
            labels: &self.labels[place],
            weights: &self.weights[place],
            rows,
            blocks: rows.div_ceil(FLOATS),
        }
    }
}
