//! Predictions of a model.

use super::{Individuals, LogicError, LogicModel};
use crate::KnowledgeBase;
use crate::explain::explain;
use pellucid_bits::Bits;
use pellucid_data::MISSING;
use pellucid_device::Machine;
use pellucid_learn::learner::{
    ActualClass, Actuals, Applied, BoxError, Explanation, ExplanationRequest, Predicted,
};
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
    /// By individual, 1 for an instance of the expression and 0 otherwise.
    predicted: Vec<u32>,
    /// The labels that are known: 1 for positive examples, 0 for negative ones.
    actual: Actuals,
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
        let (kb, expr) = (Arc::clone(&data.kb), model.body.best()?.expr().clone());
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
        let labels: HashMap<u32, u32> = labels.into_iter().collect();
        let individuals = data.asked.clone();
        let is_instance = |&one: &u32| u32::from(extent.get(one as usize));
        let predicted = individuals.iter().map(is_instance).collect();
        let label = |one: &u32| labels.get(one).copied().unwrap_or(MISSING);
        let actual = Actuals::Classes {
            places: individuals.iter().map(label).collect(),
            classes: vec![ActualClass::Known(0), ActualClass::Known(1)],
        };
        Ok(AppliedLogic { kb, expr, extent, individuals, predicted, actual })
    }

    /// Whether an individual is an instance of the expression.
    #[must_use]
    pub fn is_instance(&self, individual: u32) -> bool {
        self.extent.get(individual as usize)
    }
}

impl Applied for AppliedLogic {
    fn predicted(&self) -> Predicted<'_> {
        Predicted::Classes(&self.predicted)
    }

    fn actual(&self) -> &Actuals {
        &self.actual
    }

    fn explain(&self, example: usize, _: &ExplanationRequest<'_>) -> Result<Explanation, BoxError> {
        let explained = explain(&self.kb.world, &*self.kb, &self.expr, self.individuals[example])?;
        let text = explained.to_string();
        Ok(Explanation { text, json: serde_json::to_value(explained.part)? })
    }

    fn heading(&self) -> &str {
        "individual"
    }

    fn name(&self, example: usize) -> String {
        self.kb.show_individual(self.individuals[example]).to_owned()
    }
}
