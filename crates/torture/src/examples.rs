//! Small data sets for sample models and checkpoints.

use crate::bundled;
use pellucid::io::{self, ReadOptions};
use pellucid::logic::Closure;
use pellucid::logic::kb::KnowledgeBase;
use pellucid::logic::learn::Individuals;
use pellucid::prepare::{Preparation, Task};
use pellucid::registry::Data;
use std::num::NonZeroUsize;
use std::sync::Arc;

fn table(text: &[u8], name: &str, options: ReadOptions) -> Data {
    let options = options.threads(NonZeroUsize::MIN);
    Data::Table(io::read_from(text, name, &options).expect("a valid table"))
}

/// Returns the trains, which are bags of cars.
pub(crate) fn trains() -> Data {
    let options = ReadOptions::default().bag("train").target("direction");
    table(bundled::file("examples/trains.csv"), "trains.csv", options)
}

/// Returns the 6-bit multiplexer.
pub(crate) fn switches() -> Data {
    let mut text = String::from("a0,a1,d0,d1,d2,d3,class\n");
    for bits in 0..64_u32 {
        let bit = |place: u32| bits >> place & 1;
        (0..6).for_each(|place| text.push_str(&format!("{},", bit(place))));
        text.push_str(&format!("{}\n", bit(2 + (2 * bit(0) + bit(1)))));
    }
    table(text.as_bytes(), "switches.csv", ReadOptions::default().target("class"))
}

/// Returns numbers and text with missing values, and three classes, one of them rare.
pub(crate) fn mixed() -> Data {
    mixed_with("class", "amount", Task::Classes)
}

/// Returns the same rows with a number as target.
pub(crate) fn amounts() -> Data {
    mixed_with("amount", "class", Task::Number)
}

fn mixed_with(target: &str, other: &str, task: Task) -> Data {
    let mut text = String::from("size,weight,colour,class,amount\n");
    for row in 0..90_u32 {
        let (size, weight) = (row % 13, row * 7 % 31);
        let colour = ["red", "green", "", "dark blue"][row as usize % 4];
        let class = if row % 30 == 7 { "rare" } else { ["low", "high"][usize::from(size > 6)] };
        let weight_cell = if row % 11 == 3 { String::new() } else { format!("{weight}.5") };
        let amount = 2 * size + u32::from(colour == "red") * 10;
        text.push_str(&format!("{size},{weight_cell},{colour},{class},{amount}.25\n"));
    }
    let options = ReadOptions::default().target(target).ignore([other]).threads(NonZeroUsize::MIN);
    let data = io::read_from(text.as_bytes(), "mixed.csv", &options).expect("a valid table");
    let prepared = Preparation { task, ..Preparation::default() }.apply(data);
    Data::Table(prepared.expect("classes or numbers"))
}

/// Returns the knowledge base of the family.
pub(crate) fn family() -> KnowledgeBase {
    let ontology = io::read_ontology_from(bundled::file("examples/family.ttl"), "family.ttl");
    KnowledgeBase::new(ontology.expect("the family"), &Closure::default()).expect("the family")
}

/// Returns the family with uncles as positive examples.
pub(crate) fn uncles() -> Data {
    let text = bundled::file("examples/uncle.json");
    let problem = io::read_problems_from(text, "uncle.json").expect("the uncles").remove(0);
    let kb = Arc::new(family());
    Data::Individuals(Individuals::examples(&kb, &problem).expect("the uncles"))
}
