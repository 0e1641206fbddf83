use crate::plan::{Formulas, Hypothesis, Literal};
use crate::session::{EvaluateError, Session};
use crate::table::{Labels, Table, TableError};
use pellucid_data::Values;
use pellucid_device::{Device, DeviceError, Fault, FaultListener, Schedule};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The speed of a device in a short, fixed test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Rules times rows per second.
    pub rule_rows_per_second: f64,
    /// Nodes per second, [counted as in the literature](pellucid_program).
    pub nodes_per_second: f64,
}

const ROWS: usize = 1 << 18;
const COLUMNS: u32 = 16;
/// The number of distinct values of a column.
const VALUES: u32 = 256;
/// The number of rules evaluated at once: few at first, then more while the device is fast.
const RULES: [usize; 3] = [16, 128, 1024];
/// A batch that takes at least this long is long enough to measure.
const MEASURABLE: Duration = Duration::from_millis(5);
/// The minimum time spent on measuring: long enough for the clock, too short to notice.
const MIN_TIME: Duration = Duration::from_millis(20);

/// Measures a device: evaluates up to 1,024 rules of eight comparisons on 262,144 rows, repeatedly
/// for 20 ms. The measured time includes everything a learner waits for: planning, transfers and
/// the device itself.
///
/// # Errors
/// When the device fails.
pub fn probe(device: &Device) -> Result<Probe, DeviceError> {
    let failed = |reason: String| DeviceError::new(device.id(), reason);
    let mut draw = Draws(0x9E37_79B9_7F4A_7C15);
    let (table, labels) = task(&mut draw).map_err(|error| failed(error.to_string()))?;
    let refused = |error: EvaluateError| match error {
        EvaluateError::Device(error) => error,
        other => failed(other.to_string()),
    };
    let mut session =
        Session::new(Arc::new(table), labels, Hypothesis::Rows, std::slice::from_ref(device))
            .map_err(refused)?;
    let mut measured = 0.0;
    for count in RULES {
        let rules = rules(count, &mut draw);
        let mut measure = || {
            session.forget_counts();
            let start = Instant::now();
            let tallies = session.tally_formulas(&rules);
            tallies.map(|_| start.elapsed()).map_err(refused)
        };
        // The first call allocates memory, and the table may still be in transfer.
        measure()?;
        let (mut best, mut spent) = (measure()?, Duration::ZERO);
        while spent < MIN_TIME && best < MEASURABLE {
            let took = measure()?;
            spent += took;
            best = best.min(took);
        }
        #[expect(clippy::cast_precision_loss)]
        let rule_rows = (count * ROWS) as f64;
        measured = rule_rows / best.as_secs_f64().max(1e-9);
        if best >= MEASURABLE {
            break;
        }
    }
    Ok(Probe { rule_rows_per_second: measured, nodes_per_second: measured * NODES })
}

/// Returns the table of the test and its labels.
fn task(draw: &mut Draws) -> Result<(Table, Labels), TableError> {
    let column = |name: u32, draw: &mut Draws| {
        let values = (0..ROWS).map(|_| f64::from(draw.below(VALUES))).collect();
        (format!("c{name}"), Values::Numeric(values))
    };
    let table = Table::new((0..COLUMNS).map(|name| column(name, draw)).collect())?;
    let codes: Vec<u32> = (0..ROWS).map(|_| draw.below(2)).collect();
    let labels = Labels::rows(&table, &codes, 2)?;
    Ok((table, labels))
}

/// Returns a schedule with shares in proportion to the measured speed of each device. A device that
/// fails gets no share and is reported to the listener.
///
/// # Errors
/// When all devices fail.
pub fn probed_schedule(
    devices: &[Device],
    listener: &FaultListener,
) -> Result<Schedule, DeviceError> {
    let (mut shares, mut lost) = (Vec::with_capacity(devices.len()), Vec::new());
    for device in devices {
        let probe = probe(device);
        shares.push(probe.as_ref().map_or(0.0, |probe| probe.rule_rows_per_second));
        lost.extend(probe.err());
    }
    if lost.len() == devices.len()
        && let Some(error) = lost.pop()
    {
        return Err(error);
    }
    let left = devices.len() - lost.len();
    lost.into_iter().for_each(|error| listener.hear(&Fault { error, left }));
    Ok(Schedule::Shares(shares))
}

/// The number of nodes of a rule, [counted as in the literature](pellucid_program): eight
/// comparisons of an attribute with a value, and seven connectives.
const NODES: f64 = 31.0;

/// Returns random rules of two conjunctions with four comparisons each.
fn rules(count: usize, draw: &mut Draws) -> Formulas {
    let mut formulas = Formulas::new();
    for _ in 0..count {
        for _ in 0..2 {
            for _ in 0..4 {
                let (column, rank) = (draw.below(COLUMNS), draw.below(VALUES - 1));
                formulas.literal(Literal::new(column, rank, draw.below(2) == 0));
            }
            formulas.end_group();
        }
        formulas.end_root();
    }
    formulas
}

/// A simple fixed generator. A probe needs variety, not statistical quality.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = (self.0 >> 33) as u32;
        high % end
    }
}
