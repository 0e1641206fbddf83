use super::rows::{Shape, and, and_not};
use crate::learn::SearchContext;
use pellucid_program::{Node, ProgramId, Quantifier};
use rustc_hash::FxHashMap;

/// The most literals that pairs are made of.
pub(super) const MOST: usize = 5000;

/// Literals that no two of which hold for the same examples, or for opposite ones.
///
/// Each has a form for the examples it holds for and one for the others, the shortest met; where negation is not allowed
/// there may be only one of them.
#[derive(Clone, Debug)]
pub(super) struct Literals {
    shape: Shape,
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
    pub(super) fn new(shape: Shape) -> Literals {
        Literals { shape, rows: Vec::new(), forms: Vec::new(), index: FxHashMap::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.forms.len()
    }

    /// The examples that a literal holds for.
    pub(super) fn row(&self, literal: u32) -> &[u64] {
        let words = self.shape.words();
        &self.rows[literal as usize * words..][..words]
    }

    /// Whether a literal has such a form.
    pub(super) fn has(&self, literal: u32, negative: bool) -> bool {
        self.forms[literal as usize][usize::from(negative)].is_some()
    }

    /// How long a form is.
    pub(super) fn length(&self, literal: u32, negative: bool) -> u32 {
        self.forms[literal as usize][usize::from(negative)].map_or(u32::MAX / 4, |form| form.length)
    }

    /// A form as a program.
    ///
    /// # Panics
    /// When there is no such form.
    pub(super) fn program(&self, literal: u32, negative: bool) -> ProgramId {
        let form = self.forms[literal as usize][usize::from(negative)];
        form.expect("only forms that are there are chosen").program
    }

    /// Adds a program that holds for these examples, unless it says nothing about them.
    pub(super) fn add(&mut self, context: &mut SearchContext, program: ProgramId, row: Vec<u64>) {
        let all = self.shape.all();
        let rest = and_not(&all, &row);
        if row.iter().all(|&word| word == 0) || rest.iter().all(|&word| word == 0) {
            return;
        }
        // Of the two opposite rows the one without the first example stands for both.
        let (first, bit) = self.shape.place(0);
        let flipped = row[first] & bit != 0;
        let key = if flipped { rest } else { row };
        // Literals are numbered by u32.
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
        // Of equally long ones the first stays.
        if form.is_none_or(|form| length < form.length) {
            *form = Some(LiteralForm { length, program });
        }
    }

    /// The most telling ones of the examples of a mask if there are too many, and all in order of their length.
    pub(super) fn chosen(&self, most: usize, mask: &[u64]) -> Literals {
        let [positives, negatives] = self.shape.counts(mask).map(u64::from);
        // How far apart the shares of positive and negative examples lie, as whole numbers: nothing to round.
        let telling = |&literal: &u32| {
            let [positive, negative] =
                self.shape.counts(&and(self.row(literal), mask)).map(u64::from);
            (positive * negatives).abs_diff(negative * positives)
        };
        let length = |&literal: &u32| self.length(literal, false).min(self.length(literal, true));
        // Literals are numbered by u32.
        #[expect(clippy::cast_possible_truncation)]
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by_key(|literal| {
            (std::cmp::Reverse(telling(literal)), length(literal), *literal)
        });
        order.truncate(most);
        order.sort_by_key(|literal| (length(literal), *literal));
        let mut chosen = Literals::new(self.shape);
        for literal in order {
            chosen.rows.extend(self.row(literal));
            chosen.forms.push(self.forms[literal as usize]);
        }
        chosen
    }
}

#[cfg(test)]
impl Literals {
    /// Literals that are all of length 1, without programs of their own.
    pub(super) fn plain(shape: Shape, rows: Vec<Vec<u64>>) -> Literals {
        let schema = pellucid_program::Schema::new([("x", pellucid_program::Kind::Boolean)]);
        let program = pellucid_program::Programs::new(schema).constant(true);
        let forms = vec![[Some(LiteralForm { length: 1, program }); 2]; rows.len()];
        Literals { shape, rows: rows.concat(), forms, index: FxHashMap::default() }
    }
}

/// The opposite as a person would write it: `max` of `min`, `only` of `some … not`.
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
