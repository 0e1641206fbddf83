//! Networks as an SVG image (a network, the performance on held-out rows, and the feature effects) and as a
//! JavaScript module.

mod effects;
mod held_out;
mod network;

use crate::javascript;
use effects::effects;
use held_out::held_out;
use network::network;
use pellucid_export::xml::escaped;
use pellucid_learn::learner::{Export, ExportWriter};
use pellucid_networks::Network;
use pellucid_networks::model::NetworkModel;

/// The drawings of networks.
pub const DRAWINGS: &[Export<Network>] = &[
    Export {
        name: "svg",
        help: "Networks: drawing of a network, gains and feature effects",
        write: ExportWriter::Text(|model, _| Ok(svg(model))),
    },
    Export {
        name: "javascript",
        help: "Networks: JavaScript module that computes scores and probabilities",
        write: ExportWriter::Text(|model, _| Ok(javascript::of_network(model))),
    },
];

/// The height of a line of text.
const LINE: f64 = 18.0;
/// The width of the image.
const WIDTH: f64 = 880.0;

const STYLE: &str = "text{font:12px sans-serif;fill:#222}.h{font-weight:bold;font-size:13px}\
    .s{fill:#666;font-size:11px}.up{stroke:#2166ac}.down{stroke:#b2182b}\
    .line{fill:none;stroke:#2166ac;stroke-width:1.8}.axis{stroke:#999;stroke-width:1}\
    .mark{fill:#2166ac}.chance{stroke:#999;stroke-dasharray:4 4}";

/// Returns the model as an SVG image.
#[must_use]
pub fn svg(model: &NetworkModel) -> String {
    let (network, mut height) = network(model);
    let mut body = network;
    if let Some(found) = &model.body.held_out {
        let (part, tall) = held_out(found, height + 30.0, model);
        body += &part;
        height += 30.0 + tall;
    }
    let (part, tall) = effects(model, height + 30.0);
    body += &part;
    height += 30.0 + tall;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" \
         width=\"{WIDTH:.0}\" height=\"{height:.0}\">\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

fn label(x: f64, y: f64, class: &str, anchor: &str, text: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" text-anchor=\"{anchor}\">{}</text>\n",
        escaped(text)
    )
}
