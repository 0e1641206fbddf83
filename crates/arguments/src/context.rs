use super::LimitsArgs;
use clap::{Args, ValueEnum};
use pellucid::concepts::scale::{Missing, Scaling};
use pellucid::contexts::{ContextRecipe, Simplify};
use pellucid::io::{Choice, ContextFormat, ContextOptions, Header, ReadOptions};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The context to read and how to transform it. All commands on contexts share these flags.
#[derive(Debug, Args)]
pub struct ContextArgs {
    /// Context to read ('-' for standard input)
    ///
    /// Burmeister .cxt, FIMI .dat, .csv with a cell for every pair, or .pairs or .mdg with one
    /// FROM TO per line, each also with .gz. With --scale, any table: CSV, TSV, KEEL .dat, .arff
    /// or .parquet.
    #[arg(value_name = "CONTEXT")]
    pub path: PathBuf,
    /// Input format [default: detected from the file]
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        help_heading = "Context",
        conflicts_with = "scale"
    )]
    pub from: Option<FromArg>,
    /// Treat the graph as undirected: FROM TO implies TO FROM
    #[arg(long, help_heading = "Context", conflicts_with = "scale")]
    pub symmetric: bool,
    /// Convert a table of values to a context: nominal, ordinal or interordinal
    ///
    /// 'nominal' makes an attribute of each value (colour=red), 'ordinal' of upper thresholds of
    /// numbers (age<=40), 'interordinal' of upper and lower thresholds (age<=40, age>=20).
    #[arg(
        long,
        value_enum,
        value_name = "SCALE",
        hide_possible_values = true,
        group = "values",
        help_heading = "Context"
    )]
    pub scale: Option<ScaleArg>,
    /// Maximum number of thresholds per numeric column [default: every value]
    ///
    /// The thresholds are quantiles: about the same number of rows lies between any two.
    #[arg(long, value_name = "N", requires = "scale", help_heading = "Context")]
    pub cuts: Option<usize>,
    /// Make an attribute of missing values (colour is missing)
    #[arg(long, requires = "scale", help_heading = "Context")]
    pub missing_as_attribute: bool,
    /// Column that names the objects of a table [default: each row is an object]
    ///
    /// Rows with the same name become one object.
    #[arg(long, value_name = "COLUMN", requires = "values", help_heading = "Context")]
    pub bag: Option<String>,
    /// Columns to exclude
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "A,B",
        requires = "values",
        help_heading = "Context"
    )]
    pub ignore: Vec<String>,
    /// Columns to treat as categories even if their values are numbers
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "A,B",
        requires = "values",
        help_heading = "Context"
    )]
    pub nominal: Vec<String>,
    /// Texts that mean a missing value, in addition to an empty cell
    ///
    /// [default: ?, NA, N/A, n/a, NaN, nan, null, NULL, #N/A]
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "A,B",
        requires = "values",
        help_heading = "Context"
    )]
    pub missing: Vec<String>,
    /// Treat the first line as names [default: detected]
    #[arg(long, help_heading = "Context")]
    pub header: bool,
    /// Treat the first line as data
    #[arg(long, help_heading = "Context", conflicts_with = "header")]
    pub no_header: bool,
    /// Field separator, for example ';' or '\t' [default: detected]
    #[arg(long, value_name = "CHAR", help_heading = "Context", value_parser = super::data::delimiter)]
    pub delimiter: Option<char>,
    /// Swap objects and attributes
    #[arg(long, help_heading = "Context")]
    pub transpose: bool,
    /// Merge objects with equal rows and attributes with equal columns
    ///
    /// Support then counts merged objects.
    #[arg(long, help_heading = "Context")]
    pub clarify: bool,
    /// Also remove objects and attributes that are intersections of others
    ///
    /// The lattice keeps its shape.
    #[arg(long, help_heading = "Context")]
    pub reduce: bool,
    /// Write the resulting context to a file ('-' for standard output, as .cxt)
    ///
    /// The extension selects the format: .cxt, .dat, .csv, .pairs or .mdg, each also with .gz.
    #[arg(long, value_name = "FILE|-", help_heading = "Context")]
    pub write: Option<PathBuf>,
    /// Maximum number of crosses of a scaled table [default: 268435456]
    #[arg(
        long,
        value_name = "N",
        requires = "scale",
        help_heading = "Limits",
        hide_short_help = true
    )]
    pub max_crosses: Option<u64>,
    #[command(flatten)]
    pub limits: LimitsArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FromArg {
    /// Burmeister: names, then a row of X and . per object
    Cxt,
    /// FIMI: one line of attribute numbers per object
    Dat,
    /// Table with a cell for every pair
    Csv,
    /// Graph: one FROM TO per line
    Pairs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScaleArg {
    /// One attribute per value
    Nominal,
    /// Upper thresholds of numbers
    Ordinal,
    /// Upper and lower thresholds of numbers
    Interordinal,
}

impl ContextArgs {
    /// Returns how to turn the file into a context, reading it on `threads` threads.
    pub fn recipe(&self, threads: Option<NonZeroUsize>) -> ContextRecipe {
        let mut table = self.table_options();
        table.threads = threads;
        ContextRecipe {
            context: self.context_options(),
            table,
            scaling: self.scaling(),
            transpose: self.transpose,
            simplify: match (self.reduce, self.clarify) {
                (true, _) => Some(Simplify::Reduce),
                (false, true) => Some(Simplify::Clarify),
                (false, false) => None,
            },
        }
    }

    /// Returns the options for reading a context.
    fn context_options(&self) -> ContextOptions {
        let mut options = ContextOptions::default().symmetric(self.symmetric).header(self.headed());
        options.delimiter = self.delimiter;
        options.limits = self.limits.limits();
        options.format = self.from.map(|form| match form {
            FromArg::Cxt => ContextFormat::Burmeister,
            FromArg::Dat => ContextFormat::Fimi,
            FromArg::Csv => ContextFormat::CrossTable,
            FromArg::Pairs => ContextFormat::Pairs,
        });
        options
    }

    /// Returns the options for reading a table of values, without a target column.
    pub fn table_options(&self) -> ReadOptions {
        let bag = self.bag.as_ref().map_or(Choice::Auto, |column| Choice::Column(column.clone()));
        let mut options = ContextRecipe::default()
            .table
            .bag(bag)
            .ignore(self.ignore.clone())
            .nominal(self.nominal.clone())
            .header(self.headed());
        options.delimiter = self.delimiter;
        options.limits = self.limits.limits();
        if !self.missing.is_empty() {
            options = options.missing(self.missing.clone());
        }
        options
    }

    /// Returns how to scale a table of values, if `--scale` is given.
    fn scaling(&self) -> Option<Scaling> {
        let mut scaling = match self.scale? {
            ScaleArg::Nominal => Scaling::nominal(),
            ScaleArg::Ordinal => Scaling::ordinal(),
            ScaleArg::Interordinal => Scaling::interordinal(),
        };
        scaling.every.cuts = self.cuts;
        scaling.most_crosses = self.max_crosses.unwrap_or(scaling.most_crosses);
        if self.missing_as_attribute {
            scaling.every.missing = Missing::Attribute;
        }
        Some(scaling)
    }

    fn headed(&self) -> Header {
        match (self.header, self.no_header) {
            (true, _) => Header::Yes,
            (_, true) => Header::No,
            _ => Header::Auto,
        }
    }
}
