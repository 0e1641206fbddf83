//! Populations of rules as genetic programming makes them.

use anyhow::Result;
use pellucid::cover::{Formulas, Literal, Table};
use pellucid::learn::rng::{Stream, Streams};
use pellucid::program::{Domain, Op, ProgramId, Programs};
use std::collections::HashSet;

/// The age of a population in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// Some generations on: four of five comparisons come from a common stock, the others are new.
    Later,
    /// The first generation: every comparison is drawn for itself.
    First,
    /// Long after: all comparisons come from a common stock of a thousand.
    Settled,
}

impl Age {
    pub(super) fn name(self) -> &'static str {
        match self {
            Age::Later => "later",
            Age::First => "first",
            Age::Settled => "settled",
        }
    }
}

/// `attribute > value` or `attribute <= value`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Comparison {
    pub(super) attribute: u32,
    pub(super) above: bool,
    pub(super) value: f64,
}

/// A disjunction of conjunctions.
pub(super) type Rule = Vec<Vec<Comparison>>;

/// What rules are drawn from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stock {
    pub(super) attributes: u32,
    pub(super) distinct: u32,
}

impl Stock {
    fn comparison(&self, stream: &mut Stream) -> Comparison {
        // Values are whole numbers below `distinct`, so cuts lie between them.
        #[expect(clippy::cast_possible_truncation, reason = "drawn below a u32")]
        let mut below = |end: u32| stream.below(u64::from(end)) as u32;
        Comparison {
            attribute: below(self.attributes),
            above: below(2) == 0,
            value: f64::from(below(self.distinct)) + 0.5,
        }
    }

    /// Rules of 10 to 15 comparisons, 12.5 on average as in the paper's table; a conjunction ends after each
    /// comparison with a chance of one third.
    pub(super) fn rules(&self, number: usize, age: Age, streams: &Streams) -> Vec<Rule> {
        let mut stream = streams.stream(&["rules".into(), age.name().into(), number.into()]);
        let (stock, known) = match age {
            Age::First => (1, 0.0),
            Age::Later => ((number * 6 / 5).max(1), 0.8),
            Age::Settled => (1000, 1.0),
        };
        let common: Vec<Comparison> = (0..stock).map(|_| self.comparison(&mut stream)).collect();
        let mut rule = || {
            let length = 10 + stream.index(6);
            let mut rule = vec![Vec::new()];
            for place in 0..length {
                let comparison = if age != Age::First && stream.chance(known) {
                    common[stream.index(common.len())]
                } else {
                    self.comparison(&mut stream)
                };
                if place > 0 && stream.below(3) == 0 {
                    rule.push(Vec::new());
                }
                if let Some(conjunction) = rule.last_mut() {
                    conjunction.push(comparison);
                }
            }
            rule
        };
        (0..number).map(|_| rule()).collect()
    }
}

/// How many different comparisons there are.
pub(super) fn distinct_comparisons(rules: &[Rule]) -> usize {
    let key = |comparison: &Comparison| {
        (comparison.attribute, comparison.above, comparison.value.to_bits())
    };
    rules.iter().flatten().flatten().map(key).collect::<HashSet<_>>().len()
}

/// The rules as flat formulas, the way a learner writes them.
pub(super) fn flat(table: &Table, rules: &[Rule]) -> Formulas {
    let mut formulas = Formulas::new();
    for rule in rules {
        for conjunction in rule {
            for comparison in conjunction {
                let column = &table.columns()[comparison.attribute as usize];
                let Domain::Numeric(values) = column.domain() else { continue };
                // The greatest value below the cut; a cut below all values is moved onto the least.
                let below = values.partition_point(|&value| value < comparison.value);
                #[expect(clippy::cast_possible_truncation, reason = "ranks have 32 bits")]
                let rank = below.saturating_sub(1) as u32;
                formulas.literal(Literal::new(comparison.attribute, rank, !comparison.above));
            }
            formulas.end_group();
        }
        formulas.end_root();
    }
    formulas
}

/// Adds the rules to a pool.
pub(super) fn intern(programs: &mut Programs, rules: &[Rule]) -> Result<Vec<ProgramId>> {
    let mut roots = Vec::with_capacity(rules.len());
    for rule in rules {
        let mut conjunctions = Vec::with_capacity(rule.len());
        for conjunction in rule {
            let mut comparisons = Vec::with_capacity(conjunction.len());
            for comparison in conjunction {
                let op = if comparison.above { Op::Greater } else { Op::LessEqual };
                comparisons.push(programs.number(comparison.attribute, op, comparison.value)?);
            }
            conjunctions.push(programs.and(&comparisons));
        }
        roots.push(programs.or(&conjunctions));
    }
    Ok(roots)
}
