use super::sets::{DistinctSets, Form};
use crate::learn::{Cut, LogicError, SearchContext};
use pellucid_program::{Domain, Op, ProgramId, Value};
use pellucid_relate::spec::value_holds;

/// Conditions on the values of a data property, by the values for which they are true.
#[derive(Clone, Debug)]
pub(super) struct ValueConditions {
    property: u32,
    /// The texts; none for numbers.
    texts: Vec<String>,
    pub(super) sets: DistinctSets,
}

impl ValueConditions {
    /// Prepares the conditions on the values of a property.
    pub(super) fn new(context: &SearchContext, property: u32) -> ValueConditions {
        let values = &context.kb().world.properties()[property as usize].values;
        let (texts, count) = match values {
            Domain::Numeric(numbers) => (Vec::new(), numbers.len()),
            Domain::Nominal(texts) => (texts.clone(), texts.len()),
            Domain::Boolean => (["false", "true"].map(str::to_owned).to_vec(), 2),
        };
        ValueConditions { property, texts, sets: DistinctSets::new(set_of(count, |_| true)) }
    }

    /// The number of conditions of a length.
    pub(super) fn candidate_count(&self, context: &SearchContext, length: u32) -> u64 {
        let lists = self.lists(length);
        let single = match length {
            1 => 1 + self.texts.len() as u64,
            2 => 2 * context.cuts(self.property).len() as u64,
            _ => binomial(self.texts.len() as u64, lists as u64),
        };
        let negation = context.options().operators.negation;
        let combined = self.sets.combination_count(length, negation);
        single.saturating_add(combined) * (1 + self.sets.all().len() as u64 / 16)
    }

    /// The number of texts in a list of a length; 0 if the length is not that of a list. Lists of
    /// two texts are disjunctions of the same length.
    fn lists(&self, length: u32) -> usize {
        if length >= 4 { length as usize - 1 } else { 0 }
    }

    /// Adds the conditions of the next length.
    pub(super) fn grow(
        &mut self,
        context: &mut SearchContext,
        length: u32,
    ) -> Result<(), LogicError> {
        let mut programs: Vec<ProgramId> = Vec::new();
        let column = context.kb().world.value_column(self.property as usize);
        if length == 1 {
            programs.push(context.programs_mut().constant(true));
            for text in &self.texts {
                let text = Value::Text(text.clone());
                programs.push(context.programs_mut().compare(column, Op::Equal, &text)?);
            }
        }
        if length == 2 {
            for Cut { at_least, at_most } in context.cuts(self.property).to_vec() {
                let programs_mut = context.programs_mut();
                programs.push(programs_mut.number(column, Op::GreaterEqual, at_least)?);
                programs.push(programs_mut.number(column, Op::LessEqual, at_most)?);
            }
        }
        let size = self.lists(length);
        for list in combinations(self.texts.len(), size) {
            let texts: Vec<Value> =
                list.iter().map(|&at| Value::Text(self.texts[at].clone())).collect();
            programs.push(context.programs_mut().one_of(column, &texts)?);
        }
        self.sets.begin(length);
        let world = context.kb().world.clone();
        let (property, count) = (self.property as usize, world_values(context, self.property));
        for program in programs {
            let holds = |value| value_holds(&world, context.programs(), program, property, value);
            self.sets.insert(&set_of(count, holds), Form::Program(program));
        }
        let mut row = self.sets.all().to_vec();
        for form in self.sets.combinations(length, context.options().operators.negation) {
            self.sets.combine(form, &mut row);
            self.sets.insert(&row, form);
        }
        Ok(())
    }
}

fn world_values(context: &SearchContext, property: u32) -> usize {
    context.kb().world.properties()[property as usize].edges.object_count()
}

/// Returns the set of the numbers for which a function is true.
pub(super) fn set_of(count: usize, contains: impl Fn(usize) -> bool) -> Vec<u64> {
    let mut words = vec![0; count.div_ceil(64)];
    (0..count).filter(|&one| contains(one)).for_each(|one| words[one / 64] |= 1 << (one % 64));
    words
}

/// Returns the sets of `size` of the numbers below `count`, ascending; none for size 0.
pub(super) fn combinations(count: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    let first = (size > 0 && size <= count).then(|| (0..size).collect::<Vec<usize>>());
    std::iter::successors(first, move |list| {
        let mut list = list.clone();
        let at = (0..size).rev().find(|&at| list[at] < count - size + at)?;
        list[at] += 1;
        (at + 1..size).for_each(|later| list[later] = list[later - 1] + 1);
        Some(list)
    })
}

/// The number of sets of `size` of `count` elements; none for size 0.
pub(super) fn binomial(count: u64, size: u64) -> u64 {
    if size == 0 || size > count {
        return 0;
    }
    // Saturated: a number this large is over any limit.
    (0..size).fold(1u64, |product, at| match product.checked_mul(count - at) {
        Some(product) => product / (at + 1),
        None => u64::MAX,
    })
}
