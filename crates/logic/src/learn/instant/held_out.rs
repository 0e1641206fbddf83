//! The candidates of the training folds on the test folds, and the selection by them.

use super::build::{Assembly, MAX_PARTS};
use super::choose::Candidate;
use pellucid_learn::metrics::{Confusion, Metric};

/// The test examples covered, by split, layer, assembly and number of parts.
#[derive(Clone, Debug)]
pub(super) struct HeldOutRows {
    /// By split, then by layer, assembly and number of parts.
    pub(super) rows: Vec<Vec<Vec<u64>>>,
    pub(super) counts: Vec<Vec<[u64; 2]>>,
    /// The test examples of each split.
    pub(super) tests: Vec<Vec<u64>>,
    pub(super) test_counts: Vec<[u64; 2]>,
    pub(super) assemblies: usize,
    /// The test examples of each split that the shortest description of its training labels covers, by
    /// number.
    pub(super) shortest: Vec<Vec<u32>>,
}

impl HeldOutRows {
    /// The index of a candidate in a split; `None` for the baseline.
    fn index(&self, candidate: &Candidate) -> Option<usize> {
        let &Candidate { layer, assembly, parts, .. } = candidate;
        parts.checked_sub(1).map(|part| (layer * self.assemblies + assembly) * MAX_PARTS + part)
    }

    /// The test examples of a split that a candidate covers.
    pub(super) fn row(&self, split: usize, candidate: &Candidate) -> &[u64] {
        match self.index(candidate) {
            None => &self.tests[split],
            Some(index) => &self.rows[split][index],
        }
    }

    fn confusion(&self, candidate: &Candidate) -> Confusion {
        let [positive, negative] = match self.index(candidate) {
            None => sum(self.test_counts.iter()),
            Some(index) => sum(self.counts.iter().map(|split| &split[index])),
        };
        let [positives, negatives] = sum(self.test_counts.iter());
        Confusion::from_covered(positive, negative, positives, negatives)
    }

    /// Returns the rows without those of a split.
    pub(super) fn without(&self, split: usize) -> HeldOutRows {
        let mut rest = self.clone();
        rest.rows.remove(split);
        rest.counts.remove(split);
        rest.tests.remove(split);
        rest.test_counts.remove(split);
        rest
    }

    /// Returns the held-out quality of a candidate.
    pub(super) fn quality(&self, candidate: &Candidate, measure: Metric) -> f64 {
        measure.of(&self.confusion(candidate))
    }

    /// The standard error of a share of the examples.
    pub(super) fn error(&self) -> f64 {
        let [positives, negatives] = sum(self.test_counts.iter());
        0.5 / ((positives + negatives) as f64).sqrt()
    }

    /// Selects a candidate by its held-out scores.
    ///
    /// Candidates that are not better than the baseline are discarded. Of the others, those within
    /// one standard error of the best quality are kept, then those within one standard error of the
    /// best accuracy, and of these the smallest is selected, because it is least likely to overfit.
    /// The scores of single sizes are noisy, so each is averaged with the scores of candidates of
    /// the same assembly that have one part more or less, in all layers.
    pub(super) fn choose(
        &self,
        made: &[Candidate],
        assemblies: &[Assembly],
        measure: Metric,
    ) -> Option<usize> {
        let smoothed_quality = |at: usize, measure: Metric| {
            let near = made.iter().filter(|other| {
                other.assembly == made[at].assembly && other.parts.abs_diff(made[at].parts) <= 1
            });
            let (sum, count) = near.fold((0.0, 0.0), |(sum, count), one| {
                (sum + self.quality(one, measure), count + 1.0)
            });
            (self.quality(&made[at], measure) + sum / count) / 2.0
        };
        let all_individuals = Candidate::all_individuals();
        let baseline = self.quality(&all_individuals, Metric::Accuracy);
        let baseline = baseline.max(1.0 - baseline);
        let of =
            |measure: Metric| (0..made.len()).map(|at| smoothed_quality(at, measure)).collect();
        let (measured, accuracy): (Vec<f64>, Vec<f64>) = (of(measure), of(Metric::Accuracy));
        let within = |values: &[f64], among: &[usize]| -> Vec<usize> {
            let best = among.iter().map(|&at| values[at]).fold(f64::NEG_INFINITY, f64::max);
            let least = best - self.error();
            among.iter().copied().filter(|&at| values[at] >= least).collect()
        };
        let useful: Vec<usize> = (0..made.len()).filter(|&at| accuracy[at] > baseline).collect();
        let good = within(&accuracy, &within(&measured, &useful));
        let literals = |at: usize| match assemblies.get(made[at].assembly) {
            Some(assembly) => made[at].parts * (1 + usize::from(assembly.pairs)),
            None => 0,
        };
        let smallest = good.into_iter().min_by(|&left, &right| {
            let accurate = accuracy[right].total_cmp(&accuracy[left]);
            let rest = (made[left].layer, left).cmp(&(made[right].layer, right));
            literals(left).cmp(&literals(right)).then(accurate).then(rest)
        });
        smallest.or_else(|| made.iter().position(|one| one.parts == 0))
    }
}

fn sum<'a>(counts: impl Iterator<Item = &'a [u64; 2]>) -> [u64; 2] {
    counts.fold([0; 2], |[a, b], [x, y]| [a + x, b + y])
}
