//! What both parsers do with tokens: look, take, resolve names, complain.

use super::literal::{self, Literal};
use super::token::{Style, Token, tokens};
use super::{Names, Sort, SyntaxError};
use pellucid_data::Datatype;
use pellucid_program::{Expr, MAX_DEPTH, Value, shorten};

/// The IRIs of the classes of everything and of nothing.
pub(crate) const THING: &str = "http://www.w3.org/2002/07/owl#Thing";
pub(crate) const NOTHING: &str = "http://www.w3.org/2002/07/owl#Nothing";

/// How deep a text may nest. A level of an expression is two of a text at most, a word and the bracket behind it, so that
/// whatever is read can be printed and read again.
const TEXT_DEPTH: usize = 2 * MAX_DEPTH;

/// A place in a list of tokens.
pub(super) struct Cursor<'n> {
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: usize,
    /// The column behind the last token.
    end: usize,
    pub(super) names: &'n dyn Names,
}

impl<'n> Cursor<'n> {
    pub(super) fn new(
        text: &str,
        style: Style,
        names: &'n dyn Names,
    ) -> Result<Cursor<'n>, SyntaxError> {
        let end = text.trim_end().chars().count() + 1;
        Ok(Cursor { tokens: tokens(text, style)?, next: 0, depth: 0, end, names })
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    /// The token behind the next `ahead` ones.
    pub(super) fn ahead(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.next + ahead).map(|(_, token)| token)
    }

    pub(super) fn skip(&mut self) {
        self.next += 1;
    }

    /// Where the cursor stands, to come back to.
    pub(super) fn place(&self) -> usize {
        self.next
    }

    pub(super) fn return_to(&mut self, place: usize) {
        self.next = place;
    }

    /// Takes a keyword, however it is capitalised, if it comes next.
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

    pub(super) fn expected(&self, wanted: &str) -> SyntaxError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), Token::found);
        self.error(format!("found {found}, expected {wanted}"))
    }

    /// An error at the next token.
    pub(super) fn error(&self, reason: String) -> SyntaxError {
        let column = self.tokens.get(self.next).map_or(self.end, |(column, _)| *column);
        SyntaxError { column, reason }
    }

    /// Goes one level down; everything that nests passes here, so this bounds the stack.
    pub(super) fn enter(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > TEXT_DEPTH {
            return Err(self.error(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The finished expression, if nothing is left and it is not too deep.
    pub(super) fn finish(&self, expr: Expr, wanted: &str) -> Result<Expr, SyntaxError> {
        if self.peek().is_some() {
            return Err(self.expected(wanted));
        }
        if expr.depth() > MAX_DEPTH {
            let reason = format!("nested deeper than {MAX_DEPTH} levels");
            return Err(SyntaxError { column: 1, reason });
        }
        Ok(expr)
    }

    /// A name of one of some sorts, the first that knows it.
    pub(super) fn name(&mut self, sorts: &[Sort]) -> Result<(Sort, String), SyntaxError> {
        let wanted: Vec<&str> = sorts.iter().map(|sort| sort.article()).collect();
        let token = match self.peek() {
            Some(token @ (Token::Word(_) | Token::Quoted(_) | Token::Iri(_))) => token,
            _ => return Err(self.expected(&wanted.join(" or "))),
        };
        let found = sorts
            .iter()
            .find_map(|&sort| resolve(self.names, sort, token).map(|iri| (sort, iri.to_owned())));
        match found {
            Some(found) => {
                self.next += 1;
                Ok(found)
            }
            None => Err(self.unknown(token, sorts)),
        }
    }

    /// Whether a class or property is called like the next token.
    pub(super) fn knows_next(&self) -> bool {
        self.peek().is_some_and(|token| {
            [Sort::Class, Sort::Role, Sort::Property]
                .into_iter()
                .any(|sort| resolve(self.names, sort, token).is_some())
        })
    }

    /// What to say of a name that nothing of these sorts has.
    fn unknown(&self, token: &Token, sorts: &[Sort]) -> SyntaxError {
        let (Token::Word(name) | Token::Quoted(name) | Token::Iri(name)) = token else {
            return self.expected("a name");
        };
        let nouns: Vec<&str> = sorts.iter().map(|sort| sort.noun()).collect();
        let mut reason = format!("there is no {} '{}'", nouns.join(" or "), shorten(name));
        const ALL: [Sort; 4] = [Sort::Class, Sort::Role, Sort::Property, Sort::Individual];
        let other = ALL.into_iter().find(|&sort| resolve(self.names, sort, token).is_some());
        let local = name.rsplit(['#', '/']).next().unwrap_or(name);
        let near = sorts.iter().find_map(|&sort| self.names.nearest(sort, local));
        if let Some(other) = other {
            reason += &format!("; it is {}", other.article());
        } else if let Some(near) = near {
            reason += &format!("; did you mean '{near}'?");
        }
        self.error(reason)
    }

    /// A literal as a value of a data property.
    pub(super) fn value(&mut self, datatype: Datatype) -> Result<Value, SyntaxError> {
        let place = self.next;
        let spelled = match self.peek() {
            Some(Token::Number(spelled)) => spelled.clone(),
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
                return Err(self.expected(&format!("a value: they are {kinds}, such as {one}")));
            }
        };
        self.next += 1;
        let literal = Literal { spelled, quoted: false, datatype: None };
        literal::value(&literal, datatype).map_err(|wanted| self.misfit(place, &wanted))
    }

    fn quoted_value(&mut self, text: String, datatype: Datatype) -> Result<Value, SyntaxError> {
        let place = self.next;
        self.next += 1;
        let mut declared = None;
        if self.symbol("^^") {
            match self.peek() {
                Some(Token::Word(name) | Token::Iri(name)) => declared = Some(name.clone()),
                _ => return Err(self.expected("a datatype such as xsd:double")),
            }
            self.next += 1;
        } else if self.symbol("@") {
            // The language makes no difference: values are texts.
            match self.peek() {
                Some(Token::Word(_)) => self.next += 1,
                _ => return Err(self.expected("a language such as en")),
            }
        }
        let literal = Literal { spelled: text, quoted: true, datatype: declared };
        literal::value(&literal, datatype).map_err(|wanted| self.misfit(place, &wanted))
    }

    fn misfit(&mut self, place: usize, wanted: &str) -> SyntaxError {
        self.next = place;
        let found = self.peek().map_or_else(String::new, Token::found);
        self.error(format!("found {found}, but {wanted}"))
    }

    /// A whole number, as cardinalities have.
    pub(super) fn count(&mut self) -> Result<u32, SyntaxError> {
        let count = match self.peek() {
            Some(Token::Number(spelled)) => spelled.parse::<u32>().ok(),
            _ => None,
        };
        let count = count.ok_or_else(|| self.expected("a whole number from 0 to 4294967295"))?;
        self.next += 1;
        Ok(count)
    }
}

/// The constant that a token means: everything or nothing.
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

/// The IRI that a token names. Bare, a name may be what is shown, an IRI, or a prefix and a name.
pub(super) fn resolve<'a>(names: &'a dyn Names, sort: Sort, token: &'a Token) -> Option<&'a str> {
    let known = |iri: &'a str| names.shown(sort, iri).is_some().then_some(iri);
    match token {
        Token::Word(word) => names.by_shown(sort, word).or_else(|| known(word)).or_else(|| {
            let (prefix, local) = word.split_once(':')?;
            let iri = format!("{}{local}", names.namespace(prefix)?);
            names.shown(sort, &iri).and_then(|shown| names.by_shown(sort, shown))
        }),
        Token::Quoted(name) => names.by_shown(sort, name).or_else(|| known(name)),
        Token::Iri(iri) => known(iri),
        _ => None,
    }
}
