//! From a file to a formal context, in the shape in which it is wanted.
//!
//! Picture a table on the way to the concepts in it. If it holds values it is *scaled* first, so that only crosses are left; then
//! objects and attributes may be exchanged, equal rows and columns become one, and what is an intersection of others is left
//! out. A [`ContextRecipe`] says all of that once, and [`ContextRecipe::load`] does it.
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
use std::io::Read;
use std::path::Path;
use thiserror::Error;

/// What is left out of a context because the rest says it already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simplify {
    /// Equal rows become one object, equal columns one attribute.
    Clarify,
    /// Objects and attributes that are intersections of others are left out too; the lattice keeps its shape.
    Reduce,
}

/// How a file becomes a context.
#[derive(Clone, Debug)]
pub struct ContextRecipe {
    /// How a context is read.
    pub context: ContextOptions,
    /// How a table of values is read, if it is to be scaled.
    pub table: ReadOptions,
    /// How a table of values becomes a context; if not said, the file is a context already.
    pub scaling: Option<Scaling>,
    /// Whether objects and attributes are exchanged.
    pub transpose: bool,
    /// What is left out.
    pub simplify: Option<Simplify>,
}

impl Default for ContextRecipe {
    /// Reads a context as it is. Of a table all columns count alike, as nothing is to be predicted.
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

/// Why there is no context.
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
        /// Why.
        #[source]
        error: ScaleError,
    },
}

impl ContextRecipe {
    /// Reads a file, or standard input if the path is `-`, and shapes it.
    ///
    /// # Errors
    /// Says what is wrong with the file, and where.
    pub fn load(&self, path: &Path) -> Result<Context, ContextError> {
        Ok(self.reshape(self.read(path)?))
    }

    /// Reads a file and scales it if it is to be, without what comes after.
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

    /// The same from anything that yields bytes; `name` stands in messages, and its extension helps to tell the form.
    ///
    /// # Errors
    /// As [`ContextRecipe::load`].
    pub fn read_from(&self, reader: impl Read, name: &str) -> Result<Context, ContextError> {
        match &self.scaling {
            None => Ok(read_context_from(reader, name, &self.context)?),
            Some(scaling) => scaled(&io::read_from(reader, name, &self.table)?, scaling, name),
        }
    }

    /// Exchanges objects and attributes, and leaves out what is to be left out.
    #[must_use]
    pub fn reshape(&self, mut context: Context) -> Context {
        if self.transpose {
            let turned = context.relation.transposed();
            context = Context::new(context.name, context.attributes, context.objects, turned);
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
