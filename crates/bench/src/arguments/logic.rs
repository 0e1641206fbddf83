use super::Common;
use clap::{Args, ValueEnum};

/// The arguments of `pellucid-bench logic`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Knowledge bases are generated in memory. Each concept contains a random half of
the individuals. Roles have the two layouts of the paper: all assertions with
one subject, and one assertion per subject. All individuals are examples, each
positive or negative at random, and both are counted. The operators of the paper
do less: they leave one byte per individual. Every result is computed again, but
concepts stay in device memory.

In the single-subject sets of the paper all values are equal. Pellucid stores
equal assertions once, so those rows have a single assertion. 'many values' has
the number of assertions that the paper states.

'own' adds measurements that the paper does not have: random objects, few
subjects with most of the assertions, 512 restrictions in one batch, and
distinct values.

The fastest of several rounds is reported, in wall-clock time and, where the
system provides it, in CPU time of all threads. With --threads 1, rates and
ratios use CPU time, which is less sensitive to other load.

Examples:
  pellucid-bench logic --threads 1
  pellucid-bench logic --tables vi,own --device cuda:0
  pellucid-bench logic --quick --json")]
pub(crate) struct LogicArgs {
    /// Tables of the paper to repeat, or 'own' [default: all]
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    pub(crate) tables: Vec<LogicTable>,
    /// Use small sizes only, as a smoke test
    #[arg(long)]
    pub(crate) quick: bool,
    /// Seconds to spend on each measurement; the fastest round is reported
    #[arg(long, value_name = "S", default_value_t = 0.25)]
    pub(crate) seconds: f64,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// A table of the description-logic paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogicTable {
    /// Conjunctions and disjunctions
    Ii,
    /// `some` and `only`
    Iii,
    /// `min` and `max`
    Iv,
    /// Numeric and text values
    V,
    /// Complete hypotheses
    Vi,
    /// Measurements that the paper does not have
    Own,
}

impl LogicTable {
    /// Returns the name of the table in the paper.
    pub(crate) fn name(self) -> &'static str {
        match self {
            LogicTable::Ii => "II",
            LogicTable::Iii => "III",
            LogicTable::Iv => "IV",
            LogicTable::V => "V",
            LogicTable::Vi => "VI",
            LogicTable::Own => "own",
        }
    }
}
