//! Learners by name, and models from files.
//!
//! The command line and the Python package use learners and models as trait objects from the
//! [`Registry`]. To add a learner, implement [`Fit`] in a crate
//! and add a line to [`Registry::standard`].
//!
//! ```
//! use pellucid::learn::learner::Inner;
//! use pellucid::prelude::*;
//! use pellucid::registry::{Data, Registry, Settings};
//!
//! let learners = Registry::standard();
//! let rules = learners.find("rules")?;
//! assert!(rules.parameters().iter().any(|parameter| parameter.name == "most_rules"));
//!
//! let csv = "age,smoker,class\n34,no,0\n61,yes,1\n58,yes,1\n47,no,0\n39,no,0\n66,yes,1\n";
//! let data = Data::Table(io::read_from(csv.as_bytes(), "example.csv", &ReadOptions::default())?);
//! let settings = Settings::new().with("most_rules", 5);
//! let (machine, driver) = (Machine::processor(None)?, Driver::new(&Control::new()));
//! let learned = rules.fit(&data, &settings, Inner::default(), &machine, &driver, &mut Silent)?;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("model.json");
//! learned.model.save(&path)?;
//! let model = learners.open(&path)?;
//! let predicted = model.apply(&data, &machine)?;
//! assert_eq!((predicted.len(), predicted.predicted().class(1)), (6, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any_learner;
mod any_model;
mod data;
mod entry;
mod error;
mod never;

pub use any_learner::{AnyFitResult, AnyLearner, Settings};
pub use any_model::{AnyModel, Form};
pub use data::{Data, FromData};
pub use entry::{Drawings, Entry};
pub use error::Error;

use crate::learn::learner::Fit;
use crate::learn::model::StoredModel;
use crate::learn::suggest::{listed, nearest};
use std::path::Path;

/// A set of learners.
pub struct Registry {
    learners: Vec<Box<dyn AnyLearner>>,
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::standard()
    }
}

impl Registry {
    /// Returns all learners of this version.
    #[must_use]
    pub fn standard() -> Registry {
        Registry::empty()
            .with_drawn::<crate::rules::Rules>(crate::report::rules::DRAWINGS)
            .with_drawn::<crate::xcs::Xcs>(crate::report::xcs::DRAWINGS)
            .with_drawn::<crate::networks::Network>(crate::report::networks::DRAWINGS)
            .with::<crate::logic::Logic>()
    }

    /// Returns a registry without learners.
    #[must_use]
    pub fn empty() -> Registry {
        Registry { learners: Vec::new() }
    }

    /// Adds a learner. It replaces a learner of the same name.
    #[must_use]
    pub fn with<L: Fit>(self) -> Registry
    where
        L::Data: FromData,
    {
        self.with_drawn::<L>(&[])
    }

    /// Adds a learner as [`with`](Self::with) does, and pages or drawings of its models. They are
    /// export forms like those of the learner.
    #[must_use]
    pub fn with_drawn<L: Fit>(mut self, drawings: Drawings<L>) -> Registry
    where
        L::Data: FromData,
    {
        self.learners.retain(|learner| learner.name() != L::NAME);
        self.learners.push(Box::new(Entry::<L>::drawn(drawings)));
        self
    }

    /// Returns all learners in order.
    pub fn iter(&self) -> impl Iterator<Item = &dyn AnyLearner> {
        self.learners.iter().map(|learner| &**learner)
    }

    /// Returns the learner with the given name.
    ///
    /// # Errors
    /// When no learner has that name.
    pub fn find(&self, name: &str) -> Result<&dyn AnyLearner, Error> {
        self.iter().find(|learner| learner.name() == name).ok_or_else(|| {
            let names = || self.iter().map(AnyLearner::name);
            let near = nearest(name, names()).map(|near| format!("; did you mean '{near}'?"));
            let known = listed(names(), 40) + &near.unwrap_or_default();
            Error::Learner { name: name.to_owned(), known }
        })
    }

    /// Opens a model file of any learner.
    ///
    /// # Errors
    /// When the file cannot be read or is not a model, or when the model is inconsistent or belongs
    /// to an unknown learner.
    pub fn open(&self, path: &Path) -> Result<Box<dyn AnyModel>, Error> {
        let stored = StoredModel::open(path)?;
        let Ok(learner) = self.find(stored.learner()) else {
            return Err(Error::UnsupportedModel {
                path: path.to_owned(),
                learner: stored.learner().to_owned(),
                known: listed(self.iter().map(AnyLearner::name), 40),
            });
        };
        learner.open(&stored).map_err(|error| match error {
            Error::Fit { error, .. } => Error::Model { path: path.to_owned(), error },
            other => other,
        })
    }
}
