//! Compares every backend with the specification on generated shapes, rows and genes. The specification is
//! compared with double precision and with the metrics of `learn`.
//!
//! A backend is a device in the registry of `pellucid_testdevices`; it is complete when this suite passes on
//! it. Scores are compared by their bits.

#![allow(clippy::cast_possible_truncation, reason = "generated sizes are small")]

mod case;
mod exact;

use case::{Case, Kind};
use pellucid_device::Device;
use pellucid_forward::{
    Activation, Batch, Inputs, Layer, Networks, RankRequest, Ranks, Session, Shape, TieCounting,
    Width, spec,
};
use pellucid_testdevices::{Backend, EmulatedGpu, backends, cases};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The GPU kernels on the CPU: with the usual sizes, with too little shared memory for a network, and with
/// little memory.
const EMULATED: [EmulatedGpu; 3] = [
    EmulatedGpu::USUAL,
    EmulatedGpu {
        name: "emulated GPU without memory for a network",
        shared_bytes: 8 << 10,
        threads: 32,
        ..EmulatedGpu::USUAL
    },
    EmulatedGpu {
        name: "emulated GPU of 64 KiB",
        memory: Some(64 << 10),
        threads: 96,
        ..EmulatedGpu::USUAL
    },
];

/// Returns every backend on this machine, with one thread and with several.
fn devices() -> Vec<Backend> {
    backends(&[1, 3], &EMULATED)
}

/// Returns the ranks of one network by the specification.
fn expected(case: &Case, asks: &[RankRequest], scores: &[f32]) -> Vec<Ranks> {
    let of = |ask: &RankRequest| {
        let member = |row: &usize| ask.part == 0 || case.parts[ask.part - 1][*row];
        let scores = |positive: bool| -> Vec<f32> {
            let rows = (0..scores.len()).filter(member);
            rows.filter(|&row| case.positive[row] == positive).map(|row| scores[row]).collect()
        };
        let (positives, negatives) = (scores(true), scores(false));
        Ranks {
            rows: (positives.len() + negatives.len()) as u32,
            positives: positives.len() as u32,
            top: ask.top.map(|top| spec::top(&positives, &negatives, top)).unwrap_or_default(),
            pairs: match ask.pairs {
                true => spec::pairs(&positives, &negatives),
                false => Default::default(),
            },
        }
    };
    asks.iter().map(of).collect()
}

fn check(case: &Case) {
    let inputs = Arc::new(case.inputs());
    let scores: Vec<Vec<f32>> = (0..case.networks())
        .map(|network| spec::scores(&case.shape, case.network(network), &inputs))
        .collect();
    let ranks: Vec<Vec<Ranks>> =
        scores.iter().map(|scores| expected(case, &case.asks, scores)).collect();
    // Only the top of all rows, for which GPUs have a separate method.
    let top: Vec<RankRequest> = case
        .asks
        .iter()
        .filter(|ask| ask.part == 0)
        .filter_map(|ask| ask.top)
        .take(1)
        .map(|top| RankRequest::top(0, top))
        .collect();
    let tops: Vec<Vec<Ranks>> = scores.iter().map(|scores| expected(case, &top, scores)).collect();
    // A second batch has some of the networks and other inputs with the same rows.
    let some: Vec<usize> = (0..case.networks()).rev().step_by(3).collect();
    for Backend { name, device } in devices() {
        let both = vec![Arc::clone(&inputs), Arc::clone(&inputs)];
        let mut session = Session::new(both, &[device]).expect("a session");
        for (network, expected) in scores.iter().enumerate().take(3) {
            let found = session.scores(1, &case.shape, case.network(network)).expect("scores");
            let bits =
                |scores: &[f32]| scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>();
            assert_eq!(
                bits(&found),
                bits(expected),
                "{name}: scores of network {network} of {:?}",
                case.shape
            );
        }
        let all = Networks::all(&case.shape, &case.genes).expect("networks");
        let few = Networks::some(&case.shape, &case.genes, &some).expect("networks");
        let half = &case.asks[..case.asks.len() / 2];
        let batches = [
            Batch { inputs: 0, networks: all, asks: &case.asks },
            Batch { inputs: 1, networks: few, asks: half },
            Batch { inputs: 0, networks: all, asks: &top },
        ];
        // Twice, because state from the first round must not affect the second.
        for round in 0..2 {
            let answers = session.rank(&batches).expect("ranks");
            for (network, expected) in ranks.iter().enumerate() {
                let found = answers.of(0, network);
                assert_eq!(
                    found, expected,
                    "{name}, round {round}: network {network}, {:?}",
                    case.asks
                );
            }
            for (network, expected) in tops.iter().enumerate() {
                assert_eq!(
                    answers.of(2, network),
                    expected,
                    "{name}, round {round}: top of network {network}, {top:?}"
                );
            }
            for (place, &network) in some.iter().enumerate() {
                let found = answers.of(1, place);
                assert_eq!(found, &ranks[network][..half.len()], "{name}: network {network} again");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), ..ProptestConfig::default() })]

    #[test]
    fn small_tables(seed: u64, rows in 0usize..150, features in 1usize..7) {
        check(&Case::new(seed, &Kind { rows, features, most_nodes: 6, networks: 5 }));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(16), ..ProptestConfig::default() })]

    #[test]
    fn around_block_and_tile_edges(
        seed: u64,
        rows in prop::sample::select(vec![
            1, 15, 16, 17, 63, 64, 65, 127, 128, 255, 256, 257, 511, 513, 1025
        ]),
    ) {
        check(&Case::new(seed, &Kind { rows, features: 3, most_nodes: 9, networks: 4 }));
    }

    #[test]
    fn many_inputs_and_nodes(seed: u64, features in 15usize..70) {
        check(&Case::new(seed, &Kind { rows: 90, features, most_nodes: 24, networks: 3 }));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(4), ..ProptestConfig::default() })]

    /// Enough rows for a bracket.
    #[test]
    fn tables_of_thousands(seed: u64, rows in 4000usize..9000) {
        check(&Case::new(seed, &Kind { rows, features: 2, most_nodes: 3, networks: 9 }));
    }
}

/// Enough rows for a bracket, and RBF networks with as many inputs as each kernel that counts rows around
/// brackets supports, and as few.
#[test]
fn radial_networks_of_every_width() {
    for (seed, features) in (1..).zip([1, 7, 8, 11, 12, 15, 16, 19, 20, 23, 24, 25]) {
        check(&Case::radial(seed, &Kind { rows: 4200, features, most_nodes: 3, networks: 3 }));
    }
}

/// A network with equal outputs for all rows has lift 1 if ties are shared and 0 otherwise, never the
/// maximum.
#[test]
fn a_constant_network_gains_nothing() {
    let rows = 5000;
    let column: Vec<f32> = (0..rows).map(|row| (row % 97) as f32).collect();
    let positive: Vec<bool> = (0..rows).map(|row| row % 11 == 0).collect();
    let inputs = Arc::new(Inputs::new(&[column], &positive).expect("rows"));
    let layer = Layer { nodes: 2, activation: Activation::Rbf(Width::Raw) };
    let shape = Shape::new(1, &[layer]).expect("a shape");
    // Zero widths, zero outputs, and NaN outputs.
    let genes = [
        [1.0, 2.0, 0.5, 0.5, 0.0, 0.0, 3.0, -1.0],
        [1.0, 2.0, 0.5, 0.5, 1.0, 1.0, 0.0, 0.0],
        [1.0, 2.0, 0.5, 0.5, 1.0, 1.0, f32::NAN, 0.0],
    ]
    .concat();
    let ask = [RankRequest::top(0, inputs.part(0).share(0.2)).and_pairs()];
    for Backend { name, device } in devices() {
        let mut session = Session::new(vec![Arc::clone(&inputs)], &[device]).expect("a session");
        let networks = Networks::all(&shape, &genes).expect("networks");
        let answers = session.rank(&[Batch { inputs: 0, networks, asks: &ask }]).expect("ranks");
        for network in 0..3 {
            let ranks = answers.of(0, network)[0];
            assert!((ranks.lift(TieCounting::Shared) - 1.0).abs() < 1e-12, "{name}: {ranks:?}");
            assert_eq!(ranks.lift(TieCounting::Strict), 0.0, "{name}: {ranks:?}");
            assert_eq!(ranks.auc(), 0.5, "{name}: {ranks:?}");
        }
    }
}

/// Invalid requests are rejected before anything is computed.
#[test]
fn invalid_requests_are_rejected() {
    let inputs = Arc::new(Inputs::new(&[vec![1.0, 2.0]], &[true, false]).expect("rows"));
    let layer = Layer { nodes: 1, activation: Activation::Relu };
    let (one, two) = (Shape::new(1, &[layer]).unwrap(), Shape::new(2, &[layer]).unwrap());
    let device = Device::processor(NonZeroUsize::new(1)).expect("a CPU");
    let mut session = Session::new(vec![inputs], &[device]).expect("a session");
    let genes = [1.0; 4];
    let mut message = |inputs, shape: &Shape, asks: &[RankRequest]| {
        let networks = Networks::all(shape, &genes[..shape.genes()]).expect("a network");
        session.rank(&[Batch { inputs, networks, asks }]).expect_err("an error").to_string()
    };
    assert_eq!(message(1, &one, &[]), "inputs 1 do not exist; expected a number below 1");
    assert_eq!(message(0, &two, &[]), "the networks have 2 inputs, but the rows have 1");
    assert_eq!(
        message(0, &one, &[RankRequest::pairs(2)]),
        "part 2 does not exist; expected a number below 1"
    );
    assert_eq!(
        message(0, &one, &[RankRequest::top(0, 3)]),
        "found a top of 3 rows in part 0; expected 1 to 2"
    );
    assert_eq!(
        message(0, &one, &[RankRequest::top(0, 0)]),
        "found a top of 0 rows in part 0; expected 1 to 2"
    );
    let message = Networks::all(&one, &genes).expect_err("an error").to_string();
    assert_eq!(message, "found 4 genes; expected a multiple of 3, the genes of one network");
    let message = Networks::some(&one, &genes[..3], &[0, 1]).expect_err("an error").to_string();
    assert_eq!(message, "network 1 does not exist; expected a number below 1");
    assert!(session.scores(0, &one, &genes).is_err());
}
