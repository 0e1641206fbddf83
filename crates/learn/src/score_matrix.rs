//! The scores of many examples.

use std::slice::{ChunksExact, ChunksExactMut};

/// The outputs of a model for many examples: the score of each class, or one number, example by
/// example.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreMatrix {
    /// The outputs per example, at least 1.
    each: usize,
    numbers: Vec<f64>,
}

impl ScoreMatrix {
    /// Creates a matrix with this many outputs per example.
    ///
    /// ```
    /// use pellucid_learn::score_matrix::ScoreMatrix;
    ///
    /// let scores = ScoreMatrix::new(2, vec![0.0, 1.5, 0.0, -0.5]);
    /// assert_eq!((scores.len(), scores.of(1)), (2, Some(&[0.0, -0.5][..])));
    /// ```
    #[must_use]
    pub fn new(each: usize, numbers: Vec<f64>) -> ScoreMatrix {
        ScoreMatrix { each: each.max(1), numbers }
    }

    /// Returns the number of examples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len() / self.each
    }

    /// Returns whether there are no examples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the outputs of an example.
    #[must_use]
    pub fn of(&self, example: usize) -> Option<&[f64]> {
        self.numbers.get(example * self.each..)?.get(..self.each)
    }

    /// Iterates over the outputs of every example, in order.
    pub fn iter(&self) -> ChunksExact<'_, f64> {
        self.numbers.chunks_exact(self.each)
    }

    /// Iterates over the outputs of every example, in order, to change them.
    pub fn iter_mut(&mut self) -> ChunksExactMut<'_, f64> {
        self.numbers.chunks_exact_mut(self.each)
    }

    /// Returns the outputs of every example.
    #[must_use]
    pub fn by_example(&self) -> Vec<&[f64]> {
        self.iter().collect()
    }

    /// Returns all outputs, example by example.
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// Adds a constant to the score of each class; an empty list adds nothing.
    pub fn shift(&mut self, by: &[f64]) {
        if !by.is_empty() {
            for scores in self.numbers.chunks_exact_mut(self.each) {
                scores.iter_mut().zip(by).for_each(|(score, by)| *score += by);
            }
        }
    }

    /// Returns the outputs of every `step`-th example, starting with the first.
    #[must_use]
    pub fn every(self, step: usize) -> ScoreMatrix {
        if step < 2 {
            return self;
        }
        ScoreMatrix {
            each: self.each,
            numbers: self.iter().step_by(step).flatten().copied().collect(),
        }
    }
}

impl<'a> IntoIterator for &'a ScoreMatrix {
    type Item = &'a [f64];
    type IntoIter = ChunksExact<'a, f64>;

    fn into_iter(self) -> ChunksExact<'a, f64> {
        self.iter()
    }
}
