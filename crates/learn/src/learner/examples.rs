//! Training data: examples with classes or numbers, and subsets of them.

use pellucid_data::Dataset;
use std::borrow::Cow;

/// The kinds of data that learners use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataKind {
    /// A table of rows, or of bags of rows.
    Table,
    /// An ontology and some of its individuals.
    Ontology,
}

impl DataKind {
    /// Returns the word for one example.
    #[must_use]
    pub fn example(self) -> &'static str {
        match self {
            DataKind::Table => "example",
            DataKind::Ontology => "individual",
        }
    }
}

/// Examples with classes or numbers.
pub trait Examples: Sized + Send + Sync {
    /// Returns the classes by code; empty if unknown.
    fn classes(&self) -> Vec<String>;

    /// Returns the class of each example, by code.
    fn codes(&self) -> Vec<u32>;

    /// Returns the number of each example if a number is predicted; there are then no classes.
    fn numbers(&self) -> Option<Vec<f64>> {
        None
    }

    /// Returns the stratum of each example, by default its class. Every fold gets its share of each
    /// stratum.
    fn strata(&self) -> Vec<u32> {
        self.codes()
    }

    /// Returns the group of each example, such as a person with several examples. A group is never
    /// split between training and test data. `None` if all examples are independent.
    fn groups(&self) -> Option<Vec<u32>> {
        None
    }

    /// Returns a subset of the examples, by ascending indices, without information about the classes of
    /// the others.
    #[must_use]
    fn part(&self, places: &[u32]) -> Self;
}

impl Examples for Dataset {
    fn classes(&self) -> Vec<String> {
        self.target.as_ref().map_or_else(Vec::new, |target| target.classes.clone())
    }

    fn codes(&self) -> Vec<u32> {
        self.example_codes()
    }

    fn numbers(&self) -> Option<Vec<f64>> {
        self.number.as_ref().map(|number| number.values.clone())
    }

    fn strata(&self) -> Vec<u32> {
        match &self.number {
            // Groups are assigned as a whole, so strata of numbers do not help.
            Some(number) if self.groups.is_none() => number.strata(),
            _ => self.codes(),
        }
    }

    fn groups(&self) -> Option<Vec<u32>> {
        self.groups.clone()
    }

    fn part(&self, places: &[u32]) -> Dataset {
        self.select(places)
    }
}

/// A type that can be used as data of the type `D`.
pub trait AsData<D: Clone> {
    /// Returns the data.
    fn as_data(&self) -> Cow<'_, D>;
}

impl<D: Clone> AsData<D> for D {
    fn as_data(&self) -> Cow<'_, D> {
        Cow::Borrowed(self)
    }
}
