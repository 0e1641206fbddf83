//! A partition as text.

use crate::cluster::Partition;
use crate::names::quoted;
use pellucid_data::DependencyGraph;
use std::io::{self, Write};

/// Writes each cluster with its modules in the line below, and at the end the modules that are alone or in
/// none.
pub(super) fn write(
    partition: &Partition,
    graph: &DependencyGraph,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut lines: Vec<(String, &[u32])> = Vec::new();
    let mut alone: Vec<u32> = Vec::new();
    for cluster in &partition.clusters {
        if let [module] = *cluster.modules {
            alone.push(module);
            continue;
        }
        let count = counted(&cluster.modules);
        let name = &cluster.name;
        lines.push((format!("{name}   ({count}, factor {:.3})", cluster.factor), &cluster.modules));
    }
    for (what, modules) in [
        ("Alone, each a cluster with factor 0", &alone),
        ("Omnipresent, set aside", &partition.omnipresent),
        ("Without edges, in no cluster", &partition.unconnected),
    ] {
        if !modules.is_empty() {
            lines.push((format!("{what}   ({})", counted(modules)), modules));
        }
    }
    for (heading, modules) in lines {
        writeln!(out, "{heading}")?;
        for (index, &module) in modules.iter().enumerate() {
            let separator = if index == 0 { "  " } else { ", " };
            write!(out, "{separator}{}", quoted(&graph.modules[module as usize]))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn counted(modules: &[u32]) -> String {
    match modules.len() {
        1 => "1 module".to_owned(),
        number => format!("{number} modules"),
    }
}
