use super::is_reserved;
use crate::syntax::cursor::{Cursor, constant};
use crate::syntax::facets::{between, one_of};
use crate::syntax::literal::{self, Range, comparable, range};
use crate::syntax::token::{Style, Token};
use crate::syntax::{NameResolver, Sort, SyntaxError};
use pellucid_data::Datatype;
use pellucid_data::INDIVIDUAL;
use pellucid_program::{Edge, Expr, Interval, Op, Quantifier, Role, Value};

/// Parses a class expression in DL syntax.
///
/// # Errors
/// If the text is not an expression, or has an unknown name.
pub fn parse(text: &str, names: &dyn NameResolver) -> Result<Expr, SyntaxError> {
    let mut parser = Parser { at: Cursor::new(text, Style::Dl, names)? };
    let expr = parser.joined(None)?;
    parser.at.finish(expr, "'⊓', '⊔' or the end")
}

struct Parser<'n> {
    at: Cursor<'n>,
}

/// The data property whose values are constrained; `None` for individuals.
type Values<'a> = Option<(&'a str, Datatype)>;

/// The tokens that can start an expression.
const EXPRESSION_START: &str = "a class, '¬', '∃', '∀', '≥', '≤', '=', '{' or '('";

impl Parser<'_> {
    /// Consumes a symbol or the corresponding keyword.
    fn sign(&mut self, symbol: &str, word: &str) -> bool {
        self.at.symbol(symbol) || self.at.keyword(word)
    }

    fn joined(&mut self, values: Values<'_>) -> Result<Expr, SyntaxError> {
        let mut either = Vec::new();
        loop {
            let mut all = vec![self.unary(values)?];
            while self.sign("⊓", "and") {
                all.push(self.unary(values)?);
            }
            either.push(Expr::and(all));
            if !self.sign("⊔", "or") {
                return Ok(Expr::or(either));
            }
        }
    }

    fn unary(&mut self, values: Values<'_>) -> Result<Expr, SyntaxError> {
        self.at.enter()?;
        let expr = if self.sign("¬", "not") {
            Expr::Not(Box::new(self.unary(values)?))
        } else if let Some(value) = self.at.peek().and_then(constant) {
            self.at.skip();
            Expr::Constant(value)
        } else if self.at.at_symbol("(") && !(values.is_some() && self.value_ahead(1)) {
            self.at.skip();
            let inner = self.joined(values)?;
            self.at.close(")")?;
            inner
        } else {
            match values {
                None => self.individuals()?,
                Some((property, datatype)) => self.condition(property, datatype)?,
            }
        };
        self.at.leave();
        Ok(expr)
    }

    /// Parses a class, a nominal or a restriction.
    fn individuals(&mut self) -> Result<Expr, SyntaxError> {
        if self.at.symbol("{") {
            let mut individuals = Vec::new();
            loop {
                let (_, iri) = self.at.name(&[Sort::Individual])?;
                individuals.push(Value::Text(iri));
                if !self.at.symbol(",") && !self.at.symbol("⊔") {
                    break;
                }
            }
            self.at.close("}")?;
            return Ok(one_of(INDIVIDUAL, individuals));
        }
        if self.sign("∃", "exists") {
            return self.restriction(Quantifier::Some);
        }
        if self.sign("∀", "forall") {
            return self.restriction(Quantifier::Only);
        }
        if self.at.symbol("≥") {
            let count = self.at.count()?;
            return self.restriction(Quantifier::Min(count));
        }
        if self.at.symbol("≤") {
            let count = self.at.count()?;
            return self.restriction(Quantifier::Max(count));
        }
        if self.at.symbol("=") {
            let count = self.at.count()?;
            return self.restriction(Quantifier::Exactly(count));
        }
        match self.at.peek() {
            Some(Token::Word(word)) if is_reserved(word) && !self.at.knows_next() => {
                Err(self.at.expected(EXPRESSION_START))
            }
            Some(Token::Word(_) | Token::Quoted(_) | Token::Iri(_)) => {
                self.at.name(&[Sort::Class]).map(|(_, class)| Expr::Is(class))
            }
            _ => Err(self.at.expected(EXPRESSION_START)),
        }
    }

    fn restriction(&mut self, quantifier: Quantifier) -> Result<Expr, SyntaxError> {
        let position = self.at.position();
        let (sort, name) = self.at.name(&[Sort::Role, Sort::Property])?;
        let inverse = self.at.symbol("⁻");
        if inverse && sort == Sort::Property {
            self.at.return_to(position);
            // This reports that there is no object property of this name.
            self.at.name(&[Sort::Role])?;
        }
        let datatype = match sort {
            Sort::Property => Some(self.at.names.datatype(&name).unwrap_or(Datatype::Text)),
            _ => None,
        };
        let counted = !matches!(quantifier, Quantifier::Some | Quantifier::Only);
        let filler = if self.at.symbol(".") {
            self.unary(datatype.map(|datatype| (name.as_str(), datatype)))?
        } else if counted {
            Expr::Constant(true)
        } else {
            return Err(self.at.expected("'.' and a filler"));
        };
        Ok(Expr::Related(quantifier, Role { name, inverse }, Box::new(filler)))
    }

    /// Whether the token `ahead` positions after the next one is a value.
    fn value_ahead(&self, ahead: usize) -> bool {
        matches!(self.at.ahead(ahead), Some(Token::Number(_) | Token::Text(_) | Token::Symbol("∞")))
    }

    /// Parses a condition on one value.
    fn condition(&mut self, property: &str, datatype: Datatype) -> Result<Expr, SyntaxError> {
        if self.at.symbol("{") {
            let mut values = vec![self.at.value(datatype)?];
            while self.at.symbol(",") || self.at.symbol("⊔") {
                values.push(self.at.value(datatype)?);
            }
            self.at.close("}")?;
            return Ok(one_of(property, values));
        }
        if let Some(op) = self.comparison(datatype) {
            return Ok(Expr::Compare(property.to_owned(), op, self.at.value(datatype)?));
        }
        if datatype == Datatype::Text && self.sign("⊇", "contains") {
            let Value::Text(text) = self.at.value(datatype)? else {
                return Err(self.at.expected("a text in double quotes"));
            };
            return Ok(Expr::Contains(property.to_owned(), text));
        }
        if is_ordered(datatype) && (self.at.at_symbol("[") || self.at.at_symbol("(")) {
            return self.interval(property, datatype);
        }
        let named = match self.at.peek() {
            Some(Token::Word(name) | Token::Iri(name)) => range(name),
            _ => None,
        };
        match named {
            Some(Range::Any) => self.at.skip(),
            Some(Range::Of(named)) if comparable(named, datatype) => {
                self.at.skip();
                return self.facets(property, datatype);
            }
            _ => return Err(self.at.expected(&expected_condition(datatype))),
        }
        Ok(Expr::Constant(true))
    }

    /// Consumes a comparison operator that is valid for the datatype.
    fn comparison(&mut self, datatype: Datatype) -> Option<Op> {
        const SIGNS: [(&str, Op); 6] = [
            ("=", Op::Equal),
            ("≠", Op::NotEqual),
            ("<", Op::Less),
            ("≤", Op::LessEqual),
            (">", Op::Greater),
            ("≥", Op::GreaterEqual),
        ];
        let operators = if is_ordered(datatype) { &SIGNS[..] } else { &SIGNS[..2] };
        operators.iter().find(|(sign, _)| self.at.symbol(sign)).map(|&(_, op)| op)
    }

    fn interval(&mut self, property: &str, datatype: Datatype) -> Result<Expr, SyntaxError> {
        let low_closed = self.at.at_symbol("[");
        self.at.skip();
        let low = Edge { value: self.number(datatype)?, closed: low_closed };
        self.at.close(",")?;
        let value = self.number(datatype)?;
        let closed = self.at.symbol("]");
        if !closed && !self.at.symbol(")") {
            return Err(self.at.expected("']' or ')'"));
        }
        let interval = Interval { low, high: Edge { value, closed } };
        Ok(Expr::Within(property.to_owned(), interval))
    }

    fn number(&mut self, datatype: Datatype) -> Result<f64, SyntaxError> {
        match self.at.value(datatype)? {
            Value::Number(number) => Ok(number),
            Value::Text(_) => Err(self.at.expected("a number")),
        }
    }

    /// Parses the facets after a datatype, as in `double[≥ 0.1]`.
    fn facets(&mut self, property: &str, datatype: Datatype) -> Result<Expr, SyntaxError> {
        if !self.at.symbol("[") {
            return Ok(Expr::Constant(true));
        }
        let mut facets = Vec::new();
        loop {
            let Some(op) = self.comparison(datatype) else {
                return Err(self.at.expected(&expected_condition(datatype)));
            };
            facets.push(Expr::Compare(property.to_owned(), op, self.at.value(datatype)?));
            if !self.at.symbol(",") {
                break;
            }
        }
        self.at.close("]")?;
        Ok(between(facets))
    }
}

fn is_ordered(datatype: Datatype) -> bool {
    !matches!(datatype, Datatype::Text | Datatype::Boolean)
}

/// The conditions that are valid for a datatype.
fn expected_condition(datatype: Datatype) -> String {
    let (kinds, one) = literal::example(datatype);
    match datatype {
        Datatype::Text => format!("a condition on {kinds} such as '= {one}' or '⊇ {one}'"),
        Datatype::Boolean => format!("a condition on {kinds} such as '= {one}'"),
        Datatype::Date => "a condition on dates such as '≥ \"2020-01-31\"'".to_owned(),
        _ => format!("a condition on {kinds} such as '≥ {one}', '[1, {one})' or '{{1, {one}}}'"),
    }
}
