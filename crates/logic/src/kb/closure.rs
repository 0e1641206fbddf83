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
    /// The most edges that all object properties together may have in the end. If nothing is said, three million, or four
    /// times as many as are asserted where that is more: so a small file cannot fill the memory, and a large one is read.
    pub edge_limit: Option<usize>,
}

/// So many edges may there be whatever is asserted: less than 256 MiB while they are found.
const ALWAYS_ALLOWED: usize = 3_000_000;

/// So many times the asserted edges may there be.
const FOR_EACH_ASSERTED: usize = 4;

impl Closure {
    /// How many edges there may be where so many are asserted.
    pub(super) fn edges_allowed(&self, asserted: usize) -> usize {
        let usual = || asserted.saturating_mul(FOR_EACH_ASSERTED).max(ALWAYS_ALLOWED);
        self.edge_limit.unwrap_or_else(usual)
    }
}

impl Default for Closure {
    fn default() -> Closure {
        Closure { domains_and_ranges: true, universals: true, edge_limit: None }
    }
}
