//! Small random worlds for tests, determined by a seed.

use super::{LearningTask, Options, SearchContext, SearchMethod};
use crate::KnowledgeBase;
use crate::kb::{Hierarchy, ShortNames};
use pellucid_bits::Bits;
use pellucid_data::Register;
use pellucid_device::Machine;
use pellucid_learn::rng::{Stream, Streams};
use pellucid_learn::run::Control;
use pellucid_program::{Domain, Programs};
use pellucid_relate::{Edges, Links, Property, World, spec};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Returns a world with classes A, B, C and D (D is a subclass of C), roles r, s and t (t is a subrole
/// of s), and data properties age and colour.
pub(super) fn random_kb(seed: u64, individuals: usize) -> Arc<KnowledgeBase> {
    let mut stream = Streams::new(seed).stream(&["world".into()]);
    let names: Register = (0..individuals).map(|one| format!("i{one}")).collect();
    let mut world = World::new(Arc::new(names.clone()));
    let draw = |stream: &mut Stream| -> Vec<bool> {
        (0..individuals).map(|_| stream.chance(0.5)).collect()
    };
    let (a, b, c) = (draw(&mut stream), draw(&mut stream), draw(&mut stream));
    let d: Vec<bool> = draw(&mut stream).iter().zip(&c).map(|(&d, &c)| d && c).collect();
    for (name, members) in [("A", a), ("B", b), ("C", c), ("D", d)] {
        world = world.class(name, members.into_iter().collect::<Bits>());
    }
    let pairs = |stream: &mut Stream| -> Vec<[u32; 2]> {
        let one = |stream: &mut Stream| u32::try_from(stream.index(individuals)).unwrap_or(0);
        (0..individuals * 2).map(|_| [one(stream), one(stream)]).collect()
    };
    let (r, mut s, t) = (pairs(&mut stream), pairs(&mut stream), pairs(&mut stream));
    s.extend(&t);
    for (name, pairs) in [("r", r), ("s", s), ("t", t)] {
        world = world.role(name, Links::new(individuals, pairs));
    }
    let values: Vec<[u32; 2]> = (0u32..)
        .take(individuals)
        .map(|one| [one, u32::try_from(stream.index(40)).unwrap_or(0)])
        .collect();
    let age = Domain::Numeric((0..40).map(f64::from).collect());
    world =
        world.property("age", Property { values: age, edges: Edges::new(individuals, 40, values) });
    let colours: Vec<[u32; 2]> = (0u32..)
        .take(individuals)
        .map(|one| [one, u32::try_from(stream.index(3)).unwrap_or(0)])
        .collect();
    let texts = ["red", "green", "blue"].map(str::to_owned).to_vec();
    world = world.property(
        "colour",
        Property { values: Domain::Nominal(texts), edges: Edges::new(individuals, 3, colours) },
    );
    let hierarchy = |count: usize, pairs: &[[usize; 2]]| {
        let mut found =
            Hierarchy { parents: vec![Vec::new(); count], children: vec![Vec::new(); count] };
        for &[below, above] in pairs {
            found.parents[below].push(u32::try_from(above).unwrap_or(0));
            found.children[above].push(u32::try_from(below).unwrap_or(0));
        }
        found
    };
    let short_names = ShortNames {
        classes: world.class_names().clone(),
        roles: world.role_names().clone(),
        properties: world.property_names().clone(),
        individuals: names,
        ..ShortNames::default()
    };
    Arc::new(KnowledgeBase {
        name: "random".into(),
        world: Arc::new(world),
        short_names,
        classes: hierarchy(4, &[[3, 2]]),
        roles: hierarchy(3, &[[2, 1]]),
        properties: hierarchy(2, &[]),
        functional_roles: Vec::new(),
        functional_properties: Vec::new(),
        asserted: crate::kb::AssertedCounts::default(),
        ignored: Vec::new(),
        role_domains: vec![Vec::new(); 3],
        role_ranges: vec![Vec::new(); 3],
        property_domains: vec![Vec::new(); 2],
        disjoint: Vec::new(),
        notes: Vec::new(),
    })
}

/// Returns the learning problem for an expression; `None` if it covers all individuals or none.
pub(super) fn planted(kb: &KnowledgeBase, text: &str) -> Option<LearningTask> {
    let mut programs = Programs::new(kb.world.schema());
    let hidden = programs.parse(text).expect("an expression over the world");
    let everybody = 0..u32::try_from(kb.world.len()).expect("few");
    let (positive, negative): (Vec<u32>, Vec<u32>) =
        everybody.partition(|&one| spec::holds(&kb.world, &programs, hidden, one));
    let two_sided = !positive.is_empty() && !negative.is_empty();
    two_sided.then(|| LearningTask::of(text.into(), positive, negative))
}

/// Returns a search context with some threads.
pub(super) fn context(
    kb: &Arc<KnowledgeBase>,
    task: LearningTask,
    options: &Options,
    threads: usize,
) -> SearchContext {
    let machine = Machine::processor(NonZeroUsize::new(threads)).expect("a CPU");
    SearchContext::new(kb, task, options, &machine, &Control::new()).expect("a context")
}

/// Runs a search until it is done or reaches the candidate limit.
pub(super) fn run_to_end<S: SearchMethod>(search: &mut S, context: &mut SearchContext) {
    while context.should_stop().is_none() {
        if search.step(context).expect("a step") != super::StepOutcome::More {
            break;
        }
    }
}

/// Returns the expressions on the leaderboard.
pub(super) fn answers(context: &SearchContext) -> Vec<String> {
    context.leaderboard().answers().iter().map(|answer| answer.text.clone()).collect()
}
