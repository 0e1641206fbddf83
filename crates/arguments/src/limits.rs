use clap::Args;
use pellucid::io::Limits;

/// Bounds that keep a hostile or mistaken file from filling the memory.
#[derive(Debug, Args)]
pub struct LimitsArgs {
    /// The most bytes read from a file, after decompression [default: 16 GiB]
    #[arg(long, value_name = "BYTES", help_heading = "Limits", hide_short_help = true)]
    pub max_bytes: Option<u64>,
    /// The longest line of a text file, in bytes [default: 64 MiB]
    #[arg(long, value_name = "BYTES", help_heading = "Limits", hide_short_help = true)]
    pub max_line_bytes: Option<usize>,
    /// How many times its size a .gz file may grow when decompressed [default: 400]
    #[arg(long, value_name = "TIMES", help_heading = "Limits", hide_short_help = true)]
    pub max_expansion: Option<u64>,
    /// The most columns of a table [default: 300000]
    #[arg(long, value_name = "N", help_heading = "Limits", hide_short_help = true)]
    pub max_columns: Option<usize>,
}

impl LimitsArgs {
    /// The limits they set, and the usual ones otherwise.
    pub fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            max_bytes: self.max_bytes.unwrap_or(usual.max_bytes),
            max_line_bytes: self.max_line_bytes.unwrap_or(usual.max_line_bytes),
            max_expansion: self.max_expansion.unwrap_or(usual.max_expansion),
            max_columns: self.max_columns.unwrap_or(usual.max_columns),
        }
    }
}
