//! Selects few rules that together predict a set of inputs, as a decision list.
//!
//! Rules without errors come first (greedy set cover). A few niches may have no such rule yet, so
//! rules with errors follow for the inputs that are still open, those with the fewest errors first.
//! At the end rules are removed that the others make superfluous.

/// A rule that can be selected.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The inputs for which its action is right.
    pub(super) right: Vec<u32>,
    /// The other inputs that it matches.
    pub(super) wrong: Vec<u32>,
}

/// The right predictions that make up for one error, step by step. A rule that is often wrong is thus
/// selected only for inputs that no better rule matches.
const ERROR_COSTS: [usize; 4] = [20, 5, 1, 0];

/// Returns the selected rules in the order in which they are asked.
pub(super) fn select(candidates: &[Candidate], inputs: usize) -> Vec<usize> {
    let mut selection = Selection::new(candidates, inputs);
    let accurate = |rule: &Candidate| rule.wrong.is_empty();
    selection.cover(0, accurate);
    for cost in ERROR_COSTS {
        selection.cover(cost, |_| true);
    }
    let mut list = selection.selected;
    while remove_superfluous(candidates, inputs, &mut list) {}
    list
}

/// A list of rules that grows.
struct Selection<'a> {
    candidates: &'a [Candidate],
    /// Whether no selected rule matches an input.
    is_open: Vec<bool>,
    /// An upper limit of the open inputs of each candidate for which it is right. The exact number
    /// never grows.
    most: Vec<usize>,
    selected: Vec<usize>,
}

impl Selection<'_> {
    fn new(candidates: &[Candidate], inputs: usize) -> Selection<'_> {
        let most = candidates.iter().map(|rule| rule.right.len()).collect();
        Selection { candidates, is_open: vec![true; inputs], most, selected: Vec::new() }
    }

    fn count_open(&self, inputs: &[u32]) -> usize {
        inputs.iter().filter(|&&input| self.is_open[input as usize]).count()
    }

    /// Selects rules as long as one is right about more open inputs than its errors cost.
    fn cover(&mut self, cost: usize, is_allowed: impl Fn(&Candidate) -> bool) {
        let allowed: Vec<usize> =
            (0..self.candidates.len()).filter(|&rule| is_allowed(&self.candidates[rule])).collect();
        loop {
            let mut best: Option<(usize, usize)> = None;
            for &number in &allowed {
                let least = best.map_or(0, |(gain, _)| gain);
                if self.most[number] <= least {
                    continue;
                }
                let rule = &self.candidates[number];
                self.most[number] = self.count_open(&rule.right);
                let errors = if self.most[number] <= least || cost == 0 {
                    0
                } else {
                    cost * self.count_open(&rule.wrong)
                };
                let gain = self.most[number].saturating_sub(errors);
                if gain > least {
                    best = Some((gain, number));
                }
            }
            let Some((_, number)) = best else { return };
            let rule = &self.candidates[number];
            for &input in rule.right.iter().chain(&rule.wrong) {
                self.is_open[input as usize] = false;
            }
            self.most[number] = 0;
            self.selected.push(number);
        }
    }
}

/// Removes rules without which as many inputs are predicted correctly, the last of the list first.
/// Returns whether one was removed.
fn remove_superfluous(candidates: &[Candidate], inputs: usize, list: &mut Vec<usize>) -> bool {
    // The places in the list of the rules that match each input, with whether they are right.
    let mut matching: Vec<Vec<(usize, bool)>> = vec![Vec::new(); inputs];
    for (place, &number) in list.iter().enumerate() {
        let rule = &candidates[number];
        rule.right.iter().for_each(|&input| matching[input as usize].push((place, true)));
        rule.wrong.iter().for_each(|&input| matching[input as usize].push((place, false)));
    }
    let before = list.len();
    for place in (0..before).rev() {
        let rule = &candidates[list[place]];
        let (mut lost, mut gained) = (0, 0);
        for &input in rule.right.iter().chain(&rule.wrong) {
            let rules = &matching[input as usize];
            if let [(first, is_right), rest @ ..] = &rules[..]
                && *first == place
            {
                let later = rest.first().is_some_and(|&(_, is_right)| is_right);
                lost += usize::from(*is_right && !later);
                gained += usize::from(later && !is_right);
            }
        }
        if lost <= gained {
            for &input in rule.right.iter().chain(&rule.wrong) {
                matching[input as usize].retain(|&(other, _)| other != place);
            }
            list.remove(place);
        }
    }
    list.len() < before
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Generates rules that match ranges of inputs, and are wrong about some of them.
    fn rules() -> impl Strategy<Value = (usize, Vec<Candidate>)> {
        let rule = (0_u32..100, 1_u32..40, 1_u32..12, any::<bool>());
        (1_usize..100, prop::collection::vec(rule, 0..40)).prop_map(|(inputs, rules)| {
            let end = pellucid_bits::as_u32(inputs);
            let made = rules.into_iter().map(|(first, length, period, has_errors)| {
                let (wrong, right) = (first.min(end)..(first + length).min(end))
                    .partition(|input| has_errors && input % period == 0);
                Candidate { right, wrong }
            });
            (inputs, made.collect())
        })
    }

    fn count_right(candidates: &[Candidate], list: &[usize], inputs: usize) -> usize {
        let decision = |input: u32| {
            let matching = |&&rule: &&usize| {
                candidates[rule].right.contains(&input) || candidates[rule].wrong.contains(&input)
            };
            list.iter().find(matching)
        };
        let inputs = 0..pellucid_bits::as_u32(inputs);
        let is_right = |input: &u32| {
            decision(*input).is_some_and(|&rule| candidates[rule].right.contains(input))
        };
        inputs.filter(is_right).count()
    }

    proptest! {
        #[test]
        fn inputs_of_rules_without_errors_are_not_lost((inputs, rules) in rules()) {
            let list = select(&rules, inputs);
            let mut accurate: Vec<u32> = rules
                .iter()
                .filter(|rule| rule.wrong.is_empty())
                .flat_map(|rule| rule.right.iter().copied())
                .collect();
            accurate.sort_unstable();
            accurate.dedup();
            prop_assert!(count_right(&rules, &list, inputs) >= accurate.len());
        }

        #[test]
        fn no_selected_rule_is_superfluous((inputs, rules) in rules()) {
            let list = select(&rules, inputs);
            let right = count_right(&rules, &list, inputs);
            for place in 0..list.len() {
                let mut fewer = list.clone();
                let rule = fewer.remove(place);
                prop_assert!(!fewer.contains(&rule), "a rule is selected twice");
                prop_assert!(count_right(&rules, &fewer, inputs) < right);
            }
        }
    }
}
