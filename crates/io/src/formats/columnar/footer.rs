//! The footer of a file, which describes it. It is checked against the file before the library reads it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};

use super::thrift::{INT32, LIST, STRUCT, ThriftCursor};
use super::{inconsistent, invalid};
use crate::source::error::ReadProblem;
use crate::source::options::Limits;

const MAGIC: &[u8; 4] = b"PAR1";

/// The size of the footer's length and the magic after it.
const TAIL: u64 = 8;

/// The maximum nesting depth of groups of columns.
const DEEPEST: usize = 64;

/// Returns the metadata and the length of a file.
pub(super) fn read(
    file: &mut File,
    limits: &Limits,
) -> Result<(ParquetMetaData, u64), ReadProblem> {
    let length = file.seek(SeekFrom::End(0)).map_err(ReadProblem::Io)?;
    if length > limits.max_bytes {
        return Err(ReadProblem::TooLarge { limit: limits.max_bytes });
    }
    let bytes = footer(file, length)?;
    if !is_sound(&bytes) {
        return Err(ReadProblem::Parquet("the footer is inconsistent".to_owned()));
    }
    let metadata = ParquetMetaDataReader::decode_metadata(&bytes).map_err(invalid)?;
    for group in metadata.row_groups() {
        for chunk in group.columns() {
            chunk_range(chunk, length)?;
        }
    }
    Ok((metadata, length))
}

fn footer(file: &mut File, length: u64) -> Result<Vec<u8>, ReadProblem> {
    let mut tail = [0; 8];
    let wrong = |what: &str| ReadProblem::Parquet(what.to_owned());
    let before = length.checked_sub(TAIL).ok_or_else(|| wrong("the file is too short"))?;
    file.seek(SeekFrom::Start(before)).map_err(ReadProblem::Io)?;
    file.read_exact(&mut tail).map_err(ReadProblem::Io)?;
    let (declared, magic) = tail.split_at(4);
    if magic != MAGIC {
        return Err(wrong(
            "the file does not end with PAR1; it is truncated, or its columns are encrypted",
        ));
    }
    let declared = declared.iter().rev().fold(0, |high, &low| high << 8 | u64::from(low));
    let start = before
        .checked_sub(declared)
        .filter(|start| *start >= MAGIC.len() as u64)
        .ok_or_else(|| wrong("the footer is longer than the file"))?;
    file.seek(SeekFrom::Start(start)).map_err(ReadProblem::Io)?;
    let mut bytes = Vec::new();
    file.take(declared).read_to_end(&mut bytes).map_err(ReadProblem::Io)?;
    Ok(bytes)
}

/// Whether all lengths in the footer are within its bytes, and the columns form a tree.
fn is_sound(bytes: &[u8]) -> bool {
    const SCHEMA: i64 = 2;
    let mut children = Vec::new();
    let scanned = ThriftCursor::new(bytes).fields(|cursor, field, kind| {
        if field != SCHEMA || kind != LIST {
            return Some(false);
        }
        let (kind, size) = cursor.list()?;
        for _ in 0..size {
            if kind != STRUCT {
                return None;
            }
            children.push(number_of_children(cursor)?);
        }
        Some(true)
    });
    scanned.is_some() && is_tree(&children)
}

/// Returns the number of children of a schema element; 0 for a column.
fn number_of_children(cursor: &mut ThriftCursor<'_>) -> Option<i64> {
    const CHILDREN: i64 = 5;
    let mut children = 0;
    cursor.fields(|cursor, field, kind| {
        let is_it = field == CHILDREN && kind == INT32;
        if is_it {
            children = cursor.integer()?;
        }
        Some(is_it)
    })?;
    Some(children)
}

/// Whether the child counts, listed in preorder, form a tree that is not too deep.
fn is_tree(children: &[i64]) -> bool {
    // The remaining children of each open group, the outermost first.
    let mut open: Vec<i64> = vec![1];
    for &held in children {
        let Some(left) = open.last_mut().filter(|left| **left > 0) else { return false };
        *left -= 1;
        match held {
            0 => {}
            1.. => open.push(held),
            _ => return false,
        }
        if open.len() > DEEPEST {
            return false;
        }
        while open.len() > 1 && open.last() == Some(&0) {
            open.pop();
        }
    }
    open == [0]
}

/// Returns the byte range of a column chunk in the file.
pub(super) fn chunk_range(
    chunk: &ColumnChunkMetaData,
    length: u64,
) -> Result<(u64, u64), ReadProblem> {
    let first = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
    let range = u64::try_from(first).ok().zip(u64::try_from(chunk.compressed_size()).ok());
    let range = range.and_then(|(start, size)| Some((start, start.checked_add(size)?)));
    let inside = range.filter(|&(_, end)| end <= length);
    inside.filter(|_| chunk.num_values() >= 0).ok_or_else(inconsistent)
}

#[cfg(test)]
mod tests {
    use super::is_tree;

    #[test]
    fn child_counts_form_a_tree() {
        for tree in [&[0][..], &[1, 0], &[2, 0, 0], &[2, 1, 0, 0], &[1, 1, 1, 0]] {
            assert!(is_tree(tree), "{tree:?}");
        }
        for other in [&[][..], &[1], &[2, 0], &[1, 0, 0], &[-1], &[1, -1, 0], &[i64::MAX, 0]] {
            assert!(!is_tree(other), "{other:?}");
        }
        let mut deep = vec![1; 1000];
        deep.push(0);
        assert!(!is_tree(&deep));
    }
}
