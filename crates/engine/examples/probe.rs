use pellucid_engine::*;
use std::sync::Arc;
use std::time::Instant;
fn main() {
    let t = Instant::now();
    let gpus = gpu::discover();
    let gpus = match gpus { Ok(g) => g, Err(e) => { println!("{e}"); return; } };
    println!("discover {:?}", t.elapsed());
    drop(gpu::discover()); println!("discover again {:?}", t.elapsed());
    for g in &gpus { println!("{} {}", g.id(), g.description()); }
    let mut seed = 1u64;
    let mut draw = move |end: u32| { seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); (((seed >> 32) * u64::from(end)) >> 32) as u32 };
    let cpu: Arc<dyn Device> = Arc::new(Cpu::new(None).unwrap());
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let all = [(100_000usize, 256u32, 100u32, 0), (1_000_000, 256, 100, 0), (1_000_000, 2048, 100, 0), (1_000_000, 60000, 100, 0), (1_000_000, 2048, 20, 10), (100_000, 2048, 20, 10)];
    let sizes = if args.len() >= 4 { vec![(args[0], args[1] as u32, args[2] as u32, args[3])] } else { all.to_vec() };
    let mixes = if args.len() >= 6 { vec![(args[4], args[5])] } else { vec![(1000usize, 1000usize), (10_000, 1000), (1000, 4000), (1000, 0), (10_000, 4000)] };
    for (rows, distinct, columns_n, bag) in sizes {
        let t = Instant::now();
        let columns: Vec<_> = (0..columns_n).map(|c| (format!("c{c}"), Values::Numeric((0..rows).map(|_| f64::from(draw(distinct))).collect()))).collect();
        let table = if bag > 0 { let bags: Vec<u32> = (0..rows).map(|r| (r / bag) as u32).collect(); Table::with_bags(columns, &bags).unwrap() } else { Table::new(columns).unwrap() };
        let table = Arc::new(table);
        println!("\n# rows {rows} distinct {distinct} columns {columns_n} bag {bag} planes {} ({:.0} MB) made in {:?}", table.planes(), table.plane_bytes() as f64 / 1e6, t.elapsed());
        let hyps = if bag > 0 { vec![Hypothesis::Presence, Hypothesis::AtLeast(3), Hypothesis::Between(2, 6)] } else { vec![Hypothesis::Rows] };
        for hyp in hyps {
            let labels = if bag > 0 { let n = rows / bag; let codes: Vec<u32> = (0..n).map(|_| draw(2)).collect(); Labels::bags(&table, &codes, 2).unwrap() } else { let codes: Vec<u32> = (0..rows).map(|_| draw(2)).collect(); Labels::rows(&table, &codes, 2).unwrap() };
            let t = Instant::now();
            let mut session = Session::new(Arc::clone(&table), labels.clone(), hyp, &gpus[..1]).unwrap();
            let mut check = Session::new(Arc::clone(&table), labels.clone(), hyp, &[Arc::clone(&cpu)]).unwrap();
            let mut first = true;
            for &(rules, stock) in &mixes {
                let make = |draw: &mut dyn FnMut(u32) -> u32| Literal::new(draw(columns_n), draw(distinct.min(rows as u32 / 2) - 1), draw(2) == 0);
                let pool: Vec<Literal> = (0..stock.max(1)).map(|_| make(&mut draw)).collect();
                let mut formulas = Formulas::new();
                let mut nodes = 0u64;
                for _ in 0..rules {
                    let mut n = 6 + draw(14);
                    nodes += 4 * u64::from(n) - 1;
                    while n > 0 {
                        let s = n.min(1 + draw(5));
                        for _ in 0..s { let l = if stock == 0 { make(&mut draw) } else { pool[draw(stock as u32) as usize] }; formulas.literal(l); }
                        formulas.end_group();
                        n -= s;
                    }
                    formulas.end_root();
                }
                let (mut best, mut device) = (f64::MAX, f64::MAX);
                for _ in 0..12 {
                    session.forget_counts();
                    let t = Instant::now();
                    session.tally_formulas(&formulas).unwrap();
                    best = best.min(t.elapsed().as_secs_f64());
                    device = device.min(session.take_device_time().unwrap().as_secs_f64());
                }
                if first { println!("  load to first answers {:?}", t.elapsed()); first = false; }
                let same = if rules <= 1000 { let t = Instant::now(); let a = session.tally_formulas(&formulas).unwrap(); let b = check.tally_formulas(&formulas).unwrap(); format!("{} cpu {:?}", if a == b { "exact" } else { "WRONG" }, t.elapsed()) } else { String::new() };
                let work = nodes as f64 * rows as f64;
                println!("  {hyp:?} {rules} rules, stock {stock}: kernel {:.1} us {:.1} T/s; whole {:.1} us {:.1} T/s  {same}", device * 1e6, work / device * 1e-12, best * 1e6, work / best * 1e-12);
            }
        }
    }
}
