//! Engine.
pub mod bits;
pub mod program;
pub mod table;
pub use bits::*;
pub use program::*;
pub use table::*;
