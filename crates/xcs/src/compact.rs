//! From a population to the few rules that say most of what it knows.
//!
//! A population holds the same knowledge many times over. Rules are taken out of it one by one, each time the one that most
//! lowers the loss of the vote so far, with as many votes as lower it best: a step of boosting over rules that are there
//! already (after Cohen and Singer's SLIPPER), one class against the rest. So the first rules explain the most,
//! and what comes later mends what they get wrong. No rule gets more votes than its own record alone would earn it.

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
const PRIOR: f64 = 4.0;

/// How far right and wrong must be apart, as the square of what chance would make of the same examples. The best of many hundred
/// rules looks good by chance alone, so what is barely better than chance ends the list. Chosen on made-up tables with noise: there,
/// 50 rules were taken without it, 20 with it, and those are right more often.
const SURE: f64 = 6.0;

/// Takes up to so many of some candidates, over examples of so many classes.
pub(crate) fn compact(
    candidates: &[Candidate],
    rows: Rows<'_>,
    count: usize,
    most: usize,
) -> Compact {
    let mut vote = Vote::new(rows, count);
    let base = vote.base.clone();
    let mut votes = vec![0.0; candidates.len()];
    let limits: Vec<f64> = candidates.iter().map(|rule| earned(rule, rows)).collect();
    let mut gains: Vec<Gain> =
        candidates.iter().map(|rule| vote.gain(rule.class, &rule.members)).collect();
    let mut taken: Vec<usize> = Vec::new();
    // A rule may be taken again for more votes; there must be an end to it.
    for _ in 0..8 * most {
        let best = (0..candidates.len())
            .filter(|&rule| votes[rule] < limits[rule] && (votes[rule] > 0.0 || taken.len() < most))
            .max_by(|&one, &other| {
                gains[one].worth.total_cmp(&gains[other].worth).then(other.cmp(&one))
            });
        let is_worth_it =
            |rule: &usize| gains[*rule].worth > 1e-3 * vote.least && gains[*rule].sure > SURE;
        let Some(rule) = best.filter(is_worth_it) else { break };
        let class = candidates[rule].class;
        let more = (PORTION * gains[rule].votes).min(limits[rule] - votes[rule]);
        vote.add(class, &candidates[rule].members, more);
        votes[rule] += more;
        if !taken.contains(&rule) {
            taken.push(rule);
        }
        // Only those that speak for the same class see other weights now.
        for (other, candidate) in candidates.iter().enumerate() {
            if candidate.class == class {
                gains[other] = vote.gain(class, &candidate.members);
            }
        }
    }
    let taken = taken.into_iter().map(|rule| (rule, votes[rule])).collect();
    let mut compact = Compact { base, taken, accuracy: Vec::new() };
    compact.judge(candidates, rows, count);
    compact
}

/// The votes that a rule's own record would earn it.
fn earned(rule: &Candidate, rows: Rows<'_>) -> f64 {
    let (mut right, mut wrong) = (1.0, 1.0);
    for &row in &rule.members {
        let is_right = rows.classes[row as usize] == rule.class;
        *(if is_right { &mut right } else { &mut wrong }) += rows.weight(row as usize);
    }
    0.5 * libm::log(right / wrong)
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
    weights: Vec<f64>,
    /// The weight of one example at the start, by which gains are measured.
    least: f64,
}

impl<'a> Vote<'a> {
    fn new(known: Rows<'a>, count: usize) -> Vote<'a> {
        let classes = known.classes;
        let rows = classes.len();
        let mut examples = vec![0.0; count];
        for (row, &class) in classes.iter().enumerate() {
            examples[class as usize] += known.weight(row);
        }
        let total: f64 = examples.iter().sum();
        let base: Vec<f64> =
            examples.iter().map(|own| 0.5 * libm::log((own + 0.5) / (total - own + 0.5))).collect();
        let said = base.iter().flat_map(|&base| std::iter::repeat_n(base, rows)).collect();
        let mut vote = Vote {
            rows: known,
            classes,
            count,
            base,
            said,
            weights: vec![0.0; count * rows],
            least: 1.0,
        };
        for class in 0..pellucid_bits::as_u32(count) {
            (0..rows).for_each(|row| vote.weigh(class, row));
        }
        vote.least = vote.weights.iter().sum::<f64>() / (count * rows).max(1) as f64;
        vote
    }

    fn weigh(&mut self, class: u32, row: usize) {
        let place = class as usize * self.classes.len() + row;
        let said = self.said[place];
        let margin = if self.classes[row] == class { said } else { -said };
        self.weights[place] = libm::exp(-margin) * self.rows.weight(row);
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
            self.weigh(class, row as usize);
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
