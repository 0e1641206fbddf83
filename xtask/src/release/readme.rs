//! The lines of README that a newcomer tries first.

use crate::tools::root;
use anyhow::{Context as _, Result};

/// How README runs the command from a checkout.
const FROM_CHECKOUT: &str = "cargo run --release --package pellucid-cli -- ";

/// What README shows.
pub(super) struct Shown {
    /// The Python program.
    pub(super) python: String,
    /// The arguments of the command.
    pub(super) arguments: Vec<String>,
    /// What the command prints.
    pub(super) output: String,
}

/// Reads README.
pub(super) fn read() -> Result<Shown> {
    parse(&std::fs::read_to_string(root().join("README.md"))?)
}

fn parse(text: &str) -> Result<Shown> {
    let first = |language: &str| {
        let found = blocks(text, language).into_iter().next();
        found.with_context(|| format!("README.md has no block of {language}"))
    };
    let lines = blocks(text, "sh").concat();
    let line = lines.lines().find_map(|line| line.strip_prefix(FROM_CHECKOUT));
    let line = line.with_context(|| format!("README.md has no line '{FROM_CHECKOUT}…'"))?;
    Ok(Shown {
        python: first("python")?,
        arguments: line.split_whitespace().map(str::to_owned).collect(),
        output: first("text")?,
    })
}

/// Returns the code blocks in a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let start = format!("```{language}");
    let mut found = Vec::new();
    let mut lines = text.lines();
    while lines.by_ref().any(|line| line == start) {
        let inside = lines.by_ref().take_while(|line| *line != "```");
        found.push(inside.map(|line| format!("{line}\n")).collect());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readme_has_a_program_a_command_and_its_output() {
        let shown = read().expect("what README shows");
        assert!(shown.python.contains("from pellucid import"), "{}", shown.python);
        assert_eq!(shown.arguments[..2], ["learn", "rules"]);
        assert!(shown.output.contains("THEN"), "{}", shown.output);
    }

    #[test]
    fn a_readme_without_a_program_is_refused() {
        let error = parse("```sh\ncargo run --release --package pellucid-cli -- describe x\n```\n");
        assert_eq!(
            error.err().expect("no program").to_string(),
            "README.md has no block of python"
        );
        assert!(parse("").is_err());
    }
}
