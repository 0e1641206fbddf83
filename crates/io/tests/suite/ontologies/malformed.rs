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
            "Prefix(:=<u:>)\nOntology(<u:o>)".to_owned(),
            "a.owl, line 1: found 'Prefix(:=<u:>)'; the file is in OWL functional syntax; expected \
    RDF/XML, Turtle \
             or N-Triples; convert it with Protégé or ROBOT",
        ),
        (
            "a.owl",
            "<?xml version=\"1.0\"?>\n<Ontology \
             xmlns=\"http://www.w3.org/2002/07/owl#\"></Ontology>"
                .to_owned(),
            "a.owl: found '<Ontology'; expected RDF/XML, Turtle or N-Triples; convert the file from OWL/XML",
        ),
        (
            "a.owl",
            "{\"@id\": \"u:a\"}".to_owned(),
            "a.owl, line 1: found '{\"@id\": \"u:a\"}'; expected RDF/XML, Turtle or N-Triples; \
    convert the file from \
             JSON-LD",
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
