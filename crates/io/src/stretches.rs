//! A long plain file, read on several threads, each a stretch at a time: copying a gigabyte out of the system's memory takes one core
//! as long as sixteen take for reading its numbers.

use crate::error::{ReadError, ReadProblem};
use crate::foreign;
use crate::options::Limits;
use crate::source::{GZIP_MAGIC, Lines};
use crate::threads;
use std::fs::File;
use std::io;

/// How long a stretch is.
const STRETCH: usize = 1 << 20;
/// Shorter files are read from their beginning to their end.
const LONG: usize = 16 << 20;

/// The bytes of a long plain file. Nothing where it is none, or is compressed, or no text, or cannot be read so, and is better
/// read from its beginning.
pub(crate) fn load(
    file: &File,
    limits: &Limits,
    cores: usize,
) -> Result<Option<Vec<u8>>, ReadError> {
    let Some(length) = length(file).filter(|&length| length >= LONG) else { return Ok(None) };
    if length as u64 > limits.max_bytes {
        return Err(ReadProblem::TooLarge { limit: limits.max_bytes }.into());
    }
    let mut first = [0; foreign::GLANCE];
    let is_plain = read_at(file, &mut first, 0).is_ok()
        && foreign::known(&first).is_none()
        && !first.starts_with(&GZIP_MAGIC);
    if !is_plain || cores < 2 {
        return Ok(None);
    }
    // Whether there is room is asked first, as zeroed memory that is not there would end the program.
    Vec::<u8>::new().try_reserve_exact(length).map_err(|_| ReadProblem::Memory)?;
    let mut bytes = vec![0; length];
    let stretches: Vec<(usize, &mut [u8])> = bytes.chunks_mut(STRETCH).enumerate().collect();
    let read = threads::map(cores, stretches, |(number, stretch)| {
        read_at(file, stretch, (number * STRETCH) as u64)
            .map(|()| (stretch.len(), Lines::ends(stretch)))
    });
    let mut lines = Lines::default();
    for stretch in read {
        // The file was cut off while it was read, or is on a disk that fails: who reads it in order will say so.
        let Ok((length, ends)) = stretch else { return Ok(None) };
        lines.add(length, ends, limits)?;
    }
    Ok(Some(bytes))
}

/// How long a file is, where it is one and no pipe.
fn length(file: &File) -> Option<usize> {
    let file = file.metadata().ok().filter(|file| file.is_file())?;
    usize::try_from(file.len()).ok()
}

/// Fills a buffer with what stands at some place of a file.
#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, place)
}

/// Where files have one position for all who read them, they are read in order.
#[cfg(not(unix))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::{LONG, STRETCH, load};
    use crate::options::Limits;
    use std::fs::File;
    use std::io::Write;

    /// A file of so many bytes, with a line end after each `line` of them.
    fn file(length: usize, line: usize) -> (tempfile::NamedTempFile, Vec<u8>) {
        let byte = |place: usize| {
            let letter = b'a' + u8::try_from(place / 7 % 26).unwrap_or(0);
            if place % line == line - 1 { b'\n' } else { letter }
        };
        let bytes: Vec<u8> = (0..length).map(byte).collect();
        let mut file = tempfile::NamedTempFile::new().expect("a folder for temporary files");
        file.write_all(&bytes).expect("room on the disk");
        (file, bytes)
    }

    #[test]
    fn long_files_come_whole_and_short_or_compressed_ones_do_not() {
        let length = LONG + STRETCH + 17;
        let (long, bytes) = file(length, 1000);
        let limits = Limits::default();
        let read = |file: &tempfile::NamedTempFile, cores: usize| {
            load(&File::open(file).expect("it is there"), &limits, cores).expect("it is sound")
        };
        for cores in [2, 3, 40] {
            assert!(read(&long, cores) == Some(bytes.clone()), "{cores} cores");
        }
        assert_eq!(read(&long, 1), None);
        assert_eq!(read(&file(LONG - 1, 1000).0, 4), None);
        let mut zipped = bytes;
        zipped[..2].copy_from_slice(&crate::source::GZIP_MAGIC);
        let mut file = tempfile::NamedTempFile::new().expect("a folder for temporary files");
        file.write_all(&zipped).expect("room on the disk");
        assert_eq!(read(&file, 4), None);
    }

    #[test]
    fn limits_hold_as_for_what_is_read_in_order() {
        let (long, _) = file(LONG + 5, 5 << 20);
        let open = || File::open(&long).expect("it is there");
        let short_lines = Limits { max_line_bytes: 3 << 20, ..Limits::default() };
        let few_bytes = Limits { max_bytes: 1 << 20, ..Limits::default() };
        for limits in [short_lines, few_bytes] {
            let whole = load(&open(), &limits, 4).expect_err("it is beyond the limits");
            let whole = whole.in_file("a.csv");
            let options = crate::ReadOptions::default();
            let options = crate::ReadOptions { limits, ..options };
            let in_order = crate::read_from(open(), "a.csv", &options).expect_err("so it is here");
            assert_eq!(whole.to_string(), in_order.to_string());
        }
    }
}
