use super::Error;
use crate::io::Dataset;
use crate::learn::learner::{DataKind, Examples, Fit};
use crate::logic::learn::Individuals;
use pellucid_data::Message;

/// The data of a run.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one value per run, passed by reference")]
pub enum Data {
    /// A table of rows, or of bags of rows.
    Table(Dataset),
    /// Individuals of an ontology.
    Individuals(Individuals),
}

impl Data {
    /// Returns the kind of the data.
    #[must_use]
    pub fn kind(&self) -> DataKind {
        match self {
            Data::Table(_) => DataKind::Table,
            Data::Individuals(_) => DataKind::Ontology,
        }
    }

    /// Returns the number of examples: rows, bags or individuals.
    #[must_use]
    pub fn examples(&self) -> usize {
        match self {
            Data::Table(table) => table.examples(),
            Data::Individuals(individuals) => individuals.codes().len(),
        }
    }

    /// Returns the class labels by code. Empty if the data has no labels.
    #[must_use]
    pub fn classes(&self) -> Vec<String> {
        match self {
            Data::Table(table) => Examples::classes(table),
            Data::Individuals(individuals) => individuals.classes(),
        }
    }

    /// Returns the target column if it was assumed rather than chosen.
    #[must_use]
    pub fn guessed_target(&self) -> Option<&str> {
        match self {
            Data::Table(table) if table.origin.guessed_target => {
                table.target.as_ref().map(|target| target.name.as_str())
            }
            _ => None,
        }
    }

    /// Returns notes about what was assumed or ignored.
    #[must_use]
    pub fn notes(&self) -> &[Message] {
        match self {
            Data::Table(table) => &table.notes,
            Data::Individuals(individuals) => &individuals.notes,
        }
    }
}

/// A type of data that [`Data`] can contain.
pub trait FromData: Examples {
    /// Returns the data if it is of this type.
    fn from_data(data: &Data) -> Option<&Self>;
}

impl FromData for Dataset {
    fn from_data(data: &Data) -> Option<&Dataset> {
        match data {
            Data::Table(table) => Some(table),
            Data::Individuals(_) => None,
        }
    }
}

impl FromData for Individuals {
    fn from_data(data: &Data) -> Option<&Individuals> {
        match data {
            Data::Individuals(individuals) => Some(individuals),
            Data::Table(_) => None,
        }
    }
}

/// Returns the data in the type that a learner needs.
pub(super) fn extract<L: Fit<Data: FromData>>(data: &Data) -> Result<&L::Data, Error> {
    let name = |kind| match kind {
        DataKind::Table => "a table",
        DataKind::Ontology => "individuals of an ontology",
    };
    L::Data::from_data(data).ok_or_else(|| Error::Kind {
        learner: L::NAME,
        expected: name(L::KIND),
        found: name(data.kind()),
    })
}
