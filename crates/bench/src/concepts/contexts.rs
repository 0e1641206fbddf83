//! The contexts of the paper on formal concepts: generated, or real graphs in a folder.

use anyhow::{Context as _, Result, bail, ensure};
use pellucid::data::Context;
use pellucid::data::Relation;
use pellucid::generate::{GraphKind, RandomContext, context};
use pellucid::io::{ContextFormat, ContextOptions, Names, read_context};
use std::path::{Path, PathBuf};

/// The paper's graphs, by the names of their files.
const GRAPHS: [&str; 10] =
    ["bison", "compiler", "dot", "grappa", "incl", "ispell", "linux", "mtunis", "rcs", "swing"];

/// A context by name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    Wiki,
    Random(RandomContext),
    File(PathBuf),
}

impl Named {
    pub(super) fn load(&self, seed: u64) -> Result<Context> {
        match &self.origin {
            Origin::Wiki => Ok(wiki()),
            Origin::Random(random) => Ok(context(random, seed)?),
            Origin::File(path) => {
                let options = ContextOptions::default().format(ContextFormat::Pairs);
                Ok(read_context(path, &options.symmetric(true))?)
            }
        }
    }
}

/// The numbers 1 to 10: composite, even, odd, prime, square.
fn wiki() -> Context {
    let is_composite = |number: u32| (2..number).any(|part| number.is_multiple_of(part));
    let row = |number: u32| {
        let has = [
            is_composite(number),
            number.is_multiple_of(2),
            !number.is_multiple_of(2),
            number > 1 && !is_composite(number),
            (1..=number).any(|root| root * root == number),
        ];
        (0u32..).zip(has).filter(|(_, has)| *has).map(|(attribute, _)| attribute).collect()
    };
    let rows: Vec<Vec<u32>> = (1..=10).map(row).collect();
    let relation = Relation::new(5, rows).expect("attributes 0 to 4");
    let attributes = ["composite", "even", "odd", "prime", "square"].into_iter().collect();
    Context::new("wiki", Names::Numbered { first: 1, count: 10 }, attributes, relation)
}

fn generated() -> Vec<Named> {
    let uniform = |objects: usize, density| {
        let graph = Some(GraphKind::Uniform);
        let random = RandomContext { objects, attributes: objects, density, graph };
        Named { name: format!("random{objects}"), origin: Origin::Random(random) }
    };
    let heavy = Origin::Random(RandomContext {
        objects: 955,
        attributes: 955,
        density: 0.02,
        graph: Some(GraphKind::ChungLu),
    });
    // For each way the CPU's search can take there is a context that it decides: many concepts of a
    // handful of objects, few candidates below most concepts, and many columns against few rows. Graphs are
    // for lists.
    let random = |objects, attributes, density| {
        let random = RandomContext { objects, attributes, density, graph: None };
        Named { name: format!("random{objects}x{attributes}"), origin: Origin::Random(random) }
    };
    vec![
        Named { name: "wiki".to_owned(), origin: Origin::Wiki },
        uniform(10, 0.2),
        uniform(100, 0.02),
        uniform(200, 0.02),
        uniform(500, 0.02),
        Named { name: "chung-lu955".to_owned(), origin: heavy },
        random(1000, 100, 0.2),
        random(300, 20, 0.6),
        random(100, 1000, 0.1),
    ]
}

/// The contexts asked for, or all there are.
pub(super) fn chosen(names: &[String], folder: Option<&Path>) -> Result<Vec<Named>> {
    let mut there = generated();
    there.extend(folder.map(found).transpose()?.unwrap_or_default());
    if names.is_empty() {
        return Ok(there);
    }
    let mut contexts = Vec::new();
    for name in names {
        let Some(context) = there.iter().find(|context| context.name == *name) else {
            let allowed: Vec<&str> = there.iter().map(|context| context.name.as_str()).collect();
            let hint = match folder {
                None if GRAPHS.contains(&name.as_str()) => "; give --data FOLDER, where it lies",
                _ => "",
            };
            bail!("--contexts: found '{name}', allowed are {}{hint}", allowed.join(", "))
        };
        contexts.push(context.clone());
    }
    Ok(contexts)
}

/// The graphs in a folder; there must be one.
fn found(folder: &Path) -> Result<Vec<Named>> {
    std::fs::read_dir(folder).with_context(|| format!("--data: {}", folder.display()))?;
    let file = |name: &&str| {
        let endings = ["", ".mdg", ".pairs", ".gz", ".mdg.gz", ".pairs.gz"];
        let mut paths = endings.iter().map(|ending| folder.join(format!("{name}{ending}")));
        let path = paths.find(|path| path.is_file())?;
        Some(Named { name: (*name).to_owned(), origin: Origin::File(path) })
    };
    let contexts: Vec<Named> = GRAPHS.iter().filter_map(file).collect();
    ensure!(
        !contexts.is_empty(),
        "--data: {} holds none of {}, each also with .mdg, .pairs or .gz",
        folder.display(),
        GRAPHS.join(", ")
    );
    Ok(contexts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::paper::published;
    use pellucid::close::Terms;
    use pellucid::concepts::enumerate::collect;

    #[test]
    fn the_numbers_to_ten_are_the_papers() {
        let context = wiki();
        assert_eq!((context.relation.crosses(), context.density()), (22, 0.44));
        let (concepts, _) = collect(&context.relation, &Terms::default()).unwrap();
        assert_eq!(Some(concepts.len() as u64), published("wiki").map(|paper| paper.concepts));
    }

    #[test]
    fn the_paper_has_every_graph() {
        assert!(GRAPHS.iter().all(|name| published(name).is_some()));
        let linux = published("linux").and_then(|paper| paper.fastest());
        assert_eq!(linux, Some(0.73));
        assert_eq!(published("wiki").and_then(|paper| paper.fastest()), None);
    }
}
