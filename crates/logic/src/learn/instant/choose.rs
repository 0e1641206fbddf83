//! Which size of answer can be relied on: the same is done without some of the examples, which then judge it.

use super::build::{Assembly, MOST_PARTS, Workshop};
use super::formula::Formula;
use super::literals::Literals;
use super::pairs::LiteralPairs;
use super::rows::{Shape, and, and_not};
use pellucid_device::Threads;
use pellucid_learn::metrics::{Confusion, Metric};
use pellucid_learn::split::Folds;

/// How many parts the examples are dealt to, each left out once, and how often.
const FOLDS: usize = 5;
const REPEATS: usize = 3;
/// How many literals are made use of where answers need not be clean: those are many, and made in every fold again.
pub(super) const MOST: usize = 1000;

/// An answer, and how it was made.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Which layer's literals it is made of.
    pub(super) layer: usize,
    /// Which way.
    pub(super) way: usize,
    /// How many parts it was made of.
    pub(super) parts: usize,
    /// The answer.
    pub(super) formula: Formula,
}

impl Candidate {
    /// The trivial answer, which holds for everybody.
    pub(super) fn everything() -> Candidate {
        Candidate { layer: 0, way: usize::MAX, parts: 0, formula: Formula::Constant(true) }
    }
}

/// What candidates are made with.
pub(super) struct Bench<'a> {
    pub(super) shape: Shape,
    pub(super) measure: Metric,
    pub(super) threads: &'a Threads,
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
}

impl Bench<'_> {
    /// Makes something with the literals of a layer.
    pub(super) fn work<R>(&self, literals: &Literals, work: impl FnOnce(&Workshop<'_>) -> R) -> R {
        let pairs = LiteralPairs::new(literals, self.shape);
        work(&Workshop {
            pairs: &pairs,
            shape: self.shape,
            measure: self.measure,
            threads: self.threads,
            stop: self.stop,
        })
    }

    /// Every way's answers of the literals of a layer, from the examples of a mask.
    pub(super) fn candidates(
        &self,
        literals: &Literals,
        layer: usize,
        ways: &[Assembly],
        mask: &[u64],
    ) -> Vec<Candidate> {
        self.work(literals, |shop| {
            let mut made = Vec::new();
            for (way, &how) in ways.iter().enumerate() {
                for (parts, formula) in (1..).zip(shop.path(how, mask)) {
                    let formula = shop.minimised(formula, mask);
                    made.push(Candidate { layer, way, parts, formula });
                }
            }
            made
        })
    }

    /// By layer, way and parts: what answers made so cover of examples that they were not made from, in all folds together.
    pub(super) fn cross_validated(
        &self,
        sets: &[Literals],
        ways: &[Assembly],
        seed: u64,
    ) -> Option<Held> {
        let codes: Vec<u32> =
            [vec![1; self.shape.positives], vec![0; self.shape.negatives]].concat();
        let folds = FOLDS.min(self.shape.positives).min(self.shape.negatives);
        let folds = Folds::stratified(&codes, folds, REPEATS, seed).ok()?;
        let splits: Vec<_> = folds.iter().collect();
        let layers = sets.len();
        let places = layers * ways.len() * (MOST_PARTS + 1);
        let judged = self.threads.map(splits.len() * layers, |job| {
            let (split, layer) = (&splits[job / layers], job % layers);
            let mut mask = vec![0; self.shape.words()];
            for &example in &split.train {
                let (word, bit) = self.shape.place(example as usize);
                mask[word] |= bit;
            }
            let test = and_not(&self.shape.all(), &mask);
            let literals = sets[layer].chosen(MOST, &mask);
            let mut counts = vec![None; ways.len() * (MOST_PARTS + 1)];
            self.work(&literals, |shop| {
                for (way, &how) in ways.iter().enumerate() {
                    for (parts, formula) in (1..).zip(shop.path(how, &mask)) {
                        let covered = shop.pruned(formula, &mask).covered(&literals, self.shape);
                        let place = way * (MOST_PARTS + 1) + parts;
                        counts[place] = Some(self.shape.counts(&and(&covered, &test)));
                    }
                }
            });
            counts
        });
        let mut held = Held { counts: vec![[0; 2]; places], ways: ways.len(), totals: [0; 2] };
        held.totals =
            [self.shape.positives, self.shape.negatives].map(|count| (count * REPEATS) as u64);
        for (job, counts) in judged.iter().enumerate() {
            let layer = job % layers;
            for way in 0..ways.len() {
                // Where no further part was worth it, the smaller answer stands for the larger ones.
                let mut last = [0; 2];
                for parts in 1..=MOST_PARTS {
                    let place = way * (MOST_PARTS + 1) + parts;
                    last = counts[place].unwrap_or(last);
                    let sum = &mut held.counts[layer * ways.len() * (MOST_PARTS + 1) + place];
                    sum[0] += u64::from(last[0]);
                    sum[1] += u64::from(last[1]);
                }
            }
        }
        Some(held)
    }
}

/// What held-out examples say of every way of making an answer.
#[derive(Clone, Debug)]
pub(super) struct Held {
    counts: Vec<[u64; 2]>,
    ways: usize,
    totals: [u64; 2],
}

impl Held {
    fn of(&self, candidate: &Candidate) -> Confusion {
        let &Candidate { layer, way, parts, .. } = candidate;
        let [positive, negative] = match parts {
            0 => self.totals,
            _ => self.counts[(layer * self.ways + way) * (MOST_PARTS + 1) + parts],
        };
        Confusion::from_covered(positive, negative, self.totals[0], self.totals[1])
    }

    /// The measure on held-out examples of an answer made like a candidate.
    pub(super) fn quality(&self, candidate: &Candidate, measure: Metric) -> f64 {
        measure.of(&self.of(candidate))
    }

    /// The standard error of a share of the examples; the repeats judge the same ones again.
    pub(super) fn error(&self) -> f64 {
        let examples = (self.totals[0] + self.totals[1]) as f64 / REPEATS as f64;
        0.5 / examples.sqrt()
    }

    /// Which candidate held-out examples speak for.
    ///
    /// Those that tell the classes apart no better than a guess are left out. Of the others, those within a standard error of
    /// the best by the measure are as good as it, as far as can be told; among them the accuracy decides, and of those within
    /// a standard error of the most accurate the smallest is chosen, whose success is chance least likely. What is found for
    /// single sizes is noisy, so a candidate is judged together with those of the same way that are a part smaller or larger,
    /// in all layers.
    pub(super) fn choose(
        &self,
        made: &[Candidate],
        ways: &[Assembly],
        measure: Metric,
    ) -> Option<usize> {
        let judged = |at: usize, measure: Metric| {
            let near = made.iter().filter(|other| {
                other.way == made[at].way && other.parts.abs_diff(made[at].parts) <= 1
            });
            let (sum, count) = near.fold((0.0, 0.0), |(sum, count), one| {
                (sum + self.quality(one, measure), count + 1.0)
            });
            (self.quality(&made[at], measure) + sum / count) / 2.0
        };
        let everything = Candidate::everything();
        let guessed = self.quality(&everything, Metric::Accuracy);
        let guessed = guessed.max(1.0 - guessed);
        let of = |measure: Metric| (0..made.len()).map(|at| judged(at, measure)).collect();
        let (measured, accuracy): (Vec<f64>, Vec<f64>) = (of(measure), of(Metric::Accuracy));
        let within = |values: &[f64], among: &[usize]| -> Vec<usize> {
            let best = among.iter().map(|&at| values[at]).fold(f64::NEG_INFINITY, f64::max);
            let least = best - self.error();
            among.iter().copied().filter(|&at| values[at] >= least).collect()
        };
        let useful: Vec<usize> = (0..made.len()).filter(|&at| accuracy[at] > guessed).collect();
        let good = within(&accuracy, &within(&measured, &useful));
        let literals = |at: usize| match ways.get(made[at].way) {
            Some(way) => made[at].parts * (1 + usize::from(way.pairs)),
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
