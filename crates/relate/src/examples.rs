use thiserror::Error;

/// The individuals that count, and the class of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples {
    individuals: Vec<u32>,
    codes: Vec<u32>,
    classes: usize,
}

/// Why examples cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExampleError {
    /// Not as many classes as individuals.
    #[error("{codes} classes were given for {individuals} examples")]
    Length {
        /// Individuals given.
        individuals: usize,
        /// Classes given.
        codes: usize,
    },
    /// A class that there is not.
    #[error("example {example} has class {code}, there are {classes} classes")]
    Code {
        /// Its place among the examples.
        example: usize,
        /// Its class.
        code: u32,
        /// How many there are.
        classes: usize,
    },
}

impl Examples {
    /// Individuals by their numbers, each with a class below `classes`.
    ///
    /// # Errors
    /// When there are not as many classes as individuals, or one is not below `classes`.
    pub fn new(
        individuals: Vec<u32>,
        codes: Vec<u32>,
        classes: usize,
    ) -> Result<Examples, ExampleError> {
        if individuals.len() != codes.len() {
            return Err(ExampleError::Length {
                individuals: individuals.len(),
                codes: codes.len(),
            });
        }
        match codes.iter().position(|&code| code as usize >= classes) {
            Some(example) => Err(ExampleError::Code { example, code: codes[example], classes }),
            None => Ok(Examples { individuals, codes, classes }),
        }
    }

    /// Positive and negative individuals; class 1 and class 0.
    #[must_use]
    pub fn binary(positive: &[u32], negative: &[u32]) -> Examples {
        let individuals = [positive, negative].concat();
        let codes = [vec![1; positive.len()], vec![0; negative.len()]].concat();
        Examples { individuals, codes, classes: 2 }
    }

    /// The individuals, in the order given.
    #[must_use]
    pub fn individuals(&self) -> &[u32] {
        &self.individuals
    }

    /// The class of each.
    #[must_use]
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// How many classes there are.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// How many examples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.individuals.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.individuals.is_empty()
    }
}
