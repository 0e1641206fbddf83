//! Files that are no tables: those that are no text at all are told by how they begin, before gigabytes of them are read; texts
//! of another kind by their first letters, and prose by its sentences.

/// How files begin that people take for a table, and what they are.
const KNOWN: [(&[u8], &str); 18] = [
    (b"PK\x03\x04", "a zip archive, as spreadsheets (.xlsx, .ods) are; save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Office file, as spreadsheets (.xls) are; save the sheet as CSV"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"II*\0", "a picture (TIFF)"),
    (b"MM\0*", "a picture (TIFF)"),
    (b"RIFF", "a picture, sound or film (RIFF)"),
    (b"7z\xbc\xaf", "an archive (7z); unpack it first"),
    (b"SQLite f", "an SQLite database; write the table to a CSV file"),
    (b"ARROW1", "an Arrow file; write the table to a Parquet or CSV file"),
    (b"\x89HDF", "an HDF5 file; write the table to a Parquet or CSV file"),
    (b"\x93NUMPY", "a NumPy file; write the table to a CSV file"),
    (b"\x7fELF", "a program"),
    (b"BZh", "compressed with bzip2; gzip is read"),
    (b"\xfd7zXZ", "compressed with xz; gzip is read"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; gzip is read"),
];

/// How many first bytes are looked at.
pub(crate) const GLANCE: usize = 8;

/// What a file is that begins so, if it is known to be no text.
pub(crate) fn known(first: &[u8]) -> Option<&'static str> {
    let known = KNOWN.iter().find(|(start, _)| first.starts_with(start));
    known.map(|(_, what)| *what)
}

/// How texts begin that are no tables, in lower case, and what they are.
const TEXTS: [(&str, &str); 10] = [
    ("<!doctype html", "a web page (HTML); save the table in it as CSV"),
    ("<html", "a web page (HTML); save the table in it as CSV"),
    ("<head", "a web page (HTML); save the table in it as CSV"),
    ("<table", "a web page (HTML); save the table in it as CSV"),
    ("<?xml", "an XML file; write the table in it to a CSV file"),
    ("{\\rtf", "a text document (RTF)"),
    ("%!ps", "a PostScript document"),
    ("\\documentclass", "a LaTeX document"),
    ("#!/", "a script"),
    ("begin:v", "a calendar or address card"),
];

/// What a text is, if its first letters say that it is no table.
pub(crate) fn known_text(text: &str) -> Option<&'static str> {
    let first: String = text.trim_start().chars().take(16).collect::<String>().to_lowercase();
    let known = TEXTS.iter().find(|(start, _)| first.starts_with(start));
    known.map(|(_, what)| *what).or_else(|| {
        let json = || is_json(text.trim_start());
        json().then_some("JSON; write the table in it to a CSV file")
    })
}

/// Whether a text begins as JSON does: with a bracket and something that may follow it there.
fn is_json(text: &str) -> bool {
    let inner = |rest: &str, follow: &[char]| {
        let rest = rest.trim_start();
        rest.starts_with(follow) || rest.is_empty()
    };
    match text.as_bytes().first() {
        Some(b'{') => inner(&text[1..], &['"', '}']),
        Some(b'[') => inner(&text[1..], &['{', '[']),
        _ => false,
    }
}

/// Lines that are looked at.
const LOOKED_AT: usize = 60;

/// Whether a text that no separator cuts evenly is made of sentences: lines of several words, hardly a number among them.
pub(crate) fn is_prose(text: &str) -> bool {
    let (mut lines, mut words, mut numbers) = (0usize, 0usize, 0usize);
    for line in text.lines().filter(|line| !line.trim().is_empty()).take(LOOKED_AT) {
        lines += 1;
        for word in line.split_whitespace() {
            let has_letter = word.chars().any(char::is_alphabetic);
            words += usize::from(has_letter);
            numbers += usize::from(!has_letter);
        }
    }
    words >= 5 * lines && words >= 12 && numbers * 6 < words
}

#[cfg(test)]
mod tests {
    use super::{GLANCE, KNOWN, is_prose, known, known_text};

    #[test]
    fn texts_are_let_through() {
        for text in [&b""[..], b"a,b\n1,2", b"PK,x\n", b"\xef\xbb\xbfa", b"\xff\xfea\0", b"GIF,\n"]
        {
            assert_eq!(known(text), None, "{text:x?}");
        }
        assert!(KNOWN.iter().all(|(start, _)| start.len() <= GLANCE));
    }

    #[test]
    fn texts_that_are_no_tables_are_told_by_their_beginning() {
        for text in [
            "<!DOCTYPE html>\n<p>",
            "  <html>",
            "<?xml version='1.0'?>",
            "{\"a\": 1}",
            "[{\"a\": 1}]",
            "{\\rtf1",
        ] {
            assert!(known_text(text).is_some(), "{text}");
        }
        for text in ["a,b\n1,2", "{1 2, 3 4}", "[1,2]", "<5,>7\n", "{a};{b}\n", ""] {
            assert_eq!(known_text(text), None, "{text}");
        }
    }

    #[test]
    fn sentences_are_prose_and_tables_are_none() {
        let prose = "Call me Ishmael. Some years ago, never mind how long precisely, having\n\
            little or no money in my purse, and nothing particular to interest me on shore,\n\
            I thought I would sail about a little and see the watery part of the world.\n";
        assert!(is_prose(prose));
        for text in ["a b c\n1 2 3\n4 5 6\n", "name\nAnna\nBert\n", "5.1 3.5 1.4 0.2 setosa\n", ""]
        {
            assert!(!is_prose(text), "{text}");
        }
    }
}
