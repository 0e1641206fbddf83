//! Selects the size of the expression by cross-validation.

use super::build::{Assembly, FormulaBuilder, MAX_PARTS};
use super::formula::Formula;
use super::literals::Literals;
use super::pairs::LiteralPairs;
use super::rows::{ExampleLayout, and, and_not};
use pellucid_device::Threads;
use pellucid_learn::metrics::{Confusion, Metric};
use pellucid_learn::split::Folds;

/// The number of folds, and the number of repetitions.
const FOLDS: usize = 5;
const REPEATS: usize = 3;
/// The maximum number of literals for lenient assemblies, which are many and are repeated in every
/// fold.
pub(super) const MAX_LITERALS: usize = 1000;

/// A candidate expression, and how it was assembled.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The layer of its literals.
    pub(super) layer: usize,
    /// The index of the assembly.
    pub(super) assembly: usize,
    /// The number of parts.
    pub(super) parts: usize,
    /// The formula.
    pub(super) formula: Formula,
}

impl Candidate {
    /// The baseline candidate, which covers all individuals.
    pub(super) fn all_individuals() -> Candidate {
        Candidate { layer: 0, assembly: usize::MAX, parts: 0, formula: Formula::Constant(true) }
    }
}

/// Builds and cross-validates candidates.
pub(super) struct CandidateBuilder<'a> {
    pub(super) layout: ExampleLayout,
    pub(super) measure: Metric,
    pub(super) threads: &'a Threads,
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
}

impl CandidateBuilder<'_> {
    /// Calls a function with a formula builder for the literals of a layer.
    pub(super) fn with_builder<R>(
        &self,
        literals: &Literals,
        work: impl FnOnce(&FormulaBuilder<'_>) -> R,
    ) -> R {
        let pairs = LiteralPairs::new(literals, self.layout, self.threads.level());
        work(&FormulaBuilder {
            pairs: &pairs,
            layout: self.layout,
            measure: self.measure,
            threads: self.threads,
            stop: self.stop,
        })
    }

    /// Returns the candidates of all assemblies, from the examples of a mask.
    pub(super) fn candidates(
        &self,
        literals: &Literals,
        layer: usize,
        assemblies: &[Assembly],
        mask: &[u64],
    ) -> Vec<Candidate> {
        self.with_builder(literals, |builder| {
            let mut made = Vec::new();
            for (index, &assembly) in assemblies.iter().enumerate() {
                for (parts, formula) in (1..).zip(builder.path(assembly, mask)) {
                    let formula = builder.minimize(formula, mask);
                    made.push(Candidate { layer, assembly: index, parts, formula });
                }
            }
            made
        })
    }

    /// Counts the held-out examples that candidates cover, by layer, assembly and number of parts,
    /// summed over all folds.
    pub(super) fn cross_validated(
        &self,
        sets: &[Literals],
        assemblies: &[Assembly],
        seed: u64,
    ) -> Option<HeldOutCounts> {
        let codes: Vec<u32> =
            [vec![1; self.layout.positives], vec![0; self.layout.negatives]].concat();
        let folds = FOLDS.min(self.layout.positives).min(self.layout.negatives);
        let folds = Folds::stratified(&codes, folds, REPEATS, seed).ok()?;
        let splits: Vec<_> = folds.iter().collect();
        let layers = sets.len();
        let size = layers * assemblies.len() * (MAX_PARTS + 1);
        let results = self.threads.map(splits.len() * layers, |job| {
            let (split, layer) = (&splits[job / layers], job % layers);
            let mut mask = vec![0; self.layout.words()];
            for &example in &split.train {
                let (word, bit) = self.layout.position(example as usize);
                mask[word] |= bit;
            }
            let test = and_not(&self.layout.all(), &mask);
            let literals = sets[layer].chosen(MAX_LITERALS, &mask);
            let mut counts = vec![None; assemblies.len() * (MAX_PARTS + 1)];
            self.with_builder(&literals, |builder| {
                for (number, &assembly) in assemblies.iter().enumerate() {
                    for (parts, formula) in (1..).zip(builder.path(assembly, &mask)) {
                        let covered = builder.prune(formula, &mask).covered(&literals, self.layout);
                        let index = number * (MAX_PARTS + 1) + parts;
                        counts[index] = Some(self.layout.counts(&and(&covered, &test)));
                    }
                }
            });
            counts
        });
        let mut held_out = HeldOutCounts {
            counts: vec![[0; 2]; size],
            assemblies: assemblies.len(),
            totals: [0; 2],
        };
        held_out.totals =
            [self.layout.positives, self.layout.negatives].map(|count| (count * REPEATS) as u64);
        for (job, counts) in results.iter().enumerate() {
            let layer = job % layers;
            for assembly in 0..assemblies.len() {
                // If no further part was added, the smaller formula stands for the larger ones.
                let mut last = [0; 2];
                for parts in 1..=MAX_PARTS {
                    let index = assembly * (MAX_PARTS + 1) + parts;
                    last = counts[index].unwrap_or(last);
                    let sum =
                        &mut held_out.counts[layer * assemblies.len() * (MAX_PARTS + 1) + index];
                    sum[0] += u64::from(last[0]);
                    sum[1] += u64::from(last[1]);
                }
            }
        }
        Some(held_out)
    }
}

/// The held-out examples covered, by layer, assembly and number of parts.
#[derive(Clone, Debug)]
pub(super) struct HeldOutCounts {
    counts: Vec<[u64; 2]>,
    assemblies: usize,
    totals: [u64; 2],
}

impl HeldOutCounts {
    fn of(&self, candidate: &Candidate) -> Confusion {
        let &Candidate { layer, assembly, parts, .. } = candidate;
        let [positive, negative] = match parts {
            0 => self.totals,
            _ => self.counts[(layer * self.assemblies + assembly) * (MAX_PARTS + 1) + parts],
        };
        Confusion::from_covered(positive, negative, self.totals[0], self.totals[1])
    }

    /// Returns the held-out quality of a candidate.
    pub(super) fn quality(&self, candidate: &Candidate, measure: Metric) -> f64 {
        measure.of(&self.of(candidate))
    }

    /// The standard error of a share of the examples. Repetitions use the same examples.
    pub(super) fn error(&self) -> f64 {
        let examples = (self.totals[0] + self.totals[1]) as f64 / REPEATS as f64;
        0.5 / examples.sqrt()
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
