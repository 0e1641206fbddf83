//! The kernels of `lockstep.cu` and the layout of their arguments.

use pellucid_device::gpu::{Stored, Writes};
use pellucid_device::{kernel_structs, kernels};

kernel_structs! {
    /// A rule and its copies.
    pub(super) struct RuleRecord {
        pub(super) digest: u64,
        pub(super) stamp: u64,
        pub(super) label: u32,
        pub(super) copies: u32,
        pub(super) experience: u32,
        pub(super) correct: u32,
        pub(super) prediction: f32,
        pub(super) error: f32,
        pub(super) fitness: f32,
        pub(super) niche: f32,
    }

    /// The state and the constants of a learner. The first half changes while it learns.
    pub(super) struct LearnerRecord {
        pub(super) life: [u64; 4],
        pub(super) world: [u64; 4],
        pub(super) time: u64,
        pub(super) copies: u64,
        pub(super) made: u64,
        pub(super) fitness: f64,
        pub(super) used: u32,
        pub(super) free_count: u32,
        /// The number of predictions, and the number of correct ones.
        pub(super) asked: u32,
        pub(super) right: u32,
        pub(super) learning_rate: f64,
        pub(super) accuracy_fall: f64,
        pub(super) forgiven_error: f64,
        pub(super) accurate_from: f64,
        pub(super) crossover_rate: f64,
        pub(super) mutation: f64,
        pub(super) tournament: f64,
        pub(super) deletion_share: f64,
        pub(super) exploration: f64,
        pub(super) reward: f64,
        pub(super) first_prediction: f64,
        pub(super) named: f64,
        /// The rows of its table and their order. Null if it learns multiplexers.
        pub(super) rows: Stored<u64>,
        pub(super) row_labels: Stored<u32>,
        pub(super) order: Stored<u32>,
        pub(super) breeding_pause: u64,
        pub(super) population: u32,
        pub(super) accuracy_power: u32,
        pub(super) deletion_experience: u32,
        pub(super) subsumption_experience: u32,
        pub(super) labels: u32,
        pub(super) least_labels: u32,
        pub(super) columns: u32,
        pub(super) address: u32,
        pub(super) flags: u32,
        pub(super) steps: u32,
    }

    /// Offsets in bytes from the start of the state of a learner.
    pub(super) struct StatePlaces {
        pub(super) rules: u32,
        pub(super) care: u32,
        pub(super) value: u32,
        pub(super) weights: u32,
        pub(super) free: u32,
    }

    /// Offsets in bytes from the start of the memory of a learner for sets that are too large for shared
    /// memory.
    pub(super) struct SetPlaces {
        pub(super) matched: u32,
        pub(super) niche: u32,
        pub(super) floats: u32,
        pub(super) doubles: u32,
    }

    /// Offsets in bytes from the start of shared memory; NOWHERE for arrays that do not fit.
    pub(super) struct SharedPlaces {
        pub(super) rules: u32,
        pub(super) care: u32,
        pub(super) value: u32,
        pub(super) weights: u32,
        pub(super) sums: u32,
        pub(super) alive: u32,
        pub(super) bits: u32,
        pub(super) labels: u32,
        pub(super) matched: u32,
        pub(super) niche: u32,
        pub(super) floats: u32,
        pub(super) doubles: u32,
        pub(super) asked: u32,
        pub(super) own: u32,
        pub(super) free: u32,
    }

    /// The argument of all kernels: the positions of the arrays of a learner, in shared memory or in its own
    /// part of GPU memory.
    pub(super) struct LockstepWork<'a> {
        pub(super) learners: Writes<'a, LearnerRecord>,
        pub(super) states: Writes<'a, u8>,
        pub(super) sets: Writes<'a, u8>,
        pub(super) state_bytes: u64,
        pub(super) set_bytes: u64,
        pub(super) at: StatePlaces,
        pub(super) sets_at: SetPlaces,
        pub(super) within: SharedPlaces,
        /// The number of slots of a population, and the number of set members that fit in shared memory.
        pub(super) capacity: u32,
        pub(super) small: u32,
        pub(super) explores: u32,
        pub(super) unused: u32,
    }
}

kernels! {
    /// The kernels of `lockstep.cu`, by the number of words of a condition: 1, 2 or 4.
    pub(super) static LOCKSTEP = "lockstep" in "generated/lockstep.ptx", emulated by pellucid_emulate_xcs,
        shared on demand: true;
    family LIVE: LockstepWork<'static> = [live_1, live_2, live_4];
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_device::gpu::KernelHeader;
    use std::path::Path;

    #[test]
    fn headers_match_the_declarations() {
        let header = KernelHeader::new("gpu/argument.rs")
            .with::<RuleRecord>()
            .with::<LearnerRecord>()
            .with::<StatePlaces>()
            .with::<SetPlaces>()
            .with::<SharedPlaces>()
            .with::<LockstepWork<'_>>()
            .with_kernels(&LOCKSTEP);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu/kernels");
        header.check(&folder.join("arguments.cuh")).unwrap();
    }
}
