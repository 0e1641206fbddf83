//! Turns flat formulas into plans. Every distinct literal becomes a leaf. Every part, and every AND
//! that is worth it, gets a slot.

use super::numbers::NumberMap;
use super::slots::Slots;
use super::{Form, Formulas, Token};
use crate::plan::pipeline::{FrontEnd, Pipeline, PlanLimits, is_worth_a_slot};
use crate::plan::shape::Shape;
use crate::plan::steps::{Groups, Plan};
use crate::table::Column;
use pellucid_bits::as_u32;

/// Plans flat formulas. It keeps its tables between batches.
#[derive(Debug, Default)]
pub(crate) struct FormulaPlanner {
    /// By literal or part: its slot in the current plan.
    slots: Slots,
    shared: SharedConjunctions,
}

/// Conjunctions that occur in several formulas.
#[derive(Debug, Default)]
struct SharedConjunctions {
    /// By hash: the index of a conjunction.
    index: NumberMap,
    conjunctions: Vec<Conjunction>,
    /// For every group of all roots, in order: its conjunction, or [`NONE`].
    of_groups: Vec<u32>,
}

/// A conjunction of two or more tokens.
#[derive(Clone, Copy, Debug)]
struct Conjunction {
    /// Its range of tokens.
    start: u32,
    end: u32,
    uses: u32,
    /// Its slot in the current plan.
    slot: u32,
}

impl Conjunction {
    fn tokens(self, formulas: &Formulas) -> &[Token] {
        &formulas.tokens[self.start as usize..self.end as usize]
    }

    /// Returns whether it is worth a slot.
    fn is_worth_sharing(self) -> bool {
        is_worth_a_slot(self.uses as usize, (self.end - self.start) as usize)
    }
}

/// Marks a group without a conjunction, or a conjunction without a slot.
const NONE: u32 = u32::MAX;
/// Conjunctions are counted in one of this number of roots first.
const SAMPLE: usize = 4;

impl FormulaPlanner {
    /// Plans roots; root `i` of the plans' output is `roots[i]`. If sharing is on, a conjunction
    /// that occurs in many formulas is computed once.
    pub(crate) fn plan(
        &mut self,
        pipeline: &mut Pipeline,
        columns: &[Column],
        formulas: &Formulas,
        roots: &[u32],
        limits: PlanLimits,
    ) -> Vec<Plan> {
        let share = limits.share && self.shared.count(formulas, roots);
        self.slots.prepare(columns);
        let front = &mut Front { planner: self, columns, formulas, roots, share, next_group: 0 };
        pipeline.plan(front, roots.len(), limits)
    }

    /// Writes a form. If sharing is on, `shared` is the index of its first group.
    #[inline]
    fn form(
        &mut self,
        columns: &[Column],
        formulas: &Formulas,
        plan: &mut Plan,
        form: u32,
        shared: Option<usize>,
    ) -> Groups {
        if formulas.forms[form as usize].has_parts {
            for token in formulas.groups(form).flatten() {
                self.part(columns, formulas, plan, *token);
            }
        }
        if formulas.groups(form).next().is_some_and(<[Token]>::is_empty) {
            // The shortest group comes first. A group without literals is always true: the
            // complement of an empty OR.
            let mut always = plan.begin();
            always.complement = true;
            return always;
        }
        let Some(first) = shared else {
            return self.plain(columns, formulas, plan, form);
        };
        for (number, group) in (first..).zip(formulas.groups(form)) {
            self.share(columns, plan, number, group);
        }
        // Shortest first: the groups that are now one slot, then the others, which are already
        // sorted.
        let mut groups = plan.begin();
        for (number, _) in (first..).zip(formulas.groups(form)) {
            if let Some(slot) = self.shared.slot(number) {
                plan.literal(slot);
                plan.end_group(&mut groups, 1);
            }
        }
        for (number, group) in (first..).zip(formulas.groups(form)) {
            if self.shared.slot(number).is_none() {
                self.group(columns, plan, &mut groups, group);
            }
        }
        groups
    }

    /// Writes a form whose parts have slots, group by group and without sharing. All its literals
    /// are contiguous: one loop over them is much faster than a short loop for each group.
    #[inline]
    fn plain(
        &mut self,
        columns: &[Column],
        formulas: &Formulas,
        plan: &mut Plan,
        form: u32,
    ) -> Groups {
        let mut groups = plan.begin();
        let Form { first_token, first_group, groups: count, .. } = formulas.forms[form as usize];
        let ends = &formulas.ends[first_group as usize..][..count as usize];
        let end = ends.last().copied().unwrap_or(first_token);
        self.slots.write(columns, &formulas.tokens[first_token as usize..end as usize], plan);
        plan.end_groups(&mut groups, first_token, ends);
        groups
    }

    /// Creates the slot of a part if necessary.
    fn part(&mut self, columns: &[Column], formulas: &Formulas, plan: &mut Plan, token: Token) {
        let Some(part) = token.part() else { return };
        if self.slots.of_part(token).is_none() {
            let groups = self.form(columns, formulas, plan, as_u32(part), None);
            let slot = plan.part(groups);
            self.slots.get_or(token, || slot);
        }
    }

    /// Creates the slot of a conjunction that is worth sharing, if necessary.
    fn share(&mut self, columns: &[Column], plan: &mut Plan, number: usize, group: &[Token]) {
        let Some(index) = self.shared.conjunction_to_share(number) else { return };
        if self.shared.conjunctions[index].slot == NONE {
            let mut groups = plan.begin();
            self.group(columns, plan, &mut groups, group);
            self.shared.conjunctions[index].slot = plan.part(groups);
        }
    }

    /// Writes a conjunction whose parts have slots.
    #[inline]
    fn group(&mut self, columns: &[Column], plan: &mut Plan, groups: &mut Groups, group: &[Token]) {
        self.slots.write(columns, group, plan);
        plan.end_group(groups, group.len());
    }
}

/// The front end for flat formulas.
struct Front<'a> {
    planner: &'a mut FormulaPlanner,
    columns: &'a [Column],
    formulas: &'a Formulas,
    roots: &'a [u32],
    share: bool,
    /// The first group of the next root, counted over all roots.
    next_group: usize,
}

impl FrontEnd for Front<'_> {
    #[inline(always)]
    fn write(&mut self, plan: &mut Plan, root: usize) -> (Groups, Option<Shape>) {
        let (form, shared) = (self.roots[root], self.share.then_some(self.next_group));
        let groups = self.planner.form(self.columns, self.formulas, plan, form, shared);
        let form = &self.formulas.forms[form as usize];
        self.next_group += form.groups as usize;
        // SharedConjunctions conjunctions change the shape.
        (groups, (!self.share).then_some(form.shape))
    }

    fn forget_slots(&mut self) {
        self.planner.slots.clear();
        self.planner.shared.forget_slots();
    }
}

impl SharedConjunctions {
    /// Counts the conjunctions of all roots. Returns false if none is worth a slot, or if none is
    /// repeated among the first roots: to look at all takes a quarter of the time of planning.
    fn count(&mut self, formulas: &Formulas, roots: &[u32]) -> bool {
        self.index.clear();
        self.conjunctions.clear();
        self.of_groups.clear();
        let (mut any, mut repeated) = (false, false);
        let (sample, others) =
            roots.split_at(roots.len().div_ceil(SAMPLE).max(64).min(roots.len()));
        self.count_some(formulas, sample, &mut any, &mut repeated);
        if repeated {
            self.count_some(formulas, others, &mut any, &mut repeated);
        }
        any
    }

    /// Counts the conjunctions of some roots. A root that is a single conjunction is not counted:
    /// equal roots are evaluated once, so it rarely is shared.
    fn count_some(
        &mut self,
        formulas: &Formulas,
        roots: &[u32],
        any: &mut bool,
        repeated: &mut bool,
    ) {
        for &root in roots {
            let Form { first_token, first_group, groups, .. } = formulas.forms[root as usize];
            if groups == 1 {
                self.of_groups.push(NONE);
                continue;
            }
            let mut start = first_token;
            let ends = &formulas.ends[first_group as usize..][..groups as usize];
            self.of_groups.reserve(ends.len());
            for &end in ends {
                let found = match end - start {
                    0 | 1 => NONE,
                    _ => self.count_conjunction(formulas, start, end),
                };
                if let Some(conjunction) = self.conjunctions.get(found as usize) {
                    *repeated |= conjunction.uses > 1;
                    *any |= conjunction.is_worth_sharing();
                }
                self.of_groups.push(found);
                start = end;
            }
        }
    }

    /// Counts a conjunction, given by its range of tokens, and returns its index.
    #[inline]
    fn count_conjunction(&mut self, formulas: &Formulas, start: u32, end: u32) -> u32 {
        let tokens = &formulas.tokens[start as usize..end as usize];
        let next = as_u32(self.conjunctions.len());
        let found = self.index.get_or(hash(tokens), || next);
        if found == next {
            self.conjunctions.push(Conjunction { start, end, uses: 1, slot: NONE });
            return found;
        }
        let known = &mut self.conjunctions[found as usize];
        if known.tokens(formulas) != tokens {
            // Hash collision: the second conjunction is not shared.
            return NONE;
        }
        known.uses += 1;
        found
    }

    /// Returns the conjunction of a group if it is worth sharing.
    #[inline]
    fn conjunction_to_share(&self, group: usize) -> Option<usize> {
        let index = self.of_groups[group] as usize;
        self.conjunctions
            .get(index)
            .filter(|conjunction| conjunction.is_worth_sharing())
            .map(|_| index)
    }

    /// Returns the slot of a group, if it has one.
    #[inline]
    fn slot(&self, group: usize) -> Option<u32> {
        let conjunction = self.conjunctions.get(self.of_groups[group] as usize);
        conjunction.map(|conjunction| conjunction.slot).filter(|&slot| slot != NONE)
    }

    fn forget_slots(&mut self) {
        self.conjunctions.iter_mut().for_each(|conjunction| conjunction.slot = NONE);
    }
}

fn hash(group: &[Token]) -> u64 {
    group.iter().fold(0, |hash, token| super::mix(hash, token.0))
}
