//! Evaluates the parts of programs by nesting depth: the filler of a role before the restriction.

use super::Reasoner;
use super::groups::{Asked, Group, GroupKey, Groups, Restriction, Space};
use super::store::Store;
use crate::ReasonError;
use crate::Target;
use crate::combine::CombineOutput;
use crate::cpu::Subjects;
use crate::inquiry::{Inquiry, Question, Residency, RoleEdges};
use crate::needs::Needs;
use crate::recipe::{AtLeast, Recipe};
use crate::set::SetRef;
use crate::values::{Conditions, Values};
use pellucid_bits::{Bits, Block, blocks_for};
use pellucid_device::Work;
use pellucid_program::{Leaf, Node, Op, ProgramId};
use std::sync::Arc;

impl Reasoner {
    /// Computes everything in `needs`. The restrictions in `counted`, which is also the list of
    /// `self.counted`, are only counted; their counts by class are returned one after the other.
    pub(super) fn answer(
        &mut self,
        needs: &Needs,
        counted: &[ProgramId],
    ) -> Result<Vec<u64>, ReasonError> {
        let classes = self.example_masks.examples.classes();
        let mut counts = vec![0; counted.len() * classes];
        let (for_all, examples) = (self.by_depth(&needs.all), self.by_depth(&needs.examples));
        let counted_by_depth = self.by_depth(counted);
        let mut left = [&for_all[..], &examples[..], &counted_by_depth[..]];
        while let Some(depth) =
            left.iter().filter_map(|list| list.first()).map(|id| self.survey.depth(*id)).min()
        {
            let [all, some, only_counted] = left.each_mut().map(|list| {
                let here = list.partition_point(|&id| self.survey.depth(id) == depth);
                let (level, deeper) = list.split_at(here);
                *list = deeper;
                level
            });
            let spaces = [
                (all, Space::All),
                (some, Space::LabeledIndividuals),
                (only_counted, Space::Counts),
            ];
            self.restrictions(&spaces, &mut counts)?;
            self.join(all);
            for &id in some {
                let Node::Leaf(column, leaf) = self.programs.node(id) else { continue };
                if self.example_answers.get(id).is_none() {
                    let bits = match self.all_answers.get(id) {
                        Some(known) => Arc::clone(known),
                        None => self.leaf(column, leaf),
                    };
                    self.example_answers.put(id, self.example_masks.project(&bits));
                }
            }
        }
        Ok(counts)
    }

    /// Sorts programs by the nesting depth of roles.
    fn by_depth(&self, programs: &[ProgramId]) -> Vec<ProgramId> {
        let mut sorted = programs.to_vec();
        sorted.sort_by_key(|&id| self.survey.depth(id));
        sorted
    }

    /// Computes nodes from their operands, for all individuals, in ascending order. Restrictions
    /// are already known.
    fn join(&mut self, nodes: &[ProgramId]) {
        let mut made = Vec::new();
        for &id in nodes {
            match self.programs.node(id) {
                _ if self.all_answers.get(id).is_some() => {}
                Node::Leaf(column, leaf) => {
                    let bits = self.leaf(column, leaf);
                    self.all_answers.put(id, bits);
                }
                _ => made.push(id),
            }
        }
        let len = self.world.len();
        let mut rows = vec![vec![Block::ZERO; blocks_for(len)]; made.len()];
        let wanted = CombineOutput::Bits { rows: rows.iter_mut().map(Vec::as_mut_slice).collect() };
        self.combine(&self.all_answers, blocks_for(len), &made, &made, wanted);
        for (id, row) in made.into_iter().zip(rows) {
            self.all_answers.put(id, Arc::new(Bits::from_blocks(row, len)));
        }
    }

    /// Returns the members of a class, or the individuals with certain names.
    fn leaf(&self, column: u32, leaf: Leaf<'_>) -> Arc<Bits> {
        if column != self.world.individual_column() {
            return Arc::clone(&self.world.classes()[column as usize]);
        }
        let names = self.world.individuals();
        let mut bits = Bits::zeros(self.world.len());
        let mut add = |text| {
            if let Some(found) = names.find(self.programs.category(text)) {
                bits.set(found as usize);
            }
        };
        match leaf {
            Leaf::Category(Op::NotEqual, text) => {
                add(text);
                bits.flip();
            }
            Leaf::Category(_, text) => add(text),
            Leaf::AnyCategory(texts) => texts.iter().for_each(|&text| add(text)),
            Leaf::Contains(part) => {
                let part = self.programs.category(part);
                bits = names.iter().map(|name| name.contains(part)).collect();
            }
            Leaf::Is | Leaf::Number(..) | Leaf::Within(_) | Leaf::AnyNumber(_) => {}
        }
        Arc::new(bits)
    }

    /// Answers restrictions whose fillers are known, grouped by role.
    fn restrictions(
        &mut self,
        spaces: &[(&[ProgramId], Space)],
        counts: &mut [u64],
    ) -> Result<(), ReasonError> {
        let mut groups = Groups::default();
        for &(ids, space) in spaces {
            for &id in ids {
                let Node::Related { quantifier, role, inverse, filler } = self.programs.node(id)
                else {
                    continue;
                };
                if space == Space::LabeledIndividuals
                    && let Some(known) = self.all_answers.get(id)
                {
                    self.example_answers.put(id, self.example_masks.project(&Arc::clone(known)));
                    continue;
                }
                let key = GroupKey { space, role, inverse };
                groups.add(key, (id, Recipe::of(quantifier), filler), ids.len());
            }
        }
        for mut group in groups.in_order() {
            self.last_questions.collect(&mut group);
            let values = self.values_asked(&group);
            match group.key.space {
                Space::All => self.keep(&group, &values, true)?,
                Space::LabeledIndividuals => self.keep(&group, &values, false)?,
                Space::Counts => self.count(&group, &values, counts)?,
            }
        }
        Ok(())
    }

    /// Answers questions about all individuals or the examples, and stores the answers of the
    /// restrictions.
    fn keep(&mut self, group: &Group, values: &[Values], for_all: bool) -> Result<(), ReasonError> {
        let GroupKey { role, inverse, .. } = group.key;
        let len = if for_all { self.world.len() } else { self.example_masks.len() };
        let subjects =
            if for_all { Subjects::Range(0, len) } else { self.example_masks.subjects() };
        let questions = questions(&self.all_answers, group, values);
        let inquiry = Inquiry { role, inverse, questions: &questions, subjects };
        let stride = blocks_for(len);
        let mut bits = vec![Block::ZERO; questions.len() * stride];
        self.executor.run(Work {
            items: questions.len(),
            width: stride,
            unit: unit(RoleEdges::of(&self.world, role, inverse), subjects),
            out: &mut bits,
            work: |resident: &mut (dyn Residency + 'static), part, out: &mut [Block]| {
                resident.bits(&inquiry.part(part), out)
            },
        })?;
        let answer = |question: usize| &bits[question * stride..(question + 1) * stride];
        for &Restriction { id, recipe, first, second, .. } in &group.restrictions {
            let found = match recipe {
                Recipe::Always => Bits::ones_of(len),
                Recipe::One(_, negated) => {
                    let flip = if negated { u64::MAX } else { 0 };
                    let flipped = |block: &Block| Block(block.0.map(|word| word ^ flip));
                    Bits::from_blocks(answer(first).iter().map(flipped).collect(), len)
                }
                Recipe::Between(..) => {
                    let pairs = answer(first).iter().zip(answer(second));
                    let but = |(least, more): (&Block, &Block)| {
                        Block(std::array::from_fn(|word| least.0[word] & !more.0[word]))
                    };
                    Bits::from_blocks(pairs.map(but).collect(), len)
                }
            };
            let found = Arc::new(found);
            if for_all {
                self.all_answers.put(id, found);
            } else {
                self.example_answers.put(id, found);
            }
        }
        Ok(())
    }

    /// Answers questions about the examples, and only counts.
    fn count(
        &mut self,
        group: &Group,
        values: &[Values],
        counts: &mut [u64],
    ) -> Result<(), ReasonError> {
        let GroupKey { role, inverse, .. } = group.key;
        let classes = self.example_masks.examples.classes();
        let subjects = self.example_masks.subjects();
        let questions = questions(&self.all_answers, group, values);
        let inquiry = Inquiry { role, inverse, questions: &questions, subjects };
        let masks = self.example_masks.classes();
        let mut found = vec![0; questions.len() * classes];
        self.executor.run(Work {
            items: questions.len(),
            width: classes,
            unit: unit(RoleEdges::of(&self.world, role, inverse), subjects),
            out: &mut found,
            work: |resident: &mut (dyn Residency + 'static), part, out: &mut [u64]| {
                resident.counts(&inquiry.part(part), masks, out)
            },
        })?;
        let totals = self.example_masks.totals();
        for &Restriction { id, recipe, first, second, .. } in &group.restrictions {
            let Some(place) = self.counted.of(id) else { continue };
            let counts = &mut counts[place * classes..(place + 1) * classes];
            for (class, count) in counts.iter_mut().enumerate() {
                let answer = |question: usize| found[question * classes + class];
                *count = match recipe {
                    Recipe::Always => totals[class],
                    Recipe::One(_, false) => answer(first),
                    Recipe::One(_, true) => totals[class] - answer(first),
                    // Every subject that reaches the larger number reaches the smaller one too.
                    Recipe::Between(..) => answer(first) - answer(second),
                };
            }
        }
        Ok(())
    }

    /// Returns the values that satisfy the fillers of a group along a data property, or enough of
    /// them to decide the questions. For other groups the list is empty.
    fn values_asked(&mut self, group: &Group) -> Vec<Values> {
        let role = group.key.role;
        let Target::Values(property) = self.world.target(role) else { return Vec::new() };
        let Reasoner { world, programs, values, level, threads, .. } = self;
        let (level, world) = (*level, &**world);
        let conditions = Conditions { world, programs, property, level, threads };
        let of = |asked: &Asked| {
            let condition = (role, asked.filler);
            match values.get(condition) {
                Some(known) => known.clone(),
                None => conditions
                    .witnesses(asked.filler, asked.at_least)
                    .unwrap_or_else(|| values.put(condition, conditions.values(asked.filler))),
            }
        };
        group.asked.iter().map(of).collect()
    }
}

/// Returns the questions of a group about known answers, or about values.
fn questions<'a>(known: &'a Store, group: &Group, values: &'a [Values]) -> Vec<Question<'a>> {
    let question = |(place, asked): (usize, &Asked)| {
        let AtLeast { number: at_least, outside } = asked.at_least;
        match values.get(place) {
            Some(values) => {
                Question { set: values.set.by_ref(), outside: outside != values.outside, at_least }
            }
            None => Question { set: SetRef::Bits(known.answered(asked.filler)), outside, at_least },
        }
    };
    group.asked.iter().enumerate().map(question).collect()
}

/// Estimates the work of a question: edges to follow and answers to write.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn unit(role_edges: RoleEdges<'_>, subjects: Subjects<'_>) -> f64 {
    let edges = match subjects {
        Subjects::Range(..) => role_edges.edges.len(),
        Subjects::List(list) => {
            list.iter().map(|&subject| role_edges.edges.of(subject).len()).sum()
        }
    };
    1.0 + edges as f64 + subjects.len() as f64 / 8.0
}
