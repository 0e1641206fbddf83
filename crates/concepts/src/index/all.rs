use super::{Stability, delta, separation, stability};
use crate::lattice::Lattice;

/// The indices of all concepts of a lattice, in its order.
#[derive(Clone, Debug)]
pub struct Indices {
    /// `None` if concepts with objects are missing from the lattice: see [`stability`].
    pub stability: Option<Vec<Stability>>,
    /// See [`delta`].
    pub delta: Vec<u64>,
    /// See [`separation`].
    pub separation: Vec<f64>,
}

impl Indices {
    /// Computes all indices.
    #[must_use]
    pub fn of(lattice: &Lattice, threads: usize) -> Indices {
        Indices {
            stability: stability(lattice),
            delta: delta(lattice),
            separation: separation(lattice, threads),
        }
    }

    /// Returns the concepts from the most to the least stable: by stability if it is known, then by
    /// delta, then from the top down. Concepts without objects come last.
    #[must_use]
    pub fn ranking(&self) -> Vec<u32> {
        let mut ranking: Vec<u32> = (0u32..).take(self.delta.len()).collect();
        // `log2_rest` distinguishes large extents, whose stability rounds to 1.
        let rest = |concept: u32| {
            self.stability.as_ref().map_or(0.0, |all| all[concept as usize].log2_rest)
        };
        ranking.sort_by(|&a, &b| {
            let is_empty = |concept: u32| self.delta[concept as usize] == 0;
            let by_stability = rest(a).total_cmp(&rest(b));
            let by_emptiness = is_empty(a).cmp(&is_empty(b));
            by_emptiness
                .then(by_stability)
                .then_with(|| self.delta[b as usize].cmp(&self.delta[a as usize]))
        });
        ranking
    }
}
