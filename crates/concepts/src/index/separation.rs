use crate::lattice::{Lattice, RowExtent, share};

/// Separation: the crosses inside a concept divided by all crosses in its rows and columns.
///
/// It is 1 if the objects have no other attributes and the attributes no other objects. A concept
/// without objects or without attributes has no crosses and a separation of 0.
#[must_use]
pub fn separation(lattice: &Lattice, threads: usize) -> Vec<f64> {
    let incidence = lattice.incidence();
    let mut columns = vec![0u64; lattice.attributes()];
    let mut rows = vec![0u64; incidence.rows()];
    for (row, size) in rows.iter_mut().enumerate() {
        let objects = incidence.objects.of(row).len() as u64;
        incidence.attributes_of(row, |attribute| {
            columns[attribute as usize] += objects;
            *size += objects;
        });
    }
    let len = lattice.len();
    let parts = share(threads, len, &|| false, RowExtent::default, |extent, range| {
        let mut part = Vec::with_capacity(range.len());
        for concept in range {
            let concept = u32::try_from(concept).expect("concept numbers fit in 32 bits");
            incidence.extent(lattice.intent(concept), extent);
            let inside = lattice.support(concept) * u64::from(lattice.intent_size(concept));
            let in_rows: u64 = extent.rows.iter().map(|&row| rows[row as usize]).sum();
            let in_columns: u64 =
                lattice.attributes_of(concept).map(|attribute| columns[attribute as usize]).sum();
            let around = in_rows + in_columns - inside;
            part.push(if inside == 0 { 0.0 } else { inside as f64 / around as f64 });
        }
        part
    });
    parts.expect("the stop function returns false").concat()
}
