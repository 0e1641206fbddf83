//! A concept lattice as a picture: one SVG file that needs nothing else.
//!
//! Each circle is a concept, larger and darker the more objects it has; the one on top has them all. A line down leads to a
//! concept with fewer objects and more attributes. Names stand where they begin: an attribute above the largest concept that
//! has it, so that a circle has every attribute that can be reached by going up; an object below the smallest, so that a
//! circle has every object that can be reached by going down.
//!
//! The picture follows the reader's light or dark colours. In a browser it can be moved (drag), made larger (wheel), and asked
//! (click a concept to see all that lies above and below); elsewhere it is a plain picture. Names of more than 150 concepts have
//! no room: they appear under the pointer and on a closer look. More than [`MOST`] concepts make no picture that anybody could read.
//!
//! ```
//! use pellucid_concepts::lattice::Lattice;
//! use pellucid_close::Terms;
//! use pellucid_data::Relation;
//! use pellucid_data::Context;
//! use pellucid_report::lattice::{DrawOptions, svg};
//!
//! let relation = Relation::new(3, [[0, 2].as_slice(), &[1, 2], &[0, 1, 2]])?;
//! let lattice = Lattice::build(&relation, &Terms::default(), 1)?;
//! let objects = ["salmon", "bee", "duck"].into_iter().collect();
//! let attributes = ["swims", "flies", "lays eggs"].into_iter().collect();
//! let context = Context::new("animals", objects, attributes, relation);
//! let mut picture = Vec::new();
//! svg(&context, &lattice, &DrawOptions::default(), &mut picture)?;
//! assert!(picture.starts_with(b"<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod graph;
mod label;
mod layout;
mod level;
mod order;
mod place;
mod straight;
mod write;

pub use label::NameLabel;
pub use layout::{DrawnEdge, DrawnNode, LatticeLayout};

use pellucid_concepts::lattice::Lattice;
use pellucid_data::Context;
use std::io::{self, Write};
use thiserror::Error;

/// The most concepts that are drawn.
pub const MOST: usize = 20_000;

/// Whether names are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameLabels {
    /// All of them where there is room, otherwise on a closer look.
    #[default]
    Auto,
    /// All of them, however wide the picture becomes.
    All,
    /// Under the pointer and on a closer look.
    Hover,
}

/// How a lattice is drawn.
#[derive(Clone, Debug)]
pub struct DrawOptions {
    /// Whether names are shown.
    pub labels: NameLabels,
    /// Whether the picture can be moved, made larger and asked; without, it contains no script.
    pub is_interactive: bool,
}

impl Default for DrawOptions {
    fn default() -> DrawOptions {
        DrawOptions { labels: NameLabels::Auto, is_interactive: true }
    }
}

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum DrawError {
    /// There are too many concepts.
    #[error(
        "{0} concepts cannot be drawn, at most {MOST} can; a larger minimum support leaves fewer"
    )]
    TooMany(usize),
    /// The picture could not be written.
    #[error("the picture could not be written")]
    Write(#[from] io::Error),
}

/// Finds where everything goes.
///
/// # Errors
/// When there are more than [`MOST`] concepts.
pub fn layout(
    context: &Context,
    lattice: &Lattice,
    options: &DrawOptions,
) -> Result<LatticeLayout, DrawError> {
    if lattice.len() > MOST {
        return Err(DrawError::TooMany(lattice.len()));
    }
    Ok(LatticeLayout::new(context, lattice, options))
}

/// Draws the lattice of a context; the same picture every time.
///
/// # Errors
/// When there are more than [`MOST`] concepts, and when it cannot be written.
pub fn svg(
    context: &Context,
    lattice: &Lattice,
    options: &DrawOptions,
    out: impl Write,
) -> Result<(), DrawError> {
    let layout = layout(context, lattice, options)?;
    Ok(write::write(context, lattice, &layout, options, out)?)
}
