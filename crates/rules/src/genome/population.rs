use super::Gene;
use serde::{Deserialize, Serialize};

/// Rules stored contiguously.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Population {
    genes: Vec<Gene>,
    ends: Vec<u32>,
}

impl Population {
    /// Creates an empty population.
    #[must_use]
    pub fn new() -> Population {
        Population::default()
    }

    /// Returns the number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Removes all rules but keeps the memory.
    pub fn clear(&mut self) {
        self.genes.clear();
        self.ends.clear();
    }

    /// Returns one rule.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> &[Gene] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.genes[start..self.ends[index] as usize]
    }

    /// Returns all rules.
    pub fn iter(&self) -> impl Iterator<Item = &[Gene]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Adds a rule.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a population has far fewer genes than 2^32"
    )]
    pub fn push(&mut self, genes: &[Gene]) {
        self.genes.extend_from_slice(genes);
        self.ends.push(self.genes.len() as u32);
    }

    /// Adds all rules of another population.
    pub fn append(&mut self, other: &Population) {
        other.iter().for_each(|genes| self.push(genes));
    }

    /// Returns whether every rule lies within the genes; those of a damaged file may not.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.ends.is_sorted() && self.ends.last().map_or(0, |&end| end as usize) == self.genes.len()
    }
}
