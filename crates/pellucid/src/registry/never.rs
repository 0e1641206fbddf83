//! Classes that a model predicts for none of its training examples.

use crate::learn::learner::{Applied, Examples, Fit, ModelOf, Predicted};
use pellucid_data::visible_line;
use pellucid_device::Machine;

/// The number of examples that are checked before all of them are.
const FIRST_LOOK: usize = 10_000;

/// Stores the classes that a model predicts for none of its training examples in the schema of the
/// model. Does nothing if the model cannot be applied here, because the data is in other processes.
pub(super) fn find<L: Fit>(model: &mut ModelOf<L>, data: &L::Data, machine: &Machine) {
    if model.schema.classes.len() < 2 {
        return;
    }
    let examples = data.codes().len();
    if examples > 2 * FIRST_LOOK {
        // Most models predict every class at least once among the first examples.
        let first: Vec<u32> = (0..).take(FIRST_LOOK).collect();
        let found = L::apply(model, &data.part(&first), machine);
        if found.is_ok_and(|applied| never(&*applied, &model.schema.classes).is_empty()) {
            return;
        }
    }
    let Ok(applied) = L::apply(model, data, machine) else { return };
    model.schema.never_predicted = never(&*applied, &model.schema.classes);
}

fn never(applied: &dyn Applied, classes: &[String]) -> Vec<String> {
    let mut is_predicted = vec![false; classes.len()];
    if let Predicted::Classes(codes) = applied.predicted() {
        for &code in codes {
            if let Some(is_predicted) = is_predicted.get_mut(code as usize) {
                *is_predicted = true;
            }
        }
    }
    let never = classes.iter().zip(is_predicted).filter(|(_, is_predicted)| !is_predicted);
    never.map(|(class, _)| class.clone()).collect()
}

/// Returns a sentence about these classes, or an empty string if there are none.
pub(super) fn sentence(classes: &[String]) -> String {
    let named: Vec<String> =
        classes.iter().map(|class| format!("'{}'", visible_line(class))).collect();
    match named.split_last() {
        None => String::new(),
        Some((last, [])) => format!("\nThis model never predicts {last}.\n"),
        Some((last, others)) => {
            format!("\nThis model never predicts {} or {last}.\n", others.join(", "))
        }
    }
}
