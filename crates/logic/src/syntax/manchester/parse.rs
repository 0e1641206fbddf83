use super::is_reserved;
use crate::syntax::cursor::{Cursor, constant};
use crate::syntax::facets::{between, one_of};
use crate::syntax::literal::{self, Range, comparable, range};
use crate::syntax::token::{Style, Token};
use crate::syntax::{NameResolver, Sort, SyntaxError, pattern};
use pellucid_data::Datatype;
use pellucid_data::INDIVIDUAL;
use pellucid_program::{Expr, Op, Quantifier, Role, Value};

/// Parses a class expression in Manchester syntax.
///
/// # Errors
/// If the text is not an expression, or has an unknown name.
pub fn parse(text: &str, names: &dyn NameResolver) -> Result<Expr, SyntaxError> {
    let mut parser = Parser { at: Cursor::new(text, Style::Manchester, names)? };
    let expr = parser.joined(None)?;
    parser.at.finish(expr, "'and', 'or' or the end")
}

struct Parser<'n> {
    at: Cursor<'n>,
}

/// The data property whose values are constrained; `None` for individuals.
type Values<'a> = Option<(&'a str, Datatype)>;

impl Parser<'_> {
    /// Parses operands joined by `or`, whose operands are joined by `and`.
    fn joined(&mut self, values: Values<'_>) -> Result<Expr, SyntaxError> {
        let mut either = Vec::new();
        loop {
            let mut all = vec![self.primary(values)?];
            while self.at.keyword("and") || self.at.keyword("that") {
                all.push(self.primary(values)?);
            }
            either.push(Expr::and(all));
            if !self.at.keyword("or") {
                return Ok(Expr::or(either));
            }
        }
    }

    fn primary(&mut self, values: Values<'_>) -> Result<Expr, SyntaxError> {
        self.at.enter()?;
        let expr = if self.at.keyword("not") {
            Expr::Not(Box::new(self.primary(values)?))
        } else if self.at.symbol("(") {
            let inner = self.joined(values)?;
            self.at.close(")")?;
            inner
        } else if let Some(value) = self.at.peek().and_then(constant) {
            self.at.skip();
            Expr::Constant(value)
        } else {
            match values {
                None => self.individuals()?,
                Some((property, datatype)) => self.range(property, datatype)?,
            }
        };
        self.at.leave();
        Ok(expr)
    }

    /// Parses a class, a nominal or a restriction.
    fn individuals(&mut self) -> Result<Expr, SyntaxError> {
        if self.at.symbol("{") {
            return self.nominal();
        }
        if self.at.keyword("inverse") {
            let inner = self.at.symbol("(");
            let (_, name) = self.at.name(&[Sort::Role])?;
            if inner {
                self.at.close(")")?;
            }
            return self.restriction(Role { name, inverse: true }, None);
        }
        match self.at.peek() {
            // A misplaced keyword, unless an entity has this name.
            Some(Token::Word(word)) if is_reserved(word) && !self.at.knows_next() => {
                Err(self.at.expected("a class, a property, 'not', '{' or '('"))
            }
            Some(Token::Word(_) | Token::Quoted(_) | Token::Iri(_)) => {
                if self.restricts(1) {
                    self.named_restriction()
                } else {
                    self.class()
                }
            }
            _ => Err(self.at.expected("a class, a property, 'not', '{' or '('")),
        }
    }

    /// Whether the token `ahead` positions after the next one is a restriction keyword.
    #[inline(never)]
    fn restricts(&self, ahead: usize) -> bool {
        const WORDS: [&str; 7] = ["some", "only", "min", "max", "exactly", "value", "self"];
        let is = |word: &str| WORDS.iter().any(|known| known.eq_ignore_ascii_case(word));
        matches!(self.at.ahead(ahead), Some(Token::Word(word)) if is(word))
    }

    #[inline(never)]
    fn class(&mut self) -> Result<Expr, SyntaxError> {
        let position = self.at.position();
        if let Ok((_, class)) = self.at.name(&[Sort::Class]) {
            return Ok(Expr::Is(class));
        }
        // A missing restriction keyword is more likely than a class with the name of a property.
        if let Ok((sort, _)) = self.at.name(&[Sort::Role, Sort::Property]) {
            let expected = format!(
                "'some', 'only', 'min', 'max', 'exactly' or 'value' after {}",
                sort.article()
            );
            return Err(self.at.expected(&expected));
        }
        self.at.return_to(position);
        self.at.name(&[Sort::Class]).map(|(_, class)| Expr::Is(class))
    }

    #[inline(never)]
    fn nominal(&mut self) -> Result<Expr, SyntaxError> {
        let mut individuals = Vec::new();
        loop {
            let (_, iri) = self.at.name(&[Sort::Individual])?;
            individuals.push(Value::Text(iri));
            if !self.at.symbol(",") {
                break;
            }
        }
        self.at.close("}")?;
        Ok(one_of(INDIVIDUAL, individuals))
    }

    fn named_restriction(&mut self) -> Result<Expr, SyntaxError> {
        let (sort, name) = self.at.name(&[Sort::Role, Sort::Property])?;
        let datatype = match sort {
            Sort::Property => Some(self.at.names.datatype(&name).unwrap_or(Datatype::Text)),
            _ => None,
        };
        self.restriction(Role { name, inverse: false }, datatype)
    }

    // The functions that recurse keep their frames small: what does not recurse is not inlined into them.
    fn restriction(&mut self, role: Role, datatype: Option<Datatype>) -> Result<Expr, SyntaxError> {
        let Some((quantifier, is_optional)) = self.quantifier()? else {
            return self.value_restriction(role, datatype);
        };
        let filler = if is_optional && !self.starts_primary() {
            Expr::Constant(true)
        } else {
            match datatype {
                None => self.primary(None)?,
                Some(datatype) => self.primary(Some((role.name.as_str(), datatype)))?,
            }
        };
        Ok(Expr::Related(quantifier, role, Box::new(filler)))
    }

    /// Parses the quantifier of a restriction, and whether its filler may be missing; `None` for `value`.
    #[inline(never)]
    fn quantifier(&mut self) -> Result<Option<(Quantifier, bool)>, SyntaxError> {
        Ok(Some(if self.at.keyword("some") {
            (Quantifier::Some, false)
        } else if self.at.keyword("only") {
            (Quantifier::Only, false)
        } else if self.at.keyword("min") {
            (Quantifier::Min(self.at.count()?), true)
        } else if self.at.keyword("max") {
            (Quantifier::Max(self.at.count()?), true)
        } else if self.at.keyword("exactly") {
            (Quantifier::Exactly(self.at.count()?), true)
        } else if self.at.keyword("value") {
            return Ok(None);
        } else if matches!(self.at.peek(), Some(Token::Word(word)) if word.eq_ignore_ascii_case("self"))
        {
            return Err(self.at.error("'Self' restrictions are not supported".to_owned()));
        } else {
            return Err(self.at.expected("'some', 'only', 'min', 'max', 'exactly' or 'value'"));
        }))
    }

    /// Parses the value of a `value` restriction.
    #[inline(never)]
    fn value_restriction(
        &mut self,
        role: Role,
        datatype: Option<Datatype>,
    ) -> Result<Expr, SyntaxError> {
        let filler = match datatype {
            Some(datatype) => Expr::Compare(role.name.clone(), Op::Equal, self.at.value(datatype)?),
            None => {
                let (_, iri) = self.at.name(&[Sort::Individual])?;
                Expr::Compare(INDIVIDUAL.to_owned(), Op::Equal, Value::Text(iri))
            }
        };
        Ok(Expr::Related(Quantifier::Some, role, Box::new(filler)))
    }

    /// Whether a filler follows.
    fn starts_primary(&self) -> bool {
        match self.at.peek() {
            None => false,
            Some(Token::Word(word)) => {
                !["and", "or", "that"].iter().any(|end| end.eq_ignore_ascii_case(word))
            }
            Some(Token::Symbol(symbol)) => !matches!(*symbol, ")" | "}" | "," | "]"),
            Some(_) => true,
        }
    }

    /// Parses a datatype with optional facets, or a set of values.
    fn range(&mut self, property: &str, datatype: Datatype) -> Result<Expr, SyntaxError> {
        if self.at.symbol("{") {
            let mut values = vec![self.at.value(datatype)?];
            while self.at.symbol(",") {
                values.push(self.at.value(datatype)?);
            }
            self.at.close("}")?;
            return Ok(one_of(property, values));
        }
        let (kinds, _) = literal::example(datatype);
        let expected =
            format!("a range of {kinds} such as '{}', or values in '{{…}}'", sample(datatype));
        let named = match self.at.peek() {
            Some(Token::Word(name) | Token::Iri(name)) => range(name),
            Some(Token::Symbol("[")) => None,
            _ => return Err(self.at.expected(&expected)),
        };
        match named {
            Some(Range::Any) => {
                self.at.skip();
                return Ok(Expr::Constant(true));
            }
            Some(Range::Of(named)) if comparable(named, datatype) => self.at.skip(),
            None if self.at.at_symbol("[") => {}
            _ => return Err(self.at.expected(&expected)),
        }
        if !self.at.symbol("[") {
            return Ok(Expr::Constant(true));
        }
        let mut facets = vec![self.facet(property, datatype)?];
        while self.at.symbol(",") {
            facets.push(self.facet(property, datatype)?);
        }
        self.at.close("]")?;
        Ok(between(facets))
    }

    fn facet(&mut self, property: &str, datatype: Datatype) -> Result<Expr, SyntaxError> {
        const SIGNS: [(&str, Op); 4] =
            [("<", Op::Less), ("≤", Op::LessEqual), (">", Op::Greater), ("≥", Op::GreaterEqual)];
        let ordered = !matches!(datatype, Datatype::Text | Datatype::Boolean);
        for (sign, op) in SIGNS {
            if ordered && self.at.symbol(sign) {
                return Ok(Expr::Compare(property.to_owned(), op, self.at.value(datatype)?));
            }
        }
        if datatype == Datatype::Text && self.at.keyword("pattern") {
            if let Some(Token::Text(literal)) = self.at.peek()
                && let Some(text) = pattern::contained(literal)
            {
                self.at.skip();
                return Ok(Expr::Contains(property.to_owned(), text));
            }
            return Err(self.at.expected(
                "a containment pattern such as \".*text.*\" (no other pattern is supported)",
            ));
        }
        Err(self.at.expected(match datatype {
            Datatype::Text => "'pattern'",
            Datatype::Boolean => "no facet: write 'value true' or 'value false'",
            _ => "'<', '<=', '>' or '>='",
        }))
    }
}

/// An example of a range.
fn sample(datatype: Datatype) -> &'static str {
    match datatype {
        Datatype::Integer => "xsd:integer[>= 3]",
        Datatype::Real => "xsd:double[>= 3.5]",
        Datatype::Boolean => "xsd:boolean",
        Datatype::Date => "xsd:date[>= \"2020-01-31\"^^xsd:date]",
        Datatype::Text => "xsd:string[pattern \".*text.*\"]",
    }
}
