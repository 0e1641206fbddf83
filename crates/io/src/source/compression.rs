//! Compressed files, which are recognized by their first bytes: gzip and Zstandard.

use crate::source::error::ReadProblem;
use std::io;

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    /// The number of bytes that identify a compression.
    pub(crate) const MAGIC_BYTES: usize = 4;
    /// The extensions of compressed files.
    pub(crate) const EXTENSIONS: [&str; 2] = [".gz", ".zst"];

    const GZIP: [u8; 2] = [0x1f, 0x8b];
    const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

    /// Returns the compression of a file by its first bytes.
    pub(crate) fn of(first: &[u8]) -> Option<Compression> {
        if first.starts_with(&Self::GZIP) {
            Some(Self::Gzip)
        } else if first.starts_with(&Self::ZSTD) {
            Some(Self::Zstd)
        } else {
            None
        }
    }

    /// Returns the problem that an error of the decoder means.
    pub(crate) fn problem(this: Option<Self>, error: io::Error) -> ReadProblem {
        let is_end = error.kind() == io::ErrorKind::UnexpectedEof;
        let is_invalid =
            matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData);
        match this {
            Some(Self::Gzip) if is_end => ReadProblem::GzipTruncated,
            Some(Self::Gzip) if is_invalid => ReadProblem::GzipDamaged(error.to_string()),
            Some(Self::Zstd) if is_end => ReadProblem::ZstdTruncated,
            // The library reports damaged data as another error without an error number.
            Some(Self::Zstd) if error.raw_os_error().is_none() => {
                ReadProblem::ZstdDamaged(error.to_string())
            }
            _ => ReadProblem::Io(error),
        }
    }
}
