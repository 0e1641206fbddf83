//! Two-class metrics, chosen by name.

use super::{Confusion, share};
use crate::suggest::{listed, nearest};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A two-class metric; larger is better.
///
/// Formulas use P = tp + fn, N = tn + fp and n = P + N; 0/0 counts as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Metric {
    /// (tp + tn) / n.
    Accuracy,
    /// (sensitivity + specificity) / 2.
    BalancedAccuracy,
    /// tp / P.
    Sensitivity,
    /// tn / N.
    Specificity,
    /// tp / (tp + fp).
    Precision,
    /// tn / (tn + fn), the precision of the negative predictions.
    NegativePrecision,
    /// 2 tp / (2 tp + fp + fn).
    F1,
    /// F-measure with recall weighted twice as much as precision.
    F2,
    /// F-measure with precision weighted twice as much as recall.
    FHalf,
    /// Matthews' correlation, -1 to 1.
    Mcc,
    /// Cohen's kappa, at most 1.
    Kappa,
    /// sensitivity + specificity - 1.
    Youden,
    /// sqrt(sensitivity x specificity).
    GMean,
    /// sensitivity x specificity, the fitness of the multiple-instance rules paper.
    SensitivityTimesSpecificity,
    /// tp / (tp + fp + fn).
    Jaccard,
    /// tp/n - (tp + fp)/n x P/n, weighted relative accuracy: coverage x (precision - share of
    /// positives).
    Wracc,
    /// precision / (P/n).
    Lift,
    /// (tp + 1) / (tp + fp + 2).
    Laplace,
    /// (tp + 2 P/n) / (tp + fp + 2); other weights by [`Confusion::m_estimate`].
    MEstimate,
}

/// An unknown metric name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown metric '{found}'{hint}; expected one of {}",
    listed(Metric::ALL.map(Metric::name), 99)
)]
pub struct UnknownMetric {
    found: String,
    hint: String,
}

impl Metric {
    /// Every metric, in the order of the help.
    pub const ALL: [Metric; 19] = [
        Metric::Accuracy,
        Metric::BalancedAccuracy,
        Metric::Sensitivity,
        Metric::Specificity,
        Metric::Precision,
        Metric::NegativePrecision,
        Metric::F1,
        Metric::F2,
        Metric::FHalf,
        Metric::Mcc,
        Metric::Kappa,
        Metric::Youden,
        Metric::GMean,
        Metric::SensitivityTimesSpecificity,
        Metric::Jaccard,
        Metric::Wracc,
        Metric::Lift,
        Metric::Laplace,
        Metric::MEstimate,
    ];

    /// Names that other tools use.
    const ALIASES: [(&str, Metric); 9] = [
        ("recall", Metric::Sensitivity),
        ("tpr", Metric::Sensitivity),
        ("tnr", Metric::Specificity),
        ("confidence", Metric::Precision),
        ("ppv", Metric::Precision),
        ("npv", Metric::NegativePrecision),
        ("cohen_kappa", Metric::Kappa),
        ("matthews", Metric::Mcc),
        ("informedness", Metric::Youden),
    ];

    /// Returns the name on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Accuracy => "accuracy",
            Metric::BalancedAccuracy => "balanced_accuracy",
            Metric::Sensitivity => "sensitivity",
            Metric::Specificity => "specificity",
            Metric::Precision => "precision",
            Metric::NegativePrecision => "negative_precision",
            Metric::F1 => "f1",
            Metric::F2 => "f2",
            Metric::FHalf => "f0.5",
            Metric::Mcc => "mcc",
            Metric::Kappa => "kappa",
            Metric::Youden => "youden",
            Metric::GMean => "g_mean",
            Metric::SensitivityTimesSpecificity => "sens_x_spec",
            Metric::Jaccard => "jaccard",
            Metric::Wracc => "wracc",
            Metric::Lift => "lift",
            Metric::Laplace => "laplace",
            Metric::MEstimate => "m_estimate",
        }
    }

    /// Returns the value for some counts.
    #[must_use]
    pub fn of(self, c: &Confusion) -> f64 {
        match self {
            Metric::Accuracy => c.accuracy(),
            Metric::BalancedAccuracy => (c.sensitivity() + c.specificity()) / 2.0,
            Metric::Sensitivity => c.sensitivity(),
            Metric::Specificity => c.specificity(),
            Metric::Precision => c.precision(),
            Metric::NegativePrecision => share(c.tn as f64, c.tn as f64 + c.fn_ as f64),
            Metric::F1 => c.f_beta(1.0),
            Metric::F2 => c.f_beta(2.0),
            Metric::FHalf => c.f_beta(0.5),
            Metric::Mcc => c.mcc(),
            Metric::Kappa => c.kappa(),
            Metric::Youden => c.sensitivity() + c.specificity() - 1.0,
            Metric::GMean => (c.sensitivity() * c.specificity()).sqrt(),
            Metric::SensitivityTimesSpecificity => c.sensitivity() * c.specificity(),
            Metric::Jaccard => share(c.tp as f64, c.covered() + c.fn_ as f64),
            Metric::Wracc => {
                let n = c.total();
                share(c.tp as f64, n) - share(c.covered(), n) * share(c.positives(), n)
            }
            Metric::Lift => share(c.precision(), share(c.positives(), c.total())),
            Metric::Laplace => (c.tp as f64 + 1.0) / (c.covered() + 2.0),
            Metric::MEstimate => c.m_estimate(2.0),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Metric {
    type Err = UnknownMetric;

    /// Parses a name; case is ignored and `-` counts as `_`.
    fn from_str(text: &str) -> Result<Self, UnknownMetric> {
        let name = text.trim().to_lowercase().replace('-', "_");
        let named = Metric::ALL.into_iter().map(|metric| (metric.name(), metric));
        let mut all = named.chain(Metric::ALIASES);
        all.clone().find(|(known, _)| *known == name).map(|(_, metric)| metric).ok_or_else(|| {
            let near = nearest(&name, all.by_ref().map(|(known, _)| known));
            let hint = near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
            UnknownMetric { found: text.to_owned(), hint }
        })
    }
}

impl TryFrom<String> for Metric {
    type Error = UnknownMetric;

    fn try_from(text: String) -> Result<Self, UnknownMetric> {
        text.parse()
    }
}

impl From<Metric> for &'static str {
    fn from(metric: Metric) -> Self {
        metric.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_answers() {
        // P = 10, N = 30, n = 40; 8 of the positives and 4 of the negatives are covered.
        let c = Confusion { tp: 8, fp: 4, tn: 26, fn_: 2 };
        let expected = [
            (Metric::Accuracy, 34.0 / 40.0),
            (Metric::BalancedAccuracy, (0.8 + 26.0 / 30.0) / 2.0),
            (Metric::Sensitivity, 0.8),
            (Metric::Specificity, 26.0 / 30.0),
            (Metric::Precision, 8.0 / 12.0),
            (Metric::NegativePrecision, 26.0 / 28.0),
            (Metric::F1, 16.0 / 22.0),
            (Metric::F2, 40.0 / 52.0),
            (Metric::FHalf, 10.0 / 14.5),
            (Metric::Mcc, 200.0 / (12.0_f64 * 10.0 * 30.0 * 28.0).sqrt()),
            (Metric::Kappa, (0.85 - 0.6) / 0.4),
            (Metric::Youden, 0.8 + 26.0 / 30.0 - 1.0),
            (Metric::GMean, (0.8 * 26.0 / 30.0_f64).sqrt()),
            (Metric::SensitivityTimesSpecificity, 0.8 * 26.0 / 30.0),
            (Metric::Jaccard, 8.0 / 14.0),
            (Metric::Wracc, 0.3 * (8.0 / 12.0 - 0.25)),
            (Metric::Lift, (8.0 / 12.0) / 0.25),
            (Metric::Laplace, 9.0 / 14.0),
            (Metric::MEstimate, 8.5 / 14.0),
        ];
        assert_eq!(expected.map(|(metric, _)| metric), Metric::ALL);
        for (metric, value) in expected {
            assert!((metric.of(&c) - value).abs() < 1e-12, "{metric}: {} {value}", metric.of(&c));
        }
    }

    #[test]
    fn metrics_of_no_examples_are_zero() {
        for metric in Metric::ALL {
            let value = metric.of(&Confusion::default());
            let expected = match metric {
                Metric::Youden => -1.0,
                Metric::Laplace => 0.5,
                _ => 0.0,
            };
            assert_eq!(value, expected, "{metric}");
        }
    }

    #[test]
    fn names_round_trip_and_errors_list_them() {
        for metric in Metric::ALL {
            assert_eq!(metric.to_string().parse(), Ok(metric));
        }
        assert_eq!("TPR".parse(), Ok(Metric::Sensitivity));
        assert_eq!("balanced-accuracy".parse(), Ok(Metric::BalancedAccuracy));
        let error = "acuracy".parse::<Metric>().expect_err("misspelled").to_string();
        assert!(error.starts_with(
            "unknown metric 'acuracy' (did you mean 'accuracy'?); expected one of accuracy, "
        ));
        assert!(error.ends_with("m_estimate"));
        assert_eq!(serde_json::to_string(&Metric::FHalf).expect("a word"), "\"f0.5\"");
    }

    proptest! {
        #[test]
        fn every_metric_is_finite_and_best_if_perfect(tp: u64, fp: u64, tn: u64, fn_: u64) {
            let c = Confusion { tp, fp, tn, fn_ };
            let perfect = Confusion { tp: 10, fp: 0, tn: 10, fn_: 0 };
            for metric in Metric::ALL {
                prop_assert!(metric.of(&c).is_finite(), "{metric} of {c:?}");
                let worse = Confusion { tp: 7, fp: 2, tn: 8, fn_: 3 };
                prop_assert!(metric.of(&perfect) > metric.of(&worse));
            }
        }
    }
}
