//! `bench bags`: from covered rows to bags.
//!
//! The rules are boolean columns, so that hardly anything but the reduction is left to do: 1,000 bitmaps of covered rows
//! become counts of positive bags per class. Beside it a plain loop does the same from the same bits, bag by bag: it cuts
//! each bag's bits out of the words and counts them.

use crate::arguments::BagsArgs;
use crate::clock::{budget, fastest};
use crate::write_json;
use anyhow::{Result, ensure};
use pellucid::bits::BitRows;
use pellucid::cover::{Hypothesis, Labels, Session, Table};
use pellucid::data::Values;
use pellucid::learn::rng::Streams;
use pellucid::program::ProgramId;
use pellucid_arguments::described;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{grouped, rate, stdout};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

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
    for (name, bags, smallest, largest) in SHAPES {
        let mut sizes = streams.stream(&["sizes".into(), name.into()]);
        let sizes: Vec<usize> =
            (0..bags).map(|_| smallest + sizes.index(largest - smallest + 1)).collect();
        let bag_of_row: Vec<u32> =
            (0u32..).zip(&sizes).flat_map(|(bag, &size)| std::iter::repeat_n(bag, size)).collect();
        let column = |rule: usize| {
            let mut stream = streams.stream(&["bits".into(), name.into(), rule.into()]);
            // One row in 16, so that every hypothesis holds for some bags.
            Values::Boolean(bag_of_row.iter().map(|_| Some(stream.below(16) == 0)).collect())
        };
        let table = Arc::new(Table::with_bags(
            (0..args.rules).map(|rule| (format!("r{rule}"), column(rule))).collect(),
            &bag_of_row,
        )?);
        let mut codes = streams.stream(&["labels".into(), name.into()]);
        let codes: Vec<u32> = (0..bags).map(|_| u32::from(codes.chance(0.5))).collect();
        for (hypothesis_name, hypothesis) in HYPOTHESES {
            let labels = Labels::bags(&table, &codes, 2)?;
            let mut session = Session::on(&machine, Arc::clone(&table), labels, hypothesis)?;
            let rules: Vec<ProgramId> = (0u32..)
                .take(args.rules)
                .map(|rule| session.programs_mut().is(rule))
                .collect::<Result<_, _>>()?;
            let covered = session.cover(&rules)?;
            let counts = session.tally(&rules)?;
            for rule in 0..args.rules {
                ensure!(
                    plain_loop(&covered, rule, &sizes, &codes, hypothesis) == counts.of(rule),
                    "the plain loop counts otherwise"
                );
            }
            let session = std::cell::RefCell::new(session);
            let ours = fastest(
                budget,
                || {
                    session.borrow_mut().forget_counts();
                    Ok(())
                },
                |()| {
                    std::hint::black_box(session.borrow_mut().tally(&rules)?);
                    Ok(())
                },
            )?;
            let plain = fastest(
                budget,
                || Ok(()),
                |()| {
                    for rule in 0..args.rules {
                        std::hint::black_box(plain_loop(
                            std::hint::black_box(&covered),
                            rule,
                            &sizes,
                            &codes,
                            hypothesis,
                        ));
                    }
                    Ok(())
                },
            )?;
            #[expect(clippy::cast_precision_loss)]
            let per_second = args.rules as f64 * bags as f64 / ours;
            if args.common.json {
                rows.push(json!({
                    "bags": name, "hypothesis": hypothesis_name, "instances": bag_of_row.len(), "rules": args.rules,
                    "seconds": ours, "plain_loop_seconds": plain, "ratio": plain / ours, "bags_per_second": per_second,
                }));
            } else {
                writeln!(
                    out,
                    "{name:<24} {hypothesis_name:<11} {:>7} {:>14.3} {:>15.3} {:>7.1} {:>10}",
                    grouped(bag_of_row.len() as u64),
                    ours * 1e3,
                    plain * 1e3,
                    plain / ours,
                    rate(per_second)
                )?;
                out.flush()?;
            }
        }
    }
    if args.common.json {
        let rows: Vec<Value> = rows;
        write_json(&mut out, "bags", &device, rows, start)?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
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
