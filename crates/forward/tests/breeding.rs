//! Generations that are bred on a device equal those that are bred on the CPU, with the same random
//! streams.

#![cfg(feature = "emulator")]

use pellucid_device::gpu::{Emulation, emulated};
use pellucid_device::{Device, Schedule};
use pellucid_forward::{
    Activation, Batch, BreedingPlan, GenerationSettings, Inputs, Layer, Networks, RankRequest,
    Session, Shape, TieCounting, Width,
};
use pellucid_learn::rng::{Stream, Streams};
use pellucid_testdevices::{cases, threads};
use proptest::prelude::*;
use std::sync::Arc;

const ROWS: usize = 4200;
const RATE: f64 = 0.1;

fn gpu() -> Device {
    emulated("cuda:0", Emulation::default(), threads(1))
}

fn inputs(features: usize, seed: u64) -> Arc<Inputs> {
    let mut stream = Streams::new(seed).stream(&["rows".into()]);
    let positive: Vec<bool> = (0..ROWS).map(|_| stream.chance(0.1)).collect();
    let columns: Vec<Vec<f32>> = (0..features)
        .map(|_| {
            positive.iter().map(|&is| number(stream.normal()) + f32::from(u8::from(is))).collect()
        })
        .collect();
    Arc::new(Inputs::new(&columns, &positive).expect("rows"))
}

#[expect(clippy::cast_possible_truncation, reason = "rounded")]
fn number(wide: f64) -> f32 {
    wide as f32
}

fn rank(stream: &mut Stream, population: usize) -> usize {
    loop {
        let rank = (stream.exponential() / RATE).floor();
        if rank < population as f64 {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
            return rank as usize;
        }
    }
}

fn child(
    shape: &Shape,
    parents: &[Vec<f32>],
    how: GenerationSettings,
    mut stream: Stream,
) -> Vec<f32> {
    let parent = rank(&mut stream, parents.len());
    let mut genes = parents[parent].clone();
    if stream.chance(how.mutated) || parents.len() < 2 {
        let node = stream.index(shape.layers()[0].nodes);
        for gene in shape.incoming(0, node).chain([shape.outputs().start + node]) {
            let size = how.mean * stream.exponential();
            genes[gene] += number(if stream.chance(0.5) { size } else { -size });
        }
        return genes;
    }
    let other = loop {
        let other = rank(&mut stream, parents.len());
        if other != parent {
            break other;
        }
    };
    for (word, genes) in genes.chunks_mut(64).enumerate() {
        let coins = stream.next_word();
        for (place, gene) in genes.iter_mut().enumerate() {
            if coins >> place & 1 == 1 {
                *gene = parents[other][64 * word + place];
            }
        }
    }
    genes
}

fn activation() -> impl Strategy<Value = Activation> {
    prop_oneof![
        3 => Just(Activation::Rbf(Width::Raw)),
        1 => Just(Activation::Sigmoid),
        1 => Just(Activation::Tanh),
        1 => Just(Activation::Relu),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(12), ..ProptestConfig::default() })]

    #[test]
    fn a_device_breeds_the_same_generations_as_the_cpu(
        (features, nodes, activation) in (1_usize..24, 1_usize..6, activation()),
        (population, generations, first) in (1_usize..9, 1_usize..4, 0_u64..20_000),
        (mutated, mean, size) in (0.0..1.0, 0.1..2.0, prop_oneof![Just(0.0), 0.1..3.0]),
        (wanted, seed) in (prop_oneof![Just(1), Just(ROWS), 1..ROWS], any::<u64>()),
    ) {
        let shape = Shape::new(features, &[Layer { nodes, activation }]).expect("a shape");
        let mut stream = Streams::new(seed).stream(&["genes".into()]);
        // With genes of size 0 all outputs are equal at first, and every row ties.
        let genes: Vec<f32> =
            (0..population * shape.genes()).map(|_| number(size * stream.normal())).collect();
        let family = Streams::new(seed).at("child");
        let hows: Vec<GenerationSettings> =
            (first..).take(generations).map(|number| GenerationSettings { number, mutated, mean }).collect();
        let inputs = inputs(features, seed);
        let session = |device: Device| Session::new(vec![Arc::clone(&inputs)], &[device]).expect("a session");
        let breeding = BreedingPlan {
            inputs: 0, shape: &shape, wanted, parents: &genes, key: family.key(), rank_rate: RATE,
            generations: &hows,
        };
        let bred = session(gpu()).breed(&breeding).expect("no failure").expect("generations");
        prop_assert_eq!(bred.len(), generations);
        for device in pellucid_testdevices::gpus() {
            let there = session(device).breed(&breeding).expect("no failure");
            prop_assert_eq!(there.as_ref(), Some(&bred));
        }

        let mut plain = session(Device::on_threads(threads(1)).expect("a CPU"));
        let mut parents: Vec<Vec<f32>> = genes.chunks(shape.genes()).map(<[f32]>::to_vec).collect();
        for (how, bred) in hows.into_iter().zip(bred) {
            let make = |place: usize| match place {
                0 => parents[0].clone(),
                _ => child(&shape, &parents, how, family.stream(&[how.number.into(), place.into()])),
            };
            let children: Vec<Vec<f32>> = (0..population).map(make).collect();
            let genes = children.concat();
            prop_assert_eq!(bits(&bred.genes), bits(&genes));
            let networks = Networks::all(&shape, &genes).expect("networks");
            let batch = Batch { inputs: 0, networks, asks: &[RankRequest::top(0, wanted)] };
            let answers = plain.rank(&[batch]).expect("ranks");
            let ranks: Vec<_> = (0..population).map(|place| answers.of(0, place)[0]).collect();
            prop_assert_eq!(&bred.ranks, &ranks);
            let mut order: Vec<usize> = (0..population).collect();
            let found = |place: usize| ranks[place].top.positives(TieCounting::Strict);
            order.sort_by(|&one, &other| found(other).total_cmp(&found(one)));
            parents = order.into_iter().map(|place| children[place].clone()).collect();
        }
    }
}

fn bits(genes: &[f32]) -> Vec<u32> {
    genes.iter().map(|gene| gene.to_bits()).collect()
}

/// If the GPU fails, the session returns either all generations or none. With none, the CPU can still rank
/// children.
#[test]
fn a_gpu_that_fails_breeds_nothing() {
    let shape = Shape::new(3, &[Layer { nodes: 2, activation: Activation::Rbf(Width::Raw) }]);
    let shape = shape.expect("a shape");
    let genes: Vec<f32> =
        (0..4 * shape.genes()).map(|gene| (gene * 37 % 101) as f32 / 50.0 - 1.0).collect();
    let how = |number| GenerationSettings { number, mutated: 0.5, mean: 0.5 };
    let generations = [how(1), how(2)];
    let breeding = BreedingPlan {
        inputs: 0,
        shape: &shape,
        wanted: 800,
        parents: &genes,
        key: [3, 4],
        rank_rate: RATE,
        generations: &generations,
    };
    let expected = Session::new(vec![inputs(3, 2)], &[gpu()]).expect("a session").breed(&breeding);
    let expected = expected.expect("no failure");
    assert_eq!(expected.as_ref().map(Vec::len), Some(2));
    let mut failures = 0;
    for fails_at in 0..24 {
        let emulation = Emulation { fails_at: Some(fails_at), ..Emulation::default() };
        let failing = emulated("cuda:0", emulation, threads(1));
        let cpu = Device::on_threads(threads(1)).expect("a CPU");
        let mut session = Session::new(vec![inputs(3, 2)], &[failing, cpu]).expect("a session");
        session.set_schedule(Schedule::Shares(vec![0.9, 0.1]));
        let found = session.breed(&breeding).expect("a working CPU");
        let failed = !session.take_faults().is_empty();
        assert_eq!(found, if failed { None } else { expected.clone() }, "operation {fails_at}");
        failures += usize::from(failed);
    }
    assert!((8..24).contains(&failures), "{failures}");
}

#[test]
fn devices_without_breeding_return_none() {
    let shape = Shape::new(2, &[Layer { nodes: 2, activation: Activation::Rbf(Width::Softplus) }]);
    let shape = shape.expect("a shape");
    let genes = vec![0.5; 3 * shape.genes()];
    let generation = GenerationSettings { number: 1, mutated: 0.5, mean: 1.0 };
    let breeding = BreedingPlan {
        inputs: 0,
        shape: &shape,
        wanted: 100,
        parents: &genes,
        key: [1, 2],
        rank_rate: RATE,
        generations: &[generation],
    };
    let cpu = Device::on_threads(threads(1)).expect("a CPU");
    for device in [cpu, gpu()] {
        let mut session = Session::new(vec![inputs(2, 1)], &[device]).expect("a session");
        assert_eq!(session.breed(&breeding).expect("no failure"), None);
        let wrong = BreedingPlan { wanted: ROWS + 1, ..breeding };
        assert!(session.breed(&wrong).is_err());
    }
}
