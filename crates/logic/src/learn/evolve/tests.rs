use super::super::random_world::{answers, context, planted, random_kb, run_to_end};
use super::super::{Operators, Options, SearchMethod, StepOutcome};
use super::Evolve;
use super::symbols::Symbols;
use super::tree::{height, replace, tree_positions};
use super::{breed, grow};
use pellucid_learn::rng::Streams;
use pellucid_program::ProgramId;
use proptest::prelude::*;

fn options(hypotheses: u64) -> Options {
    Options { hypotheses: Some(hypotheses), ..Options::default() }
}

#[test]
fn planted_expressions_are_found() {
    for text in [
        "A and B",
        "not A and some r (B)",
        "some r (A and some s (B))",
        "min 2 r (A)",
        "only r (A)",
        "some inverse r (D)",
        "some age (age >= 20)",
        "A and some age (age <= 10)",
        "some colour (colour = green) and B",
        "A or some s (B)",
        "A and (some r (D) or B)",
    ] {
        for seed in 0..3 {
            let kb = random_kb(seed, 60);
            let Some(task) = planted(&kb, text) else { continue };
            let mut context = context(&kb, task, &options(400_000), 2);
            let mut search = Evolve::new(&mut context).unwrap();
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
    let whole = |threads, seed| {
        let options = Options { seed, ..options(20_000) };
        let mut context = context(&kb, task.clone(), &options, threads);
        let mut search = Evolve::new(&mut context).unwrap();
        run_to_end(&mut search, &mut context);
        (answers(&context), context.evaluated(), search.state(&context))
    };
    let once = whole(1, 0);
    assert_eq!(once, whole(3, 0));
    assert_ne!(once.2, whole(1, 1).2);

    // Every generation runs in a new search and a new context, restored from the last state.
    let mut search_context = context(&kb, task.clone(), &options(20_000), 1);
    let mut state = Evolve::new(&mut search_context).unwrap().state(&search_context);
    while search_context.should_stop().is_none() {
        let mut next = context(&kb, task.clone(), &options(20_000), 2);
        let text = serde_json::to_string(&state).unwrap();
        let mut search = Evolve::restore(&mut next, serde_json::from_str(&text).unwrap()).unwrap();
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
    let mut search = Evolve::new(&mut context).unwrap();
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
    let exclude = vec!["A".into(), "t".into()];
    let options = Options { operators: none, exclude, length: 9, answers: 200, ..options(10_000) };
    let mut context = context(&kb, task, &options, 1);
    let mut search = Evolve::new(&mut context).unwrap();
    run_to_end(&mut search, &mut context);
    for answer in context.leaderboard().answers() {
        let symbols: Vec<&str> = answer.text.split(|c: char| !c.is_alphanumeric()).collect();
        for word in ["not", "only", "inverse", "min", "max", "age", "colour", "A", "t"] {
            assert!(!symbols.contains(&word), "{}", answer.text);
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
    let mut search = Evolve::new(&mut context).unwrap();
    search.step(&mut context).unwrap();
    let good = search.state(&context);
    for text in ["some r (", "some age (A)", "A and some r (some r (some r (some r (D))))"] {
        let mut broken = good.clone();
        broken.population[0] = text.into();
        assert!(Evolve::restore(&mut context, broken).is_err());
    }
    let mut broken = good;
    broken.known.iter_mut().for_each(|known| known.1 = 1000);
    assert!(Evolve::restore(&mut context, broken).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// All offspring are well-typed.
    #[test]
    fn offspring_are_well_typed(seed in 0..1000_u64) {
        let kb = random_kb(seed, 30);
        let Some(task) = planted(&kb, "some r (A) or B") else { return Ok(()) };
        let mut context = context(&kb, task, &Options::default(), 1);
        let symbols = Symbols::new(&context);
        let mut stream = Streams::new(seed).stream(&[]);
        let mut population: Vec<ProgramId> = Vec::new();
        for _ in 0..20 {
            population.push(grow::grow(&mut context, &symbols, &mut stream, 4).unwrap());
        }
        for _ in 0..200 {
            let parents = breed::Parents::new(population.clone());
            if let Some(child) = breed::offspring(&mut context, &symbols, &mut stream, &parents).unwrap() {
                let positions = tree_positions(context.programs(), &kb.world, child);
                prop_assert!(height(&positions) <= context.length(child) as usize);
                let at = stream.index(population.len());
                population[at] = child;
            }
        }
        prop_assert!(context.reasoner().cover(&population).is_ok());
    }

    /// Replacing a subtree by itself gives the same program.
    #[test]
    fn replacing_a_subtree_by_itself_changes_nothing(seed in 0..1000_u64) {
        let kb = random_kb(seed, 10);
        let Some(task) = planted(&kb, "A") else { return Ok(()) };
        let mut context = context(&kb, task, &Options::default(), 1);
        let symbols = Symbols::new(&context);
        let mut stream = Streams::new(seed).stream(&[]);
        let program = grow::grow(&mut context, &symbols, &mut stream, 5).unwrap();
        let positions = tree_positions(context.programs(), &kb.world, program);
        for at in 0..positions.len() {
            let same = replace(context.programs_mut(), &positions, at, positions[at].part);
            prop_assert_eq!(same, program);
        }
        prop_assert!(height(&positions) <= positions.len());
    }
}
