//! The rows that networks score, each positive or negative.

use pellucid_bits::{Bits, FLOATS, FloatBlock, as_u32};
use thiserror::Error;

/// The number of rows in a tile; the numbers of a tile are stored feature by feature.
pub(crate) const TILE: usize = 64;
/// The number of blocks of one feature in a tile.
pub(crate) const TILE_BLOCKS: usize = TILE / FLOATS;

/// The reason why rows cannot be used.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum InputsError {
    /// There are no columns.
    #[error("found no column; expected at least one")]
    NoColumns,
    /// Too many rows to count in 32 bits.
    #[error("found {0} rows; expected at most {most}", most = Inputs::MOST_ROWS)]
    Rows(usize),
    /// A column, the labels or a part have a different length.
    #[error("{what} has {found} rows; expected {rows}")]
    Length {
        /// The name of the list.
        what: String,
        /// Its length.
        found: usize,
        /// The expected length.
        rows: usize,
    },
    /// A number is not finite.
    #[error("column {column}, row {row}: found {value}; expected a finite number")]
    NotFinite {
        /// The column, from 0.
        column: usize,
        /// The row, from 0.
        row: usize,
        /// The number found.
        value: f32,
    },
}

/// A part of the rows for which ranks can be requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPart {
    rows: usize,
    positives: usize,
    /// The members by position, not by row; `None` for all rows.
    members: Option<Bits>,
}

impl RowPart {
    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of positive rows.
    #[must_use]
    pub fn positives(&self) -> usize {
        self.positives
    }

    /// Returns the number of rows for a fraction: `fraction · rows`, rounded down, and at least 1.
    /// A product that is an integer up to rounding errors counts as that integer. A fraction
    /// outside of 0 to 1 is clamped.
    #[must_use]
    pub fn share(&self, fraction: f64) -> usize {
        let part =
            if fraction.is_nan() { 1.0 } else { fraction.clamp(0.0, 1.0) } * self.rows as f64;
        let whole = if (part - part.round()).abs() <= 1e-9 * self.rows as f64 {
            part.round()
        } else {
            part.floor()
        };
        // At most the number of rows.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let rows = whole as usize;
        rows.max(1)
    }

    /// Returns the positions of the members, or `None` if all rows are members.
    pub(crate) fn members(&self) -> Option<&Bits> {
        self.members.as_ref()
    }

    /// Whether the row at a position is a member.
    pub(crate) fn has(&self, place: usize) -> bool {
        self.members.as_ref().is_none_or(|members| members.get(place))
    }
}

/// Rows of numbers, and the parts of them for which ranks can be requested.
///
/// Rows are stored in tiles, feature by feature, with positives first. The API uses the order of
/// the file; the internal order is not visible.
///
/// ```
/// use pellucid_forward::Inputs;
/// let columns = [vec![0.5, 1.5, 2.5], vec![7.0, 8.0, 9.0]];
/// let mut inputs = Inputs::new(&columns, &[false, true, false])?;
/// let half = inputs.add_part(&[true, true, false])?;
/// assert_eq!((inputs.part(0).rows(), inputs.part(half).rows()), (3, 2));
/// assert_eq!(inputs.row(1), [1.5, 8.0]);
/// # Ok::<(), pellucid_forward::InputsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inputs {
    features: usize,
    rows: usize,
    positives: usize,
    /// `[tile][feature][TILE_BLOCKS]`; padded with zeros after the last row.
    tiles: Vec<FloatBlock>,
    /// The row at each position.
    order: Vec<u32>,
    /// The position of each row.
    places: Vec<u32>,
    /// The parts; the first one has all rows.
    parts: Vec<RowPart>,
}

impl Inputs {
    /// The maximum number of rows.
    pub const MOST_ROWS: usize = 1 << 30;

    /// Creates rows from columns of finite numbers and labels.
    ///
    /// # Errors
    /// When there is no column, the lengths differ, or a number is not finite.
    pub fn new(columns: &[Vec<f32>], positive: &[bool]) -> Result<Inputs, InputsError> {
        let rows = positive.len();
        if columns.is_empty() {
            return Err(InputsError::NoColumns);
        }
        if rows > Inputs::MOST_ROWS {
            return Err(InputsError::Rows(rows));
        }
        for (number, column) in columns.iter().enumerate() {
            if column.len() != rows {
                let what = format!("column {number}");
                return Err(InputsError::Length { what, found: column.len(), rows });
            }
            if let Some(row) = column.iter().position(|value| !value.is_finite()) {
                return Err(InputsError::NotFinite { column: number, row, value: column[row] });
            }
        }
        let mut order: Vec<u32> = Vec::with_capacity(rows);
        for wanted in [true, false] {
            let of = positive.iter().enumerate().filter(|&(_, &is)| is == wanted);
            of.for_each(|(row, _)| order.push(as_u32(row)));
        }
        let positives = positive.iter().filter(|&&is| is).count();
        let mut places = vec![0; rows];
        order.iter().enumerate().for_each(|(place, &row)| places[row as usize] = as_u32(place));
        let mut tiles = vec![FloatBlock::ZERO; rows.div_ceil(TILE) * columns.len() * TILE_BLOCKS];
        let per_tile = columns.len() * TILE_BLOCKS;
        for (tile, rows) in tiles.chunks_exact_mut(per_tile).zip(order.chunks(TILE)) {
            for (blocks, column) in tile.chunks_exact_mut(TILE_BLOCKS).zip(columns) {
                for (block, rows) in blocks.iter_mut().zip(rows.chunks(FLOATS)) {
                    for (to, &row) in block.0.iter_mut().zip(rows) {
                        *to = column[row as usize];
                    }
                }
            }
        }
        let all = RowPart { rows, positives, members: None };
        Ok(Inputs {
            features: columns.len(),
            rows,
            positives,
            tiles,
            order,
            places,
            parts: vec![all],
        })
    }

    /// Creates rows without labels, to be scored.
    ///
    /// # Errors
    /// As [`Inputs::new`].
    pub fn unlabelled(columns: &[Vec<f32>]) -> Result<Inputs, InputsError> {
        Inputs::new(columns, &vec![false; columns.first().map_or(0, Vec::len)])
    }

    /// Describes remote rows by the numbers of rows and of positive rows of each part; the first
    /// part has all rows.
    ///
    /// # Errors
    /// When there are no features, or too many rows.
    pub fn elsewhere(features: usize, parts: &[(usize, usize)]) -> Result<Inputs, InputsError> {
        let &(rows, positives) = parts.first().unwrap_or(&(0, 0));
        if features == 0 {
            return Err(InputsError::NoColumns);
        }
        if rows > Inputs::MOST_ROWS {
            return Err(InputsError::Rows(rows));
        }
        let part = |&(rows, positives): &(usize, usize)| RowPart { rows, positives, members: None };
        Ok(Inputs {
            features,
            rows,
            positives,
            tiles: Vec::new(),
            order: Vec::new(),
            places: Vec::new(),
            parts: parts.iter().map(part).collect(),
        })
    }

    /// Adds a part of the rows and returns its number. Part 0 always has all rows.
    ///
    /// # Errors
    /// When the number of flags differs from the number of rows.
    pub fn add_part(&mut self, members: &[bool]) -> Result<usize, InputsError> {
        if members.len() != self.rows {
            let what = format!("part {}", self.parts.len());
            return Err(InputsError::Length { what, found: members.len(), rows: self.rows });
        }
        let mut bits = Bits::zeros(self.rows);
        let mut part = RowPart { rows: 0, positives: 0, members: None };
        for (place, &row) in self.order.iter().enumerate() {
            if members[row as usize] {
                bits.set(place);
                part.rows += 1;
                part.positives += usize::from(place < self.positives);
            }
        }
        part.members = Some(bits);
        self.parts.push(part);
        Ok(self.parts.len() - 1)
    }

    /// Returns the number of features.
    #[must_use]
    pub fn features(&self) -> usize {
        self.features
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of positive rows.
    #[must_use]
    pub fn positives(&self) -> usize {
        self.positives
    }

    /// Returns the parts; the first one has all rows.
    #[must_use]
    pub fn parts(&self) -> &[RowPart] {
        &self.parts
    }

    /// Returns a part.
    ///
    /// # Panics
    /// When there is no such part.
    #[must_use]
    pub fn part(&self, part: usize) -> &RowPart {
        &self.parts[part]
    }

    /// Returns the numbers of a row, by its number in the file.
    ///
    /// # Panics
    /// When there is no such row, or it is remote.
    #[must_use]
    pub fn row(&self, row: usize) -> Vec<f32> {
        (0..self.features).map(|feature| self.at(self.places[row] as usize, feature)).collect()
    }

    /// Returns a number of the row at a position.
    pub(crate) fn at(&self, place: usize, feature: usize) -> f32 {
        let block = (place / TILE * self.features + feature) * TILE_BLOCKS + place % TILE / FLOATS;
        self.tiles[block].0[place % FLOATS]
    }

    /// Returns the number of tiles.
    pub(crate) fn tile_count(&self) -> usize {
        self.rows.div_ceil(TILE)
    }

    /// Returns all numbers as `[tile][feature][TILE_BLOCKS]`.
    pub(crate) fn tiles(&self) -> &[FloatBlock] {
        &self.tiles
    }

    /// Reorders values from positions to the order of the file. Remote rows have no other order.
    pub(crate) fn in_file_order<T: Copy>(&self, by_place: Vec<T>) -> Vec<T> {
        match self.places.is_empty() {
            true => by_place,
            false => self.places.iter().map(|&place| by_place[place as usize]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_read_back(
            positive in prop::collection::vec(any::<bool>(), 0..200),
            features in 1usize..5,
            step in 1usize..7,
        ) {
            // Distinct numbers, so that mistakes show.
            let column = |feature: usize| {
                (0..positive.len()).map(|row| (row * 8 + feature) as f32).collect()
            };
            let columns: Vec<Vec<f32>> = (0..features).map(column).collect();
            let mut inputs = Inputs::new(&columns, &positive).expect("inputs");
            let members: Vec<bool> = (0..positive.len()).map(|row| row % step == 0).collect();
            let number = inputs.add_part(&members).expect("a part");
            let part = inputs.part(number);
            prop_assert_eq!(part.rows(), positive.len().div_ceil(step));
            let positives = positive.iter().step_by(step).filter(|&&positive| positive).count();
            prop_assert_eq!(part.positives(), positives);
            for row in 0..positive.len() {
                let expected: Vec<f32> = columns.iter().map(|column| column[row]).collect();
                prop_assert_eq!(inputs.row(row), expected);
                let place = inputs.places[row] as usize;
                prop_assert_eq!(place < inputs.positives(), positive[row]);
                prop_assert_eq!(part.has(place), members[row]);
            }
            let firsts: Vec<f32> = (0..positive.len()).map(|place| inputs.at(place, 0)).collect();
            prop_assert_eq!(&inputs.in_file_order(firsts), &columns[0]);
        }
    }

    #[test]
    fn invalid_rows_are_rejected() {
        let error = |columns: &[Vec<f32>], positive: &[bool]| {
            Inputs::new(columns, positive).expect_err("no rows").to_string()
        };
        assert_eq!(error(&[], &[true]), "found no column; expected at least one");
        assert_eq!(error(&[vec![1.0], vec![]], &[true]), "column 1 has 0 rows; expected 1");
        assert_eq!(
            error(&[vec![1.0, f32::NAN]], &[true, false]),
            "column 0, row 1: found NaN; expected a finite number"
        );
        let mut inputs = Inputs::unlabelled(&[vec![1.0, 2.0]]).expect("rows");
        assert_eq!(
            inputs.add_part(&[true]).expect_err("one mark").to_string(),
            "part 1 has 1 rows; expected 2"
        );
    }

    #[test]
    fn a_share_is_rounded_as_expected() {
        let part = |rows| RowPart { rows, positives: 0, members: None };
        assert_eq!(part(100).share(0.29), 29);
        assert_eq!(part(94_682).share(0.2), 18_936);
        assert_eq!((part(3).share(0.2), part(3).share(7.0), part(3).share(f64::NAN)), (1, 3, 3));
    }
}
