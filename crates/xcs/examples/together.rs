//! Many agents learn the multiplexer side by side: on a GPU, and on the threads of the processor.
//!
//! `cargo run --release -p pellucid-xcs --example together -- [AGENTS] [STEPS] [ADDRESS BITS]`

use pellucid_device::{Device, DeviceKind, Threads, devices};
use pellucid_xcs::environment::{Agent, Multiplexer, Together};
use pellucid_xcs::params::Life;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let mut next = |usual| numbers.next().unwrap_or(Ok(usual));
    let (count, steps, address) = (next(256)?, next(20_000)?, usize::try_from(next(4)?)?);
    let (population, dont_care) = match address {
        ..=2 => (400, 0.33),
        3 => (800, 0.33),
        4 => (2000, 0.5),
        _ => (5000, 0.65),
    };
    let life = Life { population, ..Agent::published() };
    let problem = Multiplexer::new(address);
    let agents: Vec<Agent> =
        (0..count).map(|seed| Agent::new(&problem, life.clone(), dont_care, seed)).collect();

    let threads = Arc::new(Threads::new(None)?);
    let start = Instant::now();
    let here = threads.map_items(agents.clone(), |mut agent| {
        let mut problem = problem.clone();
        (0..steps).for_each(|_| {
            agent.explore(&mut problem);
        });
        agent
    });
    let on_threads = start.elapsed().as_secs_f64();
    let rate = |seconds: f64| (count * steps) as f64 / seconds / 1e6;
    println!("{count} agents, {steps} steps each, {population} rules");
    println!(
        "{} threads: {on_threads:.3} s, {:.2} million steps/s",
        threads.count(),
        rate(on_threads)
    );
    let is_gpu = |device: &Device| device.kind() == DeviceKind::Gpu;
    for gpu in devices(&threads)?.devices.into_iter().filter(is_gpu) {
        let mut there = agents.clone();
        let start = Instant::now();
        let mut together = Together::open(&gpu, address, &there)?;
        let opened = start.elapsed().as_secs_f64();
        together.take_time();
        let start = Instant::now();
        together.explore(steps)?;
        let on_gpu = start.elapsed().as_secs_f64();
        let kernels = together.take_time().unwrap_or_default().as_secs_f64();
        let start = Instant::now();
        together.bring_home(&mut there, &threads)?;
        let home = start.elapsed().as_secs_f64();
        let same = here.iter().zip(&there).all(|(here, there)| here.digest() == there.digest());
        println!(
            "{}: {on_gpu:.3} s (kernels {kernels:.3}), {:.2} million steps/s, {:.2} times the threads; to the card {opened:.3} s, \
             home {home:.3} s; {}",
            gpu.name(),
            rate(on_gpu),
            on_threads / on_gpu,
            if same { "the same agents" } else { "OTHER AGENTS" }
        );
    }
    Ok(())
}
