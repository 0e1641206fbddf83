//! From a population to the few rules that say most of what it knows.
//!
//! A population holds the same knowledge many times over. Rules are taken out of it one by one, each time the one that most
//! lowers the loss of the vote so far, with as many votes as lower it best: a step of boosting over rules that are there
//! already (after Cohen and Singer's SLIPPER). The loss is that of pairs (Freund and Schapire's AdaBoost.M2): every example
//! holds its own class against each of the others, and what counts is by how much it is ahead. So the first rules explain the
//! most, and what comes later mends what they get wrong. No rule gets more votes than it would earn alone.

use pellucid_matching::Test;

/// Examples by which rules are judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    /// The class of each.
    pub(crate) classes: &'a [u32],
    /// How much each weighs, one on average, where they do not all weigh the same.
    pub(crate) weights: Option<&'a [f64]>,
}

impl Rows<'_> {
    /// How much a row weighs.
    pub(crate) fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }
}

/// A rule that may be taken.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Its class.
    pub(crate) class: u32,
    /// The rule of the population that it comes from.
    pub(crate) slot: usize,
    /// Its condition.
    pub(crate) tests: Vec<Test>,
    /// The examples it covers.
    pub(crate) members: Vec<u32>,
}

impl Candidate {
    /// Whether another says nearly the same.
    fn is_alike(&self, other: &Candidate) -> bool {
        let (one, two) = (&self.members[..], &other.members[..]);
        let (few, many) = (one.len().min(two.len()), one.len().max(two.len()));
        if self.class != other.class || (few as f64) < ALIKE * many as f64 {
            return false;
        }
        // Both ascend.
        let mut rest = two;
        let is_shared = |row: &&u32| {
            rest = &rest[rest.partition_point(|own| own < *row)..];
            rest.first() == Some(*row)
        };
        let both = one.iter().filter(is_shared).count();
        both as f64 >= ALIKE * (one.len() + two.len() - both) as f64
    }
}

/// What was taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Compact {
    /// What each class has before any rule speaks.
    pub(crate) base: Vec<f64>,
    /// The candidates taken, in that order, and their votes.
    pub(crate) taken: Vec<(usize, f64)>,
    /// The share of examples that the first rules get right, from none of them on.
    pub(crate) accuracy: Vec<f64>,
}

/// How much of the best vote a rule gets at a time. Taken in smaller portions, votes overfit less.
const PORTION: f64 = 0.5;

/// So many examples of either kind every rule is taken to have covered besides.
const PRIOR: f64 = 8.0;

/// How far right and wrong must be apart, as the square of what chance would make of the same examples. The best of many hundred
/// rules looks good by chance alone, so what is barely better than chance ends the list. Chosen on made-up tables with noise: there,
/// 50 rules were taken without it, 20 with it, and those are right more often.
const SURE: f64 = 6.0;

/// The share of the examples that either of two rules of one class covers, from which they say the same if both cover them. Of
/// such rules one is taken, and gets what votes the other would have got: to read both would tell nobody anything.
const ALIKE: f64 = 0.8;

/// Takes up to so many of some candidates, over examples of so many classes, or what was taken when it gets late.
pub(crate) fn compact(
    candidates: &[Candidate],
    rows: Rows<'_>,
    count: usize,
    most: usize,
    is_late: &dyn Fn() -> bool,
) -> Compact {
    let mut vote = Vote::new(rows, count);
    let base = vote.base.clone();
    let mut votes = vec![0.0; candidates.len()];
    let mut gains: Vec<Gain> =
        candidates.iter().map(|rule| vote.gain(rule.class, &rule.members)).collect();
    // What each would earn alone.
    let limits: Vec<f64> = gains.iter().map(|gain| gain.votes).collect();
    let by_row = ByRow::new(candidates, rows.classes.len());
    let mut taken: Vec<usize> = Vec::new();
    let mut said_before = vec![false; candidates.len()];
    // A rule may be taken again for more votes; there must be an end to it.
    let mut portions = 0;
    while portions < 8 * most && !is_late() {
        let best = (0..candidates.len())
            .filter(|&rule| votes[rule] < limits[rule] && (votes[rule] > 0.0 || taken.len() < most))
            .filter(|&rule| !said_before[rule])
            .max_by(|&one, &other| {
                gains[one].worth.total_cmp(&gains[other].worth).then(other.cmp(&one))
            });
        let is_worth_it =
            |rule: &usize| gains[*rule].worth > 1e-3 * vote.least && gains[*rule].sure > SURE;
        let Some(rule) = best.filter(is_worth_it) else { break };
        let is_alike = |&other: &usize| candidates[rule].is_alike(&candidates[other]);
        if votes[rule] == 0.0 && taken.iter().any(is_alike) {
            said_before[rule] = true;
            continue;
        }
        portions += 1;
        let class = candidates[rule].class;
        let more = (PORTION * gains[rule].votes).min(limits[rule] - votes[rule]);
        vote.add(class, &candidates[rule].members, more);
        votes[rule] += more;
        if !taken.contains(&rule) {
            taken.push(rule);
        }
        by_row.sharing(&candidates[rule].members, |other| {
            gains[other] = vote.gain(candidates[other].class, &candidates[other].members);
        });
    }
    let taken = taken.into_iter().map(|rule| (rule, votes[rule])).collect();
    let mut compact = Compact { base, taken, accuracy: Vec::new() };
    if !is_late() {
        compact.judge(candidates, rows, count);
    }
    compact
}

/// The candidates that cover each example.
struct ByRow {
    /// Where the candidates of a row begin.
    starts: Vec<usize>,
    covering: Vec<u32>,
    candidates: usize,
}

impl ByRow {
    fn new(candidates: &[Candidate], rows: usize) -> ByRow {
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
        ByRow { starts, covering, candidates: candidates.len() }
    }

    /// Calls for every candidate that covers one of some rows: what was said about others has not changed. Where the rows are
    /// many, for all: to look who covers them would take longer.
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

/// What a rule would gain, and its best votes.
#[derive(Clone, Copy, Debug)]
struct Gain {
    worth: f64,
    votes: f64,
    /// The square of how far right and wrong are apart, in units of what chance would do.
    sure: f64,
}

/// A vote in progress: for each class and example what was said so far, and how much that is still wrong.
struct Vote<'a> {
    rows: Rows<'a>,
    classes: &'a [u32],
    count: usize,
    base: Vec<f64>,
    /// By class, then example.
    said: Vec<f64>,
    /// The same: of another class than its own, how much an example suffers from it; of its own, from all others.
    weights: Vec<f64>,
    /// The mean weight at the start, by which gains are measured.
    least: f64,
}

impl<'a> Vote<'a> {
    fn new(known: Rows<'a>, count: usize) -> Vote<'a> {
        let classes = known.classes;
        let rows = classes.len();
        let mut examples = vec![0.5; count];
        for (row, &class) in classes.iter().enumerate() {
            examples[class as usize] += known.weight(row);
        }
        // The rarest class begins at nothing.
        let fewest = examples.iter().copied().fold(f64::INFINITY, f64::min);
        let base: Vec<f64> = examples.iter().map(|own| 0.5 * libm::log(own / fewest)).collect();
        let said = base.iter().flat_map(|&base| std::iter::repeat_n(base, rows)).collect();
        let weights = vec![0.0; count * rows];
        let mut vote = Vote { rows: known, classes, count, base, said, weights, least: 1.0 };
        (0..rows).for_each(|row| vote.weigh(row));
        vote.least = vote.weights.iter().sum::<f64>() / (count * rows).max(1) as f64;
        vote
    }

    fn weigh(&mut self, row: usize) {
        let (rows, own) = (self.classes.len(), self.classes[row] as usize);
        let (said, weight) = (self.said[own * rows + row], self.rows.weight(row));
        let mut all = 0.0;
        for class in (0..self.count).filter(|&class| class != own) {
            let place = class * rows + row;
            self.weights[place] = libm::exp(self.said[place] - said) * weight;
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
        // As if every rule had also covered a few examples of either kind: what rests on few says little.
        let sure = (right - wrong) * (right - wrong) / f64::max(squares, 1e-300);
        let few = PRIOR * self.least;
        let (right, wrong) = (right + few, wrong + few);
        let gap = right.sqrt() - wrong.sqrt();
        if gap <= 0.0 {
            return Gain { worth: 0.0, votes: 0.0, sure: 0.0 };
        }
        Gain { worth: gap * gap, votes: 0.5 * libm::log(right / wrong), sure }
    }

    fn add(&mut self, class: u32, members: &[u32], votes: f64) {
        let first = class as usize * self.classes.len();
        for &row in members {
            self.said[first + row as usize] += votes;
            self.weigh(row as usize);
        }
    }

    /// The share of examples whose class has the most votes.
    fn accuracy(&self) -> f64 {
        let rows = self.classes.len();
        let is_right = |row: &usize| {
            let row = *row;
            let votes = |class: usize| self.said[class * rows + row];
            let best = (0..self.count)
                .reduce(|best, class| if votes(class) > votes(best) { class } else { best });
            best.is_some_and(|best| best == self.classes[row] as usize)
        };
        (0..rows).filter(is_right).count() as f64 / rows.max(1) as f64
    }
}

impl Compact {
    /// Tells the accuracy of the first rules as they stand in the end, with all their votes.
    fn judge(&mut self, candidates: &[Candidate], rows: Rows<'_>, count: usize) {
        let mut vote = Vote::new(rows, count);
        self.accuracy = vec![vote.accuracy()];
        for &(rule, votes) in &self.taken {
            vote.add(candidates[rule].class, &candidates[rule].members, votes);
            self.accuracy.push(vote.accuracy());
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

    /// Examples of two classes, and rules that hold for stretches of them.
    fn stretches() -> impl Strategy<Value = (Vec<u32>, Vec<Candidate>)> {
        let classes = prop::collection::vec(0_u32..2, 30..120);
        let rules = prop::collection::vec((0_u32..2, 0_u32..100, 5_u32..60), 1..40);
        (classes, rules).prop_map(|(mut classes, rules)| {
            // Many of one class side by side, so that there is something to find.
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
        fn likeness_is_the_share_of_what_either_covers((classes, rules) in stretches()) {
            let covers = |rule: &Candidate, row: u32| rule.members.contains(&row);
            for (one, two) in rules.iter().zip(rules.iter().skip(1)) {
                let rows = || 0..pellucid_bits::as_u32(classes.len());
                let both = rows().filter(|&row| covers(one, row) && covers(two, row)).count();
                let either = rows().filter(|&row| covers(one, row) || covers(two, row)).count();
                let alike = one.class == two.class && both as f64 >= ALIKE * either as f64;
                prop_assert_eq!(one.is_alike(two), alike);
                prop_assert_eq!(two.is_alike(one), alike);
            }
        }

        #[test]
        fn no_two_rules_that_are_taken_say_the_same((classes, rules) in stretches()) {
            let known = Rows { classes: &classes, weights: None };
            let taken = compact(&rules, known, 2, 10, &|| false).taken;
            prop_assert!(taken.len() <= 10);
            for (place, &(one, votes)) in taken.iter().enumerate() {
                prop_assert!(votes > 0.0);
                for &(other, _) in &taken[..place] {
                    prop_assert!(!rules[one].is_alike(&rules[other]), "{one} and {other}");
                }
            }
        }
    }

    proptest! {
        /// What a rule gains is as fresh as if all gains had been taken anew.
        #[test]
        fn gains_of_rules_that_share_no_example_stay((classes, rules) in stretches(), taken in any::<prop::sample::Index>(), votes in 0.1..2.0_f64) {
            let known = Rows { classes: &classes, weights: None };
            let mut vote = Vote::new(known, 2);
            let gains = |vote: &Vote<'_>| -> Vec<f64> {
                rules.iter().map(|rule| vote.gain(rule.class, &rule.members).worth).collect()
            };
            let before = gains(&vote);
            let taken = &rules[taken.index(rules.len())];
            vote.add(taken.class, &taken.members, votes);
            let mut kept = before;
            ByRow::new(&rules, classes.len()).sharing(&taken.members, |other| {
                kept[other] = vote.gain(rules[other].class, &rules[other].members).worth;
            });
            prop_assert_eq!(kept, gains(&vote));
        }
    }

    #[test]
    fn of_two_rules_that_say_the_same_the_better_is_taken() {
        let classes: Vec<u32> = (0..80).map(|row| u32::from(row < 40)).collect();
        let all: Vec<u32> = (0..40).collect();
        let rules = [rule(1, &all[2..]), rule(1, &all), rule(0, &(45..80).collect::<Vec<_>>())];
        let taken =
            compact(&rules, Rows { classes: &classes, weights: None }, 2, 10, &|| false).taken;
        let taken: Vec<usize> = taken.into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(taken, [1, 2]);
    }
}
