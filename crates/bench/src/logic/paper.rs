//! Tables II to VI of "HT-HEDL: High-Throughput Hypothesis Evaluation in Description Logic" (Algahtani 2024).
//!
//! The processor is an AMD Ryzen 5950X at 3.6 GHz, with 16 cores and 32 threads.

use crate::logic::cells::{Cell, Layout, Operation};

/// How long the paper's programs took, in seconds. It reports whole microseconds, and whole milliseconds for
/// hypotheses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Published {
    /// One thread.
    pub(super) baseline: f64,
    /// 32 threads.
    pub(super) scalar: f64,
    /// 32 threads with SSE.
    pub(super) vector: Option<f64>,
    /// An NVIDIA GTX 970.
    pub(super) gtx_970: f64,
    /// Whole hypotheses only.
    pub(super) more: Option<MoreDevices>,
}

/// What else evaluated whole hypotheses, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MoreDevices {
    /// An NVIDIA GTX 1060.
    pub(super) gtx_1060: f64,
    /// Both GPUs.
    pub(super) gpus: f64,
    /// Both GPUs and the processor.
    pub(super) all: f64,
}

impl Published {
    /// The fastest of its programs, unless one is too fast to be measured.
    pub(super) fn fastest(&self) -> Option<f64> {
        let mut fastest = self.baseline.min(self.scalar).min(self.gtx_970);
        fastest = self.vector.map_or(fastest, |vector| fastest.min(vector));
        if let Some(more) = self.more {
            fastest = fastest.min(more.gtx_1060).min(more.gpus).min(more.all);
        }
        (fastest > 0.0).then_some(fastest)
    }
}

/// The paper's figures of a cell, if it has them.
pub(super) fn published(cell: &Cell) -> Option<Published> {
    let find = |rows: &[(usize, [u32; 3])], size: usize| {
        let &(_, [baseline, scalar, gpu]) = rows.iter().find(|(number, _)| *number == size)?;
        let [baseline, scalar, gtx_970] = [baseline, scalar, gpu].map(|time| f64::from(time) / 1e6);
        Some(Published { baseline, scalar, vector: None, gtx_970, more: None })
    };
    let joined = |sizes: &[(usize, [u32; 4])], concepts: &[(usize, [u32; 4])]| {
        let (rows, size) = match (cell.concepts, cell.individuals) {
            (5, individuals) => (sizes, individuals),
            (number, 1_000_000) => (concepts, number),
            _ => return None,
        };
        let &(_, times) = rows.iter().find(|(number, _)| *number == size)?;
        let [baseline, scalar, vector, gtx_970] = times.map(|time| f64::from(time) / 1e6);
        Some(Published { baseline, scalar, vector: Some(vector), gtx_970, more: None })
    };
    let of_layout = |single: &[(usize, [u32; 3])], unique: &[(usize, [u32; 3])]| match cell.layout {
        Some(Layout::SingleSubject | Layout::SingleSubjectManyValues) => {
            find(single, cell.assertions)
        }
        Some(Layout::UniqueSubjects | Layout::UniqueSubjectsManyValues) => {
            find(unique, cell.assertions)
        }
        _ => None,
    };
    match cell.operation {
        _ if cell.operation != Operation::Conjunction && cell.hypotheses != 1 => None,
        Operation::Conjunction if cell.is_whole() => whole(cell),
        Operation::Conjunction => joined(&CONJUNCTION_OF_5, &CONJUNCTION),
        Operation::Disjunction => joined(&DISJUNCTION_OF_5, &DISJUNCTION),
        Operation::Some => of_layout(&SOME_SINGLE, &SOME_UNIQUE),
        Operation::Only => of_layout(&ONLY_SINGLE, &ONLY_UNIQUE),
        Operation::Min => of_layout(&MIN_SINGLE, &MIN_UNIQUE),
        Operation::Max => of_layout(&MAX_SINGLE, &MAX_UNIQUE),
        Operation::AtLeastValue => of_layout(&NUMBER_SINGLE, &NUMBER_UNIQUE),
        Operation::EqualText => of_layout(&EQUAL_SINGLE, &EQUAL_UNIQUE),
        Operation::ContainText => of_layout(&CONTAIN_SINGLE, &CONTAIN_UNIQUE),
    }
}

fn whole(cell: &Cell) -> Option<Published> {
    if (cell.concepts, cell.individuals) != (5, 1_000_000) {
        return None;
    }
    let &(_, times) = HYPOTHESES.iter().find(|(number, _)| *number == cell.hypotheses)?;
    let [baseline, scalar, vector, gtx_1060, gtx_970, gpus, all] =
        times.map(|time| f64::from(time) / 1e3);
    let more = Some(MoreDevices { gtx_1060, gpus, all });
    Some(Published { baseline, scalar, vector: Some(vector), gtx_970, more })
}

// Table II: individuals or concepts; one thread, 32 threads, 32 threads with SSE, GTX 970.

const CONJUNCTION_OF_5: [(usize, [u32; 4]); 7] = [
    (10, [0, 0, 0, 15]),
    (100, [0, 3, 3, 15]),
    (1_000, [5, 4, 3, 16]),
    (10_000, [51, 7, 5, 16]),
    (100_000, [515, 31, 12, 26]),
    (1_000_000, [5_168, 254, 62, 137]),
    (10_000_000, [40_735, 2_471, 768, 1_208]),
];
const CONJUNCTION: [(usize, [u32; 4]); 6] = [
    (1, [2_741, 249, 50, 63]),
    (2, [3_385, 153, 50, 89]),
    (4, [4_536, 227, 65, 100]),
    (8, [6_699, 361, 81, 144]),
    (16, [10_867, 647, 143, 246]),
    (32, [21_425, 1_325, 308, 441]),
];
const DISJUNCTION_OF_5: [(usize, [u32; 4]); 7] = [
    (10, [0, 0, 0, 15]),
    (100, [0, 3, 3, 15]),
    (1_000, [5, 4, 3, 15]),
    (10_000, [50, 7, 5, 16]),
    (100_000, [517, 30, 12, 26]),
    (1_000_000, [5_166, 254, 64, 135]),
    (10_000_000, [39_970, 2_471, 728, 1_198]),
];
const DISJUNCTION: [(usize, [u32; 4]); 6] = [
    (1, [2_744, 135, 55, 64]),
    (2, [3_391, 152, 50, 94]),
    (4, [4_561, 231, 58, 99]),
    (8, [6_693, 361, 86, 144]),
    (16, [10_861, 649, 158, 245]),
    (32, [21_351, 1_411, 346, 440]),
];

// Tables III to V: assertions; one thread, 32 threads, GTX 970.

type Restriction = [(usize, [u32; 3]); 7];

const fn restriction(times: [[u32; 3]; 7]) -> Restriction {
    [
        (10, times[0]),
        (100, times[1]),
        (1_000, times[2]),
        (10_000, times[3]),
        (100_000, times[4]),
        (1_000_000, times[5]),
        (10_000_000, times[6]),
    ]
}

const SOME_SINGLE: Restriction = restriction([
    [0, 0, 19],
    [0, 3, 19],
    [0, 3, 20],
    [5, 4, 21],
    [49, 10, 34],
    [499, 62, 139],
    [5_259, 1_431, 1_189],
]);
const SOME_UNIQUE: Restriction = restriction([
    [0, 0, 19],
    [0, 3, 19],
    [3, 3, 21],
    [26, 5, 21],
    [266, 25, 30],
    [2_678, 168, 146],
    [23_477, 3_695, 1_317],
]);
const ONLY_SINGLE: Restriction = restriction([
    [0, 0, 19],
    [0, 3, 19],
    [0, 3, 21],
    [5, 4, 22],
    [49, 9, 34],
    [497, 61, 139],
    [5_257, 1_461, 1_189],
]);
const ONLY_UNIQUE: Restriction = restriction([
    [0, 0, 19],
    [0, 3, 19],
    [2, 4, 21],
    [24, 5, 21],
    [245, 22, 29],
    [2_446, 159, 145],
    [22_015, 3_708, 1_312],
]);
const MIN_SINGLE: Restriction = restriction([
    [0, 8, 29],
    [1, 11, 30],
    [3, 11, 29],
    [26, 14, 38],
    [255, 33, 135],
    [2_551, 212, 1_143],
    [19_320, 4_751, 10_525],
]);
const MAX_SINGLE: Restriction = restriction([
    [0, 7, 30],
    [0, 11, 30],
    [2, 11, 30],
    [22, 14, 38],
    [219, 32, 135],
    [2_175, 234, 1_146],
    [19_879, 4_676, 10_584],
]);
const MIN_UNIQUE: Restriction = restriction([
    [0, 8, 29],
    [1, 11, 30],
    [6, 12, 30],
    [63, 28, 30],
    [642, 135, 44],
    [6_198, 999, 241],
    [57_228, 10_096, 2_190],
]);
const MAX_UNIQUE: Restriction = restriction([
    [0, 7, 28],
    [1, 11, 30],
    [6, 11, 30],
    [59, 28, 30],
    [605, 126, 44],
    [5_940, 982, 240],
    [57_590, 8_922, 2_191],
]);
const NUMBER_SINGLE: Restriction = restriction([
    [0, 0, 19],
    [0, 3, 19],
    [0, 3, 20],
    [5, 4, 20],
    [49, 9, 31],
    [497, 60, 127],
    [5_205, 1_408, 1_042],
]);
const NUMBER_UNIQUE: Restriction = restriction([
    [0, 0, 19],
    [0, 4, 19],
    [2, 4, 20],
    [23, 5, 20],
    [238, 17, 29],
    [2_365, 131, 135],
    [22_681, 1_914, 1_184],
]);
const EQUAL_SINGLE: Restriction = restriction([
    [0, 0, 19],
    [0, 3, 19],
    [1, 3, 20],
    [11, 4, 21],
    [113, 11, 32],
    [1_131, 77, 126],
    [8_340, 1_567, 957],
]);
const CONTAIN_SINGLE: Restriction = restriction([
    [0, 0, 23],
    [0, 3, 23],
    [0, 3, 28],
    [5, 6, 34],
    [57, 20, 79],
    [1_154, 214, 287],
    [12_284, 7_855, 2_346],
]);
const EQUAL_UNIQUE: Restriction = restriction([
    [0, 0, 19],
    [0, 3, 19],
    [2, 4, 20],
    [23, 5, 21],
    [231, 17, 29],
    [2_314, 125, 134],
    [20_916, 2_016, 1_102],
]);
const CONTAIN_UNIQUE: Restriction = restriction([
    [0, 0, 23],
    [1, 4, 24],
    [12, 4, 28],
    [128, 11, 35],
    [1_264, 72, 170],
    [11_519, 726, 1_459],
    [106_916, 8_419, 12_551],
]);

/// Table VI: hypotheses; milliseconds of one thread, 32 threads, with SSE, GTX 1060, GTX 970, both, both and
/// the processor.
const HYPOTHESES: [(usize, [u32; 7]); 9] = [
    (1, [4, 0, 0, 0, 0, 0, 0]),
    (10, [40, 3, 1, 4, 2, 1, 1]),
    (100, [395, 31, 10, 33, 25, 14, 9]),
    (200, [790, 62, 21, 68, 50, 27, 19]),
    (400, [1_579, 125, 43, 134, 97, 55, 38]),
    (600, [2_367, 187, 64, 193, 141, 83, 57]),
    (800, [3_159, 250, 85, 253, 185, 110, 77]),
    (1_000, [3_949, 312, 107, 311, 231, 143, 96]),
    (10_000, [39_414, 3_231, 1_079, 2_504, 2_196, 2_255, 1_490]),
];
