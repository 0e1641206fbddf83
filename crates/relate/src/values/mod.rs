//! Finds the values of a data property that satisfy a condition.
//!
//! Numbers are sorted, so a comparison is a binary search for its two ends. A text is looked up.
//! Only a substring condition searches all texts, in one pass over one buffer (`texts`). If few
//! individuals have very many values, the search stops as soon as the result is known for each of
//! them (`witnesses`).

mod index;
mod texts;
mod witnesses;

pub(crate) use index::ValueIndex;

use crate::set::Set;
use crate::spec::value_holds;
use crate::{Property, World};
use pellucid_bits::{Bits, Level, as_u32};
use pellucid_device::Threads;
use pellucid_program::{Domain, Interval, Leaf, Node, Op, ProgramId, Programs};
use std::ops::Range;
use std::sync::Arc;

/// Values of a property: those in a set, or all others.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    pub(crate) set: Set,
    pub(crate) outside: bool,
}

/// The context in which conditions are evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Conditions<'a> {
    pub(crate) world: &'a World,
    pub(crate) programs: &'a Programs,
    /// The number of the data property.
    pub(crate) property: usize,
    pub(crate) level: Level,
    pub(crate) threads: &'a Threads,
}

impl Conditions<'_> {
    /// Returns the values that satisfy a condition.
    pub(crate) fn values(self, condition: ProgramId) -> Values {
        let inside = |set| Values { set, outside: false };
        match self.programs.node(condition) {
            Node::Constant(value) => Values { set: Set::NONE, outside: value },
            Node::Not(operand) => {
                let Values { set, outside } = self.values(operand);
                Values { set, outside: !outside }
            }
            Node::And(operands) => self.joined(operands, true),
            Node::Or(operands) => self.joined(operands, false),
            Node::Leaf(_, leaf) => self.leaf(leaf).unwrap_or_else(|| {
                let holds =
                    |value| value_holds(self.world, self.programs, condition, self.property, value);
                inside(Set::Bits(Arc::new((0..self.len()).map(holds).collect())))
            }),
            Node::Related { .. } => unreachable!("values have no roles, which was checked before"),
        }
    }

    fn property(&self) -> &Property {
        &self.world.properties()[self.property]
    }

    /// Returns the number of distinct values.
    fn len(&self) -> usize {
        self.property().edges.object_count()
    }

    /// Returns the values that satisfy all conditions, or any of them.
    fn joined(self, operands: &[ProgramId], all: bool) -> Values {
        let parts: Vec<Values> = operands.iter().map(|&operand| self.values(operand)).collect();
        if all && let Some(run) = common_run(&parts, as_u32(self.len())) {
            return Values { set: Set::Run(run), outside: false };
        }
        let mut bits = if all { Bits::ones_of(self.len()) } else { Bits::zeros(self.len()) };
        for Values { set, outside } in parts {
            let mut part = set.by_ref().bits(self.len());
            if outside {
                Arc::make_mut(&mut part).flip();
            }
            if all {
                bits.and_with(&part);
            } else {
                bits.or_with(&part);
            }
        }
        Values { set: simplest(bits), outside: false }
    }

    /// Returns the values that satisfy a leaf, unless they must be tested one by one.
    fn leaf(&self, leaf: Leaf<'_>) -> Option<Values> {
        let index = self.world.values(self.property);
        let place = |text| index.place(self.property(), self.programs.category(text));
        let run = |place: Option<u32>| place.map_or(Set::NONE, |place| Set::Run(place..place + 1));
        let (set, outside) = match (&self.property().values, leaf) {
            (Domain::Numeric(numbers), leaf) => numbers_in(numbers, leaf)?,
            (Domain::Nominal(_), Leaf::Category(op @ (Op::Equal | Op::NotEqual), text)) => {
                (run(place(text)), op == Op::NotEqual)
            }
            (Domain::Nominal(_), Leaf::AnyCategory(texts)) => {
                let mut bits = Bits::zeros(self.len());
                let places = texts.iter().filter_map(|&text| place(text));
                places.for_each(|place| bits.set(place as usize));
                (simplest(bits), false)
            }
            (Domain::Nominal(texts), Leaf::Contains(part)) => {
                let part = self.programs.category(part);
                let bits = index.texts(texts).with(part, self.level, self.threads);
                (simplest(bits), false)
            }
            _ => return None,
        };
        Some(Values { set, outside })
    }
}

/// Returns the numbers that satisfy a leaf as a set, and whether the complement is meant.
fn numbers_in(values: &[f64], leaf: Leaf<'_>) -> Option<(Set, bool)> {
    let below = |number: f64| values.partition_point(|&value| value < number);
    let up_to = |number: f64| values.partition_point(|&value| value <= number);
    let run =
        |range: Range<usize>| Set::Run(as_u32(range.start)..as_u32(range.end.max(range.start)));
    let found = match leaf {
        Leaf::Number(Op::Less, number) => run(0..below(number)),
        Leaf::Number(Op::LessEqual, number) => run(0..up_to(number)),
        Leaf::Number(Op::Greater, number) => run(up_to(number)..values.len()),
        Leaf::Number(Op::GreaterEqual, number) => run(below(number)..values.len()),
        Leaf::Number(Op::Equal | Op::NotEqual, number) => run(below(number)..up_to(number)),
        Leaf::Within(Interval { low, high }) => {
            let first = if low.closed { below(low.value) } else { up_to(low.value) };
            run(first..if high.closed { up_to(high.value) } else { below(high.value) })
        }
        Leaf::AnyNumber(numbers) => {
            let mut bits = Bits::zeros(values.len());
            for &number in numbers {
                (below(number)..up_to(number)).for_each(|place| bits.set(place));
            }
            simplest(bits)
        }
        Leaf::Is | Leaf::Category(..) | Leaf::AnyCategory(_) | Leaf::Contains(_) => return None,
    };
    Some((found, matches!(leaf, Leaf::Number(Op::NotEqual, _))))
}

/// Returns the intersection of some ranges of `len` values, or `None` if one of them is not a
/// range.
fn common_run(parts: &[Values], len: u32) -> Option<Range<u32>> {
    let mut common = 0..len;
    for Values { set, outside } in parts {
        let Set::Run(run) = set else { return None };
        let run = match outside {
            false => run.clone(),
            true if run.is_empty() => 0..len,
            true if run.start == 0 => run.end..len,
            true if run.end == len => 0..run.start,
            true => return None,
        };
        common = common.start.max(run.start)..common.end.min(run.end);
    }
    Some(common.start..common.end.max(common.start))
}

/// Represents all values, and none, as a range, which is answered faster.
fn simplest(bits: Bits) -> Set {
    match bits.count() {
        0 => Set::NONE,
        all if all == bits.len() as u64 => Set::Run(0..as_u32(bits.len())),
        _ => Set::Bits(Arc::new(bits)),
    }
}
