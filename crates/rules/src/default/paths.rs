//! Paths that grow in parallel: one on all data, and one on each inner training fold, which scores
//! its test fold. All of them gain one rule per round, so that the sizes reached so far are always
//! scored.

use super::fold_scores::{FoldScores, ModelIndex};
use super::{Candidate, DefaultRun, RemoteData, RunState};
use crate::boost::{Cuts, FeatureTable, GrowingPath, MANY_EXAMPLES};
use crate::params::Mode;
use crate::path::RulePath;
use crate::train::RulesError;
use pellucid_data::Dataset;
use pellucid_learn::out_of_fold::OutOfFold;
use pellucid_learn::split::Split;

/// The sizes at which models are kept.
const SIZES: [usize; 28] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 70, 80, 100, 150, 200, 300, 500,
    1000, 2000, 5000,
];

/// The number of classes for which a path may reach the most rules; with more classes it may grow longer.
const CLASSES_PER_PATH: usize = 6;

/// The number of rules that every path reaches.
const LEAST_TRIED: usize = 15;

/// Paths that are this many standard errors behind the best are not grown any further.
const FAR: f64 = 2.0;

/// With fewer examples, random cut points are tried. On 25 tables with up to 900 rows they gained half
/// a point of accuracy; on nine with up to 4,600 rows nothing, and took as long as everything else.
const RANDOM: usize = 1000;

/// The longest list.
const LONGEST_LIST: usize = 20;

/// The most rules of a scorecard: it must fit on a page.
const LARGEST_CARD: usize = 40;

/// The growing paths.
#[derive(Debug)]
pub(super) struct Paths {
    pub(super) table: FeatureTable,
    /// For each choice of cut points, the path on all data, and those on the training folds.
    ways: Vec<Vec<GrowingPath>>,
}

impl DefaultRun<'_> {
    /// Returns whether no path on all data grows any further.
    pub(super) fn are_done(&self, paths: &Paths) -> bool {
        (0..paths.ways.len()).all(|way| self.has_ended(paths, way))
    }

    /// Returns whether the paths of a choice of cut points grow no further.
    fn has_ended(&self, paths: &Paths, way: usize) -> bool {
        let whole = &paths.ways[way][0];
        whole.is_done()
            || whole.size() >= self.most_rules()
            || self.state.ended.get(way) == Some(&true)
    }
}

impl DefaultRun<'_> {
    /// Returns the most rules of a path; with many classes, more are allowed. Lists are shorter,
    /// because they are read from the beginning.
    pub(super) fn most_rules(&self) -> usize {
        match self.params.mode {
            Mode::List => self.params.voting.most_rules.min(LONGEST_LIST),
            Mode::Scorecard => self.params.voting.most_rules.min(LARGEST_CARD),
            _ => self
                .params
                .voting
                .most_rules
                .saturating_mul(self.classes.len().div_ceil(CLASSES_PER_PATH)),
        }
    }

    /// Creates paths without rules.
    pub(super) fn empty_paths(&self) -> Result<Paths, RulesError> {
        if let Some(remote) = &self.remote {
            return self.remote_paths(remote);
        }
        let weights = self.weights_of(self.data);
        let mut table = FeatureTable::new(self.data, weights, &self.params, &self.machine.threads);
        table.control = self.driver.control().clone();
        if self.outputs() == 2 && self.params.mode != Mode::List {
            table.use_gpu(self.machine);
        }
        let examples = u32::try_from(self.training.codes.len()).unwrap_or(u32::MAX);
        let (ways, width) = (self.ways(), 1 + self.inner.len());
        let growth = |place: usize| {
            let examples = match (place % width).checked_sub(1) {
                None => (0..examples).collect(),
                Some(fold) => self.inner[fold].train.clone(),
            };
            let classes = (&self.classes[..], self.outputs());
            GrowingPath::new(&table, classes, ways[place / width], examples, &self.params)
        };
        let mut growths = self.machine.threads.map(ways.len() * width, growth).into_iter();
        let ways = ways.iter().map(|_| growths.by_ref().take(width).collect()).collect();
        Ok(Paths { table, ways })
    }

    /// Creates paths without rules for remote examples.
    fn remote_paths(&self, remote: &RemoteData<'_>) -> Result<Paths, RulesError> {
        let codes = &self.training.codes;
        let mut table = FeatureTable::remote(
            remote.head,
            &remote.parts,
            &remote.sizes,
            codes,
            (&self.inner, OutOfFold::step(codes.len())),
            &self.params,
        )?;
        table.control = self.driver.control().clone();
        let counted = |examples: &mut dyn Iterator<Item = u32>| {
            let mut counts = vec![0u64; self.outputs()];
            examples.for_each(|code| counts[code as usize] += 1);
            counts
        };
        let whole = (None, counted(&mut codes.iter().copied()));
        let of_fold = |(fold, split): (usize, &Split)| {
            let train = &mut split.train.iter().map(|&example| codes[example as usize]);
            (Some(fold), counted(train))
        };
        let learned_from: Vec<(Option<usize>, Vec<u64>)> =
            std::iter::once(whole).chain(self.inner.iter().enumerate().map(of_fold)).collect();
        let of_way = |&cuts: &Cuts| {
            let growth = |(fold, examples): &(Option<usize>, Vec<u64>)| {
                GrowingPath::remote(cuts, *fold, examples)
            };
            learned_from.iter().map(growth).collect()
        };
        Ok(Paths { table, ways: self.ways().iter().map(of_way).collect() })
    }

    /// Returns the first failure of a worker as an error.
    pub(super) fn check_remote(&self) -> Result<(), RulesError> {
        match self.paths.as_ref().and_then(|paths| paths.table.failure()) {
            Some(failure) => Err(failure.into()),
            None => Ok(()),
        }
    }

    /// Returns the choices of cut points to try: with few examples, a few random ones; all; and
    /// single conditions. In a list, later rules cannot correct a bad cut point, so it uses all.
    fn ways(&self) -> &'static [Cuts] {
        let examples = self.training.codes.len();
        match self.params.mode {
            Mode::List => &[Cuts::All],
            Mode::Scorecard => match examples {
                ..MANY_EXAMPLES => &[Cuts::Single, Cuts::AllSingle, Cuts::AllPaired],
                _ => &[Cuts::AllSingle, Cuts::AllPaired],
            },
            _ if self.params.voting.most_comparisons < 2 => match examples {
                ..MANY_EXAMPLES => &[Cuts::Few, Cuts::All],
                _ => &[Cuts::All],
            },
            _ => match examples {
                ..RANDOM => &[Cuts::Few, Cuts::All, Cuts::Single],
                RANDOM..MANY_EXAMPLES => &[Cuts::All, Cuts::Single],
                _ => &[Cuts::All, Cuts::AllSingle],
            },
        }
    }

    /// Returns whether a model is of the path whose rules may have conditions on two columns.
    pub(super) fn has_pairs(&self, index: ModelIndex) -> bool {
        self.ways().get(index.path) == Some(&Cuts::AllPaired)
    }

    /// Creates and scores paths without rules. Returns `None` if the run should stop.
    pub(super) fn start_paths(&mut self) -> Result<Option<u64>, RulesError> {
        let paths = self.empty_paths()?;
        if self.is_stopped() {
            return Ok(None);
        }
        self.prepare_scores();
        self.state.paths = vec![RulePath::default(); paths.ways.len()];
        for way in 0..paths.ways.len() {
            self.keep_model(&paths, way);
        }
        self.paths = Some(paths);
        Ok(Some(0))
    }

    /// Prepares the table of scores.
    pub(super) fn prepare_scores(&mut self) {
        if self.state.fold_scores.is_empty() {
            let (codes, numbers) = (&self.training.codes, self.training.numbers.as_deref());
            let weights = self.weights_of(self.data);
            let (each, loss) =
                ((OutOfFold::step(codes.len()), self.repeats()), self.params.voting.loss);
            self.state.fold_scores =
                FoldScores::new(each, codes, &weights, self.outputs(), (numbers, loss));
            if self.params.mode == Mode::Scorecard {
                self.state.fold_scores.expect_whole_points();
            }
        }
    }

    /// Adds a rule to every path. Returns the number of rules found, or `None` if the run should
    /// stop: the state is then unchanged, so that a resumed run repeats the step.
    pub(super) fn add_rules(&mut self) -> Option<u64> {
        let mut paths = self.paths.take()?;
        let threads = &self.machine.threads;
        let had_ended: Vec<bool> =
            (0..paths.ways.len()).map(|way| self.has_ended(&paths, way)).collect();
        let Paths { table, ways } = &mut paths;
        let sizes =
            |ways: &[Vec<GrowingPath>]| ways.iter().flatten().map(GrowingPath::size).sum::<usize>();
        let before = sizes(ways);
        let growing = ways.iter_mut().zip(&had_ended).filter(|(_, had_ended)| !**had_ended);
        let mut growing: Vec<&mut GrowingPath> = growing.flat_map(|(way, _)| way).collect();
        let table = &*table;
        table.each(&mut growing, threads, |growth| growth.grow(table, &self.params, threads));
        if self.is_stopped() {
            return None;
        }
        let found = sizes(ways) - before;
        let mut is_kept = false;
        for (way, had_ended) in had_ended.into_iter().enumerate() {
            let ends = self.has_ended(&paths, way);
            let whole = &paths.ways[way][0];
            let path = &mut self.state.paths[way];
            if whole.size() > path.rules.len() {
                path.rules.extend(whole.newest(&paths.table));
            }
            let is_new = path.models.last().is_none_or(|stop| stop.votes.len() < whole.size());
            let is_kept_size = SIZES.contains(&whole.size()) || ends;
            if !had_ended && is_new && is_kept_size && whole.may_end() {
                self.keep_model(&paths, way);
                is_kept = true;
            }
        }
        if is_kept {
            self.end_hopeless(&paths);
        }
        self.paths = Some(paths);
        Some(found as u64)
    }

    /// Ends the paths whose larger models will hardly be selected: those of which a model of half
    /// the size would be selected now, and those that are far behind the best.
    fn end_hopeless(&mut self, paths: &Paths) {
        self.add_candidates();
        if self.inner.is_empty() {
            return;
        }
        let units = self.scored_units();
        let weights = self.state.fold_scores.weights();
        let all = self.comparison(&self.candidates, weights, units.as_deref());
        let Some(best) = all.best(|_| true) else { return };
        let mut ended = self.state.ended.clone();
        ended.resize(paths.ways.len(), false);
        for (way, ended) in ended.iter_mut().enumerate() {
            let size = paths.ways[way][0].size();
            if size < self.params.voting.rules.unwrap_or(LEAST_TRIED) {
                continue;
            }
            let is_own = |candidate: &Candidate| candidate.index.path == way;
            let Some(own) = all.best(is_own) else { continue };
            let (behind, error) = all.behind(own, best);
            let selected = all.select_of(self.params.voting.size, is_own);
            let selected = selected.map_or(0, |selected| self.candidates[selected].rules);
            *ended |= size >= 2 * selected || behind > FAR * error;
        }
        self.state.ended = ended;
    }

    /// Keeps the model of a path on all data, and its out-of-fold scores.
    fn keep_model(&mut self, paths: &Paths, way: usize) {
        let classes = self.outputs();
        let growths = &paths.ways[way];
        // All folds have the same factor, so that their scores are comparable.
        let is_card = self.params.mode == Mode::Scorecard;
        let factor = is_card.then(|| growths[0].whole_factor());
        let path = &mut self.state.paths[way];
        path.models.push(growths[0].sized_model(classes, factor));
        let index = ModelIndex { path: way, model: path.models.len() - 1 };
        if self.inner.is_empty() {
            return;
        }
        let fold_scores = &self.state.fold_scores;
        let of_folds = self.machine.threads.map(self.inner.len(), |fold| {
            let scored = fold_scores.among(&self.inner[fold].test);
            let scores = (classes, factor);
            let votes = growths[fold + 1].scores(&paths.table, &scored, scores);
            (scored, votes)
        });
        let mut scores = fold_scores.unscored();
        for (split, (scored, votes)) in self.inner.iter().zip(&of_folds) {
            fold_scores.record(&mut scores, split.repeat, scored, votes);
        }
        self.state.fold_scores.keep(index, scores);
    }

    /// Saves the state of all paths.
    pub(super) fn save_paths(&mut self) {
        let Some(paths) = &self.paths else { return };
        self.state.growths =
            paths.ways.iter().map(|way| way.iter().map(GrowingPath::save).collect()).collect();
    }

    /// Restores saved paths; `None` if they do not fit the data.
    pub(super) fn restore_paths(&self, found: &RunState) -> Option<Paths> {
        let mut paths = self.empty_paths().ok()?;
        let counts = |ways: &[Vec<GrowingPath>]| ways.iter().map(Vec::len).collect::<Vec<_>>();
        let kept: Vec<usize> = found.growths.iter().map(Vec::len).collect();
        if counts(&paths.ways) != kept || found.paths.len() != kept.len() {
            return None;
        }
        let all = paths.ways.iter_mut().flatten().zip(found.growths.iter().flatten());
        for (growth, kept) in all {
            if !growth.restore(kept.clone(), &paths.table, &self.params, &self.machine.threads) {
                return None;
            }
        }
        let is_complete =
            |(way, path): (&Vec<GrowingPath>, &RulePath)| way[0].size() == path.rules.len();
        paths.ways.iter().zip(&found.paths).all(is_complete).then_some(paths)
    }

    /// Returns the weight of each example.
    pub(super) fn weights_of(&self, data: &Dataset) -> Vec<f64> {
        let codes = data.example_codes();
        let by_class = codes.iter().map(|&code| self.weights[code as usize]);
        match &data.weights {
            None => by_class.collect(),
            Some(own) => by_class.zip(own).map(|(class, own)| class * own).collect(),
        }
    }
}
