//! Spreadsheets: damaged archives, and damaged parts in an archive that is otherwise valid.

use crate::bundled;
use crate::readers::{Reader, table};
use crate::samples;
use pellucid::io::ReadOptions;
use std::io::{Cursor, Read as _, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const CLINIC: &str = "tests/data/spreadsheets/clinic.xlsx";
const VISITS: &str = "tests/data/spreadsheets/visits.xlsx";
const TABLE: &str = "tests/data/spreadsheets/table.ods";
const SHEET: &str = "xl/worksheets/sheet1.xml";
const BOOK: &str = "xl/workbook.xml";
const STYLES: &str = "xl/styles.xml";
const CONTENT: &str = "content.xml";

/// Returns the readers of spreadsheets. Most damage to an archive is found by its checksums, so parts are
/// also damaged before they are packed.
pub(crate) fn readers() -> Vec<Reader> {
    let part = |file, name| part(bundled::file(file), name);
    let xlsx = || table("t.xlsx", ReadOptions::default());
    let ods = || table("t.ods", ReadOptions::default());
    vec![
        Reader::new("xlsx", 2, samples::files(&[CLINIC, VISITS]), xlsx()),
        Reader::new("xlsx-sheet", 4, vec![part(CLINIC, SHEET), part(VISITS, SHEET)], xlsx())
            .sealed(|bytes| packed(CLINIC, SHEET, bytes)),
        Reader::new("xlsx-book", 1, vec![part(CLINIC, BOOK)], xlsx())
            .sealed(|bytes| packed(CLINIC, BOOK, bytes)),
        Reader::new("xlsx-styles", 1, vec![part(CLINIC, STYLES)], xlsx())
            .sealed(|bytes| packed(CLINIC, STYLES, bytes)),
        Reader::new("ods", 1, samples::files(&[TABLE]), ods()),
        Reader::new("ods-content", 4, vec![part(TABLE, CONTENT)], ods())
            .sealed(|bytes| packed(TABLE, CONTENT, bytes)),
    ]
}

/// Returns a part of an archive.
fn part(archive: &[u8], name: &str) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).expect("a valid archive");
    let mut bytes = Vec::new();
    let mut part = archive.by_name(name).expect("a part");
    part.read_to_end(&mut bytes).expect("a valid part");
    bytes
}

/// Returns an archive of the project in which one part has other contents.
fn packed(file: &str, name: &str, bytes: &[u8]) -> Vec<u8> {
    let archive = bundled::file(file);
    let parts = ZipArchive::new(Cursor::new(archive)).expect("a valid archive");
    let names: Vec<String> =
        parts.file_names().map(|name| name.expect("a plain name").to_string()).collect();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for each in names {
        let contents = if each == name { bytes.to_vec() } else { part(archive, &each) };
        let written = writer.start_file(each, stored).map(|()| writer.write_all(&contents));
        written.expect("a part").expect("writing to memory succeeds");
    }
    writer.finish().expect("writing to memory succeeds").into_inner()
}
