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
fn relative_iris_without_a_base_are_resolved() {
    let ontology = sound("a.ttl", "<#a> <#r> <#b> .");
    assert_eq!(
        ontology.individuals.iter().collect::<Vec<_>>(),
        ["file:///ontology#a", "file:///ontology#b"]
    );
}
