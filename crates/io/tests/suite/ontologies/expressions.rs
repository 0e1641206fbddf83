//! Class expressions and axioms.

use super::{axioms, turtle};

/// Returns the superclass of `C` in a file with an object property `r`, a data property `p` and individuals
/// `a` and `b`.
fn class(expression: &str) -> String {
    let text = format!(":a :r :b ; :p 1 . :C rdfs:subClassOf {expression} .");
    let ontology = turtle(&text);
    assert_eq!(ontology.notes, [""; 0], "{expression}");
    let [axiom] = &axioms(&ontology)[..] else { panic!("{:?}", axioms(&ontology)) };
    axiom.strip_prefix("u:C => ").expect("the class is first").to_owned()
}

fn restriction(rest: &str) -> String {
    class(&format!("[ a owl:Restriction ; {rest} ]"))
}

#[test]
fn class_expressions_are_read() {
    for (turtle, expected) in [
        ("owl:Thing", "true"),
        ("owl:Nothing", "false"),
        (":D", "u:D"),
        ("[ owl:intersectionOf ( :D [ owl:unionOf ( :E :F ) ] ) ]", "u:D and (u:E or u:F)"),
        ("[ a owl:Class ; owl:complementOf :D ]", "not u:D"),
        ("[ owl:oneOf ( :a :b ) ]", "individual in {u:a, u:b}"),
        ("[ owl:oneOf ( :a ) ]", "individual = u:a"),
    ] {
        assert_eq!(class(turtle), expected, "{turtle}");
    }
}

#[test]
fn restrictions_are_read() {
    for (turtle, expected) in [
        ("owl:onProperty :r ; owl:someValuesFrom :D", "some u:r (u:D)"),
        ("owl:onProperty :r ; owl:allValuesFrom owl:Thing", "only u:r (true)"),
        ("owl:onProperty [ owl:inverseOf :r ] ; owl:someValuesFrom :D", "some inverse u:r (u:D)"),
        ("owl:onProperty :r ; owl:hasValue :b", "some u:r (individual = u:b)"),
        ("owl:onProperty :r ; owl:minCardinality 2", "min 2 u:r (true)"),
        ("owl:onProperty :r ; owl:maxQualifiedCardinality 3 ; owl:onClass :D", "max 3 u:r (u:D)"),
        (
            "owl:onProperty :r ; owl:cardinality \"1\"^^xsd:nonNegativeInteger",
            "exactly 1 u:r (true)",
        ),
        ("owl:onProperty :p ; owl:someValuesFrom xsd:double", "some u:p (true)"),
        ("owl:onProperty :p ; owl:hasValue 5", "some u:p (u:p = 5)"),
        ("owl:onProperty :p ; owl:hasValue true", "some u:p (u:p = 'true')"),
        (
            "owl:onProperty :p ; owl:someValuesFrom [ a rdfs:Datatype ; owl:onDatatype xsd:double ; \
             owl:withRestrictions ( [ xsd:minInclusive 1.5 ] [ xsd:maxExclusive 2 ] ) ]",
            "some u:p (u:p >= 1.5 and u:p < 2)",
        ),
        (
            "owl:onProperty :p ; owl:allValuesFrom [ a owl:DataRange ; owl:oneOf ( \"x\" \"y\" ) ]",
            "only u:p (u:p in {x, y})",
        ),
        (
            "owl:onProperty :p ; owl:qualifiedCardinality 1 ; owl:onDataRange [ owl:onDatatype xsd:date ; \
             owl:withRestrictions ( [ xsd:minExclusive \"1970-01-02\"^^xsd:date ] ) ]",
            "exactly 1 u:p (u:p > 86400)",
        ),
    ] {
        assert_eq!(restriction(turtle), expected, "{turtle}");
    }
}

#[test]
fn axioms_are_read() {
    let declared = ":r a owl:ObjectProperty . :s a owl:ObjectProperty . :p a owl:DatatypeProperty \
                    . :q a owl:DatatypeProperty .\n";
    for (text, expected) in [
        (":C owl:equivalentClass :D .", vec!["equivalent u:C; u:D"]),
        (":C owl:unionOf ( :D :E ) .", vec!["equivalent u:C; u:D or u:E"]),
        (":C owl:complementOf :D .", vec!["equivalent u:C; not u:D"]),
        (":C owl:disjointWith :D .", vec!["disjoint u:C; u:D"]),
        (
            "[] a owl:AllDisjointClasses ; owl:members ( :C :D :E ) .",
            vec!["disjoint u:C; u:D; u:E"],
        ),
        (
            ":C owl:disjointUnionOf ( :D :E ) .",
            vec!["equivalent u:C; u:D or u:E", "disjoint u:D; u:E"],
        ),
        (":r rdfs:subPropertyOf :s .", vec!["u:r => u:s"]),
        (":p rdfs:subPropertyOf :q .", vec!["u:p => u:q"]),
        (":p owl:equivalentProperty :q .", vec!["u:p => u:q", "u:q => u:p"]),
        (":r owl:equivalentProperty :s .", vec!["u:r = u:s"]),
        (":r owl:inverseOf :s .", vec!["u:r = inverse u:s"]),
        (":r rdfs:subPropertyOf [ owl:inverseOf :s ] .", vec!["u:r => inverse u:s"]),
        (
            ":r owl:propertyChainAxiom ( :s [ owl:inverseOf :r ] ) .",
            vec!["u:s o inverse u:r => u:r"],
        ),
        (
            ":r a owl:TransitiveProperty , owl:ReflexiveProperty .",
            vec!["transitive u:r", "reflexive u:r"],
        ),
        (
            ":r a owl:FunctionalProperty . :p a owl:FunctionalProperty .",
            vec!["functional u:r", "functional u:p"],
        ),
        (":r rdfs:domain :C ; rdfs:range :D .", vec!["domain u:r u:C", "range u:r u:D"]),
        (":p rdfs:domain :C ; rdfs:range xsd:int .", vec!["domain u:p u:C"]),
        ("[ owl:unionOf ( :C :D ) ] rdfs:subClassOf :E .", vec!["u:C or u:D => u:E"]),
    ] {
        assert_eq!(axioms(&turtle(&format!("{declared}{text}"))), expected, "{text}");
    }
}

#[test]
fn individuals_are_described() {
    let ontology = turtle(":a a [ owl:complementOf :D ] .");
    let described: Vec<String> =
        ontology.described.iter().map(|(one, class)| format!("{one} {class}")).collect();
    assert_eq!(described, ["0 not u:D"]);
    assert!(ontology.types.is_empty());
}

#[test]
fn invalid_axioms_are_ignored_and_noted() {
    for (text, why) in [
        (":C rdfs:subClassOf [ owl:unionOf _:l ] . _:l rdf:first :D .", "the list is broken"),
        (
            ":C rdfs:subClassOf [ owl:unionOf _:l ] . _:l rdf:first :D ; rdf:rest _:l .",
            "the list is circular",
        ),
        (
            ":C rdfs:subClassOf _:x . _:x owl:complementOf _:x .",
            "the class expression is more than 240 nodes deep",
        ),
        (
            ":C rdfs:subClassOf _:x . _:x owl:intersectionOf ( _:x _:x ) .",
            "the class expression is more than 240 nodes deep",
        ),
        (":C rdfs:subClassOf [ a owl:Class ] .", "found a class without a name or a definition"),
        (":C rdfs:subClassOf \"D\" .", "found a literal; expected a class"),
        (
            ":C rdfs:subClassOf [ owl:onProperty :r ; owl:hasSelf true ] .",
            "owl:hasSelf is not supported",
        ),
        (
            ":C rdfs:subClassOf [ owl:onProperty :r ; owl:minCardinality -1 ] .",
            "found '-1'; expected a cardinality",
        ),
        (":C rdfs:subClassOf [ owl:onProperty :r ] .", "the restriction on u:r has no condition"),
        (
            ":a :p 1 . :C rdfs:subClassOf [ owl:onProperty :p ; owl:hasValue \"x\"^^xsd:int ] .",
            "found 'x'; expected a number",
        ),
    ] {
        let ontology = turtle(text);
        assert_eq!(axioms(&ontology), [""; 0], "{text}");
        let expected = format!("ignored rdfs:subClassOf of u:C: {why}");
        assert_eq!(ontology.notes, [expected.as_str()], "{text}");
        assert!(ontology.ignored.contains(&("rdfs:subClassOf".to_owned(), 1)), "{text}");
    }
}

#[test]
fn expressions_with_shared_parts_are_limited() {
    let mut text = ":C rdfs:subClassOf _:x0 .\n".to_owned();
    for level in 0..100 {
        text.push_str(&format!("_:x{level} owl:unionOf ( _:x{0} _:x{0} ) .\n", level + 1));
    }
    text.push_str("_:x100 owl:complementOf :D .\n");
    let ontology = turtle(&text);
    assert_eq!(axioms(&ontology), [""; 0]);
    let [note] = &ontology.notes[..] else { panic!("{:?}", ontology.notes) };
    assert!(note.contains("its parts are shared too often"), "{note}");
}

#[test]
fn deep_files_do_not_overflow_the_stack() {
    let depth = 100_000;
    let lists = format!(":a :r {}{} .", "( ".repeat(depth), ") ".repeat(depth));
    assert_eq!(turtle(&lists).individuals.len(), 2);
    let nodes =
        format!(":a :r {}{} .", "[ :r ".repeat(depth), ":b ".to_owned() + &"] ".repeat(depth));
    assert_eq!(turtle(&nodes).individuals.len(), depth + 2);
    let open = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:u='u:'>";
    let (inside, outside) = ("<u:C><u:r>".repeat(depth), "</u:r></u:C>".repeat(depth));
    let text = format!("{open}{inside}<u:D/>{outside}</rdf:RDF>");
    let xml = pellucid_io::read_ontology_from(text.as_bytes(), "a.owl");
    assert_eq!(
        xml.map(|xml| xml.individuals.len()).map_err(|error| error.to_string()),
        Ok(depth + 1)
    );
}

#[test]
fn deep_expressions_are_limited() {
    for (depth, read) in [(200, 1), (5000, 0)] {
        let mut text = ":C rdfs:subClassOf _:x0 .\n".to_owned();
        for level in 0..depth {
            text.push_str(&format!("_:x{level} owl:complementOf _:x{} .\n", level + 1));
        }
        text.push_str(&format!("_:x{depth} owl:complementOf :D .\n"));
        let ontology = turtle(&text);
        assert_eq!((ontology.axioms.len(), ontology.notes.len()), (read, 1 - read));
    }
}

#[test]
fn shared_lists_are_read_once() {
    let mut text = "_:l0 rdf:first :a ; rdf:rest _:l1 .\n".to_owned();
    for number in 1..2000 {
        text.push_str(&format!(
            "_:l{number} rdf:first :a{number} ; rdf:rest _:l{} .\n",
            number + 1
        ));
        text.push_str(&format!(":C{number} owl:oneOf _:l{number} . :C owl:oneOf _:l{number} .\n"));
        text.push_str(&format!("_:r owl:onProperty :r{number} ; owl:hasValue {number} .\n"));
    }
    text.push_str("_:l2000 rdf:first :b ; rdf:rest _:l1000 .\n");
    let ontology = turtle(&text);
    assert_eq!(ontology.individuals.len(), 2000);
    assert_eq!(ontology.properties.len(), 1999);
    assert!(ontology.axioms.is_empty());
    assert!(ontology.notes[0].ends_with("the list is circular"), "{:?}", ontology.notes);
}
