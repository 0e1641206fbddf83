//! Class weights.

use super::{ParamError, Setting, SettingKind};
use crate::suggest::{listed, nearest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::RangeInclusive;

/// The allowed weights. With others, sums would lose the examples of the other classes.
const ALLOWED: RangeInclusive<f64> = 1e-6..=1e6;
/// The format of weights in text.
const SYNTAX: &str =
    "balanced, or classes with weights such as ill=5; weights from 0.000001 to 1000000";

/// The weight of an example of each class: given by class, or balanced so that all classes have the
/// same total weight.
///
/// In model files a list of pairs or the word `balanced`; JSON input may also be an object by class.
///
/// ```
/// use pellucid_learn::params::{ClassWeights, Setting};
///
/// let weights = ClassWeights::read("balanced")?;
/// let classes = ["well".to_owned(), "ill".to_owned()];
/// assert_eq!(weights.of("class_weight", &classes, &[90, 10]).unwrap(), [100.0 / 180.0, 5.0]);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ClassWeights {
    /// By the name of the class; 1 for other classes.
    Given(Vec<(String, f64)>),
    /// The word `balanced`.
    Named(String),
}

/// The word for balanced weights.
const BALANCED: &str = "balanced";

impl Default for ClassWeights {
    fn default() -> Self {
        ClassWeights::Given(Vec::new())
    }
}

impl ClassWeights {
    /// Checks that the weights are in the allowed range.
    ///
    /// # Errors
    /// If a weight is not; the error names its class.
    pub fn check(&self, name: &'static str) -> Result<(), ParamError> {
        match self {
            ClassWeights::Named(word) if word == BALANCED => Ok(()),
            ClassWeights::Named(word) => Err(ParamError::new(name, word, SYNTAX)),
            ClassWeights::Given(list) => {
                match list.iter().find(|(_, weight)| !ALLOWED.contains(weight)) {
                    None => Ok(()),
                    Some((class, weight)) => {
                        let found = format!("{weight:?} for class '{class}'");
                        Err(ParamError::new(name, found, "a number from 0.000001 to 1000000"))
                    }
                }
            }
        }
    }

    /// Returns whether no weights are given.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        matches!(self, ClassWeights::Given(list) if list.is_empty())
    }

    /// Returns the weight of each class, by code. `counts` are the numbers of examples.
    ///
    /// # Errors
    /// If a weight is given for an unknown class.
    pub fn of(
        &self,
        name: &'static str,
        classes: &[String],
        counts: &[u64],
    ) -> Result<Vec<f64>, ParamError> {
        let mut weights = vec![1.0; classes.len()];
        match self {
            ClassWeights::Named(_) => {
                let all: u64 = counts.iter().sum();
                let occurring = counts.iter().filter(|&&count| count > 0).count() as f64;
                for (weight, &count) in weights.iter_mut().zip(counts) {
                    if count > 0 {
                        *weight = all as f64 / (occurring * count as f64);
                    }
                }
            }
            ClassWeights::Given(list) => {
                for (class, weight) in list {
                    let known = || classes.iter().map(String::as_str);
                    let Some(code) = classes.iter().position(|known| known == class) else {
                        let near = nearest(class, known());
                        let hint = near.map(|near| format!("; did you mean '{near}'?"));
                        let (known, hint) = (listed(known(), 8), hint.unwrap_or_default());
                        return Err(ParamError::new(
                            name,
                            format_args!("class '{class}'"),
                            format_args!("one of {known}{hint}"),
                        ));
                    };
                    weights[code] = *weight;
                }
            }
        }
        Ok(weights)
    }
}

impl Setting for ClassWeights {
    const KIND: SettingKind = SettingKind::List;

    fn read(text: &str) -> Result<Self, String> {
        if text.trim() == BALANCED {
            return Ok(ClassWeights::Named(BALANCED.to_owned()));
        }
        Vec::read(text).map(ClassWeights::Given).map_err(|_| SYNTAX.to_owned())
    }

    fn show(&self) -> String {
        match self {
            ClassWeights::Named(word) => word.clone(),
            ClassWeights::Given(list) => list.show(),
        }
    }

    fn from_json(value: &Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Self::read(text),
            Value::Array(items) if items.len() == 1 && items[0] == BALANCED => Self::read(BALANCED),
            other => Vec::from_json(other).map(ClassWeights::Given).map_err(|_| SYNTAX.to_owned()),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            ClassWeights::Named(word) => Value::from(word.as_str()),
            ClassWeights::Given(list) => list.to_json(),
        }
    }

    fn allowed() -> Option<String> {
        Some(SYNTAX.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_round_trip_in_all_formats() {
        for text in ["balanced", "ill=5,well=0.5", ""] {
            let weights = ClassWeights::read(text).expect("allowed");
            assert_eq!(ClassWeights::from_json(&weights.to_json()), Ok(weights.clone()));
            let kept = serde_json::to_string(&weights).expect("plain data");
            assert_eq!(serde_json::from_str::<ClassWeights>(&kept).expect("kept"), weights);
        }
        let old: ClassWeights = serde_json::from_str(r#"[["ill", 5.0]]"#).expect("as in 0.1.0");
        assert_eq!(old, ClassWeights::Given(vec![("ill".to_owned(), 5.0)]));
        let typed = serde_json::json!(["balanced"]);
        assert_eq!(ClassWeights::from_json(&typed), ClassWeights::read("balanced"));
    }

    #[test]
    fn invalid_weights_are_rejected() {
        for weight in ["1e308", "inf", "NaN", "0", "-2"] {
            let weights = ClassWeights::read(&format!("east={weight}")).expect("a number");
            let error = weights.check("class_weight").expect_err("absurd").to_string();
            let expected = "for class 'east'; expected a number from 0.000001 to 1000000";
            assert!(error.ends_with(expected), "{error}");
        }
        assert_eq!(ClassWeights::read("balancd"), Err(SYNTAX.to_owned()));
        assert!(ClassWeights::Named("odd".to_owned()).check("class_weight").is_err());
        let weights = ClassWeights::read("eastt=2").expect("a number");
        let error = weights.of("class_weight", &["east".into(), "west".into()], &[1, 1]);
        assert_eq!(
            error.expect_err("no such class").to_string(),
            "class_weight: found class 'eastt'; expected one of east, west; did you mean 'east'?"
        );
    }
}
