//! Metrics of models, from counts and from ranks.
//!
//! Two-class rules are evaluated with a [`Confusion`] and a [`Metric`] chosen by name, models with
//! several classes with a [`ConfusionMatrix`], and models that rank with a [`Ranking`]. Counts are
//! integers and the formulas use only the four operations and the square root, so equal counts give
//! equal bits on every machine.
//!
//! The result for users is a [`Summary`]: metrics with intervals ([`Estimate`]) from the decisions
//! about examples with known classes ([`Decisions`]). Cross-validation, predictions and the held-out
//! estimate after training all give one. For predicted numbers it is a [`NumberSummary`]. Two models on the
//! same examples give a [`PairedSummary`].
//!
//! ```
//! use pellucid_learn::metrics::{Confusion, Metric, Ranking};
//!
//! let confusion = Confusion { tp: 8, fp: 1, tn: 9, fn_: 2 };
//! let metric: Metric = "sens_x_spec".parse()?;
//! assert_eq!(metric.of(&confusion), 0.8 * 0.9);
//!
//! let ranking = Ranking::new(&[0.9, 0.4, 0.4, 0.1], &[true, true, false, false])?;
//! assert_eq!(ranking.auc(), 0.875);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod confusion;
mod decisions;
mod estimate;
mod matrix;
mod metric;
mod number;
mod paired;
mod probability;
mod rank;
mod summary;
mod table;
mod top;
mod within;

pub use confusion::Confusion;
pub use decisions::{Backing, Decision, Decisions};
pub use estimate::Estimate;
pub use matrix::{ClassScore, ConfusionMatrix, MAX_CLASSES, MatrixError};
pub use metric::{Metric, UnknownMetric};
pub use number::{Middle, NumberDecision, NumberDecisions, NumberSummary, number_scores};
pub use paired::{CorrectCounts, PairedFigure, PairedSummary};
pub use probability::{ProbabilityError, brier, log_loss};
pub use rank::{RankError, Ranking, Ties};
pub use summary::{ClassFigures, Figure, Summary};
pub use top::Top;
pub use within::auc_within;

/// Returns a ratio; 0/0 is 0 throughout this module.
fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}
