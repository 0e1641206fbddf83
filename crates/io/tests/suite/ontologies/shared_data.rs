//! Reads files and checks their counts: those of the repository, and real ones beside the checkout.

use std::path::{Path, PathBuf};

use pellucid_io::{
    LearningProblem, Ontology, read_examples, read_ontology, read_ontology_from, read_problems,
};
use pellucid_testdata::file_in;

use super::{check, statements};

fn data_file(name: &str) -> Option<PathBuf> {
    file_in("dl", name)
}

const KIN: &str = "tests/data/ontologies/kin.owl";

/// Classes, object properties, data properties, individuals; assertions of types, objects and values; axioms.
type Counts = ([usize; 4], [usize; 3], usize);

/// `owl:Thing` and `owl:Nothing` do not count as named classes, and membership in `owl:Thing` is not an
/// assertion. A type is named or described. The object of an object property is an individual even without
/// other statements about it.
const FILES: &[(&str, Counts)] = &[
    (KIN, ([7, 4, 2, 48], [48, 91, 96], 12)),
    ("father/father.owl", ([3, 1, 0, 6], [6, 4, 0], 5)),
    ("father/father_oe.owl", ([4, 1, 0, 6], [9, 4, 0], 7)),
    ("father/father_oe_inv.ttl", ([6, 3, 0, 10], [13, 13, 0], 11)),
    ("uncle/uncle.owl", ([2, 3, 0, 15], [15, 21, 0], 4)),
    ("arch/arch.owl", ([6, 5, 0, 19], [26, 26, 0], 15)),
    ("trains/trains.owl", ([9, 5, 0, 50], [109, 149, 0], 0)),
    ("trains/trains2.owl", ([9, 5, 0, 50], [109, 149, 0], 11)),
    ("yinyang/basicFamily.owl", ([3, 3, 0, 31], [50, 95, 0], 6)),
    ("forte/forte_family.owl", ([2, 3, 0, 86], [86, 251, 0], 4)),
    ("family-benchmark/family-benchmark.owl", ([3, 4, 0, 202], [404, 728, 0], 2)),
    ("family-benchmark/family-benchmark_rich_background.owl", ([18, 4, 0, 202], [850, 728, 0], 27)),
    ("poker/pair50.owl", ([2, 6, 0, 311], [294, 1032, 0], 0)),
    ("poker/straight.owl", ([2, 6, 0, 347], [330, 1080, 0], 0)),
    ("moral/moral.owl.gz", ([44, 0, 0, 202], [4646, 0, 0], 20)),
    ("moral/moral_43instances.owl", ([43, 0, 0, 43], [989, 0, 0], 19)),
    ("moral/moral_43instances_complex.owl.gz", ([41, 0, 0, 43], [989, 0, 0], 17)),
    ("semantic_bible/NTNcombined.owl", ([48, 29, 9, 724], [724, 1636, 735], 175)),
    ("animals/animals.owl", ([39, 2, 1, 20], [20, 0, 0], 117)),
    ("pyrimidine/pyrimidine.owl.gz", ([1, 0, 27, 74], [0, 0, 1924], 27)),
    ("mammographic/mammographic.owl.gz", ([19, 3, 2, 975], [975, 2883, 1922], 27)),
    ("suramin/suramin.owl.gz", ([46, 3, 1, 2979], [2979, 6008, 1439], 50)),
    // One object property has six literals, so it is also a data property.
    ("biopax/biopax.owl.gz", ([40, 33, 38, 323], [323, 465, 975], 301)),
    ("carcinogenesis/carcinogenesis.owl.gz", ([142, 4, 15, 22372], [22372, 40666, 11185], 167)),
];

fn counts(ontology: &Ontology) -> Counts {
    let names = [
        ontology.classes.len(),
        ontology.roles.len(),
        ontology.properties.len(),
        ontology.individuals.len(),
    ];
    let assertions = [
        ontology.types.len() + ontology.described.len(),
        ontology.edges.iter().map(Vec::len).sum(),
        ontology.values.iter().map(Vec::len).sum(),
    ];
    (names, assertions, ontology.axioms.len())
}

fn load(path: &Path) -> Ontology {
    let ontology = read_ontology(path).unwrap_or_else(|error| panic!("{error}"));
    check(&ontology).unwrap_or_else(|error| panic!("{error}"));
    ontology
}

#[test]
fn every_file_has_its_counts() {
    for (name, expected) in FILES {
        let Some(path) = data_file(name) else { continue };
        let ontology = load(&path);
        assert_eq!(counts(&ontology), *expected, "{name}");
        let is_ignored = ontology.notes.iter().any(|note| note.contains("ignored"));
        assert!(!is_ignored, "{name}: {:?}", ontology.notes);
    }
}

#[test]
fn turtle_says_the_same_as_xml() {
    for (name, _) in FILES {
        let Some(path) = data_file(name).filter(|_| !name.ends_with(".ttl")) else { continue };
        let mut text = String::new();
        let file = std::fs::File::open(&path).expect("it is there");
        let read = if name.ends_with(".gz") {
            std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut text)
        } else {
            std::io::Read::read_to_string(&mut { file }, &mut text)
        };
        read.expect("it is text");
        // What the parser does not support.
        let text = text.replace(" encoding=\"ISO-8859-1\"", "");
        let text =
            text.replace("'http://www.w3.org/2002/07/owl#'", "\"http://www.w3.org/2002/07/owl#\"");
        let mut turtle = oxttl::TurtleSerializer::new().for_writer(Vec::new());
        let mut lines = oxttl::NTriplesSerializer::new().for_writer(Vec::new());
        for triple in oxrdfxml::RdfXmlParser::new().for_slice(text.as_bytes()) {
            let triple = triple.unwrap_or_else(|error| panic!("{name}: {error}"));
            turtle.serialize_triple(triple.as_ref()).expect("memory takes it");
            lines.serialize_triple(triple.as_ref()).expect("memory takes it");
        }
        let turtle = turtle.finish().expect("memory takes it");
        let expected = statements(&load(&path));
        // Turtle in a file `.owl` is recognized by its content.
        for (bytes, name) in [(&turtle, "a.ttl"), (&turtle, "a.owl"), (&lines.finish(), "a.nt")] {
            let ontology =
                read_ontology_from(&bytes[..], name).unwrap_or_else(|error| panic!("{error}"));
            assert!(statements(&ontology) == expected, "{} as {name}", path.display());
        }
    }
}

/// A file of problems, its ontology, and the number of examples of each problem.
const PROBLEMS: &[(&str, &str, &[[usize; 2]])] = &[
    ("tests/data/ontologies/uncle.conf", KIN, &[[9, 39]]),
    (
        "tests/data/ontologies/kin.json",
        KIN,
        &[[10, 38], [9, 39], [12, 36], [8, 40], [8, 40], [14, 34], [17, 31], [21, 27]],
    ),
    ("father/father_owl.conf", "father/father.owl", &[[3, 3]]),
    ("uncle/uncle.conf", "uncle/uncle.owl", &[[5, 10]]),
    ("arch/arch_owl.conf", "arch/arch.owl", &[[2, 3]]),
    ("trains/trains_owl.conf", "trains/trains2.owl", &[[5, 5]]),
    ("forte/uncle_owl_small.conf", "forte/forte_family.owl", &[[8, 7]]),
    ("forte/uncle_owl_large.conf", "forte/forte_family.owl", &[[23, 63]]),
    ("poker/pair_owl.conf", "poker/pair50.owl", &[[20, 29]]),
    ("poker/straight_owl.conf", "poker/straight.owl", &[[4, 51]]),
    ("moral/moral_all_examples_simple_owl.conf", "moral/moral.owl.gz", &[[102, 100]]),
    ("moral/moral_43examples_simple_owl.conf", "moral/moral_43instances.owl", &[[23, 20]]),
    ("semantic_bible/woman.conf", "semantic_bible/NTNcombined.owl", &[[46, 138]]),
    ("semantic_bible/normal.conf", "semantic_bible/NTNcombined.owl", &[[2, 5]]),
    ("carcinogenesis/train.conf", "carcinogenesis/carcinogenesis.owl.gz", &[[182, 155]]),
    ("carcinogenesis/lp_dl_learner.json", "carcinogenesis/carcinogenesis.owl.gz", &[[55, 46]]),
];

/// Checks that all examples are individuals of the ontology, and that no example is both positive
/// and negative.
fn fits(problem: &LearningProblem, ontology: &Ontology) {
    for example in problem.positive.iter().chain(&problem.negative) {
        assert!(ontology.individuals.find(example).is_some(), "{}: {example}", problem.name);
    }
    let both = problem.positive.iter().find(|example| problem.negative.contains(example));
    assert_eq!(both, None, "{}", problem.name);
}

fn sizes(problems: &[LearningProblem]) -> Vec<[usize; 2]> {
    problems.iter().map(|problem| [problem.positive.len(), problem.negative.len()]).collect()
}

fn problems(path: &Path) -> Vec<LearningProblem> {
    read_problems(path).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_problem_has_its_counts_and_fits_its_ontology() {
    for (name, about, expected) in PROBLEMS {
        let (Some(path), Some(about)) = (data_file(name), data_file(about)) else { continue };
        let (problems, ontology) = (problems(&path), load(&about));
        assert_eq!(sizes(&problems), *expected, "{name}");
        problems.iter().for_each(|problem| fits(problem, &ontology));
    }
}

#[test]
fn families_are_the_same_in_both_formats() {
    let folder = "family-benchmark";
    let Some(json) = data_file(&format!("{folder}/lp_dl_learner.json")) else { return };
    let Some(about) = data_file(&format!("{folder}/family-benchmark.owl")) else { return };
    let (all, ontology) = (problems(&json), load(&about));
    assert_eq!(all.len(), 18);
    for problem in &all {
        fits(problem, &ontology);
        let Some(conf) = data_file(&format!("{folder}/{}.conf", problem.name)) else { continue };
        let found = &problems(&conf)[0];
        assert_eq!(sizes(std::slice::from_ref(found)), sizes(std::slice::from_ref(problem)));
        fits(found, &ontology);
    }
}

#[test]
fn many_problems_in_one_file() {
    let Some(json) = data_file("biopax/lp.json.gz") else { return };
    let Some(about) = data_file("biopax/biopax.owl.gz") else { return };
    let (all, ontology) = (problems(&json), load(&about));
    assert_eq!(all.len(), 96);
    assert_eq!(all[0].name, "(complex \u{2293} (\u{2200}PMG.Thing))");
    all.iter().for_each(|problem| fits(problem, &ontology));
    for name in [
        "Brother",
        "Daughter",
        "Father",
        "GrandFather",
        "GrandMother",
        "GrandParent",
        "Offspring",
        "Parent",
        "Sibling",
        "Sister",
    ] {
        let Some(conf) = data_file(&format!("yinyang/{name}.conf")) else { continue };
        let Some(about) = data_file("yinyang/basicFamily.owl") else { continue };
        let found = &problems(&conf)[0];
        assert!(!found.negative.is_empty(), "{name}");
        fits(found, &load(&about));
    }
}

#[test]
fn lists_have_their_counts_and_fit_their_ontologies() {
    for (stem, about, [positive, negative]) in [
        ("tests/data/ontologies/cousin.", KIN, [14, 34]),
        ("animals/bird.", "animals/animals.owl", [3, 11]),
        ("animals/fish.", "animals/animals.owl", [4, 11]),
        ("animals/mammal.", "animals/animals.owl", [4, 10]),
        ("animals/reptile.", "animals/animals.owl", [5, 10]),
        ("pyrimidine/", "pyrimidine/pyrimidine.owl.gz", [20, 20]),
        ("mammographic/", "mammographic/mammographic.owl.gz", [445, 516]),
        ("suramin/", "suramin/suramin.owl.gz", [7, 10]),
        ("carcinogenesis/", "carcinogenesis/carcinogenesis.owl.gz", [162, 136]),
    ] {
        let Some(about) = data_file(about) else { continue };
        let ontology = load(&about);
        for (side, expected) in [("pos", positive), ("neg", negative)] {
            let Some(path) = data_file(&format!("{stem}{side}.txt")) else { continue };
            let names = read_examples(&path).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(names.len(), expected, "{stem}{side}");
            assert!(names.iter().all(|name| ontology.individuals.find(name).is_some()), "{stem}");
        }
    }
}

#[test]
fn configurations_without_examples_are_an_error() {
    for name in ["father/father_oe.conf", "father/father_oe_inv.conf"] {
        let Some(path) = data_file(name) else { continue };
        let error = read_problems(&path).expect_err("there are none").to_string();
        let end = ": found no examples; expected lp.positiveExamples = { \"prefix:name\", … }";
        assert!(error.ends_with(end), "{error}");
    }
}
