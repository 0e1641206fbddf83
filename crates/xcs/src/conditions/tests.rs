//! Properties of the operators on conditions.

use super::{Conditions, Intervals, Ternary};
use crate::params::{Bounds, Crossover};
use pellucid_learn::rng::{Stream, Streams};
use pellucid_matching::{CodeDomain, MISSING, Test, spec};
use proptest::prelude::*;

fn input(domains: &[CodeDomain], stream: &mut Stream) -> Vec<u32> {
    let code = |domain: &CodeDomain, stream: &mut Stream| match stream.chance(0.1) {
        true => MISSING,
        false => u32::try_from(stream.below(u64::from(domain.codes))).expect("a code"),
    };
    domains.iter().map(|domain| code(domain, stream)).collect()
}

/// Breeds around one input and checks all children.
fn check<C: Conditions>(
    mut conditions: C,
    domains: &[CodeDomain],
    seed: u64,
) -> Result<(), TestCaseError> {
    let mut stream = Streams::new(seed).stream(&[]);
    let seen = input(domains, &mut stream);
    let others: Vec<Vec<u32>> = (0..30).map(|_| input(domains, &mut stream)).collect();
    let (mut one, mut other) = (C::Condition::default(), C::Condition::default());
    let mut tests: Vec<Test>;
    let mut room = Vec::new();
    for slot in 0..4 {
        conditions.cover(&seen, &mut stream, &mut one);
        conditions.store(slot, &one);
    }
    for round in 0..40 {
        let slots = [stream.index(4), stream.index(4)];
        conditions.load(slots[0], &mut one);
        conditions.load(slots[1], &mut other);
        let how = if round % 2 == 0 { Crossover::TwoPoint } else { Crossover::Uniform };
        conditions.cross(how, &mut one, &mut other, &mut stream);
        conditions.mutate(&mut one, &seen, 0.3, &mut stream);
        conditions.mutate(&mut other, &seen, 0.3, &mut stream);
        for child in [&one, &other] {
            tests = conditions.tests(child, &mut room).to_vec();
            prop_assert!(tests.windows(2).all(|pair| pair[0].attribute < pair[1].attribute));
            prop_assert!(spec::matches(domains, &tests, &seen), "{:?} against {:?}", tests, seen);
            let mut asking: Vec<Test>;
            for slot in 0..4 {
                let mut known = C::Condition::default();
                conditions.load(slot, &mut known);
                asking = conditions.tests(&known, &mut room).to_vec();
                let matched = |tests: &[Test]| {
                    others
                        .iter()
                        .map(|codes| spec::matches(domains, tests, codes))
                        .collect::<Vec<_>>()
                };
                if conditions.contains(slot, child) {
                    let (wide, narrow) = (matched(&asking), matched(&tests));
                    prop_assert!(wide.iter().zip(&narrow).all(|(wide, narrow)| *wide || !narrow));
                }
                prop_assert_eq!(conditions.equals(slot, child), asking == tests);
                if asking == tests {
                    prop_assert_eq!(conditions.digest(&known), conditions.digest(child));
                    prop_assert!(conditions.contains(slot, child));
                }
            }
        }
        let mut more = one.clone();
        conditions.specify(&mut more, &seen, 0.5, &mut stream);
        conditions.store(0, &one);
        prop_assert!(conditions.contains(0, &more), "a specified condition is more specific");
        tests = conditions.tests(&more, &mut room).to_vec();
        prop_assert!(spec::matches(domains, &tests, &seen));
        conditions.load_tests(&tests, &mut other);
        prop_assert_eq!(conditions.digest(&other), conditions.digest(&more));
        conditions.store(stream.index(4), &one);
        prop_assert_eq!(conditions.find_problem(domains.len()), None);
    }
    Ok(())
}

proptest! {
    #[test]
    fn intervals_match_the_input(
        seed: u64,
        sizes in prop::collection::vec((1u32..40, any::<bool>()), 1..9),
        bounds in prop::sample::select(vec![Bounds::CentreSpread, Bounds::Ordered, Bounds::Unordered]),
        named in 0.05f64..1.0,
    ) {
        let domains: Vec<CodeDomain> = sizes
            .iter()
            .map(|&(codes, set)| if set { CodeDomain::nominal(codes) } else { CodeDomain::ordered(codes) })
            .collect();
        check(Intervals::new(&domains, bounds, named, 0.4, 0.3), &domains, seed)?;
    }

    #[test]
    fn ternary_conditions_match_the_input(seed: u64, columns in 1usize..150, dont_care in 0.0f64..1.0) {
        let domains = vec![CodeDomain::ordered(2); columns];
        check(Ternary::new(columns, dont_care), &domains, seed)?;
    }
}
