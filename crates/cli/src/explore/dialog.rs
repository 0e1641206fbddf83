//! The questions on standard error and the answers on standard input.

use anyhow::Result;
use pellucid::bits::words::{insert, words_for};
use pellucid::concepts::exploration::{Exploration, Question};
use pellucid_terminal::out::say;
use std::io::BufRead;

const HINT: &str =
    "answer: yes | no NAME: attribute, … | unknown | undo | expert NAME | list | quit";

/// How a dialog ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing is left to ask.
    Finished,
    /// What is left waits for another expert.
    Waiting,
    /// The expert stopped, or standard input ended.
    Quit,
}

pub(super) struct Dialog {
    quiet: bool,
}

impl Dialog {
    pub(super) fn new(quiet: bool) -> Dialog {
        Dialog { quiet }
    }

    /// Asks until nothing is left or the expert stops, and saves after every answer.
    pub(super) fn run(
        &self,
        exploration: &mut Exploration,
        save: &mut dyn FnMut(&Exploration) -> Result<()>,
    ) -> Result<Ended> {
        let mut lines = std::io::stdin().lock().lines();
        save(exploration)?;
        let mut is_asked = false;
        loop {
            if exploration.is_finished() {
                return Ok(Ended::Finished);
            }
            match exploration.question() {
                Some(question) if !is_asked => self.ask(exploration, question),
                Some(_) => {}
                None if !is_asked => say(format_args!(
                    "no question is left for {}; enter 'expert NAME' or 'quit'",
                    exploration.expert()
                )),
                None => {}
            }
            let Some(line) = lines.next() else {
                let is_waiting = exploration.question().is_none();
                return Ok(if is_waiting { Ended::Waiting } else { Ended::Quit });
            };
            let line = line?;
            let (word, rest) = split_word(line.trim());
            if matches!(word.to_ascii_lowercase().as_str(), "quit" | "q" | "exit") {
                return Ok(Ended::Quit);
            }
            match command(exploration, word, rest) {
                Ok(Next::Ask) => {
                    save(exploration)?;
                    is_asked = false;
                }
                Ok(Next::Listen) => is_asked = true,
                Err(problem) => {
                    say(problem);
                    is_asked = true;
                }
            }
        }
    }

    fn ask(&self, exploration: &Exploration, question: &Question) {
        let number = exploration.answers().len() + 1;
        let premise = names(&exploration.names(&question.premise));
        let conclusion = names(&exploration.names(&question.conclusion));
        match premise.is_empty() {
            true => say(format_args!("question {number}: does every object have {conclusion}?")),
            false => say(format_args!(
                "question {number}: does every object with {premise} have {conclusion}?"
            )),
        }
        if !self.quiet && number == 1 {
            say(HINT);
        }
    }
}

/// What comes after a line.
enum Next {
    /// The next question.
    Ask,
    /// Another line.
    Listen,
}

/// Carries out one line.
fn command(exploration: &mut Exploration, word: &str, rest: &str) -> Result<Next, String> {
    let text = |error: pellucid::concepts::exploration::AnswerError| error.to_string();
    match word.to_ascii_lowercase().as_str() {
        "" => return Ok(Next::Listen),
        "yes" | "y" => exploration.accept().map_err(text)?,
        "no" | "n" => {
            let (object, attributes) = counterexample(exploration, rest)?;
            exploration.counterexample(object, &attributes).map_err(text)?;
        }
        "unknown" | "?" => exploration.unknown().map_err(text)?,
        "undo" | "u" => {
            if exploration.undo().is_none() {
                return Err("there is no answer to take back".to_owned());
            }
        }
        "expert" if !rest.is_empty() => exploration.set_expert(rest),
        "list" => {
            list(exploration);
            return Ok(Next::Listen);
        }
        _ => return Err(format!("found '{word}'; {HINT}")),
    }
    Ok(Next::Ask)
}

/// Prints the accepted implications.
fn list(exploration: &Exploration) {
    let accepted: Vec<String> = exploration
        .accepted_questions()
        .map(|question| {
            let premise = names(&exploration.names(&question.premise));
            let premise = if premise.is_empty() { "{}".to_owned() } else { premise };
            format!("{premise} -> {}", names(&exploration.names(&question.conclusion)))
        })
        .collect();
    match accepted.is_empty() {
        true => say("no implication is accepted yet"),
        false => say(accepted.join("\n")),
    }
}

/// Returns names as they are read by [`name_list`].
fn names(names: &[String]) -> String {
    let shown = names.iter().map(|name| {
        let is_plain = !name.is_empty()
            && name.trim() == name
            && !name.contains([',', ':', '"'])
            && !name.contains(char::is_control);
        if is_plain { name.clone() } else { serde_json::Value::from(name.as_str()).to_string() }
    });
    shown.collect::<Vec<String>>().join(", ")
}

/// Returns the first word of a line and the rest.
fn split_word(line: &str) -> (&str, &str) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// Parses `NAME: A, B`.
fn counterexample(exploration: &Exploration, text: &str) -> Result<(String, Vec<u64>), String> {
    const FORM: &str = "expected: no NAME: attribute, attribute, …";
    let (object, rest) = one_name(text, &[':']).ok_or_else(|| FORM.to_owned())?;
    let rest = rest.strip_prefix(':').filter(|_| !object.is_empty()).ok_or(FORM)?;
    let attributes = exploration.attributes();
    let mut set = vec![0; words_for(attributes.len())];
    for name in name_list(rest).ok_or_else(|| format!("a quoted name is not closed; {FORM}"))? {
        let Some(index) = attributes.iter().position(|known| known == name.as_str()) else {
            let known = names(&attributes.iter().map(Into::into).collect::<Vec<String>>());
            return Err(format!("there is no attribute '{name}'; expected some of {known}"));
        };
        insert(&mut set, index);
    }
    Ok((object, set))
}

/// Parses names separated by commas, each plain or in quotes.
fn name_list(text: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = one_name(rest, &[','])?;
        if !name.is_empty() {
            found.push(name);
        }
        rest = match after.strip_prefix(',') {
            Some(after) => after.trim_start(),
            None if after.is_empty() => "",
            None => return None,
        };
    }
    Some(found)
}

/// Parses one name, plain up to a mark or in quotes. Returns it and the rest, which begins with the mark.
fn one_name<'a>(text: &'a str, marks: &[char]) -> Option<(String, &'a str)> {
    let text = text.trim_start();
    if text.starts_with('"') {
        let mut names = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let name = names.next()?.ok()?;
        return Some((name, text[names.byte_offset()..].trim_start()));
    }
    let end = text.find(marks).unwrap_or(text.len());
    Some((text[..end].trim().to_owned(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_or_quoted() {
        let list = |text| name_list(text).unwrap_or_default();
        assert_eq!(list(" a b, \"c, d\" ,e,"), ["a b", "c, d", "e"]);
        assert_eq!(list("\"say \\\"x\\\"\""), ["say \"x\""]);
        assert_eq!((name_list("\"open"), name_list("\"a\" b")), (None, None));
        let one = ["a, b: c".to_owned(), "plain".to_owned()];
        assert_eq!(list(&names(&one)), one);
        assert_eq!(one_name("x y: z", &[':']), Some(("x y".to_owned(), ": z")));
    }
}
