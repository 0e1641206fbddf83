use thiserror::Error;

/// The example individuals and the class of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabeledIndividuals {
    individuals: Vec<u32>,
    codes: Vec<u32>,
    classes: usize,
}

/// The reason why examples are invalid.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExampleError {
    /// The numbers of individuals and classes differ.
    #[error("{codes} classes were given for {individuals} examples")]
    Length {
        /// The number of individuals.
        individuals: usize,
        /// The number of classes given.
        codes: usize,
    },
    /// A class code is out of range.
    #[error("example {example} has class {code}; there are {classes} classes")]
    Code {
        /// The index of the example.
        example: usize,
        /// The class code of the example.
        code: u32,
        /// The number of classes.
        classes: usize,
    },
}

impl LabeledIndividuals {
    /// Creates examples from individual numbers, each with a class below `classes`.
    ///
    /// # Errors
    /// If the lengths differ, or if a class is not below `classes`.
    pub fn new(
        individuals: Vec<u32>,
        codes: Vec<u32>,
        classes: usize,
    ) -> Result<LabeledIndividuals, ExampleError> {
        if individuals.len() != codes.len() {
            return Err(ExampleError::Length {
                individuals: individuals.len(),
                codes: codes.len(),
            });
        }
        match codes.iter().position(|&code| code as usize >= classes) {
            Some(example) => Err(ExampleError::Code { example, code: codes[example], classes }),
            None => Ok(LabeledIndividuals { individuals, codes, classes }),
        }
    }

    /// Creates examples of two classes: positive individuals (class 1) and negative ones (class 0).
    #[must_use]
    pub fn binary(positive: &[u32], negative: &[u32]) -> LabeledIndividuals {
        let individuals = [positive, negative].concat();
        let codes = [vec![1; positive.len()], vec![0; negative.len()]].concat();
        LabeledIndividuals { individuals, codes, classes: 2 }
    }

    /// Returns the individuals, in the given order.
    #[must_use]
    pub fn individuals(&self) -> &[u32] {
        &self.individuals
    }

    /// Returns the class of each example.
    #[must_use]
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Returns the number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Returns the number of examples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.individuals.len()
    }

    /// Returns whether there are no examples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.individuals.is_empty()
    }
}
