use crate::expressions::generate::{empty_world, expr, lexicon};
use pellucid_logic::syntax::dl::{parse, print};
use pellucid_logic::syntax::{manchester, normal, parse as guess};
use pellucid_program::Programs;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(1024)))]

    #[test]
    fn round_trips(expr in expr()) {
        let names = lexicon();
        let text = print(&expr, &names);
        let failed = |error| TestCaseError::fail(format!("{text}\n{error}"));
        let back = parse(&text, &names).map_err(failed)?;
        prop_assert_eq!(normal(&back), normal(&expr), "{}", text);
        let mut programs = Programs::new(empty_world().schema());
        let ids = (programs.add(&normal(&expr)), programs.add(&normal(&back)));
        prop_assert!(ids.0.is_ok() && ids.0 == ids.1, "{}", text);
    }

    #[test]
    fn the_syntax_is_detected(expr in expr()) {
        let names = lexicon();
        for text in [print(&expr, &names), manchester::print(&expr, &names)] {
            let back = guess(&text, &names).map_err(|error| TestCaseError::fail(format!("{text}\n{error}")))?;
            prop_assert_eq!(normal(&back), normal(&expr), "{}", text);
        }
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in any::<String>()) {
        let _ = guess(&text, &lexicon());
        let _ = parse(&text, &lexicon());
    }

    #[test]
    fn arbitrary_words_do_not_panic(
        words in proptest::collection::vec(proptest::sample::select(WORDS), 0..12),
    ) {
        let _ = parse(&words.join(" "), &lexicon());
    }
}

const WORDS: &[&str] = &[
    "Male",
    "Parent",
    "hasChild",
    "charge",
    "name",
    "⊓",
    "⊔",
    "¬",
    "∃",
    "∀",
    "≥",
    "≤",
    "=",
    "2",
    ".",
    "⁻",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ">",
    "double",
    "anna",
    "\"x\"",
    "⊇",
    "∞",
    "-1.5",
    "<",
    "<http://ex.org/#Male>",
];

#[test]
fn equivalent_texts() {
    let names = lexicon();
    for (dl, manchester) in [
        ("Male ⊓ ¬(∃ hasChild.Parent)", "Male and not (hasChild some Parent)"),
        ("Male AND NOT EXISTS hasChild.Parent", "Male and not (hasChild some Parent)"),
        ("(Male ⊓ (∀hasChild.Thing))", "Male and hasChild only Thing"),
        ("∃ hasChild.Male ⊓ Parent", "(hasChild some Male) and Parent"),
        ("∃ hasChild.∃ hasChild.Male", "hasChild some (hasChild some Male)"),
        (">= 2 hasChild.Male", "hasChild min 2 Male"),
        ("≤ 3 hasChild", "hasChild max 3"),
        ("= 1 hasChild⁻.⊤", "inverse hasChild exactly 1"),
        ("exists hasChild^-.Male or ⊥", "inverse hasChild some Male or Nothing"),
        ("∃ hasChild.{anna, bert}", "hasChild some {anna, bert}"),
        ("∃ hasChild.{anna ⊔ bert}", "hasChild some {anna, bert}"),
        ("∃ charge.≥ 0.1", "charge some xsd:double[>= 0.1]"),
        ("∃ charge.(>= 0.1)", "charge some xsd:double[>= 0.1]"),
        ("∃ charge.double[≥ 0.1]", "charge some xsd:double[>= 0.1]"),
        ("∃ charge.[0.1, 0.5)", "charge some xsd:double[>= 0.1, < 0.5]"),
        ("∃ charge.(-∞, 5] ⊓ Male", "charge some xsd:double[> -INF, <= 5] and Male"),
        ("∃ charge.(≥ 1 ⊓ ≠ 2)", "charge some (xsd:double[>= 1] and not {2})"),
        ("∃ charge.{1, 2}", "charge some {1, 2}"),
        ("∀ charge.Thing", "charge only rdfs:Literal"),
        ("∃ value.= true", "value value true"),
        ("∃ born.≥ \"2020-01-31\"", "born some xsd:date[>= \"2020-01-31\"^^xsd:date]"),
        ("∃ <http://ex.org/data#name>.= \"x\"", "<http://ex.org/data#name> value \"x\""),
        (
            "∃ <http://ex.org/data#name>.⊇ \"part\"",
            "<http://ex.org/data#name> some xsd:string[pattern \".*part.*\"]",
        ),
    ] {
        let read =
            |text: &str| guess(text, &names).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(normal(&read(dl)), normal(&read(manchester)), "{dl}");
    }
}

#[test]
fn printed_in_dl_syntax() {
    let names = lexicon();
    for text in [
        "Male ⊓ (∃ hasChild.(¬Male))",
        "¬(≥ 2 hasChild⁻.(Male ⊔ Parent)) ⊔ {anna, bert}",
        "∃ charge.≥ 0.1",
        "∃ charge.[0.1, 0.5)",
        "∀ charge.(≥ 1 ⊔ < -∞)",
        "∃ 'part of'.'a.b'",
        "∃ <http://ex.org/data#name>.⊇ \"part\"",
        "∃ born.= \"1970-01-02\"",
    ] {
        let expr = parse(text, &names).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(print(&expr, &names), text);
    }
}

#[test]
fn errors_have_positions_and_reasons() {
    let names = lexicon();
    for (text, expected) in [
        (
            "Male ⊓",
            "column 7: found the end; expected a class, '¬', '∃', '∀', '≥', '≤', '=', '{' or '('",
        ),
        ("∃ hasChild", "column 11: found the end; expected '.' and a filler"),
        (
            "∃ hasChilt.Male",
            "column 3: unknown object property or data property 'hasChilt'; did you mean 'hasChild'?",
        ),
        (
            "∃ charge⁻.⊤",
            "column 3: unknown object property 'charge'; it is the name of a data property",
        ),
        (
            "∃ charge.Male",
            "column 10: found 'Male'; expected a condition on numbers such as '≥ 3.5', '[1, 3.5)' \
             or '{1, 3.5}'",
        ),
        (
            "∃ value.≥ 1",
            "column 9: found '≥'; expected a condition on truth values such as '= true'",
        ),
        ("≥ x hasChild.Male", "column 3: found 'x'; expected an integer from 0 to 4294967295"),
        ("EXISTS hasChild.Mal", "column 17: unknown class 'Mal'; did you mean 'Male'?"),
    ] {
        match guess(text, &names) {
            Ok(expr) => panic!("{text} was read as {expr}"),
            Err(error) => assert_eq!(error.to_string(), expected, "{text}"),
        }
    }
}
