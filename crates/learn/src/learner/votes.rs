//! What a model says of many examples.

use std::slice::ChunksExact;

/// For each of many examples as many numbers, the votes of each class or the one number, one example behind the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Votes {
    /// At least 1.
    each: usize,
    numbers: Vec<f64>,
}

impl Votes {
    /// So many numbers for each example.
    ///
    /// ```
    /// use pellucid_learn::learner::Votes;
    ///
    /// let votes = Votes::new(2, vec![0.0, 1.5, 0.0, -0.5]);
    /// assert_eq!((votes.len(), votes.of(1)), (2, Some(&[0.0, -0.5][..])));
    /// ```
    #[must_use]
    pub fn new(each: usize, numbers: Vec<f64>) -> Votes {
        Votes { each: each.max(1), numbers }
    }

    /// How many examples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len() / self.each
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Those of an example.
    #[must_use]
    pub fn of(&self, example: usize) -> Option<&[f64]> {
        self.numbers.get(example * self.each..)?.get(..self.each)
    }

    /// Those of every example, in their order.
    pub fn iter(&self) -> ChunksExact<'_, f64> {
        self.numbers.chunks_exact(self.each)
    }

    /// The same, all at hand.
    #[must_use]
    pub fn by_example(&self) -> Vec<&[f64]> {
        self.iter().collect()
    }

    /// Adds a constant to the votes of each class, where there are any constants.
    pub fn shift(&mut self, by: &[f64]) {
        if !by.is_empty() {
            for votes in self.numbers.chunks_exact_mut(self.each) {
                votes.iter_mut().zip(by).for_each(|(votes, by)| *votes += by);
            }
        }
    }

    /// Those of the first example, and from there on of each that is so much further on.
    #[must_use]
    pub fn every(self, step: usize) -> Votes {
        if step < 2 {
            return self;
        }
        Votes { each: self.each, numbers: self.iter().step_by(step).flatten().copied().collect() }
    }
}

impl<'a> IntoIterator for &'a Votes {
    type Item = &'a [f64];
    type IntoIter = ChunksExact<'a, f64>;

    fn into_iter(self) -> ChunksExact<'a, f64> {
        self.iter()
    }
}
