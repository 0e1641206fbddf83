//! Loads the bytes of a file: detects gzip by its first two bytes and enforces the limits while reading.
//!
//! A text file is held in memory as a whole: whether a column is numeric is known only after the last row,
//! and its exact text may be needed then. Memory use is the size of the file plus the size of the table.

use pellucid_data::Message;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use crate::source::encoding::{TextEncoding, decode};
use crate::source::error::{Position, ReadError, ReadProblem};
use crate::source::options::Limits;
use crate::source::signature;

/// The first bytes of gzip data.
pub(crate) const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const CHUNK: usize = 256 << 10;

/// A reader that counts the bytes read from the compressed input.
pub(crate) struct CountingReader<R> {
    inner: R,
    bytes: u64,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.inner.read(buffer)?;
        self.bytes += taken as u64;
        Ok(taken)
    }
}

/// Loads all of a UTF-8 text within the limits, decompressing gzip.
pub(crate) fn load_text(reader: &mut dyn Read, limits: &Limits) -> Result<String, ReadError> {
    load_encoded(reader, limits, Some(TextEncoding::Utf8), &mut Vec::new())
}

/// Like [`load_text`], in the given encoding or else in the one that the bytes suggest.
pub(crate) fn load_encoded(
    reader: &mut dyn Read,
    limits: &Limits,
    given: Option<TextEncoding>,
    notes: &mut Vec<Message>,
) -> Result<String, ReadError> {
    decode(load_bytes(reader, limits)?, given, notes)
}

/// Loads all bytes within the limits, decompressing gzip.
pub(crate) fn load_bytes(reader: &mut dyn Read, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let mut magic = Vec::new();
    Read::take(&mut *reader, signature::SIGNATURE_BYTES as u64)
        .read_to_end(&mut magic)
        .map_err(ReadProblem::Io)?;
    if let Some(what) = signature::binary_kind(&magic) {
        return Err(ReadProblem::NotTable { what }.into());
    }
    let zipped = magic.starts_with(&GZIP_MAGIC);
    let mut whole = CountingReader { inner: io::Cursor::new(magic).chain(reader), bytes: 0 };
    if !zipped {
        return drain(&mut whole, limits, |_| None);
    }
    let mut decoder = MultiGzDecoder::new(whole);
    drain(&mut decoder, limits, |decoder| Some(decoder.get_ref().bytes))
}

/// Reads to the end in chunks; `compressed` returns the number of compressed bytes read so far.
fn drain<R: Read>(
    reader: &mut R,
    limits: &Limits,
    compressed: impl Fn(&R) -> Option<u64>,
) -> Result<Vec<u8>, ReadError> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut lines = Lines::default();
    let mut filled = 0;
    loop {
        if bytes.len() - filled < CHUNK {
            let room = bytes.len().max(CHUNK);
            bytes.try_reserve_exact(room).map_err(|_| ReadProblem::Memory)?;
            bytes.resize(bytes.len() + room, 0);
        }
        let taken = match reader.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(taken) => taken,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(classify_io_error(error, compressed(reader).is_some()).into()),
        };
        lines.add(taken, Lines::ends(&bytes[filled..filled + taken]), limits)?;
        filled += taken;
        let total = filled as u64;
        if total > limits.max_bytes {
            return Err(ReadProblem::TooLarge { limit: limits.max_bytes }.into());
        }
        if let Some(packed) = compressed(reader)
            && total > Limits::EXPANSION_FREE_BYTES
            && total / limits.max_expansion.max(1) > packed
        {
            return Err(ReadProblem::Expands { limit: limits.max_expansion }.into());
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// Counts the lines of a text while it is read.
pub(crate) struct Lines {
    /// The number of lines so far, including an unfinished last one.
    count: u64,
    /// The number of bytes since the last line end.
    open: usize,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines { count: 1, open: 0 }
    }
}

impl Lines {
    /// Returns the number of line ends in `bytes` and the number of bytes after the last one.
    pub(crate) fn ends(bytes: &[u8]) -> (u64, usize) {
        let ends = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let last = bytes.iter().rposition(|&byte| byte == b'\n');
        (ends, last.map_or(bytes.len(), |last| bytes.len() - last - 1))
    }

    /// Advances by a block of bytes; fails if a line is too long.
    pub(crate) fn add(
        &mut self,
        bytes: usize,
        (ends, after): (u64, usize),
        limits: &Limits,
    ) -> Result<(), ReadError> {
        self.count += ends;
        self.open = if ends > 0 { after } else { self.open + bytes };
        if self.open > limits.max_line_bytes {
            let problem = ReadProblem::LineTooLong { limit: limits.max_line_bytes };
            return Err(ReadError::at(Position::Line(self.count), problem));
        }
        Ok(())
    }
}

/// A reader that decompresses and enforces the limits, for files that are streamed.
///
/// Errors are wrapped in an [`io::Error`]; [`unwrap_io_error`] unwraps them.
pub(crate) enum DecompressedReader<R> {
    Plain(LimitedReader<CountingReader<R>>),
    Zipped(Box<LimitedReader<MultiGzDecoder<CountingReader<R>>>>),
}

/// A reader that enforces the limits.
pub(crate) struct LimitedReader<R> {
    inner: R,
    taken: u64,
    limits: Limits,
}

impl<R: Read> DecompressedReader<io::Chain<io::Cursor<Vec<u8>>, R>> {
    /// Detects gzip by the first two bytes.
    pub(crate) fn new(mut reader: R, limits: Limits) -> Result<Self, ReadError> {
        let mut magic = Vec::with_capacity(GZIP_MAGIC.len());
        (&mut reader)
            .take(GZIP_MAGIC.len() as u64)
            .read_to_end(&mut magic)
            .map_err(ReadProblem::Io)?;
        let zipped = magic == GZIP_MAGIC;
        let whole = CountingReader { inner: io::Cursor::new(magic).chain(reader), bytes: 0 };
        Ok(if zipped {
            let inner = MultiGzDecoder::new(whole);
            DecompressedReader::Zipped(Box::new(LimitedReader { inner, taken: 0, limits }))
        } else {
            DecompressedReader::Plain(LimitedReader { inner: whole, taken: 0, limits })
        })
    }
}

impl<R: Read> Read for DecompressedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            DecompressedReader::Plain(reader) => reader.take(buffer, |_| None),
            DecompressedReader::Zipped(reader) => {
                reader.take(buffer, |gzip| Some(gzip.get_ref().bytes))
            }
        }
    }
}

impl<R: Read> LimitedReader<R> {
    fn take(
        &mut self,
        buffer: &mut [u8],
        compressed: impl Fn(&R) -> Option<u64>,
    ) -> io::Result<usize> {
        let taken = match self.inner.read(buffer) {
            Ok(taken) => taken,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                let zipped = compressed(&self.inner).is_some();
                return Err(io::Error::other(classify_io_error(error, zipped)));
            }
        };
        self.taken += taken as u64;
        if self.taken > self.limits.max_bytes {
            return Err(io::Error::other(ReadProblem::TooLarge { limit: self.limits.max_bytes }));
        }
        if let Some(packed) = compressed(&self.inner)
            && self.taken > Limits::EXPANSION_FREE_BYTES
            && self.taken / self.limits.max_expansion.max(1) > packed
        {
            return Err(io::Error::other(ReadProblem::Expands {
                limit: self.limits.max_expansion,
            }));
        }
        Ok(taken)
    }
}

/// Unwraps an error of [`DecompressedReader`].
pub(crate) fn unwrap_io_error(error: io::Error) -> ReadProblem {
    error.downcast::<ReadProblem>().unwrap_or_else(ReadProblem::Io)
}

fn classify_io_error(error: io::Error, zipped: bool) -> ReadProblem {
    match error.kind() {
        io::ErrorKind::UnexpectedEof if zipped => ReadProblem::GzipTruncated,
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if zipped => {
            ReadProblem::GzipDamaged(error.to_string())
        }
        _ => ReadProblem::Io(error),
    }
}
