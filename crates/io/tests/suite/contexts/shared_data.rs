//! Reads contexts and checks their sizes: those of the repository, and real ones beside the checkout.

use super::{contents, plain};
use pellucid_close::{ConceptView, Terms, spec};
use pellucid_io::{Context, ContextOptions, Names, read_context, read_context_from, write_cxt};
use pellucid_testdata::file_in;
use std::path::PathBuf;

const OURS: &str = "tests/data/contexts";

fn data_file(name: &str) -> Option<PathBuf> {
    file_in("fca", name)
}

fn load(name: &str, options: &ContextOptions) -> Option<Context> {
    let file = data_file(name)?;
    Some(read_context(&file, options).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn burmeister() {
    for (file, objects, attributes) in [
        ("tests/data/contexts/cube.cxt", 6, 6),
        ("tests/data/contexts/tools.cxt", 11, 7),
        ("animals_en", 35, 11),
        ("bodiesofwater_de", 8, 6),
        ("bodiesofwater_en", 17, 5),
        ("driveconcepts_de", 5, 25),
        ("driveconcepts_en", 5, 25),
        ("famous_animals_en", 5, 6),
        ("livingbeings_de", 8, 9),
        ("livingbeings_en", 8, 9),
        ("missmarple_de", 12, 6),
        ("missmarple_en", 12, 6),
        ("music_en", 31, 11),
        ("newzealand_en", 13, 8),
        ("officesupplies_de", 8, 5),
        ("officesupplies_en", 8, 5),
        ("planets_en", 9, 7),
        ("seasoningplanner_de", 56, 37),
        ("tealady", 18, 14),
        ("bob-ross", 403, 67),
        ("digits", 10, 7),
        ("segments", 143, 56),
        ("Booth", 67, 44),
        ("BoothSim", 245, 44),
        ("ReegWeiss", 84, 51),
        ("Sim8-17", 178, 44),
        ("par10", 42, 42),
        ("par15", 176, 176),
        ("context_ryssel", 26, 79),
        ("mushroom.cxt.gz", 8124, 119),
        ("endos.cxt.gz", 3125, 129),
    ] {
        let name = match file {
            ours if ours.starts_with(OURS) => ours.to_owned(),
            packed if packed.ends_with(".gz") => format!("cxt/{packed}"),
            plain => format!("cxt/{plain}.cxt"),
        };
        let Some(context) = load(&name, &plain()) else { continue };
        assert_eq!(
            (context.objects.len(), context.attributes.len()),
            (objects, attributes),
            "{name}"
        );
        assert!(context.relation.crosses() > 0, "{name}");
        let mut bytes = Vec::new();
        write_cxt(&context, &mut bytes).unwrap_or_else(|error| panic!("{error}"));
        let again = read_context_from(&bytes[..], &name, &plain()).expect("what was written");
        assert_eq!(contents(&again), contents(&context), "{name}");
    }
}

#[test]
fn names_are_read_exactly() {
    let context = load("tests/data/contexts/cube.cxt", &plain()).expect("our own");
    assert_eq!((context.name.as_str(), &*context.objects.get(1)), ("cube", "all but b"));
    if let Some(context) = load("cxt/endos.cxt.gz", &plain()) {
        assert_eq!(context.objects.get(1), " 1 |00001 ");
        assert!(context.objects.iter().all(|name| name.ends_with(' ')));
    }
    if let Some(context) = load("cxt/seasoningplanner_de.cxt", &plain()) {
        assert_eq!(
            (context.name.as_str(), &*context.objects.get(0)),
            ("Gewuerzplaner", "Blattsalat")
        );
    }
    if let Some(context) = load("cxt/music_en.cxt", &plain()) {
        assert_eq!(context.name, "music_en");
        assert_eq!(context.objects.get(1), "Bach: Contrapunctus I");
    }
}

#[test]
fn transactions() {
    let context = load("tests/data/contexts/baskets.dat", &plain()).expect("our own");
    assert_eq!((context.objects.len(), context.relation.crosses()), (12, 28));
    assert_eq!(context.attributes.iter().collect::<Vec<_>>(), ["1", "2", "3", "4", "5", "7"]);
    assert_eq!(context.relation.supports(), [7, 8, 6, 3, 2, 2]);
    if let Some(context) = load("fimi/mushroom.dat.gz", &plain()) {
        assert_eq!(context.objects, Names::Numbered { first: 1, count: 8124 });
        assert_eq!(context.attributes, Names::Numbered { first: 1, count: 119 });
        assert_eq!(context.relation.crosses(), 186_852);
        assert_eq!(context.relation.supports()[84], 8124, "item 85 is in every row");
    }
    if let Some(context) = load("fimi/T10I4D100K.dat.gz", &plain()) {
        assert_eq!((context.objects.len(), context.attributes.len()), (100_000, 870));
        assert_eq!(context.relation.crosses(), 1_010_228);
        assert_eq!(context.attributes.iter().last().as_deref(), Some("1000"));
    }
}

#[test]
fn graphs() {
    for (name, modules, pairs) in [
        ("tests/data/contexts/editor.pairs", 9, Some(25)),
        ("mtunis", 20, Some(114)),
        ("ispell", 24, Some(194)),
        ("rcs", 29, Some(310)),
        ("bison", 37, Some(334)),
        ("dot", 42, Some(496)),
        ("grappa", 86, Some(504)),
        ("swing", 413, Some(2968)),
        ("incl", 174, Some(720)),
        ("compiler", 13, Some(64)),
        ("linux.gz", 916, Some(21_911)),
        ("bunch", 23, Some(100)),
        ("boxer", 18, None),
        ("lslayout", 17, None),
        ("nos", 16, None),
        ("spdb", 21, None),
        ("php", 62, None),
        ("cia", 38, None),
        ("ncurses", 138, None),
        ("bunchall", 324, None),
        ("krb5", 558, None),
        ("bash", 92, None),
        ("exim", 118, None),
        ("lynx", 148, None),
        ("apache_lucene_core.gz", 738, None),
        ("res_cobol.gz", 470, None),
        ("apache_ant.gz", 1085, None),
    ] {
        let file = if name.starts_with(OURS) { name.to_owned() } else { format!("mdg/{name}") };
        let Some(context) = load(&file, &plain().symmetric(true)) else { continue };
        assert_eq!((context.objects.len(), context.attributes.len()), (modules, modules), "{name}");
        assert_eq!(context.relation.transposed(), context.relation, "{name}");
        if let Some(pairs) = pairs {
            assert_eq!(context.relation.crosses(), pairs, "{name}");
        }
        let selves =
            (0u32..).take(modules).filter(|&m| context.relation.has(m as usize, m)).count();
        if let Some(expected) = [("linux.gz", 251), ("tests/data/contexts/editor.pairs", 1)]
            .iter()
            .find_map(|&(file, count)| (file == name).then_some(count))
        {
            assert_eq!(selves, expected, "{name}");
        }
    }
}

#[test]
fn many_valued_tables_are_an_error() {
    for (name, expected) in [
        ("tests/data/contexts/buttons.csv", "line 2, column 2: found 'round'; expected a cross"),
        ("nominal/tic-tac-toe.csv", "line 2, column 5: found 'o'; expected a cross"),
    ] {
        let Some(file) = data_file(name) else { continue };
        let error = read_context(&file, &plain()).expect_err("values").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// The contexts have the published numbers of concepts.
#[test]
fn small_contexts_have_the_right_numbers_of_concepts() {
    let count = |name: &str, expected: u64| {
        let graph = name.starts_with("mdg/") || name.ends_with(".pairs");
        let Some(context) = load(name, &plain().symmetric(graph)) else { return };
        let mut ignore = |_: &ConceptView<'_>| {};
        let outcome = spec::concepts(&context.relation, &Terms::default(), &mut ignore);
        assert_eq!(outcome.concepts, expected, "{name}");
    };
    // Counted by enumerating all sets of attributes; in the cube every set is a concept.
    for (name, concepts) in
        [("cube.cxt", 64), ("tools.cxt", 20), ("baskets.dat", 16), ("editor.pairs", 20)]
    {
        count(&format!("{OURS}/{name}"), concepts);
    }
    for (name, concepts) in [
        ("animals_en", 35),
        ("bodiesofwater_de", 28),
        ("bodiesofwater_en", 12),
        ("driveconcepts_de", 24),
        ("driveconcepts_en", 24),
        ("famous_animals_en", 13),
        ("livingbeings_de", 19),
        ("livingbeings_en", 19),
        ("missmarple_de", 13),
        ("missmarple_en", 13),
        ("music_en", 163),
        ("newzealand_en", 8),
        ("officesupplies_de", 5),
        ("officesupplies_en", 5),
        ("planets_en", 12),
        ("seasoningplanner_de", 532),
        ("tealady", 65),
        ("digits", 48),
        ("par10", 42),
    ] {
        count(&format!("cxt/{name}.cxt"), concepts);
    }
    for (name, concepts) in [
        ("mtunis", 110),
        ("ispell", 432),
        ("rcs", 1074),
        ("bison", 692),
        ("dot", 1302),
        ("compiler", 44),
        ("bunch", 92),
        ("boxer", 32),
        ("lslayout", 72),
        ("nos", 114),
        ("spdb", 16),
        ("php", 300),
        ("cia", 764),
    ] {
        count(&format!("mdg/{name}"), concepts);
    }
}
