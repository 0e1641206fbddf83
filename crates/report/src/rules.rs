//! Rules as an HTML page and as a JavaScript module.

use crate::javascript;
use crate::rule_page::{Page, page};
use pellucid_learn::learner::{Export, ExportWriter};
use pellucid_rules::Rules;
use pellucid_rules::learner::{decided_for, with_own_columns};
use pellucid_rules::model::RuleModel;

/// The drawings of rules.
pub const DRAWINGS: &[Export<Rules>] = &[
    Export {
        name: "html",
        help: "Rules: an HTML page with bars and, if there is one, the table of points",
        write: ExportWriter::Text(|model, options| Ok(html(model, options.part))),
    },
    Export {
        name: "javascript",
        help: "Rules: a JavaScript module that predicts",
        write: ExportWriter::Text(|model, _| Ok(javascript::of_rules(&with_own_columns(model)))),
    },
];

/// Returns the model as a page, or as a part of one.
#[must_use]
pub fn html(model: &RuleModel, is_part: bool) -> String {
    let notes = decided_for(model).into_iter().collect();
    page(&with_own_columns(model), &Page { most: usize::MAX, notes, is_part })
}
