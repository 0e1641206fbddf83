//! Rows in tiles for gradient training; each tile belongs to one fold.

use super::layers::{Column, ROWS, ZERO_COLUMN};
use pellucid_bits::FLOATS;
use pellucid_learn::rng::Streams;
use std::ops::Range;

/// Prepared rows in tiles of up to [`ROWS`] rows. The rows of a fold are assigned to its tiles at
/// random, once. Unused positions have weight 0.
#[derive(Clone, Debug)]
pub(crate) struct Tiles {
    pub(crate) inputs: usize,
    /// The inputs, tile by tile.
    x: Vec<Column>,
    /// The number of outputs.
    outputs: usize,
    /// The labels of each output, tile by tile.
    labels: Vec<Column>,
    weights: Vec<Column>,
    /// The number of rows in each tile.
    rows: Vec<usize>,
    /// The tiles of each fold.
    folds: Vec<Range<usize>>,
}

/// One tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile<'a> {
    pub(crate) x: &'a [Column],
    /// The labels of each output: 1 for rows of its class, or the number.
    pub(crate) labels: &'a [Column],
    pub(crate) weights: &'a Column,
    /// The number of rows, and of the blocks that contain them.
    pub(crate) rows: usize,
    pub(crate) blocks: usize,
}

/// Stores numbers as a column of a tile.
fn column(numbers: impl Iterator<Item = f32>) -> Column {
    let mut column = ZERO_COLUMN;
    let places = column.iter_mut().flat_map(|block| &mut block.0);
    places.zip(numbers).for_each(|(place, number)| *place = number);
    column
}

/// Returns the labels of the output for two classes.
pub(crate) fn labels(positive: &[bool]) -> Vec<f32> {
    positive.iter().map(|&positive| f32::from(u8::from(positive))).collect()
}

impl Tiles {
    /// Lays out rows; `columns` is by input, `labels` by output and `fold` by row. Tiles are full. If a
    /// batch is smaller than a tile, tiles have about equal numbers of rows, so that no batch consists of a
    /// single row.
    pub(crate) fn new(
        columns: &[Vec<f32>],
        labels: &[Vec<f32>],
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
            outputs: labels.len(),
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
                tiles.labels.extend(labels.iter().map(of));
                tiles.weights.push(column(rows.iter().map(|_| 1.0)));
                tiles.rows.push(rows.len());
            }
            tiles.folds.push(first..tiles.count());
        }
        tiles
    }

    fn count(&self) -> usize {
        self.weights.len()
    }

    /// Returns the tiles of all folds but one, or all tiles if there is only one fold.
    pub(crate) fn without(&self, fold: usize) -> Vec<u32> {
        let kept = |&place: &usize| self.folds.len() < 2 || !self.folds[fold].contains(&place);
        (0..self.count()).filter(kept).map(pellucid_bits::as_u32).collect()
    }

    /// Returns the tiles of a fold.
    pub(crate) fn of_fold(&self, fold: usize) -> Vec<u32> {
        self.folds[fold].clone().map(pellucid_bits::as_u32).collect()
    }

    pub(crate) fn tile(&self, place: u32) -> Tile<'_> {
        let (place, rows) = (place as usize, self.rows[place as usize]);
        Tile {
            x: &self.x[place * self.inputs..][..self.inputs],
            labels: &self.labels[place * self.outputs..][..self.outputs],
            weights: &self.weights[place],
            rows,
            blocks: rows.div_ceil(FLOATS),
        }
    }
}
