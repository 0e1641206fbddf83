//! Messages that refer to parameters.
//!
//! Notes and errors suggest parameters: "use `target` to change it". The command line calls that
//! parameter `--target`. A [`Message`] therefore marks the parameters in its text, so that each user
//! interface can [spell](Message::spell) them in its own way. [`message!`](crate::message!) writes one:
//!
//! ```
//! use pellucid_data::{message, parameter};
//!
//! let column = "age";
//! let note = message!("skipped column '{column}'; use `", parameter("keep").with(column), "` to keep it");
//! assert_eq!(note, "skipped column 'age'; use `keep age` to keep it");
//! let flag = note.spell(|parameter| format!("--{}", parameter.name));
//! assert_eq!(flag, "skipped column 'age'; use `--keep` to keep it");
//! ```

use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::{self, Write};
use std::ops::{Deref, Range};

/// A text in which the parameters are marked. As a string, it has the names of the library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    text: String,
    references: Vec<(Range<usize>, ParameterRef)>,
}

/// A reference to a parameter, such as `target`, or to one with a value, such as `keep age`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterRef {
    /// The name in the library.
    pub name: Cow<'static, str>,
    /// The value.
    pub value: Option<String>,
}

/// Returns a reference to a parameter.
pub fn parameter(name: impl Into<Cow<'static, str>>) -> ParameterRef {
    ParameterRef { name: name.into(), value: None }
}

impl ParameterRef {
    /// Adds a value.
    #[must_use]
    pub fn with(self, value: impl fmt::Display) -> ParameterRef {
        ParameterRef { value: Some(value.to_string()), ..self }
    }
}

impl fmt::Display for ParameterRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            None => f.write_str(&self.name),
            Some(value) => write!(f, "{} {value}", self.name),
        }
    }
}

impl Message {
    /// Returns the text with the names of the library.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text with all parameters spelled by a function.
    pub fn spell(&self, spelling: impl Fn(&ParameterRef) -> String) -> String {
        let (mut spelled, mut end) = (String::with_capacity(self.text.len() + 16), 0);
        for (range, parameter) in &self.references {
            spelled.push_str(&self.text[end..range.start]);
            spelled.push_str(&spelling(parameter));
            end = range.end;
        }
        spelled.push_str(&self.text[end..]);
        spelled
    }

    /// Appends text, a parameter or another message.
    pub fn push(&mut self, more: impl Into<Message>) {
        let (more, start) = (more.into(), self.text.len());
        self.text.push_str(&more.text);
        let moved = |(range, parameter): (Range<usize>, _)| {
            (range.start + start..range.end + start, parameter)
        };
        self.references.extend(more.references.into_iter().map(moved));
    }

    /// Appends formatted text.
    pub fn push_text(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(text);
    }
}

/// Returns a [`Message`] of pieces: format strings, parameters, and anything else that converts to a message.
///
/// A format string captures variables, as in `"column '{name}'"`. It takes no further arguments.
#[macro_export]
macro_rules! message {
    (@push $message:ident) => {};
    (@push $message:ident $text:literal $(, $($rest:tt)*)?) => {
        $message.push_text(::std::format_args!($text));
        $crate::message!(@push $message $($($rest)*)?);
    };
    (@push $message:ident $piece:expr $(, $($rest:tt)*)?) => {
        $message.push($piece);
        $crate::message!(@push $message $($($rest)*)?);
    };
    ($($pieces:tt)+) => {{
        let mut message = $crate::Message::default();
        $crate::message!(@push message $($pieces)+);
        message
    }};
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message { text, references: Vec::new() }
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Message {
        text.to_owned().into()
    }
}

impl From<ParameterRef> for Message {
    fn from(parameter: ParameterRef) -> Message {
        let text = parameter.to_string();
        Message { references: vec![(0..text.len(), parameter)], text }
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl PartialEq<str> for Message {
    fn eq(&self, text: &str) -> bool {
        self.text == text
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_spelled_and_the_rest_stays() {
        let (name, why) = ("keep", message!("use `", parameter("target"), "`"));
        let message = message!("'{name}' is here; ", why, " or ", parameter(name).with("a b"), "!");
        assert_eq!(message, "'keep' is here; use `target` or keep a b!");
        let spelled =
            message.spell(|parameter| format!("<{}:{:?}>", parameter.name, parameter.value));
        assert_eq!(spelled, "'keep' is here; use `<target:None>` or <keep:Some(\"a b\")>!");
        assert_eq!(
            serde_json::json!([message]).to_string(),
            r#"["'keep' is here; use `target` or keep a b!"]"#
        );
    }
}
