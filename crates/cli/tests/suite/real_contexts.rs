//! Every context, our own and the real ones beside the checkout, with the flags a user would give, has its
//! true number of concepts.

use crate::support::done;
use pellucid_testdata::file_in;

const GRAPH: &[&str] = &["--symmetric"];
const NOMINAL: &[&str] = &["--scale", "nominal"];
const PLAIN: &[&str] = &[];

/// Files, the flags, and the concepts: of ours counted over all sets of attributes, of the others by several
/// programs.
const CONTEXTS: [(&str, &[&str], u64); 55] = [
    ("tests/data/contexts/cube.cxt", PLAIN, 64),
    ("tests/data/contexts/tools.cxt", PLAIN, 20),
    ("tests/data/contexts/baskets.dat", PLAIN, 16),
    ("tests/data/contexts/editor.pairs", GRAPH, 20),
    ("tests/data/contexts/buttons.csv", NOMINAL, 38),
    ("mdg/mtunis", GRAPH, 110),
    ("mdg/ispell", GRAPH, 432),
    ("mdg/rcs", GRAPH, 1_074),
    ("mdg/bison", GRAPH, 692),
    ("mdg/dot", GRAPH, 1_302),
    ("mdg/grappa", GRAPH, 850),
    ("mdg/swing", GRAPH, 3_654),
    ("mdg/incl", GRAPH, 240),
    ("mdg/compiler", GRAPH, 44),
    ("mdg/linux.gz", GRAPH, 215_399),
    ("mdg/boxer", GRAPH, 32),
    ("mdg/lslayout", GRAPH, 72),
    ("mdg/nos", GRAPH, 114),
    ("mdg/spdb", GRAPH, 16),
    ("mdg/php", GRAPH, 300),
    ("mdg/cia", GRAPH, 764),
    ("mdg/ncurses", GRAPH, 1_420),
    ("mdg/bunchall", GRAPH, 3_578),
    ("mdg/krb5", GRAPH, 6_386),
    ("mdg/bash", GRAPH, 25_980),
    ("mdg/exim", GRAPH, 81_692),
    ("mdg/lynx", GRAPH, 324_036),
    ("mdg/apache_lucene_core.gz", GRAPH, 11_142),
    ("mdg/res_cobol.gz", GRAPH, 18_988),
    ("mdg/apache_ant.gz", GRAPH, 21_410),
    ("mdg/bunch", GRAPH, 92),
    ("cxt/animals_en.cxt", PLAIN, 35),
    ("cxt/bodiesofwater_de.cxt", PLAIN, 28),
    ("cxt/bodiesofwater_en.cxt", PLAIN, 12),
    ("cxt/driveconcepts_en.cxt", PLAIN, 24),
    ("cxt/famous_animals_en.cxt", PLAIN, 13),
    ("cxt/livingbeings_en.cxt", PLAIN, 19),
    ("cxt/missmarple_en.cxt", PLAIN, 13),
    ("cxt/music_en.cxt", PLAIN, 163),
    ("cxt/newzealand_en.cxt", PLAIN, 8),
    ("cxt/officesupplies_en.cxt", PLAIN, 5),
    ("cxt/planets_en.cxt", PLAIN, 12),
    ("cxt/seasoningplanner_de.cxt", PLAIN, 532),
    ("cxt/tealady.cxt", PLAIN, 65),
    ("cxt/bob-ross.cxt", PLAIN, 3_463),
    ("cxt/digits.cxt", PLAIN, 48),
    ("cxt/segments.cxt", PLAIN, 11_878),
    ("cxt/par15.cxt", PLAIN, 176),
    ("cxt/endos.cxt.gz", PLAIN, 30_928),
    ("cxt/mushroom.cxt.gz", PLAIN, 238_710),
    ("fimi/mushroom.dat.gz", PLAIN, 238_710),
    ("nominal/zoo.csv", NOMINAL, 4_579),
    ("nominal/tic-tac-toe.csv", NOMINAL, 59_505),
    ("nominal/nursery.data.gz", NOMINAL, 183_079),
    ("nominal/agaricus-lepiota.data.gz", NOMINAL, 237_919),
];

#[test]
fn every_context_has_its_concepts() {
    for (name, flags, concepts) in CONTEXTS {
        let Some(file) = file_in("fca", name) else { continue };
        let file = file.display().to_string();
        let text = done([&["concepts", &file, "--count", "--quiet"], flags].concat(), "");
        assert_eq!(text, format!("{concepts}\n"), "{name}");
    }
}
