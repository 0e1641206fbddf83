//! `pellucid-bench bags`: from covered rows to bags.
//!
//! The rules are boolean columns, so the reduction dominates: 1,000 bitmaps of covered rows become counts of
//! positive bags per class. A plain loop does the same from the same bits, bag by bag.

use crate::arguments::BagsArgs;
use crate::clock::{budget, fastest};
use crate::write_json;
use anyhow::{Result, ensure};
use pellucid::bits::BitRows;
use pellucid::cover::{Hypothesis, Labels, Session, Table};
use pellucid::data::Values;
use pellucid::device::Machine;
use pellucid::learn::rng::Streams;
use pellucid::program::ProgramId;
use pellucid_arguments::described;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{grouped, rate, stdout};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The bag shapes measured: name, bags, smallest and largest size.
const SHAPES: [(&str, usize, usize, usize); 4] = [
    ("10,000 bags of 10", 10_000, 10, 10),
    ("10,000 bags of 1 to 19", 10_000, 1, 19),
    ("1,000 bags of 100", 1_000, 100, 100),
    ("100 bags of 1 to 132", 100, 1, 132),
];

const HYPOTHESES: [(&str, Hypothesis); 3] = [
    ("presence", Hypothesis::Presence),
    ("at least 3", Hypothesis::AtLeast(3)),
    ("2 to 4", Hypothesis::Between(2, 4)),
];

pub(crate) fn run(args: &BagsArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    let budget = budget(args.seconds)?;
    ensure!(args.rules > 0, "--rules: found 0, allowed are 1 and more");
    let machine = args.common.machine.machine(args.common.quiet)?;
    let streams = Streams::new(args.common.seed);
    let mut out = stdout();
    let device = described(&machine.devices);
    if !args.common.json {
        writeln!(
            out,
            "{device}\n{} bitmaps of covered rows to counts of bags, fastest round\n",
            grouped(args.rules as u64)
        )?;
        writeln!(
            out,
            "bags                     hypothesis   rows     slot-major ms   plain loop ms   ratio     bags/s"
        )?;
    }
    let mut rows = Vec::new();
    for shape in SHAPES {
        let bags = GeneratedBags::new(shape, args.rules, &streams)?;
        for hypothesis in HYPOTHESES {
            let measured = bags.measure(hypothesis, &machine, budget)?;
            if args.common.json {
                rows.push(measured.json());
            } else {
                measured.write(&mut out)?;
                out.flush()?;
            }
        }
    }
    if args.common.json {
        write_json(&mut out, "bags", &device, rows, start)?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

/// A table of bags with one boolean column for each rule.
struct GeneratedBags {
    name: &'static str,
    rules: usize,
    /// The rows of each bag.
    sizes: Vec<usize>,
    /// The class of each bag.
    codes: Vec<u32>,
    table: Arc<Table>,
}

impl GeneratedBags {
    fn new(
        (name, bags, smallest, largest): (&'static str, usize, usize, usize),
        rules: usize,
        streams: &Streams,
    ) -> Result<GeneratedBags> {
        let mut sizes = streams.stream(&["sizes".into(), name.into()]);
        let sizes: Vec<usize> =
            (0..bags).map(|_| smallest + sizes.index(largest - smallest + 1)).collect();
        let bag_of_row: Vec<u32> =
            (0u32..).zip(&sizes).flat_map(|(bag, &size)| std::iter::repeat_n(bag, size)).collect();
        let column = |rule: usize| {
            let mut stream = streams.stream(&["bits".into(), name.into(), rule.into()]);
            // One row in 16, so that every hypothesis covers some bags.
            Values::Boolean(bag_of_row.iter().map(|_| Some(stream.below(16) == 0)).collect())
        };
        let columns = (0..rules).map(|rule| (format!("r{rule}"), column(rule))).collect();
        let table = Arc::new(Table::with_bags(columns, &bag_of_row)?);
        let mut codes = streams.stream(&["labels".into(), name.into()]);
        let codes = (0..bags).map(|_| u32::from(codes.chance(0.5))).collect();
        Ok(GeneratedBags { name, rules, sizes, codes, table })
    }

    /// Times the reduction and the plain loop, which must agree.
    fn measure(
        &self,
        (hypothesis_name, hypothesis): (&'static str, Hypothesis),
        machine: &Machine,
        budget: Duration,
    ) -> Result<Measurement> {
        let labels = Labels::bags(&self.table, &self.codes, 2)?;
        let mut session = Session::on(machine, Arc::clone(&self.table), labels, hypothesis)?;
        let programs: Vec<ProgramId> = (0u32..)
            .take(self.rules)
            .map(|rule| session.programs_mut().is(rule))
            .collect::<Result<_, _>>()?;
        let covered = session.cover(&programs)?;
        let counts = session.tally(&programs)?;
        let plain = |rule| plain_loop(&covered, rule, &self.sizes, &self.codes, hypothesis);
        ensure!(
            (0..self.rules).all(|rule| plain(rule) == counts.of(rule)),
            "the plain loop counts differently"
        );
        let session = std::cell::RefCell::new(session);
        let forget = || {
            session.borrow_mut().forget_counts();
            Ok(())
        };
        let tally = |()| {
            std::hint::black_box(session.borrow_mut().tally(&programs)?);
            Ok(())
        };
        let seconds = fastest(budget, forget, tally)?;
        let repeat = |()| {
            (0..self.rules).for_each(|rule| {
                std::hint::black_box(plain(std::hint::black_box(rule)));
            });
            Ok(())
        };
        let plain_seconds = fastest(budget, || Ok(()), repeat)?;
        Ok(Measurement {
            bags: self.name,
            bag_count: self.sizes.len(),
            rows: self.sizes.iter().sum(),
            rules: self.rules,
            hypothesis: hypothesis_name,
            seconds,
            plain_seconds,
        })
    }
}

/// One line of the table.
struct Measurement {
    bags: &'static str,
    bag_count: usize,
    rows: usize,
    rules: usize,
    hypothesis: &'static str,
    seconds: f64,
    plain_seconds: f64,
}

impl Measurement {
    #[expect(clippy::cast_precision_loss)]
    fn bags_per_second(&self) -> f64 {
        self.rules as f64 * self.bag_count as f64 / self.seconds
    }

    fn json(&self) -> Value {
        json!({
            "bags": self.bags, "hypothesis": self.hypothesis, "instances": self.rows, "rules": self.rules,
            "seconds": self.seconds, "plain_loop_seconds": self.plain_seconds,
            "ratio": self.plain_seconds / self.seconds, "bags_per_second": self.bags_per_second(),
        })
    }

    fn write(&self, out: &mut impl Write) -> Result<()> {
        writeln!(
            out,
            "{:<24} {:<11} {:>7} {:>14.3} {:>15.3} {:>7.1} {:>10}",
            self.bags,
            self.hypothesis,
            grouped(self.rows as u64),
            self.seconds * 1e3,
            self.plain_seconds * 1e3,
            self.plain_seconds / self.seconds,
            rate(self.bags_per_second())
        )?;
        Ok(())
    }
}

/// Counts positive bags per class, bag by bag.
fn plain_loop(
    covered: &BitRows,
    rule: usize,
    sizes: &[usize],
    codes: &[u32],
    hypothesis: Hypothesis,
) -> [u64; 2] {
    let words: &[_] = covered.row(rule);
    let word = |index: usize| words.get(index / 8).map_or(0, |block| block.0[index % 8]);
    let mut counts = [0; 2];
    let mut row = 0;
    for (&size, &code) in sizes.iter().zip(codes) {
        let (mut left, mut count) = (size, 0);
        while left > 0 {
            let (at, shift) = (row / 64, row % 64);
            let taken = left.min(64 - shift);
            let bits = word(at) >> shift & (u64::MAX >> (64 - taken));
            count += bits.count_ones() as usize;
            row += taken;
            left -= taken;
        }
        counts[code as usize] += u64::from(hypothesis.holds(count));
    }
    counts
}
