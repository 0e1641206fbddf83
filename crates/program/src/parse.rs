//! Parser for expressions.
//!
//! ```text
//! or      = and { "or" and }
//! and     = unary { "and" unary }
//! unary   = "not" unary | "(" or ")" | "true" | "false" | related | column
//! related = ("some" | "only" | ("min" | "max" | "exactly") number) ["inverse"] role "(" or ")"
//!           (no space is needed before the bracket)
//! column  = name [ op value | "contains" text | "in" ("[" | "(") number "," number ("]" | ")")
//!                | "in" "{" value { "," value } "}" ]
//!         | number op name [ op number ]   (both operators point the same way: 3 < x <= 5, 5 >= x > 3)
//! ```

use super::expr::{Edge, Expr, Interval, MAX_DEPTH, Op, Quantifier, Role, Value};
use super::token::{Token, derived, is_reserved, tokens};
use std::str::FromStr;
use thiserror::Error;

/// The reason why a text is not an expression: the position, what was found and what was expected.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("column {column}: {reason}")]
pub struct ParseError {
    /// The position in the text in characters, counted from 1.
    pub column: usize,
    /// The reason.
    pub reason: String,
}

impl FromStr for Expr {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Expr, ParseError> {
        let tokens = tokens(text).map_err(|(column, reason)| ParseError { column, reason })?;
        let end = text.trim_end().chars().count() + 1;
        let mut parser = Parser { tokens, next: 0, depth: 0, end };
        let expr = parser.or()?;
        if parser.peek().is_some() {
            Err(parser.expected("'and', 'or' or the end"))
        } else {
            Ok(expr)
        }
    }
}

/// The quantifiers that are followed by a number.
const COUNT_QUANTIFIERS: [(&str, CountQuantifier); 3] =
    [("min", Quantifier::Min), ("max", Quantifier::Max), ("exactly", Quantifier::Exactly)];
type CountQuantifier = fn(u32) -> Quantifier;

/// The operators between a number and a column, ascending ones first.
const ORDERS: [Op; 4] = [Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual];

fn is_closed(op: Op) -> bool {
    matches!(op, Op::LessEqual | Op::GreaterEqual)
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: usize,
    end: usize,
}

impl Parser {
    fn or(&mut self) -> Result<Expr, ParseError> {
        let mut operands = vec![self.and()?];
        while self.keyword("or") {
            operands.push(self.and()?);
        }
        Ok(Expr::or(operands))
    }

    fn and(&mut self) -> Result<Expr, ParseError> {
        let mut operands = vec![self.unary()?];
        while self.keyword("and") {
            operands.push(self.unary()?);
        }
        Ok(Expr::and(operands))
    }

    fn unary(&mut self) -> Result<Expr, ParseError> {
        // All nesting passes through here, so this check bounds the stack.
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!(
                "found more than {MAX_DEPTH} nested levels; expected at most {MAX_DEPTH}"
            )));
        }
        let expr = if self.keyword("not") {
            Expr::Not(Box::new(self.unary()?))
        } else if self.symbol("(") {
            let inner = self.or()?;
            self.close(")")?;
            inner
        } else if self.keyword("true") {
            Expr::Constant(true)
        } else if self.keyword("false") {
            Expr::Constant(false)
        } else if let Some(quantifier) = self.quantifier()? {
            self.related(quantifier)?
        } else {
            self.column()?
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn quantifier(&mut self) -> Result<Option<Quantifier>, ParseError> {
        if self.keyword("some") {
            return Ok(Some(Quantifier::Some));
        }
        if self.keyword("only") {
            return Ok(Some(Quantifier::Only));
        }
        for (word, make) in COUNT_QUANTIFIERS {
            if self.keyword(word) {
                return self.count().map(|count| Some(make(count)));
            }
        }
        Ok(None)
    }

    fn count(&mut self) -> Result<u32, ParseError> {
        let error = self.expected("a whole number from 0 to 4294967295");
        let Some(Token::Number(number)) = self.take() else { return Err(error) };
        // The comparison below rejects numbers that are out of range or not whole.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let count = number as u32;
        if f64::from(count) == number { Ok(count) } else { Err(error) }
    }

    fn related(&mut self, quantifier: Quantifier) -> Result<Expr, ParseError> {
        let inverse = self.keyword("inverse");
        // `hasChild(Parent)` is one word, because columns can have such names. Without a filler after it, it
        // is a role and its filler.
        let tight = match self.peek() {
            Some(Token::Word(word)) => derived(word),
            _ => None,
        };
        let tight = tight.map(|(role, filler)| (role.to_owned(), filler.to_owned()));
        let name = self.name("a role")?;
        if !self.symbol("(") {
            let Some((name, filler)) = tight else { return Err(self.expected("'('")) };
            let filler = Box::new(Expr::Is(filler));
            return Ok(Expr::Related(quantifier, Role { name, inverse }, filler));
        }
        let filler = self.or()?;
        self.close(")")?;
        Ok(Expr::Related(quantifier, Role { name, inverse }, Box::new(filler)))
    }

    fn column(&mut self) -> Result<Expr, ParseError> {
        if let Some(Token::Number(_)) = self.peek() {
            return self.between();
        }
        let column = self.name("a column, 'not', 'true', 'false' or '('")?;
        if self.keyword("in") {
            return if self.symbol("{") { self.set(column) } else { self.interval(column) };
        }
        if self.keyword("contains") {
            return match self.value()? {
                Value::Text(text) => Ok(Expr::Contains(column, text)),
                Value::Number(number) => Ok(Expr::Contains(column, number.to_string())),
            };
        }
        for op in Op::ALL {
            if self.symbol(op.symbol()) {
                return Ok(Expr::Compare(column, op, self.value()?));
            }
        }
        Ok(Expr::Is(column))
    }

    fn set(&mut self, column: String) -> Result<Expr, ParseError> {
        let mut values = Vec::new();
        if !self.symbol("}") {
            values.push(self.value()?);
            while self.symbol(",") {
                values.push(self.value()?);
            }
            self.close("}")?;
        }
        Ok(Expr::OneOf(column, values))
    }

    fn interval(&mut self, column: String) -> Result<Expr, ParseError> {
        let low_closed = self.symbol("[");
        if !low_closed && !self.symbol("(") {
            return Err(self.expected("'[', '(' or '{'"));
        }
        let low = Edge { value: self.number()?, closed: low_closed };
        self.close(",")?;
        let value = self.number()?;
        let closed = self.symbol("]");
        if !closed {
            self.close(")")?;
        }
        Ok(Expr::Within(column, Interval { low, high: Edge { value, closed } }))
    }

    /// `3 < x <= 5`, or one half of it.
    fn between(&mut self) -> Result<Expr, ParseError> {
        let one = self.number()?;
        let first = self.order_operator(&ORDERS)?;
        let column = self.name("a column")?;
        // The operator is reversed, because the number comes before the column.
        let (is_below, closed) = (matches!(first, Op::Less | Op::LessEqual), is_closed(first));
        let same_way = if is_below { &ORDERS[..2] } else { &ORDERS[2..] };
        if !ORDERS.iter().any(|op| self.peek() == Some(&Token::Symbol(op.symbol()))) {
            let op = match (is_below, closed) {
                (true, false) => Op::Greater,
                (true, true) => Op::GreaterEqual,
                (false, false) => Op::Less,
                (false, true) => Op::LessEqual,
            };
            return Ok(Expr::Compare(column, op, Value::Number(one)));
        }
        let second = self.order_operator(same_way)?;
        let near = Edge { value: one, closed };
        let far = Edge { value: self.number()?, closed: is_closed(second) };
        let (low, high) = if is_below { (near, far) } else { (far, near) };
        Ok(Expr::Within(column, Interval { low, high }))
    }

    fn order_operator(&mut self, allowed: &[Op]) -> Result<Op, ParseError> {
        let found = allowed.iter().copied().find(|op| self.symbol(op.symbol()));
        let names: Vec<String> = allowed.iter().map(|op| format!("'{}'", op.symbol())).collect();
        found.ok_or_else(|| self.expected(&names.join(" or ")))
    }

    fn value(&mut self) -> Result<Value, ParseError> {
        match self.peek() {
            Some(Token::Number(_)) => self.number().map(Value::Number),
            Some(Token::Text(text)) => {
                let text = text.clone();
                self.next += 1;
                Ok(Value::Text(text))
            }
            // After an operator these two can only be categories.
            Some(Token::Word(word))
                if !is_reserved(word) || matches!(word.as_str(), "true" | "false") =>
            {
                let text = word.clone();
                self.next += 1;
                Ok(Value::Text(text))
            }
            _ => {
                Err(self.expected("a number or a category (in 'quotes' if it is not a plain word)"))
            }
        }
    }

    fn number(&mut self) -> Result<f64, ParseError> {
        match self.peek() {
            Some(Token::Number(number)) if number.is_nan() => {
                Err(self.error("cannot compare with NaN; expected a number".to_owned()))
            }
            Some(&Token::Number(number)) => {
                self.next += 1;
                Ok(number)
            }
            _ => Err(self.expected("a number")),
        }
    }

    fn name(&mut self, wanted: &str) -> Result<String, ParseError> {
        match self.peek() {
            Some(Token::Word(word)) if !is_reserved(word) => {
                let name = word.clone();
                self.next += 1;
                Ok(name)
            }
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.expected(wanted)),
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn take(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.next += 1;
        token
    }

    /// Takes a keyword, or the symbol that stands for it, if it comes next.
    fn keyword(&mut self, keyword: &str) -> bool {
        let found = match self.peek() {
            Some(Token::Word(word)) => word.eq_ignore_ascii_case(keyword),
            Some(Token::Symbol(symbol)) => *symbol == keyword,
            _ => false,
        };
        self.next += usize::from(found);
        found
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Symbol(found)) if *found == symbol);
        self.next += usize::from(found);
        found
    }

    fn close(&mut self, symbol: &str) -> Result<(), ParseError> {
        if self.symbol(symbol) { Ok(()) } else { Err(self.expected(&format!("'{symbol}'"))) }
    }

    fn expected(&self, wanted: &str) -> ParseError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), Token::describe);
        self.error(format!("found {found}; expected {wanted}"))
    }

    fn error(&self, reason: String) -> ParseError {
        let column = self.tokens.get(self.next).map_or(self.end, |(column, _)| *column);
        ParseError { column, reason }
    }
}
