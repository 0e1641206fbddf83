//! What models say of examples that they have not seen: the base of honest estimates and of calibration.
//!
//! The examples are dealt into a few folds, and each fold is scored by a model learned from the others, with the same
//! parameters. What comes of it serves twice: the scores show how scores become [probabilities](crate::calibrate), and the
//! decisions show how well such models do on new data. The estimate's probabilities for a fold come from a curve that was
//! laid through the other folds alone.

use super::cross_validate::own_seed;
use super::{Actual, Examples, LearnedBy, Learner, Machine, NoEstimate, learn};
use crate::calibrate::Calibration;
use crate::metrics::{
    Backing, Decision, Decisions, Middle, NumberDecision, NumberDecisions, NumberSummary, Summary,
};
use crate::params::{Check, Valid};
use crate::run::{Control, Driver, Observer, RunError, Silent};
use crate::split::{Folds, Split, in_turn};
use pellucid_device::{DeviceError, Threads};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many inner folds a model is judged and calibrated by.
pub const INNER_FOLDS: usize = 5;
/// From so many examples on there are fewer: each fold has plenty then.
const MANY_EXAMPLES: usize = 5_000;
/// How many folds are enough then.
const FEW_FOLDS: usize = 3;

/// A run that took longer than this many seconds is not repeated for an estimate alone. Models that vote need their folds for
/// probabilities, whatever they take: those are part of the model, which must not depend on how fast a machine is.
pub const PATIENCE: f64 = 60.0;

/// What a model learned without an example says of it.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    fold: usize,
    actual: u32,
    predicted: u32,
    votes: Option<Vec<f64>>,
    /// What it said and what is so, where that is a number.
    number: Option<NumberDecision>,
}

/// What models say of examples they have not seen, by example.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    classes: Vec<String>,
    /// By example: what it belongs to, and what was said of it.
    units: Vec<u32>,
    said: Vec<Option<Said>>,
    /// How many folds there were.
    pub folds: usize,
    /// How long it took; nothing where a learner's own validation told enough.
    pub seconds: f64,
}

impl HeldOut {
    /// How the scores become probabilities; nothing for models without scores.
    #[must_use]
    pub fn calibration(&self) -> Option<Calibration> {
        self.without(None)
    }

    /// The curve through all folds but one.
    fn without(&self, fold: Option<usize>) -> Option<Calibration> {
        let said = self.said.iter().flatten().filter(|said| Some(said.fold) != fold);
        let pairs: Option<Vec<(&[f64], u32)>> =
            said.map(|said| Some((said.votes.as_deref()?, said.actual))).collect();
        let (votes, actual): (Vec<_>, Vec<_>) = pairs?.into_iter().unzip();
        Calibration::fit(&votes, &actual, self.classes.len())
    }

    /// The decisions about all examples.
    #[must_use]
    pub fn decisions(&self) -> Decisions {
        let curves: Vec<Option<Calibration>> =
            (0..self.folds).map(|fold| self.without(Some(fold))).collect();
        let mut decisions = Decisions::new(self.classes.clone());
        for (&unit, said) in self.units.iter().zip(&self.said) {
            let Some(Said { fold, actual, predicted, votes, .. }) = said else { continue };
            let backing = match (votes, curves.get(*fold).and_then(Option::as_ref)) {
                (Some(votes), Some(curve)) => Backing::Probabilities(curve.probabilities(votes)),
                (Some(votes), None) => Backing::Scores(votes.clone()),
                (None, _) => Backing::Nothing,
            };
            let (model, actual, predicted) =
                (u32::try_from(*fold).unwrap_or(u32::MAX), *actual, *predicted);
            decisions.push(Decision { unit, model, actual, predicted, backing });
        }
        decisions
    }

    /// How well models learned so do on examples they have not seen.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.decisions().summary()
    }

    /// The same of predicted numbers; nothing where classes are predicted.
    #[must_use]
    pub fn number_summary(&self) -> Option<NumberSummary> {
        let mut said = NumberDecisions::default();
        let numbers = self.units.iter().zip(&self.said);
        numbers
            .filter_map(|(&unit, said)| Some(NumberDecision { unit, ..said.as_ref()?.number? }))
            .for_each(|number| said.push(number));
        (!said.list().is_empty()).then(|| said.summary())
    }
}

/// How many folds some data can be dealt into, when so many are wanted; less than two where there is too little.
#[must_use]
pub fn inner_folds<D: Examples>(data: &D, wanted: usize) -> usize {
    let codes = data.codes();
    let wanted = if codes.len() >= MANY_EXAMPLES { wanted.min(FEW_FOLDS) } else { wanted };
    let units = data.groups();
    if data.numbers().is_some() {
        let units = units.map_or(codes.len(), |units| units.iter().collect::<HashSet<_>>().len());
        // A fold of one or two says little, and leaves little to learn from.
        return wanted.min(units / 2);
    }
    let mut seen: Vec<HashSet<u32>> = vec![HashSet::new(); data.classes().len()];
    for (example, code) in (0_u32..).zip(&codes) {
        let unit = units.as_ref().and_then(|units| units.get(example as usize)).copied();
        if let Some(seen) = seen.get_mut(*code as usize) {
            seen.insert(unit.unwrap_or(example));
        }
    }
    let smallest = seen.iter().map(|units| units.len()).filter(|&count| count > 0).min();
    wanted.min(smallest.unwrap_or(0))
}

/// Where folds are learned, and what stops them.
pub(super) struct Side<'a> {
    pub(super) control: &'a Control,
    pub(super) threads: &'a Threads,
    pub(super) machine: &'a (dyn Fn() -> Result<Machine, DeviceError> + Send + Sync),
    /// Hears how many folds are done.
    pub(super) told: &'a (dyn Fn(usize) + Send + Sync),
}

/// Deals some data into so many folds, if it can be.
pub(super) fn plan_inner<L: Learner>(
    data: &L::Data,
    params: &Valid<L::Params>,
    wanted: usize,
) -> Option<Folds> {
    let seed = super::cross_validate::seed::<L::Params>(params).unwrap_or(0);
    let (groups, number) = (data.groups(), inner_folds(data, wanted));
    Folds::planned(&data.strata(), groups.as_deref(), number, 1, seed ^ INNER_SEED).ok()
}

/// Scores every fold by a model learned from the others, which may be known already. No estimate comes of it where there is too
/// little to deal, or when it was stopped on the way.
pub(super) fn held_out<L: Learner>(
    data: &L::Data,
    params: &Valid<L::Params>,
    wanted: usize,
    side: &Side<'_>,
    known: &(dyn Fn(usize) -> Option<LearnedBy<L>> + Sync),
) -> Result<Result<HeldOut, NoEstimate>, RunError<L::Error>> {
    let Some(folds) = plan_inner::<L>(data, params, wanted) else {
        return Ok(Err(NoEstimate::TooFew));
    };
    let (codes, groups) = (data.codes(), data.groups());
    let began = side.control.now();
    let done = AtomicUsize::new(0);
    let judged = in_turn(
        folds.len(),
        side.threads,
        || side.control.should_stop().is_some(),
        |index| {
            let split = folds.split(index);
            let said = of_fold::<L>(data, params, &split, side, known(index))?;
            (side.told)(done.fetch_add(1, Ordering::SeqCst) + 1);
            Ok::<_, RunError<L::Error>>(said.map(|said| (split, said)))
        },
    )?;
    if judged.len() < folds.len() {
        return Ok(Err(NoEstimate::Stopped));
    }
    let units = groups.unwrap_or_else(|| (0..).take(codes.len()).collect());
    let mut held = HeldOut {
        classes: data.classes(),
        units,
        said: vec![None; codes.len()],
        folds: folds.len(),
        seconds: (side.control.now().saturating_sub(began)).as_secs_f64(),
    };
    for (split, said) in judged {
        for (&example, said) in split.test.iter().zip(said) {
            held.said[example as usize] = said;
        }
    }
    Ok(Ok(held))
}

/// Inner folds are dealt otherwise than those of a cross-validation around them.
const INNER_SEED: u64 = 0x1e55_0a7e_5f01_d5ed;

/// What the model of one fold says of its test examples; nothing when it was cut short.
fn of_fold<L: Learner>(
    data: &L::Data,
    params: &Valid<L::Params>,
    split: &Split,
    side: &Side<'_>,
    known: Option<LearnedBy<L>>,
) -> Result<Option<Vec<Option<Said>>>, RunError<L::Error>> {
    let machine = (side.machine)()?.undisturbed();
    let (train, test) = (data.part(&split.train), data.part(&split.test));
    let learned = match known {
        Some(learned) => learned,
        None => {
            let own = own_seed::<L::Params>(params, "inner", split).check()?;
            let driver = Driver::new(side.control).all_or_nothing().trial();
            L::fit(&train, own, &machine, &driver, &mut Silent)?
        }
    };
    if learned.run.summary.stop.is_pause() {
        return Ok(None);
    }
    let applied = L::apply(&learned.model, &test, &machine).map_err(RunError::Learner)?;
    let fold = split.fold;
    if let Some(numbers) = train.numbers() {
        let trivial = Middle::of(&numbers);
        let said = |example: usize| {
            let (actual, predicted) = (applied.actual_number(example)?, applied.number(example)?);
            let number = Some(NumberDecision { unit: 0, actual, predicted, trivial });
            Some(Said { fold, actual: 0, predicted: 0, votes: None, number })
        };
        return Ok(Some((0..applied.len()).map(said).collect()));
    }
    let said = |example: usize| match applied.actual(example) {
        Some(Actual::Class(actual)) => Some(Said {
            fold,
            actual,
            predicted: applied.predicted(example),
            votes: applied.votes(example),
            number: None,
        }),
        _ => None,
    };
    Ok(Some((0..applied.len()).map(said).collect()))
}

/// The probabilities that a learner's own validation gives, if it has one.
pub(super) fn own_calibration<L: Learner>(
    learned: &LearnedBy<L>,
    data: &L::Data,
) -> Option<Calibration> {
    if data.numbers().is_some() {
        return None;
    }
    learned.unseen.as_ref()?.calibration(&data.codes(), data.classes().len())
}

/// What a learner's own validation said of examples, where there are many: which of a few models it then took moves the
/// estimate by far less than its interval is wide, so that nothing need be learned again.
fn own_estimate<L: Learner>(
    learned: &LearnedBy<L>,
    data: &L::Data,
    params: &Valid<L::Params>,
    wanted: usize,
) -> Option<HeldOut> {
    let (codes, unseen) = (data.codes(), learned.unseen.as_ref()?);
    if !L::JUDGES_ITSELF || codes.len() < MANY_EXAMPLES {
        return None;
    }
    let folds = plan_inner::<L>(data, params, wanted)?;
    let mut said = vec![None; codes.len()];
    let numbers = data.numbers();
    for split in folds.iter() {
        let trivial = numbers.as_ref().map(|numbers| {
            let own = split.train.iter().map(|&example| numbers[example as usize]);
            Middle::of(&own.collect::<Vec<_>>())
        });
        for &example in &split.test {
            let Some(votes) = unseen.of(example as usize, codes.len()) else { continue };
            if let (Some(numbers), Some(trivial)) = (&numbers, trivial) {
                let (actual, predicted) = (numbers[example as usize], *votes.first()?);
                let number = Some(NumberDecision { unit: 0, actual, predicted, trivial });
                let fold = split.fold;
                said[example as usize] =
                    Some(Said { fold, actual: 0, predicted: 0, votes: None, number });
                continue;
            }
            let best = |best: u32, class: u32| {
                if votes[class as usize] > votes[best as usize] { class } else { best }
            };
            let predicted = (0u32..).take(votes.len()).reduce(best)?;
            let (fold, actual, votes) = (split.fold, codes[example as usize], Some(votes.to_vec()));
            said[example as usize] = Some(Said { fold, actual, predicted, votes, number: None });
        }
    }
    let units = data.groups().unwrap_or_else(|| (0..).take(codes.len()).collect());
    Some(HeldOut { classes: data.classes(), units, said, folds: folds.len(), seconds: 0.0 })
}

/// What was learned, and what is known of how well it does on examples it has not seen, or why nothing is.
pub type JudgedBy<L> = (LearnedBy<L>, Result<HeldOut, NoEstimate>);

/// What is found out about a model beside learning it.
#[derive(Clone, Copy)]
pub struct Inner<'a> {
    /// In how many folds at most; 0 for not at all.
    pub folds: usize,
    /// Hears how many folds of how many are done.
    pub told: &'a (dyn Fn(usize, usize) + Send + Sync),
}

impl Default for Inner<'_> {
    fn default() -> Self {
        Inner { folds: INNER_FOLDS, told: &|_, _| () }
    }
}

/// Learns a model, and finds out from inner folds how well such models do on examples they have not seen and how likely
/// their decisions are; the model takes the latter along. Without folds, with too few examples, or when it is stopped before its
/// end, the model is learned and no estimate is made; probabilities it has then only if the learner validates itself. Of
/// many examples a learner that [judges itself](Learner::JUDGES_ITSELF) has said enough: nothing is learned again. For a
/// learner whose models do not vote, no estimate is made either where the run took longer than [`PATIENCE`].
///
/// As many folds are learned side by side as there are threads, each with one thread of the processor.
///
/// # Errors
/// As [`Learner::check`] and [`Learner::fit`].
pub fn learn_and_judge<L: Learner>(
    data: &L::Data,
    params: Valid<L::Params>,
    inner: Inner<'_>,
    machine: &Machine,
    driver: &Driver,
    observer: &mut dyn Observer,
) -> Result<JudgedBy<L>, RunError<L::Error>> {
    let mut learned = learn::<L>(data, params.clone(), machine, driver, observer)?;
    if learned.run.summary.stop.is_pause() {
        return Ok((learned, Err(NoEstimate::CutShort)));
    }
    learned.model.calibration = own_calibration::<L>(&learned, data);
    let unknown = if inner.folds == 0 {
        Some(NoEstimate::NotAsked)
    } else if driver.goes_on_from().is_some() {
        // What the model went on from may have been learned from these very examples: then none of them is unseen.
        Some(NoEstimate::MaybeSeen)
    } else if !L::VOTES && learned.run.summary.seconds > PATIENCE {
        Some(NoEstimate::TooLong)
    } else {
        None
    };
    if let Some(unknown) = unknown {
        return Ok((learned, Err(unknown)));
    }
    let total = inner_folds(data, inner.folds);
    let side = Side {
        control: driver.control(),
        threads: &machine.threads,
        machine: &|| machine.one_of_many(),
        told: &|done| (inner.told)(done, total),
    };
    let held_out = match own_estimate::<L>(&learned, data, &params, inner.folds) {
        Some(own) => Ok(own),
        None => held_out::<L>(data, &params, inner.folds, &side, &|_| None)?,
    };
    if learned.model.calibration.is_none() {
        learned.model.calibration = held_out.as_ref().ok().and_then(HeldOut::calibration);
    }
    if let Ok(held_out) = &held_out
        && data.numbers().is_none()
    {
        L::judged(&mut learned.model, &held_out.decisions());
    }
    Ok((learned, held_out))
}
