//! Flat formulas over one table, for learners that create thousands of them per second.
//!
//! [`Programs`](pellucid_program::Programs) is a pool for formulas of any shape that are used
//! repeatedly. A learner with a new generation every millisecond does not need a pool. It writes
//! [`Formulas`], each an OR of ANDs of [`Literal`]s in one flat list, and discards them after use.
//! A subformula below the second level becomes a [`FormulaPart`], which other formulas use in place of a
//! literal.

mod fingerprint;
mod literal;
mod numbers;
mod plan;
mod reach;
mod slots;
mod variety;
mod words;

pub(crate) use fingerprint::Fingerprint;
use fingerprint::mix;
pub use literal::{Literal, LiteralError};
pub(crate) use plan::FormulaPlanner;
use reach::CodeLimits;
pub(crate) use variety::Variety;

use crate::plan::Shape;
use crate::table::Table;
use pellucid_bits::as_u32;

/// A literal or a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Token(u64);

impl Token {
    const PART: u64 = 1 << 63;

    #[inline]
    fn part(self) -> Option<usize> {
        (self.0 & Token::PART != 0).then_some((self.0 & !Token::PART) as usize)
    }
}

/// A formula that other formulas use in place of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormulaPart(u32);

/// A list of formulas, each an OR of ANDs.
///
/// A formula is written group by group: add literals, call [`end_group`](Formulas::end_group), and
/// after the last group call [`end_root`](Formulas::end_root). A group is the AND of its literals,
/// and a formula is the OR of its groups. A group without literals is true, and a formula without
/// groups is false.
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
    /// By group: its end in `tokens`.
    ends: Vec<u32>,
    forms: Vec<Form>,
    /// The indices of the forms that are roots.
    roots: Vec<u32>,
    /// The limits of the codes of all literals in forms.
    code_limits: CodeLimits,
    /// Scratch memory for sorting groups.
    spare: Vec<Token>,
}

/// A formula as a range of groups.
#[derive(Clone, Copy, Debug)]
struct Form {
    first_token: u32,
    first_group: u32,
    groups: u32,
    has_parts: bool,
    /// The fingerprint of its groups and their literals.
    fingerprint: Fingerprint,
    shape: Shape,
}

impl Formulas {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Formulas {
        Formulas::default()
    }

    /// Removes all formulas but keeps the allocated memory.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.ends.clear();
        self.forms.clear();
        self.roots.clear();
        self.code_limits.clear();
    }

    /// Returns the number of roots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// Returns whether there are no roots.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Adds a literal to the current group.
    #[inline]
    pub fn literal(&mut self, literal: Literal) {
        self.tokens.push(Token(literal.number()));
    }

    /// Adds a part to the current group.
    ///
    /// # Panics
    /// When the part belongs to another list of formulas.
    pub fn part(&mut self, part: FormulaPart) {
        assert!(
            (part.0 as usize) < self.forms.len(),
            "the part belongs to another list of formulas"
        );
        self.tokens.push(Token(Token::PART | u64::from(part.0)));
    }

    /// Ends the current group. The order of its literals does not matter.
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

    /// Ends the current formula as a part for use in others.
    pub fn end_part(&mut self) -> FormulaPart {
        self.end_form();
        FormulaPart(as_u32(self.forms.len() - 1))
    }

    /// Ends the current formula as a root, which is evaluated.
    pub fn end_root(&mut self) {
        self.end_form();
        self.roots.push(as_u32(self.forms.len() - 1));
    }

    /// Adds all formulas of another list. Their roots follow the existing ones.
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
        self.code_limits.join(&other.code_limits);
    }

    /// Returns where the current group starts.
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
        let mut fingerprint = Fingerprint::default();
        for &end in &self.ends[first_group as usize..] {
            for token in &self.tokens[start..end as usize] {
                has_parts |= token.part().is_some();
                fingerprint.add(token.0);
                self.code_limits.add(*token);
            }
            start = end as usize;
            fingerprint.add(u64::MAX);
        }
        let ends = self.ends[first_group as usize..].iter().map(|&end| end as usize);
        let mut before = first_token as usize;
        let shape = Shape::of(ends.map(|end| end - std::mem::replace(&mut before, end)));
        self.forms.push(Form { first_token, first_group, groups, has_parts, fingerprint, shape });
    }

    /// Sorts the groups of the current formula, shortest first, and removes duplicates.
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

    /// Returns the forms that are roots.
    pub(crate) fn roots(&self) -> &[u32] {
        &self.roots
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

    /// Returns the fingerprint of a formula, or `None` if it has parts.
    pub(crate) fn fingerprint(&self, form: u32) -> Option<Fingerprint> {
        let form = self.forms[form as usize];
        (!form.has_parts).then_some(form.fingerprint)
    }

    /// Checks that every literal fits the table, so that planners and kernels do not have to. A
    /// rank beyond its column would be read as a literal of another column.
    ///
    /// # Errors
    /// When a literal does not fit.
    pub(crate) fn check(&self, table: &Table) -> Result<(), LiteralError> {
        if self.code_limits.fits(table.columns()) {
            return Ok(());
        }
        let literals = self.tokens.iter().filter(|token| token.part().is_none());
        let mut literals = literals.map(|token| Literal::from_number(token.0));
        match literals.find(|literal| !literal.fits(table)) {
            None => Ok(()),
            Some(literal) => Err(LiteralError::new(literal, table)),
        }
    }

    /// Returns whether a form covers a row, according to the specification.
    pub(crate) fn covers(&self, table: &Table, form: u32, row: usize) -> bool {
        self.groups(form).any(|group| {
            group.iter().all(|token| match token.part() {
                Some(part) => self.covers(table, as_u32(part), row),
                None => Literal::from_number(token.0).covers(table, row),
            })
        })
    }
}
