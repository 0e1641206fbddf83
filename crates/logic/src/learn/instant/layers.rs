//! Generates literals: classes and values first, then restrictions to them, then restrictions to
//! those.
//!
//! Fillers that agree on all objects of a role give equivalent restrictions, so only one of them is
//! used.

use super::literals::Literals;
use super::rows::ExampleLayout;
use crate::learn::directed_role::DirectedRole;
use crate::learn::{LogicError, SearchContext};
use pellucid_bits::{BitRows, Bits};
use pellucid_program::{Domain, Op, ProgramId, Quantifier, Value};
use rustc_hash::FxHashSet;

/// The numbers for `min`.
const COUNTS: [u32; 8] = [1, 2, 3, 4, 5, 6, 8, 10];
/// The number of programs per batch: small enough to check the clock in between, large enough to
/// parallelize.
const BATCH: usize = 512;
/// The maximum number of string values of a property.
const MAX_TEXTS: usize = 200;
/// The maximum number of fillers passed to the next layer.
const MAX_FILLERS: usize = 3000;

/// The literals of an increasing number of layers.
#[derive(Debug)]
pub(super) struct Layers {
    layout: ExampleLayout,
    /// All literals so far.
    pub(super) literals: Literals,
    /// The programs of the last layer, used as fillers.
    fillers: Vec<ProgramId>,
    /// For each role and direction, the extents of fillers that were used, restricted to the
    /// objects of the role.
    seen: Vec<FxHashSet<Vec<u64>>>,
    /// The current nesting of roles.
    pub(super) depth: usize,
}

impl Layers {
    /// Creates the first layers: classes and values, and restrictions to them.
    pub(super) fn new(context: &mut SearchContext) -> Result<Layers, LogicError> {
        let layout = ExampleLayout {
            positives: context.task().positive.len(),
            negatives: context.task().negative.len(),
        };
        let roles = context.kb().world.roles().len();
        let mut layers = Layers {
            layout,
            literals: Literals::new(layout),
            fillers: Vec::new(),
            seen: vec![FxHashSet::default(); 2 * roles],
            depth: 0,
        };
        let atoms = atoms(context)?;
        layers.add(context, &atoms)?;
        layers.fillers = vec![context.programs_mut().constant(true)];
        layers.fillers.extend(&atoms);
        if context.options().operators.negation {
            let negated: Vec<ProgramId> =
                atoms.iter().map(|&atom| context.programs_mut().not(atom)).collect();
            layers.fillers.extend(negated);
        }
        layers.grow(context)?;
        Ok(layers)
    }

    /// Adds restrictions with the programs of the last layer as fillers. Returns early if the run
    /// should stop.
    pub(super) fn grow(&mut self, context: &mut SearchContext) -> Result<(), LogicError> {
        self.depth += 1;
        let fillers = std::mem::take(&mut self.fillers);
        let extents = extents(context, &fillers)?;
        let examples = example_set(context);
        let mut inner = Vec::new();
        for way in context.allowed().directed_roles().to_vec() {
            let DirectedRole { role, inverse } = way;
            let Some(reached) = reach(context, way) else { continue };
            let seen = &mut self.seen[2 * role as usize + usize::from(inverse)];
            let mut new_fillers = Vec::new();
            for (at, &filler) in fillers.iter().enumerate().take(extents.rows()) {
                let objects: Vec<u64> = words(&extents, at)
                    .zip(&reached)
                    .map(|(word, reached)| word & reached)
                    .collect();
                let some = context.programs_mut().related(Quantifier::Some, role, inverse, filler);
                let reaches_any = objects.iter().any(|&word| word != 0);
                if reaches_any && !context.has_detour(some) && seen.insert(objects) {
                    new_fillers.push(filler);
                    inner.push(some);
                }
            }
            if has_example(context, way, &examples) {
                self.count(context, way, new_fillers)?;
            }
        }
        inner.sort_by_key(|&program| context.length(program));
        inner.truncate(MAX_FILLERS);
        self.fillers = inner;
        Ok(())
    }

    /// The layout of the examples.
    pub(super) fn layout(&self) -> ExampleLayout {
        self.layout
    }

    /// Whether there are fillers for another layer.
    pub(super) fn can_grow(&self) -> bool {
        !self.fillers.is_empty()
    }

    /// Adds `min n role (filler)` for every filler and increasing n, while an example is covered.
    fn count(
        &mut self,
        context: &mut SearchContext,
        DirectedRole { role, inverse }: DirectedRole,
        mut fillers: Vec<ProgramId>,
    ) -> Result<(), LogicError> {
        let most = context.options().operators.cardinality;
        for count in COUNTS.into_iter().take_while(|&count| count == 1 || count <= most) {
            let quantifier = if count == 1 { Quantifier::Some } else { Quantifier::Min(count) };
            let programs: Vec<ProgramId> = fillers
                .iter()
                .map(|&filler| context.programs_mut().related(quantifier, role, inverse, filler))
                .collect();
            let is_covering = self.add(context, &programs)?;
            fillers = fillers
                .into_iter()
                .zip(is_covering)
                .filter_map(|(f, covers)| covers.then_some(f))
                .collect();
            if fillers.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Evaluates programs on the examples and adds them. Returns whether each covers any example;
    /// false if the run stopped before.
    fn add(
        &mut self,
        context: &mut SearchContext,
        programs: &[ProgramId],
    ) -> Result<Vec<bool>, LogicError> {
        let mut covers_any = vec![false; programs.len()];
        for (start, batch) in (0..).step_by(BATCH).zip(programs.chunks(BATCH)) {
            if context.should_stop().is_some() {
                break;
            }
            let covered = context.reasoner().cover_examples(batch)?;
            context.count(batch.len() as u64);
            for (at, &program) in batch.iter().enumerate() {
                let row = self.layout.row(&covered, at);
                covers_any[start + at] = row.iter().any(|&word| word != 0);
                self.literals.add(context, program, row);
            }
        }
        Ok(covers_any)
    }
}

/// Returns the classes and the conditions on values of data properties.
fn atoms(context: &mut SearchContext) -> Result<Vec<ProgramId>, LogicError> {
    let kb = std::sync::Arc::clone(context.kb());
    let (allowed, operators) = (context.allowed().clone(), context.options().operators.clone());
    let mut atoms = Vec::new();
    // Large classes first: of two classes with the same coverage, the more general one is kept.
    let mut classes = allowed.classes;
    classes.sort_by_key(|&class| std::cmp::Reverse(kb.world.classes()[class as usize].count()));
    for class in classes {
        atoms.push(context.programs_mut().is(class)?);
    }
    for property in allowed.properties {
        let (at, values) = (property as usize, &kb.world.properties()[property as usize]);
        let (role, column) = (kb.world.property_role(at), kb.world.value_column(at));
        let mut conditions = Vec::new();
        match &values.values {
            Domain::Numeric(_) if operators.numeric => {
                for cut in context.cuts(property).to_vec() {
                    let programs = context.programs_mut();
                    conditions.push(programs.number(column, Op::GreaterEqual, cut.at_least)?);
                    conditions.push(programs.number(column, Op::LessEqual, cut.at_most)?);
                }
            }
            Domain::Numeric(_) => continue,
            _ if !operators.strings => continue,
            Domain::Nominal(texts) => {
                for text in frequent(values, texts.len(), &context.task().hidden) {
                    let text = Value::Text(texts[text].clone());
                    conditions.push(context.programs_mut().compare(column, Op::Equal, &text)?);
                }
            }
            Domain::Boolean => {
                for text in ["false", "true"] {
                    let text = Value::Text(text.to_owned());
                    conditions.push(context.programs_mut().compare(column, Op::Equal, &text)?);
                }
            }
        }
        conditions.insert(0, context.programs_mut().constant(true));
        for condition in conditions {
            let programs = context.programs_mut();
            atoms.push(programs.related(Quantifier::Some, role, false, condition));
        }
    }
    Ok(atoms)
}

/// The texts of at least two visible individuals, the most frequent first.
fn frequent(property: &pellucid_relate::Property, texts: usize, hidden: &[u32]) -> Vec<usize> {
    let mut counts = vec![0usize; texts];
    for [subject, text] in property.edges.pairs() {
        counts[text as usize] += usize::from(hidden.binary_search(&subject).is_err());
    }
    let mut order: Vec<usize> = (0..texts).filter(|&text| counts[text] >= 2).collect();
    order.sort_by_key(|&text| (std::cmp::Reverse(counts[text]), text));
    order.truncate(MAX_TEXTS);
    order
}

/// Returns the extents of programs; fewer rows than programs if the run stopped.
fn extents(context: &mut SearchContext, programs: &[ProgramId]) -> Result<BitRows, LogicError> {
    let mut blocks = Vec::new();
    let mut rows = 0;
    for batch in programs.chunks(BATCH) {
        if context.should_stop().is_some() {
            break;
        }
        let covered = context.reasoner().cover(batch)?;
        (0..batch.len()).for_each(|row| blocks.extend_from_slice(covered.row(row)));
        rows += batch.len();
    }
    Ok(BitRows::from_blocks(blocks, rows, context.kb().world.len()))
}

fn words(rows: &BitRows, row: usize) -> impl Iterator<Item = u64> + '_ {
    rows.row(row).iter().flat_map(|block| block.0)
}

/// The objects of a role; `None` if it has no edges.
fn reach(
    context: &SearchContext,
    DirectedRole { role, inverse }: DirectedRole,
) -> Option<Vec<u64>> {
    let links = &context.kb().world.roles()[role as usize];
    let objects: &Bits = if inverse { links.forward.subjects() } else { links.inverse.subjects() };
    (objects.count() > 0).then(|| objects.blocks().iter().flat_map(|block| block.0).collect())
}

/// Whether an example has an edge of a role.
fn has_example(context: &SearchContext, way: DirectedRole, examples: &[u32]) -> bool {
    let subjects = way.edges(&context.kb().world).subjects();
    examples.iter().any(|&example| subjects.get(example as usize))
}

fn example_set(context: &SearchContext) -> Vec<u32> {
    [&context.task().positive[..], &context.task().negative[..]].concat()
}
