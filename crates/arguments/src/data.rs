use super::LimitsArgs;
use crate::Destinations;
use anyhow::{Result, bail};
use clap::Args;
use pellucid::io::{Choice, DateFormat, Encoding, Format, Header, ReadOptions};
use std::path::PathBuf;

/// What may stand for DATA where ontologies are taken too.
pub(super) const TABLE_OR_ONTOLOGY: &str = "The data: a table (CSV, TSV, KEEL .dat, WEKA .arff, UCI .data, .parquet) or an ontology (.owl .rdf .xml .ttl .nt .nq .trig), each text also as .gz; '-' reads standard input";

/// Which file, and what its columns are. The same flags everywhere.
#[derive(Debug, Args)]
pub struct DataArgs {
    /// The data: CSV, TSV, KEEL .dat, WEKA .arff, UCI .data, .parquet, each text also as .gz; '-' reads standard input
    #[arg(value_name = "DATA")]
    pub path: PathBuf,
    /// The column of classes, by name or by number from 1; 'none' for no column [default: what the format says, otherwise a column called target, class, label or y, otherwise the last one]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub target: Option<String>,
    /// The column that names each row's bag, by name or by number; 'none' for no column [default: what the format says, otherwise the first column if it seems to name bags, otherwise none]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub bag: Option<String>,
    /// The column that names the rows, by name or by number; predictions, explanations and errors call them so
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub id: Option<String>,
    /// Columns to leave out
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Data")]
    pub ignore: Vec<String>,
    /// Columns whose numbers are codes, not quantities
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Data")]
    pub nominal: Vec<String>,
    /// Columns of numbers, whatever else some of their cells hold; those count as missing
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Data")]
    pub numeric: Vec<String>,
    /// A column of dates, perhaps with its form, as in 'born' or 'born=%d.%m.%Y'; may be given several times [default: decided by the contents]
    #[arg(long, value_name = "COLUMN[=FORM]", help_heading = "Data", value_parser = date)]
    pub date: Vec<(String, Option<DateFormat>)>,
    /// Columns to keep that would be left out because they seem to name rows or bags
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Data")]
    pub keep: Vec<String>,
    /// The class that counts as positive and is listed last [default: the last one in order]
    #[arg(long, value_name = "VALUE", help_heading = "Data")]
    pub positive_class: Option<String>,
    /// A second file with the classes: a table of two columns, the names of bags or rows (--bag, --id) and their classes
    #[arg(long, value_name = "FILE", help_heading = "Data", conflicts_with = "target")]
    pub labels: Option<PathBuf>,
    /// The file of --labels holds one class per line and no names, in the order of the table
    #[arg(long, help_heading = "Data", requires = "labels")]
    pub labels_by_position: bool,
    /// A second table with a line for each bag: its class, and what else is known of it
    #[arg(long, value_name = "FILE", help_heading = "Data", conflicts_with = "labels")]
    pub bags: Option<PathBuf>,
    /// The column that names the bag, in DATA and in the table of --bags; A=B where it is A in DATA and B in the table of --bags [default: that of --bag]
    #[arg(
        long,
        value_name = "COLUMN",
        help_heading = "Data",
        requires = "bags",
        conflicts_with = "bag"
    )]
    pub key: Option<String>,
    /// The first line of delimited text names the columns [default: decided by the contents]
    #[arg(long, help_heading = "Data")]
    pub header: bool,
    /// The first line of delimited text is data
    #[arg(long, help_heading = "Data", conflicts_with = "header")]
    pub no_header: bool,
    /// The separator between values, such as ';' or '\t' [default: decided by the contents]
    #[arg(long, value_name = "CHAR", help_heading = "Data", value_parser = delimiter)]
    pub delimiter: Option<char>,
    /// The texts that stand for a missing value, beside an empty cell [default: ?, NA, N/A, n/a, NaN, nan, null, NULL, #N/A; among numbers and dates also -, ., none, unknown and the like, in any case]
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Data")]
    pub missing: Vec<String>,
    /// What stands before the fraction of a number: '.' or ',' [default: decided by the contents]
    #[arg(long, value_name = "CHAR", help_heading = "Data", value_parser = mark)]
    pub decimal: Option<char>,
    /// What stands between thousands, such as '.', ',' or 'space' [default: decided by the contents]
    #[arg(long, value_name = "CHAR", help_heading = "Data", value_parser = mark)]
    pub thousands: Option<char>,
    /// The encoding of the text: utf-8, utf-16le, utf-16be, windows-1252, iso-8859-1 or iso-8859-15 [default: decided by the contents]
    #[arg(long, value_name = "NAME", help_heading = "Data")]
    pub encoding: Option<Encoding>,
    /// The format, if the name and the contents are misleading: csv, tsv, arff, keel, uci or parquet
    #[arg(long, value_name = "FORMAT", help_heading = "Data", value_parser = format)]
    pub format: Option<Format>,
    /// Drop rows that repeat another row of the same bag
    #[arg(long, help_heading = "Data")]
    pub dedupe_instances: bool,
    #[command(flatten)]
    pub limits: LimitsArgs,
}

impl DataArgs {
    /// Adds the files that are read.
    pub fn files<'a>(&'a self, files: Destinations<'a>) -> Destinations<'a> {
        files.reads("the data", Some(&self.path)).reads("the labels", self.labels.as_deref())
    }

    /// An ontology has no columns: a flag about them is a mistake, and better told.
    /// Where `--id` may be somebody's name, it is none of them.
    pub fn refuse_for_ontology(&self, id_is_name: bool) -> Result<()> {
        let flags = [
            ("--target", self.target.is_some()),
            ("--bag", self.bag.is_some()),
            ("--id", self.id.is_some() && !id_is_name),
            ("--ignore", !self.ignore.is_empty()),
            ("--nominal", !self.nominal.is_empty()),
            ("--numeric", !self.numeric.is_empty()),
            ("--date", !self.date.is_empty()),
            ("--keep", !self.keep.is_empty()),
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
        if let Some((flag, _)) = flags.iter().find(|(_, typed)| *typed) {
            bail!(
                "{flag} is about the columns of a table, and {} is an ontology",
                self.path.display()
            );
        }
        Ok(())
    }

    /// What they mean.
    pub fn options(&self) -> ReadOptions {
        let choice = |typed: &Option<String>| match typed.as_deref() {
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
            .labels_by_position(self.labels_by_position)
            .dedupe_instances(self.dedupe_instances);
        options.dates.clone_from(&self.date);
        options.decimal = self.decimal;
        options.thousands = self.thousands;
        options.encoding = self.encoding;
        if let Some(file) = &self.bags {
            // Without a key the bags' column is asked for, by a name that a file is unlikely to have.
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

/// A column of dates, and perhaps their form.
fn date(text: &str) -> Result<(String, Option<DateFormat>), String> {
    match text.split_once('=') {
        None => Ok((text.to_owned(), None)),
        Some((column, form)) => {
            let form = form.parse::<DateFormat>().map_err(|error| error.to_string())?;
            Ok((column.to_owned(), Some(form)))
        }
    }
}

/// A mark in numbers.
fn mark(text: &str) -> Result<char, String> {
    match text {
        "space" | " " | "\u{a0}" | "\u{202f}" => Ok(' '),
        "," => Ok(','),
        "." => Ok('.'),
        "'" | "’" => Ok('\''),
        "_" => Ok('_'),
        _ => Err("allowed are '.', ',', an apostrophe, '_' and 'space'".to_owned()),
    }
}

pub(crate) fn delimiter(text: &str) -> Result<char, String> {
    let mut letters = text.chars();
    match (text, letters.next(), letters.next()) {
        ("\\t" | "tab", ..) => Ok('\t'),
        ("space", ..) => Ok(' '),
        (_, Some(letter), None) if letter.is_ascii() => Ok(letter),
        _ => Err("allowed are one character, '\\t', 'tab' and 'space'".to_owned()),
    }
}

fn format(text: &str) -> Result<Format, String> {
    match text {
        "csv" | "tsv" => Ok(Format::Delimited),
        "arff" => Ok(Format::Arff),
        "keel" => Ok(Format::Keel),
        "uci" => Ok(Format::Uci),
        "parquet" => Ok(Format::Parquet),
        _ => Err("allowed are csv, tsv, arff, keel, uci and parquet".to_owned()),
    }
}
