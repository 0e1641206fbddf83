//! Temporary experiments.
#![allow(missing_docs)]
use crate::gradient::{Adam, Kind, Layer, Plan, Tiles, Walk};
use crate::prepare::{Manner, Preparation};
use pellucid_data::Dataset;
use pellucid_learn::metrics::{Ranking, Ties};
use pellucid_learn::rng::Streams;
use pellucid_learn::split::Folds;

pub struct Try {
    pub nodes: usize,
    pub kind: &'static str,
    pub steps: usize,
    pub smoothing: f64,
    pub rare: usize,
    pub clip: f64,
    pub rate: f64,
    pub tiles: usize,
    pub rounds: u64,
    pub patience: u64,
    pub decay: f64,
    pub islands: usize,
}

pub fn plan(inputs: usize, nodes: usize, kind: &str) -> Plan {
    let kind = match kind {
        "rbf" => Kind::RbfSoftplus,
        "sigmoid" => Kind::Sigmoid,
        "tanh" => Kind::Tanh,
        _ => Kind::Relu,
    };
    let links = nodes * inputs;
    let (centres, last) = if kind.is_rbf() { (links, 2 * links) } else { (links, links) };
    let layer = Layer { kind, inputs, nodes, weights: 0, centres, last };
    Plan { layers: vec![layer], output: last + nodes, genes: last + 2 * nodes }
}

pub fn init(plan: &Plan, columns: &[Vec<f32>], positive: &[bool], fold: &[u32], own: u32, streams: Streams) -> Vec<f32> {
    let mut s = streams.stream(&["init".into()]);
    let mut genes = vec![0.0_f32; plan.genes + 1];
    let l = plan.layers[0];
    let rows: Vec<usize> = (0..positive.len()).filter(|&r| fold[r] != own).collect();
    let pos: Vec<usize> = rows.iter().copied().filter(|&r| positive[r]).collect();
    let share = pos.len() as f64 / rows.len() as f64;
    for node in 0..l.nodes {
        let row = if node % 2 == 0 { *s.choose(&pos).unwrap() } else { *s.choose(&rows).unwrap() };
        for i in 0..l.inputs {
            let g = node * l.inputs + i;
            if l.kind.is_rbf() {
                let w = 0.7 + 0.1 * s.normal();
                genes[l.weights + g] = w as f32;
                genes[l.centres + g] = (w as f32) * columns[i][row];
            } else {
                genes[l.weights + g] = (s.normal() / (l.inputs as f64).sqrt()) as f32;
            }
        }
        genes[l.last + node] = if l.kind.is_rbf() { (1.0 / l.inputs as f64).exp_m1().ln() as f32 } else { (0.5 * s.normal()) as f32 };
        genes[plan.output + node] = (0.5 * s.normal()) as f32;
    }
    genes[plan.genes] = (share / (1.0 - share)).ln() as f32;
    genes
}

pub fn run(train: &Dataset, test: &Dataset, t: &Try, seed: u64) -> (f64, f64, f64, f64) {
    let codes = train.example_codes();
    let positive: Vec<bool> = codes.iter().map(|&c| c == 1).collect();
    let folds = Folds::stratified(&codes, t.islands, 1, seed).unwrap();
    let mut fold = vec![0_u32; codes.len()];
    for split in folds.iter() {
        for &r in &split.test { fold[r as usize] = split.fold as u32; }
    }
    let manner = Manner { rare: t.rare, smoothing: Some(t.smoothing), steps: t.steps, clip: Some(t.clip) };
    let fitted = Preparation::fit(train, &positive, &fold, &manner).unwrap();
    let streams = Streams::new(seed);
    let tiles = Tiles::new(&fitted.training, &positive, &fold, streams);
    let tested = fitted.preparation.apply(test).unwrap();
    let plan = plan(tested.len(), t.nodes, t.kind);
    let walk = Walk { rate: t.rate, tiles: t.tiles, rounds: t.rounds, decay: t.decay, patience: t.patience };
    let labels: Vec<bool> = test.example_codes().iter().map(|&c| c == 1).collect();
    let mut total = vec![0.0_f64; test.rows];
    let (mut single, mut rounds) = (0.0, 0.0);
    for island in 0..t.islands {
        let own = streams.at("island").at(island);
        let mut adam = Adam::new(init(&plan, &fitted.training, &positive, &fold, island as u32, own));
        let (tr, ho) = (tiles.without(island), tiles.of_fold(island));
        while !adam.is_done(&walk) { adam.round(&plan, &tiles, &tr, &ho, &walk, own); }
        rounds += adam.round as f64 / t.islands as f64;
        let genes = adam.best.unwrap().1;
        let scores: Vec<f64> = (0..test.rows).map(|r| score(&plan, &genes, &tested, r)).collect();
        single += Ranking::new(&scores, &labels).unwrap().lift_at(0.2, Ties::Shared) / t.islands as f64;
        total.iter_mut().zip(&scores).for_each(|(t, s)| *t += s);
    }
    let r = Ranking::new(&total, &labels).unwrap();
    (r.lift_at(0.2, Ties::Shared), r.auc(), single, rounds)
}

pub fn score(plan: &Plan, genes: &[f32], x: &[Vec<f32>], row: usize) -> f64 {
    let l = plan.layers[0];
    let mut out = genes[plan.genes] as f64;
    for node in 0..l.nodes {
        let mut sum = 0.0_f64;
        for i in 0..l.inputs {
            let g = node * l.inputs + i;
            let v = genes[l.weights + g] as f64 * x[i][row] as f64;
            if l.kind.is_rbf() { sum += (v - genes[l.centres + g] as f64).powi(2) } else { sum += v }
        }
        let last = genes[l.last + node] as f64;
        let a = match l.kind {
            Kind::RbfSoftplus => (-(last.exp().ln_1p()) * sum).exp(),
            Kind::RbfRaw => (-last * sum).exp(),
            Kind::Sigmoid => 1.0 / (1.0 + (-(sum + last)).exp()),
            Kind::Tanh => (sum + last).tanh(),
            Kind::Relu => (sum + last).max(0.0),
        };
        out += genes[plan.output + node] as f64 * a;
    }
    out
}
