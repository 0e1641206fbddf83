use clap::Args;
use pellucid::io::Limits;

/// Limits that keep a malicious or wrong file from exhausting memory.
#[derive(Debug, Args)]
pub struct LimitsArgs {
    /// Maximum size of a file after decompression, in bytes [default: 16 GiB]
    #[arg(long, value_name = "BYTES", help_heading = "Limits", hide_short_help = true)]
    pub max_bytes: Option<u64>,
    /// Maximum length of a line of text, in bytes [default: 64 MiB]
    #[arg(long, value_name = "BYTES", help_heading = "Limits", hide_short_help = true)]
    pub max_line_bytes: Option<usize>,
    /// Maximum ratio of decompressed to compressed size of a .gz file [default: 400]
    #[arg(long, value_name = "TIMES", help_heading = "Limits", hide_short_help = true)]
    pub max_expansion: Option<u64>,
    /// Maximum number of columns of a table [default: 300000]
    #[arg(long, value_name = "N", help_heading = "Limits", hide_short_help = true)]
    pub max_columns: Option<usize>,
}

impl LimitsArgs {
    /// Returns the given limits, with defaults for the others.
    pub fn limits(&self) -> Limits {
        let defaults = Limits::default();
        Limits {
            max_bytes: self.max_bytes.unwrap_or(defaults.max_bytes),
            max_line_bytes: self.max_line_bytes.unwrap_or(defaults.max_line_bytes),
            max_expansion: self.max_expansion.unwrap_or(defaults.max_expansion),
            max_columns: self.max_columns.unwrap_or(defaults.max_columns),
        }
    }
}
