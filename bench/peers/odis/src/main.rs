//! Counts the concepts of a `.dat` file with odis's FCbO: `odis-count FILE`.

use bit_set::BitSet;
use odis::{FormalContext, algorithms::fcbo::index_fcbo_concepts};

fn main() {
    let path = std::env::args().nth(1).expect("usage: odis-count FILE");
    let text = std::fs::read_to_string(path).expect("a file of numbers");
    let rows: Vec<BitSet> =
        text.lines().map(|line| line.split_whitespace().map(|item| item.parse().expect("a number")).collect()).collect();
    // Numbers that no row has are no attributes.
    let used: BitSet = rows.iter().flatten().collect();
    let mut place = vec![0; used.iter().max().map_or(0, |last| last + 1)];
    let mut context = FormalContext::<usize>::new();
    for (index, item) in used.iter().enumerate() {
        context.add_attribute(item, &BitSet::new());
        place[item] = index;
    }
    for (index, row) in rows.iter().enumerate() {
        context.add_object(index, &row.iter().map(|item| place[item]).collect());
    }
    println!("{}", index_fcbo_concepts(&context).count());
}
