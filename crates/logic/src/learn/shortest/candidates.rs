//! The names and restrictions of each length, and the fillers that they need.

use super::BATCH;
use super::sets::{DistinctSets, Form, words};
use super::values::{ValueConditions, binomial, combinations, set_of};
use crate::learn::directed_role::DirectedRole;
use crate::learn::{LogicError, SearchContext};
use pellucid_bits::{Bits, as_u32};
use pellucid_program::{Domain, Op, ProgramId, Quantifier, Value};
use pellucid_relate::Edges;

/// Enumerates candidates by length.
pub(super) struct Candidates {
    /// Expressions by the examples they cover; the positive ones come first.
    pub(super) examples: DistinctSets,
    positive: Vec<u64>,
    /// Expressions by the individuals they cover, of those that restrictions lead to.
    fillers: DistinctSets,
    values: Vec<ValueConditions>,
    ways: Vec<Way>,
    /// The number of candidates that are left.
    left: u64,
}

/// A property to restrict, in a direction.
struct Way {
    role: u32,
    inverse: bool,
    /// The index of the conditions, for a data property.
    values: Option<usize>,
    quantifiers: Vec<(Quantifier, u32)>,
    /// The cost of a restriction over all individuals, in candidates.
    cost: u64,
}

impl Candidates {
    /// Prepares the enumeration of expressions that are shorter than `length`.
    pub(super) fn new(context: &SearchContext, length: u32) -> Candidates {
        let task = context.task();
        let positives = task.positive.len();
        let mut ways: Vec<Way> = Vec::new();
        let world = &context.kb().world;
        for &DirectedRole { role, inverse } in context.allowed().directed_roles() {
            let edges = DirectedRole { role, inverse }.edges(world);
            if !edges.is_empty() {
                ways.push(Way::new(context, edges, role, inverse, None));
            }
        }
        let mut values = Vec::new();
        for &property in &context.allowed().properties {
            let owned = &world.properties()[property as usize];
            let operators = &context.options().operators;
            let is_used = match owned.values {
                Domain::Numeric(_) => operators.numeric,
                Domain::Nominal(_) | Domain::Boolean => operators.strings,
            };
            if is_used && !owned.edges.is_empty() {
                let role = world.property_role(property as usize);
                ways.push(Way::new(context, &owned.edges, role, false, Some(values.len())));
                values.push(ValueConditions::new(context, property));
            }
        }
        // A step of a path has a length of two.
        let reached = reached(context, length / 2);
        Candidates {
            examples: DistinctSets::new(set_of(task.len(), |_| true)),
            positive: set_of(task.len(), |example| example < positives),
            fillers: DistinctSets::new(words(reached.blocks(), reached.len())),
            values,
            ways,
            left: context.options().proof_effort,
        }
    }

    /// The numbers of positive and of negative examples in a set.
    pub(super) fn counts(&self, row: &[u64]) -> [u64; 2] {
        let ones =
            |row: &mut dyn Iterator<Item = u64>| row.map(|word| u64::from(word.count_ones())).sum();
        let all: u64 = ones(&mut row.iter().copied());
        let positive = ones(&mut row.iter().zip(&self.positive).map(|(row, mask)| row & mask));
        [positive, all - positive]
    }

    /// Prepares the fillers for expressions of a length. Returns false if the expressions and their fillers
    /// exceed the limit, or if the run was stopped.
    pub(super) fn prepare(
        &mut self,
        context: &mut SearchContext,
        length: u32,
    ) -> Result<bool, LogicError> {
        let names = self.name_count(context, length);
        if !self.spend(names.saturating_add(self.examples_cost(context, length))) {
            return Ok(false);
        }
        let Some(filler) = length.checked_sub(2).filter(|&filler| filler > 0) else {
            return Ok(true);
        };
        for at in 0..self.values.len() {
            let count = self.values[at].candidate_count(context, filler);
            if !self.spend(count) {
                return Ok(false);
            }
            self.values[at].grow(context, filler)?;
        }
        let object_properties = self.ways.iter().any(|way| way.values.is_none());
        if object_properties && !self.grow_fillers(context, filler)? {
            return Ok(false);
        }
        // The restrictions with the new fillers are among the candidates.
        let new = self.ways.iter().map(|way| way.count(self.sets(way), length, Some(filler)));
        let new = new.fold(0, u64::saturating_add);
        Ok(self.spend(new.saturating_mul(4)))
    }

    /// Uses up some candidates. Returns false if there are not enough.
    fn spend(&mut self, count: u64) -> bool {
        let left = self.left.checked_sub(count);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// The cost of the combinations of a length, and of the restrictions with fillers that are known.
    fn examples_cost(&self, context: &SearchContext, length: u32) -> u64 {
        let negation = context.options().operators.negation;
        let combined = match length {
            1 => 0,
            _ => self.examples.combination_count(length, negation),
        };
        let known = self.ways.iter().map(|way| way.count(self.sets(way), length, None));
        known.fold(combined, |sum, count| sum.saturating_add(count.saturating_mul(4)))
    }

    fn sets(&self, way: &Way) -> &DistinctSets {
        way.values.map_or(&self.fillers, |at| &self.values[at].sets)
    }

    /// Adds the fillers of the next length.
    fn grow_fillers(
        &mut self,
        context: &mut SearchContext,
        length: u32,
    ) -> Result<bool, LogicError> {
        let negation = context.options().operators.negation;
        let words_cost = 1 + self.fillers.all().len() as u64 / 16;
        let mut cost = self.name_count(context, length).saturating_mul(words_cost);
        if length > 1 {
            let combined = self.fillers.combination_count(length, negation);
            cost = cost.saturating_add(combined.saturating_mul(words_cost));
        }
        for way in &self.ways {
            let count = way.count(self.sets(way), length, None);
            cost = cost.saturating_add(count.saturating_mul(way.cost));
        }
        if !self.spend(cost) {
            return Ok(false);
        }
        let mut programs = self.name_programs(context, length)?;
        programs.extend(self.restrictions(context, length));
        self.fillers.begin(length);
        for batch in programs.chunks(BATCH) {
            if context.control().should_stop().is_some() {
                return Ok(false);
            }
            let rows = context.reasoner().cover(batch)?;
            for (row, &program) in batch.iter().enumerate() {
                let mut row = words(rows.row(row), rows.len());
                row.iter_mut().zip(self.fillers.all()).for_each(|(word, all)| *word &= all);
                self.fillers.insert(&row, Form::Program(program));
            }
        }
        if length > 1 {
            let mut row = self.fillers.all().to_vec();
            for (turn, form) in self.fillers.combinations(length, negation).enumerate() {
                if turn % 4096 == 0 && context.control().should_stop().is_some() {
                    return Ok(false);
                }
                self.fillers.combine(form, &mut row);
                self.fillers.insert(&row, form);
            }
        }
        Ok(true)
    }

    /// The number of names of a length.
    fn name_count(&self, context: &SearchContext, length: u32) -> u64 {
        let nominals = context.options().operators.nominals;
        let individuals = if nominals { context.kb().world.len() as u64 } else { 0 };
        match length {
            1 => 2 + context.allowed().classes.len() as u64 + individuals,
            4.. => binomial(individuals, u64::from(length) - 1),
            _ => 0,
        }
    }

    /// Returns the names of a length with the examples they cover.
    pub(super) fn names(
        &self,
        context: &mut SearchContext,
        length: u32,
    ) -> Result<Vec<(Vec<u64>, ProgramId)>, LogicError> {
        let programs = self.name_programs(context, length)?;
        let rows = context.reasoner().cover_examples(&programs)?;
        let examples = context.task().len();
        let named = programs.iter().enumerate();
        Ok(named.map(|(row, &program)| (words(rows.row(row), examples), program)).collect())
    }

    /// Returns the constants, classes and individuals, and lists of individuals.
    fn name_programs(
        &self,
        context: &mut SearchContext,
        length: u32,
    ) -> Result<Vec<ProgramId>, LogicError> {
        let mut found = Vec::new();
        let nominals = context.options().operators.nominals;
        let world = context.kb().world.clone();
        if length == 1 {
            found.extend([true, false].map(|value| context.programs_mut().constant(value)));
            for class in context.allowed().classes.clone() {
                found.push(context.programs_mut().is(class)?);
            }
        }
        if nominals && (length == 1 || length >= 4) {
            let column = world.individual_column();
            for list in combinations(world.len(), length.max(2) as usize - 1) {
                let name =
                    |&one: &usize| Value::Text(world.individuals().get(as_u32(one)).to_owned());
                let names: Vec<Value> = list.iter().map(name).collect();
                found.push(match &names[..] {
                    [name] => context.programs_mut().compare(column, Op::Equal, name)?,
                    names => context.programs_mut().one_of(column, names)?,
                });
            }
        }
        Ok(found)
    }

    /// Returns the restrictions of a length, without detours.
    pub(super) fn restrictions(&self, context: &mut SearchContext, length: u32) -> Vec<ProgramId> {
        let mut found = Vec::new();
        for way in &self.ways {
            let sets = self.sets(way);
            for &(quantifier, rest) in &way.quantifiers {
                for filler in sets.of_length(length.saturating_sub(rest)) {
                    let filler = sets.program_of(filler, context.programs_mut());
                    let programs = context.programs_mut();
                    let program = programs.related(quantifier, way.role, way.inverse, filler);
                    if !context.has_detour(program) {
                        found.push(program);
                    }
                }
            }
        }
        found
    }
}

impl Way {
    fn new(
        context: &SearchContext,
        edges: &Edges,
        role: u32,
        inverse: bool,
        values: Option<usize>,
    ) -> Way {
        let operators = &context.options().operators;
        let degree = (0..as_u32(edges.subject_count())).map(|one| as_u32(edges.of(one).len()));
        let degree = degree.max().unwrap_or(0);
        let length = u32::from(inverse);
        let mut quantifiers = vec![(Quantifier::Some, 2 + length)];
        if operators.universal {
            quantifiers.push((Quantifier::Only, 2 + length));
        }
        if operators.cardinality > 1 {
            let most = operators.cardinality;
            let mut counts: Vec<Quantifier> = (2..=most.min(degree)).map(Quantifier::Min).collect();
            counts.extend((0..=most.min(degree.saturating_sub(1))).map(Quantifier::Max));
            counts.extend((1..=most.min(degree)).map(Quantifier::Exactly));
            quantifiers.extend(counts.into_iter().map(|quantifier| (quantifier, 3 + length)));
        }
        Way { role, inverse, values, quantifiers, cost: 4 + edges.len() as u64 / 128 }
    }

    /// The number of restrictions of a length, with all fillers or with those of one length.
    fn count(&self, fillers: &DistinctSets, length: u32, only: Option<u32>) -> u64 {
        let count = |&(_, rest): &(Quantifier, u32)| {
            let filler = length.checked_sub(rest).filter(|&filler| filler > 0);
            let filler = filler.filter(|&filler| only.is_none_or(|only| only == filler));
            filler.map_or(0, |filler| fillers.count(filler))
        };
        self.quantifiers.iter().map(count).fold(0, u64::saturating_add)
    }
}

/// The individuals to which paths of at most some steps lead from the examples.
fn reached(context: &SearchContext, steps: u32) -> Bits {
    let world = &context.kb().world;
    let mut reached = Bits::zeros(world.len());
    let mut open = Bits::zeros(world.len());
    for list in [&context.task().positive, &context.task().negative] {
        list.iter().for_each(|&one| open.set(one as usize));
    }
    for _ in 0..steps {
        let mut next = Bits::zeros(world.len());
        for way in context.allowed().directed_roles() {
            next.or_with(&way.objects(world, &open));
        }
        // Only individuals that are new lead to others.
        let mut known = reached.clone();
        known.flip();
        open = next;
        open.and_with(&known);
        if !reached.or_with(&open) {
            break;
        }
    }
    reached
}
