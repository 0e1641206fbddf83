//! Rows in parts give the model that all of them give.

use crate::cases::{learned, noisy, plain_machine, small, stream};
use pellucid_data::Dataset;
use pellucid_device::DeviceError;
use pellucid_learn::params::Check;
use pellucid_learn::run::{Control, Driver, Silent};
use pellucid_rules::learner::fit_parts;
use pellucid_rules::params::{Covering, Mode, Params};
use pellucid_rules::parts::{Part, Parts, Question};
use std::sync::{Arc, Mutex};

/// Examples dealt into so many parts by chance; some may be small, none is empty.
fn dealt(data: &Dataset, parts: usize, seed: u64) -> Vec<Dataset> {
    let mut stream = stream(seed);
    let of_example: Vec<usize> = (0..data.examples())
        .map(|one| if one < parts { one } else { stream.index(parts) })
        .collect();
    let part = |part: usize| {
        let own = (0u32..).zip(&of_example).filter(|(_, other)| **other == part);
        data.select(&own.map(|(example, _)| example).collect::<Vec<u32>>())
    };
    (0..parts).map(part).collect()
}

/// All parts at one table.
fn together(head: &Dataset, parts: &[Dataset]) -> Parts {
    let parts: Vec<Part> = parts
        .iter()
        .map(|data| Part::new(head, data, plain_machine()).expect("a part of the whole"))
        .collect();
    let sum = |answers: Vec<Vec<u64>>| {
        answers.into_iter().reduce(|sum, next| sum.iter().zip(next).map(|(a, b)| a + b).collect())
    };
    let examples = sum(parts.iter().map(Part::examples).collect()).expect("a part");
    let parts = Mutex::new(parts);
    let ask = move |question: &Question<'_>| {
        let mut parts = parts.lock().expect("nobody panicked");
        let answer = |part: &mut Part| match question {
            Question::Tally(words) => part.tally(words),
            Question::Judge(model) => part.judge(model),
        };
        let answers = parts.iter_mut().map(answer).collect::<Result<Vec<_>, _>>();
        let answers = answers.map_err(|error| DeviceError::new("parts", error.to_string()))?;
        Ok(sum(answers).unwrap_or_default())
    };
    Parts { examples, ask: Arc::new(ask) }
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
        let parts = together(&data, &dealt(&data, 1 + seed as usize % 5, seed));
        let driver = Driver::new(&Control::new());
        let params = params.check().unwrap();
        let found =
            fit_parts(&data, parts, params, &plain_machine(), &driver, &mut Silent).unwrap();
        assert_eq!(found.model.to_json().unwrap(), alone.model.to_json().unwrap(), "{seed}");
        assert_eq!(found.train, alone.train, "{seed}");
    }
}

#[test]
fn what_does_not_belong_is_refused() {
    let data = noisy(3, false);
    let refusal = |change: &dyn Fn(&mut Dataset)| {
        let mut part = data.clone();
        change(&mut part);
        Part::new(&data, &part, plain_machine()).expect_err("no part of the whole").to_string()
    };
    let strange = refusal(&|part| match &mut part.columns.last_mut().unwrap().values {
        pellucid_data::Values::Numeric(numbers) => numbers.to_mut()[0] = 0.123_456,
        _ => unreachable!("the last column is of numbers"),
    });
    assert!(strange.contains("'telling'") && strange.contains("0.123456"), "{strange}");
    let class = refusal(&|part| part.target.as_mut().unwrap().classes[0] = "perhaps".into());
    assert!(class.contains("'perhaps'"), "{class}");
    assert!(refusal(&|part| part.target = None).contains("no target"));
    assert!(refusal(&|part| drop(part.columns.pop())).contains("'telling'"));
    let mut part = Part::new(&data, &data, plain_machine()).unwrap();
    for question in [&[][..], &[1, 9, 0, 0], &[1, 0, 0, 0, 3], &[1, 0, 0, 0, 3, 1, 1 << 40]] {
        assert!(part.tally(question).is_err(), "{question:?}");
    }
}

/// How many examples there are elsewhere is known, and not what they weigh: a weight that is passed over would be a lie.
#[test]
fn examples_elsewhere_have_no_weights() {
    let data = noisy(1, false);
    let weighed = Dataset { weights: Some(vec![2.0; data.examples()]), ..data.clone() };
    let said = "weight: rows that lie elsewhere are counted and cannot be weighed";
    for (head, part) in [(&data, &weighed), (&weighed, &data)] {
        let error = Part::new(head, part, plain_machine()).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
    let parts = together(&data, std::slice::from_ref(&data));
    let (driver, params) = (Driver::new(&Control::new()), small(Mode::G3pMi, 1).check().unwrap());
    let error =
        fit_parts(&weighed, parts, params, &plain_machine(), &driver, &mut Silent).unwrap_err();
    assert!(error.to_string().contains(said), "{error}");
}
