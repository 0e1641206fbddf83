//! Valid ontologies with random damage: the reader does not panic, and returns consistent ontologies.

use pellucid_io::read_ontology_from;
use proptest::prelude::*;

use super::check;
use crate::damage::{Damage, damage};

const XML: &str = r##"<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE rdf:RDF [ <!ENTITY x 'http://x/#'> <!ENTITY o "http://www.w3.org/2002/07/owl#"> ]>
<rdf:RDF xmlns="&x;" xmlns:x="&x;" xml:base="http://x/" xmlns:owl="&o;"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><!-- c -->
  <owl:Class rdf:about="#P"><rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="#r"/>
  <owl:allValuesFrom><owl:Class>
  <owl:oneOf rdf:parseType="Collection"><rdf:Description rdf:about="#a"/></owl:oneOf>
  </owl:Class></owl:allValuesFrom></owl:Restriction></rdfs:subClassOf></owl:Class>
  <P rdf:ID="a" x:p="x"><r rdf:resource="&x;b"/><q rdf:parseType="Resource"><p>1</p></q>
  <s rdf:parseType="Literal"><b/></s></P>
  <P rdf:nodeID="n" xml:lang="en"><p rdf:datatype="http://www.w3.org/2001/XMLSchema#date">2001-02-03</p></P>
</rdf:RDF>
"##;

const TURTLE: &str = r#"@prefix : <u:> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @base <http://b/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :C , [ owl:complementOf :D ] ; :r :b ; :p 1.5 , "x"@en , """long
text""" . :r owl:propertyChainAxiom ( :s [ owl:inverseOf :r ] ) ; a owl:TransitiveProperty .
:C rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom [ owl:onDatatype xsd:double ;
  owl:withRestrictions ( [ xsd:minInclusive 1 ] ) ] ] ; owl:disjointUnionOf ( :D [ owl:oneOf ( :a :b ) ] ) .
<c#d> owl:sameAs :a .
"#;

const TRIPLES: &str = "<u:a> <u:r> _:b .\n_:b <u:p> \"1\"^^<http://www.w3.org/2001/XMLSchema#int> .\n\
    _:b <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <u:C> . # c\n";

fn survive(name: &str, text: &str, damages: &[Damage]) -> Result<(), TestCaseError> {
    let mut bytes = text.as_bytes().to_vec();
    damages.iter().for_each(|damage| damage.apply(&mut bytes));
    match read_ontology_from(&bytes[..], name) {
        Ok(ontology) => check(&ontology).map_err(TestCaseError::fail),
        Err(error) => {
            prop_assert!(error.to_string().starts_with(name), "{error}");
            Ok(())
        }
    }
}

#[test]
fn undamaged_files_are_valid() {
    for (name, text) in [("a.owl", XML), ("a.ttl", TURTLE), ("a.nt", TRIPLES)] {
        let ontology = super::sound(name, text);
        check(&ontology).unwrap_or_else(|error| panic!("{error}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(1500)))]

    #[test]
    fn damaged_xml(damages in proptest::collection::vec(damage(), 1..6)) {
        survive("a.owl", XML, &damages)?;
    }

    #[test]
    fn damaged_turtle(damages in proptest::collection::vec(damage(), 1..6)) {
        survive("a.ttl", TURTLE, &damages)?;
        survive("a.trig", TURTLE, &damages)?;
    }

    #[test]
    fn damaged_triples(damages in proptest::collection::vec(damage(), 1..6)) {
        survive("a.nt", TRIPLES, &damages)?;
        survive("a.nq", TRIPLES, &damages)?;
    }

    #[test]
    fn any_bytes_under_any_name(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        name in proptest::sample::select(vec!["a.owl", "a.ttl", "a.nt", "a.nq", "a.trig", "a", ".gz"]),
    ) {
        let ontology = read_ontology_from(&bytes[..], name);
        prop_assert!(ontology.is_err() || ontology.is_ok_and(|ontology| check(&ontology).is_ok()));
    }

    /// Random statements with the vocabulary of OWL.
    #[test]
    fn any_statements(picks in proptest::collection::vec((0..12usize, 0..40usize, 0..24usize), 1..40)) {
        let mut text = String::new();
        for (subject, predicate, object) in picks {
            let term = |pick: usize| match pick {
                0..6 => format!("_:b{pick}"),
                6..12 => format!("<u:n{pick}>"),
                12 => "\"1\"".to_owned(),
                13 => "\"2001-01-01\"^^<http://www.w3.org/2001/XMLSchema#date>".to_owned(),
                14 => "<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil>".to_owned(),
                15 => "<http://www.w3.org/2001/XMLSchema#double>".to_owned(),
                _ => format!("<http://www.w3.org/2002/07/owl#{}>", KINDS[pick - 16]),
            };
            let predicate = match WORDS.get(predicate) {
                Some(word) if word.starts_with("http") => (*word).to_owned(),
                Some(word) => format!("http://www.w3.org/2002/07/owl#{word}"),
                None => format!("u:p{predicate}"),
            };
            text.push_str(&format!("{} <{predicate}> {} .\n", term(subject), term(object)));
        }
        let ontology = read_ontology_from(text.as_bytes(), "a.nt").unwrap_or_else(|error| panic!("{error}"));
        check(&ontology).map_err(TestCaseError::fail)?;
    }
}

const KINDS: [&str; 8] = [
    "Class",
    "Restriction",
    "ObjectProperty",
    "DatatypeProperty",
    "AllDisjointClasses",
    "Thing",
    "TransitiveProperty",
    "FunctionalProperty",
];

const WORDS: [&str; 32] = [
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#first",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest",
    "http://www.w3.org/2000/01/rdf-schema#subClassOf",
    "http://www.w3.org/2000/01/rdf-schema#subPropertyOf",
    "http://www.w3.org/2000/01/rdf-schema#domain",
    "http://www.w3.org/2000/01/rdf-schema#range",
    "http://www.w3.org/2001/XMLSchema#minInclusive",
    "equivalentClass",
    "disjointWith",
    "disjointUnionOf",
    "complementOf",
    "intersectionOf",
    "unionOf",
    "oneOf",
    "onProperty",
    "someValuesFrom",
    "allValuesFrom",
    "hasValue",
    "minCardinality",
    "maxQualifiedCardinality",
    "onClass",
    "onDataRange",
    "onDatatype",
    "withRestrictions",
    "equivalentProperty",
    "inverseOf",
    "propertyChainAxiom",
    "sameAs",
    "members",
];
