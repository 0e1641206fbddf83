//! Everything small at once.
//!
//! Literals are what individuals are and have and what roles lead them to, a few layers deep. All pairs of them are
//! counted, and answers are put together from pairs, a part at a time. Which size of answer can be relied on is found by
//! doing the same without some of the examples.

mod build;
mod choose;
mod formula;
mod layers;
mod literals;
mod pairs;
mod rows;

use super::{Lab, LearnError, Pace, Search};
use build::Way;
use choose::Bench;
use layers::Layers;
use literals::{Literals, MOST};
use pellucid_engine::ProgramId;
use rows::Shape;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Tries everything small and puts answers together from pairs.
#[derive(Debug)]
pub struct Instant {
    state: InstantState,
}

/// How far the instant stage is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstantState {
    /// Whether it is done; it is taken up from the beginning otherwise.
    pub done: bool,
}

impl Search for Instant {
    type State = InstantState;

    fn new(_: &mut Lab) -> Result<Instant, LearnError> {
        Ok(Instant { state: InstantState::default() })
    }

    fn restore(_: &mut Lab, state: InstantState) -> Result<Instant, LearnError> {
        Ok(Instant { state })
    }

    fn step(&mut self, lab: &mut Lab) -> Result<Pace, LearnError> {
        if self.state.done {
            return Ok(Pace::Done);
        }
        run(lab)?;
        if lab.control().should_stop().is_some() {
            return Ok(Pace::CutShort);
        }
        self.state.done = true;
        Ok(Pace::Done)
    }

    fn state(&self, _: &Lab) -> InstantState {
        self.state
    }
}

fn run(lab: &mut Lab) -> Result<(), LearnError> {
    let t0 = std::time::Instant::now();
    let debug = std::env::var("DBG").is_ok();
    let env = |name: &str, or: f64| std::env::var(name).ok().and_then(|d| d.parse().ok()).unwrap_or(or);
    let mut layers = Layers::new(lab)?;
    let shape = Shape { positives: lab.task().positive.len(), negatives: lab.task().negative.len() };
    let all = shape.all();
    let threads = Arc::clone(lab.threads());
    let control = lab.control().clone();
    let stop = move || control.should_stop().is_some();
    let measure = lab.options().measure;
    let evaluated = AtomicU64::new(0);
    let depths = env("DEPTH", 3.0) as usize;
    let ways = Way::all();
    let mut sets: Vec<Literals> = Vec::new();
    let mut solved = false;
    loop {
        let literals = layers.literals.chosen(MOST, &all);
        if debug { eprintln!("depth {} literals {} {:?}", layers.depth, literals.len(), t0.elapsed()); }
        sets.push(literals);
        let layer = sets.len() - 1;
        let bench = Bench { layers: &sets, shape, measure, threads: &threads, stop: &stop, evaluated: &evaluated };
        let full = bench.candidates(&sets[layer], layer, &Way::CLEAN, &all);
        let programs: Vec<ProgramId> = full.iter().map(|c| c.formula.program(&sets[layer], lab)).collect();
        lab.attempt(&programs)?;
        if debug { eprintln!("clean {:?}", t0.elapsed()); }
        if lab.is_solved() { solved = true; break; }
        if layers.depth == depths || !layers.can_grow() || layer > 0 && sets[layer].len() >= 1500 { break; }
        layers.grow(lab)?;
    }
    if !solved || env("CV", 0.0) > 0.0 {
        let bench = Bench { layers: &sets, shape, measure, threads: &threads, stop: &stop, evaluated: &evaluated };
        let mut full = Vec::new();
        for (layer, set) in sets.iter().enumerate() {
            full.extend(bench.candidates(set, layer, &ways, &all));
        }
        if debug { eprintln!("full {:?}", t0.elapsed()); }
        if let Some(held) = bench.cross_validated(&ways, lab.options().seed) {
            let n = (shape.positives + shape.negatives) as f64;
            let best = full.iter().map(|c| held.quality(c, measure)).fold(0.0, f64::max);
            let best_acc = full.iter().map(|c| held.confusion(c).accuracy()).fold(0.0, f64::max);
            let se = (best_acc * (1.0 - best_acc) / n).sqrt();
            let rule = env("RULE", 0.5);
            let second = |c: &choose::Candidate| { let k = held.confusion(c); (k.sensitivity() + k.specificity()) / 2.0 };
            let chosen = full.iter().filter(|c| held.quality(c, measure) >= best - rule * se).max_by(|a, b| second(a).total_cmp(&second(b)).then(b.parts.cmp(&a.parts)).then(b.layer.cmp(&a.layer))).unwrap();
            if debug {
                for c in &full { let k = held.confusion(c); let cov = c.formula.covered(&sets[c.layer], shape);
                    eprintln!("config {} {:?} {} q {:.4} acc {:.4} train {:.4} len {}", c.layer + 1, ways[c.way], c.parts, held.quality(c, measure), k.accuracy(), bench.work(&sets[c.layer], |s| s.quality(&cov, &all)), c.formula.length(&sets[c.layer])); }
                eprintln!("chosen {} {:?} {} q {:.4} acc {:.4} {:?} se {se:.3}", chosen.layer + 1, ways[chosen.way], chosen.parts, held.quality(chosen, measure), held.confusion(chosen).accuracy(), t0.elapsed());
            }
            let program = chosen.formula.program(&sets[chosen.layer], lab);
            *lab.board_mut() = super::Board::new(10, 0.0);
            lab.attempt(&[program])?;
        }
    }
    lab.count(evaluated.into_inner());
    if debug { eprintln!("done {:?} {} hyp", t0.elapsed(), lab.evaluated()); }
    Ok(())
}
