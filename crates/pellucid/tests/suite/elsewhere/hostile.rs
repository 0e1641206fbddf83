//! Names that try to end a comment, a text, a tag or a line.

use crate::elsewhere::table::{Named, check, models, table};
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
fn no_name_leaves_its_place() {
    check(&HOSTILE.map(Named::with), false);
}

/// A reader sees every character of a name: none is obeyed by a terminal or a browser.
#[test]
fn no_name_turns_a_page_around() {
    for text in ["l\u{202e}% 001\u{2066}", "k\u{1b}[2J\n"] {
        for model in models(&table(&Named::with(text))) {
            let forms = Registry::standard().find(model.learner()).expect("a learner").forms();
            let names = forms.iter().map(|form| form.name);
            for form in names.filter(|name| ["text", "html", "svg", "python"].contains(name)) {
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
fn sql_that_cannot_be_written_is_refused_with_a_sentence() {
    let named = Named { classes: ["no".into(), "yes\0no".into()], ..Named::with("z") };
    for model in models(&table(&named)) {
        let refused = model.write("sql", &ExportOptions::default()).expect_err("a NUL");
        let sentence = refused.to_string();
        assert!(sentence.contains("NUL") && sentence.contains("\\u0000"), "{sentence}");
        assert!(!sentence.contains('\0'), "{sentence:?}");
    }
}
