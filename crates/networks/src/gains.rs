//! The performance on held-out rows: gains at the top of the ranking, and calibration.

use crate::model::{CalibrationGroup, Gain, HeldOutEvaluation, RowCounts};
use pellucid_learn::metrics::{Decisions, Top};
use std::collections::BTreeSet;

/// The shares of the rows for which gains are computed.
const TAKEN: [f64; 9] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75];
/// The number of calibration groups.
const GROUPS: usize = 10;

impl HeldOutEvaluation {
    /// Evaluates the decisions about held-out rows. Returns `None` if a class is absent or rows
    /// have no scores.
    pub(crate) fn new(decisions: &Decisions) -> Option<HeldOutEvaluation> {
        if decisions.classes.len() > 2 {
            return Some(HeldOutEvaluation::of_classes(decisions));
        }
        let scores = decisions.numbers_of(1)?;
        let labels = decisions.list().iter().map(|one| one.actual == 1);
        let mut rows: Vec<(f64, bool)> = scores.iter().copied().zip(labels).collect();
        let positive = rows.iter().filter(|(_, positive)| *positive).count();
        if positive == 0 || positive == rows.len() {
            return None;
        }
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let summary = decisions.summary();
        Some(HeldOutEvaluation {
            rows: RowCounts {
                all: rows.len() as u64,
                positive: positive as u64,
                by_class: Vec::new(),
            },
            accuracy: None,
            log_loss: None,
            auc: summary.auc.map(|figure| figure.estimate),
            lift_at_20: summary.lift_at_20.map(|figure| figure.estimate),
            gains: gains(decisions, &scores, positive),
            calibration: if decisions.has_probabilities() {
                calibration(&rows)
            } else {
                Vec::new()
            },
        })
    }

    /// Evaluates the decisions between more than two classes.
    fn of_classes(decisions: &Decisions) -> HeldOutEvaluation {
        let mut by_class = vec![0; decisions.classes.len()];
        decisions.list().iter().for_each(|one| by_class[one.actual as usize] += 1);
        let summary = decisions.summary();
        HeldOutEvaluation {
            rows: RowCounts { all: decisions.list().len() as u64, positive: 0, by_class },
            accuracy: summary.accuracy.map(|figure| figure.estimate),
            log_loss: summary.log_loss.map(|figure| figure.estimate),
            ..HeldOutEvaluation::default()
        }
    }
}

/// Returns the gains by share of the rows. The highest-scoring rows are taken from each fold,
/// because different folds are ranked by different models.
fn gains(decisions: &Decisions, scores: &[f64], positive: usize) -> Vec<Gain> {
    let list = decisions.list();
    let models: Vec<u32> = list.iter().map(|one| one.model).collect();
    let (rows, folds) = (list.len() as f64, models.iter().collect::<BTreeSet<_>>().len() as f64);
    let gain = |taken: f64| {
        let top = Top::within(&models, scores, taken)?;
        let of_positive = list.iter().zip(&top.inside).filter(|(one, _)| one.actual == 1);
        let found = of_positive.map(|(_, inside)| inside).sum::<f64>() / positive as f64;
        Some(Gain { taken, found, lift: found / (top.room / rows) })
    };
    // At least one row of each fold is taken.
    TAKEN.into_iter().filter(|taken| taken * rows + 1e-9 >= folds).filter_map(gain).collect()
}

/// Returns the mean predicted probability and the observed share of positives by tenth of the rows,
/// lowest probabilities first. `rows` is sorted by descending probability.
fn calibration(rows: &[(f64, bool)]) -> Vec<CalibrationGroup> {
    let mut groups = Vec::with_capacity(GROUPS);
    for group in (0..GROUPS).rev() {
        let (from, to) = (rows.len() * group / GROUPS, rows.len() * (group + 1) / GROUPS);
        let of = &rows[from..to];
        if of.is_empty() {
            continue;
        }
        let count = of.len() as f64;
        let observed = of.iter().filter(|(_, positive)| *positive).count() as f64;
        groups.push(CalibrationGroup {
            rows: of.len() as u64,
            probability: of.iter().map(|(probability, _)| probability).sum::<f64>() / count,
            observed: observed / count,
        });
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_learn::metrics::{Backing, Decision, Ranking, Ties};
    use proptest::prelude::*;

    fn decisions(rows: &[(u8, bool)]) -> Decisions {
        let mut all = Decisions::new(vec!["no".into(), "yes".into()]);
        for (unit, &(score, positive)) in (0..).zip(rows) {
            let score = f64::from(score) / 20.0;
            let decision = Decision { unit, model: 0, actual: u32::from(positive), predicted: 0 };
            all.push(decision, Backing::Probabilities(&[1.0 - score, score]));
        }
        all
    }

    proptest! {
        #[test]
        fn gains_are_the_lift_of_the_ranking(
            rows in prop::collection::vec((0_u8..20, any::<bool>()), 10..200),
        ) {
            let held_out = HeldOutEvaluation::new(&decisions(&rows));
            let (scores, labels): (Vec<f64>, Vec<bool>) =
                rows.iter().map(|&(score, positive)| (f64::from(score) / 20.0, positive)).unzip();
            let Ok(ranking) = Ranking::new(&scores, &labels) else {
                prop_assert!(held_out.is_none());
                return Ok(());
            };
            let held_out = held_out.expect("both classes occur");
            for gain in &held_out.gains {
                let lift = ranking.lift_at(gain.taken, Ties::Shared);
                prop_assert!((gain.lift - lift).abs() < 1e-9, "{gain:?} {lift}");
            }
            prop_assert!(held_out.gains.windows(2).all(|pair| pair[0].found <= pair[1].found + 1e-12));
            let total: u64 = held_out.calibration.iter().map(|group| group.rows).sum();
            prop_assert_eq!(total, rows.len() as u64);
        }
    }
}
