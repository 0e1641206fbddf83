//! A text summary of a lattice: its size, its width at every level, and its most stable concepts.

use super::Lattice;
use crate::index::Indices;
use crate::names::write_set;
use pellucid_data::Context;
use std::io::{self, Write};

/// Writes the number of concepts and edges, the height, the width, and the number of concepts per
/// level.
///
/// # Errors
/// If writing fails.
pub fn write_summary(lattice: &Lattice, mut out: impl Write) -> io::Result<()> {
    let mut ranks: Vec<(u64, u64)> = Vec::new();
    for concept in lattice.concepts() {
        let rank = lattice.rank(concept) as usize;
        if ranks.len() <= rank {
            ranks.resize(rank + 1, (0, 0));
        }
        let (count, largest) = &mut ranks[rank];
        *count += 1;
        *largest = lattice.support(concept).max(*largest);
    }
    let width = ranks.iter().map(|(count, _)| *count).max().unwrap_or(0);
    let (concepts, edges, height) = (lattice.len(), lattice.edges(), ranks.len().saturating_sub(1));
    writeln!(
        out,
        "concepts  {concepts}\nedges     {edges}\nheight    {height}\nwidth     {width}"
    )?;
    if lattice.bottom().is_none() {
        writeln!(out, "the concept of all attributes is below the minimum support")?;
    }
    writeln!(out, "\n{:>5}  {:>9}  {:>12}", "level", "concepts", "max. support")?;
    for (rank, (count, largest)) in ranks.iter().enumerate() {
        writeln!(out, "{rank:>5}  {count:>9}  {largest:>12}")?;
    }
    Ok(())
}

/// Writes the indices of the `top` most stable concepts.
///
/// # Errors
/// If writing fails.
pub fn write_indices(
    context: &Context,
    lattice: &Lattice,
    indices: &Indices,
    top: usize,
    mut out: impl Write,
) -> io::Result<()> {
    writeln!(
        out,
        "{:>9}  {:>7}  {:>10}  {:>7}  attributes",
        "stability", "delta", "separation", "support"
    )?;
    for concept in indices.ranking().into_iter().take(top) {
        let position = concept as usize;
        let stability = match &indices.stability {
            Some(all) => format!("{:.4}", all[position].share),
            None => "-".to_owned(),
        };
        let (delta, separation) = (indices.delta[position], indices.separation[position]);
        let support = lattice.support(concept);
        write!(out, "{stability:>9}  {delta:>7}  {separation:>10.4}  {support:>7}  ")?;
        write_set(&mut out, lattice.intent(concept), &context.attributes)?;
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_close::Terms;
    use pellucid_data::Relation;

    #[test]
    fn summary_and_indices() {
        let relation = Relation::new(3, [[0, 2].as_slice(), &[1, 2], &[0, 1, 2]]).unwrap();
        let lattice = Lattice::build(&relation, &Terms::default(), 1).unwrap();
        let objects = ["salmon", "bee", "duck"].into_iter().collect();
        let attributes = ["swims", "flies", "lays eggs"].into_iter().collect();
        let context = Context::new("animals", objects, attributes, relation);
        let mut text = Vec::new();
        write_summary(&lattice, &mut text).unwrap();
        let expected = concat!(
            "concepts  4\nedges     4\nheight    2\nwidth     2\n\n",
            "level   concepts  max. support\n",
            "    0          1             3\n",
            "    1          2             2\n",
            "    2          1             1\n"
        );
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        let mut text = Vec::new();
        write_indices(&context, &lattice, &Indices::of(&lattice, 1), 2, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        // The table has a header and two concepts.
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.lines().nth(1).unwrap().ends_with("lays eggs"), "{text}");
    }
}
