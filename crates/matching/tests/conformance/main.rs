//! Tests for every matching method on every instruction set, with generated examples and changing
//! conditions. The oracle knows only which codes a condition allows.
//!
//! A new method is added to [`matchers`].

#![allow(clippy::cast_possible_truncation, reason = "generated sizes are small")]

mod survey;

use pellucid_bits::Level;
use pellucid_matching::{CodeDomain, CodedExamples, Coverage, MISSING, Matching, Test, Way};
use pellucid_testdevices::cases;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

const SLOTS: usize = 600;

/// Every method on every instruction set, and the automatic choice.
fn matchers(examples: &Arc<CodedExamples>) -> Vec<(String, Matching)> {
    let chosen = Level::chosen().expect("a level");
    let mut matchers = vec![("chosen".to_owned(), Matching::over(chosen, examples, SLOTS))];
    for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
        for way in Way::ALL {
            let matcher = Matching::by(way, level, examples, SLOTS);
            matchers.push((format!("{} on {level}", way.name()), matcher));
        }
    }
    for (name, machine) in survey::beside_gpus() {
        matchers.push((name, Matching::on(&machine, examples, SLOTS)));
    }
    matchers
}

/// An operation on a matcher.
#[derive(Clone, Debug)]
enum Event {
    Put(usize, Vec<Test>),
    Clear(usize),
    Ask(usize),
}

/// Whether a condition allows an example, computed from lists of the codes that each test allows.
fn allows(domains: &[CodeDomain], tests: &[Test], row: &[u32]) -> bool {
    tests.iter().all(|test| {
        let (code, domain) = (row[test.attribute as usize], domains[test.attribute as usize]);
        let allowed: Vec<u32> = match domain.is_set {
            true => (0..64).filter(|code| test.set() & (1 << code) != 0).collect(),
            false => (test.low..=test.high.min(domain.codes)).collect(),
        };
        code != MISSING && allowed.contains(&code)
    })
}

fn domains() -> impl Strategy<Value = Vec<CodeDomain>> {
    let sizes = prop::sample::select(vec![1, 2, 2, 3, 5, 17, 64, 65, 200, 300]);
    let domain = (sizes, any::<bool>()).prop_map(|(codes, set)| {
        if set { CodeDomain::nominal(codes) } else { CodeDomain::ordered(codes) }
    });
    prop::collection::vec(domain, 1..7)
}

fn test(domains: &[CodeDomain]) -> impl Strategy<Value = Test> + use<> {
    let domains = domains.to_vec();
    (any::<prop::sample::Index>(), any::<u64>(), 0u32..320, 0u32..320).prop_map(
        move |(column, set, one, other)| {
            let attribute = column.index(domains.len());
            match domains[attribute].is_set {
                true => Test::one_of(attribute as u32, set),
                false => Test::between(attribute as u32, one.min(other), one.max(other)),
            }
        },
    )
}

fn condition(domains: &[CodeDomain]) -> impl Strategy<Value = Vec<Test>> + use<> {
    prop::collection::vec(test(domains), 0..4).prop_map(|mut tests| {
        tests.sort();
        tests.dedup_by_key(|test| test.attribute);
        tests
    })
}

fn code(domain: CodeDomain) -> impl Strategy<Value = u32> {
    prop_oneof![1 => Just(MISSING), 9 => 0..domain.codes]
}

type Case = (Vec<CodeDomain>, Vec<u32>, Vec<Event>);

fn case(rows: impl Strategy<Value = usize>, events: usize) -> impl Strategy<Value = Case> {
    (domains(), rows).prop_flat_map(move |(domains, rows)| {
        let row: Vec<_> = domains.iter().map(|&domain| code(domain)).collect();
        let codes = prop::collection::vec(row, rows).prop_map(|rows| rows.concat());
        let event = prop_oneof![
            3 => (0..SLOTS, condition(&domains)).prop_map(|(slot, tests)| Event::Put(slot, tests)),
            1 => (0..SLOTS).prop_map(Event::Clear),
            3 => (0..rows).prop_map(Event::Ask),
        ];
        (Just(domains), codes, prop::collection::vec(event, 1..events))
    })
}

/// Matching every condition with all rows at once gives the same result.
fn check_coverage(examples: &CodedExamples, events: &[Event]) -> Result<(), TestCaseError> {
    let rows: Vec<u32> = (0..examples.rows() as u32).rev().collect();
    for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
        let mut coverage = Coverage::new(level, examples, rows.clone());
        for event in events {
            if let Event::Put(_, tests) = event {
                let covered = coverage.of(tests);
                for (place, &row) in rows.iter().enumerate() {
                    let expected = allows(examples.domains(), tests, examples.row(row as usize));
                    prop_assert_eq!(covered[place / 512].get(place % 512), expected, "{}", level);
                }
            }
        }
    }
    Ok(())
}

fn check((domains, codes, events): Case) -> Result<(), TestCaseError> {
    let examples = Arc::new(CodedExamples::new(domains.clone(), codes).expect("generated codes"));
    check_coverage(&examples, &events[..events.len().min(60)])?;
    let asked: Vec<u32> = events
        .iter()
        .filter_map(|event| if let Event::Ask(row) = event { Some(*row as u32) } else { None })
        .collect();
    for (name, mut matcher) in matchers(&examples) {
        matcher.foresee(&asked);
        let mut slots: BTreeMap<usize, &[Test]> = BTreeMap::new();
        let mut matched = Vec::new();
        for event in &events {
            match event {
                Event::Put(slot, tests) => {
                    matcher.put(*slot, tests);
                    slots.insert(*slot, tests);
                }
                Event::Clear(slot) => {
                    matcher.clear(*slot);
                    slots.remove(slot);
                }
                Event::Ask(row) => {
                    let codes = examples.row(*row);
                    let expected: Vec<u32> = slots
                        .iter()
                        .filter(|(_, tests)| allows(&domains, tests, codes))
                        .map(|(&slot, _)| slot as u32)
                        .collect();
                    matcher.matched(*row, &mut matched);
                    prop_assert_eq!(&matched, &expected, "{}", name);
                    matcher.matched_again(*row, &mut matched);
                    prop_assert_eq!(&matched, &expected, "{} again", name);
                    matcher.matched_input(codes, &mut matched);
                    prop_assert_eq!(&matched, &expected, "{} as an input", name);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), ..ProptestConfig::default() })]

    #[test]
    fn few_rows_and_many_changes(case in case(1usize..40, 200)) {
        check(case)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(12), ..ProptestConfig::default() })]

    #[test]
    fn around_block_and_tile_edges(
        case in case(prop::sample::select(vec![63, 64, 65, 511, 512, 513, 1025]), 1500),
    ) {
        check(case)?;
    }
}

#[test]
fn the_automatic_choice_is_right_while_it_tries_methods() {
    let domains = vec![CodeDomain::ordered(50); 3];
    let codes = (0..3 * 2000u32).map(|place| place * 7919 % 50).collect();
    let examples = Arc::new(CodedExamples::new(domains.clone(), codes).expect("codes below 50"));
    let (mut matcher, mut plain) = (
        Matching::over(Level::chosen().expect("a level"), &examples, SLOTS),
        Matching::by(Way::Direct, Level::Scalar, &examples, SLOTS),
    );
    let (mut found, mut expected, mut ways) = (Vec::new(), Vec::new(), Vec::new());
    for step in 0..20_000u32 {
        let (slot, low) = ((step * 31 % 600) as usize, step * 13 % 50);
        let tests = [Test::between(step % 3, low.min(40), 49.min(low + step % 17))];
        matcher.put(slot, &tests);
        plain.put(slot, &tests);
        let row = (step * 613 % 2000) as usize;
        matcher.foresee(&[row as u32]);
        matcher.matched(row, &mut found);
        plain.matched(row, &mut expected);
        assert_eq!(found, expected, "step {step}, {}", matcher.way().name());
        if !ways.contains(&matcher.way()) {
            ways.push(matcher.way());
        }
    }
    assert_eq!(ways.len(), 4, "every method was tried: {ways:?}");
}

#[test]
fn invalid_codes_are_rejected_with_their_position() {
    let error =
        CodedExamples::new(vec![CodeDomain::ordered(2), CodeDomain::nominal(3)], vec![0, 1, 2, 0]);
    assert_eq!(
        error.expect_err("a code too large").to_string(),
        "row 1, column 0: found code 2; expected a code below 2 or missing"
    );
    let error =
        CodedExamples::new(vec![CodeDomain::ordered(2)], vec![]).map(|examples| examples.rows());
    assert_eq!(error, Ok(0));
}
