use crate::lattice::{Lattice, RowExtent};
use pellucid_bits::words::contains;

/// Delta-stability: the smallest difference in support between a concept and a lower neighbor; the
/// support itself if it has no lower neighbor.
///
/// In an iceberg lattice, lower neighbors below the minimum support are counted in the context
/// itself, so a minimum support does not change any value.
#[must_use]
pub fn delta(lattice: &Lattice) -> Vec<u64> {
    let mut extent = RowExtent::default();
    let of = |concept: u32| {
        let support = lattice.support(concept);
        match lattice.lower(concept).iter().map(|&lower| lattice.support(lower)).max() {
            Some(below) => support - below,
            None => support - largest_below(lattice, concept, &mut extent),
        }
    };
    lattice.concepts().map(of).collect()
}

/// The largest number of objects of a concept that share one more attribute.
fn largest_below(lattice: &Lattice, concept: u32, extent: &mut RowExtent) -> u64 {
    let (incidence, intent) = (lattice.incidence(), lattice.intent(concept));
    incidence.extent(intent, extent);
    let mut having = vec![0u64; lattice.attributes()];
    for &row in &extent.rows {
        let objects = incidence.objects.of(row as usize).len() as u64;
        incidence.attributes_of(row as usize, |attribute| having[attribute as usize] += objects);
    }
    let outside = (0..lattice.attributes()).filter(|&attribute| !contains(intent, attribute));
    outside.map(|attribute| having[attribute]).max().unwrap_or(0)
}
