use super::{Device, DeviceError};
use crate::kernel::Hypothesis;
use crate::program::{Op, ProgramId, Programs};
use crate::schedule::Schedule;
use crate::session::{EvaluateError, Session};
use crate::table::{Labels, Table, Values};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a device did in a short, fixed test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Rules times rows a second.
    pub rule_rows_per_second: f64,
    /// Nodes a second, [counted as in the literature](crate::program).
    pub nodes_per_second: f64,
}

const ROWS: usize = 1 << 16;
const COLUMNS: u32 = 16;
const RULES: usize = 256;
/// Long enough for a clock, short enough not to be noticed.
const AT_LEAST: Duration = Duration::from_millis(20);

/// Measures a device: 256 rules of eight comparisons against 65,536 rows, over and over for 20 ms.
///
/// # Errors
/// When the device fails.
pub fn probe(device: &dyn Device) -> Result<Probe, DeviceError> {
    let failed = |reason: String| DeviceError { device: device.id().to_owned(), reason };
    let mut draw = Draws(0x9E37_79B9_7F4A_7C15);
    let column = |name: u32, draw: &mut Draws| {
        let values = (0..ROWS).map(|_| f64::from(draw.below(256))).collect();
        (format!("c{name}"), Values::Numeric(values))
    };
    let columns = (0..COLUMNS).map(|name| column(name, &mut draw)).collect();
    let table = Table::new(columns).map_err(|error| failed(error.to_string()))?;
    let codes: Vec<u32> = (0..ROWS).map(|_| draw.below(2)).collect();
    let labels = Labels::rows(&table, &codes, 2).map_err(|error| failed(error.to_string()))?;
    let mut session =
        Session::lent(&[device], Arc::new(table), labels, Hypothesis::Rows).map_err(|error| {
            match error {
                EvaluateError::Device(error) => error,
                other => failed(other.to_string()),
            }
        })?;
    let rules: Vec<ProgramId> = (0..RULES)
        .map(|_| rule(session.programs_mut(), &mut draw))
        .collect::<Option<_>>()
        .unwrap_or_default();
    let nodes: u64 = rules.iter().map(|&rule| session.programs().size(rule)).sum();

    let mut rounds = 0u32;
    let start = Instant::now();
    while start.elapsed() < AT_LEAST || rounds < 2 {
        session.forget_counts();
        session.tally(&rules).map_err(|error| failed(error.to_string()))?;
        rounds += 1;
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(rounds);
    #[expect(clippy::cast_precision_loss)]
    let rows = ROWS as f64;
    #[expect(clippy::cast_precision_loss)]
    let (rules, nodes) = (rules.len() as f64, nodes as f64);
    Ok(Probe {
        rule_rows_per_second: rules * rows / seconds,
        nodes_per_second: nodes * rows / seconds,
    })
}

impl Schedule {
    /// Shares by the measured speed of each device.
    ///
    /// # Errors
    /// When a device fails.
    pub fn probed(devices: &[Arc<dyn Device>]) -> Result<Schedule, DeviceError> {
        let speed =
            |device: &Arc<dyn Device>| probe(&**device).map(|probe| probe.rule_rows_per_second);
        devices.iter().map(speed).collect::<Result<_, _>>().map(Schedule::Shares)
    }
}

/// Two conjunctions of four comparisons; nothing only if the schema were not what it is.
fn rule(programs: &mut Programs, draw: &mut Draws) -> Option<ProgramId> {
    let mut conjunctions = Vec::with_capacity(2);
    for _ in 0..2 {
        let mut comparisons = Vec::with_capacity(4);
        for _ in 0..4 {
            let op = if draw.below(2) == 0 { Op::Greater } else { Op::LessEqual };
            comparisons
                .push(programs.number(draw.below(COLUMNS), op, f64::from(draw.below(255))).ok()?);
        }
        conjunctions.push(programs.and(&comparisons));
    }
    Some(programs.or(&conjunctions))
}

/// A tiny fixed sequence; a probe needs variety, not quality.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = (self.0 >> 33) as u32;
        high % end
    }
}
