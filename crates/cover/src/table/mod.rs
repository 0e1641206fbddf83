//! Tables as bit planes, and the position of each row's bit.
//!
//! A [`Table`] stores every column as *ranks*: the sorted list of its distinct values, and for each
//! row the index of its value in that list. Comparing ranks gives exactly the same result as
//! comparing values. The ranks are stored bit by bit: plane *p* holds bit *p* of every row's rank,
//! and the number of planes of a column depends on its number of distinct values. `rank <= c` then
//! takes one three-input logic instruction per plane for 512 rows at a time.
//!
//! Rows are divided into **tiles** of 4,096. All planes of all columns of a tile are adjacent, so
//! one tile of the whole table is read from a small range of memory. The [`Layout`] defines the
//! position of each row: the order of the file for plain tables, slot-major ([`BagLayout`]) when rows
//! are grouped.
//!
//! **Memory.** A cell takes `ceil(log2(distinct values))` bits, plus one in columns with missing
//! values. Rows are padded to the next multiple of 512 (for bags see [`BagLayout`]). Each distinct value
//! takes 8 bytes once. Nothing else grows with the number of cells.

mod asked;
mod bags;
mod column;
mod dataset;
mod fold;
mod labels;
mod layout;
mod order;
mod rank;
mod store;

pub use bags::{BagLayout, Join, Panel};
pub use column::Column;
pub(crate) use labels::Masks;
pub use labels::{Labels, Space, UNCOUNTED};
pub use layout::Layout;
pub(crate) use order::in_row_order;
pub use rank::rank_numbers;
pub use store::{TILE_BLOCKS, TILE_ROWS, Table, TableError, Tile};
