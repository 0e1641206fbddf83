//! Everything small at once.
//!
//! Literals are what individuals are and have and what roles lead them to, a few layers deep. All pairs of them are
//! counted, and answers are put together from pairs, a part at a time. Which size of answer can be relied on is found by
//! doing the same without some of the examples.

mod build;
mod formula;
mod layers;
mod literals;
mod pairs;
mod rows;

use super::{Lab, LearnError, Pace, Search};
use build::{Way, Workshop};
use formula::Formula;
use layers::Layers;
use literals::{Literals, MOST};
use pairs::Pairs;
use pellucid_engine::ProgramId;
use pellucid_learn::split::Folds;
use rows::Shape;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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
    let mut layers = Layers::new(lab)?;
    let debug = std::env::var("DBG").is_ok();
    let shape = Shape { positives: lab.task().positive.len(), negatives: lab.task().negative.len() };
    let all = shape.all();
    let mut sets: Vec<Literals> = Vec::new();
    let lambdas = [0.0, 0.0002, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05];
    let depths: usize = std::env::var("DEPTH").ok().and_then(|d| d.parse().ok()).unwrap_or(2);
    while layers.depth <= depths {
        let literals = layers.literals.chosen(MOST);
        if debug { eprintln!("depth {} literals {} {:?}", layers.depth, literals.len(), t0.elapsed()); }
        sets.push(literals);
        if layers.depth == depths || !layers.can_grow() { break; }
        layers.grow(lab)?;
    }
    let threads = Arc::clone(lab.threads());
    let control = lab.control().clone();
    let stop = move || control.should_stop().is_some();
    let measure = lab.options().measure;
    let noise = lab.options().noise;
    let pairs: Vec<Pairs<'_>> = sets.iter().map(|set| Pairs::new(set, shape)).collect();
    let shops: Vec<Workshop<'_>> = pairs.iter().map(|pairs| Workshop { pairs, shape, measure, noise, threads: &threads, stop: &stop }).collect();
    let candidates = |mask: &[u64]| -> Vec<(usize, Way, usize, Formula)> {
        let mut out = vec![(0, Way::Carve, 0, Formula::Constant(true))];
        for (depth, shop) in shops.iter().enumerate() {
            for way in Way::ALL {
                for (k, f) in shop.path(way, mask).into_iter().enumerate() {
                    let small = shop.minimised(f, mask);
                    out.push((depth, way, k + 1, small));
                }
            }
        }
        out
    };
    let full = candidates(&all);
    if debug {
        for (d, w, k, f) in &full {
            let cov = f.covered(&sets[*d], shape);
            eprintln!("depth {} {:?} {} q {:.3} {:?} len {} lits {}", d + 1, w, k, shops[*d].quality(&cov, &all), shape.counts(&cov), f.length(&sets[*d]), f.literals());
        }
        eprintln!("{:?}", t0.elapsed());
    }
    // inner cv
    let mut lambda = 0.0;
    let perfect = full.iter().any(|(d, _, _, f)| shops[*d].quality(&f.covered(&sets[*d], shape), &all) >= 1.0);
    if !perfect || std::env::var("CV").is_ok() {
        let codes = lab.task().codes();
        let folds: usize = 5.min(shape.positives).min(shape.negatives);
        if folds >= 2 {
            let folds = Folds::stratified(&codes, folds, 2, lab.options().seed).map_err(|e| LearnError::Checkpoint(e.to_string()))?;
            let mut sums = vec![[0u32; 2]; lambdas.len()];
            let mut by_config: std::collections::BTreeMap<(usize, String, usize), [u32; 3]> = Default::default();
            let mut tot = [0u32; 2];
            for split in folds.iter() {
                let mut mask = vec![0; shape.words()];
                for &e in &split.train { let (w, b) = shape.place(e as usize); mask[w] |= b; }
                let test: Vec<u64> = all.iter().zip(&mask).map(|(a, m)| a & !m).collect();
                let c = shape.counts(&test);
                tot[0] += c[0]; tot[1] += c[1];
                let cands: Vec<_> = candidates(&mask).into_iter().map(|(d, w, k, f)| {
                    let cov = f.covered(&sets[d], shape);
                    let q = shops[d].quality(&cov, &mask);
                    let t = shape.counts(&rows::and(&cov, &test));
                    let len = f.length(&sets[d]);
                    let e = by_config.entry((d, format!("{w:?}"), k)).or_default();
                    e[0] += t[0]; e[1] += t[1]; e[2] += 1;
                    (q, len, t)
                }).collect();
                for (l, sum) in lambdas.iter().zip(&mut sums) {
                    let best = cands.iter().max_by(|a, b| (a.0 - l * f64::from(a.1)).total_cmp(&(b.0 - l * f64::from(b.1))).then(b.1.cmp(&a.1))).unwrap();
                    sum[0] += best.2[0]; sum[1] += best.2[1];
                }
            }
            let judge = |s: &[u32; 2]| measure.of(&pellucid_learn::metrics::Confusion::from_covered(s[0].into(), s[1].into(), tot[0].into(), tot[1].into()));
            let acc = |s: &[u32; 2]| f64::from(s[0] + tot[1] - s[1]) / f64::from(tot[0] + tot[1]);
            let mut best = f64::NEG_INFINITY;
            for (l, sum) in lambdas.iter().zip(&sums) {
                if debug { eprintln!("lambda {l} q {:.4} acc {:.4}", judge(sum), acc(sum)); }
                if judge(sum) >= best { best = judge(sum); lambda = *l; }
            }
            if debug { for ((d, w, k), e) in &by_config { let s = [e[0], e[1]]; eprintln!("config {} {w} {k} n {} q {:.4} acc {:.4}", d + 1, e[2], judge(&s), acc(&s)); } }
        }
    }
    lab.board_mut().set_penalty(lambda);
    if debug { eprintln!("lambda {lambda} {:?}", t0.elapsed()); }
    let total: u64 = pairs.iter().map(|p| p.hypotheses()).sum();
    let programs: Vec<ProgramId> = full.iter().map(|(d, _, _, f)| f.program(&sets[*d], lab)).collect();
    lab.attempt(&programs)?;
    lab.count(total);
    Ok(())
}
