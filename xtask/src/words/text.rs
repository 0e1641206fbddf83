//! The text in a source file that a reader of the product can see, line by line.

/// A piece of text and the line it starts on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) line: usize,
    pub(super) text: String,
}

/// Returns string literals and doc comments of a Rust file. Plain comments and unit tests are left out.
pub(super) fn of_rust(source: &str) -> Vec<Passage> {
    join_comments(passages(source, true))
}

/// Returns string literals of a Rust file, without those of unit tests.
pub(super) fn strings_of_rust(source: &str) -> Vec<Passage> {
    passages(source, false)
}

fn passages(source: &str, with_comments: bool) -> Vec<Passage> {
    let source = source.find("\n#[cfg(test)]\nmod ").map_or(source, |end| &source[..end]);
    let mut passages = Vec::new();
    let mut scanner = Scanner { rest: source, line: 1 };
    while let Some(letter) = scanner.rest.chars().next() {
        let line = scanner.line;
        if scanner.rest.starts_with("//") {
            let comment = scanner.take_until(|rest| rest.starts_with('\n'));
            let doc = comment.strip_prefix("///").or_else(|| comment.strip_prefix("//!"));
            if let Some(text) = doc.filter(|text| with_comments && !text.starts_with('/')) {
                passages.push(Passage { line, text: text.to_owned() });
            }
        } else if let Some(end) = raw_string_end(scanner.rest) {
            let opening = scanner.take_until(|rest| rest.starts_with('"'));
            let text = scanner.take_until(|rest| rest.starts_with(&end));
            passages.push(Passage { line, text: text[1..].to_owned() });
            debug_assert!(opening.starts_with('r') || opening.starts_with('b'));
            scanner.skip(end.len());
        } else if letter == '"' {
            scanner.skip(1);
            passages.push(Passage { line, text: scanner.take_string() });
        } else if letter == '\'' {
            scanner.skip_character();
        } else {
            scanner.skip(letter.len_utf8());
        }
    }
    passages
}

/// Joins the lines of one doc comment, so that a phrase is found across a line break.
fn join_comments(passages: Vec<Passage>) -> Vec<Passage> {
    let mut joined: Vec<(Passage, usize)> = Vec::new();
    for passage in passages {
        match joined.last_mut() {
            Some((before, last)) if *last + 1 == passage.line && passage.text.starts_with(' ') => {
                before.text.push_str(&passage.text);
                *last = passage.line;
            }
            _ => {
                let line = passage.line;
                joined.push((passage, line));
            }
        }
    }
    joined.into_iter().map(|(passage, _)| passage).collect()
}

/// Returns what ends a raw string that begins here, such as `"##`.
fn raw_string_end(rest: &str) -> Option<String> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then(|| format!("\"{}", "#".repeat(hashes)))
}

/// The unread part of a source, and its line.
struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    fn skip(&mut self, bytes: usize) {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.line += skipped.matches('\n').count();
        self.rest = rest;
    }

    /// Takes text up to the first place after its first character at which the condition is true.
    fn take_until(&mut self, end: impl Fn(&str) -> bool) -> &'a str {
        let rest = self.rest;
        let length = rest
            .char_indices()
            .skip(1)
            .map(|(place, _)| place)
            .find(|place| end(&rest[*place..]))
            .unwrap_or(rest.len());
        self.skip(length);
        &rest[..length]
    }

    /// Takes a string after its opening quote, with line breaks and the white space after them as one space.
    fn take_string(&mut self) -> String {
        let mut text = String::new();
        while let Some(letter) = self.rest.chars().next() {
            self.skip(letter.len_utf8());
            match letter {
                '"' => break,
                '\\' => {
                    let escaped = self.rest.chars().next().unwrap_or('\\');
                    self.skip(escaped.len_utf8().min(self.rest.len()));
                    text.push(' ');
                    if escaped == '\n' {
                        let spaces = self.rest.len() - self.rest.trim_start().len();
                        self.skip(spaces);
                    }
                }
                letter => text.push(letter),
            }
        }
        text
    }

    /// Skips a character literal or the quote of a lifetime.
    fn skip_character(&mut self) {
        let mut letters = self.rest.char_indices().skip(1);
        let literal = match (letters.next(), letters.next()) {
            (Some((_, '\\')), Some(_)) => self.rest[3..].find('\'').map(|end| end + 4),
            (Some(_), Some((place, '\''))) => Some(place + 1),
            _ => None,
        };
        self.skip(literal.unwrap_or(1));
    }
}

/// Returns the prose and code of a page, a paragraph at a time.
pub(super) fn of_page(page: &str) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let mut open = false;
    for (line, text) in (1..).zip(page.lines()) {
        match passages.last_mut() {
            Some(last) if open && !text.trim().is_empty() => {
                last.text.push(' ');
                last.text.push_str(text.trim_start_matches(['#', '>', ' ']));
            }
            _ if text.trim().is_empty() => {}
            _ => passages.push(Passage { line, text: text.to_owned() }),
        }
        open = !text.trim().is_empty();
    }
    passages
}

#[test]
fn strings_and_doc_comments_are_found() {
    let source = "//! About\n//! this.\n// not this\nfn a<'x>() {\n    let b = \"one \\\"two\\\"\";\n    \
                  let c = '\"'; let d = r#\"raw \"text\"\"#;\n}\n\n#[cfg(test)]\nmod tests { \"no\" }\n";
    let found: Vec<(usize, String)> =
        of_rust(source).into_iter().map(|passage| (passage.line, passage.text)).collect();
    let expected = [(1, " About this."), (5, "one  two "), (6, "raw \"text\"")];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
}

#[test]
fn paragraphs_of_a_page() {
    let found = of_page("# Title\n\none\ntwo\n\nthree\n");
    let lines: Vec<(usize, &str)> =
        found.iter().map(|passage| (passage.line, passage.text.as_str())).collect();
    assert_eq!(lines, [(1, "# Title"), (3, "one two"), (6, "three")]);
}
