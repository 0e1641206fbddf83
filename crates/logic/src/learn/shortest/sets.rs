use pellucid_bits::Block;
use pellucid_program::{ProgramId, Programs};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Sets in the order of the length of their expressions; no two are equal.
#[derive(Clone, Debug)]
pub(super) struct DistinctSets {
    /// The set of all elements.
    all: Vec<u64>,
    rows: Vec<u64>,
    forms: Vec<Form>,
    /// The last set with a hash, and for each set the one before it with the same hash.
    last: FxHashMap<u64, u32>,
    before: Vec<Option<u32>>,
    /// By length: the number of sets with shorter expressions.
    starts: Vec<u32>,
}

/// The expression of a set; operands are sets by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Program(ProgramId),
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
}

impl DistinctSets {
    pub(super) fn new(all: Vec<u64>) -> DistinctSets {
        DistinctSets {
            all,
            rows: Vec::new(),
            forms: Vec::new(),
            last: FxHashMap::default(),
            before: Vec::new(),
            starts: vec![0],
        }
    }

    /// The set of all elements.
    pub(super) fn all(&self) -> &[u64] {
        &self.all
    }

    /// Begins the expressions of the next length.
    pub(super) fn begin(&mut self, length: u32) {
        debug_assert_eq!(self.starts.len(), length as usize, "lengths come in order");
        self.starts.push(self.len());
    }

    fn len(&self) -> u32 {
        pellucid_bits::as_u32(self.forms.len())
    }

    /// The numbers of the sets whose expressions have a length; none if it was not begun.
    pub(super) fn of_length(&self, length: u32) -> Range<u32> {
        let start = |length: u32| self.starts.get(length as usize).copied().unwrap_or(self.len());
        start(length)..start(length + 1)
    }

    /// The number of sets whose expressions have a length.
    pub(super) fn count(&self, length: u32) -> u64 {
        self.of_length(length).len() as u64
    }

    fn row(&self, set: u32) -> &[u64] {
        &self.rows[set as usize * self.all.len()..][..self.all.len()]
    }

    /// Adds a set, unless it is known.
    pub(super) fn insert(&mut self, row: &[u64], form: Form) -> bool {
        let mut hasher = FxHasher::default();
        row.hash(&mut hasher);
        let number = self.len();
        let last = self.last.get(&hasher.finish()).copied();
        let mut known = last;
        while let Some(set) = known {
            if self.row(set) == row {
                return false;
            }
            known = self.before[set as usize];
        }
        self.last.insert(hasher.finish(), number);
        self.before.push(last);
        self.rows.extend_from_slice(row);
        self.forms.push(form);
        true
    }

    /// The number of negations, conjunctions and disjunctions of a length.
    pub(super) fn combination_count(&self, length: u32, negation: bool) -> u64 {
        let negated = if negation { self.count(length - 1) } else { 0 };
        let pairs = |shorter: u32| {
            let longer = length - 1 - shorter;
            match shorter == longer {
                true => self.count(shorter) * self.count(shorter).saturating_sub(1) / 2,
                false => self.count(shorter).saturating_mul(self.count(longer)),
            }
        };
        let pairs = (1..length).take_while(|shorter| 2 * shorter < length).map(pairs);
        pairs.fold(negated, |sum, count| sum.saturating_add(count.saturating_mul(2)))
    }

    /// Returns the negations, conjunctions and disjunctions of a length. All operands are shorter,
    /// so sets can be added meanwhile.
    pub(super) fn combinations(
        &self,
        length: u32,
        negation: bool,
    ) -> impl Iterator<Item = Form> + use<> {
        let negated = if negation { self.of_length(length - 1) } else { 0..0 };
        let shorter = (1..length).take_while(move |shorter| 2 * shorter < length);
        let ranges: Vec<[Range<u32>; 2]> = shorter
            .map(|shorter| [self.of_length(shorter), self.of_length(length - 1 - shorter)])
            .collect();
        let pairs = ranges.into_iter().flat_map(|[left, right]| {
            left.flat_map(move |one| {
                // Two sets of the same length form a single pair.
                let first = if right.contains(&one) { one + 1 } else { right.start };
                (first..right.end)
                    .flat_map(move |other| [Form::And(one, other), Form::Or(one, other)])
            })
        });
        negated.map(Form::Not).chain(pairs)
    }

    /// Writes the elements of a combination.
    pub(super) fn combine(&self, form: Form, row: &mut [u64]) {
        let both = |one: u32, other: u32| self.row(one).iter().zip(self.row(other));
        match form {
            Form::Program(_) => unreachable!("a program is evaluated, not combined"),
            Form::Not(one) => {
                let pairs = self.all.iter().zip(self.row(one));
                row.iter_mut().zip(pairs).for_each(|(word, (all, one))| *word = all & !one);
            }
            Form::And(one, other) => {
                row.iter_mut().zip(both(one, other)).for_each(|(word, (a, b))| *word = a & b);
            }
            Form::Or(one, other) => {
                row.iter_mut().zip(both(one, other)).for_each(|(word, (a, b))| *word = a | b);
            }
        }
    }

    /// Returns the program of a set.
    pub(super) fn program_of(&self, set: u32, programs: &mut Programs) -> ProgramId {
        self.program(self.forms[set as usize], programs)
    }

    /// Returns a form as a program.
    pub(super) fn program(&self, form: Form, programs: &mut Programs) -> ProgramId {
        match form {
            Form::Program(program) => program,
            Form::Not(one) => {
                let one = self.program_of(one, programs);
                programs.not(one)
            }
            Form::And(one, other) => {
                let both = [self.program_of(one, programs), self.program_of(other, programs)];
                programs.and(&both)
            }
            Form::Or(one, other) => {
                let both = [self.program_of(one, programs), self.program_of(other, programs)];
                programs.or(&both)
            }
        }
    }
}

/// The words of the first bits of some blocks.
pub(super) fn words(blocks: &[Block], bits: usize) -> Vec<u64> {
    blocks.iter().flat_map(|block| block.0).take(bits.div_ceil(64)).collect()
}
