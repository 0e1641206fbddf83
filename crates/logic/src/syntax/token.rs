//! Text to tokens, for both syntaxes.

use super::SyntaxError;
use pellucid_program::shorten;

/// A piece of an expression.
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
    /// A number as it is spelled.
    Number(String),
    /// An operator or bracket.
    Symbol(&'static str),
}

impl Token {
    /// The token as it would be quoted in an error.
    pub(super) fn found(&self) -> String {
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

/// Which syntax a text is in, as far as tokens differ: in DL syntax a dot ends a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Manchester,
    Dl,
}

/// Longer symbols first, so that `<=` is not read as `<` and `=`. The second is what it is read as.
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

/// Splits a text into tokens, each with the column (counted in characters from 1) where it starts.
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

/// The first token of a text that does not begin with a space, and its length.
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
                "'{first}' means nothing here; a name with such a character is written in 'single quotes'"
            ))
        }
    }
}

/// A name or literal in quotes and its length. The quote and the backslash are written with a backslash before them, and so
/// is what a line cannot hold or nobody sees, as Turtle has it: `\n`, `\r`, `\t`, `\u202E`. Before anything else a backslash
/// stands for itself.
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
            Some((meant, length)) => {
                content.push(meant);
                letters.nth(length - 2);
            }
            None => content.push(letter),
        }
    }
    Err(format!("the quote {quote} is never closed"))
}

/// What a backslash and the letters behind it stand for, and how many letters that is; nothing if the text begins otherwise.
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

/// A text in quotes, as [`quoted`] reads it: on one line, with nothing in it that cannot be seen.
pub(super) fn quote(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if letter == quote || letter == '\\' => out.extend(['\\', letter]),
            _ if letter.is_control() || turns_around(letter) => {
                out.push_str(&format!("\\u{:04X}", u32::from(letter)));
            }
            _ => out.push(letter),
        }
    }
    out.push(quote);
    out
}

/// Whether a letter ends a line, or turns the order of those around it, so that a text seems to say something else.
fn turns_around(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The length of an IRI in angle brackets. `<` may mean "less" as well: then no letter follows, or no `>` in one word.
fn iri_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('<')?;
    if !inside.starts_with(|first: char| first.is_alphabetic() || "_/#".contains(first)) {
        return None;
    }
    let end = inside.find(|letter: char| letter.is_whitespace() || "<>\"".contains(letter))?;
    inside[end..].starts_with('>').then_some(end + 2)
}

/// The length of a number, if the text begins with one and it is not the start of a name such as `3d-shape`.
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
    // Manchester syntax marks floats by a letter.
    length += usize::from(unsigned[length..].starts_with(['f', 'F']));
    let ends = !unsigned[length..].starts_with(|next: char| next.is_alphanumeric() || next == '_');
    ends.then_some(sign + length)
}

/// The length of a word. Its last character is never a dot or colon.
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
    // A whole IRI without its angle brackets.
    if text[..length].ends_with(':') && text[length..].starts_with("//") {
        let ends = |letter: char| letter.is_whitespace() || "(){}[],<>\"'".contains(letter);
        return text.find(ends).unwrap_or(text.len());
    }
    text[..length].trim_end_matches(['.', ':']).len()
}

/// The number that is spelled; infinity is `INF` or `∞`.
pub(super) fn number(spelled: &str) -> Option<f64> {
    let digits = spelled.strip_suffix(['f', 'F']);
    let digits = digits.filter(|rest| rest.ends_with(|last: char| last.is_ascii_digit()));
    match spelled {
        "∞" | "+∞" => Some(f64::INFINITY),
        "-∞" => Some(f64::NEG_INFINITY),
        _ => digits.unwrap_or(spelled).parse::<f64>().ok().filter(|number| !number.is_nan()),
    }
}
