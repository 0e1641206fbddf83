//! The search over remote examples of more than two classes.

use super::RemoteExamples;
use super::query::{Query, RemotePath};
use crate::boost::by_sums::Answers;
use crate::boost::gain::fewest;
use crate::boost::many::{Layout, ManyFit, ManyGain, SCALE, scan_sums};
use crate::boost::members::{KnownRule, KnownRules, Members};
use crate::boost::scan::ColumnScan;
use crate::boost::search::{ExampleSource, Extended, FoundRule, RuleSearch, ScanPlan};
use crate::boost::stepped::SteppedColumn;
use crate::boost::test::Test;
use pellucid_learn::rng::Streams;

/// The digest and the sums of an extended conjunction.
#[derive(Clone, Debug, Default)]
struct ManyExtension {
    members: Members,
    sums: Vec<i64>,
}

/// The beam of a search.
struct RemoteManyBeam<'a> {
    examples: &'a RemoteExamples,
    search: &'a RuleSearch<'a>,
    gain: &'a ManyGain,
    path: &'a RemotePath,
    shares: &'a [f64],
    answers: Answers<ManyExtension>,
}

impl RemoteExamples {
    /// Returns the rule with the largest gain over all classes that differs from the known rules.
    pub(in crate::boost) fn best_of_many(
        &self,
        search: &RuleSearch<'_>,
        fit: &ManyFit,
        path: &RemotePath,
        rules: &[KnownRule],
        streams: Streams,
    ) -> Option<FoundRule> {
        let (shares, examples) = (fit.shares(), fit.examples());
        let all = self.extend_by_many(path, &shares, vec![Vec::new()])?;
        let ManyExtension { members, sums } = all.first()?;
        let known = KnownRules { all: *members, least: fewest(examples), rules };
        let (layout, level) = (Layout { classes: path.classes }, search.threads.level());
        let gain = ManyGain::new(layout, sums, 1.0 / SCALE, examples, search.clear, level);
        let far = || {
            let (gain, shares) = (&gain, &shares[..]);
            RemoteManyBeam {
                examples: self,
                search,
                gain,
                path,
                shares,
                answers: Answers::default(),
            }
        };
        search.best_of(far, &known, streams)
    }

    /// Returns the digest of a path's examples that satisfy some conditions.
    pub(in crate::boost) fn members_of_many(
        &self,
        path: &RemotePath,
        fit: &ManyFit,
        tests: &[Test],
    ) -> Members {
        let found = self.extend_by_many(path, &fit.shares(), vec![tests.to_vec()]);
        found.and_then(|found| Some(found.first()?.members)).unwrap_or_default()
    }

    /// Returns the digests and sums of extended conjunctions.
    fn extend_by_many(
        &self,
        path: &RemotePath,
        shares: &[f64],
        beam: Vec<Vec<Test>>,
    ) -> Option<Vec<ManyExtension>> {
        let each = 2 + Layout { classes: path.classes }.stride();
        let (shares, words) = (shares.to_vec(), each * beam.len());
        let found = self.sum(&Query::Extension { path: path.clone(), shares, beam }, words)?;
        let longer = |words: &[u64]| ManyExtension {
            members: Members { count: words[0], sum: words[1] },
            sums: words[2..].iter().map(|word| word.cast_signed()).collect(),
        };
        Some(found.chunks_exact(each).map(longer).collect())
    }
}

impl ExampleSource for RemoteManyBeam<'_> {
    type Extension = ManyExtension;

    fn scan(&mut self, beam: &[Vec<Test>], plan: &ScanPlan<'_>) -> Vec<Vec<ColumnScan>> {
        let RuleSearch { features, cuts, .. } = *self.search;
        let gain = self.gain.of_scan(plan.sampled);
        let stride = Layout { classes: self.path.classes }.stride();
        let steps = |(feature, is_wanted): (&SteppedColumn, &bool)| {
            if *is_wanted { stride * (feature.count + 1) } else { 0 }
        };
        let words = plan.wanted.iter().flat_map(|wanted| features.iter().zip(wanted).map(steps));
        let words: usize = words.sum();
        let beam = beam.iter().cloned().zip(plan.wanted.iter().cloned()).collect();
        let (path, shares) = (self.path.clone(), self.shares.to_vec());
        self.answers = Answers::default();
        let query = Query::Scan { path, shares, beam, sampled: plan.sampled };
        let Some(found) = self.examples.sum(&query, words) else { return Vec::new() };
        let found: Vec<i64> = found.into_iter().map(u64::cast_signed).collect();
        let mut rest = &found[..];
        let mut look = |from: usize, feature: usize| {
            let stepped = &features[feature];
            if !plan.wanted[from][feature] {
                return ColumnScan::default();
            }
            let (sums, others) = rest.split_at(stride * (stepped.count + 1));
            rest = others;
            let mut stream = plan.streams.stream(&[from.into(), feature.into()]);
            let best = scan_sums(sums, stepped, cuts, &gain, plan.conditions, &mut stream);
            ColumnScan { best, sums: Vec::new() }
        };
        (0..plan.wanted.len())
            .map(|from| (0..features.len()).map(|feature| look(from, feature)).collect())
            .collect()
    }

    fn extend_by(
        &mut self,
        beam: &[Vec<Test>],
        candidates: &[Extended],
        place: usize,
    ) -> ManyExtension {
        let ask = |tests| self.examples.extend_by_many(self.path, self.shares, tests);
        // After a failure the result does not matter, but it has all sums.
        let nothing = || ManyExtension {
            sums: vec![0; Layout { classes: self.path.classes }.stride()],
            ..ManyExtension::default()
        };
        self.answers.get(beam, candidates, place, ask).unwrap_or_else(nothing)
    }

    fn is_same(one: &ManyExtension, other: &ManyExtension) -> bool {
        one.members == other.members
    }

    fn members(longer: &ManyExtension) -> Members {
        longer.members
    }

    fn weight(&self, longer: &ManyExtension) -> f64 {
        self.gain.weight_of(&longer.sums)
    }

    fn whole_weight(&self) -> f64 {
        self.gain.weight()
    }

    fn favors(&self, _: &ManyExtension) -> bool {
        true
    }

    fn set_beam(&mut self, _: Vec<(usize, ManyExtension)>) {}
}
