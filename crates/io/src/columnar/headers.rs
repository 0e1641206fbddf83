//! The heads of a column chunk's pages: how large each is, and how large it becomes. The library asks for that much memory
//! before it looks at the page, so the sizes are held against the chunk and the limits first.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;

use super::beyond;
use super::thrift::{INT32, STRUCT, Walk};
use crate::error::ReadProblem;
use crate::options::Limits;

/// How many bytes are looked at first; a head with long texts in its statistics is longer.
const GLANCE: u64 = 1 << 10;

/// The longest head that is read.
const LONGEST: u64 = 16 << 20;

/// What a head says of its page.
#[derive(Debug, Default)]
struct Sizes {
    head: u64,
    packed: i64,
    unpacked: i64,
    values: i64,
}

/// Looks at all pages between two places of a file.
pub(super) fn check(
    file: &File,
    (start, end): (u64, u64),
    codec: Compression,
    limits: &Limits,
) -> Result<(), ReadProblem> {
    let mut file = BufReader::with_capacity(1 << 13, file);
    let mut at = start;
    while at < end {
        let sizes = head(&mut file, at, end)?.ok_or_else(beyond)?;
        let size = |size: i64| u64::try_from(size).map_err(|_| beyond());
        let (packed, unpacked, _) =
            (size(sizes.packed)?, size(sizes.unpacked)?, size(sizes.values)?);
        let body = at + sizes.head;
        at = body.checked_add(packed).filter(|&next| next <= end).ok_or_else(beyond)?;
        let expands = |bytes: u64| {
            bytes > Limits::EXPANSION_FREE_BYTES && bytes / limits.max_expansion.max(1) > packed
        };
        if expands(unpacked) {
            return Err(ReadProblem::Expands { limit: limits.max_expansion });
        }
        // Of all codecs this one is unpacked to its end, whatever the head says; deflate grows by 1,032 at the most.
        if matches!(codec, Compression::GZIP(_)) && expands(packed.saturating_mul(1032)) {
            file.seek(SeekFrom::Start(body)).map_err(ReadProblem::Io)?;
            let mut rest = MultiGzDecoder::new((&mut file).take(packed)).take(unpacked + 1);
            let grown = std::io::copy(&mut rest, &mut std::io::sink());
            // What cannot be unpacked is for the library to tell.
            if grown.is_ok_and(|grown| grown > unpacked) {
                return Err(beyond());
            }
        }
    }
    Ok(())
}

/// The head of the page at a place; none if it does not end before the chunk does.
fn head(file: &mut BufReader<&File>, at: u64, end: u64) -> Result<Option<Sizes>, ReadProblem> {
    let mut most = GLANCE;
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
    let mut walk = Walk::new(bytes);
    walk.fields(|walk, field, kind| {
        match (field, kind) {
            (UNPACKED, INT32) => sizes.unpacked = walk.integer()?,
            (PACKED, INT32) => sizes.packed = walk.integer()?,
            // Of each sort of page the first thing said is how many values it has.
            (sort, STRUCT) if HEADS.contains(&sort) => walk.fields(|walk, field, kind| {
                let is_count = field == 1 && kind == INT32;
                if is_count {
                    sizes.values = walk.integer()?;
                }
                Some(is_count)
            })?,
            _ => return Some(false),
        }
        Some(true)
    })?;
    sizes.head = walk.at as u64;
    Some(sizes)
}
