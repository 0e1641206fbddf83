//! A class expression as an OWL 2 ontology, a graph of statements.

use super::graph::{Graph, RdfNode, Statements};
use super::literals::ValueTypes;
use crate::syntax::{NOTHING, NameResolver, Sort, THING};
use pellucid_data::INDIVIDUAL;
use pellucid_program::{Expr, Op, Quantifier, Role, Value};
use std::collections::BTreeMap;

/// The default IRI of a learned class.
pub const LEARNED: &str = "urn:pellucid:Learned";

/// Returns an ontology with one class that is equivalent to the expression, and declarations of
/// everything it refers to, with labels.
pub(super) fn graph(expr: &Expr, names: &dyn NameResolver, class: &str) -> Graph {
    let mut used = BTreeMap::new();
    declare(expr, names, &mut used);
    let mut graph = Graph::default();
    for (kind, name) in used.keys().filter(|(_, name)| !name.starts_with("_:")) {
        let sort = match *kind {
            "Class" => Sort::Class,
            "ObjectProperty" => Sort::Role,
            "DatatypeProperty" => Sort::Property,
            _ => Sort::Individual,
        };
        let (shown, code) = (names.short_name(sort, name), names.code(sort, name));
        let label = shown.filter(|_| shown != code).map(str::to_owned);
        graph.declarations.push((format!("owl:{kind}"), name.clone(), label));
    }
    graph.class = class.to_owned();
    graph.definition = Some(Writer { names }.class(expr));
    graph
}

/// Collects the entities to declare, by OWL type and IRI.
fn declare(expr: &Expr, names: &dyn NameResolver, used: &mut BTreeMap<(&'static str, String), ()>) {
    let mut add = |sort, name: &str| {
        used.insert((sort, name.to_owned()), ());
    };
    match expr {
        Expr::Is(class) => add("Class", class),
        Expr::Compare(column, _, Value::Text(name)) if column == INDIVIDUAL => {
            add("NamedIndividual", name);
        }
        Expr::OneOf(column, values) if column == INDIVIDUAL => {
            for value in values {
                if let Value::Text(name) = value {
                    add("NamedIndividual", name);
                }
            }
        }
        Expr::Not(operand) => declare(operand, names, used),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().for_each(|operand| declare(operand, names, used));
        }
        Expr::Related(_, role, filler) => {
            let values = names.leads_to_values(&role.name);
            add(if values { "DatatypeProperty" } else { "ObjectProperty" }, &role.name);
            if !values {
                declare(filler, names, used);
            }
        }
        _ => {}
    }
}

struct Writer<'n> {
    names: &'n dyn NameResolver,
}

impl Writer<'_> {
    fn class(&self, expr: &Expr) -> RdfNode {
        let list = |operands: &[Expr]| {
            RdfNode::List(operands.iter().map(|operand| self.class(operand)).collect())
        };
        let class = |word: &'static str, node: RdfNode| typed("owl:Class", vec![(word, node)]);
        match expr {
            Expr::Constant(true) => RdfNode::Iri(THING.to_owned()),
            Expr::Constant(false) => RdfNode::Iri(NOTHING.to_owned()),
            Expr::Is(name) => RdfNode::Iri(name.clone()),
            Expr::Not(operand) => class("owl:complementOf", self.class(operand)),
            Expr::And(operands) => class("owl:intersectionOf", list(operands)),
            Expr::Or(operands) => class("owl:unionOf", list(operands)),
            Expr::Compare(column, op, one) if column == INDIVIDUAL => {
                let one = class("owl:oneOf", RdfNode::Row(vec![individual(one)]));
                if *op == Op::NotEqual { class("owl:complementOf", one) } else { one }
            }
            Expr::OneOf(_, values) if values.is_empty() => RdfNode::Iri(NOTHING.to_owned()),
            Expr::OneOf(_, values) => {
                class("owl:oneOf", RdfNode::Row(values.iter().map(individual).collect()))
            }
            Expr::Related(quantifier, role, filler) => self.restriction(*quantifier, role, filler),
            // Not a class expression: OWL has no equivalent.
            Expr::Compare(..) | Expr::Within(..) | Expr::Contains(..) => {
                RdfNode::Iri(NOTHING.to_owned())
            }
        }
    }

    fn restriction(&self, quantifier: Quantifier, role: &Role, filler: &Expr) -> RdfNode {
        let values = self.names.leads_to_values(&role.name);
        let name = RdfNode::Iri(role.name.clone());
        let property = match role.inverse {
            true => RdfNode::Inline(vec![("owl:inverseOf", name)]),
            false => name,
        };
        let types = ValueTypes::of(&role.name, self.names);
        let what = || if values { self.range(filler, &types) } else { self.class(filler) };
        let mut statements: Statements = vec![("owl:onProperty", property)];
        match quantifier {
            Quantifier::Some => statements.push(match filler {
                Expr::Compare(_, Op::Equal, one) if values => match &types.literals(one)[..] {
                    [only] => ("owl:hasValue", only.clone()),
                    _ => ("owl:someValuesFrom", what()),
                },
                Expr::Compare(_, Op::Equal, one) => ("owl:hasValue", individual(one)),
                _ => ("owl:someValuesFrom", what()),
            }),
            Quantifier::Only => statements.push(("owl:allValuesFrom", what())),
            Quantifier::Min(count) => {
                let words = ["owl:minCardinality", "owl:minQualifiedCardinality"];
                cardinality(&mut statements, words, count, filler, values, what);
            }
            Quantifier::Max(count) => {
                let words = ["owl:maxCardinality", "owl:maxQualifiedCardinality"];
                cardinality(&mut statements, words, count, filler, values, what);
            }
            Quantifier::Exactly(count) => {
                let words = ["owl:cardinality", "owl:qualifiedCardinality"];
                cardinality(&mut statements, words, count, filler, values, what);
            }
        }
        typed("owl:Restriction", statements)
    }

    /// Returns a condition on values as a datatype.
    fn range(&self, expr: &Expr, types: &ValueTypes<'_>) -> RdfNode {
        let list = |operands: &[Expr]| {
            RdfNode::List(operands.iter().map(|operand| self.range(operand, types)).collect())
        };
        let one_of = |values: &[Value]| {
            let literals = values.iter().flat_map(|one| types.literals(one)).collect();
            range("owl:oneOf", RdfNode::Row(literals))
        };
        let complement = |of| range("owl:datatypeComplementOf", of);
        let literal = || RdfNode::Name("rdfs:Literal".to_owned());
        match expr {
            Expr::Constant(true) | Expr::Is(_) | Expr::Related(..) => literal(),
            Expr::Constant(false) => complement(literal()),
            Expr::OneOf(_, values) if values.is_empty() => complement(literal()),
            Expr::OneOf(_, values) => one_of(values),
            Expr::Compare(_, Op::Equal, one) => one_of(std::slice::from_ref(one)),
            Expr::Compare(_, op, Value::Number(number)) if *op != Op::NotEqual => {
                types.facets(&[(*op, *number)])
            }
            Expr::Compare(_, _, one) => complement(one_of(std::slice::from_ref(one))),
            Expr::Within(_, interval) => {
                let low = if interval.low.closed { Op::GreaterEqual } else { Op::Greater };
                let high = if interval.high.closed { Op::LessEqual } else { Op::Less };
                types.facets(&[(low, interval.low.value), (high, interval.high.value)])
            }
            Expr::Contains(_, part) => types.pattern(part),
            Expr::Not(operand) => complement(self.range(operand, types)),
            Expr::And(operands) => range("owl:intersectionOf", list(operands)),
            Expr::Or(operands) => range("owl:unionOf", list(operands)),
        }
    }
}

/// Returns a node of a kind.
fn typed(kind: &str, mut statements: Statements) -> RdfNode {
    statements.insert(0, ("a", RdfNode::Name(kind.to_owned())));
    RdfNode::Block(statements)
}

/// Returns a data range.
pub(super) fn range(word: &'static str, node: RdfNode) -> RdfNode {
    typed("rdfs:Datatype", vec![(word, node)])
}

fn cardinality(
    statements: &mut Statements,
    words: [&'static str; 2],
    count: u32,
    filler: &Expr,
    values: bool,
    what: impl Fn() -> RdfNode,
) {
    let count = RdfNode::literal(count.to_string(), "xsd:nonNegativeInteger");
    if *filler == Expr::Constant(true) {
        statements.push((words[0], count));
        return;
    }
    let on = if values { "owl:onDataRange" } else { "owl:onClass" };
    statements.extend([(words[1], count), (on, what())]);
}

fn individual(value: &Value) -> RdfNode {
    match value {
        Value::Text(name) => RdfNode::Iri(name.clone()),
        Value::Number(number) => RdfNode::literal(number.to_string(), ""),
    }
}
