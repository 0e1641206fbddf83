//! A concept lattice as a drawing: one self-contained SVG file.
//!
//! Each circle is a concept, larger and darker the more objects it has; the top one has all objects.
//! A line leads down to a concept with fewer objects and more attributes. Each name is shown once: an
//! attribute above the largest concept that has it, so that a concept has every attribute that can be
//! reached by going up; an object below the smallest concept that has it, so that a concept has every
//! object that can be reached by going down.
//!
//! The drawing follows the reader's light or dark color scheme. In a browser it can be moved (drag),
//! zoomed (wheel) and explored (click a concept to highlight everything above and below it);
//! elsewhere it is a static picture. With more than 150 concepts there is no room for names: they
//! appear under the pointer and when zoomed in. More than [`MOST`] concepts are not drawn.
//!
//! [`explorer`] writes a page instead, for up to [`MOST_EXPLORED`] concepts: it draws a part of the lattice,
//! which the reader chooses.
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
//! let mut drawing = Vec::new();
//! svg(&context, &lattice, &DrawOptions::default(), &mut drawing)?;
//! assert!(drawing.starts_with(b"<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod explore;
mod graph;
mod label;
mod layout;
mod level;
mod order;
mod position;
mod route;
mod write;

pub use explore::{ExploreError, MOST_EXPLORED, explorer};
pub use label::NameLabel;
pub use layout::{DrawnEdge, DrawnNode, LatticeLayout};

use pellucid_concepts::lattice::Lattice;
use pellucid_data::Context;
use std::io::{self, Write};
use thiserror::Error;

/// The most concepts in a drawing.
pub const MOST: usize = 20_000;

/// Which names are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameLabels {
    /// All names if there are few concepts; otherwise under the pointer and when zoomed in.
    #[default]
    Auto,
    /// All names, however wide the drawing becomes.
    All,
    /// Names under the pointer and when zoomed in.
    Hover,
}

/// The options of a drawing.
#[derive(Clone, Debug)]
pub struct DrawOptions {
    /// Which names are shown.
    pub labels: NameLabels,
    /// Whether the drawing can be moved, zoomed and clicked; otherwise it contains no script.
    pub is_interactive: bool,
}

impl Default for DrawOptions {
    fn default() -> DrawOptions {
        DrawOptions { labels: NameLabels::Auto, is_interactive: true }
    }
}

/// The reason why a lattice was not drawn.
#[derive(Debug, Error)]
pub enum DrawError {
    /// There are too many concepts.
    #[error("cannot draw {0} concepts, only up to {MOST}; use a larger minimum support")]
    TooMany(usize),
    /// The drawing could not be written.
    #[error("cannot write the drawing")]
    Write(#[from] io::Error),
}

/// Computes the layout of a lattice.
///
/// # Errors
/// If there are more than [`MOST`] concepts.
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

/// Draws the lattice of a context as SVG. The result is deterministic.
///
/// # Errors
/// If there are more than [`MOST`] concepts, or the drawing cannot be written.
pub fn svg(
    context: &Context,
    lattice: &Lattice,
    options: &DrawOptions,
    out: impl Write,
) -> Result<(), DrawError> {
    let layout = layout(context, lattice, options)?;
    Ok(write::write(context, lattice, &layout, options, out)?)
}
