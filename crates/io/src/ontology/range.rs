//! Reads data ranges: conditions on one value of a data property.

use pellucid_program::{Expr, MAX_DEPTH, Op, Value};

use super::collect::Object;
use super::expression::{ExpressionReader, one_of};
use super::kinds::is_datatype;
use super::literal;
use super::vocabulary::Word;

/// The maximum nesting depth of data ranges.
const DEEPEST: usize = MAX_DEPTH / 2 - 10;

impl ExpressionReader<'_> {
    /// Whether a node is a data range.
    pub(super) fn is_range(&self, node: u32) -> bool {
        if is_datatype(self.collector, node) {
            return true;
        }
        let first = |list| self.facts.get(list, Word::First);
        let values = self.facts.node(node, Word::OneOf).and_then(first);
        let unnamed = self.collector.is_blank(node);
        unnamed && matches!(values, Some(Object::Literal(..)))
    }

    /// Returns the value of a literal.
    pub(super) fn literal(&self, object: Object) -> Result<Value, String> {
        match object {
            Object::Literal(text, datatype) => {
                literal::value(self.collector.literals.get(text), datatype)
            }
            Object::Node(node) => Err(format!("found {}; expected a literal", self.name(node))),
        }
    }

    /// Returns the condition that a value of a property is in a data range. A datatype alone is always true.
    pub(super) fn range(
        &mut self,
        node: u32,
        property: &str,
        depth: usize,
    ) -> Result<Expr, String> {
        self.visit(1)?;
        if depth > DEEPEST {
            return Err(format!("the data range is more than {DEEPEST} nodes deep"));
        }
        let facts = self.facts;
        if !self.collector.is_blank(node) {
            if !is_datatype(self.collector, node) {
                return Err(format!("{} is not a datatype", self.name(node)));
            }
            return match facts.node(node, Word::EquivalentClass) {
                Some(definition) => self.range(definition, property, depth + 1),
                None => Ok(Expr::Constant(true)),
            };
        }
        self.visit(facts.of(node).len())?;
        let mut parts = Vec::new();
        for fact in facts.of(node) {
            match fact.word {
                Word::OneOf => {
                    let members = self.list(fact.object)?;
                    let values: Result<Vec<Value>, String> =
                        members.into_iter().map(|member| self.literal(member)).collect();
                    parts.push(one_of(property, values?));
                }
                Word::WithRestrictions => self.facets(fact.object, property, &mut parts)?,
                Word::OnDatatype => {
                    if let Object::Node(datatype) = fact.object {
                        let base = self.range(datatype, property, depth + 1)?;
                        parts.extend((base != Expr::Constant(true)).then_some(base));
                    }
                }
                Word::IntersectionOf => {
                    parts.push(Expr::and(self.ranges(fact.object, property, depth)?))
                }
                Word::UnionOf => parts.push(Expr::or(self.ranges(fact.object, property, depth)?)),
                Word::DatatypeComplementOf | Word::ComplementOf => {
                    let inner = self.ranges_of(&[fact.object], property, depth)?;
                    parts.push(Expr::Not(Box::new(Expr::and(inner))));
                }
                _ => {}
            }
        }
        if parts.is_empty() && facts.get(node, Word::OnDatatype).is_none() {
            return Err("found a data range without a name or a definition".to_owned());
        }
        Ok(Expr::and(parts))
    }

    fn ranges(&mut self, list: Object, property: &str, depth: usize) -> Result<Vec<Expr>, String> {
        let members = self.list(list)?;
        self.ranges_of(&members, property, depth)
    }

    fn ranges_of(
        &mut self,
        members: &[Object],
        property: &str,
        depth: usize,
    ) -> Result<Vec<Expr>, String> {
        let mut parts = Vec::with_capacity(members.len());
        for member in members {
            let Object::Node(node) = *member else {
                return Err("found a literal; expected a data range".to_owned());
            };
            parts.push(self.range(node, property, depth + 1)?);
        }
        Ok(parts)
    }

    /// Reads the facets of a datatype, such as `>= 1` and `< 5`.
    fn facets(
        &mut self,
        list: Object,
        property: &str,
        parts: &mut Vec<Expr>,
    ) -> Result<(), String> {
        for member in self.list(list)? {
            let Object::Node(facet) = member else {
                return Err("found a literal; expected a facet of a datatype".to_owned());
            };
            let before = parts.len();
            let facts = self.facts;
            self.visit(facts.of(facet).len())?;
            for fact in facts.of(facet) {
                let op = match fact.word {
                    Word::MinInclusive => Op::GreaterEqual,
                    Word::MinExclusive => Op::Greater,
                    Word::MaxInclusive => Op::LessEqual,
                    Word::MaxExclusive => Op::Less,
                    _ => continue,
                };
                let bound = self.literal(fact.object)?;
                if let Value::Text(text) = bound {
                    return Err(format!(
                        "found '{}'; expected a number",
                        crate::source::error::shorten(&text)
                    ));
                }
                parts.push(Expr::Compare(property.to_owned(), op, bound));
            }
            if parts.len() == before {
                return Err("found another facet; expected one of minInclusive, minExclusive, \
                     maxInclusive, maxExclusive"
                    .to_owned());
            }
        }
        Ok(())
    }
}
