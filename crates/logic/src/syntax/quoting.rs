//! Writes names so that they are parsed as the same name.

use super::cursor::{constant, resolve};
use super::token::{Style, Token, quote, tokens};
use super::{NameResolver, Sort};

/// Returns the text of an IRI: its short name if that is a single unambiguous token, in single
/// quotes if necessary, otherwise the IRI in angle brackets.
pub(super) fn name(
    names: &dyn NameResolver,
    sort: Sort,
    iri: &str,
    style: Style,
    reserved: fn(&str) -> bool,
) -> String {
    let whole = format!("<{iri}>");
    let shown = names.short_name(sort, iri).filter(|shown| !shown.starts_with('<'));
    let candidates = shown
        .iter()
        .flat_map(|shown| [(*shown).to_owned(), quote(shown, '\'')])
        .chain([whole.clone(), quote(iri, '\'')]);
    for candidate in candidates {
        let read = tokens(&candidate, style).unwrap_or_default();
        let [(_, token)] = read.as_slice() else { continue };
        let taken = matches!(token, Token::Word(word) if reserved(word))
            || constant(token).is_some()
            // An object property of the same name would be found first.
            || sort == Sort::Property && resolve(names, Sort::Role, token).is_some();
        if !taken && resolve(names, sort, token) == Some(iri) {
            return candidate;
        }
    }
    whole
}
