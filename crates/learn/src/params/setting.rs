//! The types of parameter values: parsing, formatting and JSON.

use crate::metrics::Metric;
use crate::suggest::{listed, nearest};
use serde_json::Value;

/// The kind of a value, for user interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// True or false; on the command line, a flag.
    Flag,
    /// A number.
    Number,
    /// A word or short text.
    Text,
    /// Several texts.
    List,
}

/// The value of a parameter.
///
/// Errors are the expected values, such as "a whole number".
pub trait Setting: Sized + 'static {
    /// The kind of the value.
    const KIND: SettingKind;

    /// Parses text.
    ///
    /// # Errors
    /// If the text is not a valid value.
    fn read(text: &str) -> Result<Self, String>;

    /// Returns the value as text.
    fn show(&self) -> String;

    /// Parses JSON: a number, a Boolean, a list or text.
    ///
    /// # Errors
    /// If it is not a valid value.
    fn from_json(value: &Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Self::read(text),
            Value::Number(number) => Self::read(&number.to_string()),
            _ => Self::read(&value.to_string()),
        }
    }

    /// Returns the value as JSON.
    fn to_json(&self) -> Value {
        Value::String(self.show())
    }

    /// Returns the allowed values in words, if the type restricts them.
    fn allowed() -> Option<String> {
        None
    }

    /// Returns all values, if they can be listed.
    fn choices() -> Vec<&'static str> {
        Vec::new()
    }
}

macro_rules! numbers {
    ($words:literal: $($number:ty),+) => {$(
        impl Setting for $number {
            const KIND: SettingKind = SettingKind::Number;

            fn read(text: &str) -> Result<Self, String> {
                text.trim().parse().map_err(|_| $words.to_owned())
            }

            fn show(&self) -> String {
                self.to_string()
            }

            fn to_json(&self) -> Value {
                Value::from(*self)
            }
        }
    )+};
}

numbers!("a whole number of at least 0": u32, u64, usize);
numbers!("a number": f64);

impl Setting for bool {
    const KIND: SettingKind = SettingKind::Flag;

    fn read(text: &str) -> Result<Self, String> {
        match text.trim() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err("true or false".to_owned()),
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }

    fn to_json(&self) -> Value {
        Value::Bool(*self)
    }
}

/// A list, comma-separated in text.
impl Setting for Vec<String> {
    const KIND: SettingKind = SettingKind::List;

    fn read(text: &str) -> Result<Self, String> {
        Ok(text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(str::to_owned)
            .collect())
    }

    fn show(&self) -> String {
        self.join(",")
    }

    fn from_json(value: &Value) -> Result<Self, String> {
        let items = match value {
            Value::String(text) => return Self::read(text),
            Value::Array(items) => items,
            _ => return Err("a list of texts".to_owned()),
        };
        let text = |item: &Value| item.as_str().map(str::to_owned);
        items.iter().map(text).collect::<Option<_>>().ok_or_else(|| "a list of texts".to_owned())
    }

    fn to_json(&self) -> Value {
        Value::from(self.clone())
    }
}

/// Names with weights, `ill=5,well=1` in text and an object in JSON.
impl Setting for Vec<(String, f64)> {
    const KIND: SettingKind = SettingKind::List;

    fn read(text: &str) -> Result<Self, String> {
        let pair = |item: &str| {
            let (name, weight) = item.rsplit_once('=')?;
            Some((name.trim().to_owned(), weight.trim().parse().ok()?))
        };
        let items = text.split(',').filter(|item| !item.trim().is_empty());
        items.map(pair).collect::<Option<_>>().ok_or_else(|| WEIGHTS.to_owned())
    }

    fn show(&self) -> String {
        self.iter().map(|(name, weight)| format!("{name}={weight}")).collect::<Vec<_>>().join(",")
    }

    fn from_json(value: &Value) -> Result<Self, String> {
        let expected = || WEIGHTS.to_owned();
        match value {
            Value::String(text) => Self::read(text),
            Value::Object(pairs) => pairs
                .iter()
                .map(|(name, weight)| Some((name.clone(), weight.as_f64()?)))
                .collect::<Option<_>>()
                .ok_or_else(expected),
            Value::Array(items) => {
                let read = |item: &Value| Self::read(item.as_str().ok_or_else(expected)?);
                items.iter().map(read).collect::<Result<Vec<_>, _>>().map(|lists| lists.concat())
            }
            _ => Err(expected()),
        }
    }

    fn to_json(&self) -> Value {
        self.iter().map(|(name, weight)| (name.clone(), Value::from(*weight))).collect()
    }
}

const WEIGHTS: &str = "names with weights such as ill=5";

/// An optional value, which the learner may choose.
impl<T: Setting> Setting for Option<T> {
    const KIND: SettingKind = T::KIND;

    fn read(text: &str) -> Result<Self, String> {
        T::read(text).map(Some)
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(String::new, T::show)
    }

    fn from_json(value: &Value) -> Result<Self, String> {
        if value.is_null() { Ok(None) } else { T::from_json(value).map(Some) }
    }

    fn to_json(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_json)
    }

    fn allowed() -> Option<String> {
        T::allowed()
    }
}

/// One of several named choices.
///
/// ```
/// use pellucid_learn::params::{NamedChoice, Setting};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Speed {
///     Slow,
///     Fast,
/// }
///
/// impl NamedChoice for Speed {
///     const ALL: &'static [Speed] = &[Speed::Slow, Speed::Fast];
///
///     fn name(self) -> &'static str {
///         match self {
///             Speed::Slow => "slow",
///             Speed::Fast => "fast",
///         }
///     }
/// }
///
/// assert_eq!(Speed::read("fast"), Ok(Speed::Fast));
/// assert_eq!(Speed::read("fastt"), Err("one of slow, fast; did you mean 'fast'?".to_owned()));
/// ```
pub trait NamedChoice: Copy + 'static {
    /// All choices, in the order in which they are listed.
    const ALL: &'static [Self];

    /// Returns the name of the choice.
    fn name(self) -> &'static str;
}

impl<T: NamedChoice> Setting for T {
    const KIND: SettingKind = SettingKind::Text;

    fn read(text: &str) -> Result<Self, String> {
        let found = T::ALL.iter().copied().find(|choice| choice.name() == text.trim());
        let names = || T::ALL.iter().map(|choice| choice.name());
        found.ok_or_else(|| expected_name(text, names()))
    }

    fn show(&self) -> String {
        self.name().to_owned()
    }

    fn allowed() -> Option<String> {
        Some(listed(T::ALL.iter().map(|choice| choice.name()), 40))
    }

    fn choices() -> Vec<&'static str> {
        T::ALL.iter().map(|choice| choice.name()).collect()
    }
}

impl Setting for Metric {
    const KIND: SettingKind = SettingKind::Text;

    fn read(text: &str) -> Result<Self, String> {
        text.parse().map_err(|_| expected_name(text, Metric::ALL.map(Metric::name)))
    }

    fn show(&self) -> String {
        self.name().to_owned()
    }

    fn allowed() -> Option<String> {
        Some(listed(Metric::ALL.map(Metric::name), 40))
    }

    fn choices() -> Vec<&'static str> {
        Metric::ALL.map(Metric::name).to_vec()
    }
}

/// Returns the expected names, with a suggestion if `text` is close to one of them.
fn expected_name<'a>(text: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let expected = format!("one of {}", listed(names.clone(), 40));
    match nearest(text, names) {
        Some(near) => format!("{expected}; did you mean '{near}'?"),
        None => expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both_ways<T: Setting + PartialEq + std::fmt::Debug>(value: T) {
        assert_eq!(T::from_json(&value.to_json()).as_ref(), Ok(&value));
        assert_eq!(T::read(&value.show()).as_ref(), Ok(&value));
    }

    #[test]
    fn values_round_trip() {
        both_ways(7_usize);
        both_ways(u64::MAX);
        both_ways(0.1_f64);
        both_ways(true);
        both_ways(vec!["a".to_owned(), "b c".to_owned()]);
        both_ways(Some(0.25_f64));
        both_ways(vec![("ill".to_owned(), 5.0), ("well".to_owned(), 0.5)]);
        Metric::ALL.into_iter().for_each(both_ways);
        assert_eq!(Option::<u64>::from_json(&None::<u64>.to_json()), Ok(None));
    }

    #[test]
    fn invalid_values_are_rejected() {
        assert_eq!(usize::read("-1"), Err("a whole number of at least 0".to_owned()));
        assert_eq!(
            u64::from_json(&Value::from(0.5)),
            Err("a whole number of at least 0".to_owned())
        );
        assert_eq!(f64::from_json(&Value::Bool(true)), Err("a number".to_owned()));
        assert_eq!(bool::read("yes"), Err("true or false".to_owned()));
        let numbers = serde_json::json!([1, 2]);
        assert_eq!(Vec::<String>::from_json(&numbers), Err("a list of texts".to_owned()));
        assert!(Metric::read("acuracy").unwrap_err().ends_with("did you mean 'accuracy'?"));
    }
}
