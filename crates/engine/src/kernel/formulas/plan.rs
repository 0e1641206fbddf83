//! Flat formulas as plans: every distinct literal becomes a leaf, every part and every AND that pays a slot.

use super::{Formulas, Literal, Token};
use crate::kernel::plan::{Groups, Plan};
use crate::table::Column;
use hashbrown::{HashMap, HashTable};
use rustc_hash::{FxBuildHasher, FxHasher};
use std::hash::{Hash, Hasher};

/// Makes plans; keeps its tables between batches.
#[derive(Debug, Default)]
pub(crate) struct FormulaPlanner {
    /// By literal or part: its slot in the plan at hand.
    slots: HashMap<u64, u32, FxBuildHasher>,
    shared: Shared,
}

/// Conjunctions that several formulas have.
#[derive(Debug, Default)]
struct Shared {
    groups: HashTable<Conjunction>,
}

/// A conjunction of two or more tokens.
#[derive(Clone, Copy, Debug)]
struct Conjunction {
    /// Where it stands among the tokens.
    start: u32,
    end: u32,
    uses: u32,
    /// Its slot in the plan at hand.
    slot: u32,
}

impl Conjunction {
    fn tokens(self, formulas: &Formulas) -> &[Token] {
        &formulas.tokens[self.start as usize..self.end as usize]
    }
}

impl FormulaPlanner {
    /// Plans some roots; root `i` of the plans' output is `roots[i]`. A plan that has reached `most` slots is closed.
    /// With `share` a conjunction that many formulas have is computed once, which pays where there are many rows.
    pub(crate) fn plan(
        &mut self,
        columns: &[Column],
        formulas: &Formulas,
        roots: &[u32],
        most: usize,
        share: bool,
    ) -> Vec<Plan> {
        self.shared.groups.clear();
        if share {
            self.shared.count(formulas, roots);
        }
        let mut plans = Vec::new();
        let mut plan = Plan::default();
        self.slots.clear();
        for (index, &root) in (0u32..).zip(roots) {
            if plan.slots() >= most {
                plan.close();
                plans.push(std::mem::take(&mut plan));
                self.slots.clear();
                self.shared.groups.iter_mut().for_each(|group| group.slot = NONE);
            }
            let groups = self.form(columns, formulas, &mut plan, root);
            plan.roots.push((index, groups));
        }
        plan.close();
        plans.push(plan);
        plans
    }

    fn form(
        &mut self,
        columns: &[Column],
        formulas: &Formulas,
        plan: &mut Plan,
        form: u32,
    ) -> Groups {
        if formulas.forms[form as usize].has_parts {
            for token in formulas.groups(form).flatten() {
                self.part(columns, formulas, plan, *token);
            }
        }
        if !self.shared.groups.is_empty() {
            for group in formulas.groups(form).filter(|group| group.len() > 1) {
                self.share(columns, formulas, plan, group);
            }
        }
        let mut groups = plan.begin();
        if formulas.groups(form).next().is_some_and(<[Token]>::is_empty) {
            // The shortest group comes first, and one without literals is always true: not (nothing).
            groups.complement = true;
            return groups;
        }
        // The shortest first: those that are one slot by now, then the others, which are in order.
        if !self.shared.groups.is_empty() {
            for slot in formulas.groups(form).filter_map(|group| self.shared.slot(formulas, group)) {
                plan.literal(slot);
                plan.end_group(&mut groups, 1);
            }
        }
        for group in formulas.groups(form) {
            if self.shared.slot(formulas, group).is_none() {
                self.group(columns, plan, &mut groups, group);
            }
        }
        groups
    }

    /// Sees to it that a part has a slot.
    fn part(&mut self, columns: &[Column], formulas: &Formulas, plan: &mut Plan, token: Token) {
        let Some(part) = token.part() else { return };
        if !self.slots.contains_key(&token.0) {
            let groups = self.form(columns, formulas, plan, super::small(part));
            let slot = plan.part(groups);
            self.slots.insert(token.0, slot);
        }
    }

    /// Sees to it that a conjunction which pays has a slot.
    fn share(&mut self, columns: &[Column], formulas: &Formulas, plan: &mut Plan, group: &[Token]) {
        // Against reading its literals each time: computing it once, storing it, and reading one slot each time.
        let pays = |found: &&Conjunction| (found.uses as usize - 1) * (group.len() - 1) > 2;
        if self.shared.find(formulas, group).filter(pays).is_none_or(|found| found.slot != NONE) {
            return;
        }
        let mut groups = plan.begin();
        self.group(columns, plan, &mut groups, group);
        let slot = plan.part(groups);
        if let Some(found) = self.shared.find_mut(formulas, group) {
            found.slot = slot;
        }
    }

    /// Writes a conjunction whose parts have slots.
    #[inline]
    fn group(&mut self, columns: &[Column], plan: &mut Plan, groups: &mut Groups, group: &[Token]) {
        for token in group {
            let known = self.slots.get(&token.0).copied();
            let slot = known.unwrap_or_else(|| {
                let slot = plan.leaf(Literal::of_number(token.0).job(columns));
                self.slots.insert(token.0, slot);
                slot
            });
            plan.literal(slot);
        }
        plan.end_group(groups, group.len());
    }
}

/// No slot yet.
const NONE: u32 = u32::MAX;

impl Shared {
    fn count(&mut self, formulas: &Formulas, roots: &[u32]) {
        for &root in roots {
            let form = formulas.forms[root as usize];
            let ends = form.first_group as usize..(form.first_group + form.groups) as usize;
            let mut start = form.first_token;
            for &end in &formulas.ends[ends] {
                let group = Conjunction { start, end, uses: 1, slot: NONE };
                let tokens = group.tokens(formulas);
                match self.find_mut(formulas, tokens) {
                    Some(found) => found.uses += 1,
                    None if tokens.len() < 2 => {}
                    None => {
                        let rehash = |other: &Conjunction| hash(other.tokens(formulas));
                        self.groups.insert_unique(hash(tokens), group, rehash);
                    }
                }
                start = end;
            }
        }
    }

    fn find(&self, formulas: &Formulas, group: &[Token]) -> Option<&Conjunction> {
        self.groups.find(hash(group), |found| found.tokens(formulas) == group)
    }

    fn find_mut(&mut self, formulas: &Formulas, group: &[Token]) -> Option<&mut Conjunction> {
        self.groups.find_mut(hash(group), |found| found.tokens(formulas) == group)
    }

    fn slot(&self, formulas: &Formulas, group: &[Token]) -> Option<u32> {
        if self.groups.is_empty() {
            return None;
        }
        self.find(formulas, group).map(|found| found.slot).filter(|&slot| slot != NONE)
    }
}

fn hash(group: &[Token]) -> u64 {
    let mut state = FxHasher::default();
    group.iter().for_each(|token| token.hash(&mut state));
    state.finish()
}
