#![allow(missing_docs, clippy::print_stdout)]
use pellucid_engine::*;
use pellucid_rules::{breed::*, evolve::*, grammar::*};
use std::sync::Arc;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let threads: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let data = pellucid_io::read(path.as_ref(), &pellucid_io::ReadOptions::default()).unwrap();
    let codes = data.example_codes();
    let table = Arc::new(data.into_table().unwrap());
    for seed in 0..5 {
        let start = std::time::Instant::now();
        let threads = Arc::new(Threads::new(std::num::NonZeroUsize::new(threads)).unwrap());
        let labels = Labels::bags(&table, &codes, 2).unwrap();
        let session = Session::new(
            table.clone(),
            labels,
            Hypothesis::Presence,
            &[Arc::new(Cpu::on(threads.clone()).unwrap())],
        )
        .unwrap();
        let vocabulary = Vocabulary::new(&Grammar::default(), &table).unwrap();
        let judge =
            Judge::new(session, pellucid_learn::metrics::Metric::SensitivityTimesSpecificity);
        let mut evolution = Evolution::new(
            vocabulary,
            Breeding::default(),
            judge,
            pellucid_learn::rng::Streams::new(seed),
            threads,
        );
        for _ in 0..=100 {
            evolution.step().unwrap();
        }
        let best = evolution.now().best().unwrap();
        let time = start.elapsed();
        let evaluated = evolution.judge().session().evaluated();
        println!(
            "{seed} {time:?} best {:.4} {:?} evaluated {}",
            evolution.now().fitness[best],
            evolution.profile(),
            evaluated
        );
    }
}
