/// Converts a count, an index or an id to 32 bits, as used by kernels and packed structures.
///
/// Callers ensure that the number fits: rows, formulas and slots are limited where they are read.
/// The check prevents a wrapped number from referring to another row.
///
/// # Panics
/// When the number does not fit.
#[inline]
#[must_use]
#[track_caller]
pub fn as_u32(number: usize) -> u32 {
    match u32::try_from(number) {
        Ok(number) => number,
        Err(_) => too_large(number),
    }
}

#[cold]
#[track_caller]
fn too_large(number: usize) -> ! {
    panic!("{number} does not fit into 32 bits")
}
