use super::super::role_way::RoleWay;
use super::super::{LogicError, SearchContext};
use super::scope::{Scopes, numbers, ways};
use super::values;
use pellucid_bits::Bits;
use pellucid_data::INDIVIDUAL;
use pellucid_program::{ProgramId, Quantifier, Value};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// How many of what `true` may become are paired to disjunctions.
const MOST_PAIRED: usize = 128;
/// With more classes than this, only the tops of the hierarchy are offered and the way to the others is down.
const MOST_CLASSES: usize = 1000;
/// How often an individual must be met to be named.
pub(super) const FREQUENT: usize = 3;
/// How many values of a property, or individuals, are named at most.
pub(super) const MOST_NAMED: usize = 64;

/// What `true` may become at a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Menu {
    /// With their lengths; those that disjunctions are made of first.
    items: Vec<(ProgramId, u32)>,
    paired: usize,
    by_length: FxHashMap<u32, Arc<[ProgramId]>>,
}

impl Menu {
    pub(super) fn new(
        scopes: &mut Scopes,
        context: &mut SearchContext,
        scope: usize,
    ) -> Result<Menu, LogicError> {
        let mut maker = MenuMaker { scopes, context, scope, coarse: Vec::new(), fine: Vec::new() };
        maker.classes()?;
        maker.roles();
        maker.values()?;
        maker.individuals()?;
        maker.restrictions()?;
        let (mut coarse, fine) = (maker.coarse, maker.fine);
        let paired = coarse.len().min(MOST_PAIRED);
        coarse.extend(fine);
        let mut items = Vec::with_capacity(coarse.len());
        for program in coarse {
            items.push((program, context.length(program)));
        }
        Ok(Menu { items, paired, by_length: FxHashMap::default() })
    }

    /// Everything of this length, single or in pairs.
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

/// Collects the items of a menu.
struct MenuMaker<'a> {
    scopes: &'a mut Scopes,
    context: &'a mut SearchContext,
    scope: usize,
    coarse: Vec<ProgramId>,
    fine: Vec<ProgramId>,
}

impl MenuMaker<'_> {
    /// Classes, and negations of those with none below.
    fn classes(&mut self) -> Result<(), LogicError> {
        let view = &self.scopes.get(self.scope).classes;
        for &class in &view.tops {
            self.coarse.push(self.context.programs_mut().is(class)?);
        }
        let deeper = view.all.iter().filter(|class| !view.tops.contains(class));
        for &class in deeper.take(if view.all.len() > MOST_CLASSES { 0 } else { MOST_CLASSES }) {
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

    /// Somebody or nobody related by a role, and not too many.
    fn roles(&mut self) {
        let size = self.scopes.get(self.scope).who.count();
        let operators = self.context.options().operators.clone();
        let anybody = self.context.programs_mut().constant(true);
        let nobody = self.context.programs_mut().constant(false);
        let mut limits = Vec::new();
        for RoleWay { role, inverse } in ways(self.context) {
            let reach = self.scopes.reach(self.context, self.scope, RoleWay { role, inverse });
            if reach.subjects == 0 {
                continue;
            }
            let programs = self.context.programs_mut();
            self.coarse.push(programs.related(Quantifier::Some, role, inverse, anybody));
            if operators.universal && reach.subjects < size {
                self.coarse.push(programs.related(Quantifier::Only, role, inverse, nobody));
            }
            let most = reach.most.min(operators.cardinality.saturating_add(1));
            if operators.cardinality > 1 && most > 1 {
                limits.push(self.context.max(most - 1, role, inverse, anybody));
            }
        }
        self.coarse.append(&mut limits);
    }

    /// Conditions on values.
    fn values(&mut self) -> Result<(), LogicError> {
        let who = &self.scopes.get(self.scope).who;
        for property in self.context.allowed().properties.clone() {
            for (condition, coarse) in values::conditions(self.context, who, property)? {
                let role = self.context.kb().world.property_role(property as usize);
                let programs = self.context.programs_mut();
                let some = programs.related(Quantifier::Some, role, false, condition);
                if coarse { self.coarse.push(some) } else { self.fine.push(some) }
            }
        }
        Ok(())
    }

    /// Related to one individual by name.
    fn individuals(&mut self) -> Result<(), LogicError> {
        if !self.context.options().operators.nominals {
            return Ok(());
        }
        for RoleWay { role, inverse } in ways(self.context) {
            let edges = RoleWay { role, inverse }.edges(&self.context.kb().world);
            let mut met: FxHashMap<u32, usize> = FxHashMap::default();
            for subject in numbers(&self.scopes.get(self.scope).who) {
                edges.of(subject).iter().for_each(|&object| *met.entry(object).or_default() += 1);
            }
            let mut met: Vec<(u32, usize)> =
                met.into_iter().filter(|&(_, count)| count >= FREQUENT).collect();
            met.sort_unstable_by_key(|&(object, count)| (Reverse(count), object));
            for (object, _) in met.into_iter().take(MOST_NAMED) {
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

    /// `only` and `max` with something said of the others: a filler of `max` cannot become narrower later, and that of
    /// `only` says nothing as long as it is `true`.
    fn restrictions(&mut self) -> Result<(), LogicError> {
        let operators = self.context.options().operators.clone();
        for way in ways(self.context) {
            if self.scopes.reach(self.context, self.scope, way).subjects == 0 {
                continue;
            }
            let under = self.scopes.step(self.context, self.scope, way);
            let view = self.scopes.get(under).classes.clone();
            if operators.universal {
                for &class in &view.all {
                    let class = self.context.programs_mut().is(class)?;
                    self.fine.push(self.context.only(way.role, way.inverse, class));
                }
                if operators.negation {
                    for class in view.leaves() {
                        let class = self.context.programs_mut().is(class)?;
                        let not = self.context.programs_mut().not(class);
                        self.fine.push(self.context.only(way.role, way.inverse, not));
                    }
                }
                for other in ways(self.context) {
                    let reach = self.scopes.reach(self.context, under, other);
                    if reach.subjects > 0 && reach.subjects < self.scopes.get(under).who.count() {
                        let programs = self.context.programs_mut();
                        let any = programs.constant(true);
                        let some =
                            programs.related(Quantifier::Some, other.role, other.inverse, any);
                        self.fine.push(self.context.only(way.role, way.inverse, some));
                    }
                }
                for property in self.context.allowed().properties.clone() {
                    let who = &self.scopes.get(under).who;
                    let role = self.context.kb().world.property_role(property as usize);
                    for (condition, coarse) in values::conditions(self.context, who, property)? {
                        if coarse {
                            let programs = self.context.programs_mut();
                            let some = programs.related(Quantifier::Some, role, false, condition);
                            self.fine.push(self.context.only(way.role, way.inverse, some));
                        }
                    }
                }
            }
            if operators.cardinality > 1 {
                for &class in &view.all {
                    let members = &self.context.kb().world.classes()[class as usize];
                    let hits =
                        most_hits(self.context, &self.scopes.get(self.scope).who, way, members);
                    let most = hits.min(operators.cardinality.saturating_add(1));
                    if most > 1 {
                        let class = self.context.programs_mut().is(class)?;
                        self.fine.push(self.context.max(most - 1, way.role, way.inverse, class));
                    }
                }
            }
        }
        Ok(())
    }
}

/// To how many members of a class anybody is related at most.
fn most_hits(context: &SearchContext, who: &Bits, way: RoleWay, members: &Bits) -> u32 {
    let edges = way.edges(&context.kb().world);
    let hits = |subject| edges.of(subject).iter().filter(|&&one| members.get(one as usize)).count();
    u32::try_from(numbers(who).map(hits).max().unwrap_or(0)).unwrap_or(u32::MAX)
}
