//! Networks of the publication on columns with numbers of very different magnitude, where
//! activations grow exponentially.

use crate::exported_code::table::{answers, case, machine, model, predicted};
use pellucid::data::{ClassTarget, Column, Dataset, Values};
use pellucid::learn::learner::Predictions;
use pellucid::learn::rng::Streams;
use pellucid::registry::{Data, Settings};

/// Returns rows whose class depends on numbers from 1e-9 to 1e9.
fn skewed(seed: u64) -> Dataset {
    let mut stream = Streams::new(seed).stream(&["skewed".into()]);
    let rows = 240;
    let plain: Vec<f64> = (0..rows).map(|_| stream.range(-2.0, 2.0)).collect();
    let sizes: Vec<f64> = (0..rows).map(|_| (10.0_f64).powf(stream.range(-9.0, 9.0))).collect();
    let code = |row: usize| u32::from(plain[row] > 0.5 || sizes[row] > 1e4);
    let target = ClassTarget {
        name: "y".into(),
        classes: ["no", "yes"].map(str::to_owned).to_vec(),
        codes: (0..rows).map(code).collect(),
    };
    Dataset {
        name: "skewed".into(),
        columns: vec![
            Column { name: "a".into(), values: Values::Numeric(plain.into()) },
            Column { name: "h".into(), values: Values::Numeric(sizes.into()) },
        ],
        rows,
        target: Some(target),
        ..Dataset::default()
    }
}

#[test]
fn predict_its_explanation_and_every_export_agree() {
    let (mut cases, mut expected) = (Vec::new(), Vec::new());
    for seed in 0..16_u64 {
        let data = skewed(seed);
        let settings = Settings::new().with("mode", "paper").with("generations", 30);
        let model = model("network", settings.with("seed", seed), &data);
        let applied = model.apply(&Data::Table(data.clone()), &machine()).expect("it fits");
        let calibration = model.calibration().expect("inner folds");
        let found = Predictions::new(applied, &model.schema().classes, Some(calibration));
        let mut is_near = Vec::new();
        for row in 0..found.len() {
            let scores = found.applied().scores().expect("scores");
            let votes = scores.of(row).expect("a row");
            // A score is a log odds value, or a multiple of it if a slope is steep. It must not
            // overflow.
            assert!(votes[1].abs() < 1e6, "seed {seed}, row {row}: {votes:?}");
            let shares = calibration.probabilities(votes);
            assert_eq!(found.predicted(row) == 1, shares[1] > shares[0], "{shares:?}");
            is_near.push((shares[1] - shares[0]).abs() < 1e-4);
            let explanation = found.explain(row, true).expect("an explanation");
            let score = explanation.json["score"].as_f64().expect("a score");
            assert!((score - votes[1]).abs() < 1e-9, "{score} and {votes:?}");
            let verdict = format!(": {}; score", found.class(row));
            assert!(explanation.text.contains(&verdict), "{}", explanation.text);
        }
        cases.push(case(&*model, &data, false));
        expected.push((seed, predicted(&*model, &data), is_near));
    }
    for ((seed, expected, is_near), exported) in expected.into_iter().zip(answers(&cases)) {
        for (form, classes) in ["SQL", "Python", "JavaScript"].iter().zip(exported) {
            for (row, (class, expected)) in classes.iter().zip(&expected).enumerate() {
                assert!(is_near[row] || class == expected, "{form}, seed {seed}, row {row}");
            }
        }
    }
}
