use super::Common;
use clap::{Args, ValueEnum};

/// The flags of `pellucid-bench logic`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Worlds are generated in memory: concepts that half of all individuals belong
to, drawn at random, and roles with the paper's two layouts, all assertions of
one subject and one assertion per subject. All individuals are examples, each
positive or negative at random, and both are counted; that is more than the
paper's operators do, which leave a byte for each individual. Every answer is
computed afresh; concepts stay where they are.

In the paper's single-subject sets all values are the same. To us the same
assertion is one however often it is said, so those rows ask about a single
assertion; 'many values' has as many assertions as the paper says.

'own' are rows of our own: objects drawn at random, few subjects with most
assertions, 512 restrictions asked together, values that all differ.

The fastest of several rounds counts, by the clock and, where the system reports
it, by the processor time of all threads together. With --threads 1 rates and
ratios use the latter, which a busy machine disturbs less.

Examples:
  pellucid-bench logic --threads 1
  pellucid-bench logic --tables vi,own --device cuda:0
  pellucid-bench logic --quick --json")]
pub(crate) struct LogicArgs {
    /// The paper's tables, and our own rows [default: all]
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    pub(crate) tables: Vec<LogicTable>,
    /// Small sizes only, to see that everything works
    #[arg(long)]
    pub(crate) quick: bool,
    /// Seconds spent on each figure; the fastest round counts
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
    /// Numbers and texts
    V,
    /// Whole hypotheses
    Vi,
    /// Rows that the paper does not have
    Own,
}

impl LogicTable {
    /// The name as the paper writes it.
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
