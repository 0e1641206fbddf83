//! Measures the time per generation: `cargo run --release -p pellucid-forward --example generation_speed --
//! population=50 rows=66277`
//!
//! Creates rows and networks as in the paper (19 inputs, four RBF nodes, lift at 20 %), scores and ranks
//! every generation of new networks, and prints the wall-clock time and the CPU time in milliseconds.
//! Arguments are
//! `name=value`, each with a default: `population`, `rows`, `inputs`, `nodes`, `generations`, `threads`
//! (all), `device` (`cpu`, or a GPU such as `cuda:0`), `ask` (`top`, `pairs`, `both`, or `breed`: the device
//! breeds `ahead` generations in a row), and `halves`, the number of halves of held-out rows on
//! which the first network of the last generation is also ranked.

use pellucid_device::{Device, Threads};
use pellucid_forward::{
    Activation, Batch, BreedingPlan, GenerationSettings, Inputs, Layer, Networks, RankRequest,
    Session, Shape, TieCounting, Width,
};
use rustix::time::{ClockId, clock_gettime};
use std::collections::HashMap;
use std::error::Error;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

/// Random numbers that are the same in every run.
struct Chance(u64);

impl Chance {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }

    #[expect(clippy::cast_possible_truncation, reason = "rounded")]
    fn normal(&mut self) -> f32 {
        let angle = self.unit() * std::f64::consts::TAU;
        ((-2.0 * (1.0 - self.unit()).ln()).sqrt() * angle.cos()) as f32
    }

    /// Draws from a Laplace distribution with a mean absolute value of 1.
    #[expect(clippy::cast_possible_truncation, reason = "rounded")]
    fn laplace(&mut self) -> f32 {
        let size = -(1.0 - self.unit()).ln();
        (if self.unit() < 0.5 { size } else { -size }) as f32
    }
}

/// Returns rows of which every 45th is positive and slightly shifted.
fn rows(
    chance: &mut Chance,
    rows: usize,
    inputs: usize,
    halves: usize,
) -> Result<Arc<Inputs>, Box<dyn Error>> {
    let positive: Vec<bool> = (0..rows).map(|_| chance.unit() < 0.0221).collect();
    let column = |number: usize, chance: &mut Chance| -> Vec<f32> {
        let shift = if number < 5 { 1.0 } else { 0.0 };
        positive
            .iter()
            .map(|&positive| chance.normal() + if positive { shift } else { 0.0 })
            .collect()
    };
    let columns: Vec<Vec<f32>> = (0..inputs).map(|number| column(number, chance)).collect();
    let mut inputs = Inputs::new(&columns, &positive)?;
    for _ in 0..halves {
        let half: Vec<bool> = (0..rows).map(|_| chance.unit() < 0.5).collect();
        inputs.add_part(&half)?;
    }
    Ok(Arc::new(inputs))
}

fn population(chance: &mut Chance, shape: &Shape, count: usize) -> Vec<f32> {
    let mut genes = Vec::with_capacity(count * shape.genes());
    for _ in 0..count {
        let widths = shape.widths(0);
        genes.extend((0..shape.genes()).map(|gene| {
            let drawn = chance.laplace();
            if widths.contains(&gene) { drawn.abs() * 0.1 } else { drawn }
        }));
    }
    genes
}

/// Returns the CPU time of this process in seconds.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn device(name: &str, threads: Option<NonZeroUsize>) -> Result<Device, Box<dyn Error>> {
    if name == "cpu" {
        return Ok(Device::processor(threads)?);
    }
    let found = pellucid_device::devices(&Arc::new(Threads::new(threads)?))?;
    let device = found.devices.into_iter().find(|device| device.id() == name);
    device.ok_or_else(|| format!("there is no device {name}: {:?}", found.absent).into())
}

fn median(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[0])
}

/// Measures generations that are bred on the device.
#[expect(clippy::print_stdout, reason = "prints results")]
fn bred(
    session: &mut Session,
    shape: &Shape,
    genes: &[f32],
    ask: RankRequest,
    generations: usize,
    ahead: usize,
) -> Result<(), Box<dyn Error>> {
    let (mut genes, mut clock, mut digest, mut made) = (genes.to_vec(), Vec::new(), 0u64, 0);
    let mut device_time = 0.0;
    session.take_device_time(true);
    let begun = Instant::now();
    while made < generations {
        let generation = |number| GenerationSettings { number, mutated: 0.5, mean: 0.5 };
        let end = made + ahead.min(generations - made);
        let next: Vec<GenerationSettings> = (made as u64..end as u64).map(generation).collect();
        let breeding = BreedingPlan {
            inputs: 0,
            shape,
            wanted: ask.top.unwrap_or(1),
            parents: &genes,
            key: [1, 2],
            rank_rate: 0.083,
            generations: &next,
        };
        let start = Instant::now();
        let Some(bred) = session.breed(&breeding)? else {
            return Err("the device does not support breeding".into());
        };
        clock.push(start.elapsed().as_secs_f64() * 1e3 / bred.len() as f64);
        device_time += session.take_device_time(true).map_or(0.0, |time| time.as_secs_f64() * 1e3);
        made += bred.len();
        let Some(last) = bred.last() else { break };
        digest = last.ranks.iter().fold(digest, |digest, ranks| {
            digest.wrapping_mul(31).wrapping_add(ranks.top.positives_above.into())
        });
        // Best first; ties keep their order.
        let found = |place: usize| last.ranks[place].top.positives(TieCounting::Strict);
        let mut order: Vec<usize> = (0..last.ranks.len()).collect();
        order.sort_by(|&one, &other| found(other).total_cmp(&found(one)));
        let network = |place: usize| &last.genes[place * shape.genes()..][..shape.genes()];
        genes = order.into_iter().flat_map(network).copied().collect();
    }
    let total = begun.elapsed().as_secs_f64() * 1e3 / made as f64;
    let (median, least) = median(clock);
    println!(
        "breed, {ahead} in a row: {median:.4} ms per generation (minimum {least:.4}, mean {total:.4}), \
         {:.4} ms on the device; digest {digest:016x}",
        device_time / made as f64
    );
    Ok(())
}

#[expect(clippy::print_stdout, reason = "prints results")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: HashMap<String, String> = std::env::args()
        .skip(1)
        .filter_map(|argument| {
            argument.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
        })
        .collect();
    let text = |name: &str, default: &'static str| {
        arguments.get(name).cloned().unwrap_or(default.to_owned())
    };
    let number =
        |name: &str, default: usize| arguments.get(name).map_or(Ok(default), |value| value.parse());
    let (count, row_count) = (number("population", 50)?, number("rows", 66_277)?);
    let (inputs, nodes) = (number("inputs", 19)?, number("nodes", 4)?);
    let (generations, halves) = (number("generations", 20)?, number("halves", 0)?);
    let threads = NonZeroUsize::new(number("threads", 0)?);
    let (name, wanted) = (text("device", "cpu"), text("ask", "top"));

    let mut chance = Chance(7);
    let training = rows(&mut chance, row_count, inputs, 0)?;
    let held_out = rows(&mut chance, row_count * 3 / 7, inputs, halves)?;
    let shape = Shape::new(inputs, &[Layer { nodes, activation: Activation::Rbf(Width::Raw) }])?;
    let top = RankRequest::top(0, training.part(0).share(0.2));
    let asks = [match wanted.as_str() {
        "pairs" => RankRequest::pairs(0),
        "both" => top.and_pairs(),
        _ => top,
    }];
    let half_asks: Vec<RankRequest> =
        (1..=halves).map(|part| RankRequest::top(part, held_out.part(part).share(0.2))).collect();
    let populations: Vec<Vec<f32>> =
        (0..4).map(|_| population(&mut chance, &shape, count)).collect();

    let device = device(&name, threads)?;
    println!("{}", device.description());
    let mut session = Session::new(vec![training, held_out], &[device])?;
    if wanted == "breed" {
        let ahead = number("ahead", 100)?;
        return bred(&mut session, &shape, &populations[0], asks[0], generations, ahead);
    }
    let (mut clock, mut cpu, mut digest) = (Vec::new(), Vec::new(), 0u64);
    for generation in 0..generations + 3 {
        let genes = &populations[generation % 4];
        let networks = Networks::all(&shape, genes)?;
        let first = Networks::all(&shape, &genes[..shape.genes()])?;
        let mut batches = vec![Batch { inputs: 0, networks, asks: &asks }];
        if halves > 0 {
            batches.push(Batch { inputs: 1, networks: first, asks: &half_asks });
        }
        let (start, used) = (Instant::now(), cpu_seconds());
        let answers = session.rank(&batches)?;
        // The first few generations fill caches and allocate memory.
        if generation >= 3 {
            clock.push(start.elapsed().as_secs_f64() * 1e3);
            cpu.push((cpu_seconds() - used) * 1e3);
        }
        for network in 0..count {
            let ranks = answers.of(0, network)[0];
            let seen = u64::from(ranks.top.positives_above) + ranks.pairs.won;
            digest = digest.wrapping_mul(31).wrapping_add(seen);
        }
        if generation == 0 {
            let lift = |network| answers.of(0, network)[0].lift(TieCounting::Shared);
            println!("best lift {:.3}", (0..count).map(lift).fold(0.0, f64::max));
        }
    }
    let total: f64 = clock.iter().sum();
    let ((clock, least), (cpu, least_cpu)) = (median(clock), median(cpu));
    println!(
        "population {count} x {row_count} rows x {inputs} inputs x {nodes} nodes, {wanted}, {halves} halves: \
         {clock:.4} ms per generation (minimum {least:.4}, mean {:.4}), {cpu:.3} ms of CPU time \
         (minimum {least_cpu:.3}); digest {digest:016x}",
        total / generations as f64
    );
    Ok(())
}
