//! Tests of failing GPUs and of GPUs together with the CPU. The conformance suite tests that GPUs rank
//! correctly.

#![cfg(feature = "emulator")]

use pellucid_device::gpu::{Emulation, emulated};
use pellucid_device::{Device, Schedule};
use pellucid_forward::{
    Activation, Answers, Batch, Inputs, Layer, Networks, RankRequest, Session, Shape, Width,
};
use pellucid_testdevices::threads;
use std::sync::Arc;

const NETWORKS: usize = 12;

/// Returns enough rows for a bracket, with half of them as a part.
fn inputs() -> Arc<Inputs> {
    let column =
        |step: usize| (0..5000).map(|row| (row * step % 1009) as f32 / 500.0 - 1.0).collect();
    let positive: Vec<bool> = (0..5000).map(|row| row % 13 == 0).collect();
    let mut inputs = Inputs::new(&[column(5), column(11), column(31)], &positive).expect("rows");
    let half: Vec<bool> = (0..5000).map(|row| row % 2 == 0).collect();
    inputs.add_part(&half).expect("a half");
    Arc::new(inputs)
}

fn shape() -> Shape {
    Shape::new(3, &[Layer { nodes: 2, activation: Activation::Rbf(Width::Softplus) }])
        .expect("a shape")
}

fn gpu(emulation: Emulation) -> Device {
    emulated("cuda:0", emulation, threads(1))
}

fn cpu() -> Device {
    Device::on_threads(threads(1)).expect("a CPU")
}

fn session(devices: &[Device]) -> Session {
    Session::new(vec![inputs()], devices).expect("a session")
}

/// Ranks the top of all rows, which uses a bracket, and pairs in a half, for which scores are stored.
fn ranked(session: &mut Session) -> Result<Answers, String> {
    let shape = shape();
    let genes: Vec<f32> =
        (0..NETWORKS * shape.genes()).map(|gene| (gene * 37 % 101) as f32 / 50.0 - 1.0).collect();
    let networks = Networks::all(&shape, &genes).expect("networks");
    let batches = [
        Batch { inputs: 0, networks, asks: &[RankRequest::top(0, 1000)] },
        Batch { inputs: 0, networks, asks: &[RankRequest::top(1, 77).and_pairs()] },
    ];
    session.rank(&batches).map_err(|error| error.to_string())
}

/// Fails each allocation, copy and kernel in turn.
#[test]
fn the_cpu_takes_over_if_any_operation_of_a_gpu_fails() {
    let expected = ranked(&mut session(&[cpu()])).expect("ranks");
    let mut failures = 0;
    for fails_at in 0..30 {
        let failing = gpu(Emulation { fails_at: Some(fails_at), ..Emulation::default() });
        let mut session = session(&[failing, cpu()]);
        session.set_schedule(Schedule::Shares(vec![0.5, 0.5]));
        for round in 0..2 {
            let found = ranked(&mut session).expect("a working CPU");
            assert_eq!(found, expected, "operation {fails_at}, round {round}");
        }
        let faults = session.take_faults();
        assert!(faults.len() <= 1, "{faults:?}");
        for fault in &faults {
            assert_eq!((fault.error.device.as_str(), fault.left), ("cuda:0", 1));
            assert!(fault.error.reason.contains("simulated failure"), "{fault:?}");
        }
        failures += faults.len();
    }
    assert!(failures > 10, "expected more than ten operations in two rounds: {failures}");
}

#[test]
fn a_gpu_that_fails_alone_is_an_error() {
    let failing = gpu(Emulation { fails_at: Some(14), ..Emulation::default() });
    let mut session = session(&[failing]);
    let mut asked = Ok(());
    for _ in 0..9 {
        asked = asked.and(ranked(&mut session).map(drop));
    }
    let error = asked.expect_err("it fails at the fourteenth operation");
    assert!(error.starts_with("device cuda:0: "), "{error}");
}

#[test]
fn one_gpu_as_two_devices_and_the_cpu_agree() {
    let expected = ranked(&mut session(&[cpu()])).expect("ranks");
    let one = gpu(Emulation::default());
    let devices = [one.clone(), one, cpu()];
    for schedule in [Schedule::Idle, Schedule::Shares(vec![0.3, 0.5, 0.2])] {
        let mut session = session(&devices);
        session.set_schedule(schedule);
        for _ in 0..3 {
            assert_eq!(ranked(&mut session).expect("ranks"), expected);
        }
        assert!(session.take_faults().is_empty());
    }
}
