/// Which conclusions are drawn.
///
/// ```
/// use pellucid_logic::kb::Closure;
/// let as_bias_only = Closure { domains_and_ranges: false, ..Closure::default() };
/// assert!(as_bias_only.universals);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closure {
    /// Whoever has an edge or a value is in the domain of its property, and objects are in the range.
    pub domains_and_ranges: bool,
    /// From "every A has only objects in B" follows that the objects of an A are in B.
    pub universals: bool,
    /// The most edges that all object properties together may have in the end.
    pub edge_limit: usize,
}

impl Default for Closure {
    fn default() -> Closure {
        Closure { domains_and_ranges: true, universals: true, edge_limit: 100_000_000 }
    }
}
