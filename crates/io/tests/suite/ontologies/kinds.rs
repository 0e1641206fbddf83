//! The kinds of names, declared or inferred.

use super::{axioms, sound, statements, turtle};

fn names(register: &pellucid_data::Register) -> Vec<&str> {
    register.iter().collect()
}

#[test]
fn kinds_are_inferred_from_use() {
    let ontology =
        turtle(":a :r :b ; :p 1 , 2.5 , true , \"x\"@en , \"2024-01-01\"^^xsd:date ; a :C .");
    assert_eq!(names(&ontology.classes), ["u:C"]);
    assert_eq!(names(&ontology.roles), ["u:r"]);
    assert_eq!(names(&ontology.properties), ["u:p"]);
    assert_eq!(names(&ontology.individuals), ["u:a", "u:b"]);
    let kinds: Vec<String> =
        ontology.values[0].iter().map(|datum| format!("{:?}", datum.datatype)).collect();
    assert_eq!(kinds, ["Integer", "Real", "Boolean", "Text", "Date"]);
    assert_eq!(ontology.statements, 7);
    assert_eq!(ontology.notes, [""; 0]);
}

#[test]
fn declarations_may_come_last() {
    let text = ":a :note \"text\" ; :r :b . :b :note \"more\" . :C rdfs:label \"c\" ; :note \"class\" .\n\
                :note a owl:AnnotationProperty . :r a owl:ObjectProperty . :C a owl:Class .";
    let ontology = turtle(text);
    assert!(ontology.properties.is_empty() && ontology.texts.is_empty());
    assert_eq!(names(&ontology.individuals), ["u:a", "u:b"]);
    assert_eq!(ontology.ignored, [("u:note".to_owned(), 3)]);
    assert_eq!(ontology.labels.len(), 1);
}

#[test]
fn statements_about_classes_and_headers_are_not_assertions() {
    let text = "<u:o> a owl:Ontology ; :author \"x\" ; owl:versionInfo \"1\" ; owl:imports <u:other> .\n\
                :C a owl:Class ; :author \"y\" . :a a :C .";
    let ontology = turtle(text);
    assert_eq!(names(&ontology.individuals), ["u:a"]);
    assert!(ontology.properties.is_empty());
    assert_eq!(
        ontology.notes,
        ["did not find the import u:other beside the file; imports are not fetched"]
    );
    let ignored = ["owl:imports 1", "owl:versionInfo 1", "u:author 2"];
    let found: Vec<String> =
        ontology.ignored.iter().map(|(name, count)| format!("{name} {count}")).collect();
    assert_eq!(found, ignored);
}

#[test]
fn a_property_may_have_two_kinds() {
    let ontology = turtle(":a :r :b , 5 . :d a owl:DatatypeProperty . :a :d :c .");
    assert_eq!(names(&ontology.roles), ["u:r", "u:d"]);
    assert_eq!(names(&ontology.properties), ["u:r", "u:d"]);
    assert_eq!(
        ontology.notes,
        [
            "read u:r as an object property and a data property, because it has 1 individuals and 1 literals \
             as objects",
            "read u:d also as an object property: it is declared as a data property, but has individuals \
             as objects"
        ]
    );
}

#[test]
fn kinds_of_properties_are_inferred_from_related_properties() {
    let text = ":p rdfs:range xsd:double . :q rdfs:subPropertyOf :p . :s a owl:SymmetricProperty .\n\
                :t rdfs:domain :C . :u a rdf:Property . :f a owl:FunctionalProperty ; rdfs:range xsd:int .\n\
                [] a owl:Restriction ; owl:onProperty :v ; owl:hasValue 5 .";
    let ontology = turtle(text);
    assert_eq!(names(&ontology.properties), ["u:p", "u:q", "u:f", "u:v"]);
    assert_eq!(names(&ontology.roles), ["u:s", "u:t", "u:u"]);
    assert_eq!(
        axioms(&ontology),
        ["u:q => u:p", "domain u:t u:C", "symmetric u:s", "functional u:f"]
    );
}

#[test]
fn unnamed_individuals_are_named_deterministically() {
    let text = ":a :r [ :r [ a :C ] ] . _:b1 :r :a .";
    let ontology = turtle(text);
    assert_eq!(statements(&ontology), statements(&turtle(text)));
    let mut found = names(&ontology.individuals);
    found.sort_unstable();
    assert_eq!(found, ["_:b1", "_:b2", "_:b3", "u:a"]);
}

#[test]
fn assertions_about_assertions_are_counted() {
    let text = ":a :r :b . [] a owl:Axiom ; owl:annotatedSource :a ; :why \"x\" .\n\
                [] a owl:NegativePropertyAssertion ; owl:sourceIndividual :a ; owl:targetIndividual :c .\n\
                [] a owl:AllDifferent ; owl:distinctMembers ( :a :b ) . \
                :a owl:differentFrom :b ; owl:sameAs :d .";
    let ontology = turtle(text);
    assert_eq!(names(&ontology.individuals), ["u:a", "u:b", "u:d"]);
    assert_eq!(ontology.same, [[0, 2]]);
    let found: Vec<String> =
        ontology.ignored.iter().map(|(name, count)| format!("{name} {count}")).collect();
    assert_eq!(found, ["owl:Axiom 1", "owl:NegativePropertyAssertion 1", "u:why 1"]);
}

#[test]
fn old_rdf_xml_files_are_read() {
    let text = "<?xml version='1.0' encoding='ISO-8859-1'?>\n<!DOCTYPE rdf:RDF [\n<!ENTITY owl \
    'http://www.w3.org/2002/07/owl#'>\n\
                <!ENTITY x \"http://x/#\"> ]>\n<rdf:RDF xml:base='http://x/' xmlns='&x;' xmlns:owl='&owl;'\n \
                xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n,\n<owl:Class rdf:ID='C'/>\n\
                <C rdf:about='#a'><r rdf:resource='&x;b'/>\n  stray\n</C>\
                <C rdf:about='#caf\u{e9}'/>\n</rdf:RDF>\n";
    let latin: Vec<u8> = text.chars().map(|letter| u8::try_from(letter).expect("Latin")).collect();
    let ontology = pellucid_io::read_ontology_from(&latin[..], "old.owl");
    let ontology = ontology.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(names(&ontology.individuals), ["http://x/#a", "http://x/#b", "http://x/#caf\u{e9}"]);
    assert_eq!(names(&ontology.classes), ["http://x/#C"]);
    assert_eq!(
        ontology.notes,
        [
            "line 7: ignored the text ',' between elements",
            "line 10: ignored the text 'stray' between elements"
        ]
    );
    assert_eq!(
        statements(&ontology),
        statements(&sound("old.owl", &text.replace(" encoding='ISO-8859-1'", "")))
    );
}
