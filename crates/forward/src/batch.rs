//! Requests: which networks to rank, on which rows, and by which statistics.

use crate::{Inputs, Shape};
use pellucid_device::DeviceError;
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

/// The statistics requested for a part of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RankRequest {
    /// The number of the part; 0 is all rows.
    pub part: usize,
    /// The size of the top, if statistics of the top are requested.
    pub top: Option<usize>,
    /// Whether pairs of positives and negatives are counted.
    pub pairs: bool,
}

impl RankRequest {
    /// Requests statistics of the highest-scoring rows of a part.
    #[must_use]
    pub fn top(part: usize, rows: usize) -> RankRequest {
        RankRequest { part, top: Some(rows), pairs: false }
    }

    /// Requests the counts of pairs in a part.
    #[must_use]
    pub fn pairs(part: usize) -> RankRequest {
        RankRequest { part, top: None, pairs: true }
    }

    /// Requests the counts of pairs in addition.
    #[must_use]
    pub fn and_pairs(self) -> RankRequest {
        RankRequest { pairs: true, ..self }
    }
}

/// Networks of one shape with concatenated genes.
#[derive(Clone, Copy, Debug)]
pub struct Networks<'a> {
    shape: &'a Shape,
    genes: &'a [f32],
    /// The selected networks, if not all.
    chosen: Option<&'a [usize]>,
}

impl<'a> Networks<'a> {
    /// Selects all networks of a population.
    ///
    /// # Errors
    /// When the number of genes is not a multiple of the genes of one network.
    pub fn all(shape: &'a Shape, genes: &'a [f32]) -> Result<Networks<'a>, ForwardError> {
        if !genes.len().is_multiple_of(shape.genes()) {
            return Err(ForwardError::Genes { found: genes.len(), each: shape.genes() });
        }
        Ok(Networks { shape, genes, chosen: None })
    }

    /// Selects some networks of a population by number.
    ///
    /// # Errors
    /// When the number of genes is not a multiple of the genes of one network, or a number is out
    /// of range.
    pub fn some(
        shape: &'a Shape,
        genes: &'a [f32],
        chosen: &'a [usize],
    ) -> Result<Networks<'a>, ForwardError> {
        let all = Networks::all(shape, genes)?;
        let networks = all.len();
        if let Some(&network) = chosen.iter().find(|&&network| network >= networks) {
            return Err(ForwardError::Network { network, networks });
        }
        Ok(Networks { chosen: Some(chosen), ..all })
    }

    /// Returns their shape.
    #[must_use]
    pub fn shape(&self) -> &'a Shape {
        self.shape
    }

    /// Returns the number of networks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chosen.map_or(self.genes.len() / self.shape.genes(), <[usize]>::len)
    }

    /// Whether there are no networks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the genes of one network.
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

/// Networks, the rows to score, and the requested statistics.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The number of the inputs in the session.
    pub inputs: usize,
    /// The networks.
    pub networks: Networks<'a>,
    /// The statistics requested for each network.
    pub asks: &'a [RankRequest],
}

impl<'a> Batch<'a> {
    /// Returns a batch with some of the networks.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Batch<'a> {
        Batch { networks: self.networks.part(range), ..*self }
    }

    /// Checks that the inputs, parts and tops exist.
    pub(crate) fn check(&self, all: &[Arc<Inputs>]) -> Result<(), ForwardError> {
        let none = ForwardError::Inputs { inputs: self.inputs, all: all.len() };
        let inputs = all.get(self.inputs).ok_or(none)?;
        check_features(self.networks.shape(), inputs)?;
        for ask in self.asks {
            let none = ForwardError::Part { part: ask.part, parts: inputs.parts().len() };
            let part = inputs.parts().get(ask.part).ok_or(none)?;
            if let Some(top) = ask.top
                && !(1..=part.rows()).contains(&top)
            {
                return Err(ForwardError::Top { top, part: ask.part, rows: part.rows() });
            }
        }
        Ok(())
    }
}

/// Checks that the networks and the rows have the same number of inputs.
pub(crate) fn check_features(shape: &Shape, inputs: &Inputs) -> Result<(), ForwardError> {
    if shape.inputs() == inputs.features() {
        return Ok(());
    }
    Err(ForwardError::Features { shape: shape.inputs(), features: inputs.features() })
}

/// The reason why networks cannot be ranked.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ForwardError {
    /// The number of genes is not a multiple of the genes of one network.
    #[error("found {found} genes; expected a multiple of {each}, the genes of one network")]
    Genes {
        /// The number of genes given.
        found: usize,
        /// The number of genes of one network.
        each: usize,
    },
    /// A network does not exist.
    #[error("network {network} does not exist; expected a number below {networks}")]
    Network {
        /// The requested network.
        network: usize,
        /// The number available.
        networks: usize,
    },
    /// The inputs do not exist.
    #[error("inputs {inputs} do not exist; expected a number below {all}")]
    Inputs {
        /// The requested inputs.
        inputs: usize,
        /// The number available.
        all: usize,
    },
    /// A part does not exist.
    #[error("part {part} does not exist; expected a number below {parts}")]
    Part {
        /// The requested part.
        part: usize,
        /// The number available.
        parts: usize,
    },
    /// The size of a top is out of range.
    #[error("found a top of {top} rows in part {part}; expected 1 to {rows}")]
    Top {
        /// The requested size.
        top: usize,
        /// The part.
        part: usize,
        /// The number of its rows.
        rows: usize,
    },
    /// The networks and the rows have different numbers of inputs.
    #[error("the networks have {shape} inputs, but the rows have {features}")]
    Features {
        /// The number of inputs of the networks.
        shape: usize,
        /// The number of inputs of the rows.
        features: usize,
    },
    /// No device is left.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
