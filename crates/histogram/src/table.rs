//! Tables of steps, conjunctions of conditions on them, and sums.

/// The group of an example that takes no part in a search.
pub const NO_GROUP: u32 = u32::MAX;

/// A column as steps.
#[derive(Clone, Copy, Debug)]
pub struct StepColumn<'a> {
    /// The step of each example. Steps from `count` on are missing values.
    pub steps: &'a [u8],
    /// The number of steps, at most 255.
    pub count: usize,
}

/// The examples of a table as steps.
#[derive(Clone, Debug)]
pub struct StepTable<'a> {
    /// The columns, all with the same number of examples.
    pub columns: Vec<StepColumn<'a>>,
    /// A pseudo-random number of each example. Their sum identifies a set of examples.
    pub digests: &'a [u64],
    /// The examples of the sample, in ascending order.
    pub sample: &'a [u32],
}

/// A condition: the steps of a column that satisfy it, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepTest {
    /// The index of the column.
    pub column: u32,
    /// Bit `step % 32` of word `step / 32` is set if the step satisfies the condition.
    pub steps: [u32; 8],
}

/// Conditions that must all hold; none for all examples.
pub type Conjunction = Vec<StepTest>;

/// The gradient and the curvature of each example of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The gradient.
    pub gradient: i32,
    /// The curvature.
    pub curvature: i32,
}

/// Sums over examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepSums {
    /// The sum of the gradients.
    pub gradient: i64,
    /// The sum of the curvatures.
    pub curvature: i64,
    /// The number of examples outside and inside the class.
    pub counts: [u32; 2],
}

/// Sums over all examples of a conjunction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// The sums.
    pub sums: StepSums,
    /// The sum of the digests, which wraps around.
    pub digest: u64,
}

impl StepTable<'_> {
    /// Returns the number of examples.
    #[must_use]
    pub fn examples(&self) -> usize {
        self.digests.len()
    }
}

impl StepTest {
    /// Returns the condition that a step satisfies if `holds` returns true for it.
    #[must_use]
    pub fn new(column: u32, holds: impl Fn(u8) -> bool) -> StepTest {
        let mut steps = [0; 8];
        for step in (0..=u8::MAX).filter(|&step| holds(step)) {
            steps[usize::from(step / 32)] |= 1 << (step % 32);
        }
        StepTest { column, steps }
    }

    /// Returns whether a step satisfies the condition.
    #[must_use]
    pub fn holds(&self, step: u8) -> bool {
        self.steps[usize::from(step / 32)] >> (step % 32) & 1 == 1
    }
}

impl StepSums {
    /// Adds an example.
    pub(crate) fn add(&mut self, group: u32, part: Group) {
        self.gradient += i64::from(part.gradient);
        self.curvature += i64::from(part.curvature);
        self.counts[(group % 2) as usize] += 1;
    }
}
