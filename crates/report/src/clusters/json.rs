//! The positions of clusters and modules as JSON.

use super::ClusterDrawing;
use serde_json::{Value, json};
use std::io::{self, Write};

impl ClusterDrawing<'_> {
    /// Writes the drawing as one JSON object. Modules and clusters are given by their indices in the lists.
    ///
    /// ```json
    /// {"width": 120.0, "height": 90.0,
    ///  "clusters": [{"name": "lexer", "factor": 1.0, "x": 60.0, "y": 45.0, "r": 40.0}],
    ///  "modules": [{"name": "lexer", "cluster": 0, "x": 60.0, "y": 45.0}],
    ///  "edges": [{"from": 0, "to": 0, "weight": 1.0}]}
    /// ```
    ///
    /// Modules that are in no cluster have no position.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let clusters = self.partition.clusters.iter().zip(&self.disks).map(|(cluster, disk)| {
            json!({
                "name": cluster.name, "factor": cluster.factor,
                "x": rounded(disk.x), "y": rounded(disk.y), "r": rounded(disk.radius),
            })
        });
        let mut modules: Vec<Value> =
            self.graph.modules.iter().map(|name| json!({"name": name})).collect();
        for drawn in &self.modules {
            let module = &mut modules[drawn.module as usize];
            module["cluster"] = drawn.cluster.into();
            module["x"] = rounded(drawn.x).into();
            module["y"] = rounded(drawn.y).into();
        }
        let edges = self.graph.edges().iter();
        let edges =
            edges.map(|edge| json!({"from": edge.from, "to": edge.to, "weight": edge.weight}));
        let object = json!({
            "width": rounded(self.size.0),
            "height": rounded(self.size.1),
            "clusters": clusters.collect::<Vec<Value>>(),
            "modules": modules,
            "edges": edges.collect::<Vec<Value>>(),
        });
        writeln!(out, "{object}")
    }
}

/// Returns a coordinate with one digit after the point, which is the same on every machine.
fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
