use crate::expressions::generate::{expr_with, lexicon};
use pellucid_data::{Axiom, Datatype};
use pellucid_io::read_ontology_from;
use pellucid_logic::export::{LEARNED, functional, owlxml, rdfxml, sparql, turtle};
use pellucid_logic::syntax::{Lexicon, manchester, normal};
use pellucid_program::{Expr, Op, Value};
use proptest::prelude::*;

/// Splits intervals, because two facets are parsed as two conditions.
fn two_ends(expr: &Expr) -> Expr {
    match expr {
        Expr::Within(column, interval) => {
            let low = if interval.low.closed { Op::GreaterEqual } else { Op::Greater };
            let high = if interval.high.closed { Op::LessEqual } else { Op::Less };
            let end = |op, number| Expr::Compare(column.clone(), op, Value::Number(number));
            Expr::And(vec![end(low, interval.low.value), end(high, interval.high.value)])
        }
        Expr::Not(operand) => Expr::Not(Box::new(two_ends(operand))),
        Expr::And(operands) => Expr::And(operands.iter().map(two_ends).collect()),
        Expr::Or(operands) => Expr::Or(operands.iter().map(two_ends).collect()),
        Expr::Related(quantifier, role, filler) => {
            Expr::Related(*quantifier, role.clone(), Box::new(two_ends(filler)))
        }
        other => other.clone(),
    }
}

/// Whether a name is an IRI of an entity that round-trips; patterns do not.
fn is_readable(iri: &str) -> bool {
    !iri.contains(' ') && !iri.starts_with("_:") && !iri.contains("data#name")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(512)))]

    #[test]
    fn turtle_round_trips(expr in expr_with(is_readable)) {
        let turtle_text = turtle(&expr, &lexicon(), LEARNED);
        let ontology = read_ontology_from(turtle_text.as_bytes(), "learned.ttl")
            .map_err(|error| TestCaseError::fail(format!("{error}\n{turtle_text}")))?;
        let expected = normal(&two_ends(&expr));
        let found = ontology.axioms.iter().find_map(|axiom| match axiom {
            Axiom::Equivalent(classes) => {
                classes.iter().find(|class| **class != Expr::Is(LEARNED.to_owned()))
            }
            _ => None,
        });
        for write in [rdfxml, owlxml, functional] {
            let text = write(&expr, &lexicon(), LEARNED);
            let same = read_ontology_from(text.as_bytes(), "learned.owl")
                .map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            prop_assert_eq!(&same.axioms, &ontology.axioms, "{}", text);
        }
        let context = format!("{turtle_text}\n{:?} {:?}", ontology.notes, ontology.ignored);
        prop_assert_eq!(found.map(normal), Some(expected), "{}", context);
    }
}

#[test]
fn a_class_in_turtle() {
    let names = lexicon();
    let expr = manchester::parse(
        "Male and inverse hasChild min 2 (not Parent) and charge some xsd:double[>= 0.1, < 5] \
         and hasChild value anna",
        &names,
    )
    .expect("an expression");
    let turtle_text = turtle(&expr, &names, LEARNED);
    let body = turtle_text.split_once("[] a owl:Ontology .\n").map_or("", |(_, body)| body);
    let facets = r#"[ xsd:minInclusive "0.1"^^xsd:double ] [ xsd:maxExclusive "5"^^xsd:double ]"#;
    assert_eq!(
        body,
        r#"<http://ex.org/#Male> a owl:Class .
<http://ex.org/#Parent> a owl:Class .
<http://ex.org/#charge> a owl:DatatypeProperty .
<http://ex.org/#anna> a owl:NamedIndividual .
<http://ex.org/#hasChild> a owl:ObjectProperty .

<urn:pellucid:Learned> a owl:Class ;
    owl:equivalentClass [
        a owl:Class ;
        owl:intersectionOf (
            <http://ex.org/#Male>
            [
                a owl:Restriction ;
                owl:onProperty [ owl:inverseOf <http://ex.org/#hasChild> ] ;
                owl:minQualifiedCardinality "2"^^xsd:nonNegativeInteger ;
                owl:onClass [
                    a owl:Class ;
                    owl:complementOf <http://ex.org/#Parent>
                ]
            ]
            [
                a owl:Restriction ;
                owl:onProperty <http://ex.org/#charge> ;
                owl:someValuesFrom [
                    a rdfs:Datatype ;
                    owl:onDatatype xsd:double ;
                    owl:withRestrictions ( FACETS )
                ]
            ]
            [
                a owl:Restriction ;
                owl:onProperty <http://ex.org/#hasChild> ;
                owl:hasValue <http://ex.org/#anna>
            ]
        )
    ] .
"#
        .replace("FACETS", facets)
    );
}

#[test]
fn a_query_in_sparql() {
    let names = lexicon();
    let expr = manchester::parse(
        "Male and hasChild only (charge some xsd:double[>= 0.1]) and hasChild max 1 Parent",
        &names,
    )
    .expect("an expression");
    let query = sparql(&expr, &names);
    let body = query.split_once("SELECT").map_or("", |(_, body)| body);
    let lines = [
        " DISTINCT ?x WHERE {",
        "  ?x a <http://ex.org/#Male> .",
        "  FILTER (!EXISTS { ?x <http://ex.org/#hasChild> ?y1 . \
         FILTER (!(EXISTS { ?y1 <http://ex.org/#charge> ?y2 . \
         FILTER (?y2 >= \"0.1\"^^xsd:double) })) })",
        "  OPTIONAL { SELECT ?x (COUNT(DISTINCT ?y3) AS ?n4) \
         WHERE { ?x <http://ex.org/#hasChild> ?y3 . \
         FILTER (EXISTS { ?y3 a <http://ex.org/#Parent> }) } GROUP BY ?x }",
        "  FILTER (COALESCE(?n4, 0) <= 1)",
        "}",
        "",
    ];
    assert_eq!(body, lines.join("\n"));
}

/// Expands `\u003E`, as some engines do before parsing.
fn expanded(query: &str) -> String {
    let mut out = String::new();
    let mut rest = query;
    while let Some((before, after)) = rest.split_once("\\u") {
        let code = after.get(..4).and_then(|code| u32::from_str_radix(code, 16).ok());
        out += before;
        match code.and_then(char::from_u32) {
            Some(letter) => out.push(letter),
            None => out += "\\u",
        }
        rest = if code.is_some() { &after[4..] } else { after };
    }
    out + rest
}

proptest! {
    /// No name and no text can inject a query.
    #[test]
    fn names_cannot_inject_queries(name in "[a> <\"{}|^`\\\\u0-9E#.;\n\r\u{0}\u{85}\u{2028}\u{202e}]{0,16}") {
        let queries = [name.as_str(), "plain"].map(|name| {
            let class = Expr::Is(format!("http://ex.org/#{name}"));
            let text = Expr::Compare("x".into(), Op::Equal, Value::Text(name.to_owned()));
            let role = pellucid_program::Role { name: "http://ex.org/data#name".into(), inverse: false };
            let some = Expr::Related(pellucid_program::Quantifier::Some, role, Box::new(text));
            expanded(&sparql(&Expr::And(vec![class, some]), &lexicon()))
        });
        // Apart from the texts, both queries have the same lines, brackets and quotes.
        let outline = |query: &str| {
            let (mut outline, mut until) = (String::new(), None);
            let mut letters = query.split_once("SELECT").map_or("", |(_, body)| body).chars();
            while let Some(letter) = letters.next() {
                match (until, letter) {
                    (None, '<') => until = Some('>'),
                    (None, '"') => until = Some('"'),
                    (Some('"'), '\\') => drop(letters.next()),
                    (Some(end), letter) if letter == end => until = None,
                    (Some(_), _) => {}
                    (None, letter) => outline.push(letter),
                }
            }
            outline
        };
        prop_assert_eq!(outline(&queries[0]), outline(&queries[1]), "{}", queries[0]);
    }
}

#[test]
fn conditions_have_the_datatypes_of_the_data() {
    let types = |types: &[&str]| {
        let types = types.iter().map(|name| (*name).to_owned()).collect();
        let names = Lexicon::default().property("u:p", "p", Datatype::Real);
        names.value_types("u:p", types)
    };
    let written = |text: &str, names: &Lexicon| {
        let expr = manchester::parse(text, names).expect("valid");
        turtle(&expr, names, LEARNED).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let decimal = written("p some xsd:double[>= 0.1]", &types(&["xsd:decimal"]));
    assert!(decimal.contains("owl:onDatatype xsd:decimal"), "{decimal}");
    assert!(decimal.contains("[ xsd:minInclusive \"0.1\"^^xsd:decimal ]"), "{decimal}");
    let whole = written("p some xsd:double[> 2.5]", &types(&["xsd:int", "xsd:long"]));
    assert!(whole.contains("[ xsd:minInclusive \"3\"^^xsd:integer ]"), "{whole}");
    let both = written("p some xsd:double[< 2]", &types(&["xsd:double", "xsd:float"]));
    assert!(both.contains("owl:unionOf") && both.contains("\"2\"^^xsd:float"), "{both}");
    let texts = Lexicon::default().property("u:p", "p", Datatype::Text);
    let texts = texts.value_types("u:p", vec!["@en".to_owned(), "xsd:string".to_owned()]);
    let text = written("p value \"x\"", &texts);
    assert!(text.contains("owl:oneOf ( \"x\"@en \"x\" )"), "{text}");
}
