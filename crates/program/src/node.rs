use super::expr::{Interval, Op, Quantifier};

/// A program in its pool: equal ids, equal meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramId(pub(crate) u32);

impl ProgramId {
    /// The id as an index: programs of a pool are numbered from 0 in the order they were first made.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A category in its pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextId(pub(crate) u32);

/// A question to one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf<'a> {
    /// The truth value itself.
    Is,
    /// A number compared.
    Number(Op, f64),
    /// A category compared; the operator is `=` or `!=`.
    Category(Op, TextId),
    /// A category with a text somewhere in it.
    Contains(TextId),
    /// A number in an interval.
    Within(Interval),
    /// A number among some, ascending, two or more.
    AnyNumber(&'a [f64]),
    /// A category among some, two or more.
    AnyCategory(&'a [TextId]),
}

/// What a program is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node<'a> {
    /// Always true, or always false.
    Constant(bool),
    /// A question to a column, by its number in the schema.
    Leaf(u32, Leaf<'a>),
    /// True where the operand is false.
    Not(ProgramId),
    /// True where all operands are; two or more, none of them an `And`.
    And(&'a [ProgramId]),
    /// True where any operand is; two or more, none of them an `Or`.
    Or(&'a [ProgramId]),
    /// True where enough individuals related by the role satisfy the filler.
    Related {
        /// How many.
        quantifier: Quantifier,
        /// The role's number in the schema.
        role: u32,
        /// Whether the role is followed from object to subject.
        inverse: bool,
        /// What they must satisfy.
        filler: ProgramId,
    },
}

/// A node as stored: slices are ranges of the pool's arenas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stored {
    Constant(bool),
    Is(u32),
    Number(u32, Op, f64),
    Category(u32, Op, TextId),
    Contains(u32, TextId),
    Within(u32, Interval),
    AnyNumber(u32, Span),
    AnyCategory(u32, Span),
    Not(ProgramId),
    And(Span),
    Or(Span),
    Related(Quantifier, u32, bool, ProgramId),
}

/// A range of an arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Span {
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}
