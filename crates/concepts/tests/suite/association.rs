//! Tests association rules against their definition on small contexts.

use crate::support::{every_set, real, small};
use pellucid_bits::words::{count, is_subset};
use pellucid_close::{SearchStop, spec};
use pellucid_concepts::association::{
    AssociationRule, RuleBasis, RuleOptions, RuleOrder, collect, visit,
};
use pellucid_concepts::implications;
use pellucid_data::Relation;
use proptest::prelude::*;

fn support(relation: &Relation, set: &[u64]) -> u64 {
    count(&spec::extent_of(relation, set))
}

fn minus(set: &[u64], other: &[u64]) -> Vec<u64> {
    set.iter().zip(other).map(|(a, b)| a & !b).collect()
}

fn union(set: &[u64], other: &[u64]) -> Vec<u64> {
    set.iter().zip(other).map(|(a, b)| a | b).collect()
}

fn intents(relation: &Relation) -> Vec<Vec<u64>> {
    every_set(relation).filter(|set| spec::closure(relation, set) == *set).collect()
}

fn is_inside(inner: &[u64], outer: &[u64]) -> bool {
    inner != outer && is_subset(inner, outer)
}

/// Premises with the intents they lead to.
type Pairs = Vec<(Vec<u64>, Vec<u64>)>;

/// Pairs of neighboring intents, and those of the stem base.
fn luxenburger(relation: &Relation) -> Pairs {
    let intents = intents(relation);
    let mut pairs: Pairs = implications::spec::base(relation)
        .iter()
        .map(|i| (i.premise.to_vec(), union(&i.premise, &i.conclusion)))
        .collect();
    for above in &intents {
        for below in intents.iter().filter(|below| is_inside(above, below)) {
            if !intents.iter().any(|between| is_inside(above, between) && is_inside(between, below))
            {
                pairs.push((above.clone(), below.clone()));
            }
        }
    }
    pairs
}

/// Pairs of minimal generators and all larger intents.
fn generic(relation: &Relation) -> Pairs {
    let is_minimal = |set: &Vec<u64>| {
        every_set(relation)
            .filter(|part| is_inside(part, set))
            .all(|part| spec::closure(relation, &part) != spec::closure(relation, set))
    };
    let generators: Vec<_> = every_set(relation).filter(is_minimal).collect();
    let intents = intents(relation);
    let holding = |set: &Vec<u64>| {
        let set = set.clone();
        intents.iter().filter(move |intent| is_inside(&set, intent)).cloned().collect::<Vec<_>>()
    };
    generators.iter().flat_map(|set| holding(set).into_iter().map(|i| (set.clone(), i))).collect()
}

/// The requested rules of these pairs.
fn rules_of(relation: &Relation, pairs: Pairs, options: &RuleOptions<'_>) -> Vec<AssociationRule> {
    let mut rules = Vec::new();
    for (premise, intent) in pairs {
        let (of, support_of_both) = (support(relation, &premise), support(relation, &intent));
        let confidence = support_of_both as f64 / of as f64;
        let longest = options.longest_premise.unwrap_or(usize::MAX) as u64;
        let is_wanted = support_of_both >= options.min_support.max(1) && count(&premise) <= longest;
        let is_kind = if of == support_of_both {
            options.exact
        } else {
            confidence >= options.min_confidence
        };
        if is_wanted && is_kind {
            let conclusion = minus(&intent, &premise);
            let objects = relation.objects() as f64;
            rules.push(AssociationRule {
                lift: confidence / (support(relation, &conclusion) as f64 / objects),
                premise: premise.into(),
                conclusion: conclusion.into(),
                support: support_of_both,
                share: support_of_both as f64 / objects,
                confidence,
            });
        }
    }
    rules.sort_by(AssociationRule::order);
    rules
}

fn options() -> impl Strategy<Value = RuleOptions<'static>> {
    let confidence = prop_oneof![Just(0.0), Just(0.5), Just(2.0 / 3.0), Just(1.0), 0.0..1.0f64];
    (0u64..4, confidence, any::<bool>(), prop::option::of(0usize..4)).prop_map(
        |(min_support, min_confidence, exact, longest_premise)| RuleOptions {
            min_support,
            min_confidence,
            exact,
            longest_premise,
            ..RuleOptions::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(300)))]

    #[test]
    fn neighbors_and_the_base_form_the_luxenburger_basis(relation in small(), options in options()) {
        let (rules, stop) = collect(&relation, &options).unwrap();
        prop_assert_eq!(stop, SearchStop::Complete);
        prop_assert_eq!(rules, rules_of(&relation, luxenburger(&relation), &options));
    }

    #[test]
    fn generic_rules_are_those_of_minimal_generators(relation in small(), options in options()) {
        let options = RuleOptions { basis: RuleBasis::Generic, ..options };
        let (rules, stop) = collect(&relation, &options).unwrap();
        prop_assert_eq!(stop, SearchStop::Complete);
        prop_assert_eq!(rules, rules_of(&relation, generic(&relation), &options));
    }

    #[test]
    fn every_valid_rule_is_implied_by_a_generic_one(relation in small(), min_confidence in 0.0..1.0f64) {
        let options = RuleOptions { basis: RuleBasis::Generic, min_confidence, ..RuleOptions::default() };
        let (rules, _) = collect(&relation, &options).unwrap();
        for both in every_set(&relation).filter(|both| support(&relation, both) > 0) {
            for premise in every_set(&relation).filter(|premise| is_inside(premise, &both)) {
                let (all, of) = (support(&relation, &both), support(&relation, &premise));
                let confidence = all as f64 / of as f64;
                let says_it = |rule: &AssociationRule| {
                    is_subset(&rule.premise, &premise)
                        && is_subset(&both, &union(&rule.premise, &rule.conclusion))
                        && (rule.support, rule.confidence) == (all, confidence)
                };
                prop_assert!(confidence < min_confidence || rules.iter().any(says_it));
            }
        }
    }

    #[test]
    fn a_maximum_keeps_the_first_rules_and_ends_the_visit(
        relation in small(), basis in prop_oneof![Just(RuleBasis::Luxenburger), Just(RuleBasis::Generic)],
        order in prop_oneof![Just(RuleOrder::Confidence), Just(RuleOrder::Support), Just(RuleOrder::Lift)],
        most in 0usize..6,
    ) {
        let all = RuleOptions { basis, min_confidence: 0.0, ..RuleOptions::default() };
        let all = RuleOptions { order, ..all };
        let (every, _) = collect(&relation, &all).unwrap();
        let key = |rule: &AssociationRule| match order {
            RuleOrder::Confidence => rule.confidence,
            RuleOrder::Support => rule.support as f64,
            RuleOrder::Lift => rule.lift,
        };
        prop_assert!(every.is_sorted_by(|a, b| key(a) >= key(b)));
        let some = RuleOptions { most: Some(most as u64), ..all };
        let listed = every.len().min(most);
        let stop = if every.len() > most { SearchStop::Limit } else { SearchStop::Complete };
        prop_assert_eq!(collect(&relation, &some).unwrap(), (every[..listed].to_vec(), stop));
        let mut shown = Vec::new();
        prop_assert_eq!(visit(&relation, &some, |rule| shown.push(rule)), Ok(stop));
        prop_assert_eq!(shown.len(), listed);
        prop_assert!(shown.iter().all(|rule| every.contains(rule)));
    }
}

#[test]
fn stops_on_request() {
    for name in ["tests/data/contexts/tools.cxt", "cxt/Booth.cxt"] {
        let Some(context) = real(name) else { continue };
        let stop = || true;
        for basis in [RuleBasis::Luxenburger, RuleBasis::Generic] {
            let options = RuleOptions { basis, stop: Some(&stop), ..RuleOptions::default() };
            let stopped = visit(&context.relation, &options, |_| ());
            assert_eq!(stopped, Ok(SearchStop::Requested), "{name}, {basis:?}");
        }
    }
}
