//! The tree of an explanation.

use super::{Evidence, ExplainError, ExplanationNode, Fillers, MAX_LISTED};
use crate::length;
use crate::syntax::{NameResolver, Sort, manchester};
use pellucid_program::{Domain, Expr, ProgramError, Programs, Quantifier, Role, Value};
use pellucid_relate::{Target, World, spec};

/// Evaluates subexpressions for single individuals, only for those in the explanation.
pub(super) struct Explainer<'a> {
    pub(super) world: &'a World,
    pub(super) names: &'a dyn NameResolver,
    pub(super) programs: Programs,
}

impl Explainer<'_> {
    /// The short name of an individual.
    pub(super) fn name_of(&self, individual: u32) -> String {
        let iri = self.world.individuals().get(individual);
        self.names.short_name(Sort::Individual, iri).unwrap_or(iri).to_owned()
    }

    /// Explains a subexpression for an individual.
    pub(super) fn explain(
        &mut self,
        expr: &Expr,
        individual: u32,
    ) -> Result<ExplanationNode, ExplainError> {
        let mut parts = Vec::new();
        let (holds, evidence) = match expr {
            Expr::Constant(value) => (*value, Evidence::Constant),
            Expr::Is(_) => (self.holds(expr, individual)?, Evidence::Class),
            Expr::Not(operand) => {
                let part = self.explain(operand, individual)?;
                let holds = !part.holds;
                parts.push(part);
                (holds, Evidence::Not)
            }
            Expr::And(operands) => {
                parts = self.explain_operands(operands, individual, false)?;
                (parts.iter().all(|part| part.holds), Evidence::And)
            }
            Expr::Or(operands) => {
                parts = self.explain_operands(operands, individual, true)?;
                (parts.iter().any(|part| part.holds), Evidence::Or)
            }
            Expr::Related(quantifier, role, filler) => {
                let (holds, fillers, witness) =
                    self.fillers(*quantifier, role, filler, individual)?;
                let is_simple = matches!(**filler, Expr::Constant(_) | Expr::Is(_));
                if let Some(witness) = witness.filter(|_| !is_simple) {
                    let mut part = self.explain(filler, witness)?;
                    part.of = Some(self.name_of(witness));
                    parts.push(part);
                }
                (holds, Evidence::Fillers(fillers))
            }
            Expr::Compare(..) | Expr::OneOf(..) | Expr::Within(..) | Expr::Contains(..) => {
                (self.holds(expr, individual)?, Evidence::Individual)
            }
        };
        let text = manchester::print(expr, self.names);
        Ok(ExplanationNode { of: None, text, holds, evidence, parts })
    }

    /// Explains the operands of a conjunction or disjunction. If one operand decides, the shortest
    /// such operand comes first; otherwise they keep their order.
    fn explain_operands(
        &mut self,
        operands: &[Expr],
        individual: u32,
        decisive: bool,
    ) -> Result<Vec<ExplanationNode>, ExplainError> {
        let mut parts = Vec::with_capacity(operands.len());
        for operand in operands {
            parts.push((length(operand), self.explain(operand, individual)?));
        }
        if parts.iter().any(|(_, part)| part.holds == decisive) {
            parts.sort_by_key(|(length, part)| (part.holds != decisive, *length));
        }
        Ok(parts.into_iter().map(|(_, part)| part).collect())
    }

    fn holds(&mut self, expr: &Expr, individual: u32) -> Result<bool, ExplainError> {
        let id = self.programs.add(expr)?;
        Ok(spec::holds(self.world, &self.programs, id, individual))
    }

    /// Evaluates a restriction. Returns its truth value, its fillers and the deciding individual.
    fn fillers(
        &mut self,
        quantifier: Quantifier,
        role: &Role,
        filler: &Expr,
        individual: u32,
    ) -> Result<(bool, Fillers, Option<u32>), ExplainError> {
        let number = self
            .programs
            .schema()
            .role(&role.name)
            .ok_or_else(|| ProgramError::Role(role.name.clone()))?;
        let id = self.programs.add(filler)?;
        let (world, target) = (self.world, self.world.target(number));
        let objects = match target {
            Target::Individuals(role_number) if role.inverse => {
                world.roles()[role_number].inverse.of(individual)
            }
            Target::Individuals(role_number) => world.roles()[role_number].forward.of(individual),
            Target::Values(property) => world.properties()[property].edges.of(individual),
        };
        let (yes, no): (Vec<u32>, Vec<u32>) = objects.iter().partition(|&&object| match target {
            Target::Individuals(_) => spec::holds(world, &self.programs, id, object),
            Target::Values(property) => {
                spec::value_holds(world, &self.programs, id, property, object as usize)
            }
        });
        let (holds, decides) = match quantifier {
            Quantifier::Some => (!yes.is_empty(), yes.first()),
            Quantifier::Only => (no.is_empty(), no.first()),
            Quantifier::Min(count) => (yes.len() >= count as usize, None),
            Quantifier::Max(count) => (yes.len() <= count as usize, None),
            Quantifier::Exactly(count) => (yes.len() == count as usize, None),
        };
        let values = matches!(target, Target::Values(_));
        let name = |&object: &u32| match target {
            Target::Individuals(_) => self.name_of(object),
            Target::Values(property) => self.value(property, object as usize),
        };
        let whole = Expr::Related(Quantifier::Some, role.clone(), Box::new(Expr::Constant(true)));
        let property = manchester::print(&whole, self.names);
        let property = property.rsplit_once(" some ").map_or(&*property, |(before, _)| before);
        let filler_text = manchester::filler(filler, role, self.names);
        let fillers = Fillers {
            property: property.to_owned(),
            quantifier: quantifier.to_string(),
            filler: (*filler != Expr::Constant(true)).then_some(filler_text),
            values,
            total: objects.len(),
            satisfying: yes.len(),
            yes: yes.iter().take(MAX_LISTED).map(name).collect(),
            no: no.iter().take(MAX_LISTED).map(name).collect(),
            witness: decides.map(name),
        };
        Ok((holds, fillers, decides.copied().filter(|_| !values)))
    }

    fn value(&self, property: usize, value: usize) -> String {
        let iri = self.world.property_names().iter().nth(property).unwrap_or_default();
        let value = match &self.world.properties()[property].values {
            Domain::Numeric(numbers) => Value::Number(numbers[value]),
            Domain::Nominal(texts) => Value::Text(texts[value].clone()),
            Domain::Boolean => Value::Text(["false", "true"][value].to_owned()),
        };
        manchester::value(&value, iri, self.names)
    }
}
