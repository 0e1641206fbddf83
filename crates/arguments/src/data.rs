use super::LimitsArgs;
use crate::Destinations;
use anyhow::{Result, bail};
use clap::Args;
use pellucid::io::{Choice, DateFormat, Format, Header, ReadOptions, TextEncoding};
use std::path::PathBuf;

/// The help for DATA in commands that also accept an ontology.
pub(super) const TABLE_OR_ONTOLOGY: &str = "\
Table (CSV, TSV, .xlsx, .ods, .parquet, KEEL .dat, WEKA .arff or UCI .data) or ontology (.owl .rdf \
.xml .ttl .nt .nq .trig), text also with .gz or .zst ('-' for standard input)";

/// The table to read and the roles of its columns. All commands on tables share these flags.
#[derive(Debug, Args)]
pub struct DataArgs {
    /// Table to read: CSV, TSV, .xlsx, .ods, .parquet, KEEL .dat, WEKA .arff or UCI .data, text also
    /// with .gz or .zst ('-' for standard input)
    ///
    /// A folder, or a pattern such as 'part-*.csv', means all of its files, as one table.
    #[arg(value_name = "DATA")]
    pub path: PathBuf,
    /// More files of the same table, with the same column names: CSV or spreadsheets
    #[arg(value_name = "MORE", hide_short_help = true)]
    pub more: Vec<PathBuf>,
    /// Target column, by name or by number from 1, or 'none'
    ///
    /// [default: the target that the file declares, otherwise a column named target, class, label
    /// or y, otherwise the last column]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub target: Option<String>,
    /// Column that groups rows into bags, by name or by number, or 'none'
    ///
    /// [default: the bag column that the file declares, otherwise the first column if it looks like
    /// one, otherwise none]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub bag: Option<String>,
    /// Column that names the rows in predictions, explanations and errors, by name or by number
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub id: Option<String>,
    /// Columns to exclude
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Data")]
    pub ignore: Vec<String>,
    /// Columns to treat as categories even if their values are numbers
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Data")]
    pub nominal: Vec<String>,
    /// Columns to treat as numbers; other values in them count as missing
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Data")]
    pub numeric: Vec<String>,
    /// Date column, optionally with its format, for example 'born' or 'born=%d.%m.%Y'
    ///
    /// May be repeated. [default: detected]
    #[arg(long, value_name = "COLUMN[=FORM]", help_heading = "Data", value_parser = date)]
    pub date: Vec<(String, Option<DateFormat>)>,
    /// Columns in which values that differ only in case or spaces are one value
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Data")]
    pub merge_spellings: Vec<String>,
    /// Columns to use even if they look like identifiers of rows or bags
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Data")]
    pub keep: Vec<String>,
    /// Positive class, which is listed last [default: 1, yes, true or positive if there is one;
    /// otherwise the rarer class]
    #[arg(long, value_name = "VALUE", help_heading = "Data")]
    pub positive_class: Option<String>,
    /// File with the classes, if they are not in DATA
    ///
    /// A table with two columns: the names of the bags or rows (--bag, --id) and their classes.
    #[arg(long, value_name = "FILE", help_heading = "Data", conflicts_with = "target")]
    pub labels: Option<PathBuf>,
    /// Read --labels as one class per line, in the order of the table
    #[arg(long, help_heading = "Data", requires = "labels")]
    pub labels_by_position: bool,
    /// Second table with one row per bag: its class and other columns
    #[arg(long, value_name = "FILE", help_heading = "Data", conflicts_with = "labels")]
    pub bags: Option<PathBuf>,
    /// Column that names the bag in DATA and in --bags [default: the column of --bag]
    ///
    /// Write A=B if it is column A in DATA and column B in --bags.
    #[arg(
        long,
        value_name = "COLUMN",
        help_heading = "Data",
        requires = "bags",
        conflicts_with = "bag"
    )]
    pub key: Option<String>,
    /// Sheet of a spreadsheet, by name or by number from 1 [default: the first one]
    #[arg(long, value_name = "NAME", help_heading = "File format")]
    pub sheet: Option<String>,
    /// Treat the first line as column names [default: detected]
    #[arg(long, help_heading = "File format")]
    pub header: bool,
    /// Treat the first line as data
    #[arg(long, help_heading = "File format", conflicts_with = "header")]
    pub no_header: bool,
    /// Field separator, for example ';' or '\t' [default: detected]
    #[arg(long, value_name = "CHAR", help_heading = "File format", value_parser = delimiter)]
    pub delimiter: Option<char>,
    /// Texts that mean a missing value, in addition to an empty cell
    ///
    /// [default: ?, NA, N/A, n/a, NaN, nan, null, NULL, #N/A; in columns of numbers and dates also
    /// -, ., none, unknown and similar, in upper or lower case]
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "A,B",
        help_heading = "File format",
        allow_negative_numbers = true
    )]
    pub missing: Vec<String>,
    /// Decimal separator: '.' or ',' [default: detected]
    #[arg(long, value_name = "CHAR", help_heading = "File format", value_parser = mark)]
    pub decimal: Option<char>,
    /// Thousands separator, for example '.', ',' or 'space' [default: detected]
    #[arg(long, value_name = "CHAR", help_heading = "File format", value_parser = mark)]
    pub thousands: Option<char>,
    /// Text encoding [default: detected]
    ///
    /// One of utf-8, utf-16le, utf-16be, windows-1252, iso-8859-1, iso-8859-15.
    #[arg(long, value_name = "NAME", help_heading = "File format")]
    pub encoding: Option<TextEncoding>,
    /// File format: csv, tsv, xlsx, ods, parquet, arff, keel or uci [default: detected]
    #[arg(long, value_name = "FORMAT", help_heading = "File format", value_parser = format)]
    pub format: Option<Format>,
    /// Drop rows that are equal to another row of the same bag
    #[arg(long, help_heading = "Data")]
    pub dedupe_instances: bool,
    #[command(flatten)]
    pub limits: LimitsArgs,
}

impl DataArgs {
    /// Adds the files that the command reads.
    pub fn files<'a>(&'a self, files: Destinations<'a>) -> Destinations<'a> {
        let files = files.reads("the data", Some(&self.path));
        let files = self.more.iter().fold(files, |files, more| files.reads("the data", Some(more)));
        files.reads("the labels", self.labels.as_deref())
    }

    /// Returns an error if a flag about columns is given for an ontology. `--id` is accepted if it
    /// may be the name of an individual.
    pub fn reject_for_ontology(&self, id_is_name: bool) -> Result<()> {
        let flags = [
            ("--target", self.target.is_some()),
            ("--bag", self.bag.is_some()),
            ("--id", self.id.is_some() && !id_is_name),
            ("--ignore", !self.ignore.is_empty()),
            ("--nominal", !self.nominal.is_empty()),
            ("--numeric", !self.numeric.is_empty()),
            ("--date", !self.date.is_empty()),
            ("--keep", !self.keep.is_empty()),
            ("--merge-spellings", !self.merge_spellings.is_empty()),
            ("--sheet", self.sheet.is_some()),
            ("a second file", !self.more.is_empty()),
            ("--bags", self.bags.is_some()),
            ("--decimal", self.decimal.is_some()),
            ("--thousands", self.thousands.is_some()),
            ("--encoding", self.encoding.is_some()),
            ("--positive-class", self.positive_class.is_some()),
            ("--labels", self.labels.is_some()),
            ("--header", self.header),
            ("--no-header", self.no_header),
            ("--delimiter", self.delimiter.is_some()),
            ("--missing", !self.missing.is_empty()),
            ("--format", self.format.is_some()),
            ("--dedupe-instances", self.dedupe_instances),
        ];
        if let Some((flag, _)) = flags.iter().find(|(_, is_given)| *is_given) {
            bail!("{flag} applies to tables, but {} is an ontology", self.path.display());
        }
        Ok(())
    }

    /// Returns the options for reading the table.
    pub fn options(&self) -> ReadOptions {
        let choice = |value: &Option<String>| match value.as_deref() {
            None => Choice::Auto,
            Some("none") => Choice::None,
            Some(column) => Choice::Column(column.to_owned()),
        };
        let mut options =
            ReadOptions::default().target(choice(&self.target)).bag(choice(&self.bag));
        if self.id.is_some() {
            options.id = choice(&self.id);
        }
        options = options
            .ignore(self.ignore.clone())
            .nominal(self.nominal.clone())
            .numeric(self.numeric.clone())
            .keep(self.keep.clone())
            .merge_spellings(self.merge_spellings.clone())
            .parts(self.more.clone())
            .labels_by_position(self.labels_by_position)
            .dedupe_instances(self.dedupe_instances);
        options.dates.clone_from(&self.date);
        options.sheet.clone_from(&self.sheet);
        options.decimal = self.decimal;
        options.thousands = self.thousands;
        options.encoding = self.encoding;
        if let Some(file) = &self.bags {
            // Without --key and --bag the name is empty, and the reader asks for a key.
            options = match (self.key.as_deref(), self.bag.as_deref()) {
                (Some(key), _) => match key.split_once('=') {
                    Some((of_rows, of_bags)) => options.bags_by(file, of_rows, of_bags),
                    None => options.bags(file, key),
                },
                (None, bag) => options.bags(file, bag.unwrap_or_default()),
            };
        }
        options.positive_class.clone_from(&self.positive_class);
        options.labels.clone_from(&self.labels);
        options.delimiter = self.delimiter;
        options.format = self.format;
        options.limits = self.limits.limits();
        if self.header {
            options.header = Header::Yes;
        } else if self.no_header {
            options.header = Header::No;
        }
        if !self.missing.is_empty() {
            options = options.missing(self.missing.clone());
        }
        options
    }
}

/// Parses a date column and its optional format.
fn date(text: &str) -> Result<(String, Option<DateFormat>), String> {
    match text.split_once('=') {
        None => Ok((text.to_owned(), None)),
        Some((column, form)) => {
            let form = form.parse::<DateFormat>().map_err(|error| error.to_string())?;
            Ok((column.to_owned(), Some(form)))
        }
    }
}

/// Parses a decimal or thousands separator.
fn mark(text: &str) -> Result<char, String> {
    match text {
        "space" | " " | "\u{a0}" | "\u{202f}" => Ok(' '),
        "," => Ok(','),
        "." => Ok('.'),
        "'" | "’" => Ok('\''),
        "_" => Ok('_'),
        _ => Err("expected '.', ',', an apostrophe, '_' or 'space'".to_owned()),
    }
}

pub(crate) fn delimiter(text: &str) -> Result<char, String> {
    let mut letters = text.chars();
    match (text, letters.next(), letters.next()) {
        ("\\t" | "tab", ..) => Ok('\t'),
        ("space", ..) => Ok(' '),
        (_, Some(letter), None) if letter.is_ascii() => Ok(letter),
        _ => Err("expected one character, '\\t', 'tab' or 'space'".to_owned()),
    }
}

fn format(text: &str) -> Result<Format, String> {
    match text {
        "csv" | "tsv" => Ok(Format::Delimited),
        "arff" => Ok(Format::Arff),
        "keel" => Ok(Format::Keel),
        "uci" => Ok(Format::Uci),
        "parquet" => Ok(Format::Parquet),
        "xlsx" | "ods" => Ok(Format::Spreadsheet),
        _ => Err("expected one of csv, tsv, xlsx, ods, parquet, arff, keel, uci".to_owned()),
    }
}
