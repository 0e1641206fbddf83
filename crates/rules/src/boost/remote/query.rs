//! What is asked of those who have the examples.
//!
//! A question says all that is needed to answer it: who was started again since the last one, and has forgotten everything, goes
//! through the path from its beginning and answers as before.

use crate::boost::search::Cuts;
use crate::boost::test::Test;
use serde::{Deserialize, Serialize};

/// The fold of an example that is never held out.
pub(super) const NO_FOLD: u8 = u8::MAX;

/// A question. Answers are words; those that are sums add up over all who answer, the others are put one behind the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Query {
    /// The class of each example, packed.
    Labels,
    /// By feature how many distinct numbers there are, and each with how often it is met; there are so many examples in all.
    Values(usize),
    /// Sums by conjunction, feature that is wanted, and step, and last of what is not known; over all examples, or a sample of them.
    Look { path: Path, shares: Vec<f64>, beam: Vec<(Vec<Test>, Vec<bool>)>, sampled: bool },
    /// Sums by conjunction of digests of examples, then of what they add.
    Extension { path: Path, shares: Vec<f64>, beam: Vec<Vec<Test>> },
    /// By pattern of which examples meet a further rule: its number, the first of these examples, and how many of those that are
    /// learned from are outside and inside of the class.
    Take { path: Path, tests: Vec<Test> },
    /// The pattern of each example of the path's fold that is judged, packed.
    Said(Path),
}

/// How far a path is: what its examples know of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::boost) struct Path {
    pub(super) way: Cuts,
    /// The fold that is held out.
    pub(super) fold: u8,
    /// The class that is told from the rest.
    pub(super) class: u32,
    pub(super) taken: Vec<Step>,
}

impl Path {
    /// One without a rule, for a class, and with the examples of a fold held out.
    pub(in crate::boost) fn new(way: Cuts, fold: Option<usize>, class: u32) -> Path {
        let fold = fold.and_then(|fold| u8::try_from(fold).ok()).unwrap_or(NO_FOLD);
        Path { way, fold, class, taken: Vec::new() }
    }
}

/// A rule of a path, and the patterns of examples that do not meet it with those of the same that do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) tests: Vec<Test>,
    pub(super) moved: Vec<(u32, u32)>,
}

/// What all who answer know from the beginning.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    /// By answerer its first example among all.
    pub(super) starts: Vec<usize>,
    /// How many examples there are in all.
    pub(super) examples: usize,
    /// The first example of all is judged, and from there on each that is so much further on.
    pub(super) judged: usize,
    /// By repetition and by example its fold, counted through all repetitions.
    pub(super) folds: Vec<Vec<u8>>,
    /// The features that tell examples apart: the place of each among all, and its cuts, or how many categories it has.
    pub(super) features: Vec<(usize, Steps)>,
}

/// How a feature goes into steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Steps {
    Cuts(Vec<f64>),
    Categories(usize),
}
