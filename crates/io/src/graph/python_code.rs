//! The import statements of a Python file.

/// An import: a module, and the names that are imported from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ImportStatement {
    /// The number of leading dots.
    pub(super) dots: usize,
    /// The module with dots between its parts; may be empty after dots.
    pub(super) module: String,
    /// The names after `import` in `from … import …`; empty for `import …`.
    pub(super) names: Vec<String>,
}

/// Returns the imports of a file in order, wherever they stand.
pub(super) fn imports(text: &str) -> Vec<ImportStatement> {
    let mut found = Vec::new();
    for statement in statements(text).split('\n') {
        for statement in statement.split(';') {
            let statement = statement.trim();
            add(statement, &mut found);
            // A statement may follow the colon of `try:` or `if …:` in the same line.
            if let Some((_, after)) = statement.rsplit_once(": ") {
                add(after.trim_start(), &mut found);
            }
        }
    }
    found
}

/// Adds the imports of a statement.
fn add(statement: &str, found: &mut Vec<ImportStatement>) {
    let after = |text: &str, word: &str| -> Option<String> {
        let rest = text.strip_prefix(word)?;
        rest.starts_with([' ', '\t', '(', '.']).then(|| rest.trim_start().to_owned())
    };
    if let Some(rest) = after(statement, "import").or_else(|| after(statement, "cimport")) {
        let modules = rest.split(',').filter_map(|part| part.split_whitespace().next());
        let named = modules.filter(|module| is_name(module));
        found.extend(named.map(|module| ImportStatement {
            dots: 0,
            module: module.to_owned(),
            names: Vec::new(),
        }));
    } else if let Some(rest) = after(statement, "from") {
        let dots = rest.bytes().take_while(|&byte| byte == b'.').count();
        let rest = rest[dots..].trim_start();
        let split = rest.find(|letter: char| letter.is_whitespace() || letter == '(');
        let (module, rest) = match split {
            _ if rest.starts_with("import") && dots > 0 => ("", rest),
            Some(split) => (&rest[..split], rest[split..].trim_start()),
            None => return,
        };
        let Some(names) = after(rest, "import").or_else(|| after(rest, "cimport")) else { return };
        if !(is_name(module) || module.is_empty() && dots > 0) {
            return;
        }
        let names = names.split(',').filter_map(|part| {
            let part =
                part.trim_matches(|letter: char| letter.is_whitespace() || "()".contains(letter));
            part.split_whitespace().next().map(str::to_owned)
        });
        found.push(ImportStatement { dots, module: module.to_owned(), names: names.collect() });
    }
}

/// Whether a text is a name with dots.
fn is_name(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
            && !part.starts_with(|letter: char| letter.is_ascii_digit())
    };
    text.split('.').all(is_part)
}

/// Returns a text with one statement or several with semicolons in each line: without comments and the
/// contents of strings, and with lines joined within brackets and after backslashes.
fn statements(text: &str) -> String {
    let mut out = String::with_capacity(text.len() / 2);
    let mut rest = text;
    let mut depth = 0_usize;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '#' => length = rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => {
                length = string_length(rest);
                out.push('"');
            }
            '\\' if rest[1..].starts_with('\n') => length = 2,
            '\\' if rest[1..].starts_with("\r\n") => length = 3,
            '\n' => {
                // A bracket that is never closed must not hide what follows.
                let starts = ["import ", "from ", "def ", "class "];
                if starts.iter().any(|start| rest[1..].starts_with(start)) {
                    depth = 0;
                }
                out.push(if depth == 0 { '\n' } else { ' ' });
            }
            _ => {
                match first {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                out.push(first);
            }
        }
        rest = &rest[length..];
    }
    out
}

/// Returns the length of the string at the beginning of a text, with its quotes. Without an end it is that
/// of the line, or of the text for three quotes.
fn string_length(text: &str) -> usize {
    let quote = &text[..1];
    let three = [quote, quote, quote].concat();
    let is_long = text.starts_with(&three);
    let end = if is_long { three.as_str() } else { quote };
    let mut at = end.len();
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(end.as_bytes()) {
            return at + end.len();
        }
        match rest[0] {
            b'\\' => at += 2,
            b'\n' if !is_long => return at,
            _ => at += 1,
        }
    }
    // The last byte may be a backslash, and an escaped character may have several bytes.
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<String> {
        let one = |one: ImportStatement| {
            format!("{}{} {}", ".".repeat(one.dots), one.module, one.names.join(","))
        };
        imports(text).into_iter().map(one).collect()
    }

    #[test]
    fn all_forms_of_imports_are_found() {
        let text = "import os, a.b as c # import no\nfrom . import x\nfrom ..y.z import (p,\n  q as r, # c\n\
                    )\nfrom m import *\ntry: import fast\nexcept ImportError: pass; import slow\n\
                    if a: from b import \\\n  c\ns = 'import no'\n\"\"\"\nimport no\n\"\"\"\n\
                    def f():\n    from .inner import(one, two)\n";
        let expected =
            ["os ", "a.b ", ". x", "..y.z p,q", "m *", "fast ", "slow ", "b c", ".inner one,two"];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn broken_files_keep_their_other_imports() {
        assert_eq!(shown("x = (1,\nimport a\ny = 'open\nimport b\n"), ["a ", "b "]);
        assert_eq!(shown("importlib.reload(x)\nfromage = 1\nimport 3d\nfrom import x\n"), [""; 0]);
        assert_eq!(shown("x = '\\"), [""; 0]);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "[a-z.(),;:#'\"\\\\ \\n\\r é]{0,200}") {
            let _ = imports(&text);
        }
    }
}
