//! A page's commands and what it shows of their output.

/// A command, and what the page says it prints.
#[derive(Debug, PartialEq)]
pub(crate) struct Step {
    /// The line on the page.
    pub(crate) line: usize,
    /// For the shell.
    pub(crate) command: String,
    /// The lines shown, without white space at their ends.
    pub(crate) shown: Vec<String>,
    /// Whether they are only a part of what is printed.
    pub(crate) part: bool,
}

/// How a checkout runs the command; the page's readers have not installed it.
const FROM_SOURCE: &str = "cargo run --release --package pellucid-cli --";

/// The commands of a page that run `pellucid`, in order.
pub(crate) fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut kind: Option<&str> = None;
    // Whether a block of text would show what the last command prints.
    let mut open = false;
    // Whether the last line of a command went on.
    let mut unfinished = false;
    for (line, text) in (1..).zip(page.lines().map(str::trim_end)) {
        if let Some(name) = text.strip_prefix("```") {
            kind = match kind {
                Some(_) => None,
                None => Some(name),
            };
            // Only a text block may follow the commands it shows.
            open &= matches!(kind, None | Some("text"));
            continue;
        }
        match kind {
            None if text.starts_with('#') => open = false,
            Some("console" | "sh") if unfinished => {
                let step = steps.last_mut().expect("a command that goes on");
                step.command += &format!("\n{text}");
                unfinished = goes_on(text);
            }
            Some("sh") if runs(text) => {
                steps.push(step(line, text));
                (open, unfinished) = (true, goes_on(text));
            }
            Some("console") => match text.strip_prefix("$ ") {
                Some(command) => {
                    steps.push(step(line, command));
                    unfinished = goes_on(command);
                }
                None => {
                    if let Some(step) = steps.last_mut() {
                        step.shown.push(text.to_owned());
                    }
                }
            },
            Some("text") if open => {
                if let Some(step) = steps.last_mut() {
                    step.shown.push(text.to_owned());
                    step.part = true;
                }
            }
            _ => {}
        }
    }
    steps.retain(|step| runs(&step.command));
    steps
}

fn step(line: usize, command: &str) -> Step {
    let command = command.replace(FROM_SOURCE, "pellucid");
    Step { line, command, shown: Vec::new(), part: false }
}

fn goes_on(text: &str) -> bool {
    text.ends_with(['|', '\\'])
}

/// Whether our command is run; others are about the checkout or the reader's machine.
fn runs(command: &str) -> bool {
    command.starts_with(FROM_SOURCE)
        || command.split('|').any(|part| part.trim_start().starts_with("pellucid "))
        || command.ends_with('|')
}

#[test]
fn blocks_are_read() {
    let page = "# A\n```sh\ncargo xtask test\npellucid a b # why\n```\n\
                It prints:\n```text\nsome\nlines\n```\n\
                ```console\n$ echo 1 |\n    pellucid c\nout\n\nmore\n$ pellucid d\n```\n\
                ## B\n```text\nnot ours\n```\n```rust\npellucid e\n```\n";
    let found = steps(page);
    let read: Vec<(usize, &str, Vec<&str>, bool)> = found
        .iter()
        .map(|step| {
            let shown = step.shown.iter().map(String::as_str).collect();
            (step.line, step.command.as_str(), shown, step.part)
        })
        .collect();
    assert_eq!(
        read,
        [
            (4, "pellucid a b # why", vec!["some", "lines"], true),
            (12, "echo 1 |\n    pellucid c", vec!["out", "", "more"], false),
            (17, "pellucid d", vec![], false),
        ]
    );
}
