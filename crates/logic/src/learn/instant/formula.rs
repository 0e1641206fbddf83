use super::literals::Literals;
use super::rows::{ExampleLayout, and_not};
use crate::learn::SearchContext;
use pellucid_program::ProgramId;

/// A propositional formula over literals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Formula {
    /// A constant.
    Constant(bool),
    /// A literal by number, plain or negated.
    Literal(u32, bool),
    /// A conjunction.
    And(Vec<Formula>),
    /// A disjunction.
    Or(Vec<Formula>),
}

impl Formula {
    /// The conjunction of two literals, or the literal if they are equal.
    pub(super) fn both(one: (u32, bool), other: (u32, bool)) -> Formula {
        if one == other {
            return Formula::Literal(one.0, one.1);
        }
        Formula::And(vec![Formula::Literal(one.0, one.1), Formula::Literal(other.0, other.1)])
    }

    /// The negation.
    pub(super) fn negated(self) -> Formula {
        let all = |parts: Vec<Formula>| parts.into_iter().map(Formula::negated).collect();
        match self {
            Formula::Constant(value) => Formula::Constant(!value),
            Formula::Literal(literal, negative) => Formula::Literal(literal, !negative),
            Formula::And(parts) => Formula::Or(all(parts)),
            Formula::Or(parts) => Formula::And(all(parts)),
        }
    }

    /// The conjunction with another formula.
    pub(super) fn and(self, other: Formula) -> Formula {
        join(self, other, true)
    }

    /// The disjunction with another formula.
    pub(super) fn or(self, other: Formula) -> Formula {
        join(self, other, false)
    }

    /// The examples that it covers.
    pub(super) fn covered(&self, literals: &Literals, layout: ExampleLayout) -> Vec<u64> {
        match self {
            Formula::Constant(true) => layout.all(),
            Formula::Constant(false) => vec![0; layout.words()],
            Formula::Literal(literal, false) => literals.row(*literal).to_vec(),
            Formula::Literal(literal, true) => and_not(&layout.all(), literals.row(*literal)),
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(self, Formula::And(_));
                let mut words = parts[0].covered(literals, layout);
                for part in &parts[1..] {
                    for (word, other) in words.iter_mut().zip(part.covered(literals, layout)) {
                        *word = if all { *word & other } else { *word | other };
                    }
                }
                words
            }
        }
    }

    /// The length of the corresponding expression.
    pub(super) fn length(&self, literals: &Literals) -> u32 {
        match self {
            Formula::Constant(_) => 1,
            Formula::Literal(literal, negative) => literals.length(*literal, *negative),
            Formula::And(parts) | Formula::Or(parts) => {
                let sum: u32 = parts.iter().map(|part| part.length(literals)).sum();
                // The number of parts is at most a few dozen.
                #[expect(clippy::cast_possible_truncation)]
                let joints = parts.len() as u32 - 1;
                sum + joints
            }
        }
    }

    /// The number of literals.
    pub(super) fn literals(&self) -> usize {
        match self {
            Formula::Constant(_) => 0,
            Formula::Literal(..) => 1,
            Formula::And(parts) | Formula::Or(parts) => parts.iter().map(Formula::literals).sum(),
        }
    }

    /// The distinct literals.
    pub(super) fn names(&self) -> Vec<(u32, bool)> {
        let mut names = match self {
            Formula::Constant(_) => Vec::new(),
            Formula::Literal(literal, negative) => vec![(*literal, *negative)],
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().flat_map(Formula::names).collect()
            }
        };
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Replaces one literal by another.
    pub(super) fn replaced(&self, old: (u32, bool), new: (u32, bool)) -> Formula {
        match self {
            Formula::Literal(literal, negative) if (*literal, *negative) == old => {
                Formula::Literal(new.0, new.1)
            }
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(self, Formula::And(_));
                let parts = parts.iter().map(|part| part.replaced(old, new));
                parts.fold(Formula::Constant(all), |joined, part| join(joined, part, all))
            }
            other => other.clone(),
        }
    }

    /// Factors out common operands: `A and (B or C)` for `(A and B) or (A and C)`.
    pub(super) fn factored(&self) -> Formula {
        let (Formula::And(parts) | Formula::Or(parts)) = self else { return self.clone() };
        let all = matches!(self, Formula::And(_));
        let inner = |part: &Formula| match part {
            Formula::And(inner) if !all => inner.clone(),
            Formula::Or(inner) if all => inner.clone(),
            other => vec![other.clone()],
        };
        let inner: Vec<Vec<Formula>> = parts.iter().map(inner).collect();
        // The most frequent factor; ties prefer the first.
        let mut common: Option<(usize, &Formula)> = None;
        for factor in inner.iter().flatten() {
            let count = inner.iter().filter(|inner| inner.contains(factor)).count();
            if count > 1 && common.is_none_or(|(most, _)| count > most) {
                common = Some((count, factor));
            }
        }
        let Some((_, factor)) = common.map(|(count, factor)| (count, factor.clone())) else {
            return self.clone();
        };
        let (mut with, mut without) = (Formula::Constant(all), Formula::Constant(all));
        for (inner, part) in inner.into_iter().zip(parts) {
            if inner.contains(&factor) {
                let rest = inner.into_iter().filter(|one| *one != factor);
                let rest = rest.fold(Formula::Constant(!all), |sum, one| join(sum, one, !all));
                with = join(with, rest, all);
            } else {
                without = join(without, part.clone(), all);
            }
        }
        let with = join(factor, with.factored(), !all);
        join(with, without.factored(), all)
    }

    /// Returns all formulas without one operand, at any depth.
    pub(super) fn smaller(&self) -> Vec<Formula> {
        let (Formula::And(parts) | Formula::Or(parts)) = self else { return Vec::new() };
        let all = matches!(self, Formula::And(_));
        let again = |parts: Vec<Formula>| {
            let mut parts = parts.into_iter();
            let first = parts.next().unwrap_or(Formula::Constant(all));
            parts.fold(first, |joined, part| join(joined, part, all))
        };
        let mut smaller = Vec::new();
        for at in 0..parts.len() {
            let mut rest = parts.clone();
            rest.remove(at);
            smaller.push(again(rest));
            for part in parts[at].smaller() {
                let mut rest = parts.clone();
                rest[at] = part;
                smaller.push(again(rest));
            }
        }
        smaller
    }

    /// Converts the formula to a program.
    pub(super) fn program(&self, literals: &Literals, context: &mut SearchContext) -> ProgramId {
        match self {
            Formula::Constant(value) => context.programs_mut().constant(*value),
            Formula::Literal(literal, negative) => literals.program(*literal, *negative),
            Formula::And(parts) | Formula::Or(parts) => {
                let parts: Vec<ProgramId> =
                    parts.iter().map(|part| part.program(literals, context)).collect();
                match self {
                    Formula::And(_) => context.programs_mut().and(&parts),
                    _ => context.programs_mut().or(&parts),
                }
            }
        }
    }
}

fn join(one: Formula, other: Formula, all: bool) -> Formula {
    let mut parts = Vec::new();
    for formula in [one, other] {
        match formula {
            Formula::Constant(value) if value == all => {}
            Formula::Constant(value) => return Formula::Constant(value),
            Formula::And(inner) if all => parts.extend(inner),
            Formula::Or(inner) if !all => parts.extend(inner),
            other => parts.push(other),
        }
    }
    let mut seen = Vec::with_capacity(parts.len());
    for part in parts {
        if !seen.contains(&part) {
            seen.push(part);
        }
    }
    match seen.len() {
        0 => Formula::Constant(all),
        1 => seen.swap_remove(0),
        _ if all => Formula::And(seen),
        _ => Formula::Or(seen),
    }
}
