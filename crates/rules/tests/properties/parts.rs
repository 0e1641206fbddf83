//! Distributed rows give the same model as rows in one place.

use crate::cases::{dataset, learned, noisy, plain_machine, small, stream, values};
use crate::resume::Impatient;
use pellucid_data::{Dataset, MISSING, Values};
use pellucid_device::DeviceError;
use pellucid_learn::checkpoint::Cadence;
use pellucid_learn::params::{Check, ClassWeights};
use pellucid_learn::parts::{Part as _, Parts, Request};
use pellucid_learn::run::{Control, Driver, Silent};
use pellucid_rules::learner::fit_parts;
use pellucid_rules::params::{Covering, Mode, Params, VotingParams};
use pellucid_rules::parts::RulesPart;
use std::sync::{Arc, Mutex};

/// Returns examples randomly assigned to parts; some may be small, none is empty.
fn assigned(data: &Dataset, parts: usize, seed: u64) -> Vec<Dataset> {
    let mut stream = stream(seed);
    let of_example: Vec<usize> = (0..data.examples())
        .map(|one| if one < parts { one } else { stream.index(parts) })
        .collect();
    let part = |part: usize| {
        let own = (0u32..).zip(&of_example).filter(|(_, other)| **other == part);
        read_alone(data.select(&own.map(|(example, _)| example).collect::<Vec<u32>>()))
    };
    (0..parts).map(part).collect()
}

/// Returns a part as read on its own: with only its own categories, in the order of their first
/// rows.
fn read_alone(mut part: Dataset) -> Dataset {
    for column in &mut part.columns {
        if let Values::Nominal { codes, categories } = &mut column.values {
            let mut met: Vec<u32> = Vec::new();
            for code in codes.iter_mut().filter(|code| **code != MISSING) {
                let place = met.iter().position(|other| other == code).unwrap_or_else(|| {
                    met.push(*code);
                    met.len() - 1
                });
                *code = u32::try_from(place).expect("few");
            }
            *categories = met.iter().map(|&code| categories[code as usize].clone()).collect();
        }
    }
    part
}

/// Returns examples in consecutive parts, none of them empty.
fn cut(data: &Dataset, parts: usize) -> Vec<Dataset> {
    let examples: Vec<u32> = (0u32..).take(data.examples()).collect();
    examples
        .chunks(examples.len().div_ceil(parts))
        .map(|own| read_alone(data.select(own)))
        .collect()
}

/// Returns all parts together. Forgetful parts are recreated after every few requests and get only
/// the plan.
fn together(head: &Dataset, parts: &[Dataset], forget: bool) -> Parts {
    let (head, data) = (head.clone(), parts.to_vec());
    let worker = move |place: usize, plan: Option<&Vec<u8>>| {
        let mut part =
            RulesPart::new(&head, &data[place], plain_machine()).expect("a part of the whole");
        plan.into_iter().for_each(|plan| part.plan(place, plan).expect("a plan for it"));
        part
    };
    let workers: Vec<RulesPart> = (0..parts.len()).map(|place| worker(place, None)).collect();
    let mut examples = workers[0].examples();
    for part in &workers[1..] {
        examples.iter_mut().zip(part.examples()).for_each(|(sum, own)| *sum += own);
    }
    let table = Mutex::new((workers, None::<Vec<u8>>, 0));
    let send = move |request: Request<'_>| {
        let (workers, plan, questions) = &mut *table.lock().expect("no panic");
        *questions += 1;
        if forget && *questions % 3 == 0 {
            let place = *questions / 3 % workers.len();
            workers[place] = worker(place, plan.as_ref());
        }
        let mut answers = Vec::new();
        for (place, part) in workers.iter_mut().enumerate() {
            answers.push(match request {
                Request::Query(query) => part.answer(query),
                Request::Plan(new) => {
                    *plan = Some(new.to_vec());
                    part.plan(place, new).map(|()| Vec::new())
                }
            });
        }
        let answers = answers.into_iter().collect::<Result<Vec<_>, _>>();
        answers.map_err(|error| DeviceError::new("parts", error.to_string()))
    };
    Parts { examples, send: Arc::new(send) }
}

#[test]
fn parts_give_the_model_of_the_whole() {
    let coverings =
        [Covering::Auto, Covering::Presence, Covering::AtLeast(2), Covering::Between(1, 2)];
    for seed in 0..16 {
        let data = noisy(seed, seed % 2 == 0);
        let mode = if seed % 3 == 0 { Mode::Pareto } else { Mode::G3pMi };
        let params = Params { covering: coverings[seed as usize % 4], ..small(mode, seed) };
        let alone = learned(&data, params.clone(), &plain_machine()).unwrap();
        let parts = together(&data, &assigned(&data, 1 + seed as usize % 5, seed), seed % 4 == 1);
        let driver = Driver::new(&Control::new());
        let params = params.check().unwrap();
        let found =
            fit_parts(&data, parts, params, &plain_machine(), &driver, &mut Silent).unwrap();
        assert_eq!(found.model.to_json().unwrap(), alone.model.to_json().unwrap(), "{seed}");
        assert_eq!(found.train, alone.train, "{seed}");
    }
}

/// The default mode finds the same paths with distributed rows.
fn grows_as_the_whole_does(data: &Dataset, params: Params, parts: usize, forget: bool) {
    let params =
        Params { voting: VotingParams { prefer_one_rule: false, ..params.voting }, ..params };
    let alone = learned(data, params.clone(), &plain_machine()).unwrap();
    let case = (parts, params.seed);
    let path = alone.model.body.path.as_ref().expect("a path");
    assert!(!path.rules.is_empty() && alone.out_of_fold.is_some(), "{case:?}");
    let parts = together(data, &cut(data, parts), forget);
    let driver = Driver::new(&Control::new());
    let params = params.check().unwrap();
    let found = fit_parts(data, parts, params, &plain_machine(), &driver, &mut Silent).unwrap();
    assert_eq!(found.model.to_json().unwrap(), alone.model.to_json().unwrap(), "{case:?}");
    assert_eq!(found.train, alone.train, "{case:?}");
    // What rules cover in test folds is counted only where the rows are.
    let mut expected = alone.out_of_fold;
    expected.iter_mut().for_each(|scores| scores.coverage.clear());
    assert_eq!(found.out_of_fold, expected, "{case:?}");
}

#[test]
fn paths_grow_from_parts_as_from_the_whole() {
    for seed in 0..12 {
        let data = noisy(seed, seed % 2 == 0);
        let parts = 1 + seed as usize % 5;
        grows_as_the_whole_does(&data, small(Mode::Default, seed), parts, seed % 3 == 0);
    }
}

/// Many rows use all cut points, of which a column with many values has a few hundred; and there
/// are more than two classes.
#[test]
fn paths_grow_from_many_rows_in_parts() {
    let rows = 5200;
    let mut draw = stream(7);
    let fine: Vec<f64> = (0..rows).map(|_| draw.range(-1.0, 1.0)).collect();
    let coarse: Vec<f64> = (0..rows).map(|_| (draw.index(9) as f64 - 4.0) / 3.0).collect();
    let class = |row: usize| match (fine[row] > 0.3, coarse[row] > 0.5) {
        (true, true) => 2,
        (true, false) => 1,
        _ => 0,
    };
    let codes: Vec<u32> = (0..rows)
        .map(|row| if draw.chance(0.1) { draw.index(3) as u32 } else { class(row) })
        .collect();
    let columns = vec![
        ("fine".to_owned(), Values::Numeric(fine.into())),
        ("coarse".to_owned(), Values::Numeric(coarse.into())),
        ("kind".to_owned(), values(&mut draw, 5, rows)),
    ];
    let data = dataset(columns, None, &["a", "b", "c"], codes);
    let mut params = small(Mode::Default, 3);
    params.voting.most_rules = 3;
    grows_as_the_whole_does(&data, params, 3, true);
}

#[test]
fn a_path_from_parts_is_resumed() {
    let data = noisy(4, false);
    let mut params = small(Mode::Default, 4);
    params.voting.prefer_one_rule = false;
    let expected =
        learned(&data, params.clone(), &plain_machine()).unwrap().model.to_json().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let mut runs = 0;
    loop {
        let control = Control::new();
        let mut observer = Impatient { control: control.clone(), steps: 3 * (runs + 1) };
        let driver = Driver::new(&control).checkpoint(&path, Cadence::Steps(1)).resume(true);
        let (parts, params) =
            (together(&data, &cut(&data, 3), false), params.clone().check().unwrap());
        let found =
            fit_parts(&data, parts, params, &plain_machine(), &driver, &mut observer).unwrap();
        runs += 1;
        if !found.run.summary.stop.is_pause() {
            assert_eq!(found.model.to_json().unwrap(), expected);
            break;
        }
    }
    assert!(runs > 2, "{runs} runs");
}

/// Unsupported uses of distributed rows, and failures of parts, are reported.
#[test]
fn a_path_from_parts_reports_what_is_not_supported() {
    let data = noisy(2, false);
    let fails = |params: Params, parts: Parts| {
        let (driver, params) = (Driver::new(&Control::new()), params.check().unwrap());
        let found = fit_parts(&data, parts, params, &plain_machine(), &driver, &mut Silent);
        found.expect_err("a refusal").to_string()
    };
    let all = || together(&data, &cut(&data, 2), false);
    let mut params = small(Mode::Default, 1);
    assert!(fails(params.clone(), all()).contains("always_vote"), "a short list is not supported");
    params.voting.prefer_one_rule = false;
    let weighed =
        Params { class_weights: ClassWeights::Named("balanced".into()), ..params.clone() };
    assert!(fails(weighed, all()).contains("class_weight"));
    assert!(fails(Params { mode: Mode::List, ..params.clone() }, all()).contains("mode list"));
    for last in [0, 1, 2, 5, 9] {
        let (parts, questions) = (all(), Mutex::new(0));
        let send = Arc::clone(&parts.send);
        let breaks = move |request: Request<'_>| {
            let mut questions = questions.lock().expect("no panic");
            *questions += 1;
            match *questions > last {
                true => Err(DeviceError::new("parts", "the cable is out")),
                false => send(request),
            }
        };
        let error = fails(params.clone(), Parts { send: Arc::new(breaks), ..parts });
        assert!(error.contains("the cable is out"), "{error}");
    }
}

#[test]
fn parts_that_do_not_fit_are_rejected() {
    let data = noisy(3, false);
    let refusal = |change: &dyn Fn(&mut Dataset)| {
        let mut part = data.clone();
        change(&mut part);
        RulesPart::new(&data, &part, plain_machine()).expect_err("no part of the whole").to_string()
    };
    let unseen = refusal(&|part| match &mut part.columns.last_mut().unwrap().values {
        pellucid_data::Values::Numeric(numbers) => numbers.to_mut()[0] = 0.123_456,
        _ => unreachable!("the last column is of numbers"),
    });
    assert!(unseen.contains("'telling'") && unseen.contains("0.123456"), "{unseen}");
    let class = refusal(&|part| part.target.as_mut().unwrap().classes[0] = "perhaps".into());
    assert!(class.contains("'perhaps'"), "{class}");
    assert!(refusal(&|part| part.target = None).contains("no target"));
    assert!(refusal(&|part| drop(part.columns.pop())).contains("'telling'"));
    let mut part = RulesPart::new(&data, &data, plain_machine()).unwrap();
    for question in [&[][..], &[1, 9, 0, 0], &[1, 0, 0, 0, 3], &[1, 0, 0, 0, 3, 1, 1 << 40]] {
        assert!(part.tally(question).is_err(), "{question:?}");
    }
    for question in [&[][..], &[9], &[2, 0, 255, 1, 0, 0], &[5, 0, 255, 1]] {
        assert!(part.grow(question).is_err(), "{question:?}");
        assert!(part.plan(0, question).is_err(), "{question:?}");
        // The first byte is the kind of a query.
        for kind in [1, 2, 3] {
            assert!(part.answer(&[&[kind], question].concat()).is_err(), "{kind} {question:?}");
        }
    }
}

/// Distributed examples are only counted, so weights must be rejected rather than ignored.
#[test]
fn distributed_examples_cannot_have_weights() {
    let data = noisy(1, false);
    let weighed = Dataset { weights: Some(vec![2.0; data.examples()]), ..data.clone() };
    let expected = "weight: weights are not supported for distributed rows";
    for (head, part) in [(&data, &weighed), (&weighed, &data)] {
        let error = RulesPart::new(head, part, plain_machine()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let parts = together(&data, std::slice::from_ref(&data), false);
    let (driver, params) = (Driver::new(&Control::new()), small(Mode::G3pMi, 1).check().unwrap());
    let error =
        fit_parts(&weighed, parts, params, &plain_machine(), &driver, &mut Silent).unwrap_err();
    assert!(error.to_string().contains(expected), "{error}");
}
