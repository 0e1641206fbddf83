use crate::expressions::generate::{empty_world, expr, lexicon};
use pellucid_logic::syntax::manchester::{parse, print};
use pellucid_logic::syntax::normal;
use pellucid_program::{Expr, MAX_DEPTH, Programs};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(1024)))]

    #[test]
    fn round_trips(expr in expr()) {
        let names = lexicon();
        let text = print(&expr, &names);
        let back = parse(&text, &names).map_err(|error| TestCaseError::fail(format!("{text}\n{error}")))?;
        prop_assert_eq!(normal(&back), normal(&expr), "{}", text);
        let mut programs = Programs::new(empty_world().schema());
        let ids = (programs.add(&normal(&expr)), programs.add(&normal(&back)));
        prop_assert!(ids.0.is_ok() && ids.0 == ids.1, "{}", text);
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in any::<String>()) {
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
    "and",
    "or",
    "not",
    "some",
    "only",
    "min",
    "2",
    "value",
    "inverse",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ">=",
    "xsd:double",
    "anna",
    "\"x\"",
    "^^",
    "xsd:date",
    "that",
    "pattern",
    "Self",
    "-1.5",
    "<",
    "<http://ex.org/#Male>",
];

#[test]
fn equivalent_texts() {
    let names = lexicon();
    for (one, two) in [
        ("Male AND not(hasChild SOME Parent)", "Male and not (hasChild some Parent)"),
        ("Male that hasChild some Parent and Parent", "Male and hasChild some Parent and Parent"),
        ("Male and Parent or Carbon-22", "(Male and Parent) or Carbon-22"),
        ("not Male and Parent", "(not Male) and Parent"),
        ("hasChild some Male and Parent", "(hasChild some Male) and Parent"),
        ("hasChild some not Male", "hasChild some (not Male)"),
        ("hasChild some hasChild only Male", "hasChild some (hasChild only Male)"),
        ("hasChild min 2", "hasChild min 2 owl:Thing"),
        ("hasChild max 2 and Male", "Male2"),
        ("inverse(hasChild) some Thing", "inverse hasChild some owl:Thing"),
        ("ex:Male", "<http://ex.org/#Male>"),
        ("http://ex.org/#Male", "'Male'"),
        ("charge some xsd:double[>= 0.1]", "charge some xsd:decimal[>=0.1]"),
        ("charge some xsd:double[<= 5, > 1]", "charge some double[> 1.0, <= 5f]"),
        ("charge value 3.5", "charge some {3.5}"),
        ("charge value \"1e-9\"^^xsd:double", "charge value 1e-9"),
        ("charge some [>= -INF]", "charge some xsd:double[>= \"-INF\"^^xsd:double]"),
        ("value value true", "value value \"1\"^^xsd:boolean"),
        ("born value \"1970-01-02\"^^xsd:date", "born value 86400"),
        (
            "born some xsd:dateTime[< \"1970-01-02T00:00:00Z\"^^xsd:dateTime]",
            "born some xsd:date[< \"1970-01-02\"^^xsd:date]",
        ),
        ("<http://ex.org/data#name> value \"x\"@en", "<http://ex.org/data#name> value \"x\""),
        ("charge some rdfs:Literal", "charge some xsd:double"),
        ("charge some not {1, 2}", "charge some (not {1, 2})"),
    ] {
        let read = |text: &str| {
            normal(&parse(text, &names).unwrap_or_else(|error| panic!("{text}: {error}")))
        };
        if two == "Male2" {
            assert_eq!(print(&read(one), &names), "hasChild max 2 owl:Thing and Male");
        } else {
            assert_eq!(read(one), read(two), "{one}");
        }
    }
}

#[test]
fn errors_have_positions_and_reasons() {
    let names = lexicon();
    for (text, expected) in [
        ("", "column 1: found the end; expected a class, a property, 'not', '{' or '('"),
        ("Male and", "column 9: found the end; expected a class, a property, 'not', '{' or '('"),
        ("Male Parent", "column 6: found 'Parent'; expected 'and', 'or' or the end"),
        ("Mal", "column 1: unknown class 'Mal'; did you mean 'Male'?"),
        (
            "hasChlid some Male",
            "column 1: unknown object property or data property 'hasChlid'; did you mean 'hasChild'?",
        ),
        (
            "Male some Parent",
            "column 1: unknown object property or data property 'Male'; it is the name of a class",
        ),
        (
            "hasChild",
            "column 9: found the end; expected 'some', 'only', 'min', 'max', 'exactly' or 'value' \
             after an object property",
        ),
        ("hasChild Self", "column 10: 'Self' restrictions are not supported"),
        ("hasChild min x", "column 14: found 'x'; expected an integer from 0 to 4294967295"),
        ("{ana}", "column 2: unknown individual 'ana'; did you mean 'anna'?"),
        (
            "charge some xsd:string",
            "column 13: found 'xsd:string'; expected a range of numbers such as 'xsd:double[>= 3.5]', \
             or values in '{…}'",
        ),
        ("charge value \"x\"", "column 14: found the text \"x\"; expected a number such as 3.5"),
        ("charge some xsd:double[=> 1]", "column 24: found '='; expected '<', '<=', '>' or '>='"),
        (
            "inverse charge some Male",
            "column 9: unknown object property 'charge'; it is the name of a data property",
        ),
        (
            "<http://ex.org/data#name> some xsd:string[pattern \"a+\"]",
            "column 51: found the text \"a+\"; expected a containment pattern such as \".*text.*\" \
             (no other pattern is supported)",
        ),
        (
            "<http://ex.org/data#name> some xsd:string[length 3]",
            "column 43: found 'length'; expected 'pattern'",
        ),
        ("'Male", "column 1: missing closing quote '"),
        (
            "Male & Parent",
            "column 6: unexpected character '&'; names with special characters are written in \
             'single quotes'",
        ),
        ("(Male", "column 6: found the end; expected ')'"),
    ] {
        match parse(text, &names) {
            Ok(expr) => panic!("{text} was read as {expr}"),
            Err(error) => assert_eq!(error.to_string(), expected, "{text}"),
        }
    }
}

#[test]
fn depth_is_bounded() {
    let names = lexicon();
    let nested = |depth: usize| format!("{}Male{}", "(".repeat(depth), ")".repeat(depth));
    assert!(parse(&nested(400), &names).is_ok());
    assert!(parse(&nested(100_000), &names).is_err());
    let mut text = "Male".to_owned();
    for _ in 0..400 {
        text = format!("({text} and Male or Parent)");
    }
    // 800 levels, though only 400 brackets.
    assert!(parse(&text, &names).is_err());
    assert!(parse(&"not ".repeat(100_000), &names).is_err());
}

#[test]
fn the_maximum_depth_round_trips() {
    let names = lexicon();
    let class = |name: &str| Expr::Is(format!("http://ex.org/#{name}"));
    let mut expr = class("Male");
    while expr.depth() < MAX_DEPTH {
        expr = match expr.depth() % 3 {
            0 => Expr::Not(Box::new(expr)),
            1 => Expr::And(vec![expr, class("Parent")]),
            _ => Expr::Or(vec![class("Parent"), expr]),
        };
    }
    let printed = print(&expr, &names);
    assert_eq!(parse(&printed, &names), Ok(expr.clone()));
    let deeper = print(&Expr::Not(Box::new(expr)), &names);
    assert!(parse(&deeper, &names).is_err());
}
