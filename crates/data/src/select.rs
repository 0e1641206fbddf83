//! Selects part of a data set, such as the training or test examples of a fold.

use super::{Bags, ClassTarget, Column, Dataset, Ids, NumberTarget, Origin};
use crate::Values;

impl Dataset {
    /// Returns some of the examples in the given order. Classes and categories do not change, so
    /// codes keep their meaning.
    ///
    /// # Panics
    /// If an example occurs twice or does not exist.
    #[must_use]
    pub fn select(&self, examples: &[u32]) -> Dataset {
        self.select_by(examples, |columns, select| (0..columns).map(select).collect())
    }

    /// Like [`Dataset::select`]; `each` receives the number of columns and a function that selects
    /// one of them, so that the caller can select columns in parallel.
    ///
    /// # Panics
    /// If an example occurs twice or does not exist.
    #[must_use]
    pub fn select_by(
        &self,
        examples: &[u32],
        each: impl FnOnce(usize, &(dyn Fn(usize) -> Column + Sync)) -> Vec<Column>,
    ) -> Dataset {
        let (rows, bags) = match &self.bags {
            None => (examples.to_vec(), None),
            Some(bags) => {
                let (rows, bags) = select_bags(bags, examples);
                (rows, Some(bags))
            }
        };
        let column = |index: usize| Column {
            name: self.columns[index].name.clone(),
            values: select_rows(&self.columns[index].values, &rows),
        };
        let target = self.target.as_ref().map(|target| ClassTarget {
            codes: examples.iter().map(|&example| target.codes[example as usize]).collect(),
            ..target.clone()
        });
        let number = self.number.as_ref().map(|number| NumberTarget {
            name: number.name.clone(),
            values: picked(&number.values, examples),
        });
        Dataset {
            name: self.name.clone(),
            columns: each(self.columns.len(), &column),
            rows: rows.len(),
            target,
            number,
            bags,
            notes: Vec::new(),
            origin: self.origin.select(&rows),
            groups: self.groups.as_ref().map(|groups| picked(groups, examples)),
            weights: self.weights.as_ref().map(|weights| picked(weights, examples)),
        }
    }
}

impl Origin {
    /// Selects the names and lines of some rows.
    fn select(&self, rows: &[u32]) -> Origin {
        let ids = self.ids.as_ref().map(|ids| Ids {
            name: ids.name.clone(),
            of_row: rows.iter().map(|&row| ids.of_row[row as usize].clone()).collect(),
        });
        let lines = if self.lines.is_empty() { &[] } else { rows };
        Origin {
            ids,
            lines: lines.iter().map(|&row| self.lines[row as usize]).collect(),
            guessed_target: self.guessed_target,
            reading: self.reading.clone(),
        }
    }
}

/// Returns the entries of some examples.
fn picked<T: Copy>(of_examples: &[T], examples: &[u32]) -> Vec<T> {
    examples.iter().map(|&example| of_examples[example as usize]).collect()
}

/// Returns the rows of some bags, bag by bag, and the renumbered bags.
fn select_bags(bags: &Bags, examples: &[u32]) -> (Vec<u32>, Bags) {
    const LEFT_OUT: u32 = u32::MAX;
    let mut index = vec![LEFT_OUT; bags.names.len()];
    for (new, &bag) in (0..).zip(examples) {
        assert_eq!(index[bag as usize], LEFT_OUT, "an example occurs twice");
        index[bag as usize] = new;
    }
    let mut kept: Vec<(u32, u32)> = (0..)
        .zip(&bags.of_row)
        .map(|(row, &bag)| (index[bag as usize], row))
        .filter(|&(bag, _)| bag != LEFT_OUT)
        .collect();
    kept.sort_unstable();
    let (of_row, rows) = kept.into_iter().unzip();
    let names = examples.iter().map(|&bag| bags.names[bag as usize].clone()).collect();
    (rows, Bags { name: bags.name.clone(), names, of_row })
}

fn select_rows(values: &Values, rows: &[u32]) -> Values {
    match values {
        Values::Numeric(numbers) => {
            Values::Numeric(rows.iter().map(|&row| numbers[row as usize]).collect())
        }
        Values::Nominal { codes, categories } => Values::Nominal {
            codes: rows.iter().map(|&row| codes[row as usize]).collect(),
            categories: categories.clone(),
        },
        Values::Boolean(truths) => {
            Values::Boolean(rows.iter().map(|&row| truths[row as usize]).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toys() -> Dataset {
        Dataset {
            name: "toys".into(),
            columns: vec![Column {
                name: "x".into(),
                values: Values::Numeric(vec![0.0, 1.0, 2.0, 3.0, 4.0].into()),
            }],
            rows: 5,
            target: Some(ClassTarget {
                name: "y".into(),
                classes: vec!["a".into(), "b".into()],
                codes: vec![0, 1, 1],
            }),
            bags: Some(Bags {
                name: "bag".into(),
                names: vec!["p".into(), "q".into(), "r".into()],
                of_row: vec![0, 1, 0, 2, 1],
            }),
            number: None,
            notes: vec!["a note".into()],
            origin: Origin {
                ids: Some(Ids {
                    name: "id".into(),
                    of_row: (0..5).map(|row| Some(format!("r{row}"))).collect(),
                }),
                lines: vec![2, 3, 4, 6, 7],
                ..Origin::default()
            },
            groups: Some(vec![4, 4, 9]),
            weights: Some(vec![1.0, 2.0, 0.5]),
        }
    }

    #[test]
    fn bags_are_selected_whole_and_in_order() {
        let part = toys().select(&[2, 0]);
        part.check().unwrap();
        assert_eq!(part.columns[0].values, Values::Numeric(vec![3.0, 0.0, 2.0].into()));
        assert_eq!((part.row_id(0), part.line(2)), (Some("r3"), Some(4)));
        assert_eq!((part.heading(), part.example_name(0).as_str()), ("bag", "r"));
        let bags = part.bags.unwrap();
        assert_eq!((bags.names, bags.of_row), (vec!["r".to_owned(), "p".into()], vec![0, 1, 1]));
        assert_eq!(part.target.unwrap().codes, [1, 0]);
        assert_eq!((part.groups, part.weights), (Some(vec![9, 4]), Some(vec![0.5, 1.0])));
    }

    #[test]
    fn rows_are_selected_without_bags() {
        let mut data = toys();
        (data.bags, data.groups, data.weights) = (None, None, None);
        data.target.as_mut().unwrap().codes = vec![0, 1, 0, 1, 1];
        let part = data.select(&[4, 1]);
        part.check().unwrap();
        assert_eq!(part.columns[0].values, Values::Numeric(vec![4.0, 1.0].into()));
        assert_eq!((part.heading(), part.example_name(1).as_str()), ("id", "r1"));
        assert_eq!(part.target.unwrap().codes, [1, 1]);
    }
}
