//! Tokenizer for expressions.

use crate::shorten;

/// Reserved words. A column or category with such a name is written in quotes.
pub(super) const RESERVED: [&str; 13] = [
    "and", "or", "not", "in", "contains", "true", "false", "some", "only", "min", "max", "exactly",
    "inverse",
];

/// Returns whether a word is reserved, regardless of case.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word))
}

/// Returns whether a word needs no quotes. Names of derived columns such as `mean(x)` need none either.
pub(super) fn is_bare(word: &str) -> bool {
    is_bare_word(word) || derived(word).is_some()
}

/// Splits `mean(x)` into its two words.
pub(super) fn derived(word: &str) -> Option<(&str, &str)> {
    let (outer, inner) = word.strip_suffix(')')?.split_once('(')?;
    (is_bare_word(outer) && is_bare_word(inner)).then_some((outer, inner))
}

fn is_bare_word(word: &str) -> bool {
    starts_word(word)
        && word.chars().all(continues_word)
        && !is_reserved(word)
        && number(word).is_none()
}

fn starts_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Returns the length of the word at the start, including a bracketed word directly after it.
fn word_length(text: &str) -> usize {
    let length = |text: &str| text.find(|letter| !continues_word(letter)).unwrap_or(text.len());
    let outer = length(text);
    let inner = text[outer..].strip_prefix('(').map_or(0, length);
    let derived = outer + inner + 2;
    match text.get(..derived) {
        Some(word) if is_bare(word) => derived,
        _ => outer,
    }
}

fn continues_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-' | ':')
}

/// Parses a word as a number. Infinity is accepted; the caller rejects NaN.
pub(super) fn number(word: &str) -> Option<f64> {
    word.parse().ok()
}

/// A token of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name or keyword without quotes.
    Word(String),
    /// A name in double quotes.
    Name(String),
    /// A category in single quotes.
    Text(String),
    /// A number.
    Number(f64),
    /// An operator or bracket.
    Symbol(&'static str),
}

impl Token {
    /// Returns the token as it is quoted in an error.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("'{}'", shorten(word)),
            Token::Name(name) => format!("\"{}\"", shorten(name)),
            Token::Text(text) => format!("the text '{}'", shorten(text)),
            Token::Number(number) => format!("the number {number}"),
            Token::Symbol(symbol) => format!("'{symbol}'"),
        }
    }
}

/// Longer symbols first, so that `<=` is not read as `<` and `=`.
const SYMBOLS: [(&str, &str); 22] = [
    ("<=", "<="),
    (">=", ">="),
    ("!=", "!="),
    ("<>", "!="),
    ("==", "="),
    ("&&", "and"),
    ("||", "or"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
    ("!", "not"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    ("∞", "inf"),
];

/// Splits a text into tokens, each with the column (counted in characters from 1) where it starts.
///
/// The error is a column and the reason.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, (usize, String)> {
    let mut tokens = Vec::new();
    let (mut rest, mut column) = (text, 1);
    loop {
        // Counting from the last token keeps the total time linear.
        let token = rest.trim_start();
        column += rest[..rest.len() - token.len()].chars().count();
        rest = token;
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let (token, length) = if first == '\'' || first == '"' {
            quoted(rest, first).ok_or_else(|| {
                (
                    column,
                    format!("the quoted text that starts here is never closed; expected {first}"),
                )
            })?
        } else if let Some(length) = number_length(rest) {
            let spelled = &rest[..length];
            let value = number(spelled).ok_or_else(|| {
                (column, format!("found '{}'; expected a number", shorten(spelled)))
            })?;
            (Token::Number(value), length)
        } else if first.is_alphabetic() || first == '_' {
            let length = word_length(rest);
            (word_token(&rest[..length]), length)
        } else if let Some((symbol, meaning)) =
            SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol))
        {
            (
                if *meaning == "inf" {
                    Token::Number(f64::INFINITY)
                } else {
                    Token::Symbol(meaning)
                },
                symbol.len(),
            )
        } else {
            return Err((
                column,
                format!("found '{first}'; expected a name, a value or an operator"),
            ));
        };
        tokens.push((column, token));
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
}

fn word_token(spelled: &str) -> Token {
    match number(spelled) {
        Some(number) => Token::Number(number),
        None => Token::Word(spelled.to_owned()),
    }
}

/// Returns the length of the number at the start, if there is one. `-inf` is a number too.
fn number_length(text: &str) -> Option<usize> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let starts = |text: &str| text.starts_with(|letter: char| letter.is_ascii_digit());
    if sign == 1 && unsigned.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("inf")) {
        let length = unsigned.find(|letter| !continues_word(letter)).unwrap_or(unsigned.len());
        return Some(sign + length);
    }
    if !starts(unsigned) && !unsigned.strip_prefix('.').is_some_and(starts) {
        return None;
    }
    let mut before = ' ';
    let inside = |letter: char| {
        let exponent_sign = matches!(letter, '+' | '-') && matches!(before, 'e' | 'E');
        before = letter;
        letter.is_alphanumeric() || letter == '.' || letter == '_' || exponent_sign
    };
    let length = unsigned.len() - unsigned.trim_start_matches(inside).len();
    Some(sign + length)
}

/// Returns the quoted text at the start and its length. A doubled quote inside stands for one quote.
fn quoted(text: &str, quote: char) -> Option<(Token, usize)> {
    let mut content = String::new();
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((index, letter)) = letters.next() {
        if letter != quote {
            content.push(letter);
        } else if letters.next_if(|&(_, next)| next == quote).is_some() {
            content.push(quote);
        } else {
            let token = if quote == '"' { Token::Name(content) } else { Token::Text(content) };
            return Some((token, index + 1));
        }
    }
    None
}
