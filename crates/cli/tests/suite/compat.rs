//! Models written by earlier versions: they load for ever, and predict what they predicted.

use crate::support::{Folder, done};

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/compat");

#[test]
fn every_model_that_was_ever_written_loads() {
    let mut models = 0;
    for entry in std::fs::read_dir(KEPT).expect("the folder of kept models") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "json") {
            let path = path.to_str().expect("a plain name");
            let formats = match path.contains("/logic-") {
                true => ["text", "json", "manchester", "dl", "owl", "rdfxml", "sparql"].as_slice(),
                false => &["text", "json", "sql", "python"],
            };
            for format in formats {
                assert!(
                    !done(["show", path, "--format", format], "").is_empty(),
                    "{path} as {format}"
                );
            }
            models += 1;
        }
    }
    assert!(models >= 25, "found {models} models");
}

/// What a kept model says of some data, line by line.
fn predicted(model: &str, data: &str) -> Vec<String> {
    let model = format!("{KEPT}/{model}");
    done(["predict", &model, data, "--quiet"], "").lines().skip(1).map(str::to_owned).collect()
}

/// Models of version 0.1 in further modes, each with the data of its predictions in `predicted`.
const MODES: [(&str, &str); 14] = [
    ("rules-classes", "flats"),
    ("rules-decide", "credit"),
    ("rules-list", "credit"),
    ("rules-list-bags", "molecules"),
    ("rules-numbers", "flats"),
    ("rules-numbers-absolute", "flats"),
    ("rules-numbers-bags", "strengths"),
    ("rules-numbers-list", "flats"),
    ("rules-voting-bags", "molecules"),
    ("xcs-credit", "credit"),
    ("xcs-keep-all", "multiplexer"),
    ("xcs-keep-population", "multiplexer"),
    ("xcs-reward", "multiplexer"),
    ("xcs-reward-specify", "credit"),
];

/// Returns what version 0.1 predicted, line by line.
fn predicted_before(name: &str) -> Vec<String> {
    let path = format!("{KEPT}/predicted/{name}-0.1.0.csv");
    let text = std::fs::read_to_string(path).expect("predictions of version 0.1");
    // The names of columns have changed, and what they hold has not.
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn predictions_of_every_mode_have_not_changed() {
    for (name, data) in MODES {
        let lines = predicted(&format!("{name}-0.1.0.json"), &format!("{KEPT}/data/{data}.csv"));
        assert_eq!(lines, predicted_before(name), "{name}");
    }
}

/// Networks decide by the calibrated probability since version 0.2; probabilities and scores are the same.
#[test]
fn probabilities_of_networks_have_not_changed() {
    let data = format!("{KEPT}/data/credit.csv");
    let without_class = |line: &String| {
        let cells: Vec<&str> = line.split(',').collect();
        [&cells[..1], &cells[2..]].concat().join(",")
    };
    let lines = predicted("network-classes-0.1.0.json", &data);
    let before = predicted_before("network-classes");
    let now: Vec<String> = lines.iter().map(without_class).collect();
    assert_eq!(now, before.iter().map(without_class).collect::<Vec<_>>());
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let share: f64 = cells[2].parse().expect("a probability");
        assert!(share == 0.5 || (cells[1] == "yes") == (share > 0.5), "{line}");
    }
}

#[test]
fn predictions_of_rules_have_not_changed() {
    let trains = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trains.csv");
    let went = |(number, line): (usize, &String)| {
        let expected = if number < 5 { "east,east,1,0.5" } else { "west,west,0,0.5" };
        assert_eq!(*line, format!("t{},{expected}", number + 1));
    };
    let lines = predicted("rules-default-0.1.0.json", trains);
    assert_eq!(lines.len(), 10);
    lines.iter().enumerate().for_each(went);
}

#[test]
fn bred_rules_cover_what_they_covered() {
    let folder = Folder::new();
    let trains = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trains.csv");
    let trains = std::fs::read_to_string(trains).expect("the trains");
    let cut = |line: &str| line.rsplit_once(',').map(|(rest, _)| format!("{rest}\n"));
    let data = folder.file("trains.csv", trains.lines().filter_map(cut).collect::<String>());
    for model in ["rules-g3p-mi-0.1.0.json", "rules-pareto-0.1.0.json"] {
        // Both go west if some car is long and has two wheels; the front has other rules as well.
        let expected = (1..=10).map(|number| match number {
            1 | 6 | 7 | 9 | 10 => format!("t{number},west,0.5,1"),
            _ => format!("t{number},east,0.5,0"),
        });
        assert_eq!(predicted(model, &data), expected.collect::<Vec<_>>(), "{model}");
    }
}

#[test]
fn scores_have_not_changed() {
    let folder = Folder::new();
    let rows = "bag,x1,x2,x3,x4\np,0.1,0.9,0.5,0.2\np,0.6,,0.1,0.8\nq,0.95,0.05,0.9,0.4\nr,,,,\n";
    let data = folder.file("rows.csv", rows);
    let expected = ["p,0,2.71,2.355", "q,0,2.006,0", "r,0,0.883,0"];
    assert_eq!(predicted("rules-votes-0.1.0.json", &data), expected);
}

#[test]
fn probabilities_have_not_changed() {
    let folder = Folder::new();
    let rows = "bag,x1,x3,x6,x7,x9,x10\np,1,1,0.7,0.7,0.7,1\nq,0,0,0.1,0.1,0.1,0\n";
    let data = folder.file("rows.csv", rows);
    let expected = ["p,1,0.8256,0.5,1", "q,0,0.1469,0.5,0"];
    assert_eq!(predicted("rules-calibrated-0.1.0.json", &data), expected);
}

#[test]
fn the_multiplexer_is_still_predicted() {
    let folder = Folder::new();
    let rows = done(["generate", "multiplexer", "--bits", "6"], "");
    let lines = predicted("xcs-0.1.0.json", &folder.file("rows.csv", &rows));
    assert_eq!(lines.len(), 64);
    for (line, row) in lines.iter().zip(rows.lines().skip(1)) {
        assert_eq!(line.split(',').nth(1), row.rsplit(',').next(), "{row}");
    }
}

#[test]
fn rankings_of_networks_have_not_changed() {
    let folder = Folder::new();
    let rows =
        "age,town,orders,months,newsletter\n59,Fenwick,2,94,no\n41,Dunmere,9,3,yes\n,Nowhere,6,,\n";
    let data = folder.file("rows.csv", rows);
    let expected =
        ["1,no,0.0299,0,-3.299311561", "2,yes,0.6804,0,0.241259585", "3,no,0.1353,0,-1.940057586"];
    assert_eq!(predicted("network-default-0.1.0.json", &data), expected);
    let expected =
        ["1,no,0.1196,0,-1.961451052", "2,no,0.1198,0,-1.822132565", "3,no,0.1200,0,-1.696183192"];
    assert_eq!(predicted("network-paper-0.1.0.json", &data), expected);
}

#[test]
fn covered_individuals_have_not_changed() {
    let family = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/family.ttl");
    let uncles = predicted("logic-0.1.0.json", family);
    let uncles: Vec<&str> =
        uncles.iter().filter_map(|line| line.strip_suffix(",positive")).collect();
    assert_eq!(uncles, ["david", "erik", "leo", "ivan"]);
}

#[test]
fn a_table_is_read_as_it_was() {
    let customers = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/kunden.csv");
    let lines = predicted("rules-reading-0.1.0.json", customers);
    let good = lines.iter().filter(|line| line.contains(",ja,")).count();
    assert_eq!((lines.len(), good), (60, 18));
    assert!(lines[3].starts_with("Kunde 3,ja"), "{}", lines[3]);
}
