use super::super::directed_role::DirectedRole;
use super::super::{LogicError, SearchContext};
use super::scope::{Scopes, numbers};
use super::values;
use pellucid_bits::Bits;
use pellucid_data::INDIVIDUAL;
use pellucid_program::{ProgramId, Quantifier, Value};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// The maximum number of refinements that are paired to disjunctions.
const MAX_PAIRED: usize = 128;
/// With more classes than this, only the top of the hierarchy is offered; the others are reached by
/// refinement.
const MAX_CLASSES: usize = 1000;
/// The minimum number of occurrences of an individual or value in an expression.
pub(super) const MIN_OCCURRENCES: usize = 3;
/// The maximum number of values of a property, or of individuals.
pub(super) const MAX_NAMED: usize = 64;

/// The refinements of `owl:Thing` in a scope.
#[derive(Clone, Debug, Default)]
pub(super) struct TopRefinements {
    /// The refinements with their lengths; those used in disjunctions first.
    items: Vec<(ProgramId, u32)>,
    paired: usize,
    by_length: FxHashMap<u32, Arc<[ProgramId]>>,
}

impl TopRefinements {
    pub(super) fn new(
        scopes: &mut Scopes,
        context: &mut SearchContext,
        scope: usize,
    ) -> Result<TopRefinements, LogicError> {
        let mut collector =
            RefinementCollector { scopes, context, scope, coarse: Vec::new(), fine: Vec::new() };
        collector.classes()?;
        collector.roles();
        collector.values()?;
        collector.individuals()?;
        collector.restrictions()?;
        let (mut coarse, fine) = (collector.coarse, collector.fine);
        let paired = coarse.len().min(MAX_PAIRED);
        coarse.extend(fine);
        let mut items = Vec::with_capacity(coarse.len());
        for program in coarse {
            items.push((program, context.length(program)));
        }
        Ok(TopRefinements { items, paired, by_length: FxHashMap::default() })
    }

    /// Returns all refinements of this length, single or paired.
    pub(super) fn of_length(
        &mut self,
        context: &mut SearchContext,
        length: u32,
    ) -> Arc<[ProgramId]> {
        if let Some(known) = self.by_length.get(&length) {
            return Arc::clone(known);
        }
        let single = self.items.iter().filter(|&&(_, long)| long == length);
        let mut found: Vec<ProgramId> = single.map(|&(program, _)| program).collect();
        let paired = &self.items[..self.paired];
        for (at, &(left, left_length)) in paired.iter().enumerate() {
            for &(right, right_length) in &paired[at + 1..] {
                if left_length + right_length + 1 == length {
                    found.push(context.programs_mut().or(&[left, right]));
                }
            }
        }
        let found: Arc<[ProgramId]> = found.into();
        self.by_length.insert(length, Arc::clone(&found));
        found
    }
}

/// Collects the refinements.
struct RefinementCollector<'a> {
    scopes: &'a mut Scopes,
    context: &'a mut SearchContext,
    scope: usize,
    coarse: Vec<ProgramId>,
    fine: Vec<ProgramId>,
}

impl RefinementCollector<'_> {
    /// Adds classes, and negations of classes without subclasses.
    fn classes(&mut self) -> Result<(), LogicError> {
        let view = &self.scopes.get(self.scope).classes;
        for &class in &view.tops {
            self.coarse.push(self.context.programs_mut().is(class)?);
        }
        let deeper = view.all.iter().filter(|class| !view.tops.contains(class));
        for &class in deeper.take(if view.all.len() > MAX_CLASSES { 0 } else { MAX_CLASSES }) {
            self.fine.push(self.context.programs_mut().is(class)?);
        }
        if self.context.options().operators.negation {
            for class in view.leaves() {
                let class = self.context.programs_mut().is(class)?;
                self.coarse.push(self.context.programs_mut().not(class));
            }
        }
        Ok(())
    }

    /// Adds restrictions to some, no, or at most some related individuals.
    fn roles(&mut self) {
        let size = self.scopes.get(self.scope).individuals.count();
        let operators = self.context.options().operators.clone();
        let thing = self.context.programs_mut().constant(true);
        let nothing = self.context.programs_mut().constant(false);
        let mut limits = Vec::new();
        for DirectedRole { role, inverse } in self.context.allowed().directed_roles().to_vec() {
            let reach = self.scopes.reach(self.context, self.scope, DirectedRole { role, inverse });
            if reach.subjects == 0 {
                continue;
            }
            let programs = self.context.programs_mut();
            self.coarse.push(programs.related(Quantifier::Some, role, inverse, thing));
            if operators.universal && reach.subjects < size {
                self.coarse.push(programs.related(Quantifier::Only, role, inverse, nothing));
            }
            let most = reach.most.min(operators.cardinality.saturating_add(1));
            if operators.cardinality > 1 && most > 1 {
                limits.push(self.context.max(most - 1, role, inverse, thing));
            }
        }
        self.coarse.append(&mut limits);
    }

    /// Adds conditions on values.
    fn values(&mut self) -> Result<(), LogicError> {
        let individuals = &self.scopes.get(self.scope).individuals;
        for property in self.context.allowed().properties.clone() {
            for (condition, coarse) in values::conditions(self.context, individuals, property)? {
                let role = self.context.kb().world.property_role(property as usize);
                let programs = self.context.programs_mut();
                let some = programs.related(Quantifier::Some, role, false, condition);
                if coarse { self.coarse.push(some) } else { self.fine.push(some) }
            }
        }
        Ok(())
    }

    /// Adds restrictions to single individuals.
    fn individuals(&mut self) -> Result<(), LogicError> {
        if !self.context.options().operators.nominals {
            return Ok(());
        }
        for DirectedRole { role, inverse } in self.context.allowed().directed_roles().to_vec() {
            let edges = DirectedRole { role, inverse }.edges(&self.context.kb().world);
            let mut met: FxHashMap<u32, usize> = FxHashMap::default();
            for subject in numbers(&self.scopes.get(self.scope).individuals) {
                edges.of(subject).iter().for_each(|&object| *met.entry(object).or_default() += 1);
            }
            let mut met: Vec<(u32, usize)> =
                met.into_iter().filter(|&(_, count)| count >= MIN_OCCURRENCES).collect();
            met.sort_unstable_by_key(|&(object, count)| (Reverse(count), object));
            for (object, _) in met.into_iter().take(MAX_NAMED) {
                let world = &self.context.kb().world;
                let name = Value::Text(world.individuals().get(object).to_owned());
                let column = world.individual_column();
                let programs = self.context.programs_mut();
                debug_assert_eq!(programs.schema().name(column), INDIVIDUAL);
                let this = programs.compare(column, pellucid_program::Op::Equal, &name)?;
                self.fine.push(programs.related(Quantifier::Some, role, inverse, this));
            }
        }
        Ok(())
    }

    /// Adds `only` and `max` with a filler: a filler of `max` cannot be refined later, and `only`
    /// with `owl:Thing` is always true.
    fn restrictions(&mut self) -> Result<(), LogicError> {
        let operators = self.context.options().operators.clone();
        for directed_role in self.context.allowed().directed_roles().to_vec() {
            if self.scopes.reach(self.context, self.scope, directed_role).subjects == 0 {
                continue;
            }
            if operators.universal {
                self.universal_restrictions(directed_role, operators.negation)?;
            }
            if operators.cardinality > 1 {
                self.max_restrictions(directed_role, operators.cardinality)?;
            }
        }
        Ok(())
    }

    /// Adds `only` with classes, their negations, unqualified restrictions and conditions on values.
    fn universal_restrictions(
        &mut self,
        directed_role: DirectedRole,
        negation: bool,
    ) -> Result<(), LogicError> {
        let DirectedRole { role, inverse } = directed_role;
        let under = self.scopes.step(self.context, self.scope, directed_role);
        let view = self.scopes.get(under).classes.clone();
        for &class in &view.all {
            let class = self.context.programs_mut().is(class)?;
            self.fine.push(self.context.only(role, inverse, class));
        }
        if negation {
            for class in view.leaves() {
                let class = self.context.programs_mut().is(class)?;
                let not = self.context.programs_mut().not(class);
                self.fine.push(self.context.only(role, inverse, not));
            }
        }
        for other in self.context.allowed().directed_roles().to_vec() {
            let reach = self.scopes.reach(self.context, under, other);
            if reach.subjects > 0 && reach.subjects < self.scopes.get(under).individuals.count() {
                let programs = self.context.programs_mut();
                let any = programs.constant(true);
                let some = programs.related(Quantifier::Some, other.role, other.inverse, any);
                self.fine.push(self.context.only(role, inverse, some));
            }
        }
        for property in self.context.allowed().properties.clone() {
            let individuals = &self.scopes.get(under).individuals;
            let property_role = self.context.kb().world.property_role(property as usize);
            for (condition, coarse) in values::conditions(self.context, individuals, property)? {
                if coarse {
                    let programs = self.context.programs_mut();
                    let some = programs.related(Quantifier::Some, property_role, false, condition);
                    self.fine.push(self.context.only(role, inverse, some));
                }
            }
        }
        Ok(())
    }

    /// Adds `max` with classes, one less than the maximum number of related instances.
    fn max_restrictions(
        &mut self,
        directed_role: DirectedRole,
        cardinality: u32,
    ) -> Result<(), LogicError> {
        let DirectedRole { role, inverse } = directed_role;
        let under = self.scopes.step(self.context, self.scope, directed_role);
        let view = self.scopes.get(under).classes.clone();
        for &class in &view.all {
            let members = &self.context.kb().world.classes()[class as usize];
            let individuals = &self.scopes.get(self.scope).individuals;
            let related = max_related(self.context, individuals, directed_role, members);
            let most = related.min(cardinality.saturating_add(1));
            if most > 1 {
                let class = self.context.programs_mut().is(class)?;
                self.fine.push(self.context.max(most - 1, role, inverse, class));
            }
        }
        Ok(())
    }
}

/// The maximum number of related individuals in a class.
fn max_related(
    context: &SearchContext,
    individuals: &Bits,
    directed_role: DirectedRole,
    members: &Bits,
) -> u32 {
    let edges = directed_role.edges(&context.kb().world);
    let hits = |subject| edges.of(subject).iter().filter(|&&one| members.get(one as usize)).count();
    u32::try_from(numbers(individuals).map(hits).max().unwrap_or(0)).unwrap_or(u32::MAX)
}
