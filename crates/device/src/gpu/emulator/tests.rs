//! Tests of the emulator with its own kernels.

use super::*;
use proptest::prelude::*;
use std::process::Command;
use std::ptr::{from_ref, null, null_mut};

unsafe extern "C" {
    pub(super) fn pellucid_emulate_self_test(
        kernel: *const c_char,
        grid: u32,
        threads: u32,
        shared: usize,
        work: *const c_void,
    ) -> c_int;
}

/// The same struct as in `self_test.cu`.
#[repr(C)]
struct SelfTest {
    values: *const u32,
    reversed: *mut u32,
    warp_sums: *mut u32,
    odd_lanes: *mut u32,
    some_multiple_of_64: *mut u32,
    unwritten: *mut u32,
    odd_values: *mut u32,
    sum: *mut u64,
}

const NOTHING: SelfTest = SelfTest {
    values: null(),
    reversed: null_mut(),
    warp_sums: null_mut(),
    odd_lanes: null_mut(),
    some_multiple_of_64: null_mut(),
    unwritten: null_mut(),
    odd_values: null_mut(),
    sum: null_mut(),
};

#[derive(Debug, PartialEq)]
struct Output {
    reversed: Vec<u32>,
    warp_sums: Vec<u32>,
    odd_lanes: Vec<u32>,
    some_multiple_of_64: Vec<u32>,
    unwritten: Vec<u32>,
    odd_values: u32,
    sum: u64,
}

fn emulated(values: &[u32], threads: usize) -> Output {
    let (blocks, warps) = (values.len() / threads, values.len() / 32);
    let mut found = Output {
        reversed: vec![0; values.len()],
        warp_sums: vec![0; warps],
        odd_lanes: vec![0; warps],
        some_multiple_of_64: vec![0; warps],
        unwritten: vec![0; blocks],
        odd_values: 0,
        sum: 0,
    };
    let work = SelfTest {
        values: values.as_ptr(),
        reversed: found.reversed.as_mut_ptr(),
        warp_sums: found.warp_sums.as_mut_ptr(),
        odd_lanes: found.odd_lanes.as_mut_ptr(),
        some_multiple_of_64: found.some_multiple_of_64.as_mut_ptr(),
        unwritten: found.unwritten.as_mut_ptr(),
        odd_values: &raw mut found.odd_values,
        sum: &raw mut found.sum,
    };
    let (grid, block) = (u32::try_from(blocks).unwrap(), u32::try_from(threads).unwrap());
    // SAFETY: every list has the length that the kernel expects.
    unsafe {
        launch_by(
            pellucid_emulate_self_test,
            "self_test",
            grid,
            block,
            16 * threads,
            from_ref(&work).cast(),
        )
    }
    .unwrap();
    found
}

fn expected(values: &[u32], threads: usize) -> Output {
    let by_warp = |answer: fn(&[u32]) -> u32| values.chunks(32).map(answer).collect();
    Output {
        reversed: values.chunks(threads).flat_map(|block| block.iter().rev().copied()).collect(),
        warp_sums: by_warp(|warp| warp.iter().sum()),
        odd_lanes: by_warp(|warp| (0..32).map(|lane| (warp[lane] & 1) << lane).sum()),
        some_multiple_of_64: by_warp(|warp| warp.iter().any(|value| value % 64 == 0).into()),
        unwritten: vec![0xA5A5_A5A5; values.len() / threads],
        odd_values: values.iter().map(|value| value & 1).sum(),
        sum: values.iter().map(|&value| u64::from(value)).sum(),
    }
}

fn shape() -> impl Strategy<Value = (Vec<u32>, usize)> {
    (1..=32usize, 1..=3usize).prop_flat_map(|(warps, blocks)| {
        let values = prop::collection::vec(0..1_000_000u32, 32 * warps * blocks);
        (values, Just(32 * warps))
    })
}

proptest! {
    #[test]
    fn threads_synchronize_at_barriers_and_in_warps((values, threads) in shape()) {
        prop_assert_eq!(emulated(&values, threads), expected(&values, threads));
    }
}

#[test]
fn launches_on_several_host_threads_are_independent() {
    std::thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || {
                let values: Vec<u32> = (0..4096).map(|at| at * 7919 % 100_003 + seed).collect();
                for threads in [1024, 64, 512] {
                    assert_eq!(emulated(&values, threads), expected(&values, threads));
                }
            });
        }
    });
}

#[test]
fn refuses_invalid_launches() {
    // SAFETY: nothing is launched, so nothing is read.
    let unknown =
        unsafe { launch_by(pellucid_emulate_self_test, "no_such_kernel", 1, 32, 0, null()) };
    assert_eq!(unknown.unwrap_err(), "kernel no_such_kernel does not exist");
    for (threads, shared) in [(0, 0), (33, 0), (1056, 0), (32, 232_449)] {
        // SAFETY: as above.
        let shape = unsafe {
            launch_by(pellucid_emulate_self_test, "self_test", 1, threads, shared, null())
        };
        let message = format!("{threads} threads and {shared} bytes of shared memory");
        assert!(shape.unwrap_err().contains(&message));
    }
}

/// The environment variable with the name of a kernel that ends its process.
const INVALID_KERNEL: &str = "PELLUCID_INVALID_KERNEL";

#[test]
fn detects_invalid_kernels() {
    for (kernel, message) in [
        (
            "leaves_a_barrier",
            "kernel leaves_a_barrier, block 0: no thread can go on \
             (of 64 threads 1 have returned, 63 wait at __syncthreads",
        ),
        ("splits_a_warp", "the lanes of a warp are at different warp operations"),
        ("writes_behind_shared_memory", "something was written behind the shared memory"),
    ] {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "gpu::emulator::tests::ends_the_process", "--ignored", "--nocapture"])
            .env(INVALID_KERNEL, kernel)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&child.stderr);
        assert!(!child.status.success() && errors.contains(message), "{kernel}: {errors}");
    }
}

#[test]
#[ignore = "run by another test in a separate process"]
fn ends_the_process() {
    let Ok(kernel) = std::env::var(INVALID_KERNEL) else { return };
    let mut word = 0;
    let work = SelfTest { odd_lanes: &raw mut word, ..NOTHING };
    // SAFETY: these kernels access one word of one list.
    unsafe {
        launch_by(pellucid_emulate_self_test, &kernel, 1, 64, 64 * 16, from_ref(&work).cast())
    }
    .unwrap();
}
