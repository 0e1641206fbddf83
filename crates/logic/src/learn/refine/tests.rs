use super::super::random_world::{answers, context, planted, random_kb, run_to_end};
use super::super::{Operators, Options, SearchMethod, Semantics, StepOutcome};
use super::Refine;
use super::operator::{LengthRange, Operator};
use pellucid_learn::metrics::Metric;
use pellucid_program::ProgramId;
use proptest::prelude::*;

/// Options for planted expressions with few instances: F1 rewards general expressions, which lead to them.
fn options(hypotheses: u64) -> Options {
    Options { hypotheses: Some(hypotheses), measure: Metric::F1, ..Options::default() }
}

#[test]
fn planted_expressions_are_found() {
    for text in [
        "A and B",
        "not A and some r (B)",
        "some r (A and some s (B))",
        "min 2 r (A)",
        "only r (A)",
        "max 1 s (B)",
        "some inverse r (D)",
        "some age (age >= 20)",
        "A and some age (age <= 10)",
        "some r (some age (age >= 30))",
        "some colour (colour = green) and B",
        "A or some s (B)",
        "A and (some r (D) or only s (B))",
    ] {
        for seed in 0..3 {
            let kb = random_kb(seed, 60);
            let Some(task) = planted(&kb, text) else { continue };
            let mut context = context(&kb, task, &options(400_000), 2);
            let mut search = Refine::new(&mut context).unwrap();
            run_to_end(&mut search, &mut context);
            let best = context.leaderboard().best().unwrap();
            assert!(context.is_solved(), "{text} in world {seed}: {} {:?}", best.text, best.score);
        }
    }
}

#[test]
fn threads_and_pauses_do_not_matter() {
    let kb = random_kb(7, 80);
    let task = planted(&kb, "some r (A and only s (B or C)) and not D").unwrap();
    let whole = |threads| {
        let mut context = context(&kb, task.clone(), &options(60_000), threads);
        let mut search = Refine::new(&mut context).unwrap();
        run_to_end(&mut search, &mut context);
        (answers(&context), context.evaluated(), search.state(&context))
    };
    let once = whole(1);
    assert_eq!(once, whole(3));

    // Every step runs in a new search and a new context, restored from the last state.
    let mut search_context = context(&kb, task.clone(), &options(60_000), 1);
    let mut state = Refine::new(&mut search_context).unwrap().state(&search_context);
    while search_context.should_stop().is_none() {
        let mut next = context(&kb, task.clone(), &options(60_000), 2);
        let text = serde_json::to_string(&state).unwrap();
        let mut search = Refine::restore(&mut next, serde_json::from_str(&text).unwrap()).unwrap();
        for answer in search_context.leaderboard().answers() {
            next.put_back(&answer.expr).unwrap();
        }
        next.set_evaluated(search_context.evaluated());
        let outcome = search.step(&mut next).unwrap();
        state = search.state(&next);
        search_context = next;
        if outcome != StepOutcome::More {
            break;
        }
    }
    assert_eq!(once, (answers(&search_context), search_context.evaluated(), state));
}

#[test]
fn an_interrupted_step_changes_nothing() {
    let kb = random_kb(3, 60);
    let task = planted(&kb, "some r (A and some s (B and some r (D)))").unwrap();
    let mut context = context(&kb, task, &Options::default(), 1);
    let mut search = Refine::new(&mut context).unwrap();
    search.step(&mut context).unwrap();
    let state = search.state(&context);
    context.control().interrupt();
    assert_eq!(search.step(&mut context).unwrap(), StepOutcome::CutShort);
    assert_eq!(search.state(&context), state);
}

#[test]
fn excluded_names_and_operators_are_not_used() {
    let kb = random_kb(5, 60);
    let task = planted(&kb, "some inverse r (A) and not B").unwrap();
    let none = Operators {
        negation: false,
        universal: false,
        inverse: false,
        cardinality: 1,
        numeric: false,
        strings: false,
        nominals: false,
        coordinates: false,
    };
    let options = Options {
        operators: none,
        exclude: vec!["A".into(), "t".into()],
        length: 9,
        answers: 200,
        ..options(30_000)
    };
    let mut context = context(&kb, task, &options, 1);
    let mut search = Refine::new(&mut context).unwrap();
    run_to_end(&mut search, &mut context);
    for answer in context.leaderboard().answers() {
        let words: Vec<&str> = answer.text.split(|c: char| !c.is_alphanumeric()).collect();
        for word in ["not", "only", "inverse", "min", "max", "age", "colour", "A", "t"] {
            assert!(!words.contains(&word), "{}", answer.text);
        }
        assert!(answer.score.length <= 9);
    }
    assert!(context.leaderboard().answers().len() > 5);
}

#[test]
fn damaged_states_are_refused() {
    let kb = random_kb(1, 40);
    let task = planted(&kb, "some r (A) and B").unwrap();
    let mut context = context(&kb, task, &options(10_000), 1);
    let mut search = Refine::new(&mut context).unwrap();
    search.step(&mut context).unwrap();
    let good = search.state(&context);
    let mut broken = good.clone();
    broken.nodes[0].text = "some r (".into();
    assert!(Refine::restore(&mut context, broken).is_err());
    let mut broken = good.clone();
    broken.nodes[0].text = "some age (A)".into();
    assert!(Refine::restore(&mut context, broken).is_err());
    let mut broken = good;
    broken.coverages.extend(broken.coverages.clone());
    assert!(Refine::restore(&mut context, broken).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// On every path of the tree, the extent of a child is contained in that of its parent.
    #[test]
    fn refinements_are_specializations(seed in 0..1000_u64, semantics in 0..3_usize, picks: [u16; 6]) {
        let kb = random_kb(seed, 40);
        let Some(task) = planted(&kb, "some r (A) or B") else { return Ok(()) };
        let nominals = Operators { nominals: true, ..Operators::default() };
        let options = Options {
            operators: nominals,
            semantics: [Semantics::Standard, Semantics::HtHedl, Semantics::SomeOnly][semantics],
            ..Options::default()
        };
        let mut context = context(&kb, task, &options, 1);
        let mut operator = Operator::new(&context);
        let mut parent: ProgramId = context.programs_mut().constant(true);
        for pick in picks {
            let length = i64::from(context.length(parent));
            let lengths = LengthRange { above: -1, up_to: length + 7 };
            let children = operator.refine(&mut context, parent, lengths).unwrap();
            prop_assume!(!children.is_empty());
            let above = context.reasoner().cover_examples(&[parent]).unwrap();
            let below = context.reasoner().cover_examples(&children).unwrap();
            for (row, &child) in children.iter().enumerate() {
                prop_assert!(
                    below.ones(row).all(|example| above.get(0, example)),
                    "{} is not below {}", context.programs().text(child), context.programs().text(parent)
                );
            }
            parent = children[usize::from(pick) % children.len()];
        }
    }
}
