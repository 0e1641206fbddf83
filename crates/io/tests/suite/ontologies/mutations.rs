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
:C rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom [ owl:onDatatype
xsd:double ;
  owl:withRestrictions ( [ xsd:minInclusive 1 ] ) ] ] ; owl:disjointUnionOf ( :D [ owl:oneOf ( :a :b ) ] ) .
<c#d> owl:sameAs :a .
"#;

const TRIPLES: &str = "<u:a> <u:r> _:b .\n_:b <u:p> \"1\"^^<http://www.w3.org/2001/XMLSchema#int> .\n\
    _:b <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <u:C> . # c\n";

const FUNCTIONAL: &str = r#"Prefix(:=<u:>) Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>) # c
Ontology(<u:o> <u:o1> Annotation(<u:n> "x"@en) Declaration(Class(:A)) Declaration(ObjectProperty(:r))
SubClassOf(Annotation(<u:n> _:x) :A ObjectIntersectionOf(:B ObjectMinCardinality(2 :r
ObjectComplementOf(:C))))
EquivalentClasses(:A DataSomeValuesFrom(:p DatatypeRestriction(xsd:integer xsd:minInclusive
"1"^^xsd:integer)) ObjectOneOf(:a :b))
SubObjectPropertyOf(ObjectPropertyChain(:r ObjectInverseOf(:s)) :r) DisjointUnion(:A :B :C)
ClassAssertion(:A _:x) ObjectPropertyAssertion(ObjectInverseOf(:r) :a _:x) DataPropertyAssertion(:p :a
"x\"y")
DLSafeRule(Body(ClassAtom(:A Variable(<u:v>))) Head()) DifferentIndividuals(:a :b))
"#;

const OWL_XML: &str = r##"<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE Ontology [ <!ENTITY x 'http://x/#'> ]>
<Ontology xmlns="http://www.w3.org/2002/07/owl#" xml:base="http://x/" ontologyIRI="http://x/"><!-- c -->
<Prefix name="" IRI="&x;"/><Import>http://y/</Import><Declaration><Class abbreviatedIRI=":A"/></Declaration>
<SubClassOf><Annotation><AnnotationProperty IRI="n"/><Literal xml:lang="en">x &amp; y</Literal></Annotation>
<Class IRI="#A"/><ObjectMaxCardinality cardinality="2"><ObjectInverseOf><ObjectProperty
IRI="#r"/></ObjectInverseOf>
<Class IRI="#B"/></ObjectMaxCardinality></SubClassOf>
<DataPropertyAssertion><DataProperty IRI="#p"/><AnonymousIndividual nodeID="_:x"/><Literal
datatypeIRI="&x;d">1</Literal>
</DataPropertyAssertion><ClassAssertion><DataSomeValuesFrom><DataProperty
IRI="#p"/><DatatypeRestriction><Datatype
IRI="http://www.w3.org/2001/XMLSchema#int"/><FacetRestriction
facet="http://www.w3.org/2001/XMLSchema#minInclusive">
<Literal>1</Literal></FacetRestriction></DatatypeRestriction></DataSomeValuesFrom><NamedIndividual
IRI="#a"/></ClassAssertion>
</Ontology>
"##;

const MANCHESTER: &str = r#"Prefix: : <u:> Prefix: xsd: <http://www.w3.org/2001/XMLSchema#>
Ontology: <u:o> Import: <u:i> Annotations: rdfs:label "x"@en, :n :a # c
Class: A Annotations: rdfs:comment "x" EquivalentTo: (B or not C) and r some (s only {a, b}), r min 2 D,
p some integer[>= 1, < 5]
 DisjointWith: Annotations: rdfs:comment "y" E DisjointUnionOf: F, G
ObjectProperty: r Characteristics: Transitive, Symmetric InverseOf: s SubPropertyChain: r o inverse (s)
Domain: A
DataProperty: p Range: {1, 2.5, "x"} Individual: a Types: A, r value b Facts: r b, not p 5, p
"x\"y"^^xsd:string, q true
Individual: _:x SameAs: a DifferentIndividuals: a, b Rule: A(?x) -> B(?x)
"#;

const OBO: &str = r#"format-version: 1.2
ontology: x
idspace: Y http://y/ "y"
owl-axioms: Ontology(\nDeclaration(Class(<u:A>)))
[Term]
id: X:1
name: one \! ! c
is_a: X:2 {s="t"} ! two
intersection_of: X:3
intersection_of: part_of X:4 {cardinality="2"}
relationship: part_of Y:5
synonym: "s" EXACT []
[Typedef]
id: part_of
xref: BFO:0000050
is_transitive: true
holds_over_chain: part_of r
[Instance]
id: X:9
instance_of: X:1
property_value: part_of X:8
property_value: mass "1.5" xsd:double
"#;

const JSON: &str = r#"{"@context": {"@vocab": "u:", "xsd": "http://www.w3.org/2001/XMLSchema#", "r":
{"@type": "@id"}},
"@graph": [{"@id": "u:a", "@type": "A", "r": ["u:b", {"@id": "_:x", "p": 1.5}], "p": [1, "x", true,
{"@value": "2001-02-03", "@type": "xsd:date"}, {"@value": "y", "@language": "en"}]}, {"@id": "u:l", "m":
{"@list": [1, 2]}}]}
"#;

const OTHERS: [(&str, &str); 5] = [
    ("a.ofn", FUNCTIONAL),
    ("a.owx", OWL_XML),
    ("a.omn", MANCHESTER),
    ("a.obo", OBO),
    ("a.jsonld", JSON),
];

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
    let files = [("a.owl", XML), ("a.ttl", TURTLE), ("a.nt", TRIPLES)];
    for (name, text) in files.into_iter().chain(OTHERS) {
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
    fn damaged_others(
        (name, text) in proptest::sample::select(OTHERS.to_vec()),
        damages in proptest::collection::vec(damage(), 1..6),
    ) {
        survive(name, text, &damages)?;
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
