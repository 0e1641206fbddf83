//! What networks are held against: rows of numbers, each row positive or not.

use pellucid_bits::{Bits, FLOATS, FloatBlock, as_u32};
use thiserror::Error;

/// Rows that lie together: all numbers of a tile are side by side, feature by feature.
pub(crate) const TILE: usize = 64;
/// Blocks of one feature in a tile.
pub(crate) const TILE_BLOCKS: usize = TILE / FLOATS;

/// Why rows cannot be held against networks.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum InputsError {
    /// There is nothing in a row.
    #[error("found no columns; a network needs at least one input")]
    NoColumns,
    /// Too many rows to count in 32 bits.
    #[error("found {0} rows; expected at most {most}", most = Inputs::MOST_ROWS)]
    Rows(usize),
    /// A column, or the marks of the positives or of a part, of another length.
    #[error("{what} has {found} rows; expected {rows}")]
    Length {
        /// What it is.
        what: String,
        /// Its rows.
        found: usize,
        /// The rows of all others.
        rows: usize,
    },
    /// A number that is none.
    #[error("column {column}, row {row}: found {value}; expected a finite number")]
    NotFinite {
        /// The column, from 0.
        column: usize,
        /// The row, from 0.
        row: usize,
        /// What was found.
        value: f32,
    },
}

/// Some of the rows, for which ranks are asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    rows: usize,
    positives: usize,
    /// By place, not by row; all rows, if there are none.
    members: Option<Bits>,
}

impl Part {
    /// How many rows it has.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many of them are positive.
    #[must_use]
    pub fn positives(&self) -> usize {
        self.positives
    }

    /// How many rows a share of it is: `fraction · rows`, rounded down, and at least one. A product that is
    /// whole but for the last digits of a float counts as whole; a fraction outside 0 to 1 counts as the
    /// nearest of the two.
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

    /// Which places are members, where not all are.
    pub(crate) fn members(&self) -> Option<&Bits> {
        self.members.as_ref()
    }

    /// Whether the row at a place is a member.
    pub(crate) fn has(&self, place: usize) -> bool {
        self.members.as_ref().is_none_or(|members| members.get(place))
    }
}

/// Rows of numbers, positives first, feature by feature in tiles, and the parts of them for which ranks are
/// asked.
///
/// Rows come and go in the order of the file; that positives lie first is known to nobody else.
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
    /// `[tile][feature][TILE_BLOCKS]`; zeros behind the last row.
    tiles: Vec<FloatBlock>,
    /// The row at each place.
    order: Vec<u32>,
    /// The place of each row.
    places: Vec<u32>,
    /// The first is all rows.
    parts: Vec<Part>,
}

impl Inputs {
    /// The most rows.
    pub const MOST_ROWS: usize = 1 << 30;

    /// Rows from columns of finite numbers, and which rows are positive.
    ///
    /// # Errors
    /// When there is no column, the lengths differ, or a number is infinite or none.
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
        let all = Part { rows, positives, members: None };
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

    /// Rows of which nobody knows whether they are positive, to be scored.
    ///
    /// # Errors
    /// As [`Inputs::new`].
    pub fn unlabelled(columns: &[Vec<f32>]) -> Result<Inputs, InputsError> {
        Inputs::new(columns, &vec![false; columns.first().map_or(0, Vec::len)])
    }

    /// Rows that lie elsewhere: of each part, the first of which is all of them, how many rows it has and how
    /// many of those are positive. No number of any row is here.
    ///
    /// # Errors
    /// When there are no numbers in a row, or too many rows.
    pub fn elsewhere(features: usize, parts: &[(usize, usize)]) -> Result<Inputs, InputsError> {
        let &(rows, positives) = parts.first().unwrap_or(&(0, 0));
        if features == 0 {
            return Err(InputsError::NoColumns);
        }
        if rows > Inputs::MOST_ROWS {
            return Err(InputsError::Rows(rows));
        }
        let part = |&(rows, positives): &(usize, usize)| Part { rows, positives, members: None };
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

    /// Adds a part of the rows, and gives its number. Part 0 is always there: all rows.
    ///
    /// # Errors
    /// When there is not one mark for each row.
    pub fn add_part(&mut self, members: &[bool]) -> Result<usize, InputsError> {
        if members.len() != self.rows {
            let what = format!("part {}", self.parts.len());
            return Err(InputsError::Length { what, found: members.len(), rows: self.rows });
        }
        let mut bits = Bits::zeros(self.rows);
        let mut part = Part { rows: 0, positives: 0, members: None };
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

    /// How many numbers a row has.
    #[must_use]
    pub fn features(&self) -> usize {
        self.features
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many rows are positive.
    #[must_use]
    pub fn positives(&self) -> usize {
        self.positives
    }

    /// The parts for which ranks can be asked; the first is all rows.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// A part.
    ///
    /// # Panics
    /// When there is no such part.
    #[must_use]
    pub fn part(&self, part: usize) -> &Part {
        &self.parts[part]
    }

    /// The numbers of a row of the file.
    ///
    /// # Panics
    /// When there is no such row, or it lies elsewhere.
    #[must_use]
    pub fn row(&self, row: usize) -> Vec<f32> {
        (0..self.features).map(|feature| self.at(self.places[row] as usize, feature)).collect()
    }

    /// A number of the row at a place.
    pub(crate) fn at(&self, place: usize, feature: usize) -> f32 {
        let block = (place / TILE * self.features + feature) * TILE_BLOCKS + place % TILE / FLOATS;
        self.tiles[block].0[place % FLOATS]
    }

    /// How many tiles there are.
    pub(crate) fn tile_count(&self) -> usize {
        self.rows.div_ceil(TILE)
    }

    /// All numbers: `[tile][feature][TILE_BLOCKS]`.
    pub(crate) fn tiles(&self) -> &[FloatBlock] {
        &self.tiles
    }

    /// Something for each place, as it is for each row of the file. Rows that lie elsewhere have no other
    /// order.
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
        fn rows_come_back_as_they_were(
            positive in prop::collection::vec(any::<bool>(), 0..200),
            features in 1usize..5,
            step in 1usize..7,
        ) {
            // Distinct numbers, so that none can stand for another.
            let column = |feature: usize| (0..positive.len()).map(|row| (row * 8 + feature) as f32).collect();
            let columns: Vec<Vec<f32>> = (0..features).map(column).collect();
            let mut inputs = Inputs::new(&columns, &positive).expect("inputs");
            let members: Vec<bool> = (0..positive.len()).map(|row| row % step == 0).collect();
            let number = inputs.add_part(&members).expect("a part");
            let part = inputs.part(number);
            prop_assert_eq!(part.rows(), positive.len().div_ceil(step));
            prop_assert_eq!(part.positives(), positive.iter().step_by(step).filter(|&&positive| positive).count());
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
    fn what_is_no_row_is_refused() {
        let message = |columns: &[Vec<f32>], positive: &[bool]| {
            Inputs::new(columns, positive).expect_err("no rows").to_string()
        };
        assert_eq!(message(&[], &[true]), "found no columns; a network needs at least one input");
        assert_eq!(message(&[vec![1.0], vec![]], &[true]), "column 1 has 0 rows; expected 1");
        assert_eq!(
            message(&[vec![1.0, f32::NAN]], &[true, false]),
            "column 0, row 1: found NaN; expected a finite number"
        );
        let mut inputs = Inputs::unlabelled(&[vec![1.0, 2.0]]).expect("rows");
        assert_eq!(
            inputs.add_part(&[true]).expect_err("one mark").to_string(),
            "part 1 has 1 rows; expected 2"
        );
    }

    #[test]
    fn a_share_is_what_a_person_means() {
        let part = |rows| Part { rows, positives: 0, members: None };
        assert_eq!(part(100).share(0.29), 29);
        assert_eq!(part(94_682).share(0.2), 18_936);
        assert_eq!((part(3).share(0.2), part(3).share(7.0), part(3).share(f64::NAN)), (1, 3, 3));
    }
}
