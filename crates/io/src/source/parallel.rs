//! Reads a large uncompressed file on several threads. Copying a gigabyte from the page cache on
//! one core takes as long as parsing it on sixteen.

use crate::source::compression::Compression;
use crate::source::error::{ReadError, ReadProblem};
use crate::source::load::Lines;
use crate::source::options::Limits;
use crate::source::signature;
use crate::source::threads;
use std::fs::File;
use std::io;

/// The number of bytes that a thread reads at a time.
const CHUNK: usize = 1 << 20;
/// The minimum size of a file for parallel reading.
const MIN_BYTES: usize = 16 << 20;

/// Loads a large regular file. Returns `None` for a file that must be read in order: a small, compressed or
/// binary one, or one that cannot be read at an offset.
pub(crate) fn load(
    file: &File,
    limits: &Limits,
    cores: usize,
) -> Result<Option<Vec<u8>>, ReadError> {
    let Some(length) = length(file).filter(|&length| length >= MIN_BYTES) else { return Ok(None) };
    if length as u64 > limits.max_bytes {
        return Err(ReadProblem::TooLarge { limit: limits.max_bytes }.into());
    }
    let mut first = [0; signature::SIGNATURE_BYTES];
    let is_plain = read_at(file, &mut first, 0).is_ok()
        && signature::binary_kind(&first).is_none()
        && Compression::of(&first).is_none();
    if !is_plain || cores < 2 {
        return Ok(None);
    }
    // Checks for memory first, because allocating zeroed memory that is not available would abort.
    Vec::<u8>::new().try_reserve_exact(length).map_err(|_| ReadProblem::Memory)?;
    let mut bytes = vec![0; length];
    let chunks: Vec<(usize, &mut [u8])> = bytes.chunks_mut(CHUNK).enumerate().collect();
    let read = threads::map(cores, chunks, |(number, chunk)| {
        read_at(file, chunk, (number * CHUNK) as u64).map(|()| (chunk.len(), Lines::ends(chunk)))
    });
    let mut lines = Lines::default();
    for chunk in read {
        // The file was truncated while it was read, or the disk failed: reading it in order reports
        // the error.
        let Ok((length, ends)) = chunk else { return Ok(None) };
        lines.add(length, ends, limits)?;
    }
    Ok(Some(bytes))
}

/// Returns the length of a regular file.
fn length(file: &File) -> Option<usize> {
    let file = file.metadata().ok().filter(|file| file.is_file())?;
    usize::try_from(file.len()).ok()
}

/// Fills a buffer with the bytes at an offset of a file.
#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Not supported where all readers of a file share one offset.
#[cfg(not(unix))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, MIN_BYTES, load};
    use crate::source::load::load_bytes;
    use crate::source::options::Limits;
    use std::fs::File;
    use std::io::Write;

    /// Creates a file of `length` bytes with lines of `line` bytes.
    fn file(length: usize, line: usize) -> (tempfile::NamedTempFile, Vec<u8>) {
        let byte = |offset: usize| {
            let letter = b'a' + u8::try_from(offset / 7 % 26).unwrap_or(0);
            if offset % line == line - 1 { b'\n' } else { letter }
        };
        let bytes: Vec<u8> = (0..length).map(byte).collect();
        let mut file = tempfile::NamedTempFile::new().expect("a folder for temporary files");
        file.write_all(&bytes).expect("room on the disk");
        (file, bytes)
    }

    #[test]
    fn only_large_uncompressed_files_are_read_in_parallel() {
        let length = MIN_BYTES + CHUNK + 17;
        let (long, bytes) = file(length, 1000);
        let limits = Limits::default();
        let read = |file: &tempfile::NamedTempFile, cores: usize| {
            load(&File::open(file).expect("the file"), &limits, cores).expect("no error")
        };
        for cores in [2, 3, 40] {
            assert!(read(&long, cores) == Some(bytes.clone()), "{cores} cores");
        }
        assert_eq!(read(&long, 1), None);
        assert_eq!(read(&file(MIN_BYTES - 1, 1000).0, 4), None);
        let mut zipped = bytes;
        zipped[..2].copy_from_slice(&[0x1f, 0x8b]);
        let mut file = tempfile::NamedTempFile::new().expect("a folder for temporary files");
        file.write_all(&zipped).expect("room on the disk");
        assert_eq!(read(&file, 4), None);
    }

    #[test]
    fn limits_are_the_same_as_for_sequential_reading() {
        let (long, _) = file(MIN_BYTES + 5, 5 << 20);
        let open = || File::open(&long).expect("the file");
        let short_lines = Limits { max_line_bytes: 3 << 20, ..Limits::default() };
        let few_bytes = Limits { max_bytes: 1 << 20, ..Limits::default() };
        for limits in [short_lines, few_bytes] {
            let parallel = load(&open(), &limits, 4).expect_err("it exceeds the limits");
            let sequential = load_bytes(&mut open(), &limits).expect_err("it exceeds the limits");
            assert_eq!(parallel.to_string(), sequential.to_string());
        }
    }
}
