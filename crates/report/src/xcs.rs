//! Classifier systems as an HTML page and as a JavaScript module.

use crate::javascript;
use crate::rule_page::{Page, page};
use pellucid_learn::learner::{Export, ExportWriter};
use pellucid_xcs::Xcs;
use pellucid_xcs::export::{note_paragraphs, shown_rules};
use pellucid_xcs::model::{XcsModel, as_selected_rules};

/// The drawings of classifier systems.
pub const DRAWINGS: &[Export<Xcs>] = &[
    Export {
        name: "html",
        help: "Classifiers: HTML page",
        write: ExportWriter::Text(|model, options| Ok(html(model, options.part))),
    },
    Export {
        name: "javascript",
        help: "Classifiers: JavaScript module that predicts",
        write: ExportWriter::Text(|model, _| Ok(javascript::of_rules(&as_selected_rules(model)))),
    },
];

/// Returns the model as a page, or as a part of one.
#[must_use]
pub fn html(model: &XcsModel, is_part: bool) -> String {
    page(
        &as_selected_rules(model),
        &Page { most: shown_rules(model), notes: note_paragraphs(model), is_part },
    )
}
