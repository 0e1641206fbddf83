//! Counts the concepts of a Burmeister context with odis's FCbO: `odis-count FILE.cxt`.

use odis::{FormalContext, algorithms::fcbo::index_fcbo_concepts};

fn main() {
    let path = std::env::args().nth(1).expect("usage: odis-count FILE.cxt");
    let bytes = std::fs::read(path).expect("a file that can be read");
    let context = FormalContext::<String>::from(&bytes).expect("a Burmeister context");
    println!("{}", index_fcbo_concepts(&context).count());
}
