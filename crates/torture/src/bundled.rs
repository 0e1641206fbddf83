//! Sample files of the project, compiled into the binary so that it runs without a copy of the project.

macro_rules! bundled {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $path)))),*]
    };
}

/// Each file with its path relative to the root of the project.
const FILES: &[(&str, &[u8])] = bundled![
    "examples/family.ttl",
    "examples/trains.csv",
    "examples/uncle.json",
    "tests/compat/logic-0.1.0.json",
    "tests/compat/network-default-0.1.0.json",
    "tests/compat/network-paper-0.1.0.json",
    "tests/compat/rules-calibrated-0.1.0.json",
    "tests/compat/rules-default-0.1.0.json",
    "tests/compat/rules-g3p-mi-0.1.0.json",
    "tests/compat/rules-pareto-0.1.0.json",
    "tests/compat/rules-reading-0.1.0.json",
    "tests/compat/rules-votes-0.1.0.json",
    "tests/compat/xcs-0.1.0.json",
    "tests/data/contexts/baskets.dat",
    "tests/data/contexts/editor.pairs",
    "tests/data/contexts/tools.cxt",
    "tests/data/ontologies/anatomy.obo",
    "tests/data/ontologies/cousin.pos.txt",
    "tests/data/ontologies/family.jsonld",
    "tests/data/ontologies/family.ofn",
    "tests/data/ontologies/family.omn",
    "tests/data/ontologies/family.owx",
    "tests/data/ontologies/kin.owl",
    "tests/data/ontologies/uncle.conf",
    "tests/data/spreadsheets/clinic.xlsx",
    "tests/data/spreadsheets/table.ods",
    "tests/data/spreadsheets/visits.xlsx",
    "tests/data/tables/boxes.arff",
    "tests/data/tables/boxes.dat",
    "tests/data/tables/visits.csv",
];

/// Returns a file of the project by its path.
///
/// # Panics
/// When the path is not in the list above.
pub(crate) fn file(path: &str) -> &'static [u8] {
    let found = FILES.iter().find(|(known, _)| *known == path);
    found.unwrap_or_else(|| panic!("{path} is not bundled; add it to the list")).1
}
