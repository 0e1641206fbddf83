//! Evaluates networks on subsets of the rows.

use crate::error::NetworkError;
use crate::metric::{Fitness, Objective};
use pellucid_device::Machine;
use pellucid_forward::{Batch, Inputs, Networks, RankRequest, Session, Shape};
use pellucid_learn::rng::Streams;
use std::sync::Arc;

/// The number of random halves of the held-out rows.
pub(crate) const HALVES: usize = 20;

/// A subset of the rows: one part of one set of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowSubset {
    pub(crate) inputs: usize,
    pub(crate) part: usize,
}

/// Evaluates networks on rows that are stored on the devices.
pub(crate) struct Evaluator {
    pub(crate) session: Session,
    pub(crate) objective: Objective,
    pub(crate) shape: Shape,
    /// Which rows belong to each part of each set of inputs. Kept only for metrics that need
    /// scores.
    members: Vec<Vec<Vec<bool>>>,
    /// The label of each row, by set of inputs.
    positive: Vec<Vec<bool>>,
}

/// Rows with labels and subsets, from which an [`Evaluator`] is made.
pub(crate) struct LabeledRows {
    inputs: Inputs,
    positive: Vec<bool>,
    /// The rows of each part; `None` if no metric needs scores, because there are many parts.
    members: Option<Vec<Vec<bool>>>,
}

impl LabeledRows {
    pub(crate) fn new(
        columns: &[Vec<f32>],
        positive: &[bool],
        objective: &Objective,
    ) -> Result<LabeledRows, NetworkError> {
        let inputs = Inputs::new(columns, positive)?;
        let members = objective.needs_scores().then(|| vec![vec![true; positive.len()]]);
        Ok(LabeledRows { inputs, positive: positive.to_vec(), members })
    }

    /// Adds a part and returns its number.
    pub(crate) fn add(&mut self, members: Vec<bool>) -> Result<usize, NetworkError> {
        let part = self.inputs.add_part(&members)?;
        if let Some(all) = &mut self.members {
            all.push(members);
        }
        Ok(part)
    }

    /// Adds random halves of some rows, stratified by class, and returns their part numbers.
    pub(crate) fn add_halves(
        &mut self,
        rows: &[u32],
        streams: Streams,
    ) -> Result<Vec<usize>, NetworkError> {
        let halves: Vec<Vec<bool>> = halves(rows, &self.positive, streams).collect();
        halves.into_iter().map(|members| self.add(members)).collect()
    }
}

/// Returns random halves of some rows, stratified by class, as flags by row.
pub(crate) fn halves(
    rows: &[u32],
    positive: &[bool],
    streams: Streams,
) -> impl Iterator<Item = Vec<bool>> {
    (0..HALVES).map(move |number| {
        let mut stream = streams.stream(&["half".into(), number.into()]);
        let mut members = vec![false; positive.len()];
        for wanted in [true, false] {
            let mut of: Vec<u32> =
                rows.iter().copied().filter(|&row| positive[row as usize] == wanted).collect();
            stream.shuffle(&mut of);
            of.truncate(of.len().div_ceil(2));
            of.iter().for_each(|&row| members[row as usize] = true);
        }
        members
    })
}

/// Networks to evaluate, and the subsets to evaluate them on.
pub(crate) struct EvaluationRequest<'a> {
    /// The genes of all networks, concatenated.
    pub(crate) genes: &'a [f32],
    pub(crate) subsets: Vec<RowSubset>,
}

impl Evaluator {
    pub(crate) fn new(
        machine: &Machine,
        objective: Objective,
        shape: Shape,
        rows: Vec<LabeledRows>,
    ) -> Result<Evaluator, NetworkError> {
        let (mut inputs, mut members, mut positive) = (Vec::new(), Vec::new(), Vec::new());
        for rows in rows {
            inputs.push(Arc::new(rows.inputs));
            members.push(rows.members.unwrap_or_default());
            positive.push(rows.positive);
        }
        let session = Session::on(machine, inputs)?;
        Ok(Evaluator { session, objective, shape, members, positive })
    }

    /// Creates an evaluator for remote rows. Metrics that need scores are not available.
    pub(crate) fn remote(session: Session, objective: Objective, shape: Shape) -> Evaluator {
        Evaluator { session, objective, shape, members: Vec::new(), positive: Vec::new() }
    }

    /// Returns the fitness by request, network and subset. All subsets of a request belong to the
    /// same inputs.
    pub(crate) fn evaluate(
        &mut self,
        requests: &[EvaluationRequest<'_>],
    ) -> Result<Vec<Vec<Vec<Fitness>>>, NetworkError> {
        let asks: Vec<Vec<RankRequest>> = requests
            .iter()
            .map(|request| {
                let ask = |subset: &RowSubset| {
                    let inputs = &self.session.inputs()[subset.inputs];
                    self.objective.ask(subset.part, inputs.part(subset.part))
                };
                request.subsets.iter().map(ask).collect()
            })
            .collect();
        let shape = self.shape.clone();
        let mut batches = Vec::with_capacity(requests.len());
        for (request, asks) in requests.iter().zip(&asks) {
            let inputs = request.subsets.first().map_or(0, |subset| subset.inputs);
            let networks = Networks::all(&shape, request.genes)?;
            batches.push(Batch { inputs, networks, asks });
        }
        let answers = self.session.rank(&batches)?;
        let mut found = Vec::with_capacity(requests.len());
        for (number, request) in requests.iter().enumerate() {
            let count = request.genes.len() / shape.genes();
            let mut of_question = Vec::with_capacity(count);
            for network in 0..count {
                let ranks = answers.of(number, network);
                let mut fitness: Vec<Fitness> =
                    ranks.iter().map(|ranks| self.objective.fitness_from_ranks(ranks)).collect();
                if self.objective.needs_scores() {
                    let genes = &request.genes[network * shape.genes()..][..shape.genes()];
                    self.by_scores(genes, &request.subsets, &mut fitness)?;
                }
                of_question.push(fitness);
            }
            found.push(of_question);
        }
        Ok(found)
    }

    /// Computes the fitness for metrics that need scores.
    fn by_scores(
        &mut self,
        genes: &[f32],
        subsets: &[RowSubset],
        fitness: &mut [Fitness],
    ) -> Result<(), NetworkError> {
        let Some(first) = subsets.first() else { return Ok(()) };
        let scores = self.session.scores(first.inputs, &self.shape.clone(), genes)?;
        for (subset, fitness) in subsets.iter().zip(fitness) {
            let members = &self.members[subset.inputs][subset.part];
            let positive = &self.positive[subset.inputs];
            let rows = (0..scores.len()).filter(|&row| members[row]);
            let (own, labels): (Vec<f32>, Vec<bool>) =
                rows.map(|row| (scores[row], positive[row])).unzip();
            *fitness = self.objective.fitness_from_scores(&own, &labels, fitness.auc);
        }
        Ok(())
    }

    /// Returns the fitness of some networks on one subset.
    pub(crate) fn at(
        &mut self,
        genes: &[f32],
        subset: RowSubset,
    ) -> Result<Vec<Fitness>, NetworkError> {
        let found = self.evaluate(&[EvaluationRequest { genes, subsets: vec![subset] }])?;
        Ok(found.into_iter().flatten().filter_map(|of| of.first().copied()).collect())
    }
}

impl LabeledRows {
    pub(crate) fn is_positive(&self, row: usize) -> bool {
        self.positive[row]
    }
}
