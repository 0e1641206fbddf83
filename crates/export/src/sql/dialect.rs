//! The dialects of SQL.
//!
//! Queries are written in what `SQLite`, `PostgreSQL` and `DuckDB` have in common. For another
//! database, [`in_dialect`] spells the words of a query differently: names, texts, types, and the
//! few functions that have other names there.

use pellucid_learn::learner::SqlDialect;

/// Returns a query in a dialect.
#[must_use]
pub fn in_dialect(query: &str, dialect: SqlDialect) -> String {
    let words = match dialect {
        SqlDialect::Sqlite | SqlDialect::PostgreSql | SqlDialect::DuckDb => {
            return query.to_owned();
        }
        SqlDialect::BigQuery => Words {
            types: ["STRING", "FLOAT64", "INT64"],
            cast: "SAFE_CAST",
            trim_these: "TRIM",
            backtick: "\\`",
        },
        SqlDialect::Spark => Words {
            types: ["STRING", "DOUBLE", "INT"],
            cast: "TRY_CAST",
            trim_these: "BTRIM",
            backtick: "``",
        },
    };
    let mut tokens = tokens(query);
    words.replace_types(&mut tokens);
    words.replace_calls(&mut tokens);
    replace_remainders(&mut tokens);
    tokens.iter().map(|token| words.spell(token)).collect()
}

/// The words of a dialect that differ.
struct Words {
    /// The types of texts, doubles and integers.
    types: [&'static str; 3],
    /// The cast that returns NULL for a text that is not a number.
    cast: &'static str,
    /// The function that removes given characters around a text.
    trim_these: &'static str,
    /// A backtick in a name in backticks.
    backtick: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A name in double quotes, without them.
    Name(String),
    /// A text in single quotes, without them.
    Text(String),
    /// A word, a number, a sign, blanks or a comment, as written.
    Plain(String),
}

impl Token {
    fn is(&self, text: &str) -> bool {
        matches!(self, Token::Plain(plain) if plain == text)
    }

    fn is_blank(&self) -> bool {
        matches!(self, Token::Plain(plain) if plain.trim().is_empty())
    }
}

fn plain(text: &str) -> Token {
    Token::Plain(text.to_owned())
}

/// Splits a query into tokens.
fn tokens(query: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => quoted(rest, first),
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            _ if is_word(first) => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        let inner = || token[1..token.len().saturating_sub(1).max(1)].to_owned();
        tokens.push(match first {
            '"' => Token::Name(inner().replace("\"\"", "\"")),
            '\'' => Token::Text(inner().replace("''", "'")),
            _ => plain(token),
        });
        rest = after;
    }
    tokens
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the length of a quoted part; a doubled quote does not end it.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter == quote && letters.next_if(|&(_, next)| next == quote).is_none() {
            return at + 1;
        }
    }
    text.len()
}

impl Words {
    /// Replaces the types after `AS`, and casts to numbers by those that never fail.
    fn replace_types(&self, tokens: &mut Vec<Token>) {
        let [text, double, integer] = self.types;
        let mut casts = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at].is("CAST") {
                casts.push(at);
            }
            // `AS`, a blank, and the type.
            let follows_as = at >= 2 && tokens[at - 1].is_blank() && tokens[at - 2].is("AS");
            let is_number = tokens[at].is("DOUBLE") || tokens[at].is("INTEGER");
            if follows_as && tokens[at].is("TEXT") {
                tokens[at] = plain(text);
                casts.pop();
            } else if follows_as && is_number {
                if tokens[at].is("DOUBLE") {
                    // `PRECISION` and the blank before it.
                    tokens.drain(at + 1..at + 3);
                    tokens[at] = plain(double);
                } else {
                    tokens[at] = plain(integer);
                }
                if let Some(cast) = casts.pop() {
                    tokens[cast] = plain(self.cast);
                }
            }
            at += 1;
        }
    }

    /// Replaces `TRIM` with characters by the function of the dialect.
    fn replace_calls(&self, tokens: &mut [Token]) {
        for at in 0..tokens.len() {
            if tokens[at].is("TRIM") && has_two_arguments(&tokens[at + 1..]) {
                tokens[at] = plain(self.trim_these);
            }
        }
    }

    /// Returns a token as the dialect writes it.
    fn spell(&self, token: &Token) -> String {
        match token {
            Token::Name(name) => {
                let name = match self.backtick {
                    "``" => name.replace('`', "``"),
                    escaped => name.replace('\\', "\\\\").replace('`', escaped),
                };
                format!("`{name}`")
            }
            Token::Text(text) => {
                format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
            }
            Token::Plain(text) => text.clone(),
        }
    }
}

/// Whether a call, from its opening parenthesis on, has two arguments.
fn has_two_arguments(tokens: &[Token]) -> bool {
    let mut depth = 0;
    for token in tokens {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth -= 1;
        } else if token.is(",") && depth == 1 {
            return true;
        }
        if depth == 0 {
            return false;
        }
    }
    false
}

/// Replaces `(a) % 12` by `MOD((a), 12)`, because not every database has the sign.
fn replace_remainders(tokens: &mut Vec<Token>) {
    while let Some(sign) = tokens.iter().position(|token| token.is("%")) {
        let before = tokens[..sign].iter().rposition(|token| !token.is_blank());
        let after = tokens[sign + 1..].iter().position(|token| !token.is_blank());
        let (Some(before), Some(after)) = (before, after) else { return };
        let start = opening(tokens, before);
        tokens.insert(sign + after + 2, plain(")"));
        tokens.splice(before + 1..=sign, [plain(",")]);
        tokens.splice(start..start, [plain("MOD"), plain("(")]);
    }
}

/// Returns the index of the parenthesis that the one at `end` closes, or `end` if it is none.
fn opening(tokens: &[Token], end: usize) -> usize {
    let mut depth = 0;
    for at in (0..=end).rev() {
        depth += i32::from(tokens[at].is(")")) - i32::from(tokens[at].is("("));
        if depth == 0 {
            return at;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUERY: &str = "-- it's \"a\" % TEXT\nSELECT t.\"a \"\"b`\", TRIM(CAST(t.\"x\" AS TEXT), ' 0') = \
                         'it''s \\', TRIM('a'), CAST(SUBSTR(t.\"x\", 1, 4) AS INTEGER), \
                         ((CAST(t.\"m\" AS DOUBLE PRECISION) + 9) % 12) AS \"TEXT\" FROM \"data\" t";

    #[test]
    fn the_common_dialects_are_written_as_they_are() {
        for dialect in [SqlDialect::Sqlite, SqlDialect::PostgreSql, SqlDialect::DuckDb] {
            assert_eq!(in_dialect(QUERY, dialect), QUERY);
        }
    }

    #[test]
    fn bigquery_and_spark_have_their_own_words() {
        assert_eq!(
            in_dialect(QUERY, SqlDialect::BigQuery),
            "-- it's \"a\" % TEXT\nSELECT t.`a \"b\\``, TRIM(CAST(t.`x` AS STRING), ' 0') = 'it\\'s \\\\', \
             TRIM('a'), SAFE_CAST(SUBSTR(t.`x`, 1, 4) AS INT64), \
             (MOD((SAFE_CAST(t.`m` AS FLOAT64) + 9), 12)) AS `TEXT` FROM `data` t"
        );
        assert_eq!(
            in_dialect(QUERY, SqlDialect::Spark),
            "-- it's \"a\" % TEXT\nSELECT t.`a \"b```, BTRIM(CAST(t.`x` AS STRING), ' 0') = 'it\\'s \\\\', \
             TRIM('a'), TRY_CAST(SUBSTR(t.`x`, 1, 4) AS INT), \
             (MOD((TRY_CAST(t.`m` AS DOUBLE) + 9), 12)) AS `TEXT` FROM `data` t"
        );
    }
}
