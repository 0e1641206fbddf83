//! Tables as bit planes, and where each row's bit lies.
//!
//! A [`Table`] keeps every column as *ranks*: the sorted list of its distinct values, and for each row the
//! place of its value in that list. Comparing ranks is comparing values, exactly, so nothing is lost. The
//! ranks are stored bit by bit: plane *p* holds bit *p* of every row's rank, and a column has as many planes
//! as its number of distinct values needs. `rank <= c` is then one three-input logic instruction per plane
//! for 512 rows at a time.
//!
//! Rows lie in **tiles** of 4,096; inside a tile all planes of all columns lie side by side, so that one tile
//! of the whole table is read from a small stretch of memory. Where each row goes is the [`Layout`]'s
//! business: the order of the file for plain tables, slot-major ([`Bags`]) when rows are grouped.
//!
//! **Memory.** A cell costs `ceil(log2(distinct values))` bits, one more in columns with missing values, and
//! rows are padded to the next multiple of 512 (for bags see [`Bags`]); a distinct value costs 8 bytes once.
//! Nothing else grows with the number of cells.

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

pub use bags::{Bags, Join, Panel};
pub use column::Column;
pub(crate) use labels::Masks;
pub use labels::{Labels, Space, UNCOUNTED};
pub use layout::Layout;
pub(crate) use order::in_row_order;
pub use rank::rank_numbers;
pub use store::{TILE_BLOCKS, TILE_ROWS, Table, TableError, Tile};
