//! Tests of every GPU, emulated and real, against the plain version, with generated tables and searches.

use pellucid_device::DeviceKind;
use pellucid_histogram::{
    Conjunction, Group, NO_GROUP, ResidentSteps, StepColumn, StepSums, StepTable, StepTest, Total,
    open, spec,
};
use pellucid_testdevices::{EmulatedGpu, backends, cases};
use proptest::prelude::*;

/// A generated table and a search on it.
#[derive(Clone, Debug)]
struct Case {
    /// The number of steps of each column, and the step of each example.
    columns: Vec<(usize, Vec<u8>)>,
    digests: Vec<u64>,
    sample: Vec<u32>,
    group_of: Vec<u32>,
    groups: Vec<Group>,
    /// Conjunctions, and the columns to count for each.
    wanted: Vec<(Conjunction, Vec<u32>)>,
}

impl Case {
    fn table(&self) -> StepTable<'_> {
        let columns =
            self.columns.iter().map(|(count, steps)| StepColumn { steps, count: *count }).collect();
        StepTable { columns, digests: &self.digests, sample: &self.sample }
    }

    fn check(&self, name: &str, on_gpu: &mut dyn ResidentSteps) -> Result<(), TestCaseError> {
        let (table, search) = (self.table(), (&self.group_of[..], &self.groups[..]));
        let conjunctions: Vec<Conjunction> =
            self.wanted.iter().map(|(conjunction, _)| conjunction.clone()).collect();
        let totals: Vec<Total> =
            conjunctions.iter().map(|one| spec::total(&table, search, one)).collect();
        // Another search on the same table must not change the groups of this one.
        let [other, own] = [0, 2];
        on_gpu.set_groups(own, &self.group_of, &self.groups).unwrap();
        on_gpu.set_groups(other, &vec![NO_GROUP; self.group_of.len()], &[]).unwrap();
        prop_assert_eq!(&on_gpu.totals(own, &conjunctions).unwrap(), &totals, "{}", name);
        let nothing = vec![Total::default(); conjunctions.len()];
        prop_assert_eq!(&on_gpu.totals(other, &conjunctions).unwrap(), &nothing, "{}", name);
        for sampled in [false, true] {
            let of = |(conjunction, columns): &(Conjunction, Vec<u32>)| {
                spec::step_sums(&table, search, (conjunction, columns), sampled)
            };
            let expected: Vec<StepSums> = self.wanted.iter().flat_map(of).collect();
            let found = on_gpu.step_sums(own, &self.wanted, sampled).unwrap();
            prop_assert_eq!(&found, &expected, "{}, sampled: {}", name, sampled);
        }
        Ok(())
    }
}

fn case() -> impl Strategy<Value = Case> {
    let count = prop_oneof![1usize..6, Just(7), Just(8), Just(31), Just(127), Just(128), Just(255)];
    let examples = prop_oneof![0usize..70, 200usize..300];
    (prop::collection::vec(count, 1..11), examples, 1usize..9).prop_flat_map(
        |(counts, examples, patterns)| {
            let column = |count: usize| {
                let last = u8::try_from(count - 1).unwrap_or(u8::MAX);
                let step = prop_oneof![5 => 0..=last, 1 => Just(u8::MAX)];
                (Just(count), prop::collection::vec(step, examples))
            };
            let columns: Vec<_> = counts.iter().map(|&count| column(count)).collect();
            let width = u32::try_from(counts.len()).unwrap_or(1);
            let groups = u32::try_from(2 * patterns).unwrap_or(2);
            let group = prop_oneof![6 => 0..groups, 1 => Just(NO_GROUP)];
            let extreme = prop_oneof![any::<i32>(), Just(i32::MIN), Just(i32::MAX), Just(-1)];
            let part = (extreme, any::<i32>())
                .prop_map(|(gradient, curvature)| Group { gradient, curvature });
            let test = (0..width, any::<[u32; 8]>())
                .prop_map(|(column, steps)| StepTest { column, steps });
            let wanted =
                (prop::collection::vec(test, 0..4), prop::collection::vec(0..width, 0..20));
            (
                columns,
                prop::collection::vec(any::<u64>(), examples),
                prop::collection::vec(any::<bool>(), examples),
                prop::collection::vec(group, examples),
                prop::collection::vec(part, 2 * patterns),
                prop::collection::vec(wanted, 1..5),
            )
                .prop_map(|(columns, digests, sampled, group_of, groups, wanted)| {
                    let sample = (0u32..).zip(sampled).filter(|(_, own)| *own);
                    let sample = sample.map(|(example, _)| example).collect();
                    Case { columns, digests, sample, group_of, groups, wanted }
                })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(24)))]

    #[test]
    fn sums_on_gpus_are_those_of_the_plain_version(case in case()) {
        let small = EmulatedGpu { name: "small GPU", multiprocessors: 1, threads: 32, ..EmulatedGpu::USUAL };
        for backend in backends(&[1], &[EmulatedGpu::USUAL, small]) {
            let table = case.table();
            let on_gpu = open(backend.device.hardware(), &table).unwrap();
            let is_gpu = backend.device.kind() == DeviceKind::Gpu;
            prop_assert_eq!(on_gpu.is_some(), is_gpu, "{}", backend.name);
            if let Some(mut on_gpu) = on_gpu {
                case.check(&backend.name, &mut *on_gpu)?;
            }
        }
    }
}

/// With more rows than a task has, sums of several tasks are added.
#[test]
fn tables_of_several_tasks_are_summed() {
    let examples = 40_000u32;
    let steps = |factor: u32| (0..examples).map(|one| (one * factor % 250) as u8).collect();
    let case = Case {
        columns: vec![(250, steps(7)), (3, steps(11)), (250, steps(13))],
        digests: (0..u64::from(examples))
            .map(|one| one.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect(),
        sample: (0..examples).step_by(16).collect(),
        group_of: (0..examples).map(|one| if one % 5 == 0 { NO_GROUP } else { one % 8 }).collect(),
        groups: (0..8)
            .map(|one| Group { gradient: one * 250_000_000 - (1 << 30), curvature: 1 << 28 })
            .collect(),
        wanted: vec![
            (Vec::new(), vec![0, 1, 2]),
            (vec![StepTest::new(2, |step| step > 100)], vec![0, 1]),
        ],
    };
    for backend in backends(&[], &[EmulatedGpu::USUAL]) {
        let table = case.table();
        if let Some(mut on_gpu) = open(backend.device.hardware(), &table).unwrap() {
            case.check(&backend.name, &mut *on_gpu).unwrap();
        }
    }
}
