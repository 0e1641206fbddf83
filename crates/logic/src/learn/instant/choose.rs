//! Selects the size of the expression by cross-validation.

use super::build::{Assembly, FormulaBuilder, MAX_PARTS};
use super::formula::Formula;
use super::literals::Literals;
use super::pairs::LiteralPairs;
use super::rows::{ExampleLayout, and, and_not};
use pellucid_device::Threads;
use pellucid_learn::metrics::{Confusion, Metric};
use pellucid_learn::split::Split;

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

    /// Returns the test examples that candidates cover, by split, layer, assembly and number of parts.
    pub(super) fn cross_validated(
        &self,
        sets: &[Literals],
        assemblies: &[Assembly],
        splits: &[Split],
    ) -> HeldOutRows {
        let layers = sets.len();
        let results = self.threads.map(splits.len() * layers, |job| {
            let (split, layer) = (&splits[job / layers], job % layers);
            let mask = self.mask(&split.train);
            let test = and_not(&self.layout.all(), &mask);
            let literals = sets[layer].chosen(MAX_LITERALS, &mask);
            self.with_builder(&literals, |builder| {
                let rows = |assembly: &Assembly| {
                    let path = builder.path(*assembly, &mask).into_iter();
                    let covered = path.map(|formula| {
                        let covered = builder.prune(formula, &mask).covered(&literals, self.layout);
                        and(&covered, &test)
                    });
                    // If no further part was added, the smaller formula stands for the larger ones.
                    let mut covered: Vec<Vec<u64>> = covered.collect();
                    let last = covered.last().cloned().unwrap_or(vec![0; self.layout.words()]);
                    covered.resize(MAX_PARTS, last);
                    covered
                };
                assemblies.iter().flat_map(rows).collect::<Vec<Vec<u64>>>()
            })
        });
        let rows: Vec<Vec<Vec<u64>>> = results.chunks(layers.max(1)).map(<[_]>::concat).collect();
        let count = |row: &Vec<u64>| self.layout.counts(row).map(u64::from);
        let tests: Vec<Vec<u64>> = splits
            .iter()
            .map(|split| and_not(&self.layout.all(), &self.mask(&split.train)))
            .collect();
        HeldOutRows {
            counts: rows.iter().map(|rows| rows.iter().map(count).collect()).collect(),
            test_counts: tests.iter().map(count).collect(),
            rows,
            tests,
            assemblies: assemblies.len(),
        }
    }

    /// Returns the test examples of each split that are covered by the candidate selected without this split,
    /// so that the selection is part of what is judged.
    pub(super) fn judged(
        &self,
        held_out: &HeldOutRows,
        made: &[Candidate],
        assemblies: &[Assembly],
    ) -> Vec<Vec<u32>> {
        let selected = |split: usize| {
            let chosen = held_out.without(split).choose(made, assemblies, self.measure);
            let row = chosen.map(|chosen| held_out.row(split, &made[chosen]));
            row.map_or(Vec::new(), |row| self.layout.examples(row))
        };
        (0..held_out.tests.len()).map(selected).collect()
    }

    /// Returns the test examples of a split that the best clean candidate of its training fold covers.
    pub(super) fn solved_without(&self, sets: &[Literals], split: &Split) -> Vec<u32> {
        let mask = self.mask(&split.train);
        let test = and_not(&self.layout.all(), &mask);
        let mut best: Option<(f64, u32, Vec<u64>)> = None;
        for literals in sets {
            let literals = literals.chosen(MAX_LITERALS, &mask);
            self.with_builder(&literals, |builder| {
                let paths = Assembly::CLEAN.into_iter().flat_map(|one| builder.path(one, &mask));
                for formula in paths {
                    let formula = builder.minimize(formula, &mask);
                    let covered = formula.covered(&literals, self.layout);
                    let quality = builder.quality(&covered, &mask);
                    let length = formula.length(&literals);
                    let is_better = best.as_ref().is_none_or(|&(highest, shortest, _)| {
                        quality > highest || (quality >= highest && length < shortest)
                    });
                    if is_better {
                        best = Some((quality, length, and(&covered, &test)));
                    }
                }
            });
        }
        best.map_or(Vec::new(), |(_, _, row)| self.layout.examples(&row))
    }

    /// The set of some examples.
    pub(super) fn mask(&self, examples: &[u32]) -> Vec<u64> {
        let mut mask = vec![0; self.layout.words()];
        for &example in examples {
            let (word, bit) = self.layout.position(example as usize);
            mask[word] |= bit;
        }
        mask
    }
}

/// The test examples covered, by split, layer, assembly and number of parts.
#[derive(Clone, Debug)]
pub(super) struct HeldOutRows {
    /// By split, then by layer, assembly and number of parts.
    rows: Vec<Vec<Vec<u64>>>,
    counts: Vec<Vec<[u64; 2]>>,
    /// The test examples of each split.
    tests: Vec<Vec<u64>>,
    test_counts: Vec<[u64; 2]>,
    assemblies: usize,
}

impl HeldOutRows {
    /// The index of a candidate in a split; `None` for the baseline.
    fn index(&self, candidate: &Candidate) -> Option<usize> {
        let &Candidate { layer, assembly, parts, .. } = candidate;
        parts.checked_sub(1).map(|part| (layer * self.assemblies + assembly) * MAX_PARTS + part)
    }

    /// The test examples of a split that a candidate covers.
    fn row(&self, split: usize, candidate: &Candidate) -> &[u64] {
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
    fn without(&self, split: usize) -> HeldOutRows {
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
