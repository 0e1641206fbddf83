//! What the size is selected for: few errors at the threshold that the model will use.

use crate::decide::ThresholdGoal;
use crate::model::winner;
use pellucid_learn::score_matrix::ScoreMatrix;

/// The goal of the decision threshold, with the cost of an error on an example of each class.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    threshold: ThresholdGoal,
    classes: Vec<String>,
    /// By class; 1 on average over the training examples.
    costs: Vec<f64>,
}

impl Goal {
    /// Creates the goal for examples of some classes; there are none if a number is predicted.
    pub(super) fn new(threshold: &ThresholdGoal, classes: &[String], codes: &[u32]) -> Goal {
        let codes = if classes.is_empty() { &[] } else { codes };
        let costs = threshold.error_costs(codes, classes);
        Goal { threshold: threshold.clone(), classes: classes.to_vec(), costs }
    }

    /// Returns whether errors count by class or are made at another threshold than that of accuracy.
    pub(super) fn moves_threshold(&self) -> bool {
        self.threshold != ThresholdGoal::Accuracy
    }

    /// Returns the cost of a missed example of each class, if costs were given.
    pub(super) fn miss_costs(&self) -> Option<Vec<f64>> {
        self.threshold.miss_costs(&self.classes)
    }

    /// Returns the constants to add to the scores of each class; empty if they stay as they are.
    pub(super) fn shift(&self, votes: &ScoreMatrix, codes: &[u32]) -> Vec<f64> {
        self.threshold.shift(votes, codes, &self.classes).unwrap_or_default()
    }

    /// Returns the cost of predicting the class with the highest shifted score.
    pub(super) fn cost(&self, votes: &[f64], shift: &[f64], actual: u32) -> f64 {
        let predicted = match shift {
            [] => winner(votes),
            _ => winner(&votes.iter().zip(shift).map(|(own, add)| own + add).collect::<Vec<f64>>()),
        };
        if predicted == actual { 0.0 } else { self.costs[actual as usize] }
    }
}
