//! Formulas in the words of one table, flat: what a learner that breeds thousands of them a second writes.
//!
//! [`Programs`](pellucid_program::Programs) is a pool for formulas of any shape that are met again and again.
//! A learner with a new generation every millisecond has no use for a pool: it writes [`Formulas`], each an
//! OR of ANDs of [`Literal`]s laid out one after the other, and throws them away. What lies deeper than two
//! levels becomes a [`Part`] that other formulas name in place of a literal.

mod fingerprint;
mod literal;
mod numbers;
mod plan;
mod reach;
mod slots;
mod words;

pub(crate) use fingerprint::Fingerprint;
use fingerprint::mixed;
pub use literal::{Literal, LiteralError};
pub(crate) use plan::FormulaPlanner;
use reach::Reach;

use crate::plan::Shape;
use crate::table::Table;
use pellucid_bits::as_u32;

/// A literal, or a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Token(u64);

impl Token {
    const PART: u64 = 1 << 63;

    #[inline]
    fn part(self) -> Option<usize> {
        (self.0 & Token::PART != 0).then_some((self.0 & !Token::PART) as usize)
    }
}

/// A formula that others are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part(u32);

/// Formulas one after the other, each an OR of ANDs.
///
/// They are written group by group: literals, [`end_group`](Formulas::end_group), and after the last group
/// [`end_root`](Formulas::end_root). A group is the AND of its literals, a formula the OR of its groups; no
/// literal is true, no group is false.
///
/// ```
/// use pellucid_cover::{Formulas, Hypothesis, Labels, Literal, Session, Table};
/// use pellucid_data::Values;
/// use pellucid_device::Device;
/// use std::sync::Arc;
/// let table = Table::new(vec![("age".into(), Values::Numeric(vec![23.0, 51.0, 48.0, 35.0].into()))])?;
/// let labels = Labels::rows(&table, &[0, 1, 1, 0], 2)?;
/// let mut session = Session::new(Arc::new(table), labels, Hypothesis::Rows, &[Device::processor(None)?])?;
///
/// let mut formulas = Formulas::new();
/// formulas.literal(Literal::new(0, 1, false)); // the distinct ages are 23, 35, 48, 51: age > 35
/// formulas.end_group();
/// formulas.end_root();
/// assert_eq!(session.tally_formulas(&formulas)?.of(0), [0, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    tokens: Vec<Token>,
    /// Where each group ends among the tokens.
    ends: Vec<u32>,
    forms: Vec<Form>,
    /// Which forms are roots.
    roots: Vec<u32>,
    /// Of all literals in forms.
    reach: Reach,
    /// Room for sorting groups.
    spare: Vec<Token>,
}

/// A range of groups.
#[derive(Clone, Copy, Debug)]
struct Form {
    first_token: u32,
    first_group: u32,
    groups: u32,
    has_parts: bool,
    /// Of its groups and their literals.
    print: Fingerprint,
    shape: Shape,
}

impl Formulas {
    /// No formulas yet.
    #[must_use]
    pub fn new() -> Formulas {
        Formulas::default()
    }

    /// Removes all formulas but keeps the memory they took.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.ends.clear();
        self.forms.clear();
        self.roots.clear();
        self.reach.clear();
    }

    /// How many roots there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// Whether there is no root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Adds a literal to the group at hand.
    #[inline]
    pub fn literal(&mut self, literal: Literal) {
        self.tokens.push(Token(literal.number()));
    }

    /// Adds a part to the group at hand.
    ///
    /// # Panics
    /// When the part is not of these formulas.
    pub fn part(&mut self, part: Part) {
        assert!((part.0 as usize) < self.forms.len(), "the part of other formulas");
        self.tokens.push(Token(Token::PART | u64::from(part.0)));
    }

    /// Ends the group at hand. The same literals in another order are the same group.
    #[inline]
    pub fn end_group(&mut self) {
        let start = self.open_group();
        let group = &mut self.tokens[start..];
        group.sort_unstable();
        let mut kept = start + usize::from(!group.is_empty());
        for index in start + 1..self.tokens.len() {
            if self.tokens[index] != self.tokens[kept - 1] {
                self.tokens[kept] = self.tokens[index];
                kept += 1;
            }
        }
        self.tokens.truncate(kept);
        self.ends.push(as_u32(kept));
    }

    /// Ends the formula at hand as a part of others.
    pub fn end_part(&mut self) -> Part {
        self.end_form();
        Part(as_u32(self.forms.len() - 1))
    }

    /// Ends the formula at hand as one to be evaluated.
    pub fn end_root(&mut self) {
        self.end_form();
        self.roots.push(as_u32(self.forms.len() - 1));
    }

    /// Adds all formulas of another batch; its roots follow those that are there.
    pub fn append(&mut self, other: &Formulas) {
        let (tokens, groups, forms) =
            (as_u32(self.tokens.len()), as_u32(self.ends.len()), as_u32(self.forms.len()));
        self.tokens.extend(other.tokens.iter().map(|token| match token.part() {
            None => *token,
            Some(_) => Token(token.0 + u64::from(forms)),
        }));
        self.ends.extend(other.ends.iter().map(|end| end + tokens));
        self.forms.extend(other.forms.iter().map(|form| Form {
            first_token: form.first_token + tokens,
            first_group: form.first_group + groups,
            ..*form
        }));
        self.roots.extend(other.roots.iter().map(|root| root + forms));
        self.reach.join(&other.reach);
    }

    /// Where the group at hand starts.
    fn open_group(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    fn end_form(&mut self) {
        let (first_token, first_group) = match self.forms.last() {
            None => (0, 0),
            Some(form) => {
                let group = form.first_group + form.groups;
                (if group == 0 { 0 } else { self.ends[group as usize - 1] }, group)
            }
        };
        self.sort_groups(first_token as usize, first_group as usize);
        let groups = as_u32(self.ends.len()) - first_group;
        let (mut has_parts, mut start) = (false, first_token as usize);
        let mut print = Fingerprint::default();
        for &end in &self.ends[first_group as usize..] {
            for token in &self.tokens[start..end as usize] {
                has_parts |= token.part().is_some();
                print.add(token.0);
                self.reach.add(*token);
            }
            start = end as usize;
            print.add(u64::MAX);
        }
        let ends = self.ends[first_group as usize..].iter().map(|&end| end as usize);
        let mut before = first_token as usize;
        let shape = Shape::of(ends.map(|end| end - std::mem::replace(&mut before, end)));
        self.forms.push(Form { first_token, first_group, groups, has_parts, print, shape });
    }

    /// Brings the groups of the formula at hand into order, the shortest first, and drops repeated ones.
    fn sort_groups(&mut self, first_token: usize, first_group: usize) {
        let lengths = self.ends.len() - first_group;
        if lengths < 2 {
            return;
        }
        let mut starts: Vec<(u32, u32)> = Vec::with_capacity(lengths);
        let mut start = as_u32(first_token);
        for &end in &self.ends[first_group..] {
            starts.push((start, end));
            start = end;
        }
        self.spare.clear();
        self.spare.extend_from_slice(&self.tokens[first_token..]);
        let spare = &self.spare;
        let group = |&(start, end): &(u32, u32)| {
            &spare[start as usize - first_token..end as usize - first_token]
        };
        starts.sort_unstable_by(|left, right| {
            (left.1 - left.0).cmp(&(right.1 - right.0)).then_with(|| group(left).cmp(group(right)))
        });
        starts.dedup_by(|left, right| group(left) == group(right));
        self.tokens.truncate(first_token);
        self.ends.truncate(first_group);
        for range in &starts {
            self.tokens.extend_from_slice(group(range));
            self.ends.push(as_u32(self.tokens.len()));
        }
    }

    /// The forms that are roots.
    pub(crate) fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The tokens of all groups of a form.
    fn tokens_of(&self, form: u32) -> &[Token] {
        let form = self.forms[form as usize];
        let start = form.first_token as usize;
        match form.groups {
            0 => &[],
            groups => {
                &self.tokens[start..self.ends[(form.first_group + groups - 1) as usize] as usize]
            }
        }
    }

    fn groups(&self, form: u32) -> impl Iterator<Item = &[Token]> {
        let form = self.forms[form as usize];
        let mut start = form.first_token as usize;
        self.ends[form.first_group as usize..(form.first_group + form.groups) as usize].iter().map(
            move |&end| {
                let group = &self.tokens[start..end as usize];
                start = end as usize;
                group
            },
        )
    }

    /// What a formula is known by. Nothing for formulas with parts.
    pub(crate) fn fingerprint(&self, form: u32) -> Option<Fingerprint> {
        let form = self.forms[form as usize];
        (!form.has_parts).then_some(form.print)
    }

    /// Whether every literal fits the table, so that planners and kernels need not ask: one beyond its column
    /// would mean a literal of another.
    ///
    /// # Errors
    /// When a literal does not.
    pub(crate) fn check(&self, table: &Table) -> Result<(), LiteralError> {
        if self.reach.fits(table.columns()) {
            return Ok(());
        }
        let literals = self.tokens.iter().filter(|token| token.part().is_none());
        let mut literals = literals.map(|token| Literal::of_number(token.0));
        match literals.find(|literal| !literal.fits(table)) {
            None => Ok(()),
            Some(literal) => Err(LiteralError::new(literal, table)),
        }
    }

    /// Whether a form holds for a row: the specification.
    pub(crate) fn holds(&self, table: &Table, form: u32, row: usize) -> bool {
        self.groups(form).any(|group| {
            group.iter().all(|token| match token.part() {
                Some(part) => self.holds(table, as_u32(part), row),
                None => Literal::of_number(token.0).holds(table, row),
            })
        })
    }
}
