//! The table of parameters in the guides.

use super::{Applies, Described, SettingKind};
use std::fmt::Write;

/// Returns a Markdown table of parameters. `display_name` returns the name of a parameter as its users
/// write it, and `mode` is the parameter that selects the mode.
#[must_use]
pub fn guide_table(
    parameters: &[Described],
    mode: Option<&str>,
    display_name: impl Fn(&str) -> String,
) -> String {
    let mut text =
        String::from("| parameter | allowed | default | what it does |\n|---|---|---|---|\n");
    for parameter in parameters {
        let allowed = match (&parameter.allowed, parameter.kind) {
            (Some(allowed), _) => allowed.replace('|', "\\|"),
            (None, SettingKind::Flag) => "flag".to_owned(),
            (None, SettingKind::Number) => "a number".to_owned(),
            (None, SettingKind::Text) => "text".to_owned(),
            (None, SettingKind::List) => "comma-separated names".to_owned(),
        };
        let default = match (parameter.kind, parameter.default_text.as_str()) {
            (SettingKind::Flag, _) => "off",
            (_, "") => "none",
            (_, words) => words,
        };
        let applies = match (parameter.applies, mode) {
            (Applies::In(modes), Some(mode)) => format!(" ({mode}: {})", modes.join(", ")),
            (Applies::OnlyIn(modes), Some(mode)) => format!(" ({mode}: {} only)", modes.join(", ")),
            _ => String::new(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| `{}` | {allowed} | {default} | {}{applies} |",
            display_name(parameter.name),
            parameter.help.replace('|', "\\|")
        );
    }
    text
}
