//! Checks the tables of parameters in the guides. `PELLUCID_UPDATE=1` updates them.

use pellucid::learn::params::guide_table;
use pellucid::registry::Registry;
use std::path::PathBuf;

const BEGIN: &str = "<!-- parameters -->\n";
const END: &str = "<!-- end of parameters -->";

#[test]
fn every_guide_has_the_table_of_parameters() {
    for learner in Registry::standard().iter() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
        let path = PathBuf::from(folder).join(format!("{}.md", learner.name()));
        let guide = std::fs::read_to_string(&path).expect("every learner has a guide");
        let (before, rest) = guide.split_once(BEGIN).expect("a place for the parameters");
        let (found, after) = rest.split_once(END).expect("where the parameters end");
        let table = guide_table(&learner.parameters(), learner.mode(), |name| {
            format!("--{}", name.replace('_', "-"))
        });
        if std::env::var_os("PELLUCID_UPDATE").is_some_and(|update| update == "1") {
            std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).expect("written");
        } else {
            assert_eq!(found, table, "{}: run with PELLUCID_UPDATE=1", path.display());
        }
    }
}

/// The table at the beginning of README has a line for every learner, with a link to its guide.
#[test]
fn readme_lists_every_learner() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let readme = std::fs::read_to_string(path).expect("README.md");
    let table: Vec<&str> = readme.lines().filter(|line| line.starts_with("| **[")).collect();
    for learner in Registry::standard().iter() {
        let start = format!("| **[{0}](docs/{0}.md)** |", learner.name());
        let lines = table.iter().filter(|line| line.starts_with(&start)).count();
        assert_eq!(lines, 1, "README.md: expected one line that starts with {start}");
    }
}
