//! Records of steps, and a history of bounded size.

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// The state of a run after a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The number of steps done.
    pub step: u64,
    /// The maximum number of steps, if there is one.
    pub steps: Option<u64>,
    /// The number of candidates evaluated so far.
    pub evaluated: u64,
    /// The duration so far, including the time before a resume.
    pub seconds: f64,
    /// Values of the learner, such as the best fitness and the mean size.
    pub values: Figures,
}

/// Named numbers in the order in which they were added; an object in JSON.
///
/// NaN and infinities are written as `null` in JSON, which reads back as NaN.
///
/// ```
/// use pellucid_learn::run::Figures;
///
/// let values = Figures::new().with("best", 0.75).with("mean_size", 12.0);
/// assert_eq!(serde_json::to_string(&values)?, r#"{"best":0.75,"mean_size":12.0}"#);
/// assert_eq!(values.get("best"), Some(0.75));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures(Vec<(Cow<'static, str>, f64)>);

impl Figures {
    /// Returns an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the list with a number added or replaced.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: f64) -> Self {
        self.set(name, value);
        self
    }

    /// Adds a number, or replaces the one with this name.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: f64) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// Returns the number with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Iterates over the names and numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), *value))
    }
}

impl<N: Into<Cow<'static, str>>> FromIterator<(N, f64)> for Figures {
    fn from_iter<I: IntoIterator<Item = (N, f64)>>(pairs: I) -> Self {
        pairs.into_iter().fold(Self::new(), |values, (name, value)| values.with(name, value))
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let readable = serializer.is_human_readable();
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.iter() {
            if readable {
                map.serialize_entry(name, &value.is_finite().then_some(value))?;
            } else {
                map.serialize_entry(name, &value)?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Figures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs {
            readable: bool,
        }

        impl<'de> Visitor<'de> for Pairs {
            type Value = Figures;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("names with numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Figures, A::Error> {
                let mut values = Figures::new();
                while let Some(name) = map.next_key::<String>()? {
                    let value = if self.readable {
                        map.next_value::<Option<f64>>()?.unwrap_or(f64::NAN)
                    } else {
                        map.next_value()?
                    };
                    values.set(name, value);
                }
                Ok(values)
            }
        }

        let readable = deserializer.is_human_readable();
        deserializer.deserialize_map(Pairs { readable })
    }
}

/// The records of a run of any length in bounded memory: when it is full, every other one is
/// dropped.
///
/// Which records are kept depends on the steps alone, so a resumed run keeps the same records as an
/// uninterrupted one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// Records of steps that are multiples of this are kept.
    stride: u64,
    records: Vec<Record>,
    /// The latest record, whether it is a multiple of the stride or not.
    last: Option<Record>,
}

impl Default for History {
    fn default() -> Self {
        Self { stride: 1, records: Vec::new(), last: None }
    }
}

impl History {
    /// The maximum number of records: more than a plot has pixels.
    pub const MOST: usize = 4096;

    /// Adds a record.
    pub fn push(&mut self, record: Record) {
        if record.step.is_multiple_of(self.stride.max(1)) {
            self.records.push(record.clone());
        }
        self.last = Some(record);
        if self.records.len() > Self::MOST {
            self.stride = self.stride.max(1).saturating_mul(2);
            let stride = self.stride;
            self.records.retain(|kept| kept.step.is_multiple_of(stride));
        }
    }

    /// Returns the latest record.
    #[must_use]
    pub fn last(&self) -> Option<&Record> {
        self.last.as_ref()
    }

    /// Returns the kept records in order, always including the latest.
    #[must_use]
    pub fn into_records(mut self) -> Vec<Record> {
        if let Some(last) = self.last
            && self.records.last().is_none_or(|kept| kept.step < last.step)
        {
            self.records.push(last);
        }
        self.records
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(step: u64) -> Record {
        let values = Figures::new().with("best", 0.5);
        Record { step, steps: None, evaluated: step * 10, seconds: 0.25, values }
    }

    #[test]
    fn a_record_is_one_flat_object() {
        let json = serde_json::to_string(&record(3)).expect("plain data");
        assert_eq!(
            json,
            r#"{"step":3,"steps":null,"evaluated":30,"seconds":0.25,"values":{"best":0.5}}"#
        );
        assert_eq!(serde_json::from_str::<Record>(&json).expect("what was written"), record(3));
    }

    #[test]
    fn values_round_trip_in_both_formats() {
        let odd = Figures::new().with("b", f64::NEG_INFINITY).with("a", 0.1);
        let bytes = postcard::to_stdvec(&odd).expect("plain data");
        assert_eq!(postcard::from_bytes::<Figures>(&bytes).expect("what was written"), odd);
        let json = serde_json::to_string(&odd).expect("plain data");
        assert_eq!(json, r#"{"b":null,"a":0.1}"#);
        let back: Figures = serde_json::from_str(&json).expect("what was written");
        assert!(back.get("b").is_some_and(f64::is_nan));
        assert_eq!(odd.with("b", 1.0).iter().collect::<Vec<_>>(), [("b", 1.0), ("a", 0.1)]);
    }

    #[test]
    fn a_long_history_is_thinned_evenly() {
        let mut history = History::default();
        (1..=100_001).for_each(|step| history.push(record(step)));
        let all = history.into_records();
        assert!(all.len() <= History::MOST + 1);
        assert!(all.windows(2).rev().skip(1).all(|pair| pair[1].step - pair[0].step == 32));
        assert_eq!(all.last().map(|last| last.step), Some(100_001));
    }
}
