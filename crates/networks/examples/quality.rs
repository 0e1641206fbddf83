//! Temporary.
use pellucid_io::{ReadOptions, read};
use pellucid_learn::split::holdout;
use pellucid_networks::experiment::{Try, run};
use std::path::Path;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |name: &str, default: &str| args.iter().find_map(|a| a.strip_prefix(&format!("{name}=")).map(str::to_owned)).unwrap_or(default.to_owned());
    let base = "../../../shared/data/tabular/";
    let set = get("set", "ucsd");
    let o = ReadOptions::default();
    let list = |s: &str| -> Vec<String> { s.split(',').map(str::to_owned).collect() };
    let (file, o) = match set.as_str() {
        "ucsd" => ("ucsd2009_task1.csv.gz", o.target("target").ignore(list("cvfold")).nominal(list("state1,domain1,zip1"))),
        "bank" => ("bank-additional-full.csv.gz", o.target("y").ignore(list("duration"))),
        "caravan" => ("caravan_ticdata2000.txt.gz", o),
        _ => ("adult-train.csv.gz", o),
    };
    let data = read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/")).join(base).join(file).as_path(), &o).unwrap();
    let n = |name: &str, d: &str| get(name, d).parse::<f64>().unwrap();
    let kind: &'static str = Box::leak(get("kind", "rbf").into_boxed_str());
    let t = Try { nodes: n("nodes", "8") as usize, kind, steps: n("steps", "32") as usize, smoothing: n("smooth", "10"), rare: n("rare", "20") as usize,
        clip: n("clip", "5"), rate: n("rate", "0.02"), tiles: n("tiles", "4") as usize, rounds: n("rounds", "20") as u64, patience: n("patience", "6") as u64, decay: n("decay", "0"), islands: n("islands", "5") as usize };
    let mut sums = [0.0; 4];
    let seeds = n("seeds", "3") as u64;
    let codes = data.example_codes();
    let began = cpu();
    for seed in 1..=seeds {
        let split = holdout(&codes, 0.3, seed).unwrap();
        let (l, a, s, r) = run(&data.select(&split.train), &data.select(&split.test), &t, seed);
        sums[0] += l; sums[1] += a; sums[2] += s; sums[3] += r;
    }
    let m: Vec<String> = sums.iter().map(|s| format!("{:.4}", s / seeds as f64)).collect();
    println!("{} rows {} cols {} | ensemble lift {} auc {} single lift {} rounds {} | cpu {:.2}s per fit | {}", set, data.rows, data.columns.len(), m[0], m[1], m[2], m[3], (cpu() - began) / seeds as f64, args[1..].join(" "));
}
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let parts: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    (parts[11].parse::<f64>().unwrap() + parts[12].parse::<f64>().unwrap()) / 100.0
}
