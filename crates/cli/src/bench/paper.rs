//! Table 3 of "Speeding up Multiple Instance Learning Classification Rules on GPUs" (Cano, Zafra, Ventura 2014).

/// A row of the table: millions of nodes a second.
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

/// The row for so many rules and rows, if the paper has one.
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
