//! Where literals come from: names and values first, then roles that lead to them, then roles that lead to those.
//!
//! Fillers are told apart by who they hold for among those a role leads to at all: two that agree there make the same
//! restriction of it.

use super::literals::Literals;
use super::rows::Shape;
use crate::learn::{LogicError, SearchContext};
use pellucid_bits::{BitRows, Bits};
use pellucid_program::{Domain, Op, ProgramId, Quantifier, Value};
use rustc_hash::FxHashSet;

/// The numbers that `min` is tried with.
const COUNTS: [u32; 8] = [1, 2, 3, 4, 5, 6, 8, 10];
/// How many programs are evaluated in one go: few enough to look at the clock between, many enough to share the work.
const BATCH: usize = 512;
/// The most values of a property that are texts.
const MOST_TEXTS: usize = 200;
/// The most fillers that a layer hands to the next.
const MOST_FILLERS: usize = 3000;

/// The literals of more and more layers.
#[derive(Debug)]
pub(super) struct Layers {
    shape: Shape,
    /// All literals so far.
    pub(super) literals: Literals,
    /// What the last layer was made of, to be put behind roles.
    fillers: Vec<ProgramId>,
    /// By layer and role (forwards and backwards): what those the role leads to were told apart by already.
    seen: Vec<FxHashSet<Vec<u64>>>,
    /// How many roles lie above each other so far.
    pub(super) depth: usize,
}

impl Layers {
    /// The first layers: what individuals are and have, and roles that lead to such.
    pub(super) fn new(context: &mut SearchContext) -> Result<Layers, LogicError> {
        let shape = Shape {
            positives: context.task().positive.len(),
            negatives: context.task().negative.len(),
        };
        let roles = context.kb().world.roles().len();
        let mut layers = Layers {
            shape,
            literals: Literals::new(shape),
            fillers: Vec::new(),
            seen: vec![FxHashSet::default(); 2 * roles],
            depth: 0,
        };
        let atoms = atoms(context)?;
        layers.take(context, &atoms)?;
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

    /// Puts a role before everything of the last layer. Ends early when it is time to stop.
    pub(super) fn grow(&mut self, context: &mut SearchContext) -> Result<(), LogicError> {
        self.depth += 1;
        let fillers = std::mem::take(&mut self.fillers);
        let extents = extents(context, &fillers)?;
        let examples = example_set(context);
        let directions: &[bool] =
            if context.options().operators.inverse { &[false, true] } else { &[false] };
        let mut inner = Vec::new();
        for role in context.allowed().roles.clone() {
            for &inverse in directions {
                let Some(reached) = reach(context, role, inverse) else { continue };
                let seen = &mut self.seen[2 * role as usize + usize::from(inverse)];
                let mut fresh = Vec::new();
                for (at, &filler) in fillers.iter().enumerate().take(extents.rows()) {
                    let there: Vec<u64> = words(&extents, at)
                        .zip(&reached)
                        .map(|(word, reached)| word & reached)
                        .collect();
                    if there.iter().any(|&word| word != 0) && seen.insert(there) {
                        fresh.push(filler);
                    }
                }
                let touches = touches(context, role, inverse, &examples);
                let some = |context: &mut SearchContext, filler| {
                    context.programs_mut().related(Quantifier::Some, role, inverse, filler)
                };
                inner.extend(fresh.iter().map(|&filler| some(context, filler)));
                if touches {
                    self.count(context, role, inverse, fresh)?;
                }
            }
        }
        inner.sort_by_key(|&program| context.length(program));
        inner.truncate(MOST_FILLERS);
        self.fillers = inner;
        Ok(())
    }

    /// How the examples lie in words.
    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether there is anything to put behind another role.
    pub(super) fn can_grow(&self) -> bool {
        !self.fillers.is_empty()
    }

    /// `min n role (filler)` for every filler and more and more n, as long as an example is left.
    fn count(
        &mut self,
        context: &mut SearchContext,
        role: u32,
        inverse: bool,
        mut fillers: Vec<ProgramId>,
    ) -> Result<(), LogicError> {
        let most = context.options().operators.cardinality;
        for count in COUNTS.into_iter().take_while(|&count| count == 1 || count <= most) {
            let quantifier = if count == 1 { Quantifier::Some } else { Quantifier::Min(count) };
            let programs: Vec<ProgramId> = fillers
                .iter()
                .map(|&filler| context.programs_mut().related(quantifier, role, inverse, filler))
                .collect();
            let held = self.take(context, &programs)?;
            fillers =
                fillers.into_iter().zip(held).filter_map(|(f, held)| held.then_some(f)).collect();
            if fillers.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Evaluates programs on the examples and adds them; says which hold for any. Those that time did not suffice for count
    /// as holding for none.
    fn take(
        &mut self,
        context: &mut SearchContext,
        programs: &[ProgramId],
    ) -> Result<Vec<bool>, LogicError> {
        let mut held = vec![false; programs.len()];
        for (start, batch) in (0..).step_by(BATCH).zip(programs.chunks(BATCH)) {
            if context.should_stop().is_some() {
                break;
            }
            let covered = context.reasoner().cover_examples(batch)?;
            context.count(batch.len() as u64);
            for (at, &program) in batch.iter().enumerate() {
                let row = self.shape.row(&covered, at);
                held[start + at] = row.iter().any(|&word| word != 0);
                self.literals.add(context, program, row);
            }
        }
        Ok(held)
    }
}

/// What individuals are and have: classes, and values of data properties.
fn atoms(context: &mut SearchContext) -> Result<Vec<ProgramId>, LogicError> {
    let kb = std::sync::Arc::clone(context.kb());
    let (allowed, operators) = (context.allowed().clone(), context.options().operators.clone());
    let mut atoms = Vec::new();
    // Large classes first: where two say the same of the examples, the more general one is kept.
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

/// The texts that at least two individuals have, those of hidden ones not counted; the most frequent first.
fn frequent(property: &pellucid_relate::Property, texts: usize, hidden: &[u32]) -> Vec<usize> {
    let mut counts = vec![0usize; texts];
    for [subject, text] in property.edges.pairs() {
        counts[text as usize] += usize::from(hidden.binary_search(&subject).is_err());
    }
    let mut order: Vec<usize> = (0..texts).filter(|&text| counts[text] >= 2).collect();
    order.sort_by_key(|&text| (std::cmp::Reverse(counts[text]), text));
    order.truncate(MOST_TEXTS);
    order
}

/// Who each program holds for; fewer rows than programs when it is time to stop.
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

/// Whom a role leads to; nothing for a role that nobody has.
fn reach(context: &SearchContext, role: u32, inverse: bool) -> Option<Vec<u64>> {
    let links = &context.kb().world.roles()[role as usize];
    let objects: &Bits = if inverse { links.forward.subjects() } else { links.inverse.subjects() };
    (objects.count() > 0).then(|| objects.blocks().iter().flat_map(|block| block.0).collect())
}

/// Whether an example has a role at all.
fn touches(context: &SearchContext, role: u32, inverse: bool, examples: &[u32]) -> bool {
    let links = &context.kb().world.roles()[role as usize];
    let subjects = if inverse { links.inverse.subjects() } else { links.forward.subjects() };
    examples.iter().any(|&example| subjects.get(example as usize))
}

fn example_set(context: &SearchContext) -> Vec<u32> {
    [&context.task().positive[..], &context.task().negative[..]].concat()
}
