//! Malformed ontologies: the message has the file, the position, what was found and what was expected.

use std::io::Write;

use pellucid_io::read_ontology_from;

const OPEN: &str = "<?xml version=\"1.0\"?>\n<rdf:RDF \
    xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
                    xmlns:u=\"u:\">\n";

fn error(name: &str, bytes: &[u8]) -> String {
    match read_ontology_from(bytes, name) {
        Ok(ontology) => panic!("{name} was read: {ontology:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn messages_have_the_position() {
    let open = |rest: &str| format!("{OPEN}{rest}");
    for (name, text, expected) in [
        ("a.owl", String::new(), "a.owl: found no statements; expected an ontology"),
        ("a.owl", "\n \n".to_owned(), "a.owl: found no statements; expected an ontology"),
        ("a.owl", open("</rdf:RDF>"), "a.owl: found no statements; expected an ontology"),
        (
            "a.owl",
            open("<u:C rdf:about='u:a'>\n</u:D></rdf:RDF>"),
            "a.owl, line 4, column 7: invalid RDF/XML: ill-formed document: expected `</u:C>`, but \
             `</u:D>` was found",
        ),
        (
            "a.owl",
            open("<u:C rdf:about='u:a'/>\n"),
            "a.owl, line 4, column 1: invalid RDF/XML: unexpected end of file; expected </rdf:RDF>",
        ),
        (
            "a.owl",
            open("<u:C rdf:about='u:a'><u:p>&nope;</u:p></u:C>"),
            "a.owl, line 3, column 33: invalid RDF/XML: at 1..5: unrecognized entity `nope`",
        ),
        (
            "a.ttl",
            "@prefix : <u:> .\n:a :b ;; ]".to_owned(),
            "a.ttl, line 2, column 7: invalid Turtle: ; is not a valid RDF object",
        ),
        (
            "a.ttl",
            "@prefix : <u:> .\n:a x:b :c .".to_owned(),
            "a.ttl, line 2, column 4: invalid Turtle: The prefix x: has not been declared",
        ),
        (
            "a.nt",
            "<u:a> <u:b>\n".to_owned(),
            "a.nt, line 2, column 1: invalid N-Triples: line \
             jumps are not allowed in the middle of triples",
        ),
        (
            "a.owl",
            "<?xml version=\"1.0\" encoding=\"KOI8-R\"?><r/>".to_owned(),
            "a.owl, line 1: found 'koi8-r'; expected UTF-8 or ISO-8859-1",
        ),
        (
            "a.owl",
            "<?xml version=\"1.0\"?>\n<!-- nothing".to_owned(),
            "a.owl: invalid RDF/XML: found no element; expected <rdf:RDF>",
        ),
    ] {
        let found = error(name, text.as_bytes());
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

/// Files with an error, and the message.
const TEXTS: [(&str, &str, &str); 16] = [
    (
        "a.owl",
        "Prefix(:=<u:>)\nOntology(<u:o>)",
        "a.owl: found no statements; expected an ontology",
    ),
    (
        "a.ofn",
        "Ontology(<u:o>\n  SubclassOf(<u:a> <u:b>))",
        "a.ofn, line 2, column 3: invalid functional syntax: found 'SubclassOf'; expected an \
         axiom or an expression; did you mean 'SubClassOf'?",
    ),
    (
        "a.ofn",
        "Ontology(SubClassOf(<u:a>))",
        "a.ofn, line 1, column 10: invalid functional syntax: SubClassOf has 1 part; expected 2",
    ),
    (
        "a.ofn",
        "Ontology(SubClassOf(x:a <u:b>))",
        "a.ofn, line 1, column 21: invalid functional syntax: found 'x:a'; the prefix 'x:' has \
         not been declared",
    ),
    (
        "a.ofn",
        "Ontology(ClassAssertion(<u:a> \"b\"))",
        "a.ofn, line 1, column 10: invalid functional syntax: found a literal; expected an individual",
    ),
    (
        "a.ofn",
        "Ontology(SubClassOf(<u:a> ObjectSomeValuesFrom(<u:r> \"b\")))",
        "a.ofn, line 1, column 27: invalid functional syntax: found a literal; expected a class",
    ),
    (
        "a.ofn",
        "Ontology(Declaration(Class(<u:a>))",
        "a.ofn, line 1, column 35: invalid functional syntax: found the end of the file; \
         expected an axiom or ')'",
    ),
    (
        "a.ofn",
        "Ontology(DataPropertyAssertion(<u:p> <u:a> \"b))",
        "a.ofn, line 1, column 44: invalid functional syntax: the text that starts here is never \
         closed; expected \"",
    ),
    (
        "a.omn",
        "Class: <u:a>\n  SubclassOf: <u:b>",
        "a.omn, line 2, column 3: invalid Manchester syntax: found 'SubclassOf:'; expected a frame \
         or a section such as 'Class:' or 'SubClassOf:'; did you mean 'SubClassOf:'?",
    ),
    (
        "a.omn",
        "Class: <u:a> SubClassOf: <u:r> some",
        "a.omn, line 1, column 36: invalid Manchester syntax: found the end of the file; expected a \
         class or a property",
    ),
    (
        "a.omn",
        "Individual: <u:a> Types: b",
        "a.omn, line 1, column 26: invalid Manchester syntax: found 'b', but the file declares no \
         default prefix",
    ),
    (
        "a.omn",
        "ObjectProperty: <u:r> Characteristics: Big",
        "a.omn, line 1, column 40: invalid Manchester syntax: found 'Big'; expected one of Functional",
    ),
    (
        "a.obo",
        "format-version: 1.2\n\n[Term]\nname: a\n",
        "a.obo, line 3, column 1: invalid OBO: [Term] has no 'id:'; expected one",
    ),
    (
        "a.obo",
        "[Term]\nid: a\nrelationship: b\n",
        "a.obo, line 3, column 1: invalid OBO: found 'b' after 'relationship:'; expected a relation and \
         an identifier",
    ),
    (
        "a.obo",
        "[Term]\nid a\n",
        "a.obo, line 2, column 1: invalid OBO: found 'id a'; expected a stanza such as [Term] or \
         'tag: value'",
    ),
    (
        "a.jsonld",
        "{\"@context\": \"http://x/c\", \"@id\": \"u:a\", \"u:p\": 1}",
        "a.jsonld: invalid JSON-LD: found the address of a context; expected the context itself in the file",
    ),
];

/// Elements with an error, after the first line of OWL/XML, and the message.
const ELEMENTS: [(&str, &str); 5] = [
    (
        "<SubclassOf/>",
        "a.owx, line 2, column 1: invalid OWL/XML: found <SubclassOf>; expected an axiom or an \
         expression; did you mean 'SubClassOf'?",
    ),
    (
        "<SubClassOf><Class IRI=\"u:a\"/></SubClassOf>",
        "a.owx, line 2, column 1: invalid OWL/XML: SubClassOf has 1 part; expected 2",
    ),
    (
        "<Prefix name=\"\"/>",
        "a.owx, line 2, column 1: invalid OWL/XML: <Prefix> has no IRI; expected one",
    ),
    (
        "<Declaration>x</Declaration>",
        "a.owx, line 2, column 14: invalid OWL/XML: found 'x'; expected an element",
    ),
    (
        "<Declaration><Class IRI=\"u:a\"/></Declaration>",
        "a.owx, line 2, column 46: invalid OWL/XML: unexpected end of file; expected </Ontology>",
    ),
];

#[test]
fn messages_of_other_syntaxes_have_the_position() {
    for (name, text, expected) in TEXTS {
        let found = error(name, text.as_bytes());
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    for (text, expected) in ELEMENTS {
        let open = "<Ontology xmlns=\"http://www.w3.org/2002/07/owl#\">\n";
        let close = if expected.contains("end of file") { "" } else { "</Ontology>" };
        let found = error("a.owx", format!("{open}{text}{close}").as_bytes());
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

#[test]
fn invalid_bytes_are_reported() {
    let utf16 = error("a.owl", b"\xff\xfe<\0r\0d\0f\0");
    assert_eq!(
        utf16,
        "a.owl, line 1: byte 1 of the line is 0xff, which is not valid UTF-8; convert the file to UTF-8"
    );
    let latin = error(
        "a.owl",
        format!("{OPEN}<u:C rdf:about='u:\u{1}'/>").replace('\u{1}', "\u{e9}").as_bytes(),
    );
    assert!(latin.contains("expected </rdf:RDF>"), "{latin}");
    let mut bytes = format!("{OPEN}<u:C rdf:about='u:?'/></rdf:RDF>").into_bytes();
    let at = bytes.iter().rposition(|&byte| byte == b'?').expect("the placeholder");
    bytes[at] = 0xe9;
    let found = error("a.owl", &bytes);
    assert!(found.starts_with("a.owl, line 3, column "), "{found}");
}

#[test]
fn truncated_gzip_is_reported() {
    let mut text = OPEN.to_owned();
    for number in 0..2000 {
        text.push_str(&format!("<u:C rdf:about='u:a{}'/>\n", number * number));
    }
    text.push_str("</rdf:RDF>");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes()).expect("memory takes it");
    let packed = packed.finish().expect("memory takes it");
    let ontology =
        read_ontology_from(&packed[..], "a.owl.gz").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(ontology.individuals.len(), 2000);
    assert_eq!(ontology.name, "a");
    let cut = error("a.owl.gz", &packed[..packed.len() / 2]);
    assert_eq!(cut, "a.owl.gz: the gzip data is truncated");
    let mut broken = packed.clone();
    broken[packed.len() / 2] ^= 0x55;
    assert!(error("a.owl.gz", &broken).starts_with("a.owl.gz"));
}

#[test]
fn missing_files_are_named() {
    let error = pellucid_io::read_ontology("no/such.owl".as_ref()).expect_err("no such file");
    assert!(error.to_string().starts_with("no/such.owl: cannot read the file: "), "{error}");
}
