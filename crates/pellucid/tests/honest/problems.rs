//! Problems with a known distribution: training data, and new data of the same distribution.

use pellucid::data::{ClassTarget, Column, Dataset, Values};
use pellucid::io::read_ontology_from;
use pellucid::learn::rng::{Stream, Streams};
use pellucid::logic::learn::Individuals;
use pellucid::logic::{Closure, KnowledgeBase};
use pellucid::registry::Data;
use std::fmt::Write as _;
use std::sync::Arc;

/// The distribution of labels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Truth {
    /// Labels are independent of the columns, and both classes are equally frequent.
    Noise,
    /// Noise with groups of this many rows that share a label.
    GroupedNoise(usize),
    /// The log odds of the label are a sum of step functions.
    Known,
}

/// The number of new rows to evaluate a model on.
const NEW_ROWS: usize = 1500;

impl Truth {
    /// Returns the number of rows of a group.
    fn in_group(self) -> usize {
        if let Truth::GroupedNoise(rows) = self { rows } else { 1 }
    }

    /// Returns training rows and new rows.
    pub(crate) fn tables(self, seed: u64, rows: usize) -> (Data, Data) {
        let mut stream = Streams::new(seed).stream(&["honest".into()]);
        let learned = self.table(rows, &mut stream);
        // New rows are not grouped, because independent rows give the most precise estimate.
        let alone = if self.in_group() > 1 { Truth::Noise } else { self };
        (Data::Table(learned), Data::Table(alone.table(NEW_ROWS, &mut stream)))
    }

    fn table(self, rows: usize, stream: &mut Stream) -> Dataset {
        let mut numbers: Vec<Vec<f64>> = vec![Vec::new(); 4];
        for row in 0..rows {
            let is_new = row % self.in_group() == 0;
            for (place, column) in numbers.iter_mut().enumerate() {
                // The first two columns are equal within a group.
                let own = match column.last() {
                    Some(&last) if !is_new && place < 2 => last,
                    _ => stream.range(-1.0, 1.0),
                };
                column.push(own);
            }
        }
        let codes = self.labels(&numbers, stream);
        let column = |(place, values): (usize, Vec<f64>)| Column {
            name: format!("x{place}"),
            values: Values::Numeric(values.into()),
        };
        Dataset {
            name: "honest".into(),
            rows,
            columns: numbers.into_iter().enumerate().map(column).collect(),
            target: Some(ClassTarget {
                name: "ill".into(),
                classes: vec!["no".into(), "yes".into()],
                codes,
            }),
            groups: (self.in_group() > 1).then(|| {
                (0..rows).map(|row| u32::try_from(row / self.in_group()).expect("few")).collect()
            }),
            ..Dataset::default()
        }
    }

    fn labels(self, numbers: &[Vec<f64>], stream: &mut Stream) -> Vec<u32> {
        let rows = numbers[0].len();
        match self {
            Truth::Noise | Truth::GroupedNoise(_) => {
                let size = self.in_group();
                let mut labels: Vec<u32> =
                    (0..).take(rows.div_ceil(size)).map(|unit: u32| unit % 2).collect();
                stream.shuffle(&mut labels);
                (0..rows).map(|row| labels[row / size]).collect()
            }
            Truth::Known => (0..rows)
                .map(|row| {
                    let above =
                        |column: usize, cut: f64| f64::from(u8::from(numbers[column][row] > cut));
                    let odds = 2.0 * above(0, 0.2) + 1.5 * above(1, -0.3) * above(2, 0.0) - 1.3;
                    u32::from(stream.chance(1.0 / (1.0 + (-odds).exp())))
                })
                .collect(),
        }
    }

    /// Returns training individuals and new individuals of an ontology, with classes instead of columns.
    pub(crate) fn individuals(self, seed: u64, examples: usize) -> (Data, Data) {
        let mut stream = Streams::new(seed).stream(&["honest individuals".into()]);
        let all = examples + 400;
        let mut text =
            "@prefix : <http://honest/> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
                .to_owned();
        let mut labels: Vec<bool> = (0..all).map(|one| one % 2 == 0).collect();
        stream.shuffle(&mut labels[..examples]);
        stream.shuffle(&mut labels[examples..]);
        for (one, label) in labels.iter_mut().enumerate() {
            let _ = write!(text, ":i{one} a owl:NamedIndividual");
            let is: [bool; 4] = std::array::from_fn(|_| stream.chance(0.5));
            let classes = is.iter().zip("ABCD".chars()).filter(|(is, _)| **is);
            classes.for_each(|(_, class)| text.push_str(&format!(", :{class}")));
            text.push_str(" .\n");
            if self == Truth::Known {
                *label = stream.chance(if is[0] && is[1] { 0.85 } else { 0.25 });
            }
        }
        "ABCD".chars().for_each(|class| text.push_str(&format!(":{class} a owl:Class .\n")));
        let ontology = read_ontology_from(text.as_bytes(), "honest.ttl").expect("Turtle");
        let kb =
            Arc::new(KnowledgeBase::new(ontology, &Closure::default()).expect("a knowledge base"));
        let part = |range: std::ops::Range<usize>| {
            let named = |label: bool| {
                let own = range.clone().filter(|&one| labels[one] == label);
                own.map(|one| format!("http://honest/i{one}")).collect()
            };
            let problem = pellucid::data::Problem {
                name: "ill".into(),
                positive: named(true),
                negative: named(false),
            };
            Data::Individuals(Individuals::examples(&kb, &problem).expect("known individuals"))
        };
        (part(0..examples), part(examples..all))
    }
}
