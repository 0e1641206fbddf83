//! Agents in single-step and multi-step problems: how fast they learn, and that the matching method
//! does not matter.

use pellucid_bits::Level;
use pellucid_learn::rng::{Stream, Streams};
use pellucid_matching::Way;
use pellucid_xcs::environment::{Agent, Environment, Maze, Multiplexer, Outcome, check};
use pellucid_xcs::params::SystemParams;

/// Returns the number of exploration problems until 99 % of the tests are right, checked after
/// every thousand.
fn explored_to_99(
    address: usize,
    life: &SystemParams,
    dont_care: f64,
    seed: u64,
    most: u64,
) -> Option<u64> {
    let mut problem = Multiplexer::new(address);
    let mut agent = Agent::new(&problem, life.clone(), dont_care, seed).expect("a level");
    for explored in 1..=most {
        agent.explore(&mut problem);
        if explored % 1000 == 0 {
            let right = (0..1000).filter(|_| agent.exploit(&mut problem).reward > 0.0).count();
            if right >= 990 {
                return Some(explored);
            }
        }
    }
    None
}

#[test]
fn six_bits_are_learned_in_4000_steps() {
    let life = SystemParams { population: 400, ..Agent::published() };
    for seed in 1..=5 {
        let explored = explored_to_99(2, &life, 0.33, seed, 4_000);
        assert!(explored.is_some(), "seed {seed}");
    }
}

#[test]
fn eleven_bits_are_learned_in_10000_steps() {
    let life = SystemParams { population: 800, ..Agent::published() };
    for seed in 1..=5 {
        let explored = explored_to_99(3, &life, 0.33, seed, 10_000);
        assert!(explored.is_some(), "seed {seed}");
    }
}

#[test]
fn twenty_bits_are_learned_in_40000_steps() {
    let life = SystemParams { population: 2000, ..Agent::published() };
    for seed in 1..=5 {
        let explored = explored_to_99(4, &life, 0.5, seed, 40_000);
        assert!(explored.is_some(), "seed {seed}");
    }
}

/// Returns the mean number of steps with the best known actions, after learning on a number of
/// problems.
fn mean_steps(
    mut maze: Maze,
    life: &SystemParams,
    dont_care: f64,
    seed: u64,
    problems: u64,
) -> f64 {
    let mut agent = Agent::new(&maze, life.clone(), dont_care, seed).expect("a level");
    for _ in 0..problems {
        agent.explore(&mut maze);
        agent.exploit(&mut maze);
    }
    let walks = 200;
    let steps: u64 = (0..walks).map(|_| agent.exploit(&mut maze).steps).sum();
    assert_eq!(agent.find_problem(), None);
    steps as f64 / walks as f64
}

#[test]
fn paths_in_woods1_are_nearly_the_shortest() {
    let best = Maze::woods1().best_steps();
    assert!((best - 1.6875).abs() < 1e-9, "the known optimum, found {best}");
    let life = SystemParams { population: 800, subsume_niche: false, ..Agent::published() };
    for seed in 1..=3 {
        let steps = mean_steps(Maze::woods1(), &life, 0.5, seed, 2_500);
        assert!(steps < best + 0.3, "seed {seed}: {steps} steps, {best} at best");
    }
}

#[test]
fn paths_in_maze4_are_nearly_the_shortest() {
    let best = Maze::maze4().best_steps();
    assert!((best - 3.5).abs() < 1e-9, "the known optimum, found {best}");
    let life = SystemParams {
        population: 2000,
        subsume_niche: false,
        mutation: 0.01,
        ..Agent::published()
    };
    for seed in 1..=3 {
        let steps = mean_steps(Maze::maze4(), &life, 0.3, seed, 4_000);
        assert!(steps < best + 0.5, "seed {seed}: {steps} steps, {best} at best");
    }
}

#[test]
fn no_rule_is_lost_or_counted_twice() {
    for subsume_niche in [false, true] {
        let life = SystemParams { population: 150, subsume_niche, ..Agent::published() };
        let mut problem = Multiplexer::new(2);
        let mut agent = Agent::new(&problem, life.clone(), 0.33, 3).expect("a level");
        for step in 0..3_000 {
            agent.explore(&mut problem);
            assert_eq!(agent.find_problem(), None, "step {step}");
            assert!(agent.copies() <= 150);
        }
        let mut maze = Maze::maze4();
        let mut agent = Agent::new(&maze, life, 0.4, 4).expect("a level");
        for step in 0..60 {
            agent.explore(&mut maze);
            agent.exploit(&mut maze);
            assert_eq!(agent.find_problem(), None, "walk {step}");
        }
    }
}

#[test]
fn every_matching_method_gives_the_same_agent() {
    let digest = |way, level| {
        let mut problem = Multiplexer::new(3);
        let life = SystemParams { population: 300, ..Agent::published() };
        let mut agent = Agent::by(way, level, &problem, life, 0.4, 7);
        (0..2_000).for_each(|_| {
            agent.explore(&mut problem);
        });
        agent.digest()
    };
    let expected = digest(Way::Direct, Level::Scalar);
    for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
        assert_eq!(digest(Way::Sliced, level), expected, "{level}");
    }
}

#[test]
fn the_multiplexer_answers_with_the_bit_at_the_address() {
    let mut problem = Multiplexer::new(2);
    let mut stream = pellucid_learn::rng::Streams::new(1).stream(&[]);
    for _ in 0..200 {
        problem.begin(&mut stream);
        let mut seen = Vec::new();
        problem.see(&mut seen);
        let expected = seen[2 + 2 * seen[0] as usize + seen[1] as usize];
        assert_eq!((problem.answer(), seen.len()), (expected, 6));
        assert_eq!(problem.act(expected).reward, 1000.0);
        assert_eq!(problem.act(1 - expected).reward, 0.0);
    }
}

/// A single-step problem with many actions, one of which is right.
struct ManyActions {
    actions: u32,
    seen: Vec<u32>,
}

impl Environment for ManyActions {
    fn columns(&self) -> usize {
        self.seen.len()
    }

    fn actions(&self) -> u32 {
        self.actions
    }

    fn begin(&mut self, stream: &mut Stream) {
        self.seen.iter_mut().for_each(|code| *code = u32::from(stream.chance(0.5)));
    }

    fn see(&self, codes: &mut Vec<u32>) {
        codes.clone_from(&self.seen);
    }

    fn act(&mut self, action: u32) -> Outcome {
        let right = self.seen.iter().fold(0, |sum, code| 2 * sum + code) % self.actions;
        Outcome { reward: if action == right { 1000.0 } else { 0.0 }, is_over: true }
    }
}

/// Covering updates the match set itself instead of matching the population again. The population
/// must stay valid, and both matching methods must give the same result.
#[test]
fn covering_many_actions_does_not_depend_on_the_matching_method() {
    for (actions, population) in [(3, 20), (70, 100), (200, 250), (40, 40), (10, 2000)] {
        let life = SystemParams { population, ..Agent::published() };
        let digests: Vec<u64> = [Way::Direct, Way::Sliced]
            .into_iter()
            .map(|way| {
                let mut problem = ManyActions { actions, seen: vec![0; 7] };
                let mut agent = Agent::by(way, Level::Portable, &problem, life.clone(), 0.33, 5);
                for _ in 0..60 {
                    agent.explore(&mut problem);
                    agent.exploit(&mut problem);
                    assert_eq!(agent.find_problem(), None);
                }
                agent.digest()
            })
            .collect();
        assert_eq!(digests[0], digests[1], "{actions} actions, {population} rules");
    }
}

#[test]
fn constants_out_of_range_are_rejected_by_name() {
    let problem = Multiplexer::new(2);
    let published = Agent::published();
    assert_eq!(check(&problem, &published, 0.33), Ok(()));
    let rejection = |life: &SystemParams, dont_care: f64| match check(&problem, life, dont_care) {
        Ok(()) => String::new(),
        Err(error) => error.to_string(),
    };
    for population in [0, 1] {
        let life = SystemParams { population, ..published.clone() };
        assert!(rejection(&life, 0.33).starts_with("population: found"), "{population}");
    }
    for wrong in [f64::NAN, f64::INFINITY, -0.1] {
        let changed = [
            ("learning_rate", SystemParams { learning_rate: wrong, ..published.clone() }),
            ("mutation", SystemParams { mutation: wrong, ..published.clone() }),
            ("crossover_rate", SystemParams { crossover_rate: wrong, ..published.clone() }),
            ("discount", SystemParams { discount: wrong, ..published.clone() }),
            ("reward", SystemParams { reward: wrong, ..published.clone() }),
        ];
        for (name, life) in changed {
            assert!(rejection(&life, 0.33).starts_with(&format!("{name}: found")), "{wrong}");
        }
        assert!(rejection(&published, wrong).starts_with("dont_care: found"), "{wrong}");
    }
    let many = ManyActions { actions: 1000, seen: vec![0; 3] };
    let result = check(&many, &SystemParams { population: 400, ..published.clone() }, 0.33);
    assert!(result.is_err_and(|error| error.to_string().contains("least_actions")));
    let few = SystemParams { population: 400, least_actions: Some(10), ..published };
    assert_eq!(check(&many, &few, 0.33), Ok(()));
}

/// Both ways of learning end with rules that a compact set needs few of.
#[test]
fn compact_rules_answer_like_the_multiplexer() {
    for is_taught in [false, true] {
        let mut problem = Multiplexer::new(2);
        let life = SystemParams { population: 400, ..Agent::published() };
        let mut agent = Agent::new(&problem, life, 0.33, 3).expect("a level");
        let (mut stream, mut codes) = (Streams::new(3).stream(&["inputs".into()]), Vec::new());
        let mut draw = |problem: &mut Multiplexer, codes: &mut Vec<u32>| {
            problem.begin(&mut stream);
            problem.see(codes);
            problem.answer()
        };
        for _ in 0..6_000 {
            if is_taught {
                let answer = draw(&mut problem, &mut codes);
                agent.teach(&codes, answer);
            } else {
                agent.explore(&mut problem);
            }
        }
        let (mut inputs, mut answers) = (Vec::new(), Vec::new());
        for _ in 0..1_000 {
            answers.push(draw(&mut problem, &mut codes));
            inputs.extend_from_slice(&codes);
        }
        let compact = agent.compact(&inputs, &answers).expect("codes below 2");
        assert_eq!(compact.len(), 8);
        assert_eq!(compact.columns_named(), 3.0, "two address bits and one of the others");
        for (input, &answer) in inputs.chunks(6).zip(&answers) {
            assert_eq!(compact.action(input), Some(answer), "{input:?}");
        }
        let too_few = agent.compact(&inputs[1..], &answers);
        assert!(too_few.is_err(), "a part of an input");
    }
}

/// Also of a population that has not learned enough yet.
#[test]
fn compact_rules_are_right_as_often_as_the_population() {
    for (seed, steps) in (1..=12).flat_map(|seed| [(seed, 300), (seed, 1_000), (seed, 2_500)]) {
        let mut problem = Multiplexer::new(if seed % 2 == 0 { 2 } else { 3 });
        let life = SystemParams { population: 600, ..Agent::published() };
        let mut agent = Agent::new(&problem, life, 0.4, seed).expect("a level");
        let mut stream = Streams::new(seed).stream(&["inputs".into()]);
        let mut draw = |codes: &mut Vec<u32>| {
            problem.begin(&mut stream);
            problem.see(codes);
            problem.answer()
        };
        let (mut codes, mut inputs, mut answers) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..steps {
            let answer = draw(&mut codes);
            agent.teach(&codes, answer);
        }
        for _ in 0..500 {
            answers.push(draw(&mut codes));
            inputs.extend_from_slice(&codes);
        }
        let compact = agent.compact(&inputs, &answers).expect("codes below 2");
        assert!(compact.len() <= agent.rules());
        let pairs = || inputs.chunks(codes.len()).zip(&answers);
        let right =
            pairs().filter(|(input, answer)| compact.action(input) == Some(**answer)).count();
        let voted =
            pairs().filter(|(input, answer)| agent.classify(input) == Some(**answer)).count();
        assert!(right >= voted, "seed {seed}, {steps} steps: {right} of {voted}");
    }
}
