//! The figures people ask for, each with its interval.

use super::estimate::{Estimate, mean_of, share_of};
use super::{Backing, ConfusionMatrix, Decision, Decisions, Top, auc_within};
use serde::{Deserialize, Serialize};

/// The share at the top whose lift is told.
const TOP: f64 = 0.2;
/// Certainties are kept this far from 0 and 1, so that one wrong one does not cost infinity.
const LEAST: f64 = 1e-15;

/// A figure, and what one gets who knows the shares of the classes and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The figure with its interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// What it would be by knowing the shares of the classes alone.
    pub trivial: f64,
}

/// What one class got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassFigures {
    /// The class.
    pub class: String,
    /// How many decisions are about examples of it.
    pub examples: u64,
    /// How many decisions are for it.
    pub predicted: u64,
    /// Of those called so, the share that is so; nothing where none was.
    pub precision: Option<Estimate>,
    /// Of those that are so, the share that was called so; nothing where there is none.
    pub recall: Option<Estimate>,
}

/// All figures of one study. What cannot be told is not there: `null` in JSON, a dash in text.
///
/// Of two classes the last is the positive one, whose ranking AUC and lift are about. With more classes they are the mean over
/// all classes, each against the rest. The Brier score is half the squared distance between the probabilities and what
/// happened, which for two classes is the squared error of either probability.
///
/// ```
/// use pellucid_learn::metrics::{Backing, Decision, Decisions};
///
/// let mut decisions = Decisions::new(vec!["well".into(), "ill".into()]);
/// for (unit, (ill, probability)) in (0..).zip([(true, 0.9), (true, 0.6), (false, 0.7), (false, 0.1)]) {
///     let backing = Backing::Probabilities(vec![1.0 - probability, probability]);
///     let predicted = u32::from(probability >= 0.5);
///     decisions.push(Decision { unit, model: 0, actual: u32::from(ill), predicted, backing });
/// }
/// let summary = decisions.summary();
/// assert_eq!(summary.positive.as_deref(), Some("ill"));
/// assert_eq!(summary.auc.map(|auc| auc.estimate.value), Some(0.75));
/// println!("{summary}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How many decisions there are.
    pub judged: usize,
    /// About how many units they are: examples, or groups of them.
    pub units: usize,
    /// How many examples more have a class that the model has never met.
    pub strangers: usize,
    /// The positive class, where there are two.
    pub positive: Option<String>,
    /// The share that is right.
    pub accuracy: Option<Figure>,
    /// The mean recall of the classes that occur.
    pub balanced_accuracy: Option<Figure>,
    /// F1 of the positive class, or the mean over classes.
    pub f1: Option<Figure>,
    /// The chance that a random positive stands before a random negative that the same model ranked ([`auc_within`]).
    pub auc: Option<Figure>,
    /// The mean of -ln(probability of what happened).
    pub log_loss: Option<Figure>,
    /// The mean squared error of the probabilities.
    pub brier: Option<Figure>,
    /// How many times more positives the best fifth holds than a random fifth, where each model ranks its own examples.
    pub lift_at_20: Option<Figure>,
    /// By class.
    pub classes: Vec<ClassFigures>,
    /// How often each class (outside) was taken for each class (inside).
    pub confusion: Option<ConfusionMatrix>,
}

impl Summary {
    /// The same with all intervals wider by a factor.
    #[must_use]
    pub(crate) fn stretched(mut self, factor: f64) -> Summary {
        const SHARE: (f64, f64) = (0.0, 1.0);
        const COST: (f64, f64) = (0.0, f64::INFINITY);
        let shares = [&mut self.accuracy, &mut self.balanced_accuracy, &mut self.f1, &mut self.auc];
        for figure in shares.into_iter().flatten() {
            figure.estimate = figure.estimate.stretched(factor, SHARE);
        }
        let costs = [&mut self.log_loss, &mut self.brier, &mut self.lift_at_20];
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
    /// All figures.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let (list, names) = (self.list(), &self.classes);
        let mut counts = vec![0_u64; names.len()];
        let mut called = vec![0_u64; names.len()];
        for one in list {
            counts[one.actual as usize] += 1;
            called[one.predicted as usize] += 1;
        }
        let share = |of: &dyn Fn(&Decision) -> bool, hit: &dyn Fn(&Decision) -> bool| {
            share_of(&self.by_unit(|_, one| of(one).then(|| f64::from(u8::from(hit(one))))))
        };
        let code = |class: usize| u32::try_from(class).unwrap_or(u32::MAX);
        let is_right = |one: &Decision| one.actual == one.predicted;
        let classes: Vec<ClassFigures> = (0..names.len())
            .map(|class| ClassFigures {
                class: names[class].clone(),
                examples: counts[class],
                predicted: called[class],
                precision: share(&|one| one.predicted == code(class), &is_right),
                recall: share(&|one| one.actual == code(class), &is_right),
            })
            .collect();
        let rates: Vec<f64> =
            counts.iter().map(|&count| count as f64 / list.len().max(1) as f64).collect();
        let occurring = rates.iter().filter(|&&rate| rate > 0.0).count();
        let recalls: Vec<Estimate> = classes.iter().filter_map(|class| class.recall).collect();
        let figure = |estimate: Option<Estimate>, trivial: f64| {
            estimate.map(|estimate| Figure { estimate, trivial })
        };
        // Ranked are the positive class alone, or all that can be told from the rest.
        let ranked: Vec<usize> = match names.len() {
            2 => vec![1],
            more => (0..more).filter(|&class| rates[class] > 0.0).collect(),
        };
        let over_ranked = |of: &dyn Fn(usize) -> Option<Estimate>| {
            let all: Option<Vec<Estimate>> = ranked.iter().map(|&class| of(class)).collect();
            all.filter(|_| self.has_numbers()).and_then(|all| together(&all))
        };
        let can_be_told = self.has_probabilities();
        let cost = |of: fn(&[f64], usize) -> f64| {
            let cost = |_, one: &Decision| match &one.backing {
                Backing::Probabilities(shares) => Some(of(shares, one.actual as usize)),
                _ => None,
            };
            if can_be_told { mean_of(&self.by_unit(cost)) } else { None }
        };
        Summary {
            judged: list.len(),
            units: self.by_unit(|_, _| Some(0.0)).iter().filter(|unit| unit.count > 0.0).count(),
            strangers: self.strangers,
            positive: (names.len() == 2).then(|| names[1].clone()),
            accuracy: figure(
                share(&|_| true, &is_right),
                rates.iter().copied().fold(0.0, f64::max),
            ),
            balanced_accuracy: figure(Estimate::mean(&recalls), 1.0 / occurring.max(1) as f64),
            f1: figure(self.f1(&counts, &called), trivial_f1(&rates)),
            auc: figure(over_ranked(&|class| self.auc(class)), 0.5),
            log_loss: figure(cost(log_cost), entropy(&rates)),
            brier: figure(
                cost(square_cost),
                (1.0 - rates.iter().map(|r| r * r).sum::<f64>()) / 2.0,
            ),
            lift_at_20: figure(over_ranked(&|class| self.lift(class)), 1.0),
            classes,
            confusion: self.confusion(),
        }
    }

    /// F1 of the positive class, or the mean over the classes that occur or are predicted.
    fn f1(&self, counts: &[u64], called: &[u64]) -> Option<Estimate> {
        let classes: Vec<usize> = match counts.len() {
            2 => vec![1],
            more => (0..more).filter(|&class| counts[class] + called[class] > 0).collect(),
        };
        let of_class = |class: usize| {
            // Among those that are so or are called so, those that are both: a share, and F1 grows with it.
            let code = u32::try_from(class).ok()?;
            let touched = |_, one: &Decision| {
                let (is, said) = (one.actual == code, one.predicted == code);
                (is || said).then(|| f64::from(u8::from(is && said)))
            };
            Some(share_of(&self.by_unit(touched))?.map(|share| 2.0 * share / (1.0 + share)))
        };
        let all: Vec<Estimate> = classes.into_iter().filter_map(of_class).collect();
        Estimate::mean(&all)
    }

    /// The area for one class against the rest.
    fn auc(&self, class: usize) -> Option<Estimate> {
        let labels: Vec<bool> =
            self.list().iter().map(|one| one.actual as usize == class).collect();
        let models: Vec<u32> = self.list().iter().map(|one| one.model).collect();
        let area = auc_within(&models, &self.towards(class), &labels, None)?;
        let units = |positive: bool| {
            let of = self.by_unit(|place, _| (labels[place] == positive).then_some(0.0));
            of.iter().filter(|unit| unit.count > 0.0).count()
        };
        Some(Estimate::auc(area, units(true), units(false)))
    }

    /// The lift of the best fifth: the share of the positives that stand there, over the share of all that do. Each model ranks
    /// its own examples.
    fn lift(&self, class: usize) -> Option<Estimate> {
        let models: Vec<u32> = self.list().iter().map(|one| one.model).collect();
        let top = Top::within(&models, &self.towards(class), TOP)?;
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

    fn confusion(&self) -> Option<ConfusionMatrix> {
        let (actual, predicted): (Vec<u32>, Vec<u32>) =
            self.list().iter().map(|one| (one.actual, one.predicted)).unzip();
        ConfusionMatrix::from_codes(&actual, &predicted, self.classes.len()).ok()
    }
}

/// The mean of estimates about the same decisions: they go together, so their ends are averaged too.
fn together(all: &[Estimate]) -> Option<Estimate> {
    let count = all.len() as f64;
    let mean = |of: fn(&Estimate) -> f64| all.iter().map(of).sum::<f64>() / count;
    (!all.is_empty()).then(|| Estimate {
        value: mean(|one| one.value),
        low: mean(|one| one.low),
        high: mean(|one| one.high),
    })
}

fn log_cost(shares: &[f64], actual: usize) -> f64 {
    // The library's own logarithm is the same on every machine.
    -libm::log(shares[actual].clamp(LEAST, 1.0 - LEAST))
}

fn square_cost(shares: &[f64], actual: usize) -> f64 {
    let miss = |(class, share): (usize, &f64)| {
        let happened = f64::from(u8::from(class == actual));
        (share - happened) * (share - happened)
    };
    shares.iter().enumerate().map(miss).sum::<f64>() / 2.0
}

/// The log loss of who gives everybody the shares of the classes.
fn entropy(rates: &[f64]) -> f64 {
    rates.iter().filter(|&&rate| rate > 0.0).map(|&rate| -rate * libm::log(rate)).sum()
}

/// F1 of who calls everybody positive, or of who calls everybody by the largest class.
fn trivial_f1(rates: &[f64]) -> f64 {
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

    /// Decisions of two classes with few distinct probabilities, so that ties are common.
    fn decided() -> impl Strategy<Value = Vec<(bool, f64, u32)>> {
        let probability = (1_u32..20).prop_map(|share| f64::from(share) / 20.0);
        prop::collection::vec((any::<bool>(), probability, 0_u32..40), 2..80)
    }

    fn decisions(list: &[(bool, f64, u32)]) -> Decisions {
        let mut all = Decisions::new(vec!["no".into(), "yes".into()]);
        for &(is, share, unit) in list {
            let backing = Backing::Probabilities(vec![1.0 - share, share]);
            let (actual, predicted) = (u32::from(is), u32::from(share > 0.5));
            all.push(Decision { unit, model: 0, actual, predicted, backing });
        }
        all
    }

    proptest! {
        #[test]
        fn figures_are_those_of_their_definitions(list in decided()) {
            let summary = decisions(&list).summary();
            let labels: Vec<bool> = list.iter().map(|one| one.0).collect();
            let shares: Vec<f64> = list.iter().map(|one| one.1).collect();
            let close = |figure: &Option<Figure>, expected: f64| {
                figure.is_some_and(|figure| (figure.estimate.value - expected).abs() < 1e-9)
            };
            let right = list.iter().filter(|one| one.0 == (one.1 > 0.5)).count();
            prop_assert!(close(&summary.accuracy, right as f64 / list.len() as f64));
            prop_assert!(close(&summary.log_loss, log_loss(&shares, &labels).expect("shares")));
            prop_assert!(close(&summary.brier, brier(&shares, &labels).expect("shares")));
            match Ranking::new(&shares, &labels) {
                Ok(ranking) => {
                    prop_assert!(close(&summary.auc, ranking.auc()));
                    prop_assert!(close(&summary.lift_at_20, ranking.lift_at(TOP, Ties::Shared)));
                }
                Err(_) => prop_assert!(summary.auc.is_none() && summary.lift_at_20.is_none()),
            }
            let matrix = summary.confusion.expect("few classes");
            prop_assert!(close(&summary.balanced_accuracy, matrix.balanced_accuracy()));
            prop_assert!(matrix.total() == 0 || close(&summary.f1, matrix.against_rest(1).f_beta(1.0)) || summary.f1.is_none());
        }

        #[test]
        fn what_is_told_reads_back(list in decided()) {
            let summary = decisions(&list).summary();
            let json = serde_json::to_string(&summary).expect("plain data");
            let back: Summary = serde_json::from_str(&json).expect("what was written");
            prop_assert_eq!(back.to_string(), summary.to_string());
        }
    }

    #[test]
    fn nothing_judged_is_nothing_told() {
        let mut none = Decisions::new(vec!["no".into(), "yes".into()]);
        none.strangers = 3;
        let summary = none.summary();
        assert_eq!((summary.judged, summary.strangers, summary.accuracy), (0, 3, None));
        let json = serde_json::to_value(&summary).expect("plain data");
        assert!(json["accuracy"].is_null() && json["auc"].is_null() && json["log_loss"].is_null());
    }

    #[test]
    fn more_classes_are_told_too() {
        let mut all = Decisions::new(["a", "b", "c"].map(str::to_owned).to_vec());
        for unit in 0..30_u32 {
            let mut shares = vec![0.2; 3];
            shares[(unit % 3) as usize] = 0.6;
            let backing = Backing::Probabilities(shares);
            all.push(Decision { unit, model: 0, actual: unit % 3, predicted: unit % 3, backing });
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
        assert!(text.contains("\nactual b         0        10         0\n"), "{text}");
    }
}
