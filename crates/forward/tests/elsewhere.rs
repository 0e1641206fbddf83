//! Rows that are split between several workers give the same ranks as all rows together, whatever sample the
//! thresholds are estimated from.

#![allow(clippy::cast_possible_truncation, reason = "generated sizes are small")]

#[path = "conformance/case.rs"]
mod case;

use case::{Case, Kind};
use pellucid_device::{Device, DeviceError};
use pellucid_forward::elsewhere::{Around, Asks, PartRanker};
use pellucid_forward::{
    Batch, Bracket, BracketQuery, Inputs, Networks, RankRequest, Ranks, Session, Shape,
};
use pellucid_testdevices::{Backend, Draw, cases, cpus};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

/// The workers and the number of queries they have received.
struct Workers {
    workers: Vec<PartRanker>,
    queries: Arc<Mutex<usize>>,
    /// Creates new workers before each query, as after a restart.
    restart: Option<Box<dyn Fn() -> Vec<PartRanker> + Send>>,
}

fn failed(error: impl std::fmt::Display) -> DeviceError {
    DeviceError::new("workers", error.to_string())
}

impl Asks for Workers {
    fn around(&mut self, around: &Around) -> Result<Vec<u64>, DeviceError> {
        *self.queries.lock().expect("a count") += 1;
        if let Some(restart) = &self.restart {
            self.workers = restart();
        }
        let mut sum: Vec<u64> = Vec::new();
        for worker in &mut self.workers {
            let answer = worker.answer(around).map_err(failed)?;
            sum.resize(answer.len(), 0);
            sum.iter_mut().zip(answer).for_each(|(sum, own)| *sum += own);
        }
        Ok(sum)
    }

    fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, DeviceError> {
        let of = |worker: &mut PartRanker| worker.scores(inputs, shape, genes).map_err(failed);
        Ok(self.workers.iter_mut().map(of).collect::<Result<Vec<_>, _>>()?.concat())
    }
}

/// Returns some rows of a case, with its parts.
fn rows_of(case: &Case, rows: &[usize]) -> Inputs {
    let columns: Vec<Vec<f32>> =
        case.columns.iter().map(|column| rows.iter().map(|&row| column[row]).collect()).collect();
    let of = |marks: &[bool]| -> Vec<bool> { rows.iter().map(|&row| marks[row]).collect() };
    let mut inputs = Inputs::new(&columns, &of(&case.positive)).expect("finite numbers");
    for part in &case.parts {
        inputs.add_part(&of(part)).expect("a mark for each row");
    }
    inputs
}

fn ranks(session: &mut Session, case: &Case, asks: &[RankRequest]) -> Vec<Vec<Ranks>> {
    let networks = Networks::all(&case.shape, &case.genes).expect("whole networks");
    let answers = session.rank(&[Batch { inputs: 0, networks, asks }]).expect("ranks");
    (0..case.networks()).map(|network| answers.of(0, network).to_vec()).collect()
}

/// Returns a session with remote rows, and the number of queries.
fn split_session(
    case: &Case,
    split: Vec<Vec<usize>>,
    device: &Device,
    sample: Option<Inputs>,
    restarts: bool,
) -> (Session, Arc<Mutex<usize>>) {
    let whole = case.inputs();
    let totals: Vec<(usize, usize)> =
        whole.parts().iter().map(|part| (part.rows(), part.positives())).collect();
    let inputs: Vec<Arc<Inputs>> = split.iter().map(|rows| Arc::new(rows_of(case, rows))).collect();
    let device = device.clone();
    let workers = move || -> Vec<PartRanker> {
        let worker = |inputs: &Arc<Inputs>| {
            let device = std::slice::from_ref(&device);
            PartRanker::new(Session::new(vec![Arc::clone(inputs)], device).expect("a session"))
        };
        inputs.iter().map(worker).collect()
    };
    let queries = Arc::new(Mutex::new(0));
    let remote = Workers {
        workers: workers(),
        queries: Arc::clone(&queries),
        restart: restarts.then(|| Box::new(workers) as Box<dyn Fn() -> Vec<PartRanker> + Send>),
    };
    let elsewhere = Inputs::elsewhere(whole.features(), &totals).expect("rows");
    let session = Session::elsewhere(vec![Arc::new(elsewhere)], Box::new(remote), sample);
    (session.expect("a session"), queries)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(48), ..ProptestConfig::default() })]

    #[test]
    fn any_split_of_rows_gives_the_same_ranks(
        seed: u64,
        rows in 1_usize..700,
        workers in 1_usize..6,
        sampled in 0_usize..4,
        restarts: bool,
    ) {
        let kind = Kind { rows, features: 3, most_nodes: 3, networks: 5 };
        let case = Case::new(seed, &kind);
        let mut draw = Draw::new(seed ^ 1);
        let mut split = vec![Vec::new(); workers];
        (0..rows).for_each(|row| split[draw.index(workers)].push(row));
        // The sample has all rows, a few, those of other data, or none. It affects only the number of
        // queries.
        let sample = match sampled {
            0 => Some(case.inputs()),
            1 => Some(rows_of(&case, &(0..rows).step_by(7).collect::<Vec<_>>())),
            2 => Some(Case::new(!seed, &kind).inputs()),
            _ => None,
        };
        let without_pairs = |ask: &RankRequest| RankRequest { pairs: false, ..*ask };
        let asks: Vec<RankRequest> = case.asks.iter().map(without_pairs).collect();
        for Backend { name, device } in cpus(&[2]) {
            let local = Session::new(vec![Arc::new(case.inputs())], std::slice::from_ref(&device));
            let here = ranks(&mut local.expect("a session"), &case, &asks);
            let (mut session, queries) =
                split_session(&case, split.clone(), &device, sample.clone(), restarts);
            prop_assert_eq!(&ranks(&mut session, &case, &asks), &here, "{}", name);
            let asked = *queries.lock().expect("a count");
            prop_assert!(asked <= 8, "{} queries", asked);
        }
    }

    #[test]
    fn scores_are_concatenated(seed: u64, rows in 1_usize..300, cut in 0_usize..300) {
        let case = Case::new(seed, &Kind { rows, features: 2, most_nodes: 3, networks: 1 });
        let device = Device::processor(None).expect("a CPU");
        let here = Session::new(vec![Arc::new(case.inputs())], std::slice::from_ref(&device));
        let mut here = here.expect("a session");
        let cut = cut.min(rows);
        let split = vec![(0..cut).collect(), (cut..rows).collect()];
        let (mut there, _) = split_session(&case, split, &device, None, false);
        let scores = |session: &mut Session| -> Vec<u32> {
            let found = session.scores(0, &case.shape, case.network(0)).expect("scores");
            found.into_iter().map(f32::to_bits).collect()
        };
        prop_assert_eq!(scores(&mut here), scores(&mut there));
    }
}

/// No score is -0, so a bracket that ends at -0 contains no zero on any device.
#[test]
fn a_bracket_can_end_between_the_zeros() {
    let case = Case::new(1, &Kind { rows: 100, features: 2, most_nodes: 2, networks: 1 });
    let genes = vec![0.0; case.shape.genes()];
    let inputs = Arc::new(case.inputs());
    let positives = case.positive.iter().filter(|&&positive| positive).count() as u32;
    for Backend { name, device } in cpus(&[1]) {
        let mut session = Session::new(vec![Arc::clone(&inputs)], &[device]).expect("a session");
        let networks = Networks::all(&case.shape, &genes).expect("a network");
        let cell = |bracket| BracketQuery { network: 0, part: 0, bracket };
        let cells = [cell(Bracket::between(-1.0, -0.0)), cell(Bracket::between(-0.0, 0.0))];
        let near = session.near(0, networks, &cells).expect("scores");
        assert_eq!((near[0].above, near[0].within()), ([100, positives], 0), "{name}");
        assert_eq!((near[1].above, near[1].within()), ([0, 0], 100), "{name}");
    }
}

/// With a representative sample two or three queries are enough, even for very many rows.
#[test]
fn few_queries_are_needed() {
    let rows = 40_000;
    let case = Case::new(3, &Kind { rows, features: 4, most_nodes: 4, networks: 20 });
    let device = Device::processor(None).expect("a CPU");
    let top = [RankRequest::top(0, rows / 5)];
    let fair: Vec<usize> = (0..rows).step_by(10).collect();
    let split = vec![(0..rows / 3).collect(), (rows / 3..rows).collect()];
    let (mut there, queries) =
        split_session(&case, split, &device, Some(rows_of(&case, &fair)), false);
    let mut here = Session::new(vec![Arc::new(case.inputs())], &[device]).expect("a session");
    assert_eq!(ranks(&mut there, &case, &top), ranks(&mut here, &case, &top));
    let asked = *queries.lock().expect("a count");
    assert!(asked <= 3, "{asked} queries");
}

/// Impossible answers are an error.
#[test]
fn inconsistent_answers_are_rejected() {
    struct WrongAnswers(u64);
    impl Asks for WrongAnswers {
        fn around(&mut self, around: &Around) -> Result<Vec<u64>, DeviceError> {
            Ok(vec![self.0; around.cells.len() * (1 + around.buckets)])
        }
        fn scores(&mut self, _: usize, _: &Shape, _: &[f32]) -> Result<Vec<f32>, DeviceError> {
            Ok(Vec::new())
        }
    }
    let case = Case::new(5, &Kind { rows: 50, features: 2, most_nodes: 2, networks: 2 });
    for answer in [0, u64::MAX, u64::from(u32::MAX)] {
        let inputs = Inputs::elsewhere(2, &[(50, 10)]).expect("rows");
        let mut session =
            Session::elsewhere(vec![Arc::new(inputs)], Box::new(WrongAnswers(answer)), None)
                .expect("a session");
        let networks = Networks::all(&case.shape, &case.genes).expect("whole networks");
        let asks = [RankRequest::top(0, 10)];
        let result = session.rank(&[Batch { inputs: 0, networks, asks: &asks }]);
        assert!(result.expect_err("an error").to_string().contains("are inconsistent"));
    }
}
