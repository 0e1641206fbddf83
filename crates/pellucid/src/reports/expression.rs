//! The best class expression of a model, part by part.

use crate::learn::model::StoredModel;
use crate::logic::breakdown::breakdown;
use crate::logic::export::sparql;
use crate::logic::learn::{Individuals, LearnedExpressions, Options};
use crate::report::page::Report;
use pellucid_device::Machine;
use serde_json::json;

/// Adds the parts of the best expression; with data, the individuals behind each.
pub(super) fn with_expression(
    report: Report,
    stored: &StoredModel,
    data: Option<(&Individuals, &Machine)>,
) -> Report {
    // A model of another learner has no expression.
    let Ok(model) = stored.read::<Options, LearnedExpressions>("logic") else { return report };
    let Ok(best) = model.body.best() else { return report };
    let names = model.body.names.lexicon();
    let mut tree = breakdown(best.expr(), &names);
    let counted = data.and_then(|(data, machine)| {
        // Another ontology may lack a name of the expression; then the parts have no individuals.
        let listed = tree.find_instances(data, machine).ok()?;
        Some(([data.task.negative.len(), data.task.positive.len()], listed))
    });
    let (totals, listed) = counted.unzip();
    report
        .with_part("tree", Some(json!(tree)))
        .with_part("tree_totals", totals.map(|totals| json!(totals)))
        .with_part("individuals", listed.map(|listed| json!(listed)))
        .with_part("sparql", Some(json!(sparql(best.expr(), &names))))
}
