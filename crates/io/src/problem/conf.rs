//! DL-Learner configuration files. Only the prefixes and the examples are read.
//!
//! Current files have `lp.positiveExamples = { "ex:a", "ex:b" }`; old ones have a line `+"ex:a"` or
//! `-"ex:b"` per example.

use super::once;
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use pellucid_data::Problem as LearningProblem;

#[derive(Debug, PartialEq)]
enum ConfToken {
    /// A word, and whether it was quoted.
    Text(String, bool),
    Mark(char),
}

/// A token, its line, and whether it is the first token of that line.
type Placed = (ConfToken, u64, bool);

pub(super) fn read(text: &str, stem: &str) -> Result<LearningProblem, ReadError> {
    let tokens = split(text)?;
    let mut prefixes: Vec<(String, String)> = Vec::new();
    let mut found = LearningProblem { name: stem.to_owned(), ..LearningProblem::default() };
    let mut at = 0;
    while let Some((token, _, first)) = tokens.get(at) {
        at += 1;
        let assigned = matches!(tokens.get(at), Some((ConfToken::Mark('='), ..)));
        match token {
            ConfToken::Text(name, false) if assigned => {
                let key = name.rsplit('.').next().unwrap_or(name);
                let side = match key {
                    "positiveExamples" => &mut found.positive,
                    "negativeExamples" => &mut found.negative,
                    "prefixes" => {
                        let texts = group(&tokens, &mut at, ['[', ']'])?;
                        let pairs = texts.chunks_exact(2);
                        prefixes.extend(pairs.map(|pair| (pair[0].clone(), pair[1].clone())));
                        continue;
                    }
                    _ => continue,
                };
                side.extend(group(&tokens, &mut at, ['{', '}'])?);
            }
            ConfToken::Mark(sign @ ('+' | '-')) if *first => {
                if let Some((ConfToken::Text(name, _), _, false)) = tokens.get(at) {
                    let side = if *sign == '+' { &mut found.positive } else { &mut found.negative };
                    side.push(name.clone());
                    at += 1;
                }
            }
            _ => {}
        }
    }
    if found.positive.is_empty() {
        let expected = "lp.positiveExamples = { \"prefix:name\", … }";
        let which = if found.negative.is_empty() { "examples" } else { "positive examples" };
        return Err(ReadProblem::NoExamples { which, expected }.into());
    }
    for side in [&mut found.positive, &mut found.negative] {
        side.iter_mut().for_each(|name| expand(name, &prefixes));
        *side = once(std::mem::take(side));
    }
    Ok(found)
}

/// Replaces a prefix by its IRI.
fn expand(name: &mut String, prefixes: &[(String, String)]) {
    let split = name.split_once(':');
    let known = split.and_then(|(prefix, local)| {
        let (_, iri) = prefixes.iter().find(|(known, _)| known == prefix)?;
        Some(format!("{iri}{local}"))
    });
    if let Some(full) = known {
        *name = full;
    }
}

/// Returns the words between brackets; `at` is the index of the `=` before them.
fn group(
    tokens: &[Placed],
    at: &mut usize,
    [open, close]: [char; 2],
) -> Result<Vec<String>, ReadError> {
    let line = tokens.get(*at).map_or(1, |&(_, line, _)| line);
    *at += 1;
    if !matches!(tokens.get(*at), Some((ConfToken::Mark(mark), ..)) if *mark == open) {
        let found = match tokens.get(*at) {
            Some((ConfToken::Text(text, _), ..)) => shorten(text),
            Some((ConfToken::Mark(mark), ..)) => mark.to_string(),
            None => "end of file".to_owned(),
        };
        let expected = format!("{open} after =");
        return Err(ReadError::at(Position::Line(line), ReadProblem::Form { found, expected }));
    }
    let mut texts = Vec::new();
    loop {
        *at += 1;
        match tokens.get(*at) {
            Some((ConfToken::Mark(mark), ..)) if *mark == close => break,
            Some((ConfToken::Text(text, _), ..)) => texts.push(text.clone()),
            Some((ConfToken::Mark(',' | '(' | ')'), ..)) => {}
            Some((ConfToken::Mark(mark), line, _)) => {
                let (found, expected) = (mark.to_string(), format!("a name, a comma or {close}"));
                return Err(ReadError::at(
                    Position::Line(*line),
                    ReadProblem::Form { found, expected },
                ));
            }
            None => {
                let ended = if close == '}' { "}" } else { "]" };
                return Err(ReadError::at(Position::Line(line), ReadProblem::Ended(ended)));
            }
        }
    }
    *at += 1;
    Ok(texts)
}

/// Splits the text into tokens, skipping white space and comments.
fn split(text: &str) -> Result<Vec<Placed>, ReadError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let (mut line, mut first) = (1u64, true);
    while let Some(next) = rest.chars().next() {
        if next.is_whitespace() {
            if next == '\n' {
                line += 1;
                first = true;
            }
            rest = &rest[next.len_utf8()..];
        } else if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                return Err(ReadError::at(Position::Line(line), ReadProblem::Ended("*/")));
            };
            line += newlines(&rest[..end]);
            rest = &rest[end + 2..];
        } else if next == '"' {
            let inside = &rest[1..];
            let Some(end) = inside.find('"') else {
                return Err(ReadError::at(
                    Position::Line(line),
                    ReadProblem::OpenQuote { quote: '"' },
                ));
            };
            tokens.push((ConfToken::Text(inside[..end].to_owned(), true), line, first));
            line += newlines(&inside[..end]);
            first = false;
            rest = &inside[end + 1..];
        } else if is_mark(next) || (first && matches!(next, '+' | '-')) {
            tokens.push((ConfToken::Mark(next), line, first));
            first = false;
            rest = &rest[next.len_utf8()..];
        } else {
            let end = word_end(rest);
            tokens.push((ConfToken::Text(rest[..end].to_owned(), false), line, first));
            first = false;
            rest = &rest[end..];
        }
    }
    Ok(tokens)
}

fn is_mark(mark: char) -> bool {
    matches!(mark, '=' | ',' | '{' | '}' | '[' | ']' | '(' | ')' | ';')
}

fn newlines(text: &str) -> u64 {
    text.bytes().filter(|&byte| byte == b'\n').count() as u64
}

/// Returns the end of an unquoted word. The `//` of an IRI does not start a comment.
fn word_end(text: &str) -> usize {
    let mut before = ' ';
    for (at, next) in text.char_indices() {
        let rest = &text[at..];
        let comment = at > 0 && (rest.starts_with("/*") || rest.starts_with("//") && before != ':');
        if comment || next.is_whitespace() || next == '"' || is_mark(next) {
            // The caller has checked that the first character is part of a word, so the word is not empty.
            return at;
        }
        before = next;
    }
    text.len()
}
