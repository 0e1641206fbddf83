use super::{ContextArgs, MinSupport, run::time};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Without --rules it lists the canonical base (Duquenne and Guigues): the fewest
implications from which all others follow. 'milk -> hair (support 12)' says
that whatever gives milk has hair, and that 12 objects give milk. One with
support 0 says that no object has all of its premise; --min-support 1 leaves
those out.

With --rules it also lists what nearly always follows: of the objects that have
the premise, a certain share, the confidence, also has the conclusion. By
default these are the rules between neighbouring concepts, from which all others
can be derived; --generic lists rules with the shortest premises instead.

Examples:
  pellucid implications animals.cxt
  pellucid implications animals.cxt --format csv --out base.csv
  pellucid implications baskets.dat --rules --min-support 1% --min-confidence 0.9
  pellucid implications zoo.csv --scale nominal --ignore name --rules --generic --longest-premise 2 --sort lift --max 20")]
pub struct ImplicationsArgs {
    #[command(flatten)]
    pub context: ContextArgs,
    /// Also list rules that have exceptions
    #[arg(long)]
    pub rules: bool,
    /// Only what at least this many objects have: a number, or a part of all such as 5% or 0.05; at least 1 with --rules
    #[arg(long, value_name = "N|P%", default_value = "0", hide_default_value = true)]
    pub min_support: MinSupport,
    /// The lowest confidence of a rule, 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", requires = "rules", value_parser = share)]
    pub min_confidence: Option<f64>,
    /// List rules with the shortest premises and the longest conclusions; there are more of them
    #[arg(long, requires = "rules")]
    pub generic: bool,
    /// The most attributes in a rule's premise
    #[arg(long, value_name = "N", requires = "rules")]
    pub longest_premise: Option<usize>,
    /// The order of the rules [default: confidence]
    #[arg(long, value_enum, value_name = "BY", requires = "rules")]
    pub sort: Option<SortRules>,
    /// List at most this many: of rules the first in order, of the base any
    #[arg(long, value_name = "N")]
    pub max: Option<u64>,
    /// Stop after this time and keep what was found: seconds, or a number with a unit, as in 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
    /// The output file; '-' is standard output
    #[arg(long, short, default_value = "-", hide_default_value = true, value_name = "FILE|-")]
    pub out: PathBuf,
    /// The output format
    #[arg(long, value_enum, default_value_t = ImplicationsFormat::Text, value_name = "FORMAT")]
    pub format: ImplicationsFormat,
    /// End with a summary object: implications, rules, seconds, why it stopped
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SortRules {
    /// The fewest exceptions first
    Confidence,
    /// The most objects first
    Support,
    /// The most surprising first
    Lift,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImplicationsFormat {
    /// Lines for people
    Text,
    /// One object per line
    Json,
    /// A table with a header
    Csv,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "allowed are 0 to 1".to_owned())
}
