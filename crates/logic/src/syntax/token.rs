//! The tokenizer for both syntaxes.

use super::SyntaxError;
use pellucid_data::is_obeyed;
use pellucid_program::shorten;

/// A token of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name or keyword.
    Word(String),
    /// A name in single quotes.
    Quoted(String),
    /// An IRI in angle brackets.
    Iri(String),
    /// A literal in double quotes.
    Text(String),
    /// A number as written.
    Number(String),
    /// An operator or bracket.
    Symbol(&'static str),
}

impl Token {
    /// Describes the token for an error message.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("'{}'", shorten(word)),
            Token::Quoted(name) => format!("the name '{}'", shorten(name)),
            Token::Iri(iri) => format!("<{}>", shorten(iri)),
            Token::Text(text) => format!("the text \"{}\"", shorten(text)),
            Token::Number(number) => format!("the number {}", shorten(number)),
            Token::Symbol(symbol) => format!("'{symbol}'"),
        }
    }
}

/// The syntax of a text, as far as tokens differ: in DL syntax a dot ends a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Manchester,
    Dl,
}

/// Longer symbols first, so that `<=` is not read as `<` and `=`. The second element is the
/// canonical symbol.
const SYMBOLS: [(&str, &str); 36] = [
    ("^^", "^^"),
    ("^-", "⁻"),
    ("⁻¹", "⁻"),
    ("⁻", "⁻"),
    ("<=", "≤"),
    (">=", "≥"),
    ("!=", "≠"),
    ("==", "="),
    ("&&", "⊓"),
    ("||", "⊔"),
    ("≤", "≤"),
    ("≥", "≥"),
    ("≠", "≠"),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (".", "."),
    ("@", "@"),
    ("⊓", "⊓"),
    ("⊔", "⊔"),
    ("∧", "⊓"),
    ("∨", "⊔"),
    ("¬", "¬"),
    ("∃", "∃"),
    ("∀", "∀"),
    ("⊤", "⊤"),
    ("⊥", "⊥"),
    ("⊇", "⊇"),
    ("∞", "∞"),
];

/// Splits a text into tokens, each with its column (in characters, starting at 1).
pub(super) fn tokens(text: &str, style: Style) -> Result<Vec<(usize, Token)>, SyntaxError> {
    let mut tokens = Vec::new();
    let (mut rest, mut column) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else {
            let (token, length) =
                token(rest, style).map_err(|reason| SyntaxError { column, reason })?;
            (Some(token), length)
        };
        tokens.extend(token.map(|token| (column, token)));
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    Ok(tokens)
}

/// Returns the first token of a text without leading space, and its length.
fn token(text: &str, style: Style) -> Result<(Token, usize), String> {
    if text.starts_with(['\'', '"']) {
        return quoted(text);
    }
    if let Some(length) = iri_length(text) {
        return Ok((Token::Iri(text[1..length - 1].to_owned()), length));
    }
    if let Some(length) = number_length(text) {
        return Ok((Token::Number(text[..length].to_owned()), length));
    }
    let length = word_length(text, style);
    if length > 0 {
        return Ok((Token::Word(text[..length].to_owned()), length));
    }
    match SYMBOLS.iter().find(|(symbol, _)| text.starts_with(symbol)) {
        Some((symbol, meaning)) => Ok((Token::Symbol(meaning), symbol.len())),
        None => {
            let first = text.chars().next().unwrap_or(' ');
            Err(format!(
                "unexpected character '{first}'; names with special characters are written in 'single quotes'"
            ))
        }
    }
}

/// Parses a quoted name or literal. Returns it with its length. The quote and the backslash are
/// escaped with a backslash; so are line breaks and invisible characters, as in Turtle: `\n`, `\r`,
/// `\t`, `\u202E`. A backslash before any other character is literal.
fn quoted(text: &str) -> Result<(Token, usize), String> {
    let mut letters = text.char_indices();
    let quote = letters.next().map_or('"', |(_, quote)| quote);
    let mut content = String::new();
    while let Some((index, letter)) = letters.next() {
        if letter == quote {
            let token = if quote == '"' { Token::Text(content) } else { Token::Quoted(content) };
            return Ok((token, index + 1));
        }
        match escaped(&text[index..], quote) {
            Some((character, length)) => {
                content.push(character);
                letters.nth(length - 2);
            }
            None => content.push(letter),
        }
    }
    Err(format!("missing closing quote {quote}"))
}

/// Parses an escape sequence. Returns the character and the length; `None` if the text has no
/// escape here.
fn escaped(text: &str, quote: char) -> Option<(char, usize)> {
    let behind = text.strip_prefix('\\')?;
    match behind.chars().next()? {
        next if next == quote || next == '\\' => Some((next, 2)),
        'n' => Some(('\n', 2)),
        'r' => Some(('\r', 2)),
        't' => Some(('\t', 2)),
        'u' => {
            let digits =
                behind.get(1..5).filter(|digits| digits.bytes().all(|d| d.is_ascii_hexdigit()))?;
            Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, 6))
        }
        _ => None,
    }
}

/// Quotes a text for [`quoted`]: on one line, without invisible characters.
pub(super) fn quote(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if letter == quote || letter == '\\' => out.extend(['\\', letter]),
            _ if is_obeyed(letter) => {
                out.push_str(&format!("\\u{:04X}", u32::from(letter)));
            }
            _ => out.push(letter),
        }
    }
    out.push(quote);
    out
}

/// Returns the length of an IRI in angle brackets. `<` can also mean "less": then no letter
/// follows, or no `>` in the same word.
fn iri_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('<')?;
    if !inside.starts_with(|first: char| first.is_alphabetic() || "_/#".contains(first)) {
        return None;
    }
    let end = inside.find(|letter: char| letter.is_whitespace() || "<>\"".contains(letter))?;
    inside[end..].starts_with('>').then_some(end + 2)
}

/// Returns the length of a leading number, unless it starts a name such as `3d-shape`.
fn number_length(text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with(['-', '+']));
    let unsigned = &text[sign..];
    if sign == 1 && unsigned.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("inf")) {
        return Some(4);
    }
    if sign == 1 && unsigned.starts_with('∞') {
        return Some(1 + '∞'.len_utf8());
    }
    let mut length = digits(unsigned);
    let fraction = unsigned[length..].strip_prefix('.').map_or(0, digits);
    if length + fraction == 0 {
        return None;
    }
    length += if fraction > 0 { fraction + 1 } else { 0 };
    if let Some(exponent) = unsigned[length..].strip_prefix(['e', 'E']) {
        let signed = usize::from(exponent.starts_with(['-', '+']));
        let power = digits(&exponent[signed..]);
        length += if power > 0 { 1 + signed + power } else { 0 };
    }
    // Manchester syntax marks floats with a letter.
    length += usize::from(unsigned[length..].starts_with(['f', 'F']));
    let ends = !unsigned[length..].starts_with(|next: char| next.is_alphanumeric() || next == '_');
    ends.then_some(sign + length)
}

/// Returns the length of a word. A word does not end with a dot or colon.
fn word_length(text: &str, style: Style) -> usize {
    let starts = |first: char| first.is_alphanumeric() || first == '_';
    let inside = |letter: char| {
        starts(letter)
            || matches!(letter, '-' | ':' | '%')
            || (letter == '.' && style == Style::Manchester)
    };
    if !text.starts_with(starts) {
        return 0;
    }
    let length = text.find(|letter| !inside(letter)).unwrap_or(text.len());
    // An IRI without angle brackets.
    if text[..length].ends_with(':') && text[length..].starts_with("//") {
        let ends = |letter: char| letter.is_whitespace() || "(){}[],<>\"'".contains(letter);
        return text.find(ends).unwrap_or(text.len());
    }
    text[..length].trim_end_matches(['.', ':']).len()
}

/// Parses a number; infinity is `INF` or `∞`.
pub(super) fn number(lexical: &str) -> Option<f64> {
    let digits = lexical.strip_suffix(['f', 'F']);
    let digits = digits.filter(|rest| rest.ends_with(|last: char| last.is_ascii_digit()));
    match lexical {
        "∞" | "+∞" => Some(f64::INFINITY),
        "-∞" => Some(f64::NEG_INFINITY),
        _ => digits.unwrap_or(lexical).parse::<f64>().ok().filter(|number| !number.is_nan()),
    }
}
