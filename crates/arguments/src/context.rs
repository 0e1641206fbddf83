use super::LimitsArgs;
use clap::{Args, ValueEnum};
use pellucid::concepts::scale::{Missing, Scaling};
use pellucid::contexts::{ContextRecipe, Simplify};
use pellucid::io::{Choice, ContextFormat, ContextOptions, Header, ReadOptions};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Which context, and what becomes of it before anything is asked. The same flags for all that work on contexts.
#[derive(Debug, Args)]
pub struct ContextArgs {
    /// The context: Burmeister .cxt, FIMI .dat, .csv with a cell for every pair, .pairs or .mdg with one FROM TO per line, each also as .gz; '-' reads standard input. With --scale, any table: CSV, TSV, KEEL .dat, .arff, .parquet
    #[arg(value_name = "CONTEXT")]
    pub path: PathBuf,
    /// The format, if the name and the contents are misleading
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        help_heading = "Context",
        conflicts_with = "scale"
    )]
    pub from: Option<FromArg>,
    /// Take every pair FROM TO of a graph as TO FROM, too
    #[arg(long, help_heading = "Context", conflicts_with = "scale")]
    pub symmetric: bool,
    /// Turn a table of values into a context: 'nominal', an attribute for each value (colour=red); 'ordinal', thresholds for numbers (age<=40); 'interordinal', thresholds on both sides (age<=40, age>=20)
    #[arg(
        long,
        value_enum,
        value_name = "SCALE",
        hide_possible_values = true,
        help_heading = "Context"
    )]
    pub scale: Option<ScaleArg>,
    /// The most thresholds for a column of numbers, with about equally many rows between any two [default: every value]
    #[arg(long, value_name = "N", requires = "scale", help_heading = "Context")]
    pub cuts: Option<usize>,
    /// Give missing values an attribute of their own (colour is missing) instead of leaving them out
    #[arg(long, requires = "scale", help_heading = "Context")]
    pub missing_as_attribute: bool,
    /// The column that names the objects of a table; rows with the same name are one object [default: each row is an object]
    #[arg(long, value_name = "COLUMN", requires = "scale", help_heading = "Context")]
    pub bag: Option<String>,
    /// Columns of the table to leave out
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "A,B",
        requires = "scale",
        help_heading = "Context"
    )]
    pub ignore: Vec<String>,
    /// Columns whose numbers are codes, not quantities
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "A,B",
        requires = "scale",
        help_heading = "Context"
    )]
    pub nominal: Vec<String>,
    /// The texts that stand for a missing value, beside an empty cell [default: ?, NA, N/A, n/a, NaN, nan, null, NULL, #N/A]
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "A,B",
        requires = "scale",
        help_heading = "Context"
    )]
    pub missing: Vec<String>,
    /// The first line of delimited text holds names [default: decided by the contents]
    #[arg(long, help_heading = "Context")]
    pub header: bool,
    /// The first line of delimited text holds no names
    #[arg(long, help_heading = "Context", conflicts_with = "header")]
    pub no_header: bool,
    /// The separator between cells, such as ';' or '\t' [default: decided by the contents]
    #[arg(long, value_name = "CHAR", help_heading = "Context", value_parser = super::data::delimiter)]
    pub delimiter: Option<char>,
    /// Swap objects and attributes
    #[arg(long, help_heading = "Context")]
    pub transpose: bool,
    /// Merge objects with equal rows, and attributes with equal columns; support then counts what is left
    #[arg(long, help_heading = "Context")]
    pub clarify: bool,
    /// Also leave out objects and attributes that are intersections of others; the lattice keeps its shape
    #[arg(long, help_heading = "Context")]
    pub reduce: bool,
    /// Write the resulting context; the ending of the name chooses the format: .cxt .dat .csv .pairs .mdg, each also with .gz; '-' writes .cxt to standard output
    #[arg(long, value_name = "FILE|-", help_heading = "Context")]
    pub write: Option<PathBuf>,
    /// The most crosses that a scaled table may have [default: 268435456]
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
    /// Burmeister: names, and a row of X and . per object
    Cxt,
    /// FIMI: one line of attribute numbers per object
    Dat,
    /// A table with a cell for every pair
    Csv,
    /// A graph: one FROM TO per line
    Pairs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScaleArg {
    /// An attribute for each value
    Nominal,
    /// Numbers by upper thresholds
    Ordinal,
    /// Numbers by upper and lower thresholds
    Interordinal,
}

impl ContextArgs {
    /// How the file becomes a context, read on so many threads.
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

    /// How a context is read.
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

    /// How a table of values is read: all columns alike, as nothing is to be predicted.
    fn table_options(&self) -> ReadOptions {
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

    /// How a table of values becomes a context, if it does.
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
