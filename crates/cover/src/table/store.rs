use super::bags::BagLayout;
use super::column::Column;
use super::layout::Layout;
use super::rank::{RankedColumn, rank, rank_within};
use pellucid_bits::{BLOCK_BITS, Bits, Block, as_u32, planes_of_64};
use pellucid_data::{MISSING, Values};
use pellucid_device::Threads;
use pellucid_program::{Domain, Schema};
use std::ops::Range;
use thiserror::Error;

/// The number of blocks in a full tile.
pub const TILE_BLOCKS: usize = 8;
/// The number of rows in a full tile.
pub const TILE_ROWS: usize = TILE_BLOCKS * BLOCK_BITS;

/// A table: columns as bit planes, in tiles of rows.
///
/// ```
/// use pellucid_cover::Table;
/// use pellucid_data::Values;
/// let table = Table::new(vec![
///     ("age".into(), Values::Numeric(vec![31.0, 47.0, f64::NAN].into())),
///     ("smoker".into(), Values::Boolean(vec![Some(true), Some(false), Some(true)])),
/// ])?;
/// assert_eq!(table.rows(), 3);
/// assert_eq!(table.number(1, 0), Some(47.0));
/// assert_eq!(table.number(2, 0), None);
/// # Ok::<(), pellucid_cover::TableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
    layout: Layout,
    planes: u32,
    blocks: Vec<Block>,
}

/// A tile of a table: all planes of a few blocks of rows.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a> {
    /// The index of its first block of rows.
    pub first_block: usize,
    /// The number of blocks of rows: [`TILE_BLOCKS`], or fewer in the last tile.
    pub height: usize,
    planes: &'a [Block],
}

impl<'a> Tile<'a> {
    /// Returns the blocks of a range of planes, plane by plane, [`Tile::height`] blocks each.
    #[must_use]
    #[inline(always)]
    pub fn planes(&self, planes: Range<u32>) -> &'a [Block] {
        &self.planes[planes.start as usize * self.height..planes.end as usize * self.height]
    }

    /// Returns the blocks of one plane.
    #[must_use]
    pub fn plane(&self, plane: u32) -> &'a [Block] {
        self.planes(plane..plane + 1)
    }
}

/// The reason why a table or its labels cannot be built.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TableError {
    /// The columns have different lengths.
    #[error("column '{column}' has {found} values, but the table has {expected} rows")]
    Ragged {
        /// The name of the column.
        column: String,
        /// The number of values in the column.
        found: usize,
        /// The length of the first column, or of the grouping into bags.
        expected: usize,
    },
    /// Two columns have the same name.
    #[error("two columns are named '{0}'")]
    Duplicate(String),
    /// A value is invalid.
    #[error("column '{column}': {reason}")]
    Codes {
        /// The name of the column.
        column: String,
        /// What was found and what was expected.
        reason: String,
    },
    /// There are too many rows.
    #[error(
        "too many rows: {rows} rows take up to {places} positions with padding; the limit is 2147483647"
    )]
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The maximum number of positions they take, including padding.
        places: usize,
    },
    /// A bag has no rows.
    #[error("bag {0} has no rows; bags are numbered from 0 without gaps")]
    EmptyBag(usize),
    /// Bag labels were given for a table without bags.
    #[error("bag labels were given for a table without bags")]
    NoBags,
    /// The labels have no classes.
    #[error("labels need at least one class")]
    NoClasses,
    /// The number of labels is wrong.
    #[error("found {found} labels; expected {expected} (the number of {what})")]
    LabelCount {
        /// Rows or bags.
        what: &'static str,
        /// The number of labels found.
        found: usize,
        /// The number of labels expected.
        expected: usize,
    },
    /// A class code is out of range.
    #[error("example {example} has class code {code}; expected a code below {classes}")]
    LabelCode {
        /// The index of the example.
        example: usize,
        /// Its class code.
        code: u32,
        /// The number of classes.
        classes: usize,
    },
}

impl Table {
    /// Returns the columns that programs over this table may use.
    #[must_use]
    pub fn schema(&self) -> Schema {
        Schema::new(self.columns().iter().map(|column| (column.name(), column.domain().kind())))
    }

    /// Builds a table of plain rows from named columns of equal length. Uses only the calling
    /// thread.
    ///
    /// # Errors
    /// When lengths differ, a name occurs twice, a nominal code has no category, or there are too
    /// many rows.
    pub fn new(columns: Vec<(String, Values)>) -> Result<Table, TableError> {
        Table::new_on(&Threads::callers(), columns)
    }

    /// Does the same as [`Table::new`] on several threads. Each thread ranks one column at a time.
    ///
    /// # Errors
    /// As [`Table::new`].
    pub fn new_on(threads: &Threads, columns: Vec<(String, Values)>) -> Result<Table, TableError> {
        let layout = Table::plain(&columns)?;
        Table::build(threads, columns, layout, &|_, values| rank(values))
    }

    /// Builds a table whose row `r` belongs to bag `bag_of_row[r]`. Bags are numbered from 0
    /// without gaps. Uses only the calling thread.
    ///
    /// # Errors
    /// As [`Table::new`], and when a bag has no rows.
    pub fn with_bags(
        columns: Vec<(String, Values)>,
        bag_of_row: &[u32],
    ) -> Result<Table, TableError> {
        Table::with_bags_on(&Threads::callers(), columns, bag_of_row)
    }

    /// Does the same as [`Table::with_bags`] on several threads. Each thread ranks one column at a
    /// time.
    ///
    /// # Errors
    /// As [`Table::with_bags`].
    pub fn with_bags_on(
        threads: &Threads,
        columns: Vec<(String, Values)>,
        bag_of_row: &[u32],
    ) -> Result<Table, TableError> {
        let layout = Table::grouped(bag_of_row)?;
        Table::build(threads, columns, layout, &|_, values| rank(values))
    }

    /// Builds a table in the ranks of another table.
    pub(super) fn within(
        threads: &Threads,
        columns: Vec<(String, Values)>,
        bag_of_row: Option<&[u32]>,
        whole: &Table,
    ) -> Result<Table, TableError> {
        let layout = match bag_of_row {
            None => Table::plain(&columns)?,
            Some(bag_of_row) => Table::grouped(bag_of_row)?,
        };
        Table::build(threads, columns, layout, &|name, values| {
            let other = whole.columns.iter().find(|column| column.name == name);
            let other =
                other.ok_or_else(|| "the whole table does not have this column".to_owned())?;
            rank_within(&values, &other.domain)
        })
    }

    /// Returns the layout of plain rows.
    pub(super) fn plain(columns: &[(String, Values)]) -> Result<Layout, TableError> {
        let rows = columns.first().map_or(0, |(_, values)| values.len());
        Table::check_size(rows, rows)?;
        Ok(Layout::Plain { rows })
    }

    /// Returns the layout of rows grouped into bags.
    fn grouped(bag_of_row: &[u32]) -> Result<Layout, TableError> {
        // In the worst case, a single huge bag, the layout takes eight times the rows.
        let rows = bag_of_row.len();
        Table::check_size(rows, rows.saturating_mul(8))?;
        let bags = bag_of_row.iter().max().map_or(0, |&last| last as usize + 1);
        let mut used = vec![false; bags.min(bag_of_row.len() + 1)];
        for &bag in bag_of_row {
            if let Some(used) = used.get_mut(bag as usize) {
                *used = true;
            }
        }
        if let Some(gap) = used.iter().position(|used| !used) {
            return Err(TableError::EmptyBag(gap));
        }
        Ok(Layout::Bags(BagLayout::new(bag_of_row, bags)))
    }

    /// Builds a table of boolean columns without missing values from their bits.
    ///
    /// # Errors
    /// When there are too many rows, or a column has the wrong number of bits.
    pub fn of_bits<'a>(
        rows: usize,
        columns: impl IntoIterator<Item = (&'a str, &'a Bits)>,
    ) -> Result<Table, TableError> {
        Table::check_size(rows, rows)?;
        let packed = columns.into_iter().map(|(name, bits)| {
            if bits.len() != rows {
                let (column, found) = (name.to_owned(), bits.len());
                return Err(TableError::Ragged { column, found, expected: rows });
            }
            let (name, blocks) = (name.to_owned(), bits.blocks().to_vec());
            let domain = Domain::Boolean;
            Ok(PackedColumn { name, domain, rank_planes: 1, has_missing: false, blocks })
        });
        let packed = packed.collect::<Result<_, _>>()?;
        Ok(Table::join(&Threads::callers(), packed, Layout::Plain { rows }))
    }

    fn check_size(rows: usize, positions: usize) -> Result<(), TableError> {
        let fits = i32::try_from(positions).is_ok();
        if fits { Ok(()) } else { Err(TableError::TooLarge { rows, places: positions }) }
    }

    pub(super) fn build(
        threads: &Threads,
        columns: Vec<(String, Values)>,
        layout: Layout,
        rank: &(dyn Fn(&str, Values) -> Result<RankedColumn, String> + Sync),
    ) -> Result<Table, TableError> {
        let mut names = std::collections::HashSet::new();
        for (name, values) in &columns {
            if values.len() != layout.rows() {
                return Err(TableError::Ragged {
                    column: name.clone(),
                    found: values.len(),
                    expected: layout.rows(),
                });
            }
            if !names.insert(name.clone()) {
                return Err(TableError::Duplicate(name.clone()));
            }
        }
        // Column by column, so that each thread holds the ranks of only one column at a time.
        let packed = threads.map_items(columns, |(name, values)| match rank(&name, values) {
            Ok(ranked) => Ok(PackedColumn::new(name, ranked, &layout)),
            Err(reason) => Err(TableError::Codes { column: name, reason }),
        });
        let packed = packed.into_iter().collect::<Result<_, _>>()?;
        Ok(Table::join(threads, packed, layout))
    }

    /// Joins the planes of all columns, tile by tile.
    fn join(threads: &Threads, packed: Vec<PackedColumn>, layout: Layout) -> Table {
        let mut columns = Vec::with_capacity(packed.len());
        let mut planes = 0;
        for column in &packed {
            let first_plane = planes;
            planes += column.rank_planes;
            let validity = column.has_missing.then_some(planes);
            planes += u32::from(column.has_missing);
            columns.push(Column {
                name: column.name.clone(),
                domain: column.domain.clone(),
                first_plane,
                planes: column.rank_planes,
                validity,
            });
        }
        let height = layout.blocks();
        let mut blocks = vec![Block::ZERO; planes as usize * height];
        let tile = TILE_BLOCKS * planes.max(1) as usize;
        let mut tiles: Vec<&mut [Block]> = blocks.chunks_mut(tile).collect();
        threads.each(&mut tiles, |number, tile| {
            let first = number * TILE_BLOCKS;
            let tall = TILE_BLOCKS.min(height - first);
            let all = packed.iter().flat_map(|column| column.blocks.chunks_exact(height));
            for (to, plane) in tile.chunks_exact_mut(tall).zip(all) {
                to.copy_from_slice(&plane[first..first + tall]);
            }
        });
        Table { columns, layout, planes, blocks }
    }

    /// Returns the columns.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.layout.rows()
    }

    /// Returns the layout: the position of each row's bit.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the number of planes of a tile.
    #[must_use]
    pub fn planes(&self) -> u32 {
        self.planes
    }

    /// Returns the number of bytes that the planes take.
    #[must_use]
    pub fn plane_bytes(&self) -> usize {
        size_of_val(self.blocks.as_slice())
    }

    /// Returns the number of tiles.
    #[must_use]
    pub fn tiles(&self) -> usize {
        self.layout.blocks().div_ceil(TILE_BLOCKS)
    }

    /// Returns a tile.
    #[must_use]
    pub fn tile(&self, tile: usize) -> Tile<'_> {
        let first_block = tile * TILE_BLOCKS;
        let height = TILE_BLOCKS.min(self.layout.blocks() - first_block);
        let planes = self.planes as usize;
        Tile {
            first_block,
            height,
            planes: &self.blocks[first_block * planes..][..height * planes],
        }
    }

    /// Returns the rank of a cell, or `None` if the value is missing.
    #[must_use]
    pub fn rank(&self, row: usize, column: usize) -> Option<u32> {
        let position = self.layout.position(row);
        let tile = self.tile(position / TILE_ROWS);
        let bit = |plane: u32| {
            tile.plane(plane)[position % TILE_ROWS / BLOCK_BITS].get(position % BLOCK_BITS)
        };
        let column = &self.columns[column];
        let valid = column.validity.is_none_or(bit);
        valid
            .then(|| column.planes().rev().fold(0, |rank, plane| rank << 1 | u32::from(bit(plane))))
    }

    /// Returns the number in a cell of a numeric column, or `None` if it is missing.
    #[must_use]
    pub fn number(&self, row: usize, column: usize) -> Option<f64> {
        let rank = self.rank(row, column)?;
        match &self.columns[column].domain {
            Domain::Numeric(values) => Some(values[rank as usize]),
            Domain::Nominal(_) | Domain::Boolean => None,
        }
    }
}

/// The planes of one column, before they are joined with those of the other columns.
pub(super) struct PackedColumn {
    name: String,
    domain: Domain,
    rank_planes: u32,
    has_missing: bool,
    blocks: Vec<Block>,
}

impl PackedColumn {
    pub(super) fn new(name: String, ranked: RankedColumn, layout: &Layout) -> PackedColumn {
        let RankedColumn { domain, ranks } = ranked;
        let has_missing = ranks.contains(&MISSING);
        let highest = match &domain {
            // A part of the rows is compared with all numbers of the whole table.
            Domain::Numeric(values) => values.len().saturating_sub(1),
            Domain::Nominal(_) => {
                let known = ranks.iter().copied().filter(|&rank| rank != MISSING);
                known.max().unwrap_or(0) as usize
            }
            Domain::Boolean => 1,
        };
        let rank_planes = u32::BITS - as_u32(highest).leading_zeros();
        let height = layout.blocks();
        let planes = rank_planes as usize + usize::from(has_missing);
        let mut blocks = vec![Block::ZERO; planes * height];
        let mut put = |word: usize, numbers: &[u32; 64]| {
            for (plane, bits) in planes_of_64(numbers)[..planes].iter().enumerate() {
                blocks[plane * height + word / 8].0[word % 8] = *bits;
            }
        };
        // The number of a row is its rank, with a validity bit above it. Padding and missing values
        // are 0.
        let number = |rank: u32| match rank {
            MISSING => 0,
            rank if has_missing => rank | 1 << rank_planes,
            rank => rank,
        };
        match layout {
            Layout::Plain { .. } => {
                for (word, ranks) in ranks.chunks(64).enumerate() {
                    let mut numbers = [0; 64];
                    numbers.iter_mut().zip(ranks).for_each(|(slot, &rank)| *slot = number(rank));
                    put(word, &numbers);
                }
            }
            Layout::Bags(_) => {
                let mut ordered = vec![0; height * BLOCK_BITS];
                for (row, &rank) in ranks.iter().enumerate() {
                    ordered[layout.position(row)] = number(rank);
                }
                for (word, numbers) in ordered.as_chunks::<64>().0.iter().enumerate() {
                    put(word, numbers);
                }
            }
        }
        PackedColumn { name, domain, rank_planes, has_missing, blocks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_rows_are_reported_with_their_number() {
        // One more than the limit, because a single huge bag takes eight positions per row. The
        // zeros are never touched.
        let rows = i32::MAX as usize / 8 + 1;
        let error = Table::with_bags(Vec::new(), &vec![0; rows]).unwrap_err().to_string();
        assert_eq!(
            error,
            "too many rows: 268435456 rows take up to 2147483648 positions with padding; \
             the limit is 2147483647"
        );
        let error = Table::of_bits(1 << 31, []).unwrap_err().to_string();
        assert!(error.starts_with("too many rows: 2147483648 rows"), "{error}");
    }
}
