use pellucid_bits::{Kernel, Simd};

/// The highest value of any conjunction of a row or its complement with one of many rows or its complement.
pub(super) struct HighestConjunction<'a> {
    /// The values of the intersections with the others, and the value of each of the others.
    pub(super) shared: &'a [i32],
    pub(super) alone: &'a [i32],
    /// The value of the row, and that of its complement.
    pub(super) inside: i32,
    pub(super) outside: i32,
}

impl Kernel for HighestConjunction<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> i32 {
        let HighestConjunction { shared, alone, inside, outside } = self;
        let mut highest = i32::MIN;
        for (&both, &alone) in shared.iter().zip(alone) {
            let with = both.max(alone - both);
            let without = (inside - both).max(outside + both - alone);
            highest = highest.max(with.max(without));
        }
        highest
    }
}
