use super::is_reserved;
use crate::syntax::token::{Style, quote};
use crate::syntax::{NameResolver, Sort, literal, quoting};
use pellucid_data::INDIVIDUAL;
use pellucid_program::{Expr, Op, Quantifier, Role, Value};

/// Formats a class expression in DL syntax.
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

struct Printer<'n> {
    names: &'n dyn NameResolver,
    out: String,
}

impl Printer<'_> {
    fn class(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(value) => self.out.push(if *value { '⊤' } else { '⊥' }),
            Expr::Is(class) => self.name(Sort::Class, class),
            Expr::Compare(column, op @ (Op::Equal | Op::NotEqual), value)
                if column == INDIVIDUAL =>
            {
                if *op == Op::NotEqual {
                    self.out.push('¬');
                }
                self.set(std::slice::from_ref(value), Printer::individual);
            }
            Expr::OneOf(column, values) if column == INDIVIDUAL => {
                self.set(values, Printer::individual);
            }
            Expr::Not(operand) => {
                self.out.push('¬');
                self.bracketed(!is_short(operand), |printer| printer.class(operand));
            }
            Expr::And(operands) => self.joined(operands, " ⊓ ", Printer::class),
            Expr::Or(operands) => self.joined(operands, " ⊔ ", Printer::class),
            Expr::Related(quantifier, role, filler) => self.related(*quantifier, role, filler),
            Expr::Compare(..) | Expr::Within(..) | Expr::OneOf(..) | Expr::Contains(..) => {
                self.out += &expr.to_string();
            }
        }
    }

    fn related(&mut self, quantifier: Quantifier, role: &Role, filler: &Expr) {
        match quantifier {
            Quantifier::Some => self.out += "∃ ",
            Quantifier::Only => self.out += "∀ ",
            Quantifier::Min(count) => self.out += &format!("≥ {count} "),
            Quantifier::Max(count) => self.out += &format!("≤ {count} "),
            Quantifier::Exactly(count) => self.out += &format!("= {count} "),
        }
        let values = self.names.leads_to_values(&role.name);
        self.name(if values { Sort::Property } else { Sort::Role }, &role.name);
        if role.inverse {
            self.out.push('⁻');
        }
        self.out.push('.');
        if values {
            let bare = !matches!(filler, Expr::Not(_) | Expr::And(_) | Expr::Or(_));
            self.bracketed(!bare, |printer| printer.condition(filler, &role.name));
        } else {
            self.bracketed(!is_short(filler), |printer| printer.class(filler));
        }
    }

    /// Prints a condition on one value of a data property.
    fn condition(&mut self, expr: &Expr, property: &str) {
        match expr {
            Expr::Compare(_, op, value) => {
                let sign = match op {
                    Op::GreaterEqual => "≥",
                    Op::LessEqual => "≤",
                    Op::NotEqual => "≠",
                    other => other.symbol(),
                };
                self.out += sign;
                self.out.push(' ');
                self.value(property, value);
            }
            Expr::Within(_, interval) => {
                self.out.push(if interval.low.closed { '[' } else { '(' });
                self.value(property, &Value::Number(interval.low.value));
                self.out += ", ";
                self.value(property, &Value::Number(interval.high.value));
                self.out.push(if interval.high.closed { ']' } else { ')' });
            }
            Expr::OneOf(_, values) => {
                self.set(values, |printer, value| printer.value(property, value));
            }
            Expr::Contains(_, text) => {
                self.out += "⊇ ";
                self.out += &quote(text, '"');
            }
            Expr::Not(operand) => {
                self.out.push('¬');
                self.bracketed(!is_short(operand), |printer| printer.condition(operand, property));
            }
            Expr::And(operands) => {
                self.joined(operands, " ⊓ ", |printer, part| printer.condition(part, property));
            }
            Expr::Or(operands) => {
                self.joined(operands, " ⊔ ", |printer, part| printer.condition(part, property));
            }
            Expr::Constant(_) | Expr::Is(_) | Expr::Related(..) => self.class(expr),
        }
    }

    /// Prints joined operands. Everything longer than a name is bracketed for clarity.
    fn joined(&mut self, operands: &[Expr], between: &str, mut part: impl FnMut(&mut Self, &Expr)) {
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.out += between;
            }
            let brackets = matches!(operand, Expr::And(_) | Expr::Or(_) | Expr::Related(..));
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

    fn set(&mut self, values: &[Value], mut part: impl FnMut(&mut Self, &Value)) {
        // There is no syntax for an empty set.
        if values.is_empty() {
            self.out.push('⊥');
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

    fn value(&mut self, property: &str, value: &Value) {
        self.out += &literal::dl(value, self.names.datatype(property));
    }

    fn individual(&mut self, value: &Value) {
        match value {
            Value::Text(iri) => self.name(Sort::Individual, iri),
            Value::Number(number) => self.out += &number.to_string(),
        }
    }

    fn name(&mut self, sort: Sort, iri: &str) {
        self.out += &quoting::name(self.names, sort, iri, Style::Dl, is_reserved);
    }
}

/// Whether an expression needs no brackets after an operator.
fn is_short(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Is(_) | Expr::OneOf(..) => true,
        Expr::Compare(column, op, _) => column == INDIVIDUAL && *op == Op::Equal,
        _ => false,
    }
}
