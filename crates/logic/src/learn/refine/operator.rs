//! The refinement operator: what an expression may become that holds for nobody new.

use super::super::role_way::RoleWay;
use super::super::{LogicError, SearchContext};
use super::scope::Scopes;
use super::values;
use pellucid_program::{Leaf, Node, ProgramId, Quantifier};
use pellucid_relate::Target;

/// How deep restrictions may nest.
const DEEPEST: u32 = 6;

/// The lengths that are wanted: above the first, up to the second. They may lie below nought while a part is refined that
/// the rest outweighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LengthRange {
    pub(super) above: i64,
    pub(super) up_to: i64,
}

impl LengthRange {
    /// What is left for a part when the rest is so long.
    fn less(self, rest: u32) -> LengthRange {
        LengthRange { above: self.above - i64::from(rest), up_to: self.up_to - i64::from(rest) }
    }

    fn take(self, length: u32) -> bool {
        self.above < i64::from(length) && i64::from(length) <= self.up_to
    }

    /// The lengths themselves that a program can have.
    fn each(self) -> std::ops::RangeInclusive<u32> {
        let bound = |length: i64| u32::try_from(length.max(0)).unwrap_or(u32::MAX);
        bound(self.above.saturating_add(1)).max(1)..=bound(self.up_to)
    }
}

/// The operator with what it remembers of the world.
#[derive(Clone, Debug)]
pub(super) struct Operator {
    scopes: Scopes,
}

/// Where a part stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    scope: usize,
    depth: u32,
}

impl Operator {
    pub(super) fn new(context: &SearchContext) -> Operator {
        Operator { scopes: Scopes::new(context) }
    }

    /// What a program may become in one step, of the lengths wanted, in an order that depends on nothing else.
    pub(super) fn refine(
        &mut self,
        context: &mut SearchContext,
        program: ProgramId,
        lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        let mut found = self.part(context, program, Place { scope: 0, depth: 0 }, lengths)?;
        found.retain(|&child| {
            lengths.take(context.length(child))
                && child != program
                && !matches!(context.programs().node(child), Node::Constant(_))
        });
        Ok(found)
    }

    fn part(
        &mut self,
        context: &mut SearchContext,
        part: ProgramId,
        place: Place,
        lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        if lengths.up_to < 1 || place.depth > DEEPEST {
            return Ok(Vec::new());
        }
        if let Node::Constant(value) = context.programs().node(part) {
            return if value { self.menu(context, place, lengths) } else { Ok(Vec::new()) };
        }
        let mut found = self.inside(context, part, place, lengths)?;
        // And something more is asked.
        let length = context.length(part);
        for more in self.menu(context, place, lengths.less(length + 1))? {
            found.push(context.programs_mut().and(&[part, more]));
        }
        Ok(found)
    }

    fn menu(
        &mut self,
        context: &mut SearchContext,
        place: Place,
        lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        let mut found = Vec::new();
        for length in lengths.each() {
            found.extend_from_slice(&self.scopes.menu(context, place.scope, length)?);
        }
        Ok(found)
    }

    /// Refinements of what is there, without another conjunct.
    fn inside(
        &mut self,
        context: &mut SearchContext,
        part: ProgramId,
        place: Place,
        lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        match context.programs().node(part) {
            Node::Constant(_) => Ok(Vec::new()),
            Node::Leaf(class, Leaf::Is) => {
                let below = self.scopes.get(place.scope).classes.below(class).iter();
                Ok(below
                    .map(|&class| context.programs_mut().is(class))
                    .collect::<Result<_, _>>()?)
            }
            Node::Leaf(..) => Ok(Vec::new()),
            Node::Not(operand) => match context.programs().node(operand) {
                Node::Leaf(class, Leaf::Is) => {
                    let mut found = Vec::new();
                    for &class in self.scopes.get(place.scope).classes.above(class) {
                        let class = context.programs_mut().is(class)?;
                        found.push(context.programs_mut().not(class));
                    }
                    Ok(found)
                }
                _ => Ok(Vec::new()),
            },
            Node::And(operands) => {
                let operands = operands.to_vec();
                self.operands(context, part, &operands, true, place, lengths)
            }
            Node::Or(operands) => {
                let operands = operands.to_vec();
                let mut found = self.operands(context, part, &operands, false, place, lengths)?;
                for at in 0..operands.len() {
                    let mut others = operands.clone();
                    others.remove(at);
                    found.push(context.programs_mut().or(&others));
                }
                Ok(found)
            }
            Node::Related { quantifier, role, inverse, filler } => {
                let length = context.length(part);
                let rest = length - context.length(filler);
                match context.kb().world.target(role) {
                    Target::Individuals(_) => {
                        let part =
                            Restriction { quantifier, way: RoleWay { role, inverse }, filler };
                        self.restriction(context, part, place, lengths.less(rest))
                    }
                    Target::Values(property) => {
                        let narrower = matches!(quantifier, Quantifier::Some | Quantifier::Min(_));
                        if !narrower {
                            return Ok(Vec::new());
                        }
                        let who = &self.scopes.get(place.scope).who;
                        let property = u32::try_from(property).unwrap_or(u32::MAX);
                        let found = values::narrower(context, who, property, filler)?.into_iter();
                        let programs = context.programs_mut();
                        Ok(found
                            .map(|filler| programs.related(quantifier, role, inverse, filler))
                            .collect())
                    }
                }
            }
        }
    }

    /// One operand is refined. Those of a conjunction get no further conjunct of their own: the whole gets it.
    fn operands(
        &mut self,
        context: &mut SearchContext,
        whole: ProgramId,
        operands: &[ProgramId],
        and: bool,
        place: Place,
        lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        let length = context.length(whole);
        let mut found = Vec::new();
        for (at, &operand) in operands.iter().enumerate() {
            let left = lengths.less(length - context.length(operand));
            let refined = if and {
                self.inside(context, operand, place, left)?
            } else {
                self.part(context, operand, place, left)?
            };
            let mut changed = operands.to_vec();
            for refined in refined {
                changed[at] = refined;
                let programs = context.programs_mut();
                found.push(if and { programs.and(&changed) } else { programs.or(&changed) });
            }
        }
        Ok(found)
    }

    /// A restriction: its filler, its number, its role.
    fn restriction(
        &mut self,
        context: &mut SearchContext,
        part: Restriction,
        place: Place,
        filler_lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        let Restriction { quantifier, way, filler } = part;
        let under = self.scopes.step(context, place.scope, way);
        let inner = Place { scope: under, depth: place.depth + 1 };
        let most = context.options().operators.cardinality;
        let reach = self.scopes.reach(context, place.scope, way);
        let mut found = Vec::new();
        let narrows = !matches!(quantifier, Quantifier::Max(_) | Quantifier::Exactly(_));
        if narrows {
            for filler in self.part(context, filler, inner, filler_lengths)? {
                found.push(part.with_filler(context, filler));
            }
        }
        match quantifier {
            Quantifier::Some if most > 1 && reach.most > 1 => {
                found.push(part.with_quantifier(context, Quantifier::Min(2)));
            }
            Quantifier::Min(count) if count < most.min(reach.most) => {
                found.push(part.with_quantifier(context, Quantifier::Min(count + 1)));
            }
            Quantifier::Max(count) => {
                if count > 0 {
                    found.push(part.with_quantifier(context, Quantifier::Max(count - 1)));
                }
                // Fewer of a wider class: that is narrower.
                if let Node::Leaf(class, Leaf::Is) = context.programs().node(filler) {
                    for &class in self.scopes.get(under).classes.above(class) {
                        let wider = context.programs_mut().is(class)?;
                        found.push(part.with_filler(context, wider));
                    }
                    let anybody = context.programs_mut().constant(true);
                    found.push(part.with_filler(context, anybody));
                }
            }
            _ => {}
        }
        // Whoever has one by a subrole has one by the role; of all by the role, those by a subrole are a part.
        let kb = context.kb().clone();
        let related = match quantifier {
            Quantifier::Some | Quantifier::Min(_) => &kb.roles.children,
            Quantifier::Only | Quantifier::Max(_) => &kb.roles.parents,
            Quantifier::Exactly(_) => return Ok(found),
        };
        for &role in related.get(way.role as usize).into_iter().flatten() {
            if context.allowed().roles.binary_search(&role).is_ok() {
                let RoleWay { inverse, .. } = way;
                found.push(context.programs_mut().related(quantifier, role, inverse, filler));
            }
        }
        Ok(found)
    }
}

/// The parts of a restriction by an object property.
#[derive(Clone, Copy, Debug)]
struct Restriction {
    quantifier: Quantifier,
    way: RoleWay,
    filler: ProgramId,
}

impl Restriction {
    fn with_filler(self, context: &mut SearchContext, filler: ProgramId) -> ProgramId {
        let RoleWay { role, inverse } = self.way;
        context.programs_mut().related(self.quantifier, role, inverse, filler)
    }

    fn with_quantifier(self, context: &mut SearchContext, quantifier: Quantifier) -> ProgramId {
        let RoleWay { role, inverse } = self.way;
        context.programs_mut().related(quantifier, role, inverse, self.filler)
    }
}
