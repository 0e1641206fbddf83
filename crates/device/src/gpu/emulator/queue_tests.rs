//! Errors of order and of size that the emulator must detect.

use super::tests::pellucid_emulate_self_test;
use super::{EmulatedCard, Emulation};
use crate::gpu::{Background, Card, CardError, GpuKernel, Launch, Module, Pass, Queue, Reads};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

static SELF_TEST: Module = Module {
    name: "self_test",
    ptx: "",
    kernels: &["self_test"],
    arguments: &["SelfTest"],
    shared_on_demand: true,
    emulate: pellucid_emulate_self_test,
};

fn card() -> EmulatedCard {
    EmulatedCard::new(&Emulation::default())
}

/// Reads memory back on the work queue.
fn read(card: &EmulatedCard, memory: &<EmulatedCard as Card>::Memory) -> Vec<u32> {
    let words = EmulatedCard::words(memory);
    let mut stage = card.stage(words).unwrap();
    // SAFETY: both live until the queue is finished.
    unsafe { card.copy_out(Queue::Work, memory, 0, &mut stage, words) }.unwrap();
    card.finish(Queue::Work).unwrap();
    stage.to_vec()
}

/// Queues a copy of the whole stage.
fn copy_in(
    card: &EmulatedCard,
    queue: Queue,
    stage: &<EmulatedCard as Card>::Staging,
    memory: &<EmulatedCard as Card>::Memory,
) -> Result<(), CardError> {
    // SAFETY: the emulator keeps both alive. The tests access them too early on purpose.
    unsafe { card.copy_in(queue, stage, 0..stage.len(), memory, 0) }
}

#[test]
fn detects_a_stage_that_is_written_too_early() {
    let card = card();
    let (memory, mut stage) = (card.allocate(2).unwrap(), card.stage(2).unwrap());
    stage.copy_from_slice(&[1, 2]);
    copy_in(&card, Queue::Copy, &stage, &memory).unwrap();
    stage[0] = 7;
    card.finish(Queue::Copy).unwrap();
    stage[1] = 8;
    assert_eq!(read(&card, &memory), [7, 2]);
}

#[test]
fn a_queue_sees_only_the_operations_of_the_other_that_it_waits_for() {
    let card = card();
    let (memory, mut stage) = (card.allocate(1).unwrap(), card.stage(1).unwrap());
    stage[0] = 1;
    copy_in(&card, Queue::Copy, &stage, &memory).unwrap();
    assert_ne!(read(&card, &memory), [1], "the queue does not wait for the copy");
    card.order(Queue::Copy, Queue::Work).unwrap();
    assert_eq!(read(&card, &memory), [1]);

    // The reverse: a copy that does not wait for the work runs before it.
    let mut early = card.stage(1).unwrap();
    // SAFETY: all live until both queues are finished.
    unsafe { card.copy_out(Queue::Work, &memory, 0, &mut early, 1) }.unwrap();
    stage[0] = 2;
    copy_in(&card, Queue::Copy, &stage, &memory).unwrap();
    card.finish(Queue::Copy).unwrap();
    card.finish(Queue::Work).unwrap();
    assert_eq!(early[0], 2);
    // SAFETY: as above.
    unsafe { card.copy_out(Queue::Work, &memory, 0, &mut early, 1) }.unwrap();
    card.order(Queue::Work, Queue::Copy).unwrap();
    stage[0] = 3;
    copy_in(&card, Queue::Copy, &stage, &memory).unwrap();
    card.finish(Queue::Copy).unwrap();
    assert_eq!(early[0], 2, "the copy had to wait for the work");
}

#[test]
fn detects_memory_that_is_freed_while_it_is_used() {
    let card = card();
    let freed = "uses 3 words of memory that were freed while it was queued";
    let (memory, stage) = (card.allocate(3).unwrap(), card.stage(3).unwrap());
    copy_in(&card, Queue::Work, &stage, &memory).unwrap();
    drop(memory);
    assert!(card.finish(Queue::Work).unwrap_err().to_string().contains(freed));
    // After an error no operation is pending.
    card.finish(Queue::Work).unwrap();

    let memory = card.allocate(3).unwrap();
    copy_in(&card, Queue::Work, &stage, &memory).unwrap();
    drop(stage);
    assert!(card.finish(Queue::Work).unwrap_err().to_string().contains(freed));

    let launch = Launch {
        kernel: GpuKernel { module: &SELF_TEST, number: 0 },
        blocks: 1,
        threads: 32,
        shared_bytes: 512,
    };
    // SAFETY: it never runs.
    unsafe { card.launch(launch, vec![0], &[&memory]) }.unwrap();
    drop(memory);
    let error = card.finish(Queue::Work).unwrap_err().to_string();
    assert!(error.starts_with("self_test uses 3 words"), "{error}");
}

#[test]
fn refuses_ranges_that_exceed_the_memory() {
    let card = card();
    let (memory, mut stage) = (card.allocate(4).unwrap(), card.stage(6).unwrap());
    for (words, at, message) in [
        (0..5, 0, "a copy of 5 words at word 0 exceeds the memory of 4 words"),
        (0..2, 3, "a copy of 2 words at word 3 exceeds the memory of 4 words"),
        (5..7, 0, "a copy of 2 words at word 5 exceeds the memory of 6 words"),
    ] {
        // SAFETY: nothing is queued.
        let refused = unsafe { card.copy_in(Queue::Work, &stage, words, &memory, at) };
        assert_eq!(refused.unwrap_err().to_string(), message);
    }
    for (at, words, message) in [
        (2, 3, "a copy of 3 words at word 2 exceeds the memory of 4 words"),
        (usize::MAX, 1, "a copy of 1 words at word 18446744073709551615 exceeds"),
    ] {
        // SAFETY: nothing is queued.
        let refused = unsafe { card.copy_out(Queue::Work, &memory, at, &mut stage, words) };
        assert!(refused.unwrap_err().to_string().starts_with(message), "{message}");
    }
    // SAFETY: nothing is queued.
    let refused = unsafe { card.clear(&memory, 5) };
    let message = "clearing of 5 words at word 0 exceeds the memory of 4 words";
    assert_eq!(refused.unwrap_err().to_string(), message);
    for (words, message) in [
        (0..5, "a pointer of 5 words at word 0 exceeds the memory of 4 words"),
        (4..5, "a pointer of 1 words at word 4 exceeds the memory of 4 words"),
        (1..3, "a pointer to word 1 is not aligned to 8 bytes"),
    ] {
        let refused =
            Pass::record(&card, |pass| pass.part(&memory, words).map(|_: Reads<'_, u64>| ()));
        assert_eq!(refused.unwrap_err().to_string(), message);
    }
}

/// A call that fails leaves no operation pending on either queue, so its memory may be dropped at
/// once.
#[test]
fn after_an_error_nothing_is_pending() {
    let card = card();
    let (memory, mut stage) = (card.allocate(2).unwrap(), card.stage(2).unwrap());
    stage.copy_from_slice(&[3, 4]);
    let (early, early_stage) = (card.allocate(1).unwrap(), card.stage(1).unwrap());
    copy_in(&card, Queue::Work, &stage, &memory).unwrap();
    copy_in(&card, Queue::Copy, &early_stage, &early).unwrap();
    assert_eq!(card.pending(), 2);
    // SAFETY: nothing is queued.
    unsafe { card.copy_in(Queue::Work, &stage, 0..2, &memory, 1) }.unwrap_err();
    assert_eq!(card.pending(), 0);
    drop((early, early_stage));
    assert_eq!(read(&card, &memory), [3, 4], "operations queued before the error have run");

    copy_in(&card, Queue::Work, &stage, &memory).unwrap();
    // SAFETY: nothing is queued.
    unsafe { card.clear(&memory, 3) }.unwrap_err();
    assert_eq!(card.pending(), 0);
}

#[test]
fn all_cards_of_a_gpu_share_its_budget() {
    let card = EmulatedCard::new(&Emulation { budget: Some(16), ..Emulation::default() });
    let other = card.with_own_queues().unwrap();
    let memory = card.allocate(3).unwrap();
    let refused = other.allocate(2).unwrap_err();
    let what = "the work".to_owned();
    assert_eq!(refused, CardError::TooSmall { what, needed: 8, available: 4 });
    drop(memory);
    other.allocate(4).unwrap();
}

#[test]
fn a_pass_waits_for_its_operations_however_it_ends() {
    let card = card();
    let (memory, mut stage) = (card.allocate(2).unwrap(), card.stage(2).unwrap());
    let mut back = card.stage(2).unwrap();
    stage.copy_from_slice(&[5, 6]);
    Pass::record(&card, |pass| {
        pass.upload(&stage, 0..2, &memory, 0)?;
        pass.download(&memory, 0, &mut back, 2)
    })
    .unwrap();
    assert_eq!((&back[..], card.pending()), (&[5, 6][..], 0));

    let refused = Pass::record(&card, |pass| {
        pass.upload(&stage, 0..2, &memory, 0)?;
        pass.upload(&stage, 0..2, &memory, 1)
    });
    assert!(refused.is_err());
    assert_eq!(card.pending(), 0);

    let panicked = catch_unwind(AssertUnwindSafe(|| {
        Pass::record(&card, |pass| {
            pass.upload(&stage, 0..2, &memory, 0)?;
            assert_eq!(card.pending(), 1);
            panic!("while recording");
            #[expect(unreachable_code, reason = "the type of the closure")]
            Ok(())
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(card.pending(), 0);
}

#[test]
fn a_pass_in_the_background_owns_what_it_uses() {
    let card = Arc::new(card());
    let memory = Arc::new(card.allocate(2).unwrap());
    let mut stage = card.stage(2).unwrap();
    stage.copy_from_slice(&[7, 8]);
    let start = |stage| {
        Background::start(&card, (Arc::clone(&memory), stage), |(memory, stage), pass| {
            pass.upload(stage, 0..2, memory, 0)
        })
    };
    let running = start(stage).unwrap();
    assert_eq!(card.pending(), 1);
    let (_, stage) = running.finish().unwrap();
    assert_eq!((&stage[..], card.pending()), (&[7, 8][..], 0));
    drop(start(stage).unwrap());
    assert_eq!((read(&card, &memory), card.pending()), (vec![7, 8], 0));
}
