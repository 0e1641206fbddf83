//! What a model says of individuals.

use super::{Individuals, LogicError, LogicModel, Task};
use crate::KnowledgeBase;
use crate::explain::explain;
use pellucid_bits::Bits;
use pellucid_device::Machine;
use pellucid_learn::learner::{Applied, BoxError, Explanation, Truth};
use pellucid_program::Expr;
use pellucid_relate::Reasoner;
use std::sync::Arc;

/// A model's best expression, and who it holds for.
#[derive(Clone, Debug)]
pub struct AppliedLogic {
    kb: Arc<KnowledgeBase>,
    expr: Expr,
    /// Bit by individual.
    extent: Bits,
    asked: Vec<u32>,
    task: Task,
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
        let (asked, task) = (data.asked.clone(), data.task.clone());
        Ok(AppliedLogic { kb, expr, extent, asked, task })
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

    fn truth(&self) -> Option<Truth> {
        let examples = self.task.positive.iter().chain(&self.task.negative);
        let predicted = examples.map(|&one| u32::from(self.holds(one))).collect();
        let truth = Truth { actual: self.task.codes(), predicted, strangers: 0 };
        (!self.task.is_empty()).then_some(truth)
    }
}
