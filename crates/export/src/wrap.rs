//! Paragraphs in lines of at most 80 characters, with a hanging indent.

use pellucid_data::visible_line;

/// The number of characters that fit on a line.
const WIDTH: usize = 80;

/// Returns a paragraph broken at spaces. The first line begins with `first`, the others with `hang`
/// spaces. A word that is longer than a line gets a line of its own.
#[must_use]
pub fn paragraph(first: &str, hang: usize, text: &str) -> String {
    lines(first, &" ".repeat(hang), text)
}

/// Returns a paragraph with a mark, such as that of a comment, before every line. Line breaks in
/// the text are escaped, so that no name can end the comment.
#[must_use]
pub fn marked(mark: &str, text: &str) -> String {
    lines(mark, mark, &visible_line(text))
}

fn lines(first: &str, others: &str, text: &str) -> String {
    let mut out = first.to_owned();
    let mut used = out.chars().count();
    let mut fresh = true;
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next() {
        // A percent sign stays on the line of its number.
        let unit = words.next_if(|next| next.starts_with('%'));
        let word = unit.map_or_else(|| word.to_owned(), |unit| format!("{word} {unit}"));
        let length = word.chars().count();
        if !fresh && used + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(others);
            used = others.chars().count();
            fresh = true;
        }
        if !fresh {
            out.push(' ');
            used += 1;
        }
        out.push_str(&word);
        used += length;
        fresh = false;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn later_lines_hang() {
        let text = "one ".repeat(25);
        let wrapped = paragraph("IF ", 3, &text);
        let lines: Vec<&str> = wrapped.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("IF one") && lines[0].len() == 78);
        assert!(lines[1].starts_with("   one"));
    }

    #[test]
    fn a_percent_sign_stays_with_its_number() {
        let wrapped = paragraph("", 0, &format!("{} 81 % of", "x".repeat(76)));
        assert_eq!(wrapped, format!("{}\n81 % of\n", "x".repeat(76)));
    }

    proptest! {
        #[test]
        fn lines_fit_and_no_word_is_lost(words in prop::collection::vec("[a-zä]{1,70}", 0..40)) {
            let text = words.join(" ");
            let wrapped = paragraph("IF ", 8, &text);
            prop_assert!(wrapped.lines().all(|line| line.chars().count() <= WIDTH));
            let back: Vec<&str> = wrapped[3..].split_whitespace().collect();
            prop_assert_eq!(back, words);
        }
    }
}
