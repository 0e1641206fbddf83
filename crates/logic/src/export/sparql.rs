use super::term::{iri, text, value};
use crate::syntax::Names;
use pellucid_engine::data::Datatype;
use pellucid_engine::world::INDIVIDUAL;
use pellucid_engine::{Expr, Op, Quantifier, Role, Value};

/// A SPARQL 1.1 query for the individuals that an expression holds for, under the closed world.
///
/// The graph must hold what follows from the ontology, not only what it says: membership is asked as `?x a <C>`. An individual
/// is whatever has a type that is not OWL's own; where a class is asked of `?x` anyway, its members are.
///
/// Cardinalities are subqueries that count; they give the same answer whether an engine passes `?x` into them or joins them
/// on it. Literals are told apart as terms there, so `1` and `1.0` count as two. A language makes no difference to a text.
#[must_use]
pub fn sparql(expr: &Expr, names: &dyn Names) -> String {
    let mut query = Query { names, variables: 0 };
    let conjuncts = match expr {
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
        if !matches!(conjunct, Expr::Is(_)) {
            lines.push(format!("  FILTER ({})", query.class(conjunct, "?x")));
        }
    }
    format!("{HEADER}SELECT DISTINCT ?x WHERE {{\n{}\n}}\n", lines.join("\n"))
}

const HEADER: &str = "\
# Closed world: what the graph does not say is not so. It must hold what follows from the ontology as well.
PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
";

const INDIVIDUALS: &str = r##"  # An individual has a type that is not OWL's own.
  ?x a ?type .
  FILTER (?type IN (owl:Thing, owl:NamedIndividual) || !(STRSTARTS(STR(?type), "http://www.w3.org/2002/07/owl#")
    || STRSTARTS(STR(?type), "http://www.w3.org/2000/01/rdf-schema#")
    || STRSTARTS(STR(?type), "http://www.w3.org/1999/02/22-rdf-syntax-ns#")))"##;

struct Query<'n> {
    names: &'n dyn Names,
    /// How many variables were made.
    variables: usize,
}

impl Query<'_> {
    /// A condition on what a variable is bound to.
    fn class(&mut self, expr: &Expr, of: &str) -> String {
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
            Expr::Not(operand) => format!("!({})", self.class(operand, of)),
            Expr::And(operands) => {
                self.joined(operands, " && ", |query, part| query.class(part, of))
            }
            Expr::Or(operands) => {
                self.joined(operands, " || ", |query, part| query.class(part, of))
            }
            Expr::Related(quantifier, role, filler) => {
                self.restriction(*quantifier, role, filler, of)
            }
            // No class expression; nothing is such.
            Expr::Compare(..) | Expr::OneOf(..) | Expr::Within(..) | Expr::Contains(..) => {
                "false".to_owned()
            }
        }
    }

    fn joined(
        &mut self,
        operands: &[Expr],
        between: &str,
        mut part: impl FnMut(&mut Self, &Expr) -> String,
    ) -> String {
        let parts: Vec<String> = operands.iter().map(|operand| part(self, operand)).collect();
        format!("({})", parts.join(between))
    }

    fn restriction(
        &mut self,
        quantifier: Quantifier,
        role: &Role,
        filler: &Expr,
        of: &str,
    ) -> String {
        let at_least = |query: &mut Self, count: u64| query.at_least(count, role, filler, of);
        match quantifier {
            Quantifier::Some => at_least(self, 1),
            Quantifier::Only => {
                let others = Expr::Not(Box::new(filler.clone()));
                format!("!{}", self.at_least(1, role, &others, of))
            }
            Quantifier::Min(count) => at_least(self, count.into()),
            Quantifier::Max(count) => format!("!{}", at_least(self, u64::from(count) + 1)),
            Quantifier::Exactly(0) => format!("!{}", at_least(self, 1)),
            Quantifier::Exactly(count) => {
                let enough = at_least(self, count.into());
                format!("({enough} && !{})", at_least(self, u64::from(count) + 1))
            }
        }
    }

    /// That so many fillers satisfy the condition.
    fn at_least(&mut self, count: u64, role: &Role, filler: &Expr, of: &str) -> String {
        if count == 0 {
            return "true".to_owned();
        }
        self.variables += 1;
        let other = format!("?y{}", self.variables);
        let condition = if self.names.leads_to_values(&role.name) {
            self.value(filler, self.names.datatype(&role.name), &other)
        } else {
            self.class(filler, &other)
        };
        let property = iri(&role.name);
        let (subject, object) = if role.inverse { (&*other, of) } else { (of, &*other) };
        let filter = if *filler == Expr::Constant(true) {
            String::new()
        } else {
            format!(" FILTER ({condition})")
        };
        let pattern = format!("{subject} {property} {object} .{filter}");
        if count == 1 {
            return format!("EXISTS {{ {pattern} }}");
        }
        format!(
            "EXISTS {{ SELECT {of} WHERE {{ {pattern} }} GROUP BY {of} HAVING (COUNT(DISTINCT {other}) >= {count}) }}"
        )
    }

    /// A condition on a value.
    fn value(&mut self, expr: &Expr, datatype: Option<Datatype>, of: &str) -> String {
        let texts = matches!(datatype, Some(Datatype::Text));
        let this = if texts { format!("STR({of})") } else { of.to_owned() };
        let list = |values: &[Value]| {
            let values: Vec<String> = values.iter().map(|one| value(one, datatype)).collect();
            values.join(", ")
        };
        match expr {
            Expr::Constant(value) => value.to_string(),
            Expr::Compare(_, op, one) => {
                format!("{this} {} {}", op.symbol(), value(one, datatype))
            }
            Expr::OneOf(_, values) => format!("{this} IN ({})", list(values)),
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
            Expr::Not(operand) => format!("!({})", self.value(operand, datatype, of)),
            Expr::And(operands) => {
                self.joined(operands, " && ", |query, part| query.value(part, datatype, of))
            }
            Expr::Or(operands) => {
                self.joined(operands, " || ", |query, part| query.value(part, datatype, of))
            }
            Expr::Is(_) | Expr::Related(..) => "false".to_owned(),
        }
    }
}

/// Individuals by their IRIs. One without an IRI cannot be asked for.
fn individuals(values: &[Value]) -> String {
    let named = values.iter().filter_map(|value| match value {
        Value::Text(name) if !name.starts_with("_:") => Some(iri(name)),
        _ => None,
    });
    named.collect::<Vec<_>>().join(", ")
}
