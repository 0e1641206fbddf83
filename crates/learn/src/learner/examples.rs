//! What learners learn from: examples with classes or numbers, of which parts can be taken.

use pellucid_data::Dataset;
use std::borrow::Cow;

/// The kinds of data that learners take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataKind {
    /// A table of rows, or of bags of rows.
    Table,
    /// An ontology, and some of its individuals.
    Ontology,
}

impl DataKind {
    /// What one example is called.
    #[must_use]
    pub fn example(self) -> &'static str {
        match self {
            DataKind::Table => "example",
            DataKind::Ontology => "individual",
        }
    }
}

/// Examples with classes, of which parts can be taken.
pub trait Examples: Sized + Send + Sync {
    /// The classes by code; none where nothing is known.
    fn classes(&self) -> Vec<String>;

    /// The class of each example, by code.
    fn codes(&self) -> Vec<u32>;

    /// The number of each example, where a number is to be predicted; there are no classes then.
    fn numbers(&self) -> Option<Vec<f64>> {
        None
    }

    /// By example the part of which every fold gets its share: its class.
    fn strata(&self) -> Vec<u32> {
        self.codes()
    }

    /// By example the group that it belongs to, such as a person of whom there are several: a group is never cut in two to
    /// judge one part by the other. Nothing where every example stands for itself.
    fn groups(&self) -> Option<Vec<u32>> {
        None
    }

    /// Some of the examples, by their places in ascending order. Whoever learns from a part sees nothing of the others'
    /// classes.
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
            // Groups go where they go, and take their numbers along.
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

/// Something that a model can be asked about as if it were data of the type `D`.
pub trait AsData<D: Clone> {
    /// The data.
    fn as_data(&self) -> Cow<'_, D>;
}

impl<D: Clone> AsData<D> for D {
    fn as_data(&self) -> Cow<'_, D> {
        Cow::Borrowed(self)
    }
}
