//! Recognizes files that are not tables: binary files by their first bytes, before gigabytes of
//! them are read, other text formats by their first characters, and prose by its words.

/// The first bytes of binary files, and what the files are.
const BINARY_SIGNATURES: [(&[u8], &str); 17] = [
    (b"PK\x03\x04", "a zip archive; extract it first"),
    (
        b"\xd0\xcf\x11\xe0",
        "an old Office file, such as .xls, or an encrypted one; save the sheet as .xlsx or CSV",
    ),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "an image (PNG)"),
    (b"\xff\xd8\xff", "an image (JPEG)"),
    (b"GIF8", "an image (GIF)"),
    (b"II*\0", "an image (TIFF)"),
    (b"MM\0*", "an image (TIFF)"),
    (b"RIFF", "an image, audio or video file (RIFF)"),
    (b"7z\xbc\xaf", "a 7z archive; extract it first"),
    (b"SQLite f", "an SQLite database; export the table to a CSV file"),
    (b"ARROW1", "an Arrow file; export the table to a Parquet or CSV file"),
    (b"\x89HDF", "an HDF5 file; export the table to a Parquet or CSV file"),
    (b"\x93NUMPY", "a NumPy file; export the array to a CSV file"),
    (b"\x7fELF", "an executable program"),
    (b"BZh", "compressed with bzip2; only gzip and zstd are supported"),
    (b"\xfd7zXZ", "compressed with xz; only gzip and zstd are supported"),
];

/// The number of bytes to check.
pub(crate) const SIGNATURE_BYTES: usize = 8;

/// Returns what a binary file is, by its first bytes.
pub(crate) fn binary_kind(first: &[u8]) -> Option<&'static str> {
    let known = BINARY_SIGNATURES.iter().find(|(start, _)| first.starts_with(start));
    known.map(|(_, what)| *what)
}

/// The lower-case first characters of text files that are not tables, and what the files are.
const TEXT_SIGNATURES: [(&str, &str); 13] = [
    ("@prefix", "an ontology (Turtle); expected a table"),
    ("prefix(", "an ontology (OWL functional syntax); expected a table"),
    ("ontology(", "an ontology (OWL functional syntax); expected a table"),
    ("<!doctype html", "a web page (HTML); save its table as CSV"),
    ("<html", "a web page (HTML); save its table as CSV"),
    ("<head", "a web page (HTML); save its table as CSV"),
    ("<table", "a web page (HTML); save its table as CSV"),
    ("<?xml", "an XML file; export its table to a CSV file"),
    ("{\\rtf", "an RTF document"),
    ("%!ps", "a PostScript document"),
    ("\\documentclass", "a LaTeX document"),
    ("#!/", "a script"),
    ("begin:v", "a calendar or a contact card"),
];

/// Returns what a text file is, if its first characters show that it is not a table.
pub(crate) fn text_kind(text: &str) -> Option<&'static str> {
    let first: String = text.trim_start().chars().take(16).collect::<String>().to_lowercase();
    let known = TEXT_SIGNATURES.iter().find(|(start, _)| first.starts_with(start));
    known.map(|(_, what)| *what).or_else(|| {
        let text = text.trim_start();
        is_json(text).then(|| match is_model(text) {
            true => "a Pellucid model; expected a table",
            false => "JSON; export its table to a CSV file",
        })
    })
}

/// Whether the first lines of a JSON text are those of a model file.
fn is_model(text: &str) -> bool {
    text.lines().take(3).any(|line| line.contains("\"pellucid-model\""))
}

/// Whether a text begins like JSON: with a bracket and a character that may follow it.
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

/// The number of lines to check.
const LOOKED_AT: usize = 60;

/// Whether a text that no separator splits evenly is prose: lines of several words with few numbers.
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
    use super::{BINARY_SIGNATURES, SIGNATURE_BYTES, binary_kind, is_prose, text_kind};

    #[test]
    fn text_has_no_binary_signature() {
        for text in [&b""[..], b"a,b\n1,2", b"PK,x\n", b"\xef\xbb\xbfa", b"\xff\xfea\0", b"GIF,\n"]
        {
            assert_eq!(binary_kind(text), None, "{text:x?}");
        }
        assert!(BINARY_SIGNATURES.iter().all(|(start, _)| start.len() <= SIGNATURE_BYTES));
    }

    #[test]
    fn other_text_formats_are_recognized() {
        for text in [
            "<!DOCTYPE html>\n<p>",
            "  <html>",
            "<?xml version='1.0'?>",
            "{\"a\": 1}",
            "[{\"a\": 1}]",
            "{\\rtf1",
            "@prefix : <http://example.org/> .",
            "Prefix(:=<http://example.org/>)",
        ] {
            assert!(text_kind(text).is_some(), "{text}");
        }
        for text in ["a,b\n1,2", "{1 2, 3 4}", "[1,2]", "<5,>7\n", "{a};{b}\n", ""] {
            assert_eq!(text_kind(text), None, "{text}");
        }
    }

    #[test]
    fn a_model_is_recognized() {
        let model = "{\n  \"format\": \"pellucid-model\",\n  \"version\": 1\n}\n";
        assert_eq!(text_kind(model), Some("a Pellucid model; expected a table"));
    }

    #[test]
    fn prose_is_recognized() {
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
