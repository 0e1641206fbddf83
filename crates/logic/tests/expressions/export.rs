use crate::generate::lexicon;
use pellucid_logic::export::{LEARNED, sparql, turtle};
use pellucid_logic::syntax::manchester;

#[test]
fn a_class_in_turtle() {
    let names = lexicon();
    let expr = manchester::parse(
        "Male and inverse hasChild min 2 (not Parent) and charge some xsd:double[>= 0.1, < 5] and hasChild value anna",
        &names,
    )
    .expect("an expression");
    let written = turtle(&expr, &names, LEARNED);
    let body = written.split_once("[] a owl:Ontology .\n").map_or("", |(_, body)| body);
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
                    owl:withRestrictions ( [ xsd:minInclusive "0.1"^^xsd:double ] [ xsd:maxExclusive "5"^^xsd:double ] )
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
    let written = sparql(&expr, &names);
    let body = written.split_once("SELECT").map_or("", |(_, body)| body);
    assert_eq!(
        body,
        r#" DISTINCT ?x WHERE {
  ?x a <http://ex.org/#Male> .
  FILTER (!EXISTS { ?x <http://ex.org/#hasChild> ?y1 . FILTER (!(EXISTS { ?y1 <http://ex.org/#charge> ?y2 . FILTER (?y2 >= "0.1"^^xsd:double) })) })
  FILTER (!EXISTS { SELECT ?x WHERE { ?x <http://ex.org/#hasChild> ?y3 . FILTER (EXISTS { ?y3 a <http://ex.org/#Parent> }) } GROUP BY ?x HAVING (COUNT(DISTINCT ?y3) >= 2) })
}
"#
    );
}
