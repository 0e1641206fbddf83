//! The include directives of a file in C or C++.

/// An include directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IncludeDirective {
    /// The path as it is written.
    pub(super) path: String,
    /// Whether it is in quotes, so that the folder of the file comes first.
    pub(super) is_quoted: bool,
}

/// Returns the include directives of a file in order, in all branches of conditions.
pub(super) fn includes(text: &str) -> Vec<IncludeDirective> {
    let mut found = Vec::new();
    let mut is_comment = false;
    for line in text.lines() {
        if !is_comment && let Some(include) = directive(line) {
            found.push(include);
        }
        is_comment = ends_in_comment(line, is_comment);
    }
    found
}

/// Returns the include directive of a line.
fn directive(line: &str) -> Option<IncludeDirective> {
    let mut rest = line.trim_start();
    while let Some(after) = rest.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
        rest = after.1.trim_start();
    }
    let rest = rest.strip_prefix('#')?.trim_start();
    let word = rest.find(|letter: char| !letter.is_ascii_alphabetic() && letter != '_')?;
    let (word, rest) = rest.split_at(word);
    if !matches!(word, "include" | "include_next" | "import") {
        return None;
    }
    let rest = rest.trim_start();
    let (is_quoted, close) = match rest.as_bytes().first()? {
        b'"' => (true, '"'),
        b'<' => (false, '>'),
        _ => return None,
    };
    let (path, _) = rest[1..].split_once(close)?;
    let path = path.trim().replace('\\', "/");
    (!path.is_empty()).then_some(IncludeDirective { path, is_quoted })
}

/// Whether a comment of several lines is open at the end of a line.
fn ends_in_comment(line: &str, is_comment: bool) -> bool {
    let mut rest = line;
    let mut is_open = is_comment;
    loop {
        if is_open {
            let Some((_, after)) = rest.split_once("*/") else { return true };
            (rest, is_open) = (after, false);
        }
        let Some(at) = rest.find(['/', '"', '\'']) else { return false };
        let (first, after) = (rest.as_bytes()[at], &rest[at + 1..]);
        rest = match first {
            b'/' if after.starts_with('/') => return false,
            b'/' if after.starts_with('*') => {
                is_open = true;
                &after[1..]
            }
            b'/' => after,
            quote => after_literal(after, quote),
        };
    }
}

/// Returns what follows a literal, given the text after its first quote; nothing if the literal is open.
fn after_literal(text: &str, quote: u8) -> &str {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        if byte == quote && !is_escaped {
            return &text[at + 1..];
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn directives_outside_of_comments_are_found() {
        let text = "#include <stdio.h>\n  #  include \"a/b.h\" // c\n/* #include <no.h>\n#include <no.h>\n\
                    */\n/* x */ #include \"c.h\"\nchar *s = \"/*\"; // \"\n#include <d.h>\n#include MACRO\n\
                    // /*\n#import \"e\\f.h\"\n#included \"no.h\"\nint x = '\"'; /* y */\n\
                    #include_next <g.h>\n";
        let found: Vec<String> = includes(text).into_iter().map(|one| one.path).collect();
        assert_eq!(found, ["stdio.h", "a/b.h", "c.h", "d.h", "e/f.h", "g.h"]);
        assert!(!includes(text)[0].is_quoted && includes(text)[1].is_quoted);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "[#a-e/*'\"<>\\\\ \\né]{0,200}") {
            let _ = includes(&text);
        }
    }
}
