//! The table of the parameters of a learner.

use super::range::{allowed, expected};
use super::{ParamError, Setting, SettingKind};
use crate::suggest::nearest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::{self, Display};
use std::ops::RangeBounds;

/// Parameters with a table that describes them, declared by [`parameters!`](crate::parameters).
pub trait Parameters:
    Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The parameter that selects the mode, if there is one.
    const MODE: Option<&'static str>;

    /// Returns every parameter, in the order of the help.
    fn table() -> &'static [Parameter<Self>];

    /// Returns the parameter with a name.
    ///
    /// # Errors
    /// If there is none; the error suggests the nearest name.
    fn find(name: &str) -> Result<&'static Parameter<Self>, ParamError> {
        let names = || Self::table().iter().map(|parameter| parameter.described.name);
        Self::table().iter().find(|parameter| parameter.described.name == name).ok_or_else(|| {
            let near = nearest(name, names()).map(|near| format!("; did you mean '{near}'?"));
            let problem = format!("unknown parameter{}", near.unwrap_or_default());
            ParamError::with_problem(name.to_owned(), problem)
        })
    }

    /// Returns the name of the chosen mode.
    fn chosen_mode(&self) -> Option<String> {
        Some(Self::find(Self::MODE?).ok()?.text(self))
    }
}

/// Returns the descriptions of all parameters, without their types.
#[must_use]
pub fn described<P: Parameters>() -> Vec<Described> {
    P::table().iter().map(|parameter| parameter.described.clone()).collect()
}

/// The description of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Its name, in snake case.
    pub name: &'static str,
    /// The help, in one sentence.
    pub help: &'static str,
    /// The heading in the help.
    pub group: &'static str,
    /// The kind of its value.
    pub kind: SettingKind,
    /// The placeholder of the value in the help, such as `N`.
    pub value: &'static str,
    /// The allowed values in words, if they are restricted.
    pub allowed: Option<String>,
    /// All values, if they can be listed.
    pub choices: Vec<&'static str>,
    /// The default.
    pub default: Value,
    /// The default in words.
    pub default_text: String,
    /// The modes in which it applies.
    pub applies: Applies,
}

/// The modes in which a parameter applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// In all modes.
    Everywhere,
    /// In these modes; other modes ignore it.
    In(&'static [&'static str]),
    /// In these modes; setting it in another mode is an error.
    OnlyIn(&'static [&'static str]),
}

/// One row of the table: the description of a parameter, and access to its value.
pub struct Parameter<P> {
    /// The description.
    pub described: Described,
    access: Box<dyn Access<P>>,
}

impl<P> fmt::Debug for Parameter<P> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.described.fmt(out)
    }
}

/// Type-erased access to a parameter.
trait Access<P>: Send + Sync {
    fn text(&self, params: &P) -> String;
    fn json(&self, params: &P) -> Value;
    fn set_text(&self, params: &mut P, text: &str) -> Result<(), String>;
    fn set_json(&self, params: &mut P, value: &Value) -> Result<(), String>;
    fn check(&self, name: &'static str, params: &P) -> Result<(), ParamError>;
}

type CheckRule<T> = Box<dyn Fn(&'static str, &T) -> Result<(), ParamError> + Send + Sync>;

/// Access to a field of the parameters, and its checks.
struct Field<P, T> {
    get: fn(&P) -> T,
    set: fn(&mut P, T),
    rules: Vec<CheckRule<T>>,
}

impl<P, T: Setting> Access<P> for Field<P, T> {
    fn text(&self, params: &P) -> String {
        (self.get)(params).show()
    }

    fn json(&self, params: &P) -> Value {
        (self.get)(params).to_json()
    }

    fn set_text(&self, params: &mut P, text: &str) -> Result<(), String> {
        (self.set)(params, T::read(text)?);
        Ok(())
    }

    fn set_json(&self, params: &mut P, value: &Value) -> Result<(), String> {
        (self.set)(params, T::from_json(value)?);
        Ok(())
    }

    fn check(&self, name: &'static str, params: &P) -> Result<(), ParamError> {
        let value = (self.get)(params);
        self.rules.iter().try_for_each(|rule| rule(name, &value))
    }
}

impl<P: Default + 'static> Parameter<P> {
    /// Returns the value as text.
    #[must_use]
    pub fn text(&self, params: &P) -> String {
        self.access.text(params)
    }

    /// Returns the value as JSON.
    #[must_use]
    pub fn json(&self, params: &P) -> Value {
        self.access.json(params)
    }

    /// Sets the value from text.
    ///
    /// # Errors
    /// If the text is not a valid value.
    pub fn set_text(&self, params: &mut P, text: &str) -> Result<(), ParamError> {
        self.access.set_text(params, text).map_err(|expected| {
            ParamError::new(self.described.name, format_args!("'{text}'"), expected)
        })
    }

    /// Sets the value from JSON.
    ///
    /// # Errors
    /// If it is not a valid value.
    pub fn set_json(&self, params: &mut P, value: &Value) -> Result<(), ParamError> {
        self.access.set_json(params, value).map_err(|expected| {
            let found =
                value.as_str().map_or_else(|| value.to_string(), |text| format!("'{text}'"));
            ParamError::new(self.described.name, found, expected)
        })
    }

    /// Checks the value.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn check(&self, params: &P) -> Result<(), ParamError> {
        self.access.check(self.described.name, params)
    }
}

/// The builder of a row of the table.
pub struct Row<P, T> {
    described: Described,
    field: Field<P, T>,
}

impl<P: Default + 'static, T: Setting> Row<P, T> {
    /// Returns a parameter with these accessors.
    pub fn new(
        name: &'static str,
        help: &'static str,
        group: &'static str,
        get: fn(&P) -> T,
        set: fn(&mut P, T),
    ) -> Self {
        let default = get(&P::default());
        let described = Described {
            name,
            help: help.trim(),
            group,
            kind: T::KIND,
            value: match T::KIND {
                SettingKind::List => "A,B",
                _ => "N",
            },
            allowed: T::allowed(),
            choices: T::choices(),
            default: default.to_json(),
            default_text: default.show(),
            applies: Applies::Everywhere,
        };
        Self { described, field: Field { get, set, rules: Vec::new() } }
    }

    /// Sets the placeholder of the value in the help.
    #[must_use]
    pub fn value(mut self, value: &'static str) -> Self {
        self.described.value = value;
        self
    }

    /// Sets the default in words.
    #[must_use]
    pub fn default_is(mut self, words: &'static str) -> Self {
        self.described.default_text = words.to_owned();
        self
    }

    /// Sets the modes in which it applies; other modes ignore it.
    #[must_use]
    pub fn used_in(mut self, modes: &'static [&'static str]) -> Self {
        self.described.applies = Applies::In(modes);
        self
    }

    /// Sets the modes in which it applies; setting it in another mode is an error.
    #[must_use]
    pub fn only_in(mut self, modes: &'static [&'static str]) -> Self {
        self.described.applies = Applies::OnlyIn(modes);
        self
    }

    /// Sets the allowed values in words, for a parameter with its own rule.
    #[must_use]
    pub fn allowed(mut self, words: impl Into<String>) -> Self {
        self.described.allowed = Some(words.into());
        self
    }

    /// Adds a rule that checks the value.
    #[must_use]
    pub fn rule(
        mut self,
        rule: impl Fn(&'static str, &T) -> Result<(), ParamError> + Send + Sync + 'static,
    ) -> Self {
        self.field.rules.push(Box::new(rule));
        self
    }

    /// Returns the finished row.
    #[must_use]
    pub fn done(self) -> Parameter<P> {
        Parameter { described: self.described, access: Box::new(self.field) }
    }
}

/// A number or an optional number.
pub trait NumericSetting {
    /// The type of the number.
    type Number: PartialOrd + Display + Copy;

    /// Returns the number, if there is one.
    fn number(&self) -> Option<Self::Number>;
}

macro_rules! ranged {
    ($($number:ty),+) => {$(
        impl NumericSetting for $number {
            type Number = $number;

            fn number(&self) -> Option<$number> {
                Some(*self)
            }
        }
    )+};
}

ranged!(u32, u64, usize, f64);

impl<T: NumericSetting> NumericSetting for Option<T> {
    type Number = T::Number;

    fn number(&self) -> Option<T::Number> {
        self.as_ref().and_then(T::number)
    }
}

impl<P: Default + 'static, T: Setting + NumericSetting> Row<P, T> {
    /// Sets the range of the number.
    #[must_use]
    pub fn within(self, range: impl RangeBounds<T::Number> + Send + Sync + 'static) -> Self {
        self.allowed(allowed(&range)).rule(move |name, value| match value.number() {
            Some(number) if !range.contains(&number) => {
                Err(ParamError::new(name, number, expected(&range)))
            }
            _ => Ok(()),
        })
    }
}
