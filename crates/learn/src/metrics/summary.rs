//! The summary of a classifier: all metrics with their intervals.

use super::estimate::{Estimate, mean_of, share_of};
use super::{Backing, ConfusionMatrix, Decision, Decisions, Top, auc_within};
use pellucid_data::visible_line;
use serde::{Deserialize, Serialize};

/// The top share for the lift.
const TOP: f64 = 0.2;
/// Probabilities are clamped to this distance from 0 and 1, so that a wrong one does not cost infinity.
const MIN_PROBABILITY: f64 = 1e-15;

/// A metric with its interval and its baseline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The metric with its interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The value of a model that knows only the class frequencies.
    #[serde(rename = "trivial")]
    pub baseline: f64,
}

/// The metrics of one class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassFigures {
    /// The class.
    pub class: String,
    /// The number of examples of this class.
    pub examples: u64,
    /// The number of predictions of this class.
    pub predicted: u64,
    /// The share of correct predictions of this class; `None` without predictions.
    pub precision: Option<Estimate>,
    /// The share of examples of this class that are predicted as it; `None` without examples.
    pub recall: Option<Estimate>,
}

/// All metrics of a classifier on some data. Undefined metrics are `None`: `null` in JSON, omitted in
/// text.
///
/// Of two classes the last is positive; AUC and lift are for it. With more classes they are the mean
/// over all classes, each against the rest. The Brier score is half the squared distance between the
/// probabilities and the outcome, which for two classes is the squared error of either probability.
///
/// ```
/// use pellucid_learn::metrics::{Backing, Decision, Decisions};
///
/// let mut decisions = Decisions::new(vec!["well".into(), "ill".into()]);
/// for (unit, (ill, probability)) in (0..).zip([(true, 0.9), (true, 0.6), (false, 0.7), (false, 0.1)]) {
///     let shares = [1.0 - probability, probability];
///     let predicted = u32::from(probability >= 0.5);
///     let decision = Decision { unit, model: 0, actual: u32::from(ill), predicted };
///     decisions.push(decision, Backing::Probabilities(&shares));
/// }
/// let summary = decisions.summary();
/// assert_eq!(summary.positive.as_deref(), Some("ill"));
/// assert_eq!(summary.auc.map(|auc| auc.estimate.value), Some(0.75));
/// println!("{summary}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The number of evaluated examples.
    #[serde(rename = "judged")]
    pub evaluated: usize,
    /// The number of units: examples or groups.
    pub units: usize,
    /// The number of further examples whose class the model does not know.
    #[serde(rename = "strangers")]
    pub unknown_class: usize,
    /// The positive class, if there are two classes.
    pub positive: Option<String>,
    /// The share of correct decisions.
    pub accuracy: Option<Figure>,
    /// The mean recall of the classes that occur.
    pub balanced_accuracy: Option<Figure>,
    /// F1 of the positive class, or the mean over classes.
    pub f1: Option<Figure>,
    /// The area under the ROC curve within models ([`auc_within`]).
    pub auc: Option<Figure>,
    /// The mean of -ln(probability of the actual class).
    pub log_loss: Option<Figure>,
    /// The mean squared error of the probabilities.
    pub brier: Option<Figure>,
    /// The lift of the top 20 %, ranked within models.
    pub lift_at_20: Option<Figure>,
    /// The mean cost of a decision, if misses have costs. The baseline always predicts the class with the
    /// lowest cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Figure>,
    /// The metrics by class.
    pub classes: Vec<ClassFigures>,
    /// The confusion matrix; rows are actual classes.
    pub confusion: Option<ConfusionMatrix>,
}

impl Summary {
    /// Returns the class that has the lowest cost if it is always predicted: the one whose examples would
    /// cost most if they were missed.
    #[must_use]
    pub fn cheapest_class(&self, miss_costs: &[f64]) -> Option<&ClassFigures> {
        cheapest(&self.classes, miss_costs)
    }

    /// Returns a warning if the model does not cost less than the class with the lowest cost. `data` is the
    /// name of the evaluated data.
    #[must_use]
    pub fn cost_warning(&self, miss_costs: &[f64], data: &str) -> Option<String> {
        let cost = self.cost.as_ref()?;
        // Means over folds may differ from the baseline by rounding alone.
        let is_lower = cost.estimate.value < cost.baseline * (1.0 - 1e-9);
        let class = self.cheapest_class(miss_costs).filter(|_| !is_lower)?;
        Some(format!(
            "On {data} the model costs no less than always answering '{}'.",
            visible_line(&class.class)
        ))
    }

    /// Returns the summary with all intervals widened by a factor.
    #[must_use]
    pub(crate) fn stretched(mut self, factor: f64) -> Summary {
        const SHARE: (f64, f64) = (0.0, 1.0);
        const COST: (f64, f64) = (0.0, f64::INFINITY);
        let shares = [&mut self.accuracy, &mut self.balanced_accuracy, &mut self.f1, &mut self.auc];
        for figure in shares.into_iter().flatten() {
            figure.estimate = figure.estimate.stretched(factor, SHARE);
        }
        let costs = [&mut self.log_loss, &mut self.brier, &mut self.lift_at_20, &mut self.cost];
        for figure in costs.into_iter().flatten() {
            figure.estimate = figure.estimate.stretched(factor, COST);
        }
        for class in &mut self.classes {
            for estimate in [&mut class.precision, &mut class.recall].into_iter().flatten() {
                *estimate = estimate.stretched(factor, SHARE);
            }
        }
        self
    }
}

impl Decisions {
    /// Returns all metrics.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let (list, names) = (self.list(), &self.classes);
        let classes = self.class_figures();
        let rates: Vec<f64> =
            classes.iter().map(|class| class.examples as f64 / list.len().max(1) as f64).collect();
        let occurring = rates.iter().filter(|&&rate| rate > 0.0).count();
        let recalls: Vec<Estimate> = classes.iter().filter_map(|class| class.recall).collect();
        let figure = |estimate: Option<Estimate>, baseline: f64| {
            estimate.map(|estimate| Figure { estimate, baseline })
        };
        // Rank the positive class alone, or all classes that occur.
        let ranked: Vec<usize> = match names.len() {
            2 => vec![1],
            more => (0..more).filter(|&class| rates[class] > 0.0).collect(),
        };
        let over_ranked = |of: &dyn Fn(usize) -> Option<Estimate>| {
            let all: Option<Vec<Estimate>> = ranked.iter().map(|&class| of(class)).collect();
            all.filter(|_| self.has_numbers()).and_then(|all| mean_of_dependent(&all))
        };
        let has_probabilities = self.has_probabilities();
        let cost = |of: fn(&[f64], usize) -> f64| {
            let cost = |place, one: &Decision| match self.backing(place) {
                Backing::Probabilities(shares) => Some(of(shares, one.actual as usize)),
                _ => None,
            };
            if has_probabilities { mean_of(&self.by_unit(cost)) } else { None }
        };
        Summary {
            evaluated: list.len(),
            units: self.by_unit(|_, _| Some(0.0)).iter().filter(|unit| unit.count > 0.0).count(),
            unknown_class: self.unknown_class,
            positive: (names.len() == 2).then(|| names[1].clone()),
            accuracy: figure(
                self.share_correct(|_| true),
                rates.iter().copied().fold(0.0, f64::max),
            ),
            balanced_accuracy: figure(Estimate::mean(&recalls), 1.0 / occurring.max(1) as f64),
            f1: figure(self.f1(&classes), baseline_f1(&rates)),
            auc: figure(over_ranked(&|class| self.auc(class)), 0.5),
            log_loss: figure(cost(log_cost), entropy(&rates)),
            brier: figure(
                cost(square_cost),
                (1.0 - rates.iter().map(|r| r * r).sum::<f64>()) / 2.0,
            ),
            lift_at_20: figure(over_ranked(&|class| self.lift(class)), 1.0),
            cost: self.cost(&classes),
            classes,
            confusion: self.confusion(),
        }
    }

    /// Returns the mean cost of a decision; `None` without costs.
    fn cost(&self, classes: &[ClassFigures]) -> Option<Figure> {
        let costs = self.miss_costs.as_ref()?;
        let estimate = mean_of(&self.by_unit(|_, one| Some(one.cost(costs))))?;
        let always = cheapest(classes, costs)?;
        let missed = classes.iter().zip(costs).filter(|(class, _)| class.class != always.class);
        let total: f64 = missed.map(|(class, cost)| class.examples as f64 * cost).sum();
        Some(Figure { estimate, baseline: total / self.list().len().max(1) as f64 })
    }

    /// Returns the metrics of each class.
    fn class_figures(&self) -> Vec<ClassFigures> {
        let mut counts = vec![0_u64; self.classes.len()];
        let mut predicted = vec![0_u64; self.classes.len()];
        for one in self.list() {
            counts[one.actual as usize] += 1;
            predicted[one.predicted as usize] += 1;
        }
        let code = |class: usize| u32::try_from(class).unwrap_or(u32::MAX);
        (0..self.classes.len())
            .map(|class| ClassFigures {
                class: self.classes[class].clone(),
                examples: counts[class],
                predicted: predicted[class],
                precision: self.share_correct(|one| one.predicted == code(class)),
                recall: self.share_correct(|one| one.actual == code(class)),
            })
            .collect()
    }

    /// Returns the share of correct decisions among those selected.
    fn share_correct(&self, is_selected: impl Fn(&Decision) -> bool) -> Option<Estimate> {
        let is_correct = |one: &Decision| f64::from(u8::from(one.actual == one.predicted));
        share_of(&self.by_unit(|_, one| is_selected(one).then(|| is_correct(one))))
    }

    /// Returns F1 of the positive class, or the mean over the classes that occur or are predicted.
    fn f1(&self, figures: &[ClassFigures]) -> Option<Estimate> {
        let is_used = |class: &usize| figures[*class].examples + figures[*class].predicted > 0;
        let classes: Vec<usize> = match figures.len() {
            2 => vec![1],
            more => (0..more).filter(is_used).collect(),
        };
        let of_class = |class: usize| {
            // F1 is a monotonic function of the share of hits among actual or predicted positives.
            let code = u32::try_from(class).ok()?;
            let hit = |_, one: &Decision| {
                let (actual, predicted) = (one.actual == code, one.predicted == code);
                (actual || predicted).then(|| f64::from(u8::from(actual && predicted)))
            };
            Some(share_of(&self.by_unit(hit))?.map(|share| 2.0 * share / (1.0 + share)))
        };
        let all: Vec<Estimate> = classes.into_iter().filter_map(of_class).collect();
        Estimate::mean(&all)
    }

    /// Returns the AUC of one class against the rest.
    fn auc(&self, class: usize) -> Option<Estimate> {
        let labels: Vec<bool> =
            self.list().iter().map(|one| one.actual as usize == class).collect();
        let models: Vec<u32> = self.list().iter().map(|one| one.model).collect();
        let area = auc_within(&models, &self.ranking_scores(class), &labels, None)?;
        let units = |positive: bool| {
            let of = self.by_unit(|place, _| (labels[place] == positive).then_some(0.0));
            of.iter().filter(|unit| unit.count > 0.0).count()
        };
        Some(Estimate::auc(area, units(true), units(false)))
    }

    /// Returns the lift of the top 20 %: the share of the positives in it, relative to the share of all
    /// examples. Each model ranks its own examples.
    fn lift(&self, class: usize) -> Option<Estimate> {
        let models: Vec<u32> = self.list().iter().map(|one| one.model).collect();
        let top = Top::within(&models, &self.ranking_scores(class), TOP)?;
        let positives = self.list().iter().filter(|one| one.actual as usize == class).count();
        let all = self.list().len() as f64;
        if positives == 0 || positives == self.list().len() {
            return None;
        }
        let found =
            self.by_unit(|place, one| (one.actual as usize == class).then(|| top.inside[place]));
        let times = all / top.room;
        let most = times.min(all / positives as f64);
        Some(share_of(&found)?.map(|share| (share * times).min(most)))
    }

    /// Returns the confusion matrix; `None` for too many classes.
    fn confusion(&self) -> Option<ConfusionMatrix> {
        let (actual, predicted): (Vec<u32>, Vec<u32>) =
            self.list().iter().map(|one| (one.actual, one.predicted)).unzip();
        ConfusionMatrix::from_codes(&actual, &predicted, self.classes.len()).ok()
    }
}

/// Returns the class that has the lowest cost if it is always predicted.
fn cheapest<'a>(classes: &'a [ClassFigures], miss_costs: &[f64]) -> Option<&'a ClassFigures> {
    let cost = |(class, cost): &(&ClassFigures, &f64)| class.examples as f64 * *cost;
    let by_cost = classes.iter().zip(miss_costs);
    by_cost.max_by(|one, other| cost(one).total_cmp(&cost(other))).map(|(class, _)| class)
}

/// Returns the mean of dependent estimates: their ends are averaged as well.
fn mean_of_dependent(all: &[Estimate]) -> Option<Estimate> {
    let count = all.len() as f64;
    let mean = |of: fn(&Estimate) -> f64| all.iter().map(of).sum::<f64>() / count;
    (!all.is_empty()).then(|| Estimate {
        value: mean(|one| one.value),
        low: mean(|one| one.low),
        high: mean(|one| one.high),
    })
}

pub(super) fn log_cost(shares: &[f64], actual: usize) -> f64 {
    // `libm::log` gives the same bits on every machine.
    -libm::log(shares[actual].clamp(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY))
}

pub(super) fn square_cost(shares: &[f64], actual: usize) -> f64 {
    let miss = |(class, share): (usize, &f64)| {
        let happened = f64::from(u8::from(class == actual));
        (share - happened) * (share - happened)
    };
    shares.iter().enumerate().map(miss).sum::<f64>() / 2.0
}

/// Returns the log loss of always predicting the class frequencies.
fn entropy(rates: &[f64]) -> f64 {
    rates.iter().filter(|&&rate| rate > 0.0).map(|&rate| -rate * libm::log(rate)).sum()
}

/// Returns F1 of always predicting the positive class, or the largest class if there are several.
fn baseline_f1(rates: &[f64]) -> f64 {
    let f1 = |rate: f64| 2.0 * rate / (1.0 + rate);
    match rates {
        [_, positive] => f1(*positive),
        _ => {
            let occurring = rates.iter().filter(|&&rate| rate > 0.0).count().max(1) as f64;
            f1(rates.iter().copied().fold(0.0, f64::max)) / occurring
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Ranking, Ties, brier, log_loss};
    use proptest::prelude::*;

    /// Decisions between two classes with few distinct probabilities, so that ties are common.
    fn decision_list() -> impl Strategy<Value = Vec<(bool, f64, u32)>> {
        let probability = (1_u32..20).prop_map(|share| f64::from(share) / 20.0);
        prop::collection::vec((any::<bool>(), probability, 0_u32..40), 2..80)
    }

    fn decisions(list: &[(bool, f64, u32)]) -> Decisions {
        let mut all = Decisions::new(vec!["no".into(), "yes".into()]);
        for &(is, share, unit) in list {
            let shares = [1.0 - share, share];
            let (actual, predicted) = (u32::from(is), u32::from(share > 0.5));
            let decision = Decision { unit, model: 0, actual, predicted };
            all.push(decision, Backing::Probabilities(&shares));
        }
        all
    }

    proptest! {
        #[test]
        fn metrics_match_their_definitions(list in decision_list()) {
            let summary = decisions(&list).summary();
            let labels: Vec<bool> = list.iter().map(|one| one.0).collect();
            let shares: Vec<f64> = list.iter().map(|one| one.1).collect();
            let close = |figure: &Option<Figure>, expected: f64| {
                figure.is_some_and(|figure| (figure.estimate.value - expected).abs() < 1e-9)
            };
            let right = list.iter().filter(|one| one.0 == (one.1 > 0.5)).count();
            prop_assert!(close(&summary.accuracy, right as f64 / list.len() as f64));
            let loss = log_loss(&shares, &labels).expect("shares");
            let error = brier(&shares, &labels).expect("shares");
            match list.iter().any(|one| one.2 != list[0].2) {
                true => prop_assert!(close(&summary.log_loss, loss) && close(&summary.brier, error)),
                // The spread of a mean over one unit is unknown.
                false => prop_assert!(summary.log_loss.is_none() && summary.brier.is_none()),
            }
            match Ranking::new(&shares, &labels) {
                Ok(ranking) => {
                    prop_assert!(close(&summary.auc, ranking.auc()));
                    prop_assert!(close(&summary.lift_at_20, ranking.lift_at(TOP, Ties::Shared)));
                }
                Err(_) => prop_assert!(summary.auc.is_none() && summary.lift_at_20.is_none()),
            }
            let matrix = summary.confusion.expect("few classes");
            prop_assert!(close(&summary.balanced_accuracy, matrix.balanced_accuracy()));
            let f1 = matrix.against_rest(1).f_beta(1.0);
            prop_assert!(matrix.total() == 0 || close(&summary.f1, f1) || summary.f1.is_none());
        }

        #[test]
        fn summaries_round_trip(list in decision_list()) {
            let summary = decisions(&list).summary();
            let json = serde_json::to_string(&summary).expect("plain data");
            let back: Summary = serde_json::from_str(&json).expect("what was written");
            prop_assert_eq!(back.to_string(), summary.to_string());
        }
    }

    #[test]
    fn no_decisions_give_no_metrics() {
        let mut none = Decisions::new(vec!["no".into(), "yes".into()]);
        none.unknown_class = 3;
        let summary = none.summary();
        assert_eq!((summary.evaluated, summary.unknown_class, summary.accuracy), (0, 3, None));
        let json = serde_json::to_value(&summary).expect("plain data");
        assert!(json["accuracy"].is_null() && json["auc"].is_null() && json["log_loss"].is_null());
    }

    #[test]
    fn costs_are_averaged_beside_the_cheapest_constant() {
        let mut all =
            decisions(&[(true, 0.9, 0), (true, 0.2, 1), (false, 0.6, 2), (false, 0.1, 3)]);
        assert_eq!(all.summary().cost, None);
        all.miss_costs = Some(vec![1.0, 5.0]);
        let summary = all.summary();
        let cost = summary.cost.expect("costs are given");
        // One missed 'yes' and one missed 'no' in four; always 'yes' misses two of 'no'.
        assert_eq!((cost.estimate.value, cost.baseline), (1.5, 0.5));
        let cheapest = summary.cheapest_class(&[1.0, 5.0]).map(|class| class.class.as_str());
        assert_eq!(cheapest, Some("yes"));
        let warning = summary.cost_warning(&[1.0, 5.0], "held-out data");
        let expected = "On held-out data the model costs no less than always answering 'yes'.";
        assert_eq!(warning.as_deref(), Some(expected));
        all = decisions(&[(true, 0.9, 0), (true, 0.8, 1), (false, 0.2, 2), (false, 0.1, 3)]);
        all.miss_costs = Some(vec![1.0, 5.0]);
        assert_eq!(all.summary().cost_warning(&[1.0, 5.0], "held-out data"), None);
        assert!(summary.to_string().contains("\ncost per example"), "{summary}");
    }

    #[test]
    fn several_classes_are_summarized() {
        let mut all = Decisions::new(["a", "b", "c"].map(str::to_owned).to_vec());
        for unit in 0..30_u32 {
            let mut shares = vec![0.2; 3];
            shares[(unit % 3) as usize] = 0.6;
            let decision = Decision { unit, model: 0, actual: unit % 3, predicted: unit % 3 };
            all.push(decision, Backing::Probabilities(&shares));
        }
        let summary = all.summary();
        assert_eq!(summary.positive, None);
        assert_eq!(summary.auc.map(|auc| auc.estimate.value), Some(1.0));
        let brier = summary.brier.expect("probabilities").estimate.value;
        assert!((brier - 0.12).abs() < 1e-12, "{brier}");
        let text = summary.to_string();
        assert!(
            text.contains(
                "\na      1.000  0.722 to 1.000     1.000  0.722 to 1.000           10\n"
            ),
            "{text}"
        );
        assert!(text.contains("\nactual b            0           10            0\n"), "{text}");
    }
}
