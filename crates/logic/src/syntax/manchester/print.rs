use super::is_reserved;
use crate::syntax::token::{Style, quote};
use crate::syntax::{NameResolver, Sort, literal, pattern, quoting};
use pellucid_data::Datatype;
use pellucid_data::INDIVIDUAL;
use pellucid_program::{Expr, Op, Quantifier, Role, Value};

/// Formats a class expression in Manchester syntax.
///
/// Parsing the result gives an equivalent expression (see [`normal`](crate::syntax::normal)).
/// Expressions that are not class expressions, such as a bare condition on values, are printed in
/// the format of `Expr`.
#[must_use]
pub fn print(expr: &Expr, names: &dyn NameResolver) -> String {
    let mut printer = Printer { names, out: String::new() };
    printer.class(expr);
    printer.out
}

/// Formats the filler of a role.
pub(crate) fn filler(expr: &Expr, role: &Role, names: &dyn NameResolver) -> String {
    let mut printer = Printer { names, out: String::new() };
    if names.leads_to_values(&role.name) {
        printer.range(expr, &role.name);
    } else {
        printer.class(expr);
    }
    printer.out
}

/// Formats a value of a data property.
pub(crate) fn value(value: &Value, property: &str, names: &dyn NameResolver) -> String {
    literal::manchester(value, names.datatype(property))
}

struct Printer<'n> {
    names: &'n dyn NameResolver,
    out: String,
}

impl Printer<'_> {
    fn class(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(value) => {
                self.out += if *value { "owl:Thing" } else { "owl:Nothing" };
            }
            Expr::Is(class) => self.name(Sort::Class, class),
            Expr::Compare(column, Op::Equal, value) if column == INDIVIDUAL => {
                self.nominal(std::slice::from_ref(value));
            }
            Expr::Compare(column, Op::NotEqual, value) if column == INDIVIDUAL => {
                self.out += "not ";
                self.nominal(std::slice::from_ref(value));
            }
            Expr::OneOf(column, values) if column == INDIVIDUAL => self.nominal(values),
            Expr::Not(operand) => {
                self.out += "not ";
                let bare = match &**operand {
                    Expr::Constant(_) | Expr::Is(_) | Expr::OneOf(..) => true,
                    Expr::Compare(_, op, _) => *op == Op::Equal,
                    _ => false,
                };
                self.bracketed(!bare, |printer| printer.class(operand));
            }
            Expr::And(operands) => self.joined(operands, " and ", Printer::class),
            Expr::Or(operands) => self.joined(operands, " or ", Printer::class),
            Expr::Related(quantifier, role, filler) => self.related(*quantifier, role, filler),
            Expr::Compare(..) | Expr::Within(..) | Expr::OneOf(..) | Expr::Contains(..) => {
                self.out += &expr.to_string();
            }
        }
    }

    fn related(&mut self, quantifier: Quantifier, role: &Role, filler: &Expr) {
        let values = self.names.leads_to_values(&role.name);
        if role.inverse {
            self.out += "inverse ";
        }
        self.name(if values { Sort::Property } else { Sort::Role }, &role.name);
        if quantifier == Quantifier::Some
            && let Expr::Compare(column, Op::Equal, value) = filler
            && (values || column == INDIVIDUAL)
        {
            self.out += " value ";
            if values {
                self.literal(&role.name, value)
            } else {
                self.individual(value)
            }
            return;
        }
        self.out += &format!(" {quantifier} ");
        let bare = match filler {
            Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Related(..) => false,
            Expr::Compare(_, op, _) => *op != Op::NotEqual,
            _ => true,
        };
        if values {
            self.bracketed(!bare, |printer| printer.range(filler, &role.name));
        } else {
            self.bracketed(!bare, |printer| printer.class(filler));
        }
    }

    /// Prints a condition on one value of a data property.
    fn range(&mut self, expr: &Expr, property: &str) {
        let datatype = self.names.datatype(property);
        match expr {
            Expr::Constant(value) => {
                self.out += if *value { "rdfs:Literal" } else { "not rdfs:Literal" };
            }
            Expr::Compare(_, Op::Equal, value) => {
                self.values(property, std::slice::from_ref(value));
            }
            Expr::Compare(_, Op::NotEqual, value) => {
                self.out += "not ";
                self.values(property, std::slice::from_ref(value));
            }
            Expr::OneOf(_, values) => self.values(property, values),
            Expr::Compare(_, op, value) => {
                let ends = if let Value::Number(number) = value { vec![*number] } else { vec![] };
                self.out += literal::range_name(datatype, &ends);
                self.out += &format!("[{} ", op.symbol());
                self.literal(property, value);
                self.out.push(']');
            }
            Expr::Within(_, interval) => {
                let (low, high) = (interval.low, interval.high);
                let sign =
                    |closed, open: &str| if closed { format!("{open}=") } else { open.into() };
                self.out += literal::range_name(datatype, &[low.value, high.value]);
                self.out += &format!("[{} ", sign(low.closed, ">"));
                self.literal(property, &Value::Number(low.value));
                self.out += &format!(", {} ", sign(high.closed, "<"));
                self.literal(property, &Value::Number(high.value));
                self.out.push(']');
            }
            Expr::Contains(_, text) => {
                self.out += "xsd:string[pattern ";
                self.out += &quote(&pattern::containing(text), '"');
                self.out.push(']');
            }
            Expr::Not(operand) => {
                self.out += "not ";
                let bare = matches!(
                    **operand,
                    Expr::Constant(true) | Expr::OneOf(..) | Expr::Within(..) | Expr::Contains(..)
                ) || matches!(&**operand, Expr::Compare(_, op, _) if *op != Op::NotEqual);
                self.bracketed(!bare, |printer| printer.range(operand, property));
            }
            Expr::And(operands) => {
                self.joined(operands, " and ", |printer, operand| printer.range(operand, property));
            }
            Expr::Or(operands) => {
                self.joined(operands, " or ", |printer, operand| printer.range(operand, property));
            }
            Expr::Is(_) | Expr::Related(..) => self.class(expr),
        }
    }

    /// Prints joined operands. Nested `and` and `or` are bracketed for clarity.
    fn joined(&mut self, operands: &[Expr], between: &str, mut part: impl FnMut(&mut Self, &Expr)) {
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.out += between;
            }
            let brackets = matches!(operand, Expr::And(_) | Expr::Or(_));
            self.bracketed(brackets, |printer| part(printer, operand));
        }
    }

    fn bracketed(&mut self, brackets: bool, inside: impl FnOnce(&mut Self)) {
        if brackets {
            self.out.push('(');
        }
        inside(self);
        if brackets {
            self.out.push(')');
        }
    }

    fn nominal(&mut self, individuals: &[Value]) {
        self.set(individuals, |printer, individual| printer.individual(individual));
    }

    fn values(&mut self, property: &str, values: &[Value]) {
        self.set(values, |printer, value| printer.literal(property, value));
    }

    fn set(&mut self, values: &[Value], mut part: impl FnMut(&mut Self, &Value)) {
        // There is no syntax for an empty set.
        if values.is_empty() {
            self.out += "owl:Nothing";
            return;
        }
        self.out.push('{');
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.out += ", ";
            }
            part(self, value);
        }
        self.out.push('}');
    }

    fn literal(&mut self, property: &str, value: &Value) {
        let datatype: Option<Datatype> = self.names.datatype(property);
        self.out += &literal::manchester(value, datatype);
    }

    fn individual(&mut self, value: &Value) {
        match value {
            Value::Text(iri) => self.name(Sort::Individual, iri),
            Value::Number(number) => self.out += &number.to_string(),
        }
    }

    fn name(&mut self, sort: Sort, iri: &str) {
        self.out += &quoting::name(self.names, sort, iri, Style::Manchester, is_reserved);
    }
}
