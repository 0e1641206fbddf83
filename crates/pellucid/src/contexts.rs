//! Formal contexts from files.
//!
//! A [`ContextRecipe`] describes the steps: a table of values is *scaled* to a context, objects and
//! attributes are exchanged, and the context is clarified or reduced. [`ContextRecipe::load`] runs
//! them.
//!
//! ```
//! use pellucid::concepts::scale::Scaling;
//! use pellucid::contexts::{ContextRecipe, Simplify};
//!
//! let recipe = ContextRecipe { scaling: Some(Scaling::nominal()), ..ContextRecipe::default() };
//! let csv = "colour,shape\nred,round\nred,square\nred,round\n";
//! let context = recipe.read_from(csv.as_bytes(), "toys.csv")?;
//! assert_eq!((context.objects.len(), context.attributes.len()), (3, 3));
//! let small = ContextRecipe { simplify: Some(Simplify::Clarify), ..recipe }.reshape(context);
//! assert_eq!(small.objects.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::concepts::clarify::clarify;
use crate::concepts::reduce::reduce;
use crate::concepts::scale::{ScaleError, Scaling, scale};
use crate::io::{
    self, Choice, Context, ContextOptions, Dataset, ReadError, ReadOptions, read_context,
    read_context_from,
};
use pellucid_data::{Message, message};
use std::io::Read;
use std::path::Path;
use thiserror::Error;

/// A simplification of a context that does not change the shape of its lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simplify {
    /// Merges equal rows into one object and equal columns into one attribute.
    Clarify,
    /// Clarifies, and removes objects and attributes that are intersections of others.
    Reduce,
}

/// The steps from a file to a context.
#[derive(Clone, Debug)]
pub struct ContextRecipe {
    /// How to read a context.
    pub context: ContextOptions,
    /// How to read a table of values that is scaled.
    pub table: ReadOptions,
    /// How to scale a table of values. If none, the file is a context.
    pub scaling: Option<Scaling>,
    /// Whether to exchange objects and attributes.
    pub transpose: bool,
    /// How to simplify the context.
    pub simplify: Option<Simplify>,
}

impl Default for ContextRecipe {
    /// Reads a context without further steps. Tables have no target, so that all columns are used.
    fn default() -> ContextRecipe {
        ContextRecipe {
            context: ContextOptions::default(),
            table: ReadOptions::default().target(Choice::None).keep_identifiers(true),
            scaling: None,
            transpose: false,
            simplify: None,
        }
    }
}

/// An error while creating a context.
#[derive(Debug, Error)]
pub enum ContextError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// The table cannot be scaled.
    #[error("{file}: {error}")]
    Scale {
        /// The file.
        file: String,
        /// The problem.
        #[source]
        error: ScaleError,
    },
}

impl ContextError {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            ContextError::Read(error) => error.message(),
            ContextError::Scale { file, error } => message!("{file}: ", error.message()),
        }
    }
}

impl ContextRecipe {
    /// Reads a file, or standard input if the path is `-`, and runs all steps.
    ///
    /// # Errors
    /// When the file cannot be read or scaled.
    pub fn load(&self, path: &Path) -> Result<Context, ContextError> {
        Ok(self.reshape(self.read(path)?))
    }

    /// Reads and scales a file, without the later steps.
    ///
    /// # Errors
    /// As [`ContextRecipe::load`].
    pub fn read(&self, path: &Path) -> Result<Context, ContextError> {
        match &self.scaling {
            None => Ok(read_context(path, &self.context)?),
            Some(scaling) => {
                let data = io::read(path, &self.table)?;
                scaled(&data, scaling, &path.display().to_string())
            }
        }
    }

    /// Reads and scales bytes. `name` is used in messages, and its extension helps to detect the format.
    ///
    /// # Errors
    /// As [`ContextRecipe::load`].
    pub fn read_from(&self, reader: impl Read, name: &str) -> Result<Context, ContextError> {
        match &self.scaling {
            None => Ok(read_context_from(reader, name, &self.context)?),
            Some(scaling) => scaled(&io::read_from(reader, name, &self.table)?, scaling, name),
        }
    }

    /// Runs the steps after reading and scaling.
    #[must_use]
    pub fn reshape(&self, mut context: Context) -> Context {
        if self.transpose {
            let relation = context.relation.transposed();
            context = Context::new(context.name, context.attributes, context.objects, relation);
        }
        match self.simplify {
            None => context,
            Some(Simplify::Clarify) => clarify(&context.relation).context(&context),
            Some(Simplify::Reduce) => reduce(&context.relation).context(&context),
        }
    }
}

fn scaled(data: &Dataset, scaling: &Scaling, file: &str) -> Result<Context, ContextError> {
    scale(data, scaling).map_err(|error| ContextError::Scale { file: file.to_owned(), error })
}
