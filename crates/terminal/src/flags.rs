//! Spells the parameters in messages as flags.

use pellucid::data::{Message, ParameterRef};

/// Returns the text of a message with its parameters as flags: `--missing n/a` for `missing n/a`.
#[must_use]
pub fn with_flags(message: &Message) -> String {
    message.spell(flag)
}

/// Returns the flag of a parameter, with its value if there is one.
fn flag(parameter: &ParameterRef) -> String {
    let name = match &*parameter.name {
        "edge_limit" => "max_edges",
        "most_crosses" => "max_crosses",
        name => name,
    };
    let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    // The name of an unknown parameter is what the user typed.
    let flag = if is_name { format!("--{}", name.replace('_', "-")) } else { name.to_owned() };
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.,=%/:".contains(letter);
    match &parameter.value {
        None => flag,
        Some(value) if value.chars().all(is_plain) => format!("{flag} {value}"),
        Some(value) => format!("{flag} '{value}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid::data::{message, parameter};

    #[test]
    fn parameters_become_flags() {
        let message = message!(
            "a `",
            parameter("missing").with("not known"),
            "` b `",
            parameter("labels_by_position"),
            "`, `",
            parameter("date").with("d=%d.%m.%Y"),
            "` and `other`; raise ",
            parameter("edge_limit")
        );
        assert_eq!(
            with_flags(&message),
            "a `--missing 'not known'` b `--labels-by-position`, `--date d=%d.%m.%Y` and `other`; \
             raise --max-edges"
        );
    }
}
