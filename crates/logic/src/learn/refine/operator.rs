//! The downward refinement operator: returns specializations of an expression.

use super::super::directed_role::DirectedRole;
use super::super::{LogicError, SearchContext};
use super::scope::Scopes;
use super::values;
use pellucid_program::{Leaf, Node, ProgramId, Quantifier};
use pellucid_relate::Target;

/// The maximum nesting of restrictions.
const MAX_DEPTH: u32 = 6;

/// A range of lengths, from `above` (exclusive) to `up_to` (inclusive). Bounds may be negative for
/// a subexpression if the rest is longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LengthRange {
    pub(super) above: i64,
    pub(super) up_to: i64,
}

impl LengthRange {
    /// Returns the range for a subexpression if the rest has this length.
    fn less(self, rest: u32) -> LengthRange {
        LengthRange { above: self.above - i64::from(rest), up_to: self.up_to - i64::from(rest) }
    }

    fn contains(self, length: u32) -> bool {
        self.above < i64::from(length) && i64::from(length) <= self.up_to
    }

    /// The lengths that a program can have.
    fn each(self) -> std::ops::RangeInclusive<u32> {
        let bound = |length: i64| u32::try_from(length.max(0)).unwrap_or(u32::MAX);
        bound(self.above.saturating_add(1)).max(1)..=bound(self.up_to)
    }
}

/// The operator with its caches.
#[derive(Clone, Debug)]
pub(super) struct Operator {
    scopes: Scopes,
}

/// The position of a subexpression.
#[derive(Clone, Copy, Debug)]
struct Position {
    scope: usize,
    depth: u32,
}

impl Operator {
    pub(super) fn new(context: &SearchContext) -> Operator {
        Operator { scopes: Scopes::new(context) }
    }

    /// Returns the refinements of a program with the requested lengths, in a deterministic order.
    pub(super) fn refine(
        &mut self,
        context: &mut SearchContext,
        program: ProgramId,
        lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        let mut found =
            self.refine_part(context, program, Position { scope: 0, depth: 0 }, lengths)?;
        found.retain(|&child| {
            lengths.contains(context.length(child))
                && child != program
                && !matches!(context.programs().node(child), Node::Constant(_))
        });
        Ok(found)
    }

    fn refine_part(
        &mut self,
        context: &mut SearchContext,
        part: ProgramId,
        position: Position,
        lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        if lengths.up_to < 1 || position.depth > MAX_DEPTH {
            return Ok(Vec::new());
        }
        if let Node::Constant(value) = context.programs().node(part) {
            return if value {
                self.top_refinements(context, position, lengths)
            } else {
                Ok(Vec::new())
            };
        }
        let mut found = self.refine_inside(context, part, position, lengths)?;
        // Adding a conjunct is a refinement too.
        let length = context.length(part);
        for more in self.top_refinements(context, position, lengths.less(length + 1))? {
            found.push(context.programs_mut().and(&[part, more]));
        }
        Ok(found)
    }

    fn top_refinements(
        &mut self,
        context: &mut SearchContext,
        position: Position,
        lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        let mut found = Vec::new();
        for length in lengths.each() {
            found.extend_from_slice(&self.scopes.top_refinements(
                context,
                position.scope,
                length,
            )?);
        }
        Ok(found)
    }

    /// Returns the refinements of a subexpression without adding a conjunct.
    fn refine_inside(
        &mut self,
        context: &mut SearchContext,
        part: ProgramId,
        position: Position,
        lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        match context.programs().node(part) {
            Node::Constant(_) => Ok(Vec::new()),
            Node::Leaf(class, Leaf::Is) => {
                let below = self.scopes.get(position.scope).classes.below(class).iter();
                Ok(below
                    .map(|&class| context.programs_mut().is(class))
                    .collect::<Result<_, _>>()?)
            }
            Node::Leaf(..) => Ok(Vec::new()),
            Node::Not(operand) => match context.programs().node(operand) {
                Node::Leaf(class, Leaf::Is) => {
                    let mut found = Vec::new();
                    for &class in self.scopes.get(position.scope).classes.above(class) {
                        let class = context.programs_mut().is(class)?;
                        found.push(context.programs_mut().not(class));
                    }
                    Ok(found)
                }
                _ => Ok(Vec::new()),
            },
            Node::And(operands) => {
                let operands = operands.to_vec();
                self.refine_operands(context, part, &operands, true, position, lengths)
            }
            Node::Or(operands) => {
                let operands = operands.to_vec();
                let mut found =
                    self.refine_operands(context, part, &operands, false, position, lengths)?;
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
                        let part = Restriction {
                            quantifier,
                            directed_role: DirectedRole { role, inverse },
                            filler,
                        };
                        self.refine_restriction(context, part, position, lengths.less(rest))
                    }
                    Target::Values(property) => {
                        let narrower = matches!(quantifier, Quantifier::Some | Quantifier::Min(_));
                        if !narrower {
                            return Ok(Vec::new());
                        }
                        let individuals = &self.scopes.get(position.scope).individuals;
                        let property = u32::try_from(property).unwrap_or(u32::MAX);
                        let found =
                            values::narrower(context, individuals, property, filler)?.into_iter();
                        let programs = context.programs_mut();
                        Ok(found
                            .map(|filler| programs.related(quantifier, role, inverse, filler))
                            .collect())
                    }
                }
            }
        }
    }

    /// Refines one operand. Operands of a conjunction get no additional conjunct, because the
    /// conjunction itself gets it.
    fn refine_operands(
        &mut self,
        context: &mut SearchContext,
        individualsle: ProgramId,
        operands: &[ProgramId],
        and: bool,
        position: Position,
        lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        let length = context.length(individualsle);
        let mut found = Vec::new();
        for (at, &operand) in operands.iter().enumerate() {
            let left = lengths.less(length - context.length(operand));
            let refined = if and {
                self.refine_inside(context, operand, position, left)?
            } else {
                self.refine_part(context, operand, position, left)?
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

    /// Refines a restriction: its filler, its number and its role.
    fn refine_restriction(
        &mut self,
        context: &mut SearchContext,
        part: Restriction,
        position: Position,
        filler_lengths: LengthRange,
    ) -> Result<Vec<ProgramId>, LogicError> {
        let Restriction { quantifier, directed_role, filler } = part;
        let under = self.scopes.step(context, position.scope, directed_role);
        let inner = Position { scope: under, depth: position.depth + 1 };
        let most = context.options().operators.cardinality;
        let reach = self.scopes.reach(context, position.scope, directed_role);
        let mut found = Vec::new();
        let narrows = !matches!(quantifier, Quantifier::Max(_) | Quantifier::Exactly(_));
        if narrows {
            for filler in self.refine_part(context, filler, inner, filler_lengths)? {
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
                // At most n of a larger class is a specialization.
                if let Node::Leaf(class, Leaf::Is) = context.programs().node(filler) {
                    for &class in self.scopes.get(under).classes.above(class) {
                        let wider = context.programs_mut().is(class)?;
                        found.push(part.with_filler(context, wider));
                    }
                    let thing = context.programs_mut().constant(true);
                    found.push(part.with_filler(context, thing));
                }
            }
            _ => {}
        }
        // Having a subrole filler implies having a role filler. For all role fillers implies for
        // all subrole fillers.
        let kb = context.kb().clone();
        let related = match quantifier {
            Quantifier::Some | Quantifier::Min(_) => &kb.roles.children,
            Quantifier::Only | Quantifier::Max(_) => &kb.roles.parents,
            Quantifier::Exactly(_) => return Ok(found),
        };
        for &role in related.get(directed_role.role as usize).into_iter().flatten() {
            if context.allowed().roles.binary_search(&role).is_ok() {
                let way = context.allowed().direction(role, directed_role.inverse);
                found.push(context.programs_mut().related(
                    quantifier,
                    way.role,
                    way.inverse,
                    filler,
                ));
            }
        }
        Ok(found)
    }
}

/// A restriction with an object property.
#[derive(Clone, Copy, Debug)]
struct Restriction {
    quantifier: Quantifier,
    directed_role: DirectedRole,
    filler: ProgramId,
}

impl Restriction {
    fn with_filler(self, context: &mut SearchContext, filler: ProgramId) -> ProgramId {
        let DirectedRole { role, inverse } = self.directed_role;
        context.programs_mut().related(self.quantifier, role, inverse, filler)
    }

    fn with_quantifier(self, context: &mut SearchContext, quantifier: Quantifier) -> ProgramId {
        let DirectedRole { role, inverse } = self.directed_role;
        context.programs_mut().related(quantifier, role, inverse, self.filler)
    }
}
