//! The same statements in every syntax.

use super::{sound, statements};

const XML: &str = r##"<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY xsd "http://www.w3.org/2001/XMLSchema#" > ]>
<rdf:RDF xmlns="http://x/#" xml:base="http://x/" xmlns:owl="http://www.w3.org/2002/07/owl#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <owl:Class rdf:about="#Parent">
    <owl:equivalentClass>
      <owl:Class>
        <owl:intersectionOf rdf:parseType="Collection">
          <rdf:Description rdf:about="#Person"/>
          <owl:Restriction>
            <owl:onProperty rdf:resource="#hasChild"/>
            <owl:someValuesFrom rdf:resource="http://www.w3.org/2002/07/owl#Thing"/>
          </owl:Restriction>
        </owl:intersectionOf>
      </owl:Class>
    </owl:equivalentClass>
  </owl:Class>
  <Person rdf:ID="anna"><hasChild rdf:resource="#bert"/><age rdf:datatype="&xsd;int">40</age></Person>
  <Person rdf:ID="bert"><hasChild><Person rdf:nodeID="c"/></hasChild></Person>
</rdf:RDF>
"##;

const TURTLE: &str = r#"@prefix : <http://x/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
_:c a :Person .
:bert a :Person ; :hasChild _:c .
:anna :age "40"^^<http://www.w3.org/2001/XMLSchema#int> ; a :Person ; :hasChild :bert .
:Parent a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( :Person
  [ a owl:Restriction ; owl:someValuesFrom owl:Thing ; owl:onProperty :hasChild ] ) ] .
"#;

const TRIPLES: &str = "<http://x/#anna> <http://x/#hasChild> <http://x/#bert> .\n";

#[test]
fn turtle_and_xml_give_the_same_ontology() {
    let (xml, turtle) = (sound("a.owl", XML), sound("a.ttl", TURTLE));
    assert_eq!(statements(&xml), statements(&turtle));
    assert_eq!(xml.statements, turtle.statements);
    assert_eq!(xml.individuals.len(), 3);
}

#[test]
fn the_syntax_is_detected() {
    let expected = statements(&sound("a.owl", XML));
    for name in ["a.rdf", "a.xml", "a", "a.ttl", "a.txt"] {
        assert_eq!(statements(&sound(name, XML)), expected, "{name}");
    }
    for name in ["a.owl", "a", "a.rdf"] {
        assert_eq!(statements(&sound(name, TURTLE)), expected, "{name}");
    }
    let expected = statements(&sound("a.ttl", TRIPLES));
    for name in ["a.nt", "a.nq", "a.trig", "a.owl", "a"] {
        assert_eq!(statements(&sound(name, TRIPLES)), expected, "{name}");
    }
    let graph = TRIPLES.replace(" .", " <u:graph> .");
    assert_eq!(statements(&sound("a.nq", &graph)), expected);
    assert_eq!(statements(&sound("a.trig", &format!("<u:graph> {{ {TRIPLES} }}"))), expected);
    assert_eq!(statements(&sound("a.ttl", &format!("\u{feff}{TRIPLES}"))), expected);
}

#[test]
fn a_file_in_every_syntax() {
    let read = |path: &str| {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
        let path = std::path::Path::new(root).join(path);
        pellucid_io::read_ontology(&path).unwrap_or_else(|error| panic!("{error}"))
    };
    let expected = read("examples/family.ttl");
    for ending in ["ofn", "owx", "omn", "jsonld"] {
        let found = read(&format!("tests/data/ontologies/family.{ending}"));
        assert_eq!(statements(&found), statements(&expected), "{ending}");
    }
}

#[test]
fn obo_has_classes_relations_and_individuals() {
    let ontology = sound("a.obo", include_str!("../../../../../tests/data/ontologies/anatomy.obo"));
    let found = statements(&ontology);
    for expected in [
        "\"http://purl.obolibrary.org/obo/HP_0001629\" => \"http://purl.obolibrary.org/obo/HP_0001627\"",
        "transitive http://purl.obolibrary.org/obo/BFO_0000051",
        "http://purl.obolibrary.org/obo/BFO_0000051 = inverse http://purl.obolibrary.org/obo/BFO_0000050",
        "http://pellucid.example/patients#p1 is http://pellucid.example/patients#Patient",
        "label http://purl.obolibrary.org/obo/HP_0001629 ventricular septal defect@",
        "values of http://pellucid.example/patients#age xsd:integer",
        "ignored def 1",
        "ignored synonym 1",
        "ignored xref 4",
    ] {
        assert!(found.iter().any(|line| line == expected), "{expected} in {found:#?}");
    }
    assert_eq!((ontology.roles.len(), ontology.properties.len()), (3, 1));
}

#[test]
fn rules_are_counted() {
    let functional = "Ontology(DLSafeRule(Body(ClassAtom(<u:A> Variable(<u:x>))) Head())\n\
        ClassAssertion(<u:A> <u:a>))";
    let manchester = "Rule: <u:A>(?x) -> <u:B>(?x)\nIndividual: <u:a> Types: <u:A>";
    let turtle = "@prefix s: <http://www.w3.org/2003/11/swrl#> . <u:x> a s:Variable .\n\
        [] a s:Imp ; s:head () ;\n\
        s:body [ a s:AtomList ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> [ a s:ClassAtom ;\n\
        s:classPredicate <u:A> ; s:argument1 <u:x> ] ] . <u:a> a <u:A> .";
    for (name, text) in [("a.ofn", functional), ("a.omn", manchester), ("a.ttl", turtle)] {
        let ontology = sound(name, text);
        assert_eq!(ontology.ignored, [("swrl:Imp".to_owned(), 1)], "{name}");
        assert_eq!(ontology.individuals.iter().collect::<Vec<_>>(), ["u:a"], "{name}");
    }
}

#[test]
fn relative_iris_without_a_base_are_resolved() {
    let ontology = sound("a.ttl", "<#a> <#r> <#b> .");
    assert_eq!(
        ontology.individuals.iter().collect::<Vec<_>>(),
        ["file:///ontology#a", "file:///ontology#b"]
    );
}
