//! The page headers of a column chunk, with the compressed and uncompressed size of each page. The
//! library allocates that much memory before it reads a page, so the sizes are checked against the
//! chunk and the limits first.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;

use super::inconsistent;
use super::thrift::{INT32, STRUCT, ThriftCursor};
use crate::source::error::ReadProblem;
use crate::source::options::Limits;

/// The number of bytes to read first; a header with long texts in its statistics is longer.
const FIRST_READ: u64 = 1 << 10;

/// The maximum length of a header.
const LONGEST: u64 = 16 << 20;

/// The sizes in a page header.
#[derive(Debug, Default)]
struct Sizes {
    head: u64,
    packed: i64,
    unpacked: i64,
    values: i64,
}

/// Checks all pages in a byte range of a file.
pub(super) fn check(
    file: &File,
    (start, end): (u64, u64),
    codec: Compression,
    limits: &Limits,
) -> Result<(), ReadProblem> {
    let mut file = BufReader::with_capacity(1 << 13, file);
    let mut at = start;
    while at < end {
        let sizes = head(&mut file, at, end)?.ok_or_else(inconsistent)?;
        let size = |size: i64| u64::try_from(size).map_err(|_| inconsistent());
        let (packed, unpacked, _) =
            (size(sizes.packed)?, size(sizes.unpacked)?, size(sizes.values)?);
        let body = at + sizes.head;
        at = body.checked_add(packed).filter(|&next| next <= end).ok_or_else(inconsistent)?;
        let expands = |bytes: u64| {
            bytes > Limits::EXPANSION_FREE_BYTES && bytes / limits.max_expansion.max(1) > packed
        };
        if expands(unpacked) {
            return Err(ReadProblem::Expands { limit: limits.max_expansion });
        }
        // The library decompresses gzip to its end, whatever the header says. Deflate grows at most
        // 1,032-fold.
        if matches!(codec, Compression::GZIP(_)) && expands(packed.saturating_mul(1032)) {
            file.seek(SeekFrom::Start(body)).map_err(ReadProblem::Io)?;
            let mut rest = MultiGzDecoder::new((&mut file).take(packed)).take(unpacked + 1);
            let grown = std::io::copy(&mut rest, &mut std::io::sink());
            // The library reports data that cannot be decompressed.
            if grown.is_ok_and(|grown| grown > unpacked) {
                return Err(inconsistent());
            }
        }
    }
    Ok(())
}

/// Parses the page header at an offset; returns `None` if it does not end before the chunk does.
fn head(file: &mut BufReader<&File>, at: u64, end: u64) -> Result<Option<Sizes>, ReadProblem> {
    let mut most = FIRST_READ;
    loop {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(at)).map_err(ReadProblem::Io)?;
        let mut reader = file.take(most.min(end - at));
        reader.read_to_end(&mut bytes).map_err(ReadProblem::Io)?;
        match sizes(&bytes) {
            None if most < end - at && most < LONGEST => most *= 16,
            found => return Ok(found),
        }
    }
}

fn sizes(bytes: &[u8]) -> Option<Sizes> {
    const UNPACKED: i64 = 2;
    const PACKED: i64 = 3;
    const HEADS: [i64; 3] = [5, 7, 8];
    let mut sizes = Sizes::default();
    let mut cursor = ThriftCursor::new(bytes);
    cursor.fields(|cursor, field, kind| {
        match (field, kind) {
            (UNPACKED, INT32) => sizes.unpacked = cursor.integer()?,
            (PACKED, INT32) => sizes.packed = cursor.integer()?,
            // The first field of each kind of page is the number of its values.
            (sort, STRUCT) if HEADS.contains(&sort) => cursor.fields(|cursor, field, kind| {
                let is_count = field == 1 && kind == INT32;
                if is_count {
                    sizes.values = cursor.integer()?;
                }
                Some(is_count)
            })?,
            _ => return Some(false),
        }
        Some(true)
    })?;
    sizes.head = cursor.at as u64;
    Some(sizes)
}
