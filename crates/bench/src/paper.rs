//! Tables 3 to 5 of "Speeding up Multiple Instance Learning Classification Rules on GPUs" (Cano, Zafra,
//! Ventura 2014).

use crate::arguments::Hypothesis;

/// A row of Table 3: millions of nodes a second.
pub(super) struct Cell {
    pub(super) rules: usize,
    pub(super) rows: usize,
    /// An Intel i7-3820, four threads, SSE.
    pub(super) four_threads: f64,
    /// Half an NVIDIA GTX 690.
    pub(super) one_gpu: f64,
    /// Two NVIDIA GTX 690.
    pub(super) four_gpus: f64,
}

/// Returns the row for these numbers of rules and rows, if the paper has one.
pub(super) fn cell(rules: usize, rows: usize) -> Option<&'static Cell> {
    TABLE_3.iter().find(|cell| cell.rules == rules && cell.rows == rows)
}

const fn row(rules: usize, rows: usize, four_threads: f64, one_gpu: f64, four_gpus: f64) -> Cell {
    Cell { rules, rows, four_threads, one_gpu, four_gpus }
}

const TABLE_3: [Cell; 16] = [
    row(100, 1_000, 158.0, 961.0, 2_561.0),
    row(100, 5_000, 221.0, 4_415.0, 11_760.0),
    row(100, 50_000, 247.0, 17_931.0, 59_834.0),
    row(100, 100_000, 254.0, 23_489.0, 97_555.0),
    row(250, 1_000, 268.0, 1_557.0, 4_900.0),
    row(250, 5_000, 278.0, 7_734.0, 22_027.0),
    row(250, 50_000, 279.0, 24_390.0, 63_672.0),
    row(250, 100_000, 270.0, 24_991.0, 83_910.0),
    row(500, 1_000, 277.0, 2_091.0, 6_248.0),
    row(500, 5_000, 305.0, 8_222.0, 24_924.0),
    row(500, 50_000, 326.0, 25_491.0, 91_962.0),
    row(500, 100_000, 313.0, 26_717.0, 101_465.0),
    row(1_000, 1_000, 302.0, 3_114.0, 11_836.0),
    row(1_000, 5_000, 347.0, 15_047.0, 30_999.0),
    row(1_000, 50_000, 350.0, 25_881.0, 95_917.0),
    row(1_000, 100_000, 359.0, 27_057.0, 108_908.0),
];

/// A row of Tables 4 and 5: seconds of evaluation in a whole run.
pub(super) struct WholeRun {
    /// The name of the set.
    set: &'static str,
    /// Table 4: one covered row makes a bag positive.
    presence: Seconds,
    /// Table 5: the number of covered rows decides.
    count: Seconds,
}

/// How long evaluation took.
#[derive(Clone, Copy)]
pub(super) struct Seconds {
    /// An Intel i7-3820, four threads, SSE.
    pub(super) four_threads: f64,
    /// Two NVIDIA GTX 690.
    pub(super) four_gpus: f64,
}

/// The paper's seconds on a set, if it has them.
pub(super) fn whole_run(set: &str, hypothesis: Hypothesis) -> Option<Seconds> {
    let run = TABLES_4_AND_5.iter().find(|run| run.set == set)?;
    Some(match hypothesis {
        Hypothesis::Presence => run.presence,
        Hypothesis::Count => run.count,
    })
}

const fn runs(set: &'static str, presence: (f64, f64), count: (f64, f64)) -> WholeRun {
    WholeRun {
        set,
        presence: Seconds { four_threads: presence.0, four_gpus: presence.1 },
        count: Seconds { four_threads: count.0, four_gpus: count.1 },
    }
}

const TABLES_4_AND_5: [WholeRun; 14] = [
    runs("eastWest", (2.51, 1.00), (4.74, 0.94)),
    runs("musk1", (5.41, 1.13), (9.70, 0.72)),
    runs("tiger", (14.15, 1.08), (23.24, 0.87)),
    runs("elephant", (16.41, 1.15), (27.51, 0.77)),
    runs("mutagenesis-atoms", (15.37, 1.61), (27.49, 0.79)),
    runs("mutagenesis-chains", (36.08, 1.07), (80.61, 0.94)),
    runs("musk2", (38.25, 1.21), (121.49, 1.05)),
    runs("artificial1", (3.00, 1.42), (23.43, 1.48)),
    runs("artificial2", (9.80, 1.85), (23.88, 1.44)),
    runs("artificial3", (18.48, 1.84), (165.56, 1.41)),
    runs("artificial4", (57.58, 1.51), (170.54, 1.31)),
    runs("artificial5", (152.71, 6.10), (1_513.44, 12.63)),
    runs("artificial6", (475.06, 6.55), (1_422.38, 12.62)),
    runs("artificial7", (4_654.65, 57.38), (14_107.76, 124.15)),
];
