//! Reading learning problems.

use crate::damage::damage;
use pellucid_io::{LearningProblem, read_examples_from, read_problems_from};
use proptest::prelude::*;

fn problems(name: &str, text: &str) -> Vec<LearningProblem> {
    read_problems_from(text.as_bytes(), name).unwrap_or_else(|error| panic!("{error}"))
}

const CONF: &str = r#"/** An example: lp.positiveExamples = { "ex:no" } */
prefixes = [ ("ex","http://x/#"), ("y","http://y/") ] // lp.negativeExamples = {"ex:no"}
ks.fileName = "http://x/a.owl"
alg.ignored = {"ex:no"}
/* lp.positiveExamples = { "ex:no" } */
lp.positiveExamples = { "ex:a",
  y:b, http://z/c "ex:a" }
lp.negativeExamples={"ex:d"}
alg.penalty = -0.5"#;

const OLD: &str = "prefixes = [ (\"ex\",\"http://x/#\") ]\nimport(\"a.owl\");\n+\"ex:a\"\n+ex:b\n  \
                   -\"http://x/#c\"\n";

const JSON: &str = r#"{"problems": {
 "Zwei": {"negative_examples": [], "positive_examples": ["u:a", "u:b"], "more": {"x": [1]}},
 "(A ⊓ B)": {"positive_examples": ["u:c"], "negative_examples": ["u:d"]}}}"#;

#[test]
fn examples_of_configurations_are_read() {
    let found = problems("some/family.conf", CONF);
    let expected = LearningProblem {
        name: "family".to_owned(),
        positive: ["http://x/#a", "http://y/b", "http://z/c"].map(str::to_owned).to_vec(),
        negative: vec!["http://x/#d".to_owned()],
    };
    assert_eq!(found, [expected]);
    let [old] = &problems("old.conf", OLD)[..] else { panic!("expected one problem") };
    assert_eq!(old.positive, ["http://x/#a", "http://x/#b"]);
    assert_eq!(old.negative, ["http://x/#c"]);
}

#[test]
fn json_keeps_names_and_order() {
    let found = problems("a.json", JSON);
    let names: Vec<&str> = found.iter().map(|problem| problem.name.as_str()).collect();
    assert_eq!(names, ["Zwei", "(A ⊓ B)"]);
    assert_eq!(found[0].positive, ["u:a", "u:b"]);
    assert!(found[0].negative.is_empty());
    let single =
        problems("one", "{\"positive_examples\": [\"u:a\"], \"negative_examples\": [\"u:b\"]}");
    assert_eq!((single.len(), single[0].name.as_str()), (1, "one"));
}

#[test]
fn lists_have_one_name_per_line() {
    let text = "# who\n<http://x/#a>\n\n\"u:b\"\n#c\n  u:d \nu:d\n#\n";
    let found = read_examples_from(text.as_bytes(), "pos.txt");
    assert_eq!(
        found.unwrap_or_else(|error| panic!("{error}")),
        ["http://x/#a", "u:b", "#c", "u:d"]
    );
}

#[test]
fn messages_have_the_position() {
    let none = "found no examples; expected lp.positiveExamples = { \"prefix:name\", … }";
    let shape = "{\"problems\": {NAME: {\"positive_examples\": [IRI, …], \"negative_examples\": [IRI, …]}}}";
    for (name, text, expected) in [
        ("a.conf", "", format!("a.conf: {none}")),
        ("a.conf", "// lp.positiveExamples = { \"a\" }", format!("a.conf: {none}")),
        (
            "a.conf",
            "lp.negativeExamples = { \"a\" }",
            format!("a.conf: {}", none.replace("examples;", "positive examples;")),
        ),
        ("a.conf", "\n/* open", "a.conf, line 2: unexpected end of file; expected */".to_owned()),
        (
            "a.conf",
            "\nlp.positiveExamples = { a\n",
            "a.conf, line 2: unexpected end of file; expected }".to_owned(),
        ),
        (
            "a.conf",
            "lp.positiveExamples = 5",
            "a.conf, line 1: found '5'; expected { after =".to_owned(),
        ),
        (
            "a.conf",
            "lp.positiveExamples = {\n\"a }",
            "a.conf, line 2: the quoted value that starts here is never closed; expected \""
                .to_owned(),
        ),
        (
            "a.conf",
            "lp.positiveExamples = { \"a\"\nlp.negativeExamples = { \"b\" }",
            "a.conf, line 2: found '='; expected a name, a comma or }".to_owned(),
        ),
        ("a.json", "{}", format!("a.json: found no examples; expected {shape}")),
        (
            "a.json",
            "{\"problems\": {\"A\": {\"positive_examples\": [5]}}}",
            "a.json, line 1, column 43: invalid JSON: invalid type: integer `5`, expected a string"
                .to_owned(),
        ),
        (
            "a.json",
            "{\"problems\":\n {\"A\": {\"positive_examples\": []}}}",
            "a.json, line 2, column 32: invalid JSON: missing field `negative_examples`".to_owned(),
        ),
        (
            "a.json",
            "{\"positive_examples\": [], \"negative_examples\": []}",
            "a.json: found 'no positive examples for a'; expected at least one".to_owned(),
        ),
        (
            "a.json",
            "{\"problems\": ",
            "a.json, line 1, column 13: invalid JSON: EOF while parsing".to_owned(),
        ),
    ] {
        let error = read_problems_from(text.as_bytes(), name).expect_err(text).to_string();
        assert!(error.starts_with(&expected), "{error}\n{expected}");
    }
    let error = read_examples_from("# only\n\n".as_bytes(), "pos.txt").expect_err("there are none");
    assert_eq!(
        error.to_string(),
        "pos.txt: found no names; expected the IRI of an individual on each line"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(1500)))]

    #[test]
    fn damaged_problems(damages in proptest::collection::vec(damage(), 1..6)) {
        for (name, text) in [("a.conf", CONF), ("b.conf", OLD), ("a.json", JSON)] {
            let mut bytes = text.as_bytes().to_vec();
            damages.iter().for_each(|damage| damage.apply(&mut bytes));
            match read_problems_from(&bytes[..], name) {
                Ok(problems) => prop_assert!(problems.iter().all(|problem| !problem.positive.is_empty())),
                Err(error) => prop_assert!(error.to_string().starts_with(name), "{error}"),
            }
        }
    }

    #[test]
    fn any_text(
        text in "[ \\n\"={}\\[\\]()+,/*a.:-]{0,60}|.{0,40}",
        name in proptest::sample::select(vec!["a.conf", "a.json", "a"]),
    ) {
        let _ = read_problems_from(text.as_bytes(), name);
        let _ = read_examples_from(text.as_bytes(), name);
    }
}
