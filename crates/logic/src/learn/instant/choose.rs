//! Builds candidates from all examples and from training folds.

use super::build::{Assembly, FormulaBuilder, MAX_PARTS};
use super::description::description_bits;
use super::formula::Formula;
use super::held_out::HeldOutRows;
use super::literals::Literals;
use super::pairs::LiteralPairs;
use super::rows::{ExampleLayout, and, and_not};
use pellucid_device::Threads;
use pellucid_learn::metrics::Metric;
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
        let jobs = self.threads.map(splits.len() * layers, |job| {
            self.fold_layer(&sets[job % layers], assemblies, &splits[job / layers])
        });
        let folds = jobs.chunks(layers.max(1));
        let rows: Vec<Vec<Vec<u64>>> = folds
            .clone()
            .map(|layers| layers.iter().flat_map(|layer| layer.rows.clone()).collect())
            .collect();
        let shortest = folds.map(|layers| {
            let shortest = layers.iter().map(|layer| &layer.shortest);
            let shortest = shortest.min_by(|one, other| one.0.total_cmp(&other.0));
            shortest.map_or(Vec::new(), |(_, row)| self.layout.examples(row))
        });
        let shortest = shortest.collect();
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
            shortest,
        }
    }

    /// Builds the candidates of a training fold from the literals of a layer.
    fn fold_layer(&self, literals: &Literals, assemblies: &[Assembly], split: &Split) -> FoldLayer {
        let mask = self.mask(&split.train);
        let test = and_not(&self.layout.all(), &mask);
        let literals = literals.chosen(MAX_LITERALS, &mask);
        let count = |row: &[u64]| self.layout.counts(row).map(u64::from);
        let examples = count(&mask);
        // The baseline covers all individuals.
        let baseline = (description_bits(0, 1, examples, examples), test.clone());
        let mut layer = FoldLayer { rows: Vec::new(), shortest: baseline };
        self.with_builder(&literals, |builder| {
            for &assembly in assemblies {
                let mut rows: Vec<Vec<u64>> = Vec::with_capacity(MAX_PARTS);
                for formula in builder.path(assembly, &mask) {
                    let formula = builder.prune(formula, &mask);
                    let covered = formula.covered(&literals, self.layout);
                    let row = and(&covered, &test);
                    let seen = count(&and(&covered, &mask));
                    let bits = description_bits(formula.literals(), literals.len(), seen, examples);
                    if bits < layer.shortest.0 {
                        layer.shortest = (bits, row.clone());
                    }
                    rows.push(row);
                }
                // If no further part was added, the smaller formula stands for the larger ones.
                let last = rows.last().cloned().unwrap_or(vec![0; self.layout.words()]);
                rows.resize(MAX_PARTS, last);
                layer.rows.extend(rows);
            }
        });
        layer
    }

    /// Returns the test examples of each split that are covered by the candidate selected without this split,
    /// so that the selection is part of what is judged. If accuracy is optimized, the selected candidate of a
    /// training fold does not depend on the other splits.
    pub(super) fn judged(
        &self,
        held_out: &HeldOutRows,
        made: &[Candidate],
        assemblies: &[Assembly],
    ) -> Vec<Vec<u32>> {
        if self.measure == Metric::Accuracy {
            return held_out.shortest.clone();
        }
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

/// The candidates of a training fold from the literals of a layer.
struct FoldLayer {
    /// The test examples covered, by assembly and number of parts.
    rows: Vec<Vec<u64>>,
    /// The shortest description of the training labels, and the test examples that its formula covers.
    shortest: (f64, Vec<u64>),
}
