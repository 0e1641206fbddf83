//! A dependency graph: a line `FROM TO` for every edge, optionally with a weight, which is ignored.
//!
//! Modules are numbered in the order in which their names first appear. Each module is both an
//! object (what it needs) and an attribute (what needs it), even if it occurs on one side only. If
//! the graph is made symmetric, an edge counts in both directions. The diagonal stays as in the
//! file: a pair of a module with itself is kept, and none is added.

use super::rows::numbered;
use crate::graph::pairs::each_pair;
use crate::source::error::{ReadError, ReadProblem};
use pellucid_data::Relation;
use pellucid_data::{Context, Names, message};
use rustc_hash::FxHashMap;

/// Reads a graph; blank lines are skipped, and a repeated pair counts once.
pub(super) fn read(text: &str, name: &str, symmetric: bool) -> Result<Context, ReadError> {
    let mut modules = Modules::default();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut weights = false;
    each_pair(text, |pair| {
        weights |= pair.weight.is_some();
        pairs.push((modules.number(pair.from)?, modules.number(pair.to)?));
        Ok(())
    })?;
    if pairs.is_empty() {
        return Err(ReadProblem::EmptyContext.into());
    }
    let relation = relation(&pairs, modules.names.len(), symmetric)?;
    let names: Names = modules.names.into_iter().collect();
    let mut context = Context::new(name, names.clone(), names, relation);
    let direction = if symmetric { "in both directions" } else { "from the first to the second" };
    context.notes.push(message!("read the pairs {direction}"));
    if weights {
        context.notes.push("ignored the weights in the third column".into());
    }
    Ok(context)
}

/// The names so far, with their numbers.
#[derive(Default)]
struct Modules<'a> {
    names: Vec<&'a str>,
    numbers: FxHashMap<&'a str, u32>,
}

impl<'a> Modules<'a> {
    fn number(&mut self, name: &'a str) -> Result<u32, ReadError> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let number = numbered(self.names.len())?;
        self.names.push(name);
        self.numbers.insert(name, number);
        Ok(number)
    }
}

/// Sorts the pairs into rows.
fn relation(pairs: &[(u32, u32)], modules: usize, symmetric: bool) -> Result<Relation, ReadError> {
    let back = if symmetric { pairs } else { &[] };
    let arrows = || pairs.iter().copied().chain(back.iter().map(|&(from, to)| (to, from)));
    let mut ends = vec![0; modules];
    arrows().for_each(|(from, _)| ends[from as usize] += 1);
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    // The start of each row becomes its end when the row is full.
    let mut crosses = vec![0; sum];
    for (from, to) in arrows() {
        crosses[ends[from as usize]] = to;
        ends[from as usize] += 1;
    }
    let mut start = 0;
    let rows = ends.iter().map(|&end| &crosses[std::mem::replace(&mut start, end)..end]);
    let relation = Relation::new(modules, rows);
    Ok(relation.map_err(|error| ReadProblem::Options(error.to_string().into()))?)
}
