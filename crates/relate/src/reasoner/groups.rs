//! Restrictions grouped by role, and their questions without duplicates.

use crate::recipe::{AtLeast, Recipe};
use pellucid_program::ProgramId;
use rustc_hash::FxHashMap;

/// The individuals for which a restriction is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Space {
    All,
    LabeledIndividuals,
    /// The examples, of which only the counts are needed.
    Counts,
}

/// What the restrictions of a group have in common. Groups are answered in ascending order: all
/// individuals first, because their answers include those of the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct GroupKey {
    pub(super) space: Space,
    pub(super) role: u32,
    pub(super) inverse: bool,
}

/// The restrictions along one role.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) key: GroupKey,
    pub(super) restrictions: Vec<Restriction>,
    /// The questions, without duplicates.
    pub(super) asked: Vec<Asked>,
}

/// A restriction, and the places of its questions in its group.
#[derive(Debug)]
pub(super) struct Restriction {
    pub(super) id: ProgramId,
    pub(super) filler: ProgramId,
    pub(super) recipe: Recipe,
    pub(super) first: usize,
    pub(super) second: usize,
}

/// A question: how many objects must satisfy a filler.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) filler: ProgramId,
    pub(super) at_least: AtLeast,
    /// The place of another question about this filler, plus 1, or 0 if there is none.
    before: u32,
}

/// Groups in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: Vec<Group>,
    index: FxHashMap<GroupKey, usize>,
    /// The group of the last restriction.
    last: usize,
}

impl Groups {
    /// Adds a restriction to its group. A new group gets memory for `expected` restrictions.
    pub(super) fn add(
        &mut self,
        key: GroupKey,
        (id, recipe, filler): (ProgramId, Recipe, ProgramId),
        expected: usize,
    ) {
        let Groups { groups, index, last } = self;
        // Restrictions along one role usually follow each other.
        if groups.get(*last).is_none_or(|group| group.key != key) {
            *last = *index.entry(key).or_insert_with(|| {
                let (restrictions, asked) =
                    (Vec::with_capacity(expected), Vec::with_capacity(expected));
                groups.push(Group { key, restrictions, asked });
                groups.len() - 1
            });
        }
        let restriction = Restriction { id, filler, recipe, first: 0, second: 0 };
        groups[*last].restrictions.push(restriction);
    }

    /// Returns the groups in the order in which they are answered.
    pub(super) fn in_order(self) -> Vec<Group> {
        let mut groups = self.groups;
        groups.sort_by_key(|group| group.key);
        groups
    }
}

/// The last question about each filler, while the questions of a group are collected. A lookup is
/// one read.
#[derive(Debug, Default)]
pub(super) struct LastQuestions {
    /// By filler: the place of the last question about it, plus 1, or 0 if there is none.
    by_filler: Vec<u32>,
}

impl LastQuestions {
    /// Collects the questions of a group.
    pub(super) fn collect(&mut self, group: &mut Group) {
        let Group { restrictions, asked, .. } = group;
        for restriction in restrictions {
            let filler = restriction.filler;
            let mut ask = |at_least| self.place(asked, filler, at_least);
            (restriction.first, restriction.second) = match restriction.recipe {
                Recipe::Always => (0, 0),
                Recipe::One(at_least, _) => (ask(at_least), 0),
                Recipe::Between(least, more) => (ask(least), ask(more)),
            };
        }
        asked.iter().for_each(|asked| self.by_filler[asked.filler.index()] = 0);
    }

    /// Returns the place of a question, which is added if it is new.
    fn place(&mut self, asked: &mut Vec<Asked>, filler: ProgramId, at_least: AtLeast) -> usize {
        if self.by_filler.len() <= filler.index() {
            self.by_filler.resize(filler.index() + 1, 0);
        }
        let last = &mut self.by_filler[filler.index()];
        let mut place = *last as usize;
        while let Some(known) = place.checked_sub(1) {
            if asked[known].at_least == at_least {
                return known;
            }
            place = asked[known].before as usize;
        }
        asked.push(Asked { filler, at_least, before: *last });
        *last = pellucid_bits::as_u32(asked.len());
        asked.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_program::{Kind, Programs, Quantifier, Schema};
    use proptest::prelude::*;

    proptest! {
        /// The places are those in a list without duplicates.
        #[test]
        fn a_question_is_asked_once(
            restrictions in prop::collection::vec((0_usize..5, 0_u32..4, 0_usize..3), 0..60),
        ) {
            let column = |number: usize| (format!("c{number}"), Kind::Boolean);
            let mut programs = Programs::new(Schema::new((0..5).map(column)));
            let fillers: Vec<ProgramId> =
                (0..5).map(|column| programs.is(column).expect("a column")).collect();
            let mut last = LastQuestions::default();
            for _ in 0..2 {
                let mut groups = Groups::default();
                for &(filler, number, kind) in &restrictions {
                    let quantifier = match kind {
                        0 => Quantifier::Min(number),
                        1 => Quantifier::Only,
                        _ => Quantifier::Exactly(number),
                    };
                    let key = GroupKey { space: Space::All, role: 0, inverse: false };
                    let filler = fillers[filler];
                    groups.add(key, (filler, Recipe::of(quantifier), filler), 1);
                }
                let mut expected: Vec<(ProgramId, AtLeast)> = Vec::new();
                for mut group in groups.in_order() {
                    last.collect(&mut group);
                    for restriction in &group.restrictions {
                        let asked = match restriction.recipe {
                            Recipe::Always => vec![],
                            Recipe::One(only, _) => vec![(only, restriction.first)],
                            Recipe::Between(least, more) => {
                                vec![(least, restriction.first), (more, restriction.second)]
                            }
                        };
                        for (at_least, place) in asked {
                            let question = (restriction.filler, at_least);
                            let known = expected.iter().position(|known| *known == question);
                            prop_assert_eq!(place, known.unwrap_or(expected.len()));
                            if known.is_none() {
                                expected.push(question);
                            }
                        }
                    }
                    let asked: Vec<_> =
                        group.asked.iter().map(|asked| (asked.filler, asked.at_least)).collect();
                    prop_assert_eq!(&asked, &expected);
                }
            }
        }
    }
}
