//! One suite for every search for concepts: the CPU at every level, with every strategy and on
//! several threads, and GPUs alone and in pairs, emulated and real. All must list what the
//! specification lists.
//!
//! To add a backend, add a line to [`backends`] (CPU) or [`groups`] (devices).

mod agrees;
#[cfg(feature = "emulator")]
mod faults;
mod files;
mod handover;
mod memory;
mod scalar;
mod shares;
mod terms;
mod threads;

use pellucid_bits::Level;
use pellucid_close::{
    ConceptView, Digest, SearchOutcome, Terms, Tuning, Visitor, open, search_with,
};
use pellucid_data::Relation;
use pellucid_device::{Device, FaultListener, Machine};
use pellucid_testdevices::{cpu, threads as pool};

/// A concept as a visitor receives it: intent, support, extent.
type Concept = (Vec<u64>, u64, Vec<u64>);

/// A way to search.
#[derive(Clone, Debug)]
enum Backend {
    /// Threads of the CPU.
    Cpu { level: Level, threads: usize, tuning: Tuning },
    /// Devices, none of which may fail.
    Devices(Vec<Device>),
}

/// Returns all strategies on the CPU, with levels and thread counts that vary with the strategy and
/// the seed, and one group of devices that depends on the seed.
fn backends(seed: usize) -> Vec<Backend> {
    let levels = levels();
    let on_cpu = |(number, tuning)| Backend::Cpu {
        level: levels[(number + seed) % levels.len()],
        threads: 1 + (number + seed / 4) % 3,
        tuning,
    };
    let mut backends: Vec<Backend> = tunings().into_iter().enumerate().map(on_cpu).collect();
    backends.push(Backend::Cpu {
        level: Level::Scalar,
        threads: 1 + seed % 2,
        tuning: Tuning::default(),
    });
    let groups = groups();
    backends.extend(groups.get(seed % groups.len().max(1)).cloned().map(Backend::Devices));
    backends.push(Backend::Devices(vec![cpu(3, levels[seed % levels.len()])]));
    backends
}

/// Returns every CPU strategy with one, two and three threads at the best level, the specification,
/// and every group of devices.
fn all_backends() -> Vec<Backend> {
    let threads =
        |tuning| (1..4).map(move |threads| Backend::Cpu { level: Level::best(), threads, tuning });
    let mut backends: Vec<Backend> = tunings().into_iter().flat_map(threads).collect();
    backends.push(Backend::Cpu { level: Level::Scalar, threads: 2, tuning: Tuning::default() });
    backends.extend(groups().into_iter().map(Backend::Devices));
    backends.push(Backend::Devices(vec![cpu(3, Level::best())]));
    backends
}

/// Returns the levels of this machine except the specification.
fn levels() -> Vec<Level> {
    pellucid_testdevices::levels().into_iter().filter(|&level| level != Level::Scalar).collect()
}

/// Returns each strategy alone, and all together.
fn tunings() -> Vec<Tuning> {
    let all = Tuning::default();
    let bare = Tuning { handful: 0, few: 0, rows: usize::MAX, ..all };
    let tree = Tuning { lists: Some(false), merge: Some(false), ..bare };
    let merge = Tuning { merge: Some(true), ..tree };
    let shares = |tuning| Tuning { always_shares: true, ..tuning };
    vec![
        all,
        tree,
        Tuning { handful: 8, ..tree },
        Tuning { handful: 3, rows: 0, ..tree },
        Tuning { few: 3, ..tree },
        Tuning { few: 1, rows: 2, ..tree },
        Tuning { rows: 0, ..tree },
        Tuning { rows: 0, most_bytes: 0, ..tree },
        Tuning { lists: Some(true), ..tree },
        Tuning { lists: Some(true), most_bytes: 0, ..all },
        Tuning { lists: Some(true), ..all },
        merge,
        Tuning { merge: Some(true), ..all },
        Tuning { rows: 0, level_bytes: 0, ..merge },
        Tuning { lists: Some(true), handful: 3, few: 1, ..merge },
        Tuning { level_bytes: 0, ..tree },
        Tuning { level_bytes: 0, most_bytes: 0, lists: Some(true), ..tree },
        shares(all),
        shares(tree),
        shares(Tuning { rows: 0, ..tree }),
        shares(Tuning { merge: Some(true), ..all }),
        shares(Tuning { rows: 0, level_bytes: 0, ..merge }),
        shares(Tuning { level_bytes: 0, lists: Some(true), handful: 8, few: 3, ..tree }),
    ]
}

/// Returns the groups of devices that search together: emulated GPUs with the feature `emulator`,
/// and real ones if there are any.
fn groups() -> Vec<Vec<Device>> {
    let mut groups: Vec<Vec<Device>> = Vec::new();
    #[cfg(feature = "emulator")]
    {
        groups.push(vec![gpu("one-warp", 1, 32, 48 << 10)]);
        groups.push(vec![gpu("eight-warps", 2, 128, 20 << 10)]);
        groups.push(vec![gpu("first", 1, 64, 200 << 10), gpu("second", 1, 96, 8 << 10)]);
    }
    if let Some(real) = pellucid_testdevices::gpus().first() {
        groups.push(vec![real.clone()]);
        groups.push(vec![real.clone(), real.clone().with_id("twin")]);
    }
    groups
}

/// An emulated GPU with memory for few records at a time.
#[cfg(feature = "emulator")]
fn gpu(id: &str, multiprocessors: usize, threads: usize, shared_bytes: usize) -> Device {
    use pellucid_testdevices::EmulatedGpu;
    let memory = Some(2 << 10);
    EmulatedGpu { memory, multiprocessors, threads, shared_bytes, ..EmulatedGpu::USUAL }.device(id)
}

impl Backend {
    fn search<V: Visitor>(
        &self,
        relation: &Relation,
        terms: &Terms<'_>,
        visitors: &mut [V],
    ) -> SearchOutcome {
        match self {
            &Backend::Cpu { level, tuning, .. } => {
                search_with(relation, terms, visitors, level, tuning).expect("a level")
            }
            Backend::Devices(devices) => {
                let mut machine = Machine::new(devices.clone(), pool(3));
                machine.faults = FaultListener::new(|fault| panic!("{fault}"));
                open(&machine, relation).search(terms, visitors).expect("no device fails")
            }
        }
    }

    fn visitors(&self) -> usize {
        match self {
            Backend::Cpu { threads, .. } => *threads,
            Backend::Devices(_) => 2,
        }
    }

    /// Returns the outcome and all concepts, sorted.
    fn listed(&self, relation: &Relation, terms: &Terms<'_>) -> (SearchOutcome, Vec<Concept>) {
        let mut visitors: Vec<Collector> =
            (0..self.visitors()).map(|_| Collector::default()).collect();
        let outcome = self.search(relation, terms, &mut visitors);
        let mut all: Vec<Concept> = visitors.into_iter().flat_map(|visitor| visitor.0).collect();
        all.sort_unstable();
        (outcome, all)
    }

    /// Returns the outcome of counting alone.
    fn counted(&self, relation: &Relation, terms: &Terms<'_>) -> SearchOutcome {
        self.search(relation, terms, &mut vec![(); self.visitors()])
    }
}

/// A visitor that collects all concepts.
#[derive(Default)]
struct Collector(Vec<Concept>);

impl Visitor for Collector {
    fn visit(&mut self, concept: &ConceptView<'_>) {
        self.0.push((concept.intent.to_vec(), concept.support, concept.extent.to_vec()));
    }
}

/// Returns the digest of listed concepts.
fn digest_of(concepts: &[Concept]) -> Digest {
    let mut digest = Digest::default();
    for (intent, _, _) in concepts {
        let attributes = pellucid_bits::words::members(intent);
        let key = |attribute| Digest::key(u32::try_from(attribute).unwrap());
        digest.add(attributes.map(key).fold(0, u64::wrapping_add));
    }
    digest
}
