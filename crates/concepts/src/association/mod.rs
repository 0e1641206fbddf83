//! Rules that mostly hold: *whoever buys bread and jam buys butter too, nine times in ten*.
//!
//! Picture the lattice of concepts as a map of villages, each with as many inhabitants as objects have its attributes. A rule
//! is a road downhill from more inhabitants to fewer; its **confidence** is the share of those who go along. Roads between
//! neighbours are enough: the share along a longer way is the product of its parts. That is the **Luxenburger basis**, the
//! default ([`RuleBasis::Luxenburger`]), with the canonical base for what holds without exception. Its premises are intents,
//! which may be long. [`RuleBasis::Generic`] has the shortest premises and the longest conclusions instead (minimal
//! generators, and every intent that follows with enough confidence); there are more of them, and for every rule that
//! holds there is one that asks no more, says no less and is supported as well.
//!
//! [`visit`] shows rules as they are found, [`collect`] keeps the best, [`text`] writes them.
//!
//! ```
//! use pellucid_concepts::association::{RuleOptions, collect};
//! use pellucid_data::Relation;
//!
//! // 0 bread, 1 butter, 2 jam.
//! let relation = Relation::new(3, [[0, 1].as_slice(), &[0, 1, 2], &[0, 1], &[0]])?;
//! let (rules, _) = collect(&relation, &RuleOptions { min_confidence: 0.7, ..RuleOptions::default() });
//! let told: Vec<_> = rules.iter().map(|r| (r.premise[0], r.conclusion[0], r.support, r.confidence)).collect();
//! // Everybody buys bread; jam is bought with the rest; of those with bread three in four take butter.
//! assert_eq!(told, [(0b000, 0b001, 4, 1.0), (0b101, 0b010, 1, 1.0), (0b001, 0b010, 3, 0.75)]);
//! # Ok::<(), pellucid_data::RelationError>(())
//! ```

mod best;
mod generators;
mod neighbours;
pub mod text;

use crate::bitmap::Bitmap;
use crate::enumerate::enumerate;
use crate::implications::{BaseOptions, base, lectic};
use neighbours::Neighbours;
use pellucid_bits::words::count;
use pellucid_close::{Found, Stop, Terms};
use pellucid_data::Relation;
use std::cmp::Ordering;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Of the objects that have the premise, so many have the conclusion too.
#[derive(Clone, Debug, PartialEq)]
pub struct AssociationRule {
    /// The attributes that are asked for, as [`words`](pellucid_bits::words).
    pub premise: Box<[u64]>,
    /// The attributes that follow, without those of the premise.
    pub conclusion: Box<[u64]>,
    /// How many objects have both premise and conclusion.
    pub support: u64,
    /// Their share of all objects.
    pub share: f64,
    /// Their share of the objects that have the premise; 1 for a rule without exception.
    pub confidence: f64,
    /// How much more often than among all objects the conclusion is found among those that have the premise.
    pub lift: f64,
}

impl AssociationRule {
    /// By falling confidence, by falling support, and then by the premise (its size, then lectically) and the conclusion.
    #[must_use]
    pub fn order(&self, other: &AssociationRule) -> Ordering {
        let by_set = |a: &[u64], b: &[u64]| count(a).cmp(&count(b)).then_with(|| lectic(a, b));
        (other.confidence.total_cmp(&self.confidence))
            .then_with(|| other.support.cmp(&self.support))
            .then_with(|| by_set(&self.premise, &other.premise))
            .then_with(|| by_set(&self.conclusion, &other.conclusion))
    }
}

/// Which of the many rules that hold are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleBasis {
    /// Between neighbouring intents, and the canonical base.
    #[default]
    Luxenburger,
    /// From every minimal generator to every intent that follows.
    Generic,
}

/// In which order rules are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleOrder {
    /// The fewest exceptions first: [`AssociationRule::order`].
    #[default]
    Confidence,
    /// The most objects first, and then by confidence.
    Support,
    /// The most surprising first, and then by confidence.
    Lift,
}

impl RuleOrder {
    /// Which of two rules comes first.
    #[must_use]
    pub fn compare(self, a: &AssociationRule, b: &AssociationRule) -> Ordering {
        let first = match self {
            RuleOrder::Confidence => Ordering::Equal,
            RuleOrder::Support => b.support.cmp(&a.support),
            RuleOrder::Lift => b.lift.total_cmp(&a.lift),
        };
        first.then_with(|| a.order(b))
    }
}

/// What is asked for.
#[derive(Clone, Copy)]
pub struct RuleOptions<'a> {
    /// Which rules are listed.
    pub basis: RuleBasis,
    /// The fewest objects that have all of a rule; less than 1 is taken as 1, as no share of nobody is anything.
    pub min_support: u64,
    /// The lowest confidence; at 1 only rules without exception are listed.
    pub min_confidence: f64,
    /// Whether rules without exception are listed.
    pub exact: bool,
    /// In which order [`collect`] lists them.
    pub order: RuleOrder,
    /// How many attributes a premise has at most.
    pub longest_premise: Option<usize>,
    /// How many rules at most.
    pub most: Option<u64>,
    /// Asked now and then from any thread: whether to stop.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Where the number of rules so far is kept up to date for whoever watches.
    pub progress: Option<&'a AtomicU64>,
}

impl Default for RuleOptions<'_> {
    fn default() -> Self {
        RuleOptions {
            basis: RuleBasis::Luxenburger,
            min_support: 1,
            min_confidence: 0.5,
            exact: true,
            order: RuleOrder::Confidence,
            longest_premise: None,
            most: None,
            stop: None,
            progress: None,
        }
    }
}

impl RuleOptions<'_> {
    fn fewest(&self) -> u64 {
        self.min_support.max(1)
    }

    /// Whether rules that have exceptions are asked for.
    fn wants_exceptions(&self) -> bool {
        self.min_confidence < 1.0
    }

    /// Whether so many of so many are confidence enough.
    fn is_confident(&self, support: u64, of: u64) -> bool {
        support as f64 / of as f64 >= self.min_confidence
    }

    fn is_short(&self, premise: &[u64]) -> bool {
        self.longest_premise.is_none_or(|longest| count(premise) <= longest as u64)
    }
}

impl fmt::Debug for RuleOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleOptions")
            .field("basis", &self.basis)
            .field("min_support", &self.min_support)
            .field("min_confidence", &self.min_confidence)
            .field("exact", &self.exact)
            .field("order", &self.order)
            .field("longest_premise", &self.longest_premise)
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

/// Shows every rule as it is found, in no order in particular, until there are as many as asked for.
pub fn visit(
    relation: &Relation,
    options: &RuleOptions<'_>,
    show: impl FnMut(AssociationRule) + Send,
) -> Stop {
    let bitmap = Bitmap::new(relation);
    let mut teller = Teller { bitmap: &bitmap, options, show, told: 0, stop: Stop::Complete };
    match options.basis {
        RuleBasis::Luxenburger => luxenburger(relation, &mut teller),
        RuleBasis::Generic => generators::generic(&mut teller),
    }
    teller.stop
}

/// The rules in the order asked for; where there are more than asked for, the first of that order.
#[must_use]
pub fn collect(relation: &Relation, options: &RuleOptions<'_>) -> (Vec<AssociationRule>, Stop) {
    let mut best = best::Best::new(options.order, options.most);
    let all = RuleOptions { most: None, ..*options };
    let stop = visit(relation, &all, |rule| best.add(rule));
    best.finish(stop)
}

/// Makes rules, and shows those that are asked for.
struct Teller<'a, F> {
    bitmap: &'a Bitmap,
    options: &'a RuleOptions<'a>,
    show: F,
    told: u64,
    stop: Stop,
}

impl<F: FnMut(AssociationRule)> Teller<'_, F> {
    /// Asks whether to stop; whether it is over.
    fn is_over(&mut self) -> bool {
        if self.stop == Stop::Complete && self.options.stop.is_some_and(|stop| stop()) {
            self.stop = Stop::Told;
        }
        self.stop != Stop::Complete
    }

    /// Shows the rule from a premise that some objects have to an intent that some of these have.
    fn tell(&mut self, premise: &[u64], of: u64, intent: &[u64], support: u64) {
        if self.stop != Stop::Complete {
            return;
        }
        if self.options.most == Some(self.told) {
            self.stop = Stop::Most;
            return;
        }
        self.told += 1;
        let conclusion: Box<[u64]> = intent.iter().zip(premise).map(|(i, p)| i & !p).collect();
        let objects = self.bitmap.objects() as f64;
        let confidence = support as f64 / of as f64;
        let usual = count(&self.bitmap.extent(&conclusion)) as f64 / objects;
        (self.show)(AssociationRule {
            premise: premise.into(),
            conclusion,
            support,
            share: support as f64 / objects,
            confidence,
            lift: confidence / usual,
        });
        if let Some(progress) = self.options.progress {
            progress.store(self.told, Relaxed);
        }
    }
}

/// The canonical base, and the rules between neighbouring intents.
fn luxenburger<F: FnMut(AssociationRule) + Send>(relation: &Relation, teller: &mut Teller<'_, F>) {
    let (options, min_support) = (teller.options, teller.options.fewest());
    if options.exact {
        let asked = BaseOptions { min_support, stop: options.stop, ..BaseOptions::default() };
        let exact = base(relation, &asked);
        for rule in exact.implications.iter().filter(|rule| options.is_short(&rule.premise)) {
            let intent: Vec<u64> =
                rule.premise.iter().zip(&rule.conclusion).map(|(p, c)| p | c).collect();
            teller.tell(&rule.premise, rule.support, &intent, rule.support);
        }
        if teller.stop == Stop::Complete {
            teller.stop = exact.stop;
        }
    }
    if !options.wants_exceptions() || teller.stop != Stop::Complete {
        return;
    }
    let over = AtomicBool::new(false);
    let stop = || over.load(Relaxed) || options.stop.is_some_and(|stop| stop());
    let terms = Terms { min_support, extents: true, stop: Some(&stop), ..Terms::default() };
    let mut neighbours = Neighbours::new(teller.bitmap);
    let mut look = |found: &Found<'_>| {
        if teller.stop != Stop::Complete || !options.is_short(found.intent) {
            return;
        }
        neighbours.of(found.intent, found.extent, |support| {
            support >= min_support && options.is_confident(support, found.support)
        });
        for (intent, support) in neighbours.found() {
            teller.tell(found.intent, found.support, intent, support);
        }
        if teller.stop != Stop::Complete {
            over.store(true, Relaxed);
        }
    };
    let outcome = enumerate(relation, &terms, std::slice::from_mut(&mut look));
    if teller.stop == Stop::Complete {
        teller.stop = outcome.stop;
    }
}
