//! The labels of concepts and their sizes.

use pellucid_data::Names;

/// The font size.
pub(super) const FONT: f64 = 12.0;
/// The line height.
pub(super) const LINE: f64 = 15.0;
/// A line of text is wrapped or truncated after this many characters.
const LETTERS: usize = 22;
/// More lines than this become a count.
const LINES: usize = 4;
/// More objects than this become a count.
const OBJECTS: usize = 3;

/// The names at a concept, as lines of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NameLabel {
    /// The text, from top to bottom.
    pub lines: Vec<String>,
    /// The width of the widest line, estimated from its characters.
    pub width: f64,
}

impl NameLabel {
    /// Returns the height.
    #[must_use]
    pub fn height(&self) -> f64 {
        self.lines.len() as f64 * LINE
    }

    /// Creates a label whose characters are `bold` times as wide as usual.
    fn new(lines: Vec<String>, bold: f64) -> NameLabel {
        let width = lines.iter().map(|line| width(line)).fold(0.0, f64::max);
        NameLabel { lines, width: width * bold }
    }

    /// Returns the label of a concept's own attributes, which no concept above it has.
    pub(super) fn of_attributes(names: &Names, which: &[u32]) -> NameLabel {
        let mut lines = Vec::new();
        for (index, &attribute) in which.iter().enumerate() {
            let more = broken(&names.get(attribute as usize));
            let left = which.len() - index;
            // The last line is reserved for the count of the remaining names, unless this name is
            // the last and fits.
            if lines.len() + more.len() + usize::from(left > 1) > LINES {
                lines.push(format!("and {left} more"));
                break;
            }
            lines.extend(more);
        }
        NameLabel::new(lines, 1.12)
    }

    /// Returns the label of a concept's own objects, which no concept below it has: a few names, or
    /// a count.
    pub(super) fn of_objects(names: &Names, which: &[u32]) -> NameLabel {
        let named: Vec<String> = which
            .iter()
            .take(OBJECTS + 1)
            .flat_map(|&object| broken(&names.get(object as usize)))
            .collect();
        if which.len() > OBJECTS || named.len() > LINES {
            return NameLabel::new(vec![format!("{} objects", which.len())], 1.0);
        }
        NameLabel::new(named, 1.0)
    }
}

/// Returns a name in at most two lines, wrapped between words if possible.
fn broken(name: &str) -> Vec<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    let length = |text: &str| text.chars().count();
    if words.is_empty() {
        return vec!["(unnamed)".to_owned()];
    }
    if length(&name) <= LETTERS {
        return vec![name];
    }
    // Balanced lines keep the label narrow.
    let split = (1..words.len())
        .map(|split| (words[..split].join(" "), words[split..].join(" ")))
        .min_by_key(|(first, second)| length(first).max(length(second)));
    match split {
        Some((first, second)) => vec![cut(&first), cut(&second)],
        None => vec![cut(&name)],
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LETTERS {
        return text.to_owned();
    }
    text.chars().take(LETTERS - 1).chain(['…']).collect()
}

/// Returns an upper estimate of the width of a text; fonts differ.
fn width(text: &str) -> f64 {
    let letter = |letter: char| match letter {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | 'I' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|'
        | '(' | ')' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        '+' | '<' | '>' | '=' | '~' | '#' | '&' => 0.84,
        'A'..='Z' => 0.74,
        '\u{300}'..='\u{36f}' => 0.0,
        ..='\u{1fff}' => 0.63,
        _ => 1.05,
    };
    text.chars().map(letter).sum::<f64>() * FONT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_broken_and_very_long_ones_cut() {
        assert_eq!(broken(" needs  water to live "), ["needs water to live"]);
        assert_eq!(
            broken("can move about, and lives on the land"),
            ["can move about, and", "lives on the land"]
        );
        let long = broken(&"x".repeat(500));
        assert_eq!((long.len(), long[0].chars().count()), (1, LETTERS));
        assert_eq!(broken("\t"), ["(unnamed)"]);
    }

    #[test]
    fn many_names_become_a_count() {
        let names = Names::Numbered { first: 1, count: 20 };
        let all: Vec<u32> = (0..20).collect();
        assert_eq!(NameLabel::of_objects(&names, &all).lines, ["20 objects"]);
        assert_eq!(NameLabel::of_objects(&names, &all[..3]).lines, ["1", "2", "3"]);
        assert_eq!(NameLabel::of_attributes(&names, &all).lines, ["1", "2", "3", "and 17 more"]);
        assert_eq!(NameLabel::of_attributes(&names, &all[..4]).lines, ["1", "2", "3", "4"]);
        assert_eq!(NameLabel::of_attributes(&names, &[]), NameLabel::default());
    }
}
