//! The table of a learner's parameters.

use super::range::allowed;
use super::{ParamError, Setting, SettingKind};
use crate::suggest::nearest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::{self, Display};
use std::ops::RangeBounds;

/// Parameters with a table that describes them, made by [`parameters!`](crate::parameters).
pub trait Parameters:
    Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The parameter that chooses between modes, if one does.
    const MODE: Option<&'static str>;

    /// Every parameter, in the order in which help lists them.
    fn table() -> &'static [Parameter<Self>];

    /// The parameter of a name.
    ///
    /// # Errors
    /// When there is none; the nearest name is suggested.
    fn find(name: &str) -> Result<&'static Parameter<Self>, ParamError> {
        let names = || Self::table().iter().map(|parameter| parameter.described.name);
        Self::table().iter().find(|parameter| parameter.described.name == name).ok_or_else(|| {
            let near = nearest(name, names()).map(|near| format!("; did you mean '{near}'?"));
            let problem = format!("there is no such parameter{}", near.unwrap_or_default());
            ParamError::saying(name.to_owned(), problem)
        })
    }

    /// The mode that was chosen, by its name.
    fn chosen_mode(&self) -> Option<String> {
        Some(Self::find(Self::MODE?).ok()?.text(self))
    }
}

/// What the table says of all parameters, without their type.
#[must_use]
pub fn described<P: Parameters>() -> Vec<Described> {
    P::table().iter().map(|parameter| parameter.described.clone()).collect()
}

/// What is said of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Its name, in snake case.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// The heading under which it stands.
    pub group: &'static str,
    /// What kind of value it takes.
    pub kind: SettingKind,
    /// What stands for the value in help, as in `N`.
    pub value: &'static str,
    /// What is allowed, in words, where not everything is.
    pub allowed: Option<String>,
    /// All values, where they can be listed.
    pub choices: Vec<&'static str>,
    /// The default.
    pub default: Value,
    /// The default in words.
    pub default_text: String,
    /// In which modes it applies.
    pub applies: Applies,
}

/// In which modes a parameter applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// In all.
    Everywhere,
    /// In these; other modes pass over it.
    In(&'static [&'static str]),
    /// In these; to give it in another is an error.
    OnlyIn(&'static [&'static str]),
}

/// One row of the table: what is said of a parameter, and how it is read, set and checked.
pub struct Parameter<P> {
    /// What is said of it.
    pub described: Described,
    access: Box<dyn Access<P>>,
}

impl<P> fmt::Debug for Parameter<P> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.described.fmt(out)
    }
}

/// A parameter with its type taken away.
trait Access<P>: Send + Sync {
    fn text(&self, params: &P) -> String;
    fn json(&self, params: &P) -> Value;
    fn set_text(&self, params: &mut P, text: &str) -> Result<(), String>;
    fn set_json(&self, params: &mut P, value: &Value) -> Result<(), String>;
    fn check(&self, name: &'static str, params: &P) -> Result<(), ParamError>;
}

type CheckRule<T> = Box<dyn Fn(&'static str, &T) -> Result<(), ParamError> + Send + Sync>;

/// Where a value lies in the parameters, and what is allowed there.
struct Place<P, T> {
    get: fn(&P) -> T,
    set: fn(&mut P, T),
    rules: Vec<CheckRule<T>>,
}

impl<P, T: Setting> Access<P> for Place<P, T> {
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
    /// The value in some parameters, as it would be typed.
    #[must_use]
    pub fn text(&self, params: &P) -> String {
        self.access.text(params)
    }

    /// The value in some parameters, for JSON.
    #[must_use]
    pub fn json(&self, params: &P) -> Value {
        self.access.json(params)
    }

    /// Sets the value as typed.
    ///
    /// # Errors
    /// When the text is no such value.
    pub fn set_text(&self, params: &mut P, text: &str) -> Result<(), ParamError> {
        let allowed = self.access.set_text(params, text);
        allowed.map_err(|allowed| {
            ParamError::new(self.described.name, format_args!("'{text}'"), allowed)
        })
    }

    /// Sets the value from JSON.
    ///
    /// # Errors
    /// When it is no such value.
    pub fn set_json(&self, params: &mut P, value: &Value) -> Result<(), ParamError> {
        let allowed = self.access.set_json(params, value);
        allowed.map_err(|allowed| {
            let found =
                value.as_str().map_or_else(|| value.to_string(), |text| format!("'{text}'"));
            ParamError::new(self.described.name, found, allowed)
        })
    }

    /// Checks the value in some parameters.
    ///
    /// # Errors
    /// When it is not allowed.
    pub fn check(&self, params: &P) -> Result<(), ParamError> {
        self.access.check(self.described.name, params)
    }
}

/// A row of the table while it is written down.
pub struct Row<P, T> {
    described: Described,
    place: Place<P, T>,
}

impl<P: Default + 'static, T: Setting> Row<P, T> {
    /// A parameter that lies where `get` and `set` say.
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
        Self { described, place: Place { get, set, rules: Vec::new() } }
    }

    /// What stands for the value in help.
    #[must_use]
    pub fn value(mut self, value: &'static str) -> Self {
        self.described.value = value;
        self
    }

    /// The default in words.
    #[must_use]
    pub fn default_is(mut self, words: &'static str) -> Self {
        self.described.default_text = words.to_owned();
        self
    }

    /// The modes it applies in; others pass over it.
    #[must_use]
    pub fn used_in(mut self, modes: &'static [&'static str]) -> Self {
        self.described.applies = Applies::In(modes);
        self
    }

    /// The modes it applies in; to give it in another is an error.
    #[must_use]
    pub fn only_in(mut self, modes: &'static [&'static str]) -> Self {
        self.described.applies = Applies::OnlyIn(modes);
        self
    }

    /// What is allowed, in words, where a rule of its own decides.
    #[must_use]
    pub fn allowed(mut self, words: impl Into<String>) -> Self {
        self.described.allowed = Some(words.into());
        self
    }

    /// A rule of its own: what is allowed instead, if the value is not.
    #[must_use]
    pub fn rule(
        mut self,
        rule: impl Fn(&'static str, &T) -> Result<(), ParamError> + Send + Sync + 'static,
    ) -> Self {
        self.place.rules.push(Box::new(rule));
        self
    }

    /// The row, done.
    #[must_use]
    pub fn done(self) -> Parameter<P> {
        Parameter { described: self.described, access: Box::new(self.place) }
    }
}

/// A value that is a number, or may be one.
pub trait Ranged {
    /// The number's type.
    type Number: PartialOrd + Display + Copy;

    /// The number, if there is one.
    fn number(&self) -> Option<Self::Number>;
}

macro_rules! ranged {
    ($($number:ty),+) => {$(
        impl Ranged for $number {
            type Number = $number;

            fn number(&self) -> Option<$number> {
                Some(*self)
            }
        }
    )+};
}

ranged!(u32, u64, usize, f64);

impl<T: Ranged> Ranged for Option<T> {
    type Number = T::Number;

    fn number(&self) -> Option<T::Number> {
        self.as_ref().and_then(T::number)
    }
}

impl<P: Default + 'static, T: Setting + Ranged> Row<P, T> {
    /// The range that the number must lie in.
    #[must_use]
    pub fn within(self, range: impl RangeBounds<T::Number> + Send + Sync + 'static) -> Self {
        let words = allowed(&range);
        let refused = words.clone();
        self.allowed(words).rule(move |name, value| match value.number() {
            Some(number) if !range.contains(&number) => {
                Err(ParamError::new(name, number, &refused))
            }
            _ => Ok(()),
        })
    }
}
