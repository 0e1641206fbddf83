//! The table of parameters in a guide.

use super::{Applies, Described, SettingKind};
use std::fmt::Write;

/// A Markdown table of parameters, as guides show it; `spelled` tells how their readers write a parameter of some name. `mode`
/// is the parameter that chooses between modes.
#[must_use]
pub fn guide_table(
    parameters: &[Described],
    mode: Option<&str>,
    spelled: impl Fn(&str) -> String,
) -> String {
    let mut text =
        String::from("| parameter | allowed | default | what it does |\n|---|---|---|---|\n");
    for parameter in parameters {
        let allowed = match (&parameter.allowed, parameter.kind) {
            (Some(allowed), _) => allowed.replace('|', "\\|"),
            (None, SettingKind::Flag) => "given or not".to_owned(),
            (None, SettingKind::Number) => "a number".to_owned(),
            (None, SettingKind::Text) => "a text".to_owned(),
            (None, SettingKind::List) => "names, commas between them".to_owned(),
        };
        let default = match (parameter.kind, parameter.default_text.as_str()) {
            (SettingKind::Flag, _) => "not given",
            (_, "") => "none",
            (_, words) => words,
        };
        let applies = match (parameter.applies, mode) {
            (Applies::In(modes), Some(mode)) => format!(" ({mode}: {})", modes.join(", ")),
            (Applies::OnlyIn(modes), Some(mode)) => format!(" ({mode}: {} only)", modes.join(", ")),
            _ => String::new(),
        };
        // A string takes whatever is written into it.
        let _ = writeln!(
            text,
            "| `{}` | {allowed} | {default} | {}{applies} |",
            spelled(parameter.name),
            parameter.help.replace('|', "\\|")
        );
    }
    text
}
