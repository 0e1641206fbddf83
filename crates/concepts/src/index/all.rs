use super::{Stability, delta, separation, stability};
use crate::lattice::Lattice;

/// All indices of all concepts of a lattice, in its order.
#[derive(Clone, Debug)]
pub struct Indices {
    /// None where concepts with objects were left out: see [`stability`].
    pub stability: Option<Vec<Stability>>,
    /// See [`delta`].
    pub delta: Vec<u64>,
    /// See [`separation`].
    pub separation: Vec<f64>,
}

impl Indices {
    /// Works them out.
    #[must_use]
    pub fn of(lattice: &Lattice, threads: usize) -> Indices {
        Indices {
            stability: stability(lattice),
            delta: delta(lattice),
            separation: separation(lattice, threads),
        }
    }

    /// The concepts from the most stable to the least: by stability where that is known, by delta where it is not or is the
    /// same, and then from the top down. What has no objects cannot lose any, and comes last.
    #[must_use]
    pub fn ranking(&self) -> Vec<u32> {
        let mut ranking: Vec<u32> = (0u32..).take(self.delta.len()).collect();
        // What is missing to 1 tells large extents apart that all have a stability of 1.
        let missing = |concept: u32| {
            self.stability.as_ref().map_or(0.0, |all| all[concept as usize].log2_rest)
        };
        ranking.sort_by(|&a, &b| {
            let is_empty = |concept: u32| self.delta[concept as usize] == 0;
            let by_stability = missing(a).total_cmp(&missing(b));
            let by_emptiness = is_empty(a).cmp(&is_empty(b));
            by_emptiness
                .then(by_stability)
                .then_with(|| self.delta[b as usize].cmp(&self.delta[a as usize]))
        });
        ranking
    }
}
