//! Restrictions expressed as questions of the form "at least n".

use pellucid_program::Quantifier;

/// Whether at least `number` objects satisfy the filler, or do not satisfy it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AtLeast {
    pub(super) number: u32,
    pub(super) outside: bool,
}

/// How a restriction is composed of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recipe {
    /// Always true.
    Always,
    /// One question, or its negation.
    One(AtLeast, bool),
    /// The first question is true and the second is false.
    Between(AtLeast, AtLeast),
}

impl Recipe {
    pub(super) fn of(quantifier: Quantifier) -> Recipe {
        let inside = |number| AtLeast { number, outside: false };
        let at_least = |number| match number {
            0 => Recipe::Always,
            number => Recipe::One(inside(number), false),
        };
        match quantifier {
            Quantifier::Some => at_least(1),
            Quantifier::Only => Recipe::One(AtLeast { number: 1, outside: true }, true),
            Quantifier::Min(number) => at_least(number),
            Quantifier::Max(number) => match number.checked_add(1) {
                None => Recipe::Always,
                Some(more) => Recipe::One(inside(more), true),
            },
            Quantifier::Exactly(number) => match (number, number.checked_add(1)) {
                (0, _) => Recipe::One(inside(1), true),
                (number, None) => at_least(number),
                (number, Some(more)) => Recipe::Between(inside(number), inside(more)),
            },
        }
    }
}
