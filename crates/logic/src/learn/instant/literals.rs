use super::rows::{ExampleLayout, and, and_not};
use crate::learn::SearchContext;
use pellucid_program::{Node, ProgramId, Quantifier};
use rustc_hash::FxHashMap;

/// The maximum number of literals for pairs.
pub(super) const MAX_LITERALS: usize = 5000;

/// Literals with distinct coverage, also up to complement.
///
/// Each literal has a plain form and a negated form, the shortest ones found. If negation is not
/// allowed, one of them may be missing.
#[derive(Clone, Debug)]
pub(super) struct Literals {
    layout: ExampleLayout,
    rows: Vec<u64>,
    forms: Vec<[Option<LiteralForm>; 2]>,
    index: FxHashMap<Vec<u64>, u32>,
}

/// A program and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LiteralForm {
    length: u32,
    program: ProgramId,
}

impl Literals {
    pub(super) fn new(layout: ExampleLayout) -> Literals {
        Literals { layout, rows: Vec::new(), forms: Vec::new(), index: FxHashMap::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.forms.len()
    }

    /// The rows of all literals, one after the other.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The examples that a literal covers.
    pub(super) fn row(&self, literal: u32) -> &[u64] {
        let words = self.layout.words();
        &self.rows[literal as usize * words..][..words]
    }

    /// Whether a literal has this form.
    pub(super) fn has(&self, literal: u32, negative: bool) -> bool {
        self.forms[literal as usize][usize::from(negative)].is_some()
    }

    /// The length of a form.
    pub(super) fn length(&self, literal: u32, negative: bool) -> u32 {
        self.forms[literal as usize][usize::from(negative)].map_or(u32::MAX / 4, |form| form.length)
    }

    /// Returns a form as a program.
    ///
    /// # Panics
    /// If the form does not exist.
    pub(super) fn program(&self, literal: u32, negative: bool) -> ProgramId {
        let form = self.forms[literal as usize][usize::from(negative)];
        form.expect("only existing forms are selected").program
    }

    /// Adds a program with its coverage, unless it does not discriminate between examples.
    pub(super) fn add(&mut self, context: &mut SearchContext, program: ProgramId, row: Vec<u64>) {
        let all = self.layout.all();
        let rest = and_not(&all, &row);
        if row.iter().all(|&word| word == 0) || rest.iter().all(|&word| word == 0) {
            return;
        }
        // Of two complementary rows, the one without the first example represents both.
        let (first, bit) = self.layout.position(0);
        let flipped = row[first] & bit != 0;
        let key = if flipped { rest } else { row };
        // Literals have 32-bit numbers.
        #[expect(clippy::cast_possible_truncation)]
        let number = *self.index.entry(key).or_insert_with_key(|key| {
            self.rows.extend(key);
            self.forms.push([None, None]);
            self.forms.len() as u32 - 1
        });
        self.offer(context, number, flipped, program);
        if context.options().operators.negation {
            let opposite = negate(context, program);
            self.offer(context, number, !flipped, opposite);
        }
    }

    fn offer(
        &mut self,
        context: &mut SearchContext,
        number: u32,
        negative: bool,
        program: ProgramId,
    ) {
        let length = context.length(program);
        let form = &mut self.forms[number as usize][usize::from(negative)];
        // Ties keep the first form.
        if form.is_none_or(|form| length < form.length) {
            *form = Some(LiteralForm { length, program });
        }
    }

    /// Returns the most discriminating literals for the examples of a mask, ordered by length.
    pub(super) fn chosen(&self, most: usize, mask: &[u64]) -> Literals {
        let [positives, negatives] = self.layout.counts(mask).map(u64::from);
        // The difference between the shares of covered positive and negative examples, as integers
        // to avoid rounding.
        let discrimination = |&literal: &u32| {
            let [positive, negative] =
                self.layout.counts(&and(self.row(literal), mask)).map(u64::from);
            (positive * negatives).abs_diff(negative * positives)
        };
        let length = |&literal: &u32| self.length(literal, false).min(self.length(literal, true));
        // Literals have 32-bit numbers.
        #[expect(clippy::cast_possible_truncation)]
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by_key(|literal| {
            (std::cmp::Reverse(discrimination(literal)), length(literal), *literal)
        });
        order.truncate(most);
        order.sort_by_key(|literal| (length(literal), *literal));
        let mut chosen = Literals::new(self.layout);
        for literal in order {
            chosen.rows.extend(self.row(literal));
            chosen.forms.push(self.forms[literal as usize]);
        }
        chosen
    }
}

#[cfg(test)]
impl Literals {
    /// Literals with these lengths of their forms, without programs of their own.
    pub(super) fn plain(
        layout: ExampleLayout,
        rows: Vec<Vec<u64>>,
        lengths: &[[Option<u32>; 2]],
    ) -> Literals {
        let schema = pellucid_program::Schema::new([("x", pellucid_program::Kind::Boolean)]);
        let program = pellucid_program::Programs::new(schema).constant(true);
        let form = |length: u32| LiteralForm { length, program };
        let forms = lengths.iter().map(|both| both.map(|length| length.map(form))).collect();
        Literals { layout, rows: rows.concat(), forms, index: FxHashMap::default() }
    }
}

/// Returns the negation in its usual form: `max` for `min`, `only` for `some … not`.
fn negate(context: &mut SearchContext, program: ProgramId) -> ProgramId {
    if let Node::Related { quantifier, role, inverse, filler } = context.programs().node(program) {
        match quantifier {
            Quantifier::Min(least) if least > 1 => {
                return context.programs_mut().related(
                    Quantifier::Max(least - 1),
                    role,
                    inverse,
                    filler,
                );
            }
            Quantifier::Some => {
                if let Node::Not(inner) = context.programs().node(filler) {
                    return context.programs_mut().related(Quantifier::Only, role, inverse, inner);
                }
            }
            _ => {}
        }
    }
    context.programs_mut().not(program)
}
