//! Tests names and expressions of external files. The `BioPAX` problems are named by their targets.

use flate2::read::MultiGzDecoder;
use pellucid_data::INDIVIDUAL;
use pellucid_logic::kb::{Closure, KnowledgeBase};
use pellucid_logic::syntax::{dl, manchester, normal, parse};
use pellucid_program::{Expr, Op, Programs, Quantifier, Role, Value};
use pellucid_testdata::file;
use std::fs::File;

#[test]
fn all_targets_round_trip() {
    let (Some(ontology), Some(problems)) =
        (file("dl/biopax/biopax.owl.gz"), file("dl/biopax/lp.json.gz"))
    else {
        return;
    };
    let ontology = pellucid_io::read_ontology(&ontology).expect("an ontology");
    let kb = KnowledgeBase::new(ontology, &Closure::default()).expect("a knowledge base");
    let problems = MultiGzDecoder::new(File::open(problems).expect("a file"));
    let problems: serde_json::Value = serde_json::from_reader(problems).expect("JSON");
    let targets = problems["problems"].as_object().expect("problems by their targets");
    assert_eq!(targets.len(), 96);
    let mut programs = Programs::new(kb.world.schema());
    for target in targets.keys() {
        let expr = parse(target, &kb).unwrap_or_else(|error| panic!("{target}: {error}"));
        programs.add(&expr).unwrap_or_else(|error| panic!("{target}: {error}"));
        for text in [dl::print(&expr, &kb), manchester::print(&expr, &kb)] {
            let back = parse(&text, &kb).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(normal(&back), normal(&expr), "{text}");
        }
    }
}

#[test]
fn all_names_round_trip() {
    for name in [
        "examples/family.ttl",
        "tests/data/ontologies/kin.owl",
        "dl/biopax/biopax.owl.gz",
        "dl/semantic_bible/NTNcombined.owl",
        "dl/carcinogenesis/carcinogenesis.owl.gz",
    ] {
        let Some(path) = file(name) else { continue };
        let ontology = pellucid_io::read_ontology(&path).expect("an ontology");
        let kb = KnowledgeBase::new(ontology, &Closure::default()).expect("a knowledge base");
        let related = |name: &str, inverse| {
            let role = Role { name: name.to_owned(), inverse };
            Expr::Related(Quantifier::Min(2), role, Box::new(Expr::Constant(true)))
        };
        let world = &kb.world;
        let classes = world.class_names().iter().map(|name| Expr::Is(name.to_owned()));
        let roles = world.role_names().iter().map(|name| related(name, true));
        let properties = world.property_names().iter().map(|name| related(name, false));
        let individuals = world.individuals().iter().map(|name| {
            Expr::Compare(INDIVIDUAL.to_owned(), Op::Equal, Value::Text(name.to_owned()))
        });
        for expr in classes.chain(roles).chain(properties).chain(individuals) {
            for text in [dl::print(&expr, &kb), manchester::print(&expr, &kb)] {
                let back = parse(&text, &kb).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(back, expr, "{text}");
            }
        }
    }
}
