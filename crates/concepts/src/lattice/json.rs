//! Writes a lattice as JSON.
//!
//! ```json
//! {"name": "animals", "objects": ["duck"], "attributes": ["swims"],
//!  "concepts": [
//!   {"support": 1, "rank": 0, "intent": [0], "extent": [0], "own_attributes": [0],
//!    "own_objects": [0], "upper": [], "lower": []}
//!  ]}
//! ```
//!
//! Objects, attributes and concepts are given by their indices in the lists.

use super::Lattice;
use crate::index::Indices;
use pellucid_data::Context;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct ConceptEntry<'a> {
    support: u64,
    rank: u32,
    intent: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extent: Option<Vec<u32>>,
    own_attributes: &'a [u32],
    own_objects: &'a [u32],
    upper: &'a [u32],
    lower: &'a [u32],
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    index: Option<ConceptIndices>,
}

#[derive(Serialize)]
struct ConceptIndices {
    #[serde(skip_serializing_if = "Option::is_none")]
    stability: Option<f64>,
    delta: u64,
    separation: f64,
}

impl ConceptIndices {
    fn of(indices: &Indices, concept: u32) -> ConceptIndices {
        let position = concept as usize;
        ConceptIndices {
            stability: indices.stability.as_ref().map(|all| all[position].share),
            delta: indices.delta[position],
            separation: indices.separation[position],
        }
    }
}

/// Writes the lattice of a context, one concept per line, with or without extents.
///
/// # Errors
/// If writing fails.
pub fn write(
    context: &Context,
    lattice: &Lattice,
    extents: bool,
    out: impl Write,
) -> io::Result<()> {
    write_with(context, lattice, extents, None, out)
}

/// Writes the lattice with the indices of every concept: `"stability"` (omitted if undefined),
/// `"delta"`, `"separation"`.
///
/// # Errors
/// If writing fails.
pub fn write_with(
    context: &Context,
    lattice: &Lattice,
    extents: bool,
    indices: Option<&Indices>,
    mut out: impl Write,
) -> io::Result<()> {
    write!(out, "{{\"name\": {}", serde_json::to_string(&context.name)?)?;
    for (what, names) in [("objects", &context.objects), ("attributes", &context.attributes)] {
        write!(out, ",\n \"{what}\": [")?;
        for (index, name) in names.iter().enumerate() {
            write!(out, "{}", if index == 0 { "" } else { ", " })?;
            serde_json::to_writer(&mut out, &name)?;
        }
        write!(out, "]")?;
    }
    write!(out, ",\n \"concepts\": [")?;
    for concept in lattice.concepts() {
        write!(out, "{}", if concept == 0 { "\n  " } else { ",\n  " })?;
        let entry = ConceptEntry {
            support: lattice.support(concept),
            rank: lattice.rank(concept),
            intent: lattice.attributes_of(concept).collect(),
            extent: extents.then(|| lattice.extent(concept)),
            own_attributes: lattice.own_attributes(concept),
            own_objects: lattice.own_objects(concept),
            upper: lattice.upper(concept),
            lower: lattice.lower(concept),
            index: indices.map(|indices| ConceptIndices::of(indices, concept)),
        };
        serde_json::to_writer(&mut out, &entry)?;
    }
    writeln!(out, "\n ]}}")
}
