//! Builds class expressions from the blank nodes that represent them.

use pellucid_data::INDIVIDUAL;
use pellucid_data::{Ontology, RoleExpression};
use pellucid_program::{Expr, MAX_DEPTH, Op, Quantifier, Role, Value};

use super::collect::{Object, StatementCollector, mark};
use super::facts::Facts;
use super::kinds::is_datatype;
use super::vocabulary::{Word, short};

/// The maximum nesting depth of nodes; each node is at most two levels of an expression.
const DEEPEST: usize = MAX_DEPTH / 2 - 10;

/// The state for reader class expressions.
pub(super) struct ExpressionReader<'a> {
    pub(super) collector: &'a StatementCollector,
    pub(super) facts: &'a Facts,
    /// The individual number of each name, or `u32::MAX`.
    pub(super) individuals: &'a [u32],
    pub(super) ontology: &'a mut Ontology,
    /// The number of nodes that may still be visited. Nodes can share parts, so a short file can
    /// describe a very long expression.
    pub(super) budget: u64,
}

/// The filler of a restriction.
#[derive(Clone, Copy)]
enum Filler {
    Any,
    Of(u32),
    Range(u32),
    Value(Object),
}

impl ExpressionReader<'_> {
    /// Returns a name for messages.
    pub(super) fn name(&self, node: u32) -> String {
        if self.collector.is_blank(node) {
            "an unnamed node".to_owned()
        } else {
            short(self.collector.nodes.get(node))
        }
    }

    pub(super) fn has(&self, node: u32, marks: u16) -> bool {
        self.collector.marks[node as usize] & marks != 0
    }

    /// Deducts visited nodes from the budget.
    pub(super) fn visit(&mut self, nodes: usize) -> Result<(), String> {
        visit(&mut self.budget, nodes)
    }

    /// Returns the members of a list.
    pub(super) fn list(&mut self, head: Object) -> Result<Vec<Object>, String> {
        let Object::Node(head) = head else {
            return Err("found a literal; expected a list".to_owned());
        };
        self.facts.list(head, || visit(&mut self.budget, 1))
    }

    /// Reads the class expression of a node.
    pub(super) fn class(&mut self, object: Object, depth: usize) -> Result<Expr, String> {
        let Object::Node(node) = object else {
            return Err("found a literal; expected a class".to_owned());
        };
        self.visit(1)?;
        match Word::of(node) {
            Some(Word::Thing | Word::Resource) => return Ok(Expr::Constant(true)),
            Some(Word::Nothing) => return Ok(Expr::Constant(false)),
            Some(_) => return Err(format!("{} is not a class", self.name(node))),
            None => {}
        }
        if !self.collector.is_blank(node) {
            if is_datatype(self.collector, node) && !self.has(node, mark::CLASS) {
                return Err(format!("{} is a datatype; expected a class", self.name(node)));
            }
            let iri = self.collector.nodes.get(node);
            self.ontology.classes.add(iri);
            return Ok(Expr::Is(iri.to_owned()));
        }
        self.visit(self.facts.of(node).len())?;
        let mut parts = self.definitions(node, depth)?;
        if self.facts.get(node, Word::OnProperty).is_some() {
            self.restriction(node, depth, &mut parts)?;
        }
        if parts.is_empty() {
            return Err("found a class without a name or a definition".to_owned());
        }
        Ok(Expr::and(parts))
    }

    /// Reads the definitions of a class: `intersectionOf`, `unionOf`, `complementOf` and `oneOf`.
    pub(super) fn definitions(&mut self, node: u32, depth: usize) -> Result<Vec<Expr>, String> {
        if depth > DEEPEST {
            return Err(format!("the class expression is more than {DEEPEST} nodes deep"));
        }
        let mut parts = Vec::new();
        let facts = self.facts;
        for fact in facts.of(node) {
            parts.push(match fact.word {
                Word::IntersectionOf => Expr::and(self.classes(fact.object, depth)?),
                Word::UnionOf => Expr::or(self.classes(fact.object, depth)?),
                Word::ComplementOf => Expr::Not(Box::new(self.class(fact.object, depth + 1)?)),
                Word::OneOf => self.nominal(fact.object)?,
                _ => continue,
            });
        }
        Ok(parts)
    }

    /// Reads the classes of a list.
    pub(super) fn classes(&mut self, list: Object, depth: usize) -> Result<Vec<Expr>, String> {
        let members = self.list(list)?;
        members.into_iter().map(|member| self.class(member, depth + 1)).collect()
    }

    /// Reads an enumeration, `{a, b}`.
    fn nominal(&mut self, list: Object) -> Result<Expr, String> {
        let members = self.list(list)?;
        let names: Result<Vec<Value>, String> =
            members.into_iter().map(|member| self.individual(member)).collect();
        Ok(one_of(INDIVIDUAL, names?))
    }

    fn individual(&self, object: Object) -> Result<Value, String> {
        let number = match object {
            Object::Node(node) => self.individuals[node as usize],
            Object::Literal(..) => u32::MAX,
        };
        if number == u32::MAX {
            return Err("found something else; expected an individual".to_owned());
        }
        Ok(Value::Text(self.ontology.individuals.get(number).to_owned()))
    }

    /// Reads an object property or its inverse.
    pub(super) fn role_expression(&self, object: Object) -> Result<RoleExpression, String> {
        let Object::Node(mut node) = object else {
            return Err("found a literal; expected a property".to_owned());
        };
        let mut inverse = false;
        if self.collector.is_blank(node) {
            node = self
                .facts
                .node(node, Word::InverseOf)
                .ok_or("found a property without a name or an inverse")?;
            inverse = true;
        }
        match self.ontology.roles.find(self.collector.nodes.get(node)) {
            Some(role) => Ok(RoleExpression { role, inverse }),
            None => Err(format!("{} is not an object property", self.name(node))),
        }
    }

    /// Reads all parts of a restriction.
    fn restriction(
        &mut self,
        node: u32,
        depth: usize,
        parts: &mut Vec<Expr>,
    ) -> Result<(), String> {
        let facts = self.facts;
        let Some(property) = facts.node(node, Word::OnProperty) else {
            return Err("found a restriction on a literal".to_owned());
        };
        let qualifier = || {
            let class = facts.node(node, Word::OnClass).map(Filler::Of);
            class.or_else(|| facts.node(node, Word::OnDataRange).map(Filler::Range))
        };
        let before = parts.len();
        for fact in facts.of(node) {
            use Word::*;
            let (quantifier, filler) = match (fact.word, fact.object) {
                (SomeValuesFrom, Object::Node(filler)) => (Quantifier::Some, Filler::Of(filler)),
                (AllValuesFrom, Object::Node(filler)) => (Quantifier::Only, Filler::Of(filler)),
                (HasValue, value) => (Quantifier::Some, Filler::Value(value)),
                (MinCardinality, count) => (Quantifier::Min(self.count(count)?), Filler::Any),
                (MaxCardinality, count) => (Quantifier::Max(self.count(count)?), Filler::Any),
                (Cardinality, count) => (Quantifier::Exactly(self.count(count)?), Filler::Any),
                (MinQualifiedCardinality, count) => {
                    (Quantifier::Min(self.count(count)?), qualifier().unwrap_or(Filler::Any))
                }
                (MaxQualifiedCardinality, count) => {
                    (Quantifier::Max(self.count(count)?), qualifier().unwrap_or(Filler::Any))
                }
                (QualifiedCardinality, count) => {
                    (Quantifier::Exactly(self.count(count)?), qualifier().unwrap_or(Filler::Any))
                }
                (HasSelf, _) => return Err("owl:hasSelf is not supported".to_owned()),
                _ => continue,
            };
            parts.push(self.related(quantifier, property, filler, depth)?);
        }
        if parts.len() == before {
            return Err(format!("the restriction on {} has no condition", self.name(property)));
        }
        Ok(())
    }

    /// Parses a cardinality.
    fn count(&self, object: Object) -> Result<u32, String> {
        let text = match object {
            Object::Literal(text, _) => self.collector.literals.get(text),
            Object::Node(_) => "",
        };
        let text = text.trim();
        text.parse().map_err(|_| {
            format!("found '{}'; expected a cardinality", crate::source::error::shorten(text))
        })
    }

    fn related(
        &mut self,
        quantifier: Quantifier,
        property: u32,
        filler: Filler,
        depth: usize,
    ) -> Result<Expr, String> {
        let about_data = match filler {
            Filler::Value(Object::Literal(..)) | Filler::Range(_) => true,
            Filler::Of(node) => self.is_range(node),
            Filler::Any | Filler::Value(Object::Node(_)) => false,
        };
        let data =
            self.has(property, mark::PROPERTY) && (about_data || !self.has(property, mark::ROLE));
        let (name, inverse) = if data {
            (self.collector.nodes.get(property).to_owned(), false)
        } else {
            let role = self.role_expression(Object::Node(property))?;
            (self.ontology.roles.get(role.role).to_owned(), role.inverse)
        };
        let filler = match filler {
            Filler::Any => Expr::Constant(true),
            Filler::Of(node) | Filler::Range(node) if data => self.range(node, &name, depth + 1)?,
            Filler::Of(node) | Filler::Range(node) => self.class(Object::Node(node), depth + 1)?,
            Filler::Value(value) if data => {
                Expr::Compare(name.clone(), Op::Equal, self.literal(value)?)
            }
            Filler::Value(value) => {
                Expr::Compare(INDIVIDUAL.to_owned(), Op::Equal, self.individual(value)?)
            }
        };
        Ok(Expr::Related(quantifier, Role { name, inverse }, Box::new(filler)))
    }
}

fn visit(budget: &mut u64, nodes: usize) -> Result<(), String> {
    let left = budget.checked_sub(nodes as u64);
    *budget = left.unwrap_or(0);
    let shared = "the class expression is too long, because its parts are shared too often";
    left.map(|_| ()).ok_or_else(|| shared.to_owned())
}

/// Returns the condition that a column is one of some values.
pub(super) fn one_of(column: &str, mut values: Vec<Value>) -> Expr {
    match values.len() {
        0 => Expr::Constant(false),
        1 => Expr::Compare(column.to_owned(), Op::Equal, values.swap_remove(0)),
        _ => Expr::OneOf(column.to_owned(), values),
    }
}
