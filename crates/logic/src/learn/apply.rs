//! What a model says of individuals.

use super::{LearnError, Model, RunError};
use crate::KnowledgeBase;
use pellucid_engine::world::Reasoner;
use pellucid_engine::{Bits, Expr, Machine};
use std::sync::Arc;

/// A model's best expression, and who it holds for.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The expression.
    pub expr: Expr,
    /// Bit by individual.
    pub extent: Bits,
}

/// What a model says of an individual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The individual.
    pub individual: u32,
    /// Whether it is called positive.
    pub positive: bool,
}

impl Applied {
    /// Applies a model to a knowledge base, the one it was learned from or another with the same names.
    ///
    /// # Errors
    /// When the model holds no expression, or one that names what the knowledge base lacks.
    pub fn new(
        model: &Model,
        kb: &Arc<KnowledgeBase>,
        machine: &Machine,
    ) -> Result<Applied, RunError> {
        let expressions = model.model.expressions().map_err(LearnError::from)?;
        let expr = expressions.into_iter().next().unwrap_or(Expr::Constant(false));
        let mut reasoner =
            Reasoner::new(Arc::clone(&kb.world), machine).map_err(LearnError::from)?;
        let program = reasoner.programs_mut().add(&expr).map_err(LearnError::from)?;
        let covered = reasoner.cover(&[program]).map_err(LearnError::from)?;
        let extent = Bits::from_blocks(covered.row(0).to_vec(), kb.world.len());
        Ok(Applied { expr, extent })
    }

    /// What is said of an individual.
    #[must_use]
    pub fn predict(&self, individual: u32) -> Prediction {
        Prediction { individual, positive: self.extent.get(individual as usize) }
    }
}
