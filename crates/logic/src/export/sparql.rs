use super::fold::fold;
use super::term::{query_iri as iri, text, value};
use crate::syntax::NameResolver;
use pellucid_data::Datatype;
use pellucid_data::INDIVIDUAL;
use pellucid_program::{Expr, Op, Quantifier, Role, Value};

/// Returns a SPARQL 1.1 query for the instances of an expression under the closed-world assumption.
///
/// The graph must contain the inferences of the ontology: membership is queried as `?x a <C>`. An
/// individual is anything with a type outside the vocabularies of OWL, RDFS and RDF. If the
/// expression requires a class, its instances are used instead.
///
/// Cardinalities are counted in subqueries next to the pattern, not inside `EXISTS`, where engines
/// disagree about the scope of variables. Literals are counted as terms there, so `1` and `1.0` are
/// two. Language tags are ignored.
#[must_use]
pub fn sparql(expr: &Expr, names: &dyn NameResolver) -> String {
    let mut query = Query { names, variables: 0 };
    let expr = fold(expr);
    let conjuncts = match &expr {
        Expr::And(operands) => operands.as_slice(),
        other => std::slice::from_ref(other),
    };
    let mut lines = Vec::new();
    let classes = conjuncts.iter().filter_map(|conjunct| match conjunct {
        Expr::Is(class) => Some(format!("  ?x a {} .", iri(class))),
        _ => None,
    });
    lines.extend(classes);
    if lines.is_empty() {
        lines.push(INDIVIDUALS.to_owned());
    }
    for conjunct in conjuncts {
        if matches!(conjunct, Expr::Is(_) | Expr::Constant(true)) {
            continue;
        }
        let mut counts = Vec::new();
        let condition = query.class(conjunct, "?x", &mut counts);
        lines.extend(counts.iter().map(|count| format!("  {count}")));
        lines.push(format!("  FILTER ({condition})"));
    }
    format!("{HEADER}SELECT DISTINCT ?x WHERE {{\n{}\n}}\n", lines.join("\n"))
}

const HEADER: &str = "\
# Closed-world query: the graph must contain the inferences of the ontology.
PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
";

const INDIVIDUALS: &str = r##"  # An individual has a type outside the vocabularies of OWL, RDFS and RDF.
  ?x a ?type .
  FILTER (?type IN (owl:Thing, owl:NamedIndividual)
    || !(STRSTARTS(STR(?type), "http://www.w3.org/2002/07/owl#")
    || STRSTARTS(STR(?type), "http://www.w3.org/2000/01/rdf-schema#")
    || STRSTARTS(STR(?type), "http://www.w3.org/1999/02/22-rdf-syntax-ns#")))"##;

struct Query<'n> {
    names: &'n dyn NameResolver,
    /// The number of variables so far.
    variables: usize,
}

impl Query<'_> {
    /// Returns a condition on a variable. The subqueries it needs are added to `counts`.
    fn class(&mut self, expr: &Expr, of: &str, counts: &mut Vec<String>) -> String {
        match expr {
            Expr::Constant(value) => value.to_string(),
            Expr::Is(class) => format!("EXISTS {{ {of} a {} }}", iri(class)),
            Expr::Compare(column, op, one) if column == INDIVIDUAL => {
                let sign = if *op == Op::NotEqual { "NOT IN" } else { "IN" };
                format!("{of} {sign} ({})", individuals(std::slice::from_ref(one)))
            }
            Expr::OneOf(column, values) if column == INDIVIDUAL => {
                format!("{of} IN ({})", individuals(values))
            }
            Expr::Not(operand) => format!("!({})", self.class(operand, of, counts)),
            Expr::And(operands) => joined(operands, " && ", |part| self.class(part, of, counts)),
            Expr::Or(operands) => joined(operands, " || ", |part| self.class(part, of, counts)),
            Expr::Related(quantifier, role, filler) => match quantifier {
                Quantifier::Some | Quantifier::Min(1) => self.exists(role, filler, of),
                Quantifier::Only => {
                    let others = fold(&Expr::Not(filler.clone()));
                    format!("!{}", self.exists(role, &others, of))
                }
                Quantifier::Max(0) | Quantifier::Exactly(0) => {
                    format!("!{}", self.exists(role, filler, of))
                }
                Quantifier::Min(count) => self.count(role, filler, of, ">=", *count, counts),
                Quantifier::Max(count) => self.count(role, filler, of, "<=", *count, counts),
                Quantifier::Exactly(count) => self.count(role, filler, of, "=", *count, counts),
            },
            // Not a class expression: it has no instances.
            Expr::Compare(..) | Expr::OneOf(..) | Expr::Within(..) | Expr::Contains(..) => {
                "false".to_owned()
            }
        }
    }

    /// Returns the condition that some filler satisfies an expression.
    fn exists(&mut self, role: &Role, filler: &Expr, of: &str) -> String {
        let other = self.variable("y");
        format!("EXISTS {{ {} }}", self.fillers(role, filler, of, &other))
    }

    /// Returns the condition that compares the number of fillers with a number.
    fn count(
        &mut self,
        role: &Role,
        filler: &Expr,
        of: &str,
        sign: &str,
        than: u32,
        counts: &mut Vec<String>,
    ) -> String {
        let (other, number) = (self.variable("y"), self.variable("n"));
        let pattern = self.fillers(role, filler, of, &other);
        counts.push(format!(
            "OPTIONAL {{ SELECT {of} (COUNT(DISTINCT {other}) AS {number}) \
             WHERE {{ {pattern} }} GROUP BY {of} }}"
        ));
        format!("COALESCE({number}, 0) {sign} {than}")
    }

    fn variable(&mut self, letter: &str) -> String {
        self.variables += 1;
        format!("?{letter}{}", self.variables)
    }

    /// Returns the pattern of the fillers that satisfy a condition.
    fn fillers(&mut self, role: &Role, filler: &Expr, of: &str, other: &str) -> String {
        let property = iri(&role.name);
        let (subject, object) = if role.inverse { (other, of) } else { (of, other) };
        let mut pattern = format!("{subject} {property} {object} .");
        if *filler == Expr::Constant(true) {
            return pattern;
        }
        let mut counts = Vec::new();
        let condition = if self.names.leads_to_values(&role.name) {
            value_condition(filler, self.names.datatype(&role.name), other)
        } else {
            self.class(filler, other, &mut counts)
        };
        for count in counts {
            pattern += &format!(" {count}");
        }
        pattern + &format!(" FILTER ({condition})")
    }
}

fn joined(operands: &[Expr], between: &str, part: impl FnMut(&Expr) -> String) -> String {
    let parts: Vec<String> = operands.iter().map(part).collect();
    format!("({})", parts.join(between))
}

/// Returns a condition on a value.
fn value_condition(expr: &Expr, datatype: Option<Datatype>, of: &str) -> String {
    let texts = matches!(datatype, Some(Datatype::Text));
    let this = if texts { format!("STR({of})") } else { of.to_owned() };
    match expr {
        Expr::Constant(value) => value.to_string(),
        Expr::Compare(_, op, one) => {
            format!("{this} {} {}", op.symbol(), value(one, datatype))
        }
        // Not `IN`, because some engines compare the lexical forms of numbers there.
        Expr::OneOf(_, values) => {
            let equal = |one: &Value| format!("{this} = {}", value(one, datatype));
            format!("({})", values.iter().map(equal).collect::<Vec<_>>().join(" || "))
        }
        Expr::Within(_, interval) => {
            let low = if interval.low.closed { ">=" } else { ">" };
            let high = if interval.high.closed { "<=" } else { "<" };
            format!(
                "({this} {low} {} && {this} {high} {})",
                value(&Value::Number(interval.low.value), datatype),
                value(&Value::Number(interval.high.value), datatype)
            )
        }
        Expr::Contains(_, part) => format!("CONTAINS(STR({of}), {})", text(part)),
        Expr::Not(operand) => format!("!({})", value_condition(operand, datatype, of)),
        Expr::And(operands) => joined(operands, " && ", |part| value_condition(part, datatype, of)),
        Expr::Or(operands) => joined(operands, " || ", |part| value_condition(part, datatype, of)),
        Expr::Is(_) | Expr::Related(..) => "false".to_owned(),
    }
}

/// Lists individuals by IRI. Blank nodes cannot be queried.
fn individuals(values: &[Value]) -> String {
    let named = values.iter().filter_map(|value| match value {
        Value::Text(name) if !name.starts_with("_:") => Some(iri(name)),
        _ => None,
    });
    named.collect::<Vec<_>>().join(", ")
}
