use super::class_fit::ClassFit;
use super::remote::{Worker, survey};
use super::*;
use crate::apply::AppliedRules;
use crate::model::{LEARNER, Rule, RuleModel, RuleSet};
use crate::parts::RemoteRules;
use crate::train::{Machine, Training};
use pellucid_data::{Bags, ClassTarget, Column, MISSING, Values};
use pellucid_device::Threads;
use pellucid_learn::parts::{Parts, Request};
use pellucid_learn::rng::Streams;
use pellucid_learn::split::Split;
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

/// Columns of each type, with infinities and any share of missing values.
fn columns(rows: usize) -> impl Strategy<Value = Vec<Column>> {
    let number = prop_oneof![
        8 => (-8i32..=8).prop_map(|number| f64::from(number) / 4.0),
        4 => -1000.0..1000.0,
        4 => Just(f64::NAN),
        1 => prop::sample::select(vec![f64::INFINITY, f64::NEG_INFINITY, 1e300]),
    ];
    let finite = prop_oneof![3 => -1.0f64..1.0, 1 => Just(f64::NAN)];
    let flag = prop::sample::select(vec![0.0, 1.0, f64::NAN]);
    let code = prop_oneof![4 => 0u32..3, 1 => Just(MISSING)];
    let categories = ["red", "it's", "1", "never seen"].map(String::from).to_vec();
    (
        prop::collection::vec(number, rows),
        prop::collection::vec(finite, rows),
        prop::collection::vec(flag, rows),
        prop::collection::vec(code, rows),
        prop::collection::vec(any::<Option<bool>>(), rows),
    )
        .prop_map(move |(wild, tame, flags, codes, truths)| {
            let categories = categories.clone();
            let values = [
                Values::Numeric(wild.into()),
                Values::Numeric(tame.into()),
                Values::Numeric(flags.into()),
                Values::Nominal { codes, categories },
                Values::Boolean(truths),
            ];
            ["wild", "tame one", "flag", "word", "truth"]
                .into_iter()
                .zip(values)
                .map(|(name, values)| Column { name: name.into(), values })
                .collect()
        })
}

/// Rows in bags of three, or rows without bags, of two classes.
fn data() -> impl Strategy<Value = Dataset> {
    data_of(2..12)
}

/// The same with this many examples.
fn data_of(examples: std::ops::Range<usize>) -> impl Strategy<Value = Dataset> {
    (examples, any::<bool>()).prop_flat_map(|(examples, has_bags)| {
        let rows = if has_bags { 3 * examples } else { examples };
        (columns(rows), Just((examples, has_bags, rows))).prop_map(
            |(columns, (examples, has_bags, rows))| Dataset {
                name: "made up".into(),
                columns,
                rows,
                target: Some(ClassTarget {
                    name: "class".into(),
                    classes: vec!["no".into(), "yes".into()],
                    codes: (0u32..).take(examples).map(|example| example % 2).collect(),
                }),
                bags: has_bags.then(|| Bags {
                    name: "bag".into(),
                    names: (0..examples).map(|bag| bag.to_string()).collect(),
                    of_row: (0u32..).take(examples).cycle().take(rows).collect(),
                }),
                notes: Vec::new(),
                ..Dataset::default()
            },
        )
    })
}

/// All single conditions on a feature, and some intervals.
fn conditions(table: &FeatureTable) -> Vec<Vec<Test>> {
    let mut all = Vec::new();
    for (feature, stepped) in table.stepped.iter().enumerate() {
        let sets: Vec<StepSet> = match stepped.cuts.len() {
            0 => (1..16).map(|set| StepSet::Among([set, 0, 0, 0])).collect(),
            cuts => (0..cuts)
                .filter(|&cut| stepped.cuts[cut].is_finite())
                .filter_map(|cut| u8::try_from(cut).ok())
                .flat_map(|cut| [StepSet::Above(cut), StepSet::UpTo(cut)])
                .collect(),
        };
        let test = |&set: &StepSet| Test { feature, set };
        all.extend(sets.iter().map(|set| vec![test(set)]));
        all.extend(sets.windows(4).map(|sets| vec![test(&sets[0]), test(&sets[3])]));
    }
    all
}

proptest! {
    /// Rules are found by steps; the model covers the same examples by its condition.
    #[test]
    fn conditions_cover_the_same_examples_as_steps(data in data()) {
        data.check().unwrap();
        let params = Params::default();
        let codes = data.example_codes();
        let threads = Threads::new(NonZeroUsize::new(1)).unwrap();
        let table = FeatureTable::new(&data, vec![1.0; codes.len()], &params, &threads);
        let all = conditions(&table);
        let holds = |tests: &[Test], example: usize| {
            tests.iter().all(|test| test.set.contains(table.stepped[test.feature].steps[example]))
        };
        let rule = |tests: &Vec<Test>| {
            Rule::new(table.condition(tests), 1, 1.0)
        };
        let rules: Vec<Rule> = all.iter().map(rule).collect();
        let rules = RuleSet { base: vec![0.0; 2], rules, ..RuleSet::default() };
        let schema = Training::new(&data, &Threads::callers()).unwrap().schema;
        let model = RuleModel::new(LEARNER, params, schema, rules);
        let machine = Machine::processor(NonZeroUsize::new(1)).unwrap();
        let applied = AppliedRules::new(&model, &data, &machine).unwrap();
        for (index, tests) in all.iter().enumerate() {
            for example in 0..codes.len() {
                let when = &model.body.rules[index].when;
                let (by_model, by_steps) = (applied.holds(index, example), holds(tests, example));
                prop_assert_eq!(by_model, by_steps, "example {} and {}", example, when);
            }
        }
    }

    /// Points minimize the loss, or are 0 because the rule would favor the class that it makes less
    /// likely.
    #[test]
    fn points_minimize_the_loss(
        labels in prop::collection::vec(any::<bool>(), 4..40),
        rules in prop::collection::vec(any::<u64>(), 1..6),
        heavy in 0usize..4,
    ) {
        prop_assume!(labels.contains(&true) && labels.contains(&false));
        let weight = |example: usize| if example == heavy { 3.0 } else { 1.0 };
        let weights: Vec<f64> = (0..labels.len()).map(weight).collect();
        let mut residual = ClassFit::new(labels.clone(), weights.clone().into());
        let holds = |rule: u64, example: u32| rule >> example & 1 == 1;
        let examples = || (0u32..).take(labels.len());
        let share = |chosen: &[u32]| {
            let all: f64 = chosen.iter().map(|&example| weights[example as usize]).sum();
            let own = chosen.iter().filter(|&&example| labels[example as usize]);
            own.map(|&example| weights[example as usize]).sum::<f64>() / all
        };
        let everyone: Vec<u32> = examples().collect();
        for &rule in &rules {
            let covered: Vec<u32> = examples().filter(|&example| holds(rule, example)).collect();
            if !covered.is_empty() {
                residual.add_rule(&covered, share(&covered) > share(&everyone));
                residual.refit();
            }
        }
        residual.refit();
        let is_used = |&rule: &u64| examples().any(|example| holds(rule, example));
        let rules: Vec<u64> = rules.into_iter().filter(is_used).collect();
        let margin = |example: u32| {
            let votes = rules.iter().zip(&residual.votes).filter(|(rule, _)| holds(**rule, example));
            residual.base + votes.map(|(_, vote)| vote).sum::<f64>()
        };
        let missing = |example: u32| {
            let actual = f64::from(u8::from(labels[example as usize]));
            weights[example as usize] * (actual - class_fit::share(margin(example)))
        };
        prop_assert!(examples().map(missing).sum::<f64>().abs() < 1e-2);
        for (&rule, &vote) in rules.iter().zip(&residual.votes) {
            let pull: f64 = examples().filter(|&example| holds(rule, example)).map(missing).sum();
            prop_assert!(vote == 0.0 || (pull - vote / refit::FREEDOM).abs() < 1e-2, "{} {}", pull, vote);
        }
    }
}

/// Three hundred rows with numbers, missing values, categories and a boolean, and noisy labels.
fn noisy() -> (Dataset, Vec<u32>) {
    let number =
        |step: u32, row: u32| if row % 23 == step { f64::NAN } else { f64::from(row * step % 101) };
    let numbers = |step: u32| (0..300).map(|row| number(step, row)).collect();
    let column =
        |step: u32| Column { name: format!("x{step}"), values: Values::Numeric(numbers(step)) };
    let categories = ["red", "green", "blue", "black"].map(String::from).to_vec();
    let codes = (0..300u32).map(|row| row * 31 % 47 % 4).collect();
    let word = Column { name: "word".into(), values: Values::Nominal { codes, categories } };
    let label = |row: u32| {
        u32::from(row * 7 % 101 > 50 && !(row * 31 % 47).is_multiple_of(4))
            ^ u32::from(row.is_multiple_of(17))
    };
    let flags = (0..300u32).map(|row| f64::from(u8::from(row.is_multiple_of(17)))).collect();
    let flag = Column { name: "flag".into(), values: Values::Numeric(flags) };
    let columns = [3, 7, 11, 13].map(column).into_iter().chain([word, flag]).collect();
    (Dataset { columns, rows: 300, ..Dataset::default() }, (0..300).map(label).collect())
}

/// Returns the rules and the path after ten rounds on some training examples.
fn path_of(
    data: &Dataset,
    codes: &[u32],
    cuts: Cuts,
    threads: usize,
    examples: Vec<u32>,
) -> (Vec<Rule>, GrowingPath) {
    let params = Params::default();
    let threads = Threads::new(NonZeroUsize::new(threads)).unwrap();
    let table = table_of(data, codes, &threads);
    let mut growth = GrowingPath::new(&table, (&[1], 2), cuts, examples, &params);
    let mut rules = Vec::new();
    for _ in 0..10 {
        growth.grow(&table, &params, &threads);
        rules.extend(growth.newest(&table));
    }
    (rules, growth)
}

fn table_of(data: &Dataset, codes: &[u32], threads: &Threads) -> FeatureTable {
    let mut data = data.clone();
    let classes = vec!["no".to_owned(), "yes".to_owned()];
    data.target = Some(ClassTarget { name: "class".into(), classes, codes: codes.to_vec() });
    FeatureTable::new(&data, vec![1.0; codes.len()], &Params::default(), threads)
}

fn everyone(codes: &[u32]) -> Vec<u32> {
    (0u32..).take(codes.len()).collect()
}

#[test]
fn a_path_is_the_same_for_any_number_of_threads() {
    let (data, codes) = noisy();
    for cuts in [Cuts::Few, Cuts::Single, Cuts::All] {
        let (alone, growth) = path_of(&data, &codes, cuts, 1, everyone(&codes));
        assert!(growth.size() > 3, "{growth:?}");
        let (together, with_others) = path_of(&data, &codes, cuts, 3, everyone(&codes));
        assert_eq!(
            (alone, growth.sized_model(2, None)),
            (together, with_others.sized_model(2, None))
        );
    }
}

proptest! {
    /// The search over few examples finds the same rules as the one over many.
    #[test]
    fn a_path_is_the_same_with_masks_and_lists(
        data in data_of(20..150),
        cuts in prop::sample::select(vec![Cuts::Few, Cuts::All, Cuts::Single]),
        held_out in 0_u32..5,
        seed: u64,
    ) {
        let mut stream = Streams::new(seed).stream(&[]);
        let codes: Vec<u32> =
            data.example_codes().iter().map(|_| u32::from(stream.chance(0.4))).collect();
        let threads = Threads::callers();
        let mut table = table_of(&data, &codes, &threads);
        prop_assert_eq!(table.digests.len(), codes.len());
        let params = Params::default();
        let examples: Vec<u32> =
            everyone(&codes).into_iter().filter(|example| example % 5 != held_out).collect();
        let grown = |table: &FeatureTable| {
            let mut path = score_path::ScorePath::new(table, 2, cuts, examples.clone(), &params);
            (0..4).for_each(|_| path.grow(table, &params, &threads));
            path.save()
        };
        let with_masks = grown(&table);
        table.digests.clear();
        prop_assert_eq!(with_masks, grown(&table));
    }
}

#[test]
fn it_does_not_matter_which_class_is_called_positive() {
    let (data, codes) = noisy();
    let others: Vec<u32> = codes.iter().map(|code| 1 - code).collect();
    for cuts in [Cuts::Few, Cuts::Single, Cuts::All] {
        let (rules, one) = path_of(&data, &codes, cuts, 1, everyone(&codes));
        let (opposites, other) = path_of(&data, &others, cuts, 1, everyone(&codes));
        assert_eq!(rules, opposites);
        let (one, other) = (one.sized_model(2, None).votes, other.sized_model(2, None).votes);
        let opposite = |(one, other): (&f64, &f64)| (one + other).abs() < 1e-6;
        assert!(one.iter().zip(&other).all(opposite), "{one:?} {other:?}");
    }
}

/// The classes of held-out examples change neither rules nor points.
#[test]
fn held_out_examples_do_not_influence_the_fit() {
    let (data, codes) = noisy();
    let is_held_out = |example: &u32| example % 5 == 3;
    let others: Vec<u32> = everyone(&codes)
        .iter()
        .zip(&codes)
        .map(|(example, code)| if is_held_out(example) { 1 - code } else { *code })
        .collect();
    let learned_from = || everyone(&codes).into_iter().filter(|example| !is_held_out(example));
    for cuts in [Cuts::Few, Cuts::Single, Cuts::All] {
        let (rules, one) = path_of(&data, &codes, cuts, 1, learned_from().collect());
        let (same, other) = path_of(&data, &others, cuts, 1, learned_from().collect());
        assert_eq!((rules, one.sized_model(2, None)), (same, other.sized_model(2, None)));
        let held_out: Vec<u32> = everyone(&codes).into_iter().filter(is_held_out).collect();
        let table = table_of(&data, &codes, &Threads::callers());
        assert_eq!(
            one.scores(&table, &held_out, (2, None)),
            other.scores(&table, &held_out, (2, None))
        );
    }
}

/// Two halves of some points cost less penalty than the whole, so with few cut points a path would
/// soon add the complement of a rule.
#[test]
fn no_rule_is_found_twice_nor_its_complement() {
    let (mut data, codes) = noisy();
    for column in &mut data.columns {
        if let Values::Numeric(numbers) = &mut column.values {
            let rough = |number: &f64| (number.max(0.0) / 51.0).floor();
            *numbers = numbers.iter().map(rough).collect();
        }
    }
    let (params, threads) = (Params::default(), Threads::callers());
    let table = table_of(&data, &codes, &threads);
    for cuts in [Cuts::Few, Cuts::Single, Cuts::All] {
        let mut growth = GrowingPath::new(&table, (&[1], 2), cuts, everyone(&codes), &params);
        (0..25).for_each(|_| growth.grow(&table, &params, &threads));
        let rules = growth.save().rules;
        assert!(rules.len() > 3, "{rules:?}");
        let mut seen: Vec<Vec<u32>> = Vec::new();
        for rule in &rules {
            let held = table.cover(&rule.tests, &threads);
            let others: Vec<u32> =
                everyone(&codes).into_iter().filter(|example| !held.contains(example)).collect();
            assert!(!seen.contains(&held) && !seen.contains(&others), "{cuts:?}: {rule:?}");
            seen.push(held);
        }
    }
}

/// Returns a table of 500 rows with eight columns of random numbers, and a label that is wrong for some.
fn planted(wrong: f64, is_true: impl Fn(&[f64]) -> bool) -> (Dataset, Vec<u32>) {
    let mut stream = Streams::new(7).stream(&["planted".into()]);
    let rows: Vec<Vec<f64>> = {
        let columns: Vec<Vec<f64>> =
            (0..8).map(|_| (0..500).map(|_| stream.unit()).collect()).collect();
        (0..500).map(|row| columns.iter().map(|column| column[row]).collect()).collect()
    };
    let codes = rows.iter().map(|row| u32::from(is_true(row) != (stream.unit() < wrong))).collect();
    let column = |place: usize| Column {
        name: format!("x{place}"),
        values: Values::Numeric(rows.iter().map(|row| row[place]).collect()),
    };
    let data = Dataset { columns: (0..8).map(column).collect(), rows: 500, ..Dataset::default() };
    (data, codes)
}

/// A shorter rule is preferred only if the difference may be noise.
#[test]
fn a_rule_of_three_conditions_is_found_despite_wrong_labels() {
    let (data, codes) = planted(0.05, |row| row[..3].iter().all(|&number| number > 0.263));
    let (rules, _) = path_of(&data, &codes, Cuts::All, 1, everyone(&codes));
    let mut named = rules[0].when.columns();
    named.sort_unstable();
    assert_eq!(named, ["x0", "x1", "x2"], "{rules:?}");
}

/// Neither condition of an exclusive-or has a gain alone.
#[test]
fn an_exclusive_or_is_found_by_its_pair_of_columns() {
    let (data, codes) = planted(0.05, |row| (row[2] > 0.5) != (row[5] > 0.4));
    let (rules, growth) = path_of(&data, &codes, Cuts::All, 1, everyone(&codes));
    for rule in &rules[..2] {
        let mut named = rule.when.columns();
        named.sort_unstable();
        assert_eq!(named, ["x2", "x5"], "{rules:?}");
    }
    let sizes = [150, 30, 320];
    let parts = in_parts(&data, &codes, &sizes);
    let params = Params::default();
    let table = FeatureTable::remote(&data, &parts, &sizes, &codes, (&[], 1), &params).unwrap();
    let count = |class: u32| codes.iter().filter(|code| **code == class).count() as u64;
    let mut remote = GrowingPath::remote(Cuts::All, None, &[count(0), count(1)]);
    let mut found = Vec::new();
    for _ in 0..10 {
        remote.grow(&table, &params, &Threads::callers());
        found.extend(remote.newest(&table));
    }
    assert!(table.failure().is_none());
    assert_eq!((found, remote.sized_model(2, None)), (rules, growth.sized_model(2, None)));
}

/// After two rules nothing is left to explain, and no condition can be extended.
#[test]
fn a_path_ends_after_an_exclusive_or_without_noise() {
    let (data, mut codes) = planted(0.0, |row| (row[2] > 0.5) != (row[5] > 0.4));
    let (rules, _) = path_of(&data, &codes, Cuts::All, 1, everyone(&codes));
    assert!(rules.len() >= 2, "{rules:?}");
    codes.fill(1);
    let (rules, _) = path_of(&data, &codes, Cuts::All, 1, everyone(&codes));
    assert!(rules.is_empty(), "{rules:?}");
}

/// The score of an example is the sum of the points of the rules that apply to it.
#[test]
fn scores_are_the_sums_of_points() {
    let (data, codes) = noisy();
    let (rules, growth) = path_of(&data, &codes, Cuts::All, 1, everyone(&codes));
    let table = table_of(&data, &codes, &Threads::callers());
    let stop = growth.sized_model(2, None);
    let with_votes = |(rule, &votes): (Rule, &f64)| Rule { votes, ..rule };
    let rules: Vec<Rule> = rules.into_iter().zip(&stop.votes).map(with_votes).collect();
    let mut data = data.clone();
    let classes = vec!["no".to_owned(), "yes".to_owned()];
    data.target = Some(ClassTarget { name: "class".into(), classes, codes: codes.clone() });
    let schema = Training::new(&data, &Threads::callers()).unwrap().schema;
    let set = RuleSet { base: stop.base, rules, ..RuleSet::default() };
    let model = RuleModel::new(LEARNER, Params::default(), schema, set);
    let machine = Machine::processor(NonZeroUsize::new(1)).unwrap();
    let applied = AppliedRules::new(&model, &data, &machine).unwrap();
    for (example, scores) in growth.scores(&table, &everyone(&codes), (2, None)).iter().enumerate()
    {
        let votes = applied.votes(example);
        assert!(scores.iter().zip(&votes).all(|(one, other)| (one - other).abs() < 1e-9));
    }
}

/// Returns the examples in parts, each with its own worker.
fn in_parts(data: &Dataset, codes: &[u32], sizes: &[usize]) -> RemoteRules {
    let mut first = 0;
    let part = |&size: &usize| {
        let own: Vec<u32> = (first..).take(size).collect();
        first += u32::try_from(size).unwrap();
        (data.select(&own), own.iter().map(|&example| codes[example as usize]).collect())
    };
    let data: Vec<(Dataset, Vec<u32>)> = sizes.iter().map(part).collect();
    let workers: Mutex<Vec<Worker>> = Mutex::new(Vec::new());
    let ask = move |request: Request<'_>| {
        let mut workers = workers.lock().unwrap();
        let answer = |(place, (data, codes)): (usize, &(Dataset, Vec<u32>))| match request {
            Request::Plan(plan) => {
                workers.push(Worker::new(data, codes.clone(), place, plan)?);
                Ok(Vec::new())
            }
            // All queries grow paths: the first byte is the kind of the query.
            Request::Query(query) => match survey(data, codes, &query[1..])? {
                Some(answer) => Ok(answer),
                None => workers[place].answer(&query[1..], &Threads::callers()),
            },
        };
        data.iter().enumerate().map(answer).collect()
    };
    RemoteRules(Parts { examples: Vec::new(), send: Arc::new(ask) })
}

/// With two values one of them is named, unless `=` is forbidden.
#[test]
fn one_of_two_numbers_is_named() {
    let (data, codes) = noisy();
    let threads = Threads::callers();
    let conditions = |params: &Params| {
        let table = FeatureTable::new(&data, vec![1.0; codes.len()], params, &threads);
        let place = table.features.iter().position(|feature| feature.attribute() == "flag");
        let feature = place.expect("the flag tells examples apart");
        [StepSet::UpTo(0), StepSet::Above(0)]
            .map(|set| table.condition(&[Test { feature, set }]).to_string())
    };
    let mut params = Params::default();
    assert_eq!(conditions(&params), ["flag = 0", "flag = 1"]);
    params.grammar.operators = vec![">".into(), "<=".into()];
    assert_eq!(conditions(&params), ["flag <= 0", "flag > 0"]);
}

/// Local and remote searches find the same rules, also if a sample is scanned first.
#[test]
fn a_path_is_the_same_with_remote_examples() {
    let (data, codes) = noisy();
    let params = Params::default();
    let (rules, growth) = path_of(&data, &codes, Cuts::All, 1, everyone(&codes));
    assert!(rules.iter().any(|rule| rule.when.to_string().contains("flag = ")), "{rules:?}");
    for sizes in [&[300][..], &[130, 170], &[7, 200, 93]] {
        let parts = in_parts(&data, &codes, sizes);
        let table = FeatureTable::remote(&data, &parts, sizes, &codes, (&[], 1), &params).unwrap();
        let count = |class: u32| codes.iter().filter(|code| **code == class).count() as u64;
        let examples = [count(0), count(1)];
        let mut remote = GrowingPath::remote(Cuts::All, None, &examples);
        let mut found = Vec::new();
        for _ in 0..10 {
            remote.grow(&table, &params, &Threads::callers());
            found.extend(remote.newest(&table));
        }
        assert!(table.failure().is_none());
        assert_eq!(
            (&found, remote.sized_model(2, None)),
            (&rules, growth.sized_model(2, None)),
            "{sizes:?}"
        );
    }
}

/// If only some examples of a fold are scored, each part knows which of its examples they are.
#[test]
fn scored_examples_are_the_same_with_remote_examples() {
    let (data, codes) = noisy();
    let (params, threads) = (Params::default(), Threads::callers());
    let (test, train): (Vec<u32>, Vec<u32>) =
        everyone(&codes).into_iter().partition(|example| example % 5 % 3 == 1);
    let (_, alone) = path_of(&data, &codes, Cuts::All, 1, train.clone());
    let here = table_of(&data, &codes, &threads);
    let split = Split { repeat: 0, fold: 0, train, test };
    for (sizes, step) in
        [(&[300][..], 1), (&[300], 4), (&[130, 170], 3), (&[7, 200, 93], 1), (&[7, 200, 93], 11)]
    {
        let parts = in_parts(&data, &codes, sizes);
        let inner = std::slice::from_ref(&split);
        let table =
            FeatureTable::remote(&data, &parts, sizes, &codes, (inner, step), &params).unwrap();
        let of_class = |class: u32| {
            split.train.iter().filter(|&&example| codes[example as usize] == class).count() as u64
        };
        let mut remote = GrowingPath::remote(Cuts::All, Some(0), &[of_class(0), of_class(1)]);
        for _ in 0..10 {
            remote.grow(&table, &params, &threads);
        }
        let is_scored = |example: &u32| (*example as usize).is_multiple_of(step);
        let scored: Vec<u32> = split.test.iter().copied().filter(is_scored).collect();
        let found = remote.scores(&table, &scored, (2, None));
        assert!(table.failure().is_none() && scored.len() > 5);
        assert_eq!(found, alone.scores(&here, &scored, (2, None)), "{sizes:?} {step}");
    }
}
