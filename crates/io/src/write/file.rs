//! Writes files in the format of their extension.
//!
//! `people.csv.gz` is compressed CSV, `people.arff` is ARFF, and `animals.cxt` is a Burmeister context.

use std::fmt;
use std::io::{BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{
    WriteError, write_arff, write_context_csv, write_csv, write_cxt, write_dat, write_keel,
    write_pairs, write_tsv,
};
use crate::context::ContextFormat;
use crate::source::path::stem_and_extension;
use pellucid_data::{Context, Dataset};
use pellucid_files::Replacement;

/// The formats in which a table can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableFormat {
    /// Values separated by commas.
    Csv,
    /// Values separated by tabs.
    Tsv,
    /// KEEL's `.dat`.
    Keel,
    /// WEKA's ARFF.
    Arff,
    /// Apache Parquet.
    Parquet,
}

/// The format and the compression that the extension of a file selects.
///
/// ```
/// use pellucid_io::{FileForm, TableFormat};
/// let form = FileForm::<TableFormat>::of("people.tsv.gz".as_ref())?;
/// assert_eq!((form.format, form.gzip), (TableFormat::Tsv, true));
/// assert!(FileForm::<TableFormat>::of("people.xls".as_ref()).is_err());
/// # Ok::<(), pellucid_io::WriteError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileForm<F> {
    /// The format.
    pub format: F,
    /// Whether the name ends with `.gz`.
    pub gzip: bool,
}

impl FileForm<TableFormat> {
    /// Returns the format of a table: `.csv`, `.tsv`, `.dat` (KEEL), `.arff`, each also with `.gz`,
    /// or `.parquet`.
    ///
    /// # Errors
    /// Fails for any other extension.
    pub fn of(path: &Path) -> Result<Self, WriteError> {
        let (ending, gzip) = ending(path);
        let format = match ending.as_str() {
            "csv" => TableFormat::Csv,
            "tsv" => TableFormat::Tsv,
            "dat" => TableFormat::Keel,
            "arff" => TableFormat::Arff,
            "parquet" if !gzip => TableFormat::Parquet,
            _ => {
                return unknown(path, ".csv, .tsv, .dat, .arff (each also with .gz), .parquet");
            }
        };
        Ok(Self { format, gzip })
    }

    /// Writes a data set in this format.
    ///
    /// # Errors
    /// Fails if writing fails or the format cannot represent the data.
    pub fn write(self, data: &Dataset, out: impl Write + Send) -> Result<(), WriteError> {
        self.through(out, |out| self.format.write(data, out))
    }
}

impl FileForm<ContextFormat> {
    /// Returns the format of a formal context: `.cxt` (Burmeister), `.dat` (FIMI), `.csv`, `.pairs`
    /// or `.mdg`, each also with `.gz`.
    ///
    /// # Errors
    /// Fails for any other extension.
    pub fn of(path: &Path) -> Result<Self, WriteError> {
        let (ending, gzip) = ending(path);
        let format = match ending.as_str() {
            "cxt" => ContextFormat::Burmeister,
            "dat" => ContextFormat::Fimi,
            "csv" => ContextFormat::CrossTable,
            "pairs" | "mdg" => ContextFormat::Pairs,
            _ => {
                return unknown(path, ".cxt, .dat, .csv, .pairs, .mdg (each also with .gz)");
            }
        };
        Ok(Self { format, gzip })
    }

    /// Writes a context in this format.
    ///
    /// # Errors
    /// Fails if writing fails or the format cannot represent the context.
    pub fn write(self, context: &Context, out: impl Write + Send) -> Result<(), WriteError> {
        self.through(out, |out| self.format.write(context, out))
    }
}

impl<F> FileForm<F> {
    /// Calls `write` with an output that compresses if the format asks for it.
    fn through(
        &self,
        mut out: impl Write + Send,
        write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        if self.gzip {
            let mut zipper = GzEncoder::new(&mut out, Compression::default());
            write(&mut zipper)?;
            zipper.finish()?;
        } else {
            write(&mut out)?;
        }
        Ok(out.flush()?)
    }
}

impl TableFormat {
    /// Writes a data set in this format.
    ///
    /// # Errors
    /// Fails if writing fails or the format cannot represent the data.
    pub fn write(self, data: &Dataset, out: impl Write + Send) -> Result<(), WriteError> {
        match self {
            Self::Csv => write_csv(data, out),
            Self::Tsv => write_tsv(data, out),
            Self::Keel => write_keel(data, out),
            Self::Arff => write_arff(data, out),
            Self::Parquet => parquet(data, out),
        }
    }
}

#[cfg(feature = "parquet")]
fn parquet(data: &Dataset, out: impl Write + Send) -> Result<(), WriteError> {
    super::write_parquet(data, out)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Dataset, _: impl Write + Send) -> Result<(), WriteError> {
    let missing = "this build does not support Parquet; rebuild with the feature 'parquet'";
    Err(WriteError::Parquet(missing.to_owned()))
}

impl ContextFormat {
    /// Writes a context in this format.
    ///
    /// # Errors
    /// Fails if writing fails or the format cannot represent the context.
    pub fn write(self, context: &Context, out: impl Write) -> Result<(), WriteError> {
        match self {
            Self::Burmeister => write_cxt(context, out),
            Self::Fimi => write_dat(context, out),
            Self::CrossTable => write_context_csv(context, out),
            Self::Pairs => write_pairs(context, out),
        }
    }
}

/// Writes a data set to a file in the format of its extension: see [`FileForm`]. An existing file is replaced
/// atomically.
///
/// # Errors
/// Names the file and the reason.
pub fn write(data: &Dataset, path: &Path) -> Result<(), WriteError> {
    let form = FileForm::<TableFormat>::of(path)?;
    data.check().map_err(|error| WriteError::Inconsistent(error).in_file(path))?;
    in_place_of(path, |out| form.write(data, out))
}

/// Writes a context to a file in the format of its extension: see [`FileForm`]. An existing file is replaced
/// atomically.
///
/// # Errors
/// Names the file and the reason.
pub fn write_context(context: &Context, path: &Path) -> Result<(), WriteError> {
    let form = FileForm::<ContextFormat>::of(path)?;
    in_place_of(path, |out| form.write(context, out))
}

fn in_place_of(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<Replacement>) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let whole = || {
        let mut out = BufWriter::with_capacity(1 << 18, Replacement::begin(path)?);
        write(&mut out)?;
        Ok(out.into_inner().map_err(|error| error.into_error())?.finish()?)
    };
    whole().map_err(|error: WriteError| error.in_file(path))
}

/// Returns the lower-case extension of a name, and whether `.gz` follows it. Zstandard is not written.
fn ending(path: &Path) -> (String, bool) {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zst")) {
        return ("zst".to_owned(), false);
    }
    let gzip = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    (stem_and_extension(&path.display().to_string()).1, gzip)
}

fn unknown<F>(path: &Path, written: impl fmt::Display) -> Result<FileForm<F>, WriteError> {
    let file = path.display();
    Err(WriteError::Ending(format!(
        "{file}: cannot write files with this extension; expected one of {written}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_selects_the_format() {
        let form = |name: &str| {
            let form = FileForm::<TableFormat>::of(name.as_ref()).ok()?;
            Some((form.format, form.gzip))
        };
        assert_eq!(form("a.csv"), Some((TableFormat::Csv, false)));
        assert_eq!(form("a.b/c.TSV.gz"), Some((TableFormat::Tsv, true)));
        assert_eq!(form("a.dat"), Some((TableFormat::Keel, false)));
        assert_eq!(form("a.arff.gz"), Some((TableFormat::Arff, true)));
        assert_eq!(form("a.parquet"), Some((TableFormat::Parquet, false)));
        for wrong in ["a", "a.gz", "a.parquet.gz", "a.csv.zst", "a.xls", ""] {
            assert_eq!(form(wrong), None, "{wrong}");
        }
        let form =
            |name: &str| FileForm::<ContextFormat>::of(name.as_ref()).map(|form| form.format);
        assert_eq!(form("a.dat.gz").ok(), Some(ContextFormat::Fimi));
        assert_eq!(form("a.MDG").ok(), Some(ContextFormat::Pairs));
        assert_eq!(
            form("a.xls").unwrap_err().to_string(),
            "a.xls: cannot write files with this extension; \
             expected one of .cxt, .dat, .csv, .pairs, .mdg (each also with .gz)"
        );
    }
}
