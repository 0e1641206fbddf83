use super::expr::{Interval, Op, Quantifier};

/// The id of a program in its pool. Equal programs have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramId(pub(crate) u32);

impl ProgramId {
    /// Returns the id as an index. Programs are numbered from 0 in the order in which they were added.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The id of a category in its pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextId(pub(crate) u32);

/// A condition on one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf<'a> {
    /// The truth value itself.
    Is,
    /// A comparison with a number.
    Number(Op, f64),
    /// A comparison with a category; the operator is `=` or `!=`.
    Category(Op, TextId),
    /// A category that contains a text.
    Contains(TextId),
    /// A number in an interval.
    Within(Interval),
    /// One of two or more numbers, in ascending order.
    AnyNumber(&'a [f64]),
    /// One of two or more categories.
    AnyCategory(&'a [TextId]),
}

/// The node of a program: its operator and operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node<'a> {
    /// Always true, or always false.
    Constant(bool),
    /// A condition on a column, which is given by its index in the schema.
    Leaf(u32, Leaf<'a>),
    /// True where the operand is false.
    Not(ProgramId),
    /// True where all operands are true. There are two or more, none of them an `And`.
    And(&'a [ProgramId]),
    /// True where any operand is true. There are two or more, none of them an `Or`.
    Or(&'a [ProgramId]),
    /// True where enough individuals related by the role satisfy the filler.
    Related {
        /// The number of individuals required.
        quantifier: Quantifier,
        /// The index of the role in the schema.
        role: u32,
        /// Whether the role is followed from object to subject.
        inverse: bool,
        /// The program that the related individuals must satisfy.
        filler: ProgramId,
    },
}

/// A stored node, in which slices are ranges of the pool's arenas.
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
