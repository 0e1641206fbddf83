//! One part of the rows, which answers queries about them.

use super::query::{ALL, DIGITS, DigitPrefix, Plan, Query, RowRole, TRAINING};
use crate::error::NetworkError;
use crate::evaluator::HALVES;
use crate::prepare::InputPreparation;
use crate::prepare::from_counts::OutOfFold;
use crate::training_table::TrainingTable;
use pellucid_bits::as_u32;
use pellucid_data::{Dataset, MISSING, Values};
use pellucid_device::Machine;
use pellucid_export::conform::conform;
use pellucid_forward::elsewhere::PartRanker;
use pellucid_forward::{Inputs, Session, Shape};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::learner::BoxError;
use pellucid_learn::model::Schema;
use pellucid_learn::parts::{Part, classes_of, from_bytes, in_categories_of, invalid_query, pack};
use std::sync::Arc;

/// A part of the rows that answers queries about itself.
pub struct NetworkPart {
    data: Dataset,
    codes: Vec<u32>,
    machine: Machine,
    /// The roles of its rows, once they are assigned.
    assignment: Option<Assignment>,
    /// The preparation and the prepared rows, once the preparation is known.
    ranker: Option<(InputPreparation, PartRanker)>,
}

/// The roles of the rows of a part.
struct Assignment {
    /// The number of its first row among all rows.
    first: usize,
    roles: Vec<RowRole>,
    folds: usize,
}

impl Assignment {
    /// Returns the training rows with their folds.
    fn training(&self) -> impl Iterator<Item = (usize, usize)> {
        let roles = self.roles.iter().enumerate();
        roles.filter_map(|(row, role)| Some((row, role.fold()?)))
    }

    /// Returns those of some rows that belong to this part, by local number.
    fn rows(&self, rows: &[u32]) -> Vec<u32> {
        let own = rows.iter().filter_map(|&row| (row as usize).checked_sub(self.first));
        own.filter(|&row| row < self.roles.len()).map(as_u32).collect()
    }
}

/// Returns the schema of a model that is trained on rows with this head.
///
/// # Errors
/// When networks cannot be trained on such rows.
pub fn schema(head: &Dataset) -> Result<Schema, NetworkError> {
    Ok(TrainingTable::new(head)?.schema())
}

impl Part for NetworkPart {
    fn plans(&self) -> usize {
        usize::from(self.assignment.is_some()) + usize::from(self.ranker.is_some())
    }

    fn plan(&mut self, place: usize, plan: &[u8]) -> Result<(), BoxError> {
        Ok(self.set_plan(place, plan)?)
    }

    fn answer(&mut self, query: &[u8]) -> Result<Vec<u64>, BoxError> {
        Ok(self.answer_query(query)?)
    }
}

impl NetworkPart {
    /// Creates a part with the categories and classes of the head.
    ///
    /// # Errors
    /// When the part does not match the head: a column is missing, or a class is unknown. When its
    /// rows have weights or bags.
    pub fn new(
        head: &Dataset,
        data: &Dataset,
        machine: Machine,
    ) -> Result<NetworkPart, NetworkError> {
        let schema = schema(head)?;
        let mut data = conform(data, &schema)?;
        let target = classes_of(&schema, &data)?;
        let codes = target.codes.clone();
        data.target = Some(target);
        in_categories_of(&schema, &mut data);
        Ok(NetworkPart { data, codes, machine, assignment: None, ranker: None })
    }

    /// Receives a plan; `place` is the number of this part.
    ///
    /// # Errors
    /// When the plan does not match this part, or no device can store the rows.
    fn set_plan(&mut self, place: usize, plan: &[u8]) -> Result<(), NetworkError> {
        match from_bytes(plan)? {
            Plan::Split { starts, roles, folds } => {
                let first = *starts.get(place).ok_or_else(invalid_query)?;
                let own = roles.get(first..).and_then(|roles| roles.get(..self.codes.len()));
                let roles = own.ok_or_else(invalid_query)?.to_vec();
                if roles.iter().filter_map(|role| role.fold()).any(|fold| fold >= folds) {
                    return Err(invalid_query().into());
                }
                self.assignment = Some(Assignment { first, roles, folds });
            }
            Plan::Prepared { preparation, training } => {
                let preparation: InputPreparation =
                    serde_json::from_str(&preparation).map_err(|_| invalid_query())?;
                let ranker = self.new_ranker(&preparation, &training)?;
                self.ranker = Some((preparation, ranker));
            }
        }
        Ok(())
    }

    fn assignment(&self) -> Result<&Assignment, NetworkError> {
        Ok(self.assignment.as_ref().ok_or_else(invalid_query)?)
    }

    /// Returns the prepared training rows, input by input.
    fn training(
        &self,
        preparation: &InputPreparation,
        training: &[OutOfFold],
    ) -> Result<Vec<Vec<f32>>, NetworkError> {
        let own = self.assignment()?;
        let (rows, folds): (Vec<usize>, Vec<usize>) = own.training().unzip();
        let rows: Vec<u32> = rows.into_iter().map(as_u32).collect();
        let data = self.data.select(&rows);
        let mut columns = preparation.apply(&data)?;
        for ((input, written), column) in preparation.inputs.iter().zip(training).zip(&mut columns)
        {
            let OutOfFold::Words(numbers) = written else { continue };
            let values = data.columns.iter().find(|column| column.name == input.column);
            let Some(Values::Nominal { codes, categories }) = values.map(|column| &column.values)
            else {
                return Err(invalid_query().into());
            };
            if numbers.len() != (categories.len() + 1) * own.folds {
                return Err(invalid_query().into());
            }
            let scale = input.scale(preparation.clip);
            for ((written, &code), fold) in column.iter_mut().zip(codes).zip(&folds) {
                let word = (code as usize).min(categories.len());
                *written = scale.of(numbers[word * own.folds + fold]);
            }
        }
        Ok(columns)
    }

    /// Stores the prepared rows on the devices.
    fn new_ranker(
        &self,
        preparation: &InputPreparation,
        training: &[OutOfFold],
    ) -> Result<PartRanker, NetworkError> {
        if training.len() != preparation.inputs.len() {
            return Err(invalid_query().into());
        }
        let own = self.assignment()?;
        let is_positive = |row: usize| self.codes[row] == 1;
        let positive: Vec<bool> = own.training().map(|(row, _)| is_positive(row)).collect();
        let trained = Inputs::new(&self.training(preparation, training)?, &positive)?;
        let rows = (0..own.roles.len()).filter(|&row| own.roles[row].is_held_out());
        let rows: Vec<u32> = rows.map(as_u32).collect();
        let columns = preparation.apply(&self.data.select(&rows))?;
        let positive: Vec<bool> = rows.iter().map(|&row| is_positive(row as usize)).collect();
        let mut held_out = Inputs::new(&columns, &positive)?;
        for half in 0..HALVES {
            let is_member = |&row: &u32| own.roles[row as usize].is_in_half(half);
            held_out.add_part(&rows.iter().map(is_member).collect::<Vec<bool>>())?;
        }
        let inputs = vec![Arc::new(trained), Arc::new(held_out)];
        Ok(PartRanker::new(Session::on(&self.machine, inputs)?))
    }

    /// Answers a query.
    ///
    /// # Errors
    /// When the query does not match this part, or a device fails.
    fn answer_query(&mut self, query: &[u8]) -> Result<Vec<u64>, NetworkError> {
        Ok(match from_bytes(query)? {
            Query::Labels => pack(&self.codes),
            Query::Print => vec![self.print()?],
            Query::Counts => self.counts()?,
            Query::Digits(prefixes) => self.digits(&prefixes)?,
            Query::Sample(rows) => self.sample(&rows)?,
            Query::Around(around) => self.ranker()?.answer(&around)?,
            Query::Scores(inputs, shape, genes) => {
                let scores = self.scores(inputs, &shape, &genes)?;
                pack(&scores.into_iter().map(f32::to_bits).collect::<Vec<_>>())
            }
            Query::Values(rows) => {
                let rows = self.assignment()?.rows(&rows);
                let row = |&row: &u32| self.words(row as usize);
                rows.iter().flat_map(row).collect()
            }
        })
    }

    fn ranker(&mut self) -> Result<&mut PartRanker, NetworkError> {
        Ok(&mut self.ranker.as_mut().ok_or_else(invalid_query)?.1)
    }

    /// Returns a row with one word per column.
    fn words(&self, row: usize) -> impl Iterator<Item = u64> {
        self.data.columns.iter().map(move |column| match &column.values {
            Values::Numeric(numbers) => numbers[row].to_bits(),
            Values::Nominal { codes, .. } => u64::from(codes[row]),
            Values::Boolean(truths) => u64::from(truths[row].map_or(MISSING, u32::from)),
        })
    }

    fn print(&self) -> Result<u64, NetworkError> {
        let first = self.assignment()?.first;
        let print = |row: usize| {
            let start = Fingerprint::new().with_number((first + row) as u64);
            let all = self.words(row).chain([u64::from(self.codes[row])]);
            all.fold(start, Fingerprint::with_number).value()
        };
        Ok((0..self.codes.len()).map(print).fold(0, u64::wrapping_add))
    }

    fn counts(&self) -> Result<Vec<u64>, NetworkError> {
        let own = self.assignment()?;
        let mut words = Vec::new();
        for column in &self.data.columns {
            let start = words.len();
            match &column.values {
                Values::Numeric(numbers) => {
                    words.extend([0; 2]);
                    let known = own.training().map(|(row, _)| numbers[row]);
                    let known = known.filter(|number| !number.is_nan());
                    known.for_each(|number| words[start + usize::from(number.is_infinite())] += 1);
                }
                Values::Boolean(truths) => {
                    words.extend([0; 2]);
                    let known = own.training().filter_map(|(row, _)| truths[row]);
                    known.for_each(|truth| words[start + usize::from(truth)] += 1);
                }
                Values::Nominal { codes, categories } => {
                    words.resize(start + (categories.len() + 1) * own.folds * 2, 0);
                    for (row, fold) in own.training() {
                        let word = (codes[row] as usize).min(categories.len());
                        let class = usize::from(self.codes[row] != 1);
                        words[start + (word * own.folds + fold) * 2 + class] += 1;
                    }
                }
            }
        }
        Ok(words)
    }

    fn digits(&self, prefixes: &[DigitPrefix]) -> Result<Vec<u64>, NetworkError> {
        let training: Vec<usize> = self.assignment()?.training().map(|(row, _)| row).collect();
        // `self` contains devices, which threads cannot share.
        let columns = &self.data.columns;
        let counted = |place: usize| -> Option<Vec<u64>> {
            let prefix = prefixes[place].checked()?;
            let Values::Numeric(numbers) = &columns.get(prefix.column)?.values else {
                return None;
            };
            let mut counts = vec![0; DIGITS];
            let finite = training.iter().map(|&row| numbers[row]).filter(|n| n.is_finite());
            finite.filter_map(|number| prefix.next(number)).for_each(|next| counts[next] += 1);
            Some(counts)
        };
        let counted = self.machine.threads.map(prefixes.len(), counted);
        let counted: Option<Vec<Vec<u64>>> = counted.into_iter().collect();
        Ok(counted.ok_or_else(invalid_query)?.concat())
    }

    fn sample(&mut self, rows: &[u32]) -> Result<Vec<u64>, NetworkError> {
        let own = self.assignment()?;
        let rows = own.rows(rows);
        // The position of each row among the training rows.
        let mut places = vec![None; own.roles.len()];
        own.training().enumerate().for_each(|(place, (row, _))| places[row] = Some(place));
        let places: Option<Vec<usize>> = rows.iter().map(|&row| places[row as usize]).collect();
        let inputs = Arc::clone(&self.ranker()?.inputs()[TRAINING]);
        let rows = places.ok_or_else(invalid_query)?.into_iter().map(|place| inputs.row(place));
        let numbers: Vec<f32> = rows.flatten().collect();
        Ok(pack(&numbers.into_iter().map(f32::to_bits).collect::<Vec<_>>()))
    }

    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, NetworkError> {
        if inputs != ALL {
            return Ok(self.ranker()?.scores(inputs, shape, genes)?);
        }
        let (preparation, _) = self.ranker.as_ref().ok_or_else(invalid_query)?;
        let all = Inputs::unlabelled(&preparation.apply(&self.data)?)?;
        let mut ranker = PartRanker::new(Session::on(&self.machine, vec![Arc::new(all)])?);
        Ok(ranker.scores(0, shape, genes)?)
    }
}
