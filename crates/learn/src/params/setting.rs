//! The kinds of values that parameters have: how they are read, shown and kept in JSON.

use crate::metrics::Metric;
use crate::suggest::{listed, nearest};
use serde_json::Value;

/// What a face must know of a value to ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// True or false; a flag that is there or not.
    Flag,
    /// A number.
    Number,
    /// A word or a short text.
    Text,
    /// Several texts.
    List,
}

/// A value that a parameter may have.
///
/// Errors say what would be accepted, as in "a whole number".
pub trait Setting: Sized + 'static {
    /// What kind of value it is.
    const KIND: SettingKind;

    /// Reads it as typed.
    ///
    /// # Errors
    /// When the text is no such value.
    fn read(text: &str) -> Result<Self, String>;

    /// The value as it would be typed.
    fn show(&self) -> String;

    /// Reads it from JSON: as a number, a truth value, a list, or as typed.
    ///
    /// # Errors
    /// When it is no such value.
    fn from_json(value: &Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Self::read(text),
            Value::Number(number) => Self::read(&number.to_string()),
            _ => Self::read(&value.to_string()),
        }
    }

    /// The value for JSON.
    fn to_json(&self) -> Value {
        Value::String(self.show())
    }

    /// What is allowed, where the kind of value says so by itself.
    fn allowed() -> Option<String> {
        None
    }

    /// All values, where they can be listed.
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

numbers!("a whole number, 0 or more": u32, u64, usize);
numbers!("a number": f64);

impl Setting for bool {
    const KIND: SettingKind = SettingKind::Flag;

    fn read(text: &str) -> Result<Self, String> {
        match text.trim() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err("true, false".to_owned()),
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }

    fn to_json(&self) -> Value {
        Value::Bool(*self)
    }
}

/// A list, typed with commas between its items.
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

/// Names with weights, typed as `ill=5,well=1`; in JSON an object.
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
        let wrong = || WEIGHTS.to_owned();
        match value {
            Value::String(text) => Self::read(text),
            Value::Object(pairs) => pairs
                .iter()
                .map(|(name, weight)| Some((name.clone(), weight.as_f64()?)))
                .collect::<Option<_>>()
                .ok_or_else(wrong),
            Value::Array(items) => {
                let read = |item: &Value| Self::read(item.as_str().ok_or_else(wrong)?);
                items.iter().map(read).collect::<Result<Vec<_>, _>>().map(|lists| lists.concat())
            }
            _ => Err(wrong()),
        }
    }

    fn to_json(&self) -> Value {
        self.iter().map(|(name, weight)| (name.clone(), Value::from(*weight))).collect()
    }
}

const WEIGHTS: &str = "names with weights, as in ill=5";

/// Something that may be left to the learner.
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

/// One of a few, each with a name.
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
/// assert_eq!(Speed::read("fastt"), Err("slow, fast; did you mean 'fast'?".to_owned()));
/// ```
pub trait NamedChoice: Copy + 'static {
    /// All there are, in the order in which they are listed.
    const ALL: &'static [Self];

    /// Its name.
    fn name(self) -> &'static str;
}

impl<T: NamedChoice> Setting for T {
    const KIND: SettingKind = SettingKind::Text;

    fn read(text: &str) -> Result<Self, String> {
        let found = T::ALL.iter().copied().find(|choice| choice.name() == text.trim());
        let names = || T::ALL.iter().map(|choice| choice.name());
        found.ok_or_else(|| suggesting(text, names(), listed(names(), 40)))
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
        let names = Metric::ALL.map(Metric::name);
        text.parse().map_err(|_| suggesting(text, names, listed(names, 40)))
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

fn suggesting<'a>(text: &str, names: impl IntoIterator<Item = &'a str>, allowed: String) -> String {
    match nearest(text, names) {
        Some(near) => format!("{allowed}; did you mean '{near}'?"),
        None => allowed,
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
    fn what_is_shown_reads_back() {
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
    fn what_is_no_such_value_is_refused() {
        assert_eq!(usize::read("-1"), Err("a whole number, 0 or more".to_owned()));
        assert_eq!(u64::from_json(&Value::from(0.5)), Err("a whole number, 0 or more".to_owned()));
        assert_eq!(f64::from_json(&Value::Bool(true)), Err("a number".to_owned()));
        assert_eq!(bool::read("yes"), Err("true, false".to_owned()));
        let numbers = serde_json::json!([1, 2]);
        assert_eq!(Vec::<String>::from_json(&numbers), Err("a list of texts".to_owned()));
        assert!(Metric::read("acuracy").unwrap_err().ends_with("did you mean 'accuracy'?"));
    }
}
