//! The files under `examples` hold what their README says.

use crate::support::{answers, done};
use serde_json::json;

const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/modules.pairs");
const TRAINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trains.csv");

#[test]
fn trains_go_east_with_a_short_car_that_has_a_roof() {
    let data = ["evaluate", TRAINS, "--bag", "train", "--target", "direction", "--quiet"];
    let ask = |hypothesis: &str, question: &str| {
        let more = ["--hypothesis", hypothesis, "--hypotheses", "-"];
        let text = done([&data[..], &more[..]].concat(), &format!("{question}\n"));
        answers(&text).remove(0)["counts"].clone()
    };
    assert_eq!(ask("presence", "length = short and roof != none"), json!({"east": 5, "west": 0}));
    assert_eq!(ask("presence", "position > 0"), json!({"east": 5, "west": 5}));
    assert_eq!(ask("rows", "position > 0"), json!({"east": 17, "west": 13}));
    // Every car on three wheels is long, and only an empty car has no load.
    assert_eq!(ask("rows", "wheels = 3 and length != long"), json!({"east": 0, "west": 0}));
    assert_eq!(ask("rows", "load = none or loads = 0"), json!({"east": 0, "west": 1}));
}

#[test]
fn modules_fall_into_two_groups() {
    let listed = done(["concepts", MODULES, "--symmetric", "--extents", "--quiet"], "");
    assert_eq!(listed.lines().count(), 154);
    let extent = |attributes: &str| {
        let line = listed.lines().find(|line| line.split('\t').nth(1) == Some(attributes));
        line.and_then(|line| line.split('\t').nth(2)).expect(attributes).split(", ")
    };
    let above = extent("engine.close, engine.data");
    assert_eq!(above.clone().count(), 8);
    assert!(above.clone().all(|module| module.starts_with("concepts.")));
    let below = extent("engine.table, engine.device");
    assert_eq!(below.clone().count(), 8);
    assert!(below.clone().all(|module| module.starts_with("engine.")));
}
