//! Several files as one ontology.

use pellucid_io::{Limits, Ontology, read_ontologies, read_ontology};
use std::fs;
use std::path::Path;

fn read(folder: &Path, names: &[&str]) -> Ontology {
    let paths: Vec<_> = names.iter().map(|name| folder.join(name)).collect();
    let paths: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    read_ontologies(&paths, &Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a folder to write to");
    }
}

#[test]
fn imports_are_found_beside_the_file_or_in_the_catalog() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let import = |iri: &str| format!("<http://www.w3.org/2002/07/owl#imports> <{iri}>");
    let first = format!(
        "<u:o> a <http://www.w3.org/2002/07/owl#Ontology> ; {} , {} , {} .\n<u:a> a <u:A> .",
        import("http://x/y/second"),
        "<http://x/mapped#>",
        "<http://x/none.owl>"
    );
    fs::create_dir(folder.join("parts")).expect("a folder");
    write(
        folder,
        &[
            ("first.ttl", &first),
            (
                "second.ofn",
                "Ontology(<u:second> Import(<u:o>) Import(<http://x/third.ttl>) \
                        ClassAssertion(<u:A> <u:b>))",
            ),
            ("third.ttl", "<u:c> a <u:A> ."),
            ("parts/mapped.omn", "Individual: <u:d> Types: <u:A>"),
            (
                "catalog-v001.xml",
                "<catalog><uri name=\"http://x/mapped#\" uri=\"parts/mapped.omn\"/>\
                              <uri name=\"http://x/none.owl\" uri=\"http://x/none.owl\"/></catalog>",
            ),
        ],
    );
    let ontology =
        read_ontology(&folder.join("first.ttl")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(ontology.name, "first");
    let mut individuals: Vec<&str> = ontology.individuals.iter().collect();
    individuals.sort_unstable();
    assert_eq!(individuals, ["u:a", "u:b", "u:c", "u:d"]);
    let notes: Vec<String> = ontology.notes.iter().map(ToString::to_string).collect();
    let missing =
        "did not find the import http://x/none.owl beside the file; imports are not fetched";
    assert!(notes.iter().any(|note| note == missing), "{notes:?}");
    assert_eq!(notes.iter().filter(|note| note.starts_with("read the import")).count(), 3);
    assert_eq!(ontology.ignored, [("owl:imports".to_owned(), 1)]);
    // An import that is named explicitly is not read twice.
    let named = read(folder, &["second.ofn", "first.ttl"]);
    assert_eq!(named.types.len(), 4);
}

#[test]
fn blank_nodes_of_several_files_are_different() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write(
        folder,
        &[
            ("a.ttl", "_:x <u:r> <u:a> . _:f2.x <u:r> <u:a> ."),
            ("b.ttl", "_:x <u:r> <u:b> . [] <u:r> <u:b> ."),
            ("c.nt", "_:x <u:r> <u:c> .\n_:f2.x <u:r> <u:c> .\n"),
        ],
    );
    let ontology = read(folder, &["a.ttl", "b.ttl", "c.nt"]);
    assert_eq!((ontology.individuals.len(), ontology.edges[0].len()), (9, 6));
    let again = read(folder, &["a.ttl", "b.ttl", "c.nt"]);
    assert_eq!(ontology, again);
}

#[test]
fn an_error_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        &[
            ("a.ttl", "<u:o> <http://www.w3.org/2002/07/owl#imports> <http://x/b> ."),
            ("b.ofn", "Ontology(SubClassOf(<u:a>))"),
        ],
    );
    let error = read_ontology(&folder.path().join("a.ttl")).expect_err("a broken import");
    assert!(error.to_string().contains("b.ofn, line 1, column 10"), "{error}");
}
