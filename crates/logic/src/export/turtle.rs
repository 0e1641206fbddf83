use super::term::{iri, range_name, text, value};
use crate::syntax::{NOTHING, NameResolver, THING, pattern};
use pellucid_data::Datatype;
use pellucid_data::INDIVIDUAL;
use pellucid_program::{Expr, Op, Quantifier, Role, Value};
use std::collections::BTreeMap;

/// The default IRI of a learned class.
pub const LEARNED: &str = "urn:pellucid:Learned";

/// Returns an OWL 2 ontology in Turtle with one class that is equivalent to the expression, and
/// declarations of everything it refers to.
///
/// `class` is the IRI of that class, such as [`LEARNED`]. Restrictions are blank nodes, conditions
/// on values are datatypes with facets, and containment is the facet `xsd:pattern`. Literals have
/// the datatype of their property: integers `xsd:integer`, other numbers `xsd:double`. If the
/// values of a file have another datatype, such as `xsd:decimal`, an open-world reasoner may treat
/// them as different.
#[must_use]
pub fn turtle(expr: &Expr, names: &dyn NameResolver, class: &str) -> String {
    let mut used = BTreeMap::new();
    declare(expr, names, &mut used);
    let mut out = String::from(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
         @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n\
         @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
         @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n\n\
         [] a owl:Ontology .\n",
    );
    for ((sort, name), ()) in &used {
        if !name.starts_with("_:") {
            out += &format!("{} a owl:{sort} .\n", iri(name));
        }
    }
    let writer = Writer { names };
    out += &format!(
        "\n{} a owl:Class ;\n    owl:equivalentClass {} .\n",
        iri(class),
        writer.class(expr, 1)
    );
    out
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
    fn class(&self, expr: &Expr, level: usize) -> String {
        let list = |operands: &[Expr]| {
            list_of(operands.iter().map(|operand| self.class(operand, level + 2)), level + 1)
        };
        let class = |statement: &str| node(level, &["a owl:Class", statement]);
        match expr {
            Expr::Constant(true) => iri(THING),
            Expr::Constant(false) => iri(NOTHING),
            Expr::Is(name) => iri(name),
            Expr::Not(operand) => {
                class(&format!("owl:complementOf {}", self.class(operand, level + 1)))
            }
            Expr::And(operands) => class(&format!("owl:intersectionOf {}", list(operands))),
            Expr::Or(operands) => class(&format!("owl:unionOf {}", list(operands))),
            Expr::Compare(column, op, individual) if column == INDIVIDUAL => {
                let one = format!("owl:oneOf ( {} )", individual_iri(individual));
                match op {
                    Op::NotEqual => class(&format!(
                        "owl:complementOf {}",
                        node(level + 1, &["a owl:Class", &one])
                    )),
                    _ => class(&one),
                }
            }
            Expr::OneOf(_, values) if values.is_empty() => iri(NOTHING),
            Expr::OneOf(_, values) => {
                let individuals: Vec<String> = values.iter().map(individual_iri).collect();
                class(&format!("owl:oneOf ( {} )", individuals.join(" ")))
            }
            Expr::Related(quantifier, role, filler) => {
                self.restriction(*quantifier, role, filler, level)
            }
            // Not a class expression: OWL has no equivalent.
            Expr::Compare(..) | Expr::Within(..) | Expr::Contains(..) => iri(NOTHING),
        }
    }

    fn restriction(
        &self,
        quantifier: Quantifier,
        role: &Role,
        filler: &Expr,
        level: usize,
    ) -> String {
        let values = self.names.leads_to_values(&role.name);
        let property = if role.inverse {
            format!("owl:onProperty [ owl:inverseOf {} ]", iri(&role.name))
        } else {
            format!("owl:onProperty {}", iri(&role.name))
        };
        let datatype = self.names.datatype(&role.name);
        let what = || {
            if values {
                self.range(filler, datatype, level + 1)
            } else {
                self.class(filler, level + 1)
            }
        };
        let statement: Vec<String> = match quantifier {
            Quantifier::Some => match filler {
                Expr::Compare(_, Op::Equal, one) if values => {
                    vec![format!("owl:hasValue {}", value(one, datatype))]
                }
                Expr::Compare(_, Op::Equal, one) => {
                    vec![format!("owl:hasValue {}", individual_iri(one))]
                }
                _ => vec![format!("owl:someValuesFrom {}", what())],
            },
            Quantifier::Only => vec![format!("owl:allValuesFrom {}", what())],
            Quantifier::Min(count) => cardinality("min", count, filler, values, what),
            Quantifier::Max(count) => cardinality("max", count, filler, values, what),
            Quantifier::Exactly(count) => cardinality("", count, filler, values, what),
        };
        let parts: Vec<&str> = ["a owl:Restriction", property.as_str()]
            .into_iter()
            .chain(statement.iter().map(String::as_str))
            .collect();
        node(level, &parts)
    }

    /// Writes a condition on values as a datatype.
    fn range(&self, expr: &Expr, datatype: Option<Datatype>, level: usize) -> String {
        let range = |statement: &str| node(level, &["a rdfs:Datatype", statement]);
        let list = |operands: &[Expr]| {
            let parts = operands.iter().map(|operand| self.range(operand, datatype, level + 2));
            list_of(parts, level + 1)
        };
        let one_of = |values: &[Value]| {
            let values: Vec<String> = values.iter().map(|one| value(one, datatype)).collect();
            format!("owl:oneOf ( {} )", values.join(" "))
        };
        let complement = |of: &str| range(&format!("owl:datatypeComplementOf {of}"));
        let facets = |ends: &[f64], facets: &[String]| {
            let on = format!("owl:onDatatype xsd:{}", range_name(datatype, ends));
            let with = format!("owl:withRestrictions ( {} )", facets.join(" "));
            node(level, &["a rdfs:Datatype", &on, &with])
        };
        let facet = |op: Op, number: f64| {
            let name = match op {
                Op::Greater => "minExclusive",
                Op::GreaterEqual => "minInclusive",
                Op::Less => "maxExclusive",
                _ => "maxInclusive",
            };
            format!("[ xsd:{name} {} ]", value(&Value::Number(number), datatype))
        };
        match expr {
            Expr::Constant(true) | Expr::Is(_) | Expr::Related(..) => "rdfs:Literal".to_owned(),
            Expr::Constant(false) => complement("rdfs:Literal"),
            Expr::OneOf(_, values) if values.is_empty() => complement("rdfs:Literal"),
            Expr::OneOf(_, values) => range(&one_of(values)),
            Expr::Compare(_, Op::Equal, one) => range(&one_of(std::slice::from_ref(one))),
            Expr::Compare(_, op, Value::Number(number)) if *op != Op::NotEqual => {
                facets(&[*number], &[facet(*op, *number)])
            }
            Expr::Compare(_, _, one) => {
                let one = one_of(std::slice::from_ref(one));
                complement(&node(level + 1, &["a rdfs:Datatype", &one]))
            }
            Expr::Within(_, interval) => {
                let low = if interval.low.closed { Op::GreaterEqual } else { Op::Greater };
                let high = if interval.high.closed { Op::LessEqual } else { Op::Less };
                facets(
                    &[interval.low.value, interval.high.value],
                    &[facet(low, interval.low.value), facet(high, interval.high.value)],
                )
            }
            Expr::Contains(_, part) => {
                facets(&[], &[format!("[ xsd:pattern {} ]", text(&pattern::containing(part)))])
            }
            Expr::Not(operand) => complement(&self.range(operand, datatype, level + 1)),
            Expr::And(operands) => range(&format!("owl:intersectionOf {}", list(operands))),
            Expr::Or(operands) => range(&format!("owl:unionOf {}", list(operands))),
        }
    }
}

fn cardinality(
    kind: &str,
    count: u32,
    filler: &Expr,
    values: bool,
    what: impl Fn() -> String,
) -> Vec<String> {
    let name = |noun: &str| {
        let noun = if kind.is_empty() { noun.to_owned() } else { capitalize(noun) };
        format!("owl:{kind}{noun} \"{count}\"^^xsd:nonNegativeInteger")
    };
    if *filler == Expr::Constant(true) {
        return vec![name("cardinality")];
    }
    let on = if values { "owl:onDataRange" } else { "owl:onClass" };
    vec![name("qualifiedCardinality"), format!("{on} {}", what())]
}

fn capitalize(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

fn individual_iri(value: &Value) -> String {
    match value {
        Value::Text(name) => iri(name),
        Value::Number(number) => text(&number.to_string()),
    }
}

/// Writes a blank node with these statements, one per line.
fn node(level: usize, statement: &[&str]) -> String {
    let indent = "    ".repeat(level + 1);
    let close = "    ".repeat(level);
    let lines: Vec<String> =
        statement.iter().map(|statement| format!("{indent}{statement}")).collect();
    format!("[\n{}\n{close}]", lines.join(" ;\n"))
}

fn list_of(parts: impl Iterator<Item = String>, level: usize) -> String {
    let indent = "    ".repeat(level + 1);
    let lines: String = parts.map(|part| format!("{indent}{part}\n")).collect();
    format!("(\n{lines}{})", "    ".repeat(level))
}
