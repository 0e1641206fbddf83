//! A partition as JSON, with the names of modules.

use crate::cluster::Partition;
use pellucid_data::DependencyGraph;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes one object in one line:
///
/// ```json
/// {"name": "compiler", "mq": 1.5, "clusters": [{"name": "lexer", "factor": 0.75, "modules": ["lexer"],
///  "concept": {"extent": ["lexer"], "intent": ["lexer"]}}], "omnipresent": [], "unconnected": []}
/// ```
pub(super) fn write(
    partition: &Partition,
    graph: &DependencyGraph,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = |modules: &[u32]| -> Vec<&str> {
        modules.iter().map(|&module| graph.modules[module as usize].as_str()).collect()
    };
    let clusters = partition.clusters.iter().map(|cluster| {
        let mut object = json!({
            "name": cluster.name,
            "factor": cluster.factor,
            "modules": names(&cluster.modules),
        });
        if let Some(concept) = &cluster.concept {
            object["concept"] =
                json!({"extent": names(&concept.extent), "intent": names(&concept.intent)});
        }
        object
    });
    let object = json!({
        "name": graph.name,
        "mq": partition.quality,
        "clusters": clusters.collect::<Vec<Value>>(),
        "omnipresent": names(&partition.omnipresent),
        "unconnected": names(&partition.unconnected),
    });
    writeln!(out, "{object}")
}
