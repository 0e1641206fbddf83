//! Learning problems without a list of negative examples.

use super::problem::ResolvedProblem;
use super::{KbError, KnowledgeBase};
use pellucid_bits::Bits;
use pellucid_data::{Message, Problem, message};
use pellucid_learn::rng::{Label, Streams};

/// The number of negative examples for each positive one, and the number that is always allowed.
const PER_POSITIVE: usize = 10;
const ALWAYS: usize = 1000;

/// Where the examples come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExampleSource {
    /// Positive and negative individuals.
    Listed(Problem),
    /// Positive individuals only. The others of the same kind are the negative examples: those in
    /// the largest class without superclasses that contains all positive ones, or else all
    /// individuals.
    PositiveOnly(Problem),
    /// The instances of a named class are positive. The other instances of its smallest superclass
    /// are negative, or those of the same kind if it has none. Expressions do not use the class, its
    /// equivalents and its subclasses.
    Class(String),
}

impl KnowledgeBase {
    /// Returns the examples of a source. If there are more than ten negative ones for each positive
    /// one, and more than a thousand, the seed selects some.
    ///
    /// # Errors
    /// As [`KnowledgeBase::resolve`]; or if the class is unknown, or covers no individual or all.
    pub fn examples(&self, source: &ExampleSource, seed: u64) -> Result<ResolvedProblem, KbError> {
        match source {
            ExampleSource::Listed(problem) => self.resolve(problem),
            ExampleSource::PositiveOnly(problem) => {
                let (positive, mut notes) = self.resolve_positive(problem)?;
                let (negative, note) = self.others(&positive, None, seed)?;
                notes.push(note);
                Ok(ResolvedProblem { positive, negative, notes, excluded: Vec::new() })
            }
            ExampleSource::Class(name) => {
                let class = self.find_class(name).ok_or_else(|| KbError::UnknownClass {
                    name: name.clone(),
                    ontology: self.name.clone(),
                    suggestion: self
                        .suggest_class(name)
                        .map_or_else(String::new, |near| format!("; did you mean '{near}'?")),
                })?;
                let positive: Vec<u32> = ones(&self.world.classes()[class as usize]);
                if positive.is_empty() {
                    let problem = format!("the class '{}'", self.show_class(class));
                    return Err(KbError::Missing { problem, sort: "positive" });
                }
                let (negative, note) = self.others(&positive, Some(class), seed)?;
                let excluded = self.class_and_below(class);
                Ok(ResolvedProblem { positive, negative, notes: vec![note], excluded })
            }
        }
    }

    /// Returns the negative examples for positive ones, with a note about the rule.
    fn others(
        &self,
        positive: &[u32],
        class: Option<u32>,
        seed: u64,
    ) -> Result<(Vec<u32>, Message), KbError> {
        let (kind, name) = self.kind(positive, class);
        let mut negative: Vec<u32> = match kind {
            Some(kind) => ones(&self.world.classes()[kind as usize]),
            None => (0u32..).take(self.world.len()).collect(),
        };
        let mut is_positive = vec![false; self.world.len()];
        positive.iter().for_each(|&number| is_positive[number as usize] = true);
        negative.retain(|&number| !is_positive[number as usize]);
        if negative.is_empty() {
            let problem = "the problem".to_owned();
            return Err(KbError::Missing { problem, sort: "negative" });
        }
        let all = negative.len();
        let most = (positive.len() * PER_POSITIVE).max(ALWAYS);
        if all <= most {
            let note = match all {
                1 => message!("the other individual {name} is the negative example"),
                _ => message!("the {all} other individuals {name} are the negative examples"),
            };
            return Ok((negative, note));
        }
        let mut stream = Streams::new(seed).stream(&[Label::Word("negative examples")]);
        for at in 0..most {
            let other = at + stream.index(all - at);
            negative.swap(at, other);
        }
        negative.truncate(most);
        negative.sort_unstable();
        let note = message!(
            "{most} of the {all} other individuals {name}, selected at random, are the negative examples"
        );
        Ok((negative, note))
    }

    /// Returns the class whose other instances are negative examples, and how notes name it; `None`
    /// for all individuals.
    fn kind(&self, positive: &[u32], class: Option<u32>) -> (Option<u32>, String) {
        let count = |class: &u32| self.world.classes()[*class as usize].count();
        let more = |class: &u32| count(class) > positive.len() as u64;
        let has_all = |class: &u32| {
            let members = &self.world.classes()[*class as usize];
            positive.iter().all(|&number| members.get(number as usize))
        };
        let above = class.map(|class| self.classes.ancestors(class)).unwrap_or_default();
        let superclass = above.into_iter().filter(more).min_by_key(count);
        let root = || self.classes.roots().filter(|class| more(class) && has_all(class));
        match superclass.or_else(|| root().max_by_key(count)) {
            Some(kind) => (Some(kind), format!("in '{}'", self.show_class(kind))),
            None => (None, "of the ontology".to_owned()),
        }
    }

    /// Returns a class, its equivalents and its subclasses, ascending.
    fn class_and_below(&self, class: u32) -> Vec<u32> {
        let mut found = self.classes.descendants(class);
        let place = |class: u32| {
            let at = class as usize;
            (&self.classes.parents[at], &self.classes.children[at])
        };
        let members = |class: u32| &self.world.classes()[class as usize];
        // Equivalent classes have the same place in the hierarchy and the same instances.
        let is_equal =
            |other: &u32| place(*other) == place(class) && members(*other) == members(class);
        found.extend((0u32..).take(self.world.classes().len()).filter(is_equal));
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn ones(members: &Bits) -> Vec<u32> {
    members.ones().filter_map(|number| u32::try_from(number).ok()).collect()
}
