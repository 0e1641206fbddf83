//! Converts the prolog of an XML file to a form that the parser supports.
//!
//! The parser supports only UTF-8 and entities in double quotes. It expands nested entities without
//! a limit, which may exhaust the memory. Bytes are replaced one for one, so that positions in the
//! file do not change.

use rustc_hash::FxHashMap;

use crate::source::error::{Position, ReadError, ReadProblem, shorten};

/// The maximum length of an expanded entity.
const LONGEST: usize = 4096;

/// What the prolog says about the file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Prolog {
    /// The name of the first element; `None` if the bytes end before it.
    pub(super) root: Option<String>,
    /// Whether the rest is ISO 8859-1.
    pub(super) latin: bool,
}

/// Parses the prolog and converts it in place.
pub(super) fn convert(head: &mut [u8]) -> Result<Prolog, ReadError> {
    let mut prolog = Prolog::default();
    let mut at = 0;
    while let Some(open) = find(head, at, b"<") {
        let rest = &head[open..];
        if rest.starts_with(b"<?") {
            let Some(end) = find(head, open, b"?>") else { break };
            prolog.latin |= convert_declaration(&mut head[open..end])?;
            at = end + 2;
        } else if rest.starts_with(b"<!--") {
            let Some(end) = find(head, open + 4, b"-->") else { break };
            at = end + 3;
        } else if rest.starts_with(b"<!") {
            let Some(end) = doctype_end(head, open) else { break };
            let line = head[..open].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            convert_doctype(&mut head[open..end], line)?;
            at = end;
        } else {
            let name = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
            if let Some(end) = rest.iter().position(name) {
                prolog.root = Some(String::from_utf8_lossy(&rest[1..end]).into_owned());
            }
            break;
        }
    }
    Ok(prolog)
}

/// Returns the next occurrence of some bytes.
fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(wanted.len()).position(|window| window == wanted).map(|found| from + found)
}

/// Removes the encoding from `<?xml version="1.0" encoding="ISO-8859-1"?>`; returns whether it is ISO 8859-1.
fn convert_declaration(declaration: &mut [u8]) -> Result<bool, ReadError> {
    let Some(start) = find(declaration, 0, b"encoding") else { return Ok(false) };
    if !declaration.starts_with(b"<?xml ") {
        return Ok(false);
    }
    let quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    let Some(open) = declaration[start..].iter().position(quote) else { return Ok(false) };
    let open = start + open + 1;
    let Some(length) = declaration[open..].iter().position(quote) else { return Ok(false) };
    let name = String::from_utf8_lossy(&declaration[open..open + length]).to_ascii_lowercase();
    let latin = match name.as_str() {
        "utf-8" | "utf8" | "us-ascii" | "ascii" => false,
        "iso-8859-1" | "iso8859-1" | "latin1" | "latin-1" | "windows-1252" => true,
        _ => {
            let expected = "UTF-8 or ISO-8859-1".to_owned();
            let problem = ReadProblem::Form { found: shorten(&name), expected };
            return Err(ReadError::at(Position::Line(1), problem));
        }
    };
    declaration[start..open + length + 1].fill(b' ');
    Ok(latin)
}

/// Returns the end of a DOCTYPE with its entities.
fn doctype_end(head: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    while let Some(&byte) = head.get(at) {
        match byte {
            b'<' if head[at..].starts_with(b"<!--") => at = find(head, at + 4, b"-->")? + 2,
            b'<' => depth += 1,
            b'>' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' | b'\'' => at = find(head, at + 1, &[byte])?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Puts entities in double quotes, hides external ones, and checks the length of all.
fn convert_doctype(doctype: &mut [u8], line: u64) -> Result<(), ReadError> {
    const ENTITY: &[u8] = b"<!ENTITY";
    let mut lengths: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
    let mut at = 0;
    while let Some(open) = find(doctype, at, b"<!") {
        at = open + 2;
        if doctype[open..].starts_with(b"<!--") {
            // Search after the opening: `<!-->` does not close itself.
            let end = find(doctype, open + 4, b"-->").unwrap_or(doctype.len());
            // The parser does not recognize comments here.
            doctype[open + 4..end]
                .iter_mut()
                .filter(|byte| **byte == b'<')
                .for_each(|byte| *byte = b' ');
            at = end;
            continue;
        }
        if !doctype[open..].starts_with(ENTITY) {
            continue;
        }
        let Some(quote) = doctype[open..].iter().position(|byte| matches!(byte, b'"' | b'\''))
        else {
            continue;
        };
        let quote = open + quote;
        let Some(close) = find(doctype, quote + 1, &[doctype[quote]]) else { continue };
        let words = &doctype[open + ENTITY.len()..quote];
        let mut words = words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (name, more) = (words.next().unwrap_or_default().to_vec(), words.next().is_some());
        at = close + 1;
        if more {
            doctype[open + 2..open + ENTITY.len()].make_ascii_lowercase();
            continue;
        }
        let value = &doctype[quote + 1..close];
        let length = expanded(value, &lengths);
        if length > LONGEST {
            let before = &doctype[..open];
            let line = line + before.iter().filter(|&&byte| byte == b'\n').count() as u64;
            let found = format!("entity {}", shorten(&String::from_utf8_lossy(&name)));
            let expected = format!("an entity of at most {LONGEST} bytes");
            return Err(ReadError::at(Position::Line(line), ReadProblem::Form { found, expected }));
        }
        lengths.insert(name, length);
        if !doctype[quote + 1..close].contains(&b'"') {
            doctype[quote] = b'"';
            doctype[close] = b'"';
        }
    }
    Ok(())
}

/// Returns the length of a value after its entities are expanded.
fn expanded(value: &[u8], lengths: &FxHashMap<Vec<u8>, usize>) -> usize {
    let mut total = value.len();
    let mut at = 0;
    while let Some(open) = find(value, at, b"&") {
        let Some(close) = find(value, open, b";") else { break };
        total = total.saturating_add(lengths.get(&value[open + 1..close]).copied().unwrap_or(0));
        at = close + 1;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::convert;

    fn converted(text: &str) -> (String, Option<String>, bool) {
        let mut head = text.as_bytes().to_vec();
        let prolog = convert(&mut head).unwrap_or_else(|error| panic!("{error}"));
        (String::from_utf8_lossy(&head).into_owned(), prolog.root, prolog.latin)
    }

    #[test]
    fn quotes_and_encodings_are_converted_in_place() {
        let text = "<?xml version=\"1.0\" encoding='ISO-8859-1'?>\n<!DOCTYPE r [\n<!ENTITY a 'http://a#'>\n\
                    <!ENTITY b SYSTEM \"b.txt\"><!-- <!ENTITY c 'd'> -->\n]>\n<!-- <x> --><r:R a='b'/>";
        let (found, root, latin) = converted(text);
        assert_eq!(found.len(), text.len());
        assert!(found.starts_with("<?xml version=\"1.0\"                      ?>\n<!DOCTYPE r ["));
        assert!(found.contains("<!ENTITY a \"http://a#\">\n<!entity b SYSTEM \"b.txt\">"));
        assert!(found.contains("<!--  !ENTITY c 'd'> -->"));
        assert!(found.ends_with("<r:R a='b'/>"));
        assert_eq!((root.as_deref(), latin), (Some("r:R"), true));
    }

    #[test]
    fn entity_expansion_is_limited() {
        let mut text = "<!DOCTYPE r [\n<!ENTITY a0 \"aaaaaaaaaa\">\n".to_owned();
        for level in 1..20 {
            let inner = format!("&a{};", level - 1).repeat(10);
            text.push_str(&format!("<!ENTITY a{level} \"{inner}\">\n"));
        }
        text.push_str("]><r/>");
        let error = convert(&mut text.into_bytes()).expect_err("far too long");
        assert_eq!(
            error.to_string(),
            ", line 5: found 'entity a3'; expected an entity of at most 4096 bytes"
        );
    }

    #[test]
    fn truncated_prologs_do_not_fail() {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!DOCTYPE r [ <!ENTITY a 'b'> \
                    ]><rdf:RDF x='y'>";
        for end in 0..text.len() {
            let (found, _, _) = converted(&text[..end]);
            assert_eq!(found.len(), end);
        }
    }
}
