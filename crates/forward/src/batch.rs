//! What is asked: which networks, on which rows, about which parts of them.

use crate::{Inputs, Shape};
use pellucid_device::DeviceError;
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

/// What is asked about a part of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ask {
    /// The number of the part; 0 is all rows.
    pub part: usize,
    /// Who is among so many of the best rows.
    pub top: Option<usize>,
    /// How positives stand to negatives.
    pub pairs: bool,
}

impl Ask {
    /// Who is among so many of the best rows of a part.
    #[must_use]
    pub fn top(part: usize, rows: usize) -> Ask {
        Ask { part, top: Some(rows), pairs: false }
    }

    /// How positives stand to negatives in a part.
    #[must_use]
    pub fn pairs(part: usize) -> Ask {
        Ask { part, top: None, pairs: true }
    }

    /// The same, and how positives stand to negatives.
    #[must_use]
    pub fn and_pairs(self) -> Ask {
        Ask { pairs: true, ..self }
    }
}

/// Networks of one shape, their genes one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Networks<'a> {
    shape: &'a Shape,
    genes: &'a [f32],
    /// Which of them, if not all.
    chosen: Option<&'a [usize]>,
}

impl<'a> Networks<'a> {
    /// All networks of a population.
    ///
    /// # Errors
    /// When the genes are not those of a whole number of networks.
    pub fn all(shape: &'a Shape, genes: &'a [f32]) -> Result<Networks<'a>, RankError> {
        if !genes.len().is_multiple_of(shape.genes()) {
            return Err(RankError::Genes { found: genes.len(), each: shape.genes() });
        }
        Ok(Networks { shape, genes, chosen: None })
    }

    /// Some networks of a population, by number: those that changed.
    ///
    /// # Errors
    /// When the genes are not those of a whole number of networks, or one of the chosen is not among them.
    pub fn some(
        shape: &'a Shape,
        genes: &'a [f32],
        chosen: &'a [usize],
    ) -> Result<Networks<'a>, RankError> {
        let all = Networks::all(shape, genes)?;
        let networks = all.len();
        if let Some(&network) = chosen.iter().find(|&&network| network >= networks) {
            return Err(RankError::Network { network, networks });
        }
        Ok(Networks { chosen: Some(chosen), ..all })
    }

    /// Their shape.
    #[must_use]
    pub fn shape(&self) -> &'a Shape {
        self.shape
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chosen.map_or(self.genes.len() / self.shape.genes(), <[usize]>::len)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The genes of one of them.
    ///
    /// # Panics
    /// When there is no such network.
    #[must_use]
    pub fn genes(&self, index: usize) -> &'a [f32] {
        let network = self.chosen.map_or(index, |chosen| chosen[index]);
        &self.genes[network * self.shape.genes()..][..self.shape.genes()]
    }

    fn part(&self, range: Range<usize>) -> Networks<'a> {
        match self.chosen {
            Some(chosen) => Networks { chosen: Some(&chosen[range]), ..*self },
            None => {
                let genes = range.start * self.shape.genes()..range.end * self.shape.genes();
                Networks { genes: &self.genes[genes], ..*self }
            }
        }
    }
}

/// Networks, the rows that they are held against, and what is asked of each.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The number of the inputs in the session.
    pub inputs: usize,
    /// The networks.
    pub networks: Networks<'a>,
    /// What is asked of each of them.
    pub asks: &'a [Ask],
}

impl<'a> Batch<'a> {
    /// Some of its networks.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Batch<'a> {
        Batch { networks: self.networks.part(range), ..*self }
    }

    /// Sees to it that all of it is there.
    pub(crate) fn check(&self, all: &[Arc<Inputs>]) -> Result<(), RankError> {
        let none = RankError::Inputs { inputs: self.inputs, all: all.len() };
        let inputs = all.get(self.inputs).ok_or(none)?;
        check_features(self.networks.shape(), inputs)?;
        for ask in self.asks {
            let none = RankError::Part { part: ask.part, parts: inputs.parts().len() };
            let part = inputs.parts().get(ask.part).ok_or(none)?;
            if let Some(top) = ask.top
                && !(1..=part.rows()).contains(&top)
            {
                return Err(RankError::Top { top, part: ask.part, rows: part.rows() });
            }
        }
        Ok(())
    }
}

/// Sees to it that networks take as many numbers as rows have.
pub(crate) fn check_features(shape: &Shape, inputs: &Inputs) -> Result<(), RankError> {
    if shape.inputs() == inputs.features() {
        return Ok(());
    }
    Err(RankError::Features { shape: shape.inputs(), features: inputs.features() })
}

/// Why networks were not ranked.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RankError {
    /// Genes of half a network.
    #[error("found {found} genes; expected a multiple of {each}, the number of genes of a network")]
    Genes {
        /// How many were given.
        found: usize,
        /// How many a network has.
        each: usize,
    },
    /// No such network.
    #[error("there is no network {network}; there are {networks}, numbered from 0")]
    Network {
        /// The one that was chosen.
        network: usize,
        /// How many there are.
        networks: usize,
    },
    /// No such inputs.
    #[error("the session has no inputs {inputs}; it has {all}, numbered from 0")]
    Inputs {
        /// Those that were asked about.
        inputs: usize,
        /// How many there are.
        all: usize,
    },
    /// No such part.
    #[error("the inputs have no part {part}; they have {parts}, numbered from 0")]
    Part {
        /// The one that was asked about.
        part: usize,
        /// How many there are.
        parts: usize,
    },
    /// A top of nobody, or of more rows than there are.
    #[error("found a top of {top} rows for part {part}; expected 1 to {rows}")]
    Top {
        /// How many were asked for.
        top: usize,
        /// The part.
        part: usize,
        /// How many rows it has.
        rows: usize,
    },
    /// Networks for other rows.
    #[error("the networks take {shape} inputs, the rows have {features}")]
    Features {
        /// What the networks take.
        shape: usize,
        /// What the rows have.
        features: usize,
    },
    /// No device is left.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
