//! Rules one after the other, each for what those before it leave unexplained.
//!
//! Picture a teacher who goes through a pile of exams again and again. Each time she writes down the one rule that helps most
//! with the exams she still gets wrong, and then weighs all her rules anew. After a few rounds there is little left to say. So
//! it is here: a [`search`] finds the rule that explains most of the [`residual`], a [`refit`] finds all votes again, and the
//! path keeps the models of all sizes on the way.
//!
//! With more than two classes each class is told from the rest; a round takes the rule that explains most, of whatever class.

mod feature;
mod refit;
mod residual;
mod search;
mod stepped;

use crate::model::Rule;
use crate::params::Params;
use crate::path::{RulePath, Stop};
use feature::Feature;
use pellucid_data::Dataset;
use pellucid_device::Threads;
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::rng::Streams;
use pellucid_program::{Edge, Expr, Interval, Op, Value};
use residual::Residual;
pub(crate) use search::Cuts;
use search::{Ask, FoundRule, Search};
use stepped::Stepped;

/// The sizes at which votes are kept.
const STOPS: [usize; 26] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 70, 100, 150, 200, 300, 500, 1000,
    2000, 5000,
];

/// Data with what rules may ask.
pub(crate) struct Ground<'a> {
    features: Vec<Feature>,
    stepped: Vec<Stepped>,
    codes: &'a [u32],
    weights: Vec<f64>,
}

impl<'a> Ground<'a> {
    /// Looks at some data.
    pub(crate) fn new(
        data: &'a Dataset,
        codes: &'a [u32],
        weights: Vec<f64>,
        params: &Params,
        threads: &Threads,
    ) -> Ground<'a> {
        let features = Feature::all(data, |name| params.grammar.has_attribute(name));
        let allowed = |op| params.grammar.has_operator(op);
        let stepped = threads.map(features.len(), |index| features[index].stepped(&allowed));
        Ground { features, stepped, codes, weights: effective(weights) }
    }

    /// The path to the most rules, for some classes against the rest. What comes after `stop` has said so is of no use.
    pub(crate) fn path(
        &self,
        classes: usize,
        against_rest: &[u32],
        cuts: Cuts,
        params: &Params,
        threads: &Threads,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> RulePath {
        let streams = Streams::new(params.seed).at("boost");
        let most = params.voting.most_rules.saturating_mul(against_rest.len());
        let search =
            Search { features: &self.stepped, most: params.voting.most_comparisons, cuts, threads };
        let is_positive: Vec<Vec<bool>> = against_rest
            .iter()
            .map(|class| self.codes.iter().map(|code| code == class).collect())
            .collect();
        let mut sides: Vec<Side<'_>> = against_rest
            .iter()
            .zip(&is_positive)
            .map(|(&class, is_positive)| {
                Side::new(class, Residual::new(is_positive, &self.weights))
            })
            .collect();
        let mut path =
            RulePath { rules: Vec::new(), stops: vec![told(&sides, classes, &[])], told: 0 };
        let mut owners: Vec<usize> = Vec::new();
        while owners.len() < most && !stop() {
            for side in &mut sides {
                side.look(&search, streams);
            }
            let leader =
                (0..sides.len()).filter(|&side| sides[side].score() > 0.0).reduce(|best, side| {
                    if sides[side].score() > sides[best].score() { side } else { best }
                });
            let Some(leader) = leader else { break };
            let Some(rule) = sides[leader].take() else { break };
            let (when, class) = (self.told(&rule), sides[leader].class);
            path.rules.push(Rule { when, class, votes: 0.0, covered: Vec::new() });
            owners.push(leader);
            if owners.len() == most || STOPS.contains(&owners.len()) {
                path.stops.push(told(&sides, classes, &owners));
            }
        }
        if path.stops.last().is_some_and(|stop| stop.votes.len() < owners.len()) {
            path.stops.push(told(&sides, classes, &owners));
        }
        path
    }

    /// A rule's condition as a person reads it.
    fn told(&self, rule: &FoundRule) -> Expr {
        let condition = |test: &search::Test| {
            let (feature, stepped) = (&self.features[test.feature], &self.stepped[test.feature]);
            match test.ask {
                Ask::Above(step) => feature.condition(stepped.cuts[usize::from(step)], true),
                Ask::UpTo(step) => feature.condition(stepped.cuts[usize::from(step)], false),
                Ask::Among(_) => {
                    let steps = (0..stepped.count).filter_map(|step| u8::try_from(step).ok());
                    let codes: Vec<u8> = steps.filter(|&step| test.ask.holds(step)).collect();
                    feature.among(&codes)
                }
            }
        };
        let mut parts: Vec<Expr> = Vec::with_capacity(rule.tests.len());
        for test in &rule.tests {
            let part = condition(test);
            match parts
                .iter()
                .enumerate()
                .find_map(|(place, other)| Some((place, between(other, &part)?)))
            {
                Some((place, interval)) => parts[place] = interval,
                None => parts.push(part),
            }
        }
        Expr::and(parts)
    }
}

/// Two ends of one interval as one condition.
fn between(one: &Expr, other: &Expr) -> Option<Expr> {
    let (Expr::Compare(name, op, Value::Number(low)), Expr::Compare(same, to, Value::Number(high))) =
        (one, other)
    else {
        return None;
    };
    match (op, to) {
        (Op::Greater, Op::LessEqual) if name == same => {
            let (low, high) =
                (Edge { value: *low, closed: false }, Edge { value: *high, closed: true });
            Some(Expr::Within(name.clone(), Interval { low, high }))
        }
        (Op::LessEqual, Op::Greater) if name == same => between(other, one),
        _ => None,
    }
}

/// Weights that count as many examples as they are worth: a few heavy ones among many light ones are a small sample.
fn effective(weights: Vec<f64>) -> Vec<f64> {
    let (sum, squares) = weights
        .iter()
        .fold((0.0, 0.0), |(sum, squares), weight| (sum + weight, squares + weight * weight));
    let scale = if squares > 0.0 { sum / squares } else { 1.0 };
    weights.into_iter().map(|weight| weight * scale).collect()
}

/// One class against the rest.
struct Side<'a> {
    class: u32,
    residual: Residual<'a>,
    /// The examples of each rule so far, by their digest.
    known: Vec<Fingerprint>,
    next: Option<FoundRule>,
    is_fresh: bool,
}

impl<'a> Side<'a> {
    fn new(class: u32, residual: Residual<'a>) -> Side<'a> {
        Side { class, residual, known: Vec::new(), next: None, is_fresh: false }
    }

    /// Finds the next rule, if it is not known already.
    fn look(&mut self, search: &Search<'_>, streams: Streams) {
        if !self.is_fresh {
            let streams = streams.at(self.class).at(self.known.len());
            self.next = search.best(&self.residual, &self.known, streams);
            self.is_fresh = true;
        }
    }

    fn score(&self) -> f64 {
        self.next.as_ref().map_or(0.0, |rule| rule.score)
    }

    /// Takes in the rule that was found, and finds all votes again.
    fn take(&mut self) -> Option<FoundRule> {
        let rule = self.next.take()?;
        self.residual.add_rule(&rule.examples, rule.speaks_for);
        self.residual.refit();
        self.known.push(search::print(&rule.examples));
        self.is_fresh = false;
        Some(rule)
    }
}

/// The votes so far, given which class each rule is about.
fn told(sides: &[Side<'_>], classes: usize, owners: &[usize]) -> Stop {
    let mut base = vec![0.0; classes];
    sides.iter().for_each(|side| base[side.class as usize] = side.residual.base);
    let mut next = vec![0; sides.len()];
    let votes = owners.iter().map(|&owner| {
        next[owner] += 1;
        sides[owner].residual.votes[next[owner] - 1]
    });
    Stop { base, votes: votes.collect(), ..Stop::default() }
}

#[cfg(test)]
mod tests;
