//! Selects the rules of the model from a population.
//!
//! A population contains the same knowledge many times. Rules are selected one by one: each time
//! the rule that reduces the loss of the current scores most, with the points that reduce it best.
//! This is a boosting step over existing rules (after SLIPPER by Cohen and Singer). The loss is the
//! pairwise loss of AdaBoost.M2 (Freund and Schapire), which compares the class of each example
//! with every other class. The first rules therefore explain the most, and later rules correct
//! their errors. No rule gets more points than it would get on its own.

use pellucid_matching::Test;

/// The examples on which rules are evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightedRows<'a> {
    /// The class of each example.
    pub(crate) classes: &'a [u32],
    /// The weight of each example, 1 on average; `None` if all are equal.
    pub(crate) weights: Option<&'a [f64]>,
}

impl WeightedRows<'_> {
    /// Returns the weight of a row.
    pub(crate) fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }
}

/// A rule that can be selected.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Its class.
    pub(crate) class: u32,
    /// The slot of the classifier that it comes from.
    pub(crate) slot: usize,
    /// Its condition.
    pub(crate) tests: Vec<Test>,
    /// The examples that it covers, ascending.
    pub(crate) members: Vec<u32>,
}

impl Candidate {
    /// Whether another rule of the same class covers nearly the same examples.
    fn is_redundant_with(&self, other: &Candidate) -> bool {
        self.class == other.class && self.covers_nearly_the_same_as(other)
    }

    /// Whether another rule covers nearly the same examples.
    pub(crate) fn covers_nearly_the_same_as(&self, other: &Candidate) -> bool {
        let (one, two) = (&self.members[..], &other.members[..]);
        let (few, many) = (one.len().min(two.len()), one.len().max(two.len()));
        if (few as f64) < MAX_OVERLAP * many as f64 {
            return false;
        }
        // Both lists are ascending.
        let mut rest = two;
        let is_shared = |row: &&u32| {
            rest = &rest[rest.partition_point(|own| own < *row)..];
            rest.first() == Some(*row)
        };
        let both = one.iter().filter(is_shared).count();
        both as f64 >= MAX_OVERLAP * (one.len() + two.len() - both) as f64
    }
}

/// The selected rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RuleSelection {
    /// The starting score of each class.
    pub(crate) base: Vec<f64>,
    /// The selected candidates in order.
    pub(crate) order: Vec<usize>,
    /// The points of the first rules in smaller selections, the smallest first, and at the end in the whole
    /// one. They are the points that the rules get if no more rules may be selected.
    pub(crate) sizes: Vec<Vec<f64>>,
}

/// The numbers of rules of smaller selections.
pub(crate) const SIZES: [usize; 27] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500,
    1000, 2000,
];

/// The share of the best points that a rule gets in one step. Smaller steps overfit less.
const SHRINKAGE: f64 = 0.5;

/// The number of pseudo-examples of either kind that every rule is assumed to cover.
const PRIOR: f64 = 8.0;

/// The minimum squared z-score of a rule. The best of many hundred rules looks good by chance, so
/// the selection stops when the best rule is hardly better than chance. Chosen on synthetic tables
/// with noise, where it reduced the model from 50 to 20 rules and improved its accuracy.
const MIN_SIGNIFICANCE: f64 = 6.0;

/// Two rules of one class count as redundant if they share this part of the examples that either
/// covers. Only one of them is selected, and it gets the points of both.
const MAX_OVERLAP: f64 = 0.8;

/// Selects up to `most` candidates. Stops early, with the rules selected so far, once `is_late`
/// returns true.
pub(crate) fn select_rules(
    candidates: &[Candidate],
    rows: WeightedRows<'_>,
    count: usize,
    most: usize,
    is_late: &dyn Fn() -> bool,
) -> RuleSelection {
    let mut growing = GrowingSelection::new(candidates, rows, count);
    let row_index = RowIndex::new(candidates, rows.classes.len());
    let mut is_redundant = vec![false; candidates.len()];
    let mut sizes = Vec::new();
    while !is_late() {
        let may_add = growing.selected.len() < most;
        let best =
            growing.best(|rule| !is_redundant[rule] && (growing.votes[rule] > 0.0 || may_add));
        let Some(rule) = best else { break };
        if growing.votes[rule] == 0.0 {
            let overlaps = |&other: &usize| candidates[rule].is_redundant_with(&candidates[other]);
            if growing.selected.iter().any(overlaps) {
                is_redundant[rule] = true;
                continue;
            }
            if SIZES.contains(&growing.selected.len()) {
                sizes.push(growing.finished_points());
            }
        }
        growing.add(rule);
        let GrowingSelection { scoring, gains, .. } = &mut growing;
        row_index.sharing(&candidates[rule].members, |other| {
            gains[other] = scoring.gain(candidates[other].class, &candidates[other].members);
        });
    }
    sizes.push(growing.points());
    RuleSelection { base: growing.scoring.base, order: growing.selected, sizes }
}

/// How often a rule can be selected, each time for more points. The limit applies to each rule, so
/// that the points of a smaller selection do not depend on the number of rules in the whole one.
const MOST_STEPS: u32 = 8;

/// A selection of rules that grows.
#[derive(Clone)]
struct GrowingSelection<'a> {
    candidates: &'a [Candidate],
    scoring: Scoring<'a>,
    /// The points of each candidate, and those that it would get on its own.
    votes: Vec<f64>,
    limits: Vec<f64>,
    gains: Vec<Gain>,
    selected: Vec<usize>,
    /// How often each candidate was selected.
    steps: Vec<u32>,
}

impl<'a> GrowingSelection<'a> {
    fn new(candidates: &'a [Candidate], rows: WeightedRows<'a>, count: usize) -> Self {
        let scoring = Scoring::new(rows, count);
        let gain = |rule: &Candidate| scoring.gain(rule.class, &rule.members);
        let gains: Vec<Gain> = candidates.iter().map(gain).collect();
        GrowingSelection {
            candidates,
            votes: vec![0.0; candidates.len()],
            limits: gains.iter().map(|gain| gain.votes).collect(),
            gains,
            scoring,
            selected: Vec::new(),
            steps: vec![0; candidates.len()],
        }
    }

    /// Returns the best of some candidates, if it is worth its points.
    fn best(&self, may_be: impl Fn(usize) -> bool) -> Option<usize> {
        let gains = &self.gains;
        let best = (0..self.candidates.len())
            .filter(|&rule| self.steps[rule] < MOST_STEPS && self.votes[rule] < self.limits[rule])
            .filter(|&rule| may_be(rule))
            .max_by(|&one, &other| {
                gains[one].gain.total_cmp(&gains[other].gain).then(other.cmp(&one))
            });
        best.filter(|&rule| {
            gains[rule].gain > 1e-3 * self.scoring.initial_weight
                && gains[rule].significance > MIN_SIGNIFICANCE
        })
    }

    /// Adds a rule, or points to a selected one; the gains are not updated.
    fn add(&mut self, rule: usize) {
        let Candidate { class, members, .. } = &self.candidates[rule];
        let more = (SHRINKAGE * self.gains[rule].votes).min(self.limits[rule] - self.votes[rule]);
        self.scoring.add(*class, members, more);
        self.votes[rule] += more;
        self.steps[rule] += 1;
        if !self.selected.contains(&rule) {
            self.selected.push(rule);
        }
    }

    /// Returns the points of the selected rules.
    fn points(&self) -> Vec<f64> {
        self.selected.iter().map(|&rule| self.votes[rule]).collect()
    }

    /// Returns the points that the selected rules get if no more are selected.
    fn finished_points(&self) -> Vec<f64> {
        let mut alone = self.clone();
        while let Some(rule) = alone.best(|rule| alone.votes[rule] > 0.0) {
            alone.add(rule);
            for &other in &alone.selected {
                let Candidate { class, members, .. } = &self.candidates[other];
                alone.gains[other] = alone.scoring.gain(*class, members);
            }
        }
        alone.points()
    }
}

/// An index from examples to the candidates that cover them.
struct RowIndex {
    /// The start of the candidates of each row.
    starts: Vec<usize>,
    covering: Vec<u32>,
    candidates: usize,
}

impl RowIndex {
    fn new(candidates: &[Candidate], rows: usize) -> RowIndex {
        let mut starts = vec![0; rows + 1];
        for &row in candidates.iter().flat_map(|candidate| &candidate.members) {
            starts[row as usize + 1] += 1;
        }
        (0..rows).for_each(|row| starts[row + 1] += starts[row]);
        let mut next = starts.clone();
        let mut covering = vec![0; starts[rows]];
        for (number, candidate) in (0..).zip(candidates) {
            for &row in &candidate.members {
                covering[next[row as usize]] = number;
                next[row as usize] += 1;
            }
        }
        RowIndex { starts, covering, candidates: candidates.len() }
    }

    /// Calls a function for every candidate that covers one of some rows; the gains of all others
    /// are unchanged. If there are many rows, the function is called for all candidates, because
    /// finding the affected ones would take longer.
    fn sharing(&self, rows: &[u32], mut call: impl FnMut(usize)) {
        if 8 * rows.len() > self.starts.len() {
            return (0..self.candidates).for_each(call);
        }
        let mut seen = vec![false; self.candidates];
        for &row in rows {
            let row = row as usize;
            for &number in &self.covering[self.starts[row]..self.starts[row + 1]] {
                if !std::mem::replace(&mut seen[number as usize], true) {
                    call(number as usize);
                }
            }
        }
    }
}

/// The gain of selecting a rule, and its best points.
#[derive(Clone, Copy, Debug)]
struct Gain {
    gain: f64,
    votes: f64,
    /// The squared z-score of the weight of right minus wrong examples.
    significance: f64,
}

/// The current scores of all classes and examples, and the weights of the errors.
#[derive(Clone)]
struct Scoring<'a> {
    rows: WeightedRows<'a>,
    classes: &'a [u32],
    count: usize,
    base: Vec<f64>,
    /// The score by class and example.
    scores: Vec<f64>,
    /// The weight by class and example. For another class it is the loss of the pair with that
    /// class; for the own class it is the sum over all pairs.
    weights: Vec<f64>,
    /// The mean initial weight, by which gains are measured.
    initial_weight: f64,
}

impl<'a> Scoring<'a> {
    fn new(known: WeightedRows<'a>, count: usize) -> Scoring<'a> {
        let classes = known.classes;
        let rows = classes.len();
        let mut examples = vec![0.5; count];
        for (row, &class) in classes.iter().enumerate() {
            examples[class as usize] += known.weight(row);
        }
        // The rarest class starts at 0.
        let fewest = examples.iter().copied().fold(f64::INFINITY, f64::min);
        let base: Vec<f64> = examples.iter().map(|own| 0.5 * libm::log(own / fewest)).collect();
        let scores = base.iter().flat_map(|&base| std::iter::repeat_n(base, rows)).collect();
        let weights = vec![0.0; count * rows];
        let mut scoring =
            Scoring { rows: known, classes, count, base, scores, weights, initial_weight: 1.0 };
        (0..rows).for_each(|row| scoring.update_weights(row));
        scoring.initial_weight = scoring.weights.iter().sum::<f64>() / (count * rows).max(1) as f64;
        scoring
    }

    fn update_weights(&mut self, row: usize) {
        let (rows, own) = (self.classes.len(), self.classes[row] as usize);
        let (scores, weight) = (self.scores[own * rows + row], self.rows.weight(row));
        let mut all = 0.0;
        for class in (0..self.count).filter(|&class| class != own) {
            let place = class * rows + row;
            self.weights[place] = libm::exp(self.scores[place] - scores) * weight;
            all += self.weights[place];
        }
        self.weights[own * rows + row] = all;
    }

    fn gain(&self, class: u32, members: &[u32]) -> Gain {
        let first = class as usize * self.classes.len();
        let (mut right, mut wrong, mut squares) = (0.0, 0.0, 0.0);
        for &row in members {
            let weight = self.weights[first + row as usize];
            squares += weight * weight;
            if self.classes[row as usize] == class {
                right += weight;
            } else {
                wrong += weight;
            }
        }
        // Pseudo-examples of either kind reduce the gain of rules with low coverage.
        let significance = (right - wrong) * (right - wrong) / f64::max(squares, 1e-300);
        let few = PRIOR * self.initial_weight;
        let (right, wrong) = (right + few, wrong + few);
        let gap = right.sqrt() - wrong.sqrt();
        if gap <= 0.0 {
            return Gain { gain: 0.0, votes: 0.0, significance: 0.0 };
        }
        Gain { gain: gap * gap, votes: 0.5 * libm::log(right / wrong), significance }
    }

    fn add(&mut self, class: u32, members: &[u32], votes: f64) {
        let first = class as usize * self.classes.len();
        for &row in members {
            self.scores[first + row as usize] += votes;
            self.update_weights(row as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rule(class: u32, members: &[u32]) -> Candidate {
        Candidate { class, slot: 0, tests: Vec::new(), members: members.to_vec() }
    }

    /// Generates examples of two classes, and rules that cover ranges of them.
    fn ranges() -> impl Strategy<Value = (Vec<u32>, Vec<Candidate>)> {
        let classes = prop::collection::vec(0_u32..2, 30..120);
        let rules = prop::collection::vec((0_u32..2, 0_u32..100, 5_u32..60), 1..40);
        (classes, rules).prop_map(|(mut classes, rules)| {
            // Sorted, so that ranges of one class exist.
            classes.sort_unstable();
            let end = pellucid_bits::as_u32(classes.len());
            let made = rules.into_iter().map(|(class, first, length)| {
                let members: Vec<u32> = (first.min(end)..(first + length).min(end)).collect();
                rule(class, &members)
            });
            (classes, made.collect())
        })
    }

    proptest! {
        #[test]
        fn redundancy_is_the_overlap_of_covered_examples((classes, rules) in ranges()) {
            let covers = |rule: &Candidate, row: u32| rule.members.contains(&row);
            for (one, two) in rules.iter().zip(rules.iter().skip(1)) {
                let rows = || 0..pellucid_bits::as_u32(classes.len());
                let both = rows().filter(|&row| covers(one, row) && covers(two, row)).count();
                let either = rows().filter(|&row| covers(one, row) || covers(two, row)).count();
                let alike = one.class == two.class && both as f64 >= MAX_OVERLAP * either as f64;
                prop_assert_eq!(one.is_redundant_with(two), alike);
                prop_assert_eq!(two.is_redundant_with(one), alike);
            }
        }

        #[test]
        fn no_two_selected_rules_are_redundant((classes, rules) in ranges()) {
            let known = WeightedRows { classes: &classes, weights: None };
            let selected = select_rules(&rules, known, 2, 10, &|| false);
            prop_assert!(selected.order.len() <= 10);
            prop_assert!(selected.sizes.iter().flatten().all(|&points| points > 0.0));
            for (place, &one) in selected.order.iter().enumerate() {
                for &other in &selected.order[..place] {
                    prop_assert!(!rules[one].is_redundant_with(&rules[other]), "{one} and {other}");
                }
            }
        }
    }

    proptest! {
        /// A smaller selection is the one that would be made if no more rules were allowed. (The whole one
        /// also ends if the best rule that could be added is not worth it.)
        #[test]
        fn sizes_are_selections_with_fewer_rules((classes, rules) in ranges()) {
            let known = WeightedRows { classes: &classes, weights: None };
            let whole = select_rules(&rules, known, 2, 10, &|| false);
            for points in &whole.sizes[..whole.sizes.len() - 1] {
                let few = select_rules(&rules, known, 2, points.len(), &|| false);
                prop_assert_eq!(&few.order[..], &whole.order[..points.len()]);
                prop_assert_eq!(few.sizes.last(), Some(points));
            }
        }

        /// Updated gains are the same as gains computed from scratch.
        #[test]
        fn gains_of_rules_without_shared_examples_stay_valid(
            (classes, rules) in ranges(),
            selected in any::<prop::sample::Index>(),
            votes in 0.1..2.0_f64,
        ) {
            let known = WeightedRows { classes: &classes, weights: None };
            let mut scoring = Scoring::new(known, 2);
            let gains = |scoring: &Scoring<'_>| -> Vec<f64> {
                rules.iter().map(|rule| scoring.gain(rule.class, &rule.members).gain).collect()
            };
            let before = gains(&scoring);
            let selected = &rules[selected.index(rules.len())];
            scoring.add(selected.class, &selected.members, votes);
            let mut kept = before;
            RowIndex::new(&rules, classes.len()).sharing(&selected.members, |other| {
                kept[other] = scoring.gain(rules[other].class, &rules[other].members).gain;
            });
            prop_assert_eq!(kept, gains(&scoring));
        }
    }

    #[test]
    fn the_better_of_two_redundant_rules_is_selected() {
        let classes: Vec<u32> = (0..80).map(|row| u32::from(row < 40)).collect();
        let all: Vec<u32> = (0..40).collect();
        let rules = [rule(1, &all[2..]), rule(1, &all), rule(0, &(45..80).collect::<Vec<_>>())];
        let known = WeightedRows { classes: &classes, weights: None };
        let selected = select_rules(&rules, known, 2, 10, &|| false).order;
        assert_eq!(selected, [1, 2]);
    }
}
