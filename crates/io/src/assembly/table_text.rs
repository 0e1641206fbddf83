//! A table as text, from a text file or from a spreadsheet.

use std::io::{self, Read};

use crate::columns::parsed::ParsedTable;
use crate::formats::{attribute, delimited};
use crate::source::encoding::decode;
use crate::source::error::{ReadError, ReadProblem};
use crate::source::load::{load_bytes, load_raw};
use crate::source::options::{Format, ReadOptions};
use crate::source::path::stem_and_extension;
use crate::source::signature;
use pellucid_data::{Message, message, parameter};

/// The first bytes of a zip archive, which every spreadsheet is.
const ZIP_MAGIC: &[u8; 4] = b"PK\x03\x04";

/// A table as text.
pub(super) struct TableText {
    pub(super) text: String,
    /// Whether the text comes from a spreadsheet.
    pub(super) is_sheet: bool,
    pub(super) notes: Vec<Message>,
}

impl TableText {
    /// Reads a text file or a spreadsheet.
    pub(super) fn read(reader: &mut dyn Read, options: &ReadOptions) -> Result<Self, ReadError> {
        let mut magic = Vec::new();
        Read::take(&mut *reader, ZIP_MAGIC.len() as u64)
            .read_to_end(&mut magic)
            .map_err(ReadProblem::Io)?;
        let is_sheet =
            magic == ZIP_MAGIC && matches!(options.format, None | Some(Format::Spreadsheet));
        let mut whole = io::Cursor::new(magic).chain(reader);
        if is_sheet {
            return sheet(load_raw(&mut whole, &options.limits)?, options);
        }
        if options.format == Some(Format::Spreadsheet) {
            let what = "not a spreadsheet; expected .xlsx or .ods";
            return Err(ReadProblem::NotTable { what }.into());
        }
        Self::decoded(load_bytes(&mut whole, &options.limits)?, options)
    }

    /// Returns the text of a file that is not a spreadsheet.
    pub(super) fn decoded(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ReadError> {
        refuse_sheet(options)?;
        let mut notes = Vec::new();
        let mut text = decode(bytes, options.encoding, &mut notes)?;
        // Old Mac line ends.
        if !text.contains('\n') && text.contains('\r') {
            text = text.replace('\r', "\n");
        }
        if let Some(what) = signature::text_kind(&text).filter(|_| options.format.is_none()) {
            return Err(ReadProblem::NotTable { what }.into());
        }
        Ok(Self { text, is_sheet: false, notes })
    }

    /// Returns the format of the text in a file with this name.
    pub(super) fn format(&self, name: &str, options: &ReadOptions) -> Format {
        let (_, extension) = stem_and_extension(name);
        match self.is_sheet {
            true => Format::Spreadsheet,
            false => options.format.unwrap_or_else(|| format_of(&self.text, &extension)),
        }
    }

    /// Reads the columns.
    pub(super) fn parse(self, name: &str, options: &ReadOptions) -> Result<ParsedTable, ReadError> {
        let (stem, extension) = stem_and_extension(name);
        let text = &self.text;
        let mut table = match self.format(name, options) {
            Format::Arff => {
                attribute::read(text, stem, attribute::AttributeDialect::Arff, options)?
            }
            Format::Keel => {
                attribute::read(text, stem, attribute::AttributeDialect::Keel, options)?
            }
            Format::Spreadsheet => delimited::read(text, stem, "csv", &for_sheets(options))?,
            Format::Delimited | Format::Uci | Format::Parquet => {
                delimited::read(text, stem, &extension, options)?
            }
        };
        table.notes.splice(0..0, self.notes);
        Ok(table)
    }
}

/// Fails if a sheet is named, for files that have no sheets.
pub(super) fn refuse_sheet(options: &ReadOptions) -> Result<(), ReadError> {
    match options.sheet {
        None => Ok(()),
        Some(_) => Err(ReadProblem::Options(message!(
            "`",
            parameter("sheet"),
            "` applies to spreadsheets (.xlsx, .ods), and the file is not one"
        ))
        .into()),
    }
}

#[cfg(feature = "spreadsheets")]
fn sheet(bytes: Vec<u8>, options: &ReadOptions) -> Result<TableText, ReadError> {
    let mut notes = Vec::new();
    let text = crate::formats::spreadsheet::to_text(bytes, options, &mut notes)?;
    Ok(TableText { text, is_sheet: true, notes })
}

#[cfg(feature = "spreadsheets")]
fn for_sheets(options: &ReadOptions) -> ReadOptions {
    crate::formats::spreadsheet::options_for_text(options)
}

#[cfg(not(feature = "spreadsheets"))]
fn sheet(_: Vec<u8>, _: &ReadOptions) -> Result<TableText, ReadError> {
    Err(ReadProblem::Options(
        "this build does not support spreadsheets; rebuild with the feature 'spreadsheets'".into(),
    )
    .into())
}

#[cfg(not(feature = "spreadsheets"))]
fn for_sheets(options: &ReadOptions) -> ReadOptions {
    options.clone()
}

/// Detects ARFF and KEEL, which start with `@` after comments. The extension or KEEL's `@inputs` tells them
/// apart.
fn format_of(text: &str, extension: &str) -> Format {
    let lower =
        |line: &str| line.trim_start().chars().take(12).collect::<String>().to_ascii_lowercase();
    let mut head = text
        .lines()
        .map(lower)
        .filter(|line| !line.is_empty() && !line.starts_with('%'))
        .take(100_000);
    let first = head.next().unwrap_or_default();
    let declared = ["@relation", "@attribute", "@inputs", "@outputs", "@data"];
    if extension == "arff" {
        Format::Arff
    } else if !declared.iter().any(|start| first.starts_with(start)) {
        Format::Delimited
    } else if extension == "dat"
        || head
            .take_while(|line| !line.starts_with("@data"))
            .any(|line| line.starts_with("@input") || line.starts_with("@output"))
    {
        Format::Keel
    } else {
        Format::Arff
    }
}
