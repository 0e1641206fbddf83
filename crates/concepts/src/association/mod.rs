//! Association rules: *90 % of the customers who buy bread and jam also buy butter*.
//!
//! The **support** of a rule is the number of objects that have its premise and its conclusion. Its
//! **confidence** is the share of the objects with the premise that also have the conclusion. There
//! are too many rules to list them all, so a basis is listed:
//!
//! - [`RuleBasis::Luxenburger`], the default: rules between neighboring intents, and the stem base
//!   for the implications. The confidence of any other rule is a product of confidences along a
//!   path in the lattice. Premises are intents and may be long.
//! - [`RuleBasis::Generic`]: rules from minimal generators to every intent with enough confidence.
//!   Premises are minimal and conclusions maximal. There are more of them. For every valid rule
//!   there is one with the same support and confidence, a premise that is no longer and a
//!   conclusion that is no shorter.
//!
//! [`visit`] calls a function for each rule, [`collect`] keeps the best, [`text`] writes them.
//!
//! ```
//! use pellucid_concepts::association::{RuleOptions, collect};
//! use pellucid_data::Relation;
//!
//! // 0 bread, 1 butter, 2 jam.
//! let relation = Relation::new(3, [[0, 1].as_slice(), &[0, 1, 2], &[0, 1], &[0]])?;
//! let options = RuleOptions { min_confidence: 0.7, ..RuleOptions::default() };
//! let (rules, _) = collect(&relation, &options)?;
//! let found: Vec<_> =
//!     rules.iter().map(|r| (r.premise[0], r.conclusion[0], r.support, r.confidence)).collect();
//! // All four have bread; butter follows from bread and jam; 3 of 4 with bread have butter.
//! assert_eq!(found, [(0b000, 0b001, 4, 1.0), (0b101, 0b010, 1, 1.0), (0b001, 0b010, 3, 0.75)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod best;
mod generators;
mod neighbors;
pub mod text;

use crate::bitmap::Bitmap;
use crate::enumerate::enumerate;
use crate::implications::{BaseOptions, base, lectic};
use neighbors::Neighbors;
use pellucid_bits::LevelError;
use pellucid_bits::words::count;
use pellucid_close::{ConceptView, SearchStop, Terms};
use pellucid_data::Relation;
use std::cmp::Ordering;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// An association rule with its measures.
#[derive(Clone, Debug, PartialEq)]
pub struct AssociationRule {
    /// The attributes of the premise, as [`words`](pellucid_bits::words).
    pub premise: Box<[u64]>,
    /// The attributes of the conclusion, without those of the premise.
    pub conclusion: Box<[u64]>,
    /// The number of objects that have the premise and the conclusion.
    pub support: u64,
    /// The support as a share of all objects.
    pub share: f64,
    /// The share of the objects with the premise that also have the conclusion; 1 for an
    /// implication.
    pub confidence: f64,
    /// The confidence divided by the share of all objects that have the conclusion.
    pub lift: f64,
}

impl AssociationRule {
    /// Compares by descending confidence, descending support, premise (size, then lectic order) and
    /// conclusion.
    #[must_use]
    pub fn order(&self, other: &AssociationRule) -> Ordering {
        let by_set = |a: &[u64], b: &[u64]| count(a).cmp(&count(b)).then_with(|| lectic(a, b));
        (other.confidence.total_cmp(&self.confidence))
            .then_with(|| other.support.cmp(&self.support))
            .then_with(|| by_set(&self.premise, &other.premise))
            .then_with(|| by_set(&self.conclusion, &other.conclusion))
    }
}

/// The basis of association rules to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleBasis {
    /// Rules between neighboring intents, and the stem base.
    #[default]
    Luxenburger,
    /// Rules from every minimal generator to every intent with enough confidence.
    Generic,
}

/// The order of association rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleOrder {
    /// Highest confidence first: [`AssociationRule::order`].
    #[default]
    Confidence,
    /// Highest support first, then by confidence.
    Support,
    /// Highest lift first, then by confidence.
    Lift,
}

impl RuleOrder {
    /// Compares two rules in this order.
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

/// The options of the search for association rules.
#[derive(Clone, Copy)]
pub struct RuleOptions<'a> {
    /// The basis to list.
    pub basis: RuleBasis,
    /// The minimum support of a rule. Values below 1 mean 1, because confidence is undefined for an
    /// empty premise extent.
    pub min_support: u64,
    /// The minimum confidence. At 1 only implications are listed.
    pub min_confidence: f64,
    /// Whether implications (rules with a confidence of 1) are listed.
    pub exact: bool,
    /// The order in which [`collect`] returns the rules.
    pub order: RuleOrder,
    /// The maximum number of attributes in a premise.
    pub longest_premise: Option<usize>,
    /// The maximum number of rules.
    pub most: Option<u64>,
    /// Called repeatedly from any thread; the search stops when it returns true.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Updated with the number of rules found so far.
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
    fn min_objects(&self) -> u64 {
        self.min_support.max(1)
    }

    /// Whether rules with a confidence below 1 are requested.
    fn includes_inexact(&self) -> bool {
        self.min_confidence < 1.0
    }

    /// Whether `support` of `of` objects is enough confidence.
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

/// Calls `show` for each rule, in no particular order, up to the maximum number of rules.
///
/// # Errors
/// If `PELLUCID_SIMD` is not a level that this CPU supports.
pub fn visit(
    relation: &Relation,
    options: &RuleOptions<'_>,
    show: impl FnMut(AssociationRule) + Send,
) -> Result<SearchStop, LevelError> {
    let bitmap = Bitmap::new(relation);
    let mut sink =
        RuleSink { bitmap: &bitmap, options, show, emitted: 0, stop: SearchStop::Complete };
    match options.basis {
        RuleBasis::Luxenburger => luxenburger(relation, &mut sink)?,
        RuleBasis::Generic => generators::generic(&mut sink),
    }
    Ok(sink.stop)
}

/// Returns the rules in the requested order; the first ones if there are more than the maximum.
///
/// # Errors
/// If `PELLUCID_SIMD` is not a level that this CPU supports.
pub fn collect(
    relation: &Relation,
    options: &RuleOptions<'_>,
) -> Result<(Vec<AssociationRule>, SearchStop), LevelError> {
    let mut best = best::BestRules::new(options.order, options.most);
    let all = RuleOptions { most: None, ..*options };
    let stop = visit(relation, &all, |rule| best.add(rule))?;
    Ok(best.finish(stop))
}

/// Builds rules, and passes on those that are requested.
struct RuleSink<'a, F> {
    bitmap: &'a Bitmap,
    options: &'a RuleOptions<'a>,
    show: F,
    emitted: u64,
    stop: SearchStop,
}

impl<F: FnMut(AssociationRule)> RuleSink<'_, F> {
    /// Polls the stop function. Returns whether the search is over.
    fn should_stop(&mut self) -> bool {
        if self.stop == SearchStop::Complete && self.options.stop.is_some_and(|stop| stop()) {
            self.stop = SearchStop::Requested;
        }
        self.stop != SearchStop::Complete
    }

    /// Passes on the rule from a premise with `of` objects to an intent with `support` objects.
    fn emit(&mut self, premise: &[u64], of: u64, intent: &[u64], support: u64) {
        if self.stop != SearchStop::Complete {
            return;
        }
        if self.options.most == Some(self.emitted) {
            self.stop = SearchStop::Limit;
            return;
        }
        self.emitted += 1;
        let conclusion: Box<[u64]> = intent.iter().zip(premise).map(|(i, p)| i & !p).collect();
        let objects = self.bitmap.objects() as f64;
        let confidence = support as f64 / of as f64;
        let expected = count(&self.bitmap.extent(&conclusion)) as f64 / objects;
        (self.show)(AssociationRule {
            premise: premise.into(),
            conclusion,
            support,
            share: support as f64 / objects,
            confidence,
            lift: confidence / expected,
        });
        if let Some(progress) = self.options.progress {
            progress.store(self.emitted, Relaxed);
        }
    }
}

/// Emits the stem base and the rules between neighboring intents.
fn luxenburger<F: FnMut(AssociationRule) + Send>(
    relation: &Relation,
    sink: &mut RuleSink<'_, F>,
) -> Result<(), LevelError> {
    let (options, min_support) = (sink.options, sink.options.min_objects());
    if options.exact {
        let base_options =
            BaseOptions { min_support, stop: options.stop, ..BaseOptions::default() };
        let exact = base(relation, &base_options);
        for rule in exact.implications.iter().filter(|rule| options.is_short(&rule.premise)) {
            let intent: Vec<u64> =
                rule.premise.iter().zip(&rule.conclusion).map(|(p, c)| p | c).collect();
            sink.emit(&rule.premise, rule.support, &intent, rule.support);
        }
        if sink.stop == SearchStop::Complete {
            sink.stop = exact.stop;
        }
    }
    if !options.includes_inexact() || sink.stop != SearchStop::Complete {
        return Ok(());
    }
    let is_over = AtomicBool::new(false);
    let stop = || is_over.load(Relaxed) || options.stop.is_some_and(|stop| stop());
    let terms = Terms { min_support, extents: true, stop: Some(&stop), ..Terms::default() };
    let mut neighbors = Neighbors::new(sink.bitmap);
    let mut visit_concept = |found: &ConceptView<'_>| {
        if sink.stop != SearchStop::Complete || !options.is_short(found.intent) {
            return;
        }
        neighbors.of(found.intent, found.extent, |support| {
            support >= min_support && options.is_confident(support, found.support)
        });
        for (intent, support) in neighbors.found() {
            sink.emit(found.intent, found.support, intent, support);
        }
        if sink.stop != SearchStop::Complete {
            is_over.store(true, Relaxed);
        }
    };
    let outcome = enumerate(relation, &terms, std::slice::from_mut(&mut visit_concept))?;
    if sink.stop == SearchStop::Complete {
        sink.stop = outcome.stop;
    }
    Ok(())
}
