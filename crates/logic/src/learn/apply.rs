//! Predictions of a model.

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

/// The best expression of a model, with its extent in a knowledge base.
#[derive(Clone, Debug)]
pub struct AppliedLogic {
    kb: Arc<KnowledgeBase>,
    expr: Expr,
    /// The extent, one bit per individual.
    extent: Bits,
    individuals: Vec<u32>,
    /// The labels that are known: 1 for positive examples, 0 for negative ones.
    labels: HashMap<u32, u32>,
}

impl AppliedLogic {
    /// Applies a model to a knowledge base: the training one, or another with the same names.
    ///
    /// # Errors
    /// If the model has no expression, or if it uses a name that the knowledge base does not have.
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
        let label =
            |list: &[u32], label: u32| list.iter().map(|&one| (one, label)).collect::<Vec<_>>();
        let labels = [label(&data.task.positive, 1), label(&data.task.negative, 0)].concat();
        let (individuals, labels) = (data.asked.clone(), labels.into_iter().collect());
        Ok(AppliedLogic { kb, expr, extent, individuals, labels })
    }

    /// Whether an individual is an instance of the expression.
    #[must_use]
    pub fn is_instance(&self, individual: u32) -> bool {
        self.extent.get(individual as usize)
    }
}

impl Applied for AppliedLogic {
    fn len(&self) -> usize {
        self.individuals.len()
    }

    fn heading(&self) -> String {
        "individual".to_owned()
    }

    fn name(&self, example: usize) -> String {
        self.kb.show_individual(self.individuals[example]).to_owned()
    }

    fn predicted(&self, example: usize) -> u32 {
        u32::from(self.is_instance(self.individuals[example]))
    }

    fn explain(&self, example: usize) -> Result<Explanation, BoxError> {
        let explained = explain(&self.kb.world, &*self.kb, &self.expr, self.individuals[example])?;
        let text = explained.to_string();
        Ok(Explanation { text, json: serde_json::to_value(explained.part)? })
    }

    fn actual(&self, example: usize) -> Option<Actual> {
        self.labels.get(&self.individuals[example]).map(|&label| Actual::Class(label))
    }
}
