//! Names that try to end a comment, a string, a tag or a line.

use crate::exported_code::table::{Named, check, models, table};
use pellucid::learn::learner::ExportOptions;
use pellucid::registry::Registry;

const HOSTILE: [&str; 14] = [
    "a\nDROP TABLE secret; --",
    "b\rDROP TABLE secret; --",
    "c\u{2028}DROP TABLE secret; --\u{2029}\u{85}",
    "d'; DROP TABLE secret; --",
    "e\"; DROP TABLE secret; --",
    "f*/ DROP TABLE secret; /*",
    "g\"\"\"\nraise SystemExit\n\"\"\"",
    "h\\\"\\",
    "i</title></style><script>alert(1)</script>",
    "j]]>--><svg onload=alert(1)>",
    "k\u{1b}[2J\u{9b}31m\u{7}",
    "l\u{202e}% 001\u{2066}",
    "{0} %s {{m}} $(n) `o`",
    "שלום \u{200f}",
];

#[test]
fn names_are_escaped() {
    check(&HOSTILE.map(Named::with), false);
}

/// Control characters in a name are shown and have no effect in a terminal or a browser.
#[test]
fn control_characters_in_names_are_escaped() {
    for text in ["l\u{202e}% 001\u{2066}", "k\u{1b}[2J\n"] {
        for model in models(&table(&Named::with(text))) {
            let forms = Registry::standard().find(model.learner()).expect("a learner").forms();
            let names = forms.iter().map(|form| form.name);
            let read = ["text", "html", "svg", "python", "javascript"];
            for form in names.filter(|name| read.contains(name)) {
                let written = model.write(form, &ExportOptions::default()).expect("an export");
                let written = String::from_utf8(written).expect("UTF-8");
                let odd = ['\u{202e}', '\u{2066}', '\u{1b}'];
                assert!(!written.contains(odd), "{form} of {}: {written}", model.learner());
            }
            let text = model.text();
            assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{1b}']), "{text}");
        }
    }
}

#[test]
fn names_that_sql_cannot_contain_are_errors() {
    let named = Named { classes: ["no".into(), "yes\0no".into()], ..Named::with("z") };
    for model in models(&table(&named)) {
        let error = model.write("sql", &ExportOptions::default()).expect_err("a NUL");
        let message = error.to_string();
        assert!(message.contains("NUL") && message.contains("\\u0000"), "{message}");
        assert!(!message.contains('\0'), "{message:?}");
    }
}
