//! Writes partitions as text, CSV, in the format of Bunch, as JSON and for Graphviz.

mod dot;
mod json;
mod text;

pub use dot::write_dot;

use super::Partition;
use pellucid_data::{CsvQuotes, DependencyGraph, csv_cell};
use std::io::{self, Write};

/// The name of the cluster of modules that were set aside.
pub const OMNIPRESENT: &str = "omnipresent";
/// The name of the cluster of modules without edges.
pub const UNCONNECTED: &str = "unconnected";

/// The formats of a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartitionFormat {
    /// The clusters with their names, factors and modules.
    #[default]
    Text,
    /// A CSV table with the columns module and cluster.
    Csv,
    /// Lines `SS(name)=a, b`, as Bunch reads and writes them.
    Bunch,
    /// One JSON object.
    Json,
}

impl Partition {
    /// Writes the clusters with the names of their modules.
    ///
    /// # Errors
    /// If writing fails, or the name of a module does not fit into the format of Bunch.
    pub fn write(
        &self,
        graph: &DependencyGraph,
        format: PartitionFormat,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            PartitionFormat::Text => text::write(self, graph, out),
            PartitionFormat::Csv => write_csv(self, graph, out),
            PartitionFormat::Bunch => write_bunch(self, graph, out),
            PartitionFormat::Json => json::write(self, graph, out),
        }
    }

    /// Returns the name and the modules of each cluster, and of those that are in none.
    fn groups(&self) -> impl Iterator<Item = (&str, &[u32])> {
        let clusters =
            self.clusters.iter().map(|cluster| (cluster.name.as_str(), &*cluster.modules));
        let others = [(OMNIPRESENT, &*self.omnipresent), (UNCONNECTED, &*self.unconnected)];
        clusters.chain(others.into_iter().filter(|(_, modules)| !modules.is_empty()))
    }
}

fn write_csv(
    partition: &Partition,
    graph: &DependencyGraph,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "module,cluster")?;
    let cell = |text: &str| csv_cell(text, CsvQuotes::Changed).into_owned();
    for (name, modules) in partition.groups() {
        for &module in modules {
            writeln!(out, "{},{}", cell(&graph.modules[module as usize]), cell(name))?;
        }
    }
    Ok(())
}

fn write_bunch(
    partition: &Partition,
    graph: &DependencyGraph,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (name, modules) in partition.groups() {
        let modules: Vec<&str> =
            modules.iter().map(|&module| graph.modules[module as usize].as_str()).collect();
        let is_unfit = |name: &&&str| {
            name.is_empty() || name.trim() != **name || name.contains([',', '\n', '\r'])
        };
        if let Some(unfit) = modules.iter().find(is_unfit) {
            let problem = format!("the format of Bunch cannot hold the module '{unfit}'; use CSV");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        // An equals sign would end the name.
        writeln!(out, "SS({})={}", name.replace(['=', '\n', '\r'], " "), modules.join(", "))?;
    }
    Ok(())
}
