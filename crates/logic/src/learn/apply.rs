//! What a model says of individuals.

use super::{Individuals, LogicError, LogicModel};
use crate::KnowledgeBase;
use crate::explain::explain;
use pellucid_bits::Bits;
use pellucid_device::Machine;
use pellucid_learn::learner::{Actual, Applied, BoxError, Explanation};
use pellucid_program::Expr;
use pellucid_relate::Reasoner;
use std::collections::HashMap;
use std::sync::Arc;

/// A model's best expression, and who it holds for.
#[derive(Clone, Debug)]
pub struct AppliedLogic {
    kb: Arc<KnowledgeBase>,
    expr: Expr,
    /// Bit by individual.
    extent: Bits,
    asked: Vec<u32>,
    /// Of whom it is known: 1 for a positive example, 0 for a negative one.
    sides: HashMap<u32, u32>,
}

impl AppliedLogic {
    /// Applies a model to a knowledge base, the one it was learned from or another with the same names.
    ///
    /// # Errors
    /// When the model holds no expression, or one that names what the knowledge base lacks.
    pub fn new(
        model: &LogicModel,
        data: &Individuals,
        machine: &Machine,
    ) -> Result<AppliedLogic, LogicError> {
        let (kb, expr) = (Arc::clone(&data.kb), model.model.best()?.expr().clone());
        let mut reasoner = Reasoner::new(Arc::clone(&kb.world), machine)?;
        let program = reasoner
            .programs_mut()
            .add(&expr)
            .map_err(|error| LogicError::Misfit { ontology: kb.name.clone(), error })?;
        let covered = reasoner.cover(&[program])?;
        let extent = Bits::from_blocks(covered.row(0).to_vec(), kb.world.len());
        let side =
            |list: &[u32], side: u32| list.iter().map(|&one| (one, side)).collect::<Vec<_>>();
        let sides = [side(&data.task.positive, 1), side(&data.task.negative, 0)].concat();
        let (asked, sides) = (data.asked.clone(), sides.into_iter().collect());
        Ok(AppliedLogic { kb, expr, extent, asked, sides })
    }

    /// Whether the expression holds for an individual.
    #[must_use]
    pub fn holds(&self, individual: u32) -> bool {
        self.extent.get(individual as usize)
    }
}

impl Applied for AppliedLogic {
    fn len(&self) -> usize {
        self.asked.len()
    }

    fn heading(&self) -> String {
        "individual".to_owned()
    }

    fn name(&self, example: usize) -> String {
        self.kb.show_individual(self.asked[example]).to_owned()
    }

    fn predicted(&self, example: usize) -> u32 {
        u32::from(self.holds(self.asked[example]))
    }

    fn explain(&self, example: usize) -> Result<Explanation, BoxError> {
        let explained = explain(&self.kb.world, &*self.kb, &self.expr, self.asked[example])?;
        let text = explained.to_string();
        Ok(Explanation { text, json: serde_json::to_value(explained.part)? })
    }

    fn actual(&self, example: usize) -> Option<Actual> {
        self.sides.get(&self.asked[example]).map(|&side| Actual::Class(side))
    }
}
