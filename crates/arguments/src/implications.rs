use super::{ContextArgs, MinSupport, run::time};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Lists the canonical base (Duquenne and Guigues), the smallest set of
implications from which all others follow. 'milk -> hair (support 12)' means
that every object with 'milk' has 'hair', and that 12 objects have 'milk'. If
the support is 0, no object has all attributes of the premise; --min-support 1
excludes those implications.

With --rules, also lists association rules. The confidence of a rule is the
share of the objects with the premise that also have the conclusion. By default
these are the rules between neighboring concepts, from which all others can be
derived. --generic lists rules with minimal premises instead.

Examples:
  pellucid implications animals.cxt
  pellucid implications animals.cxt --format csv --out base.csv
  pellucid implications baskets.dat --rules --min-support 1% --min-confidence 0.9
  pellucid implications zoo.csv --scale nominal --ignore name \\
      --rules --generic --longest-premise 2 --sort lift --max 20")]
pub struct ImplicationsArgs {
    #[command(flatten)]
    pub context: ContextArgs,
    /// Also list association rules, which may have exceptions
    #[arg(long)]
    pub rules: bool,
    /// Minimum number of objects: a count, or a share such as 5% or 0.05
    ///
    /// With --rules, at least 1.
    #[arg(long, value_name = "N|P%", default_value = "0", hide_default_value = true)]
    pub min_support: MinSupport,
    /// Minimum confidence of a rule, from 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", requires = "rules", value_parser = share)]
    pub min_confidence: Option<f64>,
    /// List rules with minimal premises and maximal conclusions; there are more of them
    #[arg(long, requires = "rules")]
    pub generic: bool,
    /// Maximum number of attributes in the premise of a rule
    #[arg(long, value_name = "N", requires = "rules")]
    pub longest_premise: Option<usize>,
    /// Order of the rules [default: confidence]
    #[arg(long, value_enum, value_name = "BY", requires = "rules")]
    pub sort: Option<SortRules>,
    /// List at most this many implications and rules
    ///
    /// Rules are cut off in the order of --sort, implications in no particular order.
    #[arg(long, value_name = "N")]
    pub max: Option<u64>,
    /// Stop after this time and keep the results so far (seconds, or with a unit: 90s, 10m, 2h)
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
    /// Output file ('-' for standard output)
    #[arg(long, short, default_value = "-", hide_default_value = true, value_name = "FILE|-")]
    pub out: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = ImplicationsFormat::Text, value_name = "FORMAT")]
    pub format: ImplicationsFormat,
    /// Append a summary object: implications, rules, seconds, stop reason
    #[arg(long)]
    pub json: bool,
    /// Suppress all messages except errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SortRules {
    /// Fewest exceptions first
    Confidence,
    /// Most objects first
    Support,
    /// Highest lift first
    Lift,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImplicationsFormat {
    /// Human-readable lines
    Text,
    /// One JSON object per line
    Json,
    /// CSV with a header
    Csv,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
