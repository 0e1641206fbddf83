//! Files that are no text at all: told by how they begin, before gigabytes of them are read.

/// How files begin that people take for a table, and what they are.
const KNOWN: [(&[u8], &str); 14] = [
    (b"PK\x03\x04", "a zip archive, as spreadsheets (.xlsx, .ods) are; save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Office file, as spreadsheets (.xls) are; save the sheet as CSV"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
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
pub(crate) const GLANCE: u64 = 8;

/// What a file is that begins so, if it is known to be no text.
pub(crate) fn known(first: &[u8]) -> Option<&'static str> {
    let known = KNOWN.iter().find(|(start, _)| first.starts_with(start));
    known.map(|(_, what)| *what)
}

#[cfg(test)]
mod tests {
    use super::{GLANCE, KNOWN, known};

    #[test]
    fn texts_are_let_through() {
        for text in [&b""[..], b"a,b\n1,2", b"PK,x\n", b"\xef\xbb\xbfa", b"\xff\xfea\0", b"GIF,\n"]
        {
            assert_eq!(known(text), None, "{text:x?}");
        }
        assert!(KNOWN.iter().all(|(start, _)| start.len() as u64 <= GLANCE));
    }
}
