//! Tables 1 and 2 of the paper on formal concepts on GPUs (Langdon, Yoo, Harman): concepts and seconds.

/// The number of concepts that the paper reports for a context, and the time of each of its programs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Published {
    /// The name of the context.
    context: &'static str,
    pub(super) concepts: u64,
    /// `FCbO`, in C, on a 2.66 GHz PC.
    pub(super) fcbo: f64,
    /// The authors' Python, on the same.
    pub(super) python: f64,
    /// Half an NVIDIA GTX 295, without start-up.
    pub(super) gtx_295: f64,
    /// An NVIDIA Tesla C2050, without start-up.
    pub(super) c2050: f64,
}

impl Published {
    /// The fastest of its programs, unless one is too fast for hundredths of a second.
    pub(super) fn fastest(&self) -> Option<f64> {
        let fastest = self.fcbo.min(self.python).min(self.gtx_295).min(self.c2050);
        (fastest > 0.0).then_some(fastest)
    }
}

/// The paper's figures on a context, if it has them.
pub(super) fn published(context: &str) -> Option<&'static Published> {
    TABLES_1_AND_2.iter().find(|row| row.context == context)
}

const fn row(
    context: &'static str,
    concepts: u64,
    fcbo: f64,
    python: f64,
    gtx_295: f64,
    c2050: f64,
) -> Published {
    Published { context, concepts, fcbo, python, gtx_295, c2050 }
}

/// 15 hours, 42 minutes and 51 seconds.
const PYTHON_ON_LINUX: f64 = 56_571.0;

const TABLES_1_AND_2: [Published; 15] = [
    row("wiki", 14, 0.00, 0.03, 0.00, 0.00),
    row("random10", 16, 0.00, 0.04, 0.00, 0.00),
    row("random100", 137, 0.00, 0.40, 0.02, 0.01),
    row("random200", 420, 0.00, 4.33, 0.00, 0.01),
    row("random500", 2_861, 0.01, 162.60, 0.02, 0.02),
    row("bison", 692, 0.00, 0.32, 0.00, 0.01),
    row("compiler", 24, 0.00, 0.05, 0.00, 0.00),
    row("dot", 1_302, 0.00, 0.71, 0.00, 0.01),
    row("grappa", 850, 0.00, 2.54, 0.01, 0.01),
    row("incl", 238, 0.00, 1.84, 0.00, 0.01),
    row("ispell", 432, 0.00, 0.15, 0.01, 0.01),
    row("linux", 141_072, 0.73, PYTHON_ON_LINUX, 1.79, 0.93),
    row("mtunis", 110, 0.00, 0.05, 0.00, 0.01),
    row("rcs", 1_074, 0.00, 0.46, 0.01, 0.02),
    row("swing", 3_654, 0.01, 208.71, 0.03, 0.02),
];
