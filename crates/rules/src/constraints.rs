//! Constraints that a domain expert may put on rules.

use pellucid_data::{Dataset, Values};
use pellucid_learn::params::ParamError;
use pellucid_learn::suggest::{listed, nearest};
use serde::{Deserialize, Serialize};

/// Constraints on each rule, or on all rules together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RuleConstraints {
    /// Attributes and their directions, as in `age=+`.
    pub monotone: Vec<String>,
    /// Every rule uses at least one of these attributes.
    pub require: Vec<String>,
    /// The most different attributes in a rule.
    pub interactions: Option<usize>,
}

/// The accepted values of [`RuleConstraints::monotone`].
pub(crate) const DIRECTIONS: &str = "columns with + or -, as in age=+,price=-";

/// Parses an attribute and whether its effect is increasing.
fn direction(text: &str) -> Option<(&str, bool)> {
    let (name, sign) = text.rsplit_once('=')?;
    match sign.trim() {
        "+" => Some((name.trim(), true)),
        "-" => Some((name.trim(), false)),
        _ => None,
    }
}

/// Checks that all directions can be parsed.
pub(crate) fn check_directions(name: &'static str, texts: &[String]) -> Result<(), ParamError> {
    match texts.iter().find(|text| direction(text).is_none()) {
        Some(other) => Err(ParamError::new(name, format_args!("'{other}'"), DIRECTIONS)),
        None => Ok(()),
    }
}

impl RuleConstraints {
    /// Returns whether there are no constraints.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == RuleConstraints::default()
    }

    /// Returns whether the effect of an attribute must be increasing (on the positive class or the
    /// number) or decreasing, if either.
    #[must_use]
    pub fn direction(&self, attribute: &str) -> Option<bool> {
        let mut all = self.monotone.iter().rev().filter_map(|text| direction(text));
        all.find(|(name, _)| *name == attribute).map(|(_, more)| more)
    }

    /// Checks that the data fits the constraints.
    ///
    /// # Errors
    /// If a column does not exist or is not numeric, or there are more than two classes.
    pub fn check(&self, data: &Dataset) -> Result<(), ParamError> {
        let names = || data.columns.iter().map(|column| column.name.as_str());
        let find = |field: &'static str, wanted: &str| {
            data.columns.iter().find(|column| column.name == wanted).ok_or_else(|| {
                let hint = nearest(wanted, names()).map(|near| format!("; did you mean '{near}'?"));
                let allowed = format!("{}{}", listed(names(), 8), hint.unwrap_or_default());
                ParamError::new(field, format_args!("'{wanted}'"), allowed)
            })
        };
        for name in &self.require {
            find("require", name)?;
        }
        for (name, _) in self.monotone.iter().filter_map(|text| direction(text)) {
            if !matches!(find("monotone", name)?.values, Values::Numeric(_)) {
                let problem = format!("column '{name}' is not numeric");
                return Err(ParamError::with_problem("monotone", problem));
            }
        }
        let classes = data.target.as_ref().map_or(0, |target| target.classes.len());
        if !self.monotone.is_empty() && classes > 2 {
            let problem = format!("found {classes} classes; expected two classes or a number");
            return Err(ParamError::with_problem("monotone", problem));
        }
        Ok(())
    }
}
