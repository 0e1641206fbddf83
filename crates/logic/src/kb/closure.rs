/// Selects the inferences of a knowledge base.
///
/// ```
/// use pellucid_logic::kb::Closure;
/// let as_bias_only = Closure { domains_and_ranges: false, ..Closure::default() };
/// assert!(as_bias_only.universals);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closure {
    /// Subjects of a property are in its domain, objects are in its range.
    pub domains_and_ranges: bool,
    /// If every A has only objects in B, then the objects of an instance of A are in B.
    pub universals: bool,
    /// The maximum total number of edges of all object properties. The default is three million, or
    /// four times the number of asserted edges if that is more, so that a small file cannot exhaust
    /// memory.
    pub edge_limit: Option<usize>,
}

/// The number of edges that is always allowed: less than 256 MiB while they are computed.
const MIN_EDGE_LIMIT: usize = 3_000_000;

/// The number of edges allowed per asserted edge.
const EDGES_PER_ASSERTED: usize = 4;

impl Closure {
    /// Returns the maximum number of edges for a number of asserted edges.
    pub(super) fn max_edges(&self, asserted: usize) -> usize {
        let default = || asserted.saturating_mul(EDGES_PER_ASSERTED).max(MIN_EDGE_LIMIT);
        self.edge_limit.unwrap_or_else(default)
    }
}

impl Default for Closure {
    fn default() -> Closure {
        Closure { domains_and_ranges: true, universals: true, edge_limit: None }
    }
}
