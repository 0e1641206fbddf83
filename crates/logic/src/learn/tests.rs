//! Tests of whole runs on small random worlds.

use super::random_world::{planted, random_kb};
use super::{
    AppliedLogic, ExpressionScore, HeldOut, Individuals, Leaderboard, LearnedExpression,
    LearningTask, Logic, LogicError, LogicModel, Method, Operators, Options, RankedExpression,
    SearchContext, cuts,
};
use crate::KnowledgeBase;
use pellucid_device::Machine;
use pellucid_learn::checkpoint::Cadence;
use pellucid_learn::learner::{Describe as _, Fit, FitResultOf};
use pellucid_learn::metrics::Metric;
use pellucid_learn::model::{ModelError, StoredModel};
use pellucid_learn::params::Check;
use pellucid_learn::run::{Clock, Control, Driver, Observer, Record, Silent, StopReason};
use pellucid_program::Expr;
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn machine(threads: usize) -> Machine {
    Machine::processor(NonZeroUsize::new(threads)).expect("a CPU")
}

/// Returns a task as training data.
fn examples(kb: &Arc<KnowledgeBase>, task: LearningTask) -> Individuals {
    Individuals { task, ..Individuals::everybody(kb) }
}

fn run(seed: u64, task: LearningTask, options: Options, threads: usize) -> FitResultOf<Logic> {
    let data = examples(&random_kb(seed, 60), task);
    let options = options.check().expect("allowed");
    let driver = Driver::new(&Control::new());
    Logic::fit(&data, options, &machine(threads), &driver, &mut Silent).expect("a run")
}

/// A task with random labels.
fn noisy(seed: u64) -> LearningTask {
    let mut task = LearningTask { name: "noise".into(), ..LearningTask::default() };
    for one in 0..60u32 {
        let odd = (seed.wrapping_mul(6_364_136_223_846_793_005) >> (one % 60)) & 1 == 1;
        if odd { task.positive.push(one) } else { task.negative.push(one) }
    }
    task
}

/// Options with few candidates, so that whole runs are fast.
fn few(effort: u64) -> Options {
    let operators = Operators { inverse: false, cardinality: 2, ..Operators::default() };
    let exclude = ["t", "age"].map(str::to_owned).to_vec();
    Options { effort, operators, exclude, ..Options::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn planted_expressions_are_found_and_predict_their_instances(seed in 0u64..1000, which in 0usize..6) {
        let text = [
            "A",
            "A and some r (B)",
            "some s (some r (D)) or not C",
            "min 2 inverse s (A) and B",
            "some colour (colour = blue) and only r (C)",
            "(A and some colour (colour = red)) or (B and some r (D))",
        ][which];
        let kb = random_kb(seed, 60);
        let Some(task) = planted(&kb, text) else { return Ok(()) };
        let method = Method::Instant;
        // Without numbers there are few enough literals for several layers.
        let exclude = vec!["age".to_owned()];
        let learned = run(seed, task.clone(), Options { method, exclude, ..Options::default() }, 1);
        prop_assert_eq!(learned.train.get("f1"), Some(1.0), "{:?}", learned.model.body);
        prop_assert_eq!(learned.run.summary.stop, StopReason::Solved);
        let all = Individuals::everybody(&kb);
        let applied = AppliedLogic::new(&learned.model, &all, &machine(1)).expect("the same world");
        for &one in &task.positive {
            prop_assert!(applied.is_instance(one));
        }
        prop_assert!(task.negative.iter().all(|&one| !applied.is_instance(one)));
    }

    #[test]
    fn the_leaderboard_does_not_depend_on_the_order_of_insertion(
        drawn in prop::collection::vec((0u64..5, 0u64..5, 1u32..6, 0u128..8), 1..30),
        penalty in prop_oneof![Just(0.0), Just(0.01)],
        turned in any::<prop::sample::Index>(),
    ) {
        let answer = |&(positive, negative, length, coverage): &(u64, u64, u32, u128)| {
            let quality = positive as f64 / (5 + negative) as f64;
            let score = ExpressionScore { positive, negative, quality, length };
            let text = format!("x{positive}{negative}{length}{coverage}");
            RankedExpression { expr: Expr::Is(text.clone()), text, score, coverage }
        };
        let mut answers: Vec<RankedExpression> = drawn.iter().map(answer).collect();
        // The score is determined by the coverage.
        let firsts: Vec<RankedExpression> = answers.clone();
        for answer in &mut answers {
            let same = firsts.iter().find(|other| other.coverage == answer.coverage);
            let length = answer.score.length;
            answer.score = same.map_or(answer.score, |same| ExpressionScore { length, ..same.score });
        }
        let leaderboard = |answers: &[RankedExpression]| {
            let mut leaderboard = Leaderboard::new(4, penalty);
            answers.iter().for_each(|answer| { leaderboard.offer(answer.clone()); });
            leaderboard.answers().to_vec()
        };
        let first = leaderboard(&answers);
        let middle = turned.index(answers.len());
        answers.rotate_left(middle);
        answers.reverse();
        prop_assert_eq!(leaderboard(&answers), first);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn the_number_of_threads_does_not_matter(seed in 0u64..1000) {
        let options = few(300);
        let one = run(seed, noisy(seed | 1), options.clone(), 1);
        let three = run(seed, noisy(seed | 1), options, 3);
        prop_assert_eq!(one.model.to_json().expect("a file"), three.model.to_json().expect("a file"));
        prop_assert_eq!(one.run.summary.evaluated, three.run.summary.evaluated);
    }
}

/// Interrupts the run after a number of records.
struct Impatient {
    control: Control,
    left: u64,
}

impl Observer for Impatient {
    fn record(&mut self, _: &Record) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.control.interrupt();
        }
    }
}

/// Enough literals to split every pass over their pairs between the threads.
#[test]
fn the_number_of_threads_does_not_matter_for_pairs() {
    let operators = Operators { inverse: false, cardinality: 2, ..Operators::default() };
    let options = Options { method: Method::Instant, operators, ..Options::default() };
    let one = run(8, noisy(1235), options.clone(), 1);
    let three = run(8, noisy(1235), options, 3);
    assert_eq!(one.model.to_json().expect("a file"), three.model.to_json().expect("a file"));
}

#[test]
fn an_interrupted_and_resumed_run_gives_the_same_model() {
    let kb = random_kb(5, 60);
    let options = || few(1500).check().expect("allowed");
    let whole = run(5, noisy(77), options().into_inner(), 1).model.to_json().expect("a file");
    // The first records are those of the methods on all examples, the later ones those on training folds.
    for records in [1, 2, 3, 5, 8, 12, 16] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.checkpoint");
        let part = |control: &Control, resume: bool, observer: &mut dyn Observer| {
            let driver = Driver::new(control).checkpoint(&path, Cadence::default()).resume(resume);
            Logic::fit(&examples(&kb, noisy(77)), options(), &machine(1), &driver, observer)
                .expect("a run")
        };
        let control = Control::new();
        let mut watcher = Impatient { control: control.clone(), left: records };
        part(&control, false, &mut watcher);
        let resumed = part(&Control::new(), true, &mut Silent);
        assert_eq!(resumed.model.to_json().expect("a file"), whole, "after {records} records");
    }
}

#[test]
fn auto_selects_the_method_that_is_best_in_cross_validation() {
    let mut compared = 0;
    for seed in 0..6 {
        let learned = run(seed, noisy(seed * 7 + 3), few(400), 1);
        let answers = &learned.model.body.answers;
        let held_out: Vec<_> = answers.iter().map_while(|answer| answer.held_out).collect();
        let value = |one: &HeldOut| {
            let counts = one.confusion();
            f64::midpoint(counts.accuracy(), Metric::F1.of(&counts))
        };
        assert!(held_out.is_sorted_by(|left, right| value(left) >= value(right)), "{held_out:?}");
        let rest = &answers[held_out.len()..];
        assert!(
            rest.iter().all(|answer| answer.held_out.is_none()),
            "answers with figures come first"
        );
        let quality = |answer: &LearnedExpression| answer.quality;
        assert!(rest.is_sorted_by(|left, right| quality(left) >= quality(right)));
        compared += usize::from(held_out.len() > 1);
        // Every example is predicted once, by an answer that was found without it.
        let scores = learned.out_of_fold.expect("the methods were compared");
        assert_eq!(scores.summary().evaluated, 60);
        assert_eq!(learned.run.summary.stop, StopReason::Finished);
    }
    assert!(compared > 3, "methods that find the same expression are one answer: {compared}");
}

#[test]
fn few_examples_are_not_cross_validated() {
    let kb = random_kb(2, 60);
    let task = planted(&kb, "A and B").expect("some");
    let few = LearningTask { positive: task.positive[..4].to_vec(), ..task };
    let learned = run(2, few, Options::default(), 1);
    assert!(learned.model.body.answers.iter().all(|answer| answer.held_out.is_none()));
    assert!(learned.out_of_fold.is_none());
}

/// A clock that advances by a millisecond on every call.
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::SeqCst))
    }
}

#[test]
fn time_limits_apply_within_a_step() {
    let kb = random_kb(3, 60);
    let mut last = u64::MAX;
    for limit in [1, 5, 20, 60] {
        let clock = Arc::new(Ticking(AtomicU64::new(0)));
        let control = Control::with_clock(clock.clone()).time_limit(Duration::from_millis(limit));
        let options = Options { effort: 1_000_000, ..Options::default() }.check().expect("allowed");
        let driver = Driver::new(&control);
        let learned =
            Logic::fit(&examples(&kb, noisy(1234)), options, &machine(1), &driver, &mut Silent)
                .expect("a run");
        assert_eq!(learned.run.summary.stop, StopReason::Time);
        assert!(!learned.model.body.answers.is_empty(), "there is always an expression");
        // The clock is polled often enough to end soon after the limit.
        last = clock.0.load(Ordering::SeqCst);
        assert!(last < limit + 40, "{last} of {limit}");
    }
    assert!(last > 60);
}

#[test]
fn a_run_that_stops_before_its_cross_validation_prefers_a_short_expression() {
    // More examples than a few literals can memorize.
    let kb = random_kb(3, 300);
    let mut task = LearningTask { name: "noise".into(), ..LearningTask::default() };
    for one in 0..300u32 {
        let drawn = (u64::from(one) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        if drawn % 2 == 1 { task.positive.push(one) } else { task.negative.push(one) }
    }
    let mut memorized = 0;
    for hypotheses in [1, 500, 5000, 50_000] {
        let options = Options { hypotheses: Some(hypotheses), ..Options::default() };
        let data = examples(&kb, task.clone());
        let driver = Driver::new(&Control::new());
        let options = options.check().expect("allowed");
        let learned = Logic::fit(&data, options, &machine(1), &driver, &mut Silent).expect("a run");
        assert_eq!(learned.run.summary.stop, StopReason::Cap);
        let answers = &learned.model.body.answers;
        assert!(answers[0].length < 10, "{}", answers[0].expression());
        let is_longer = |other: &LearnedExpression| {
            other.quality > answers[0].quality && other.length > answers[0].length
        };
        memorized += usize::from(answers.iter().any(is_longer));
    }
    assert!(memorized > 0, "longer expressions fit random labels better");
}

#[test]
fn hidden_individuals_create_no_cuts() {
    let kb = random_kb(9, 60);
    let hidden: Vec<u32> = (0..60).filter(|one| one % 3 == 0).collect();
    let open = cuts::cuts(&kb, &hidden);
    let ages = &kb.world.properties()[0];
    let seen: Vec<u32> =
        (0..60).filter(|one| one % 3 != 0).flat_map(|one| ages.edges.of(one).to_vec()).collect();
    // Every cut is between two adjacent visible values.
    for cut in &open[0] {
        let below = seen.iter().copied().map(f64::from).filter(|&age| age <= cut.at_most).count();
        let above = seen.iter().copied().map(f64::from).filter(|&age| age >= cut.at_least).count();
        assert_eq!(below + above, seen.len(), "{cut:?}");
        assert!(below > 0 && above > 0);
    }
    assert_ne!(open[0], cuts::cuts(&kb, &[])[0]);
}

#[test]
fn a_value_that_encodes_the_label_is_noted() {
    let kb = random_kb(2, 60);
    let task = planted(&kb, "some colour (colour = red)").expect("some are red");
    let learned = run(2, task.clone(), Options::default(), 1);
    assert_eq!(
        learned.notes,
        ["the data property 'colour' alone separates all examples and may encode the label; \
             remove it with `exclude colour`"]
    );
    let exclude = vec!["colour".to_owned()];
    let options = Options { exclude, method: Method::Instant, ..Options::default() };
    let without = run(2, task, options, 1);
    assert!(without.notes.is_empty());
    let mut expressions = without.model.answers.iter().map(|answer| answer.expr().to_string());
    assert!(expressions.all(|text| !text.contains("colour")));
}

#[test]
fn excluded_names_must_exist() {
    let kb = random_kb(2, 60);
    let task = planted(&kb, "A").expect("some");
    let options = Options { exclude: vec!["color".into()], ..Options::default() };
    let error = SearchContext::new(&kb, task, &options, &machine(1), &Control::new()).err();
    let error: Option<LogicError> = error;
    assert_eq!(
        error.map(|error| error.to_string()).as_deref(),
        Some(
            "cannot exclude 'color': 'random' has no class or property of that name \
             (did you mean 'colour'?)"
        )
    );
}

#[test]
fn invalid_model_files_are_refused() {
    let kb = random_kb(2, 60);
    let task = planted(&kb, "A and B").expect("some");
    let learned = run(2, task, Options { method: Method::Instant, ..Options::default() }, 1);
    let text = learned.model.to_json().expect("a file");
    let read = |text: &str| -> Result<LogicModel, ModelError> {
        let stored = StoredModel::parse(Path::new("m.json"), text.as_bytes().to_vec());
        stored.expect("a model").read(super::LEARNER)
    };
    assert_eq!(read(&text).expect("of this learner"), learned.model);
    let best = &learned.model.body.answers[0];
    let exact = format!("\"exact\": {:?}", best.expr().to_string());
    let with = |new: &str| text.replacen(&exact, &format!("\"exact\": {new:?}"), 1);
    let unreadable = |text: &str| read(text).expect_err("not readable").to_string();
    let wrong = "invalid logic model: class expression 1: ";
    assert!(unreadable(&with("A and")).contains(wrong), "{}", unreadable(&with("A and")));
    let deep = format!("{}A{}", "not (".repeat(100_000), ")".repeat(100_000));
    assert!(unreadable(&with(&deep)).contains(wrong));
    let everybody = Individuals::everybody(&kb);
    let misfit = |text: &str| {
        let model = read(text).expect("readable");
        AppliedLogic::new(&model, &everybody, &machine(1)).expect_err("not usable").to_string()
    };
    assert!(misfit(&with("Z")).contains("there is no column 'Z'"));
    assert!(misfit(&with("age > 3")).contains("data property"));
    let mut none = learned.model.clone();
    none.body.answers.clear();
    let empty = AppliedLogic::new(&none, &everybody, &machine(1)).expect_err("no expression");
    assert_eq!(empty.to_string(), "the model has no class expression");
    assert!((Logic::capabilities().check_data)(&everybody).is_err(), "no examples");
}

/// The expression shown is printed from the exact one, whatever the file says.
#[test]
fn the_expression_shown_is_the_one_used() {
    let task = planted(&random_kb(2, 60), "A and B").expect("some");
    let learned = run(2, task, Options { method: Method::Instant, ..Options::default() }, 1);
    let text = learned.model.to_json().expect("a file");
    let shown = format!("\"expression\": {:?}", learned.model.body.answers[0].expression());
    let forged = text.replacen(&shown, "\"expression\": \"owl:Thing\"", 1);
    assert_ne!(forged, text);
    let stored = StoredModel::parse(Path::new("m.json"), forged.into_bytes()).expect("a model");
    let opened: LogicModel = stored.read(super::LEARNER).expect("of this learner");
    assert_eq!(opened, learned.model);
    assert_eq!(Logic::text(&opened), Logic::text(&learned.model));
}
