//! The token cursor of both parsers: peeks, advances, resolves names, reports errors.

use super::literal::{self, Literal};
use super::token::{Style, Token, tokens};
use super::{NameResolver, Sort, SyntaxError};
use pellucid_data::Datatype;
use pellucid_program::{Expr, MAX_DEPTH, Value, shorten};

/// The IRI of the class of all individuals, and that of the empty class.
pub(crate) const THING: &str = "http://www.w3.org/2002/07/owl#Thing";
pub(crate) const NOTHING: &str = "http://www.w3.org/2002/07/owl#Nothing";

/// The maximum nesting of a text. One level of an expression takes at most two levels of text, a
/// word and a bracket, so every parsed expression can be printed and parsed again.
const TEXT_DEPTH: usize = 2 * MAX_DEPTH;

/// A position in a list of tokens.
pub(super) struct Cursor<'n> {
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: usize,
    /// The column after the last token.
    end: usize,
    pub(super) names: &'n dyn NameResolver,
}

impl<'n> Cursor<'n> {
    pub(super) fn new(
        text: &str,
        style: Style,
        names: &'n dyn NameResolver,
    ) -> Result<Cursor<'n>, SyntaxError> {
        let end = text.trim_end().chars().count() + 1;
        Ok(Cursor { tokens: tokens(text, style)?, next: 0, depth: 0, end, names })
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    /// Returns the token `ahead` positions after the next one.
    pub(super) fn ahead(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.next + ahead).map(|(_, token)| token)
    }

    pub(super) fn skip(&mut self) {
        self.next += 1;
    }

    /// Returns the current position.
    pub(super) fn position(&self) -> usize {
        self.next
    }

    pub(super) fn return_to(&mut self, position: usize) {
        self.next = position;
    }

    /// Consumes a keyword, in any capitalization, if it is next.
    pub(super) fn keyword(&mut self, keyword: &str) -> bool {
        let found =
            matches!(self.peek(), Some(Token::Word(word)) if word.eq_ignore_ascii_case(keyword));
        self.next += usize::from(found);
        found
    }

    pub(super) fn symbol(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        self.next += usize::from(found);
        found
    }

    pub(super) fn at_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token::Symbol(found)) if *found == symbol)
    }

    pub(super) fn close(&mut self, symbol: &str) -> Result<(), SyntaxError> {
        if self.symbol(symbol) { Ok(()) } else { Err(self.expected(&format!("'{symbol}'"))) }
    }

    pub(super) fn expected(&self, expected: &str) -> SyntaxError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), Token::describe);
        self.error(format!("found {found}; expected {expected}"))
    }

    /// Returns an error at the next token.
    pub(super) fn error(&self, reason: String) -> SyntaxError {
        let column = self.tokens.get(self.next).map_or(self.end, |(column, _)| *column);
        SyntaxError { column, reason }
    }

    /// Enters a nesting level. Every recursion calls this, which bounds the stack.
    pub(super) fn enter(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > TEXT_DEPTH {
            return Err(self.error(format!("nested more than {MAX_DEPTH} levels deep")));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Returns the expression if all tokens are consumed and it is not too deep.
    pub(super) fn finish(&self, expr: Expr, expected: &str) -> Result<Expr, SyntaxError> {
        if self.peek().is_some() {
            return Err(self.expected(expected));
        }
        if expr.depth() > MAX_DEPTH {
            let reason = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(SyntaxError { column: 1, reason });
        }
        Ok(expr)
    }

    /// Parses a name of one of some kinds. The first kind with this name is used.
    pub(super) fn name(&mut self, sorts: &[Sort]) -> Result<(Sort, String), SyntaxError> {
        let articles: Vec<&str> = sorts.iter().map(|sort| sort.article()).collect();
        let token = match self.peek() {
            Some(token @ (Token::Word(_) | Token::Quoted(_) | Token::Iri(_))) => token,
            _ => return Err(self.expected(&articles.join(" or "))),
        };
        let found = sorts
            .iter()
            .find_map(|&sort| resolve(self.names, sort, token).map(|iri| (sort, iri.to_owned())));
        match found {
            Some(found) => {
                self.next += 1;
                Ok(found)
            }
            None => Err(self.unknown_name(token, sorts)),
        }
    }

    /// Whether the next token is the name of a class or property.
    pub(super) fn knows_next(&self) -> bool {
        self.peek().is_some_and(|token| {
            [Sort::Class, Sort::Role, Sort::Property]
                .into_iter()
                .any(|sort| resolve(self.names, sort, token).is_some())
        })
    }

    /// Returns the error for an unknown name.
    fn unknown_name(&self, token: &Token, sorts: &[Sort]) -> SyntaxError {
        let (Token::Word(name) | Token::Quoted(name) | Token::Iri(name)) = token else {
            return self.expected("a name");
        };
        let nouns: Vec<&str> = sorts.iter().map(|sort| sort.noun()).collect();
        let mut reason = format!("unknown {} '{}'", nouns.join(" or "), shorten(name));
        const ALL: [Sort; 4] = [Sort::Class, Sort::Role, Sort::Property, Sort::Individual];
        let other = ALL.into_iter().find(|&sort| resolve(self.names, sort, token).is_some());
        let local = name.rsplit(['#', '/']).next().unwrap_or(name);
        let near = sorts.iter().find_map(|&sort| self.names.nearest(sort, local));
        if let Some(other) = other {
            reason += &format!("; it is the name of {}", other.article());
        } else if let Some(near) = near {
            reason += &format!("; did you mean '{near}'?");
        }
        self.error(reason)
    }

    /// Parses a literal as a value of a data property.
    pub(super) fn value(&mut self, datatype: Datatype) -> Result<Value, SyntaxError> {
        let position = self.next;
        let lexical = match self.peek() {
            Some(Token::Number(lexical)) => lexical.clone(),
            Some(Token::Symbol("∞")) => "∞".to_owned(),
            Some(Token::Word(word)) if matches!(word.as_str(), "true" | "false" | "INF") => {
                word.clone()
            }
            Some(Token::Text(text)) => {
                let text = text.clone();
                return self.quoted_value(text, datatype);
            }
            _ => {
                let (kinds, one) = literal::example(datatype);
                let kind = kinds.trim_end_matches('s');
                return Err(self.expected(&format!("a {kind} such as {one}")));
            }
        };
        self.next += 1;
        let literal = Literal { lexical, quoted: false, datatype: None };
        literal::value(&literal, datatype).map_err(|expected| self.misfit(position, &expected))
    }

    fn quoted_value(&mut self, text: String, datatype: Datatype) -> Result<Value, SyntaxError> {
        let position = self.next;
        self.next += 1;
        let mut declared = None;
        if self.symbol("^^") {
            match self.peek() {
                Some(Token::Word(name) | Token::Iri(name)) => declared = Some(name.clone()),
                _ => return Err(self.expected("a datatype such as xsd:double")),
            }
            self.next += 1;
        } else if self.symbol("@") {
            // The language tag is ignored: values are texts.
            match self.peek() {
                Some(Token::Word(_)) => self.next += 1,
                _ => return Err(self.expected("a language such as en")),
            }
        }
        let literal = Literal { lexical: text, quoted: true, datatype: declared };
        literal::value(&literal, datatype).map_err(|expected| self.misfit(position, &expected))
    }

    fn misfit(&mut self, position: usize, expected: &str) -> SyntaxError {
        self.next = position;
        let found = self.peek().map_or_else(String::new, Token::describe);
        self.error(format!("found {found}; expected {expected}"))
    }

    /// Parses a cardinality.
    pub(super) fn count(&mut self) -> Result<u32, SyntaxError> {
        let count = match self.peek() {
            Some(Token::Number(lexical)) => lexical.parse::<u32>().ok(),
            _ => None,
        };
        let count = count.ok_or_else(|| self.expected("an integer from 0 to 4294967295"))?;
        self.next += 1;
        Ok(count)
    }
}

/// Returns the constant that a token denotes.
pub(super) fn constant(token: &Token) -> Option<bool> {
    match token {
        Token::Word(word) if matches!(&**word, "Thing" | "owl:Thing") => Some(true),
        Token::Word(word) if matches!(&**word, "Nothing" | "owl:Nothing") => Some(false),
        Token::Iri(iri) if iri == THING => Some(true),
        Token::Iri(iri) if iri == NOTHING => Some(false),
        Token::Symbol("⊤") => Some(true),
        Token::Symbol("⊥") => Some(false),
        _ => None,
    }
}

/// Returns the IRI that a token denotes. An unquoted name may be a short name, an IRI, or a
/// prefixed name.
pub(super) fn resolve<'a>(
    names: &'a dyn NameResolver,
    sort: Sort,
    token: &'a Token,
) -> Option<&'a str> {
    let known = |iri: &'a str| names.short_name(sort, iri).is_some().then_some(iri);
    match token {
        Token::Word(word) => names.find_iri(sort, word).or_else(|| known(word)).or_else(|| {
            let (prefix, local) = word.split_once(':')?;
            let iri = format!("{}{local}", names.namespace(prefix)?);
            names.short_name(sort, &iri).and_then(|shown| names.find_iri(sort, shown))
        }),
        Token::Quoted(name) => names.find_iri(sort, name).or_else(|| known(name)),
        Token::Iri(iri) => known(iri),
        _ => None,
    }
}
