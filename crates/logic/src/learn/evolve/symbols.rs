use super::super::directed_role::DirectedRole;
use super::super::{Cut, LogicError, SearchContext};
use super::cuts::{Bound, discriminating_bounds};
use pellucid_learn::rng::Stream;
use pellucid_program::{Domain, Op, ProgramId, Quantifier, Value};

/// The building blocks of random expressions.
#[derive(Clone, Debug)]
pub(super) struct Symbols {
    /// Classes with instances.
    pub(super) classes: Vec<u32>,
    /// Roles with edges.
    pub(super) directed_roles: Vec<DirectedRole>,
    /// Data properties with usable values.
    pub(super) properties: Vec<u32>,
    /// For each data property, the comparisons that discriminate best between examples.
    bounds: Vec<Vec<Bound>>,
}

impl Symbols {
    pub(super) fn new(context: &SearchContext) -> Symbols {
        let world = &context.kb().world;
        let operators = &context.options().operators;
        let has_edges = |way: &&DirectedRole| !way.edges(world).is_empty();
        let directed_roles: Vec<DirectedRole> =
            context.allowed().directed_roles().iter().filter(has_edges).copied().collect();
        let classes = context.allowed().classes.iter().copied();
        let properties = context.allowed().properties.iter().copied();
        Symbols {
            classes: classes.filter(|&c| world.classes()[c as usize].count() > 0).collect(),
            properties: properties
                .filter(|&property| {
                    let owned = &world.properties()[property as usize];
                    let is_usable = match owned.values {
                        Domain::Numeric(_) => {
                            operators.numeric && !context.cuts(property).is_empty()
                        }
                        Domain::Nominal(_) | Domain::Boolean => operators.strings,
                    };
                    is_usable && !owned.edges.is_empty()
                })
                .collect(),
            bounds: discriminating_bounds(context, &directed_roles),
            directed_roles,
        }
    }

    /// Returns a condition that is true for a value, given by its rank; a discriminating one if
    /// possible.
    pub(super) fn condition_for(
        &self,
        context: &mut SearchContext,
        stream: &mut Stream,
        property: u32,
        rank: u32,
    ) -> Result<ProgramId, LogicError> {
        let kb = context.kb().clone();
        let Domain::Numeric(values) = &kb.world.properties()[property as usize].values else {
            return self.text(context, property, rank as usize);
        };
        let value = values[rank as usize];
        let fits = |&&(op, number): &&Bound| op.holds(value, number);
        let bounds: Vec<Bound> =
            self.bounds[property as usize].iter().filter(fits).copied().collect();
        let bound = stream.choose(&bounds).copied();
        let (op, number) = bound.unwrap_or_else(|| any_bound(context, stream, property));
        Ok(context.programs_mut().number(kb.world.value_column(property as usize), op, number)?)
    }

    /// Returns a random condition on the values of a property.
    pub(super) fn condition(
        &self,
        context: &mut SearchContext,
        stream: &mut Stream,
        property: u32,
    ) -> Result<ProgramId, LogicError> {
        let kb = context.kb().clone();
        let owned = &kb.world.properties()[property as usize];
        if !matches!(owned.values, Domain::Numeric(_)) {
            let rank = stream.index(owned.edges.object_count());
            return self.text(context, property, rank);
        }
        let chosen = stream.choose(&self.bounds[property as usize]).copied();
        let (op, number) = match chosen {
            Some(bound) if stream.chance(0.5) => bound,
            _ => any_bound(context, stream, property),
        };
        Ok(context.programs_mut().number(kb.world.value_column(property as usize), op, number)?)
    }

    fn text(
        &self,
        context: &mut SearchContext,
        property: u32,
        rank: usize,
    ) -> Result<ProgramId, LogicError> {
        let kb = context.kb().clone();
        let text = match &kb.world.properties()[property as usize].values {
            Domain::Nominal(texts) => texts[rank].clone(),
            _ => ["false", "true"][rank].to_owned(),
        };
        let column = kb.world.value_column(property as usize);
        Ok(context.programs_mut().compare(column, Op::Equal, &Value::Text(text))?)
    }

    /// Returns `some property (condition)`.
    pub(super) fn has(
        &self,
        context: &mut SearchContext,
        property: u32,
        condition: ProgramId,
    ) -> ProgramId {
        let role = context.kb().world.property_role(property as usize);
        context.programs_mut().related(Quantifier::Some, role, false, condition)
    }
}

fn any_bound(context: &SearchContext, stream: &mut Stream, property: u32) -> Bound {
    let up = stream.chance(0.5);
    match stream.choose(context.cuts(property)) {
        Some(&Cut { at_least, .. }) if up => (Op::GreaterEqual, at_least),
        Some(&Cut { at_most, .. }) => (Op::LessEqual, at_most),
        None => (Op::GreaterEqual, 0.0),
    }
}
