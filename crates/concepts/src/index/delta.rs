use crate::lattice::{Lattice, RowExtent};
use pellucid_bits::words::contains;

/// Delta-stability: the fewest objects a concept loses on the way to one right below; all of them where there is none below.
///
/// Where small concepts were left out, those right below the lowest listed are counted in the table itself, so that a minimum
/// support changes no value.
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

/// How many objects of a concept share one more attribute, at most.
fn largest_below(lattice: &Lattice, concept: u32, extent: &mut RowExtent) -> u64 {
    let (sides, intent) = (lattice.sides(), lattice.intent(concept));
    sides.extent(intent, extent);
    let mut having = vec![0u64; lattice.attributes()];
    for &row in &extent.rows {
        let objects = sides.objects.of(row as usize).len() as u64;
        sides.attributes_of(row as usize, |attribute| having[attribute as usize] += objects);
    }
    let outside = (0..lattice.attributes()).filter(|&attribute| !contains(intent, attribute));
    outside.map(|attribute| having[attribute]).max().unwrap_or(0)
}
