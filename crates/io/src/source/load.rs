//! Loads the bytes of a file: detects compression by its first bytes and enforces the limits while
//! reading.
//!
//! A text file is held in memory as a whole: whether a column is numeric is known only after the last row,
//! and its exact text may be needed then. Memory use is the size of the file plus the size of the table.

use pellucid_data::Message;
use std::io::{self, BufReader, Read};

use flate2::read::MultiGzDecoder;

use crate::source::compression::Compression;
use crate::source::encoding::{TextEncoding, decode};
use crate::source::error::{Position, ReadError, ReadProblem};
use crate::source::options::Limits;
use crate::source::signature;

/// The least room for a read. The room doubles, so a large file is soon read in large pieces, and a small one
/// does not touch memory that it does not need.
const CHUNK: usize = 16 << 10;

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

/// Loads all of a UTF-8 text within the limits, decompressing gzip and Zstandard.
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

/// Loads all bytes within the limits, decompressing gzip and Zstandard.
pub(crate) fn load_bytes(reader: &mut dyn Read, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let mut magic = Vec::new();
    Read::take(&mut *reader, signature::SIGNATURE_BYTES as u64)
        .read_to_end(&mut magic)
        .map_err(ReadProblem::Io)?;
    if let Some(what) = signature::binary_kind(&magic) {
        return Err(ReadProblem::NotTable { what }.into());
    }
    let compression = Compression::of(&magic);
    let mut whole = CountingReader { inner: io::Cursor::new(magic).chain(reader), bytes: 0 };
    match compression {
        None => drain(&mut whole, limits, |_| None),
        Some(Compression::Gzip) => {
            let mut decoder = MultiGzDecoder::new(whole);
            drain(&mut decoder, limits, |decoder| {
                Some((Compression::Gzip, decoder.get_ref().bytes))
            })
        }
        Some(Compression::Zstd) => {
            let mut decoder = zstd_decoder(whole)?;
            drain(&mut decoder, limits, |decoder| {
                Some((Compression::Zstd, decoder.get_ref().get_ref().bytes))
            })
        }
    }
}

/// Loads all bytes of a binary file within the limit of its size.
pub(crate) fn load_raw(reader: &mut dyn Read, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let limits = Limits { max_line_bytes: usize::MAX, ..*limits };
    let mut whole = CountingReader { inner: reader, bytes: 0 };
    drain(&mut whole, &limits, |_| None)
}

/// A decoder of Zstandard.
type ZstdDecoder<R> = zstd::Decoder<'static, BufReader<CountingReader<R>>>;

fn zstd_decoder<R: Read>(reader: CountingReader<R>) -> Result<ZstdDecoder<R>, ReadProblem> {
    zstd::Decoder::new(reader).map_err(ReadProblem::Io)
}

/// Reads to the end in chunks; `compressed` returns the compression and the number of compressed
/// bytes read so far.
fn drain<R: Read>(
    reader: &mut R,
    limits: &Limits,
    compressed: impl Fn(&R) -> Option<(Compression, u64)>,
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
            Err(error) => {
                let compression = compressed(reader).map(|(compression, _)| compression);
                return Err(Compression::problem(compression, error).into());
            }
        };
        lines.add(taken, Lines::ends(&bytes[filled..filled + taken]), limits)?;
        filled += taken;
        let total = filled as u64;
        if total > limits.max_bytes {
            return Err(ReadProblem::TooLarge { limit: limits.max_bytes }.into());
        }
        if let Some((_, packed)) = compressed(reader)
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
    Gzip(Box<LimitedReader<MultiGzDecoder<CountingReader<R>>>>),
    Zstd(Box<LimitedReader<ZstdDecoder<R>>>),
}

/// A reader that enforces the limits.
pub(crate) struct LimitedReader<R> {
    inner: R,
    taken: u64,
    limits: Limits,
}

impl<R: Read> DecompressedReader<io::Chain<io::Cursor<Vec<u8>>, R>> {
    /// Detects the compression by the first bytes.
    pub(crate) fn new(mut reader: R, limits: Limits) -> Result<Self, ReadError> {
        let mut magic = Vec::with_capacity(Compression::MAGIC_BYTES);
        (&mut reader)
            .take(Compression::MAGIC_BYTES as u64)
            .read_to_end(&mut magic)
            .map_err(ReadProblem::Io)?;
        let compression = Compression::of(&magic);
        let whole = CountingReader { inner: io::Cursor::new(magic).chain(reader), bytes: 0 };
        Ok(match compression {
            None => DecompressedReader::Plain(LimitedReader { inner: whole, taken: 0, limits }),
            Some(Compression::Gzip) => {
                let inner = MultiGzDecoder::new(whole);
                DecompressedReader::Gzip(Box::new(LimitedReader { inner, taken: 0, limits }))
            }
            Some(Compression::Zstd) => {
                let inner = zstd_decoder(whole)?;
                DecompressedReader::Zstd(Box::new(LimitedReader { inner, taken: 0, limits }))
            }
        })
    }
}

impl<R: Read> Read for DecompressedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            DecompressedReader::Plain(reader) => reader.take(buffer, |_| None),
            DecompressedReader::Gzip(reader) => {
                reader.take(buffer, |gzip| Some((Compression::Gzip, gzip.get_ref().bytes)))
            }
            DecompressedReader::Zstd(reader) => reader
                .take(buffer, |zstd| Some((Compression::Zstd, zstd.get_ref().get_ref().bytes))),
        }
    }
}

impl<R: Read> LimitedReader<R> {
    fn take(
        &mut self,
        buffer: &mut [u8],
        compressed: impl Fn(&R) -> Option<(Compression, u64)>,
    ) -> io::Result<usize> {
        let taken = match self.inner.read(buffer) {
            Ok(taken) => taken,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                let compression = compressed(&self.inner).map(|(compression, _)| compression);
                return Err(io::Error::other(Compression::problem(compression, error)));
            }
        };
        self.taken += taken as u64;
        if self.taken > self.limits.max_bytes {
            return Err(io::Error::other(ReadProblem::TooLarge { limit: self.limits.max_bytes }));
        }
        if let Some((_, packed)) = compressed(&self.inner)
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

#[cfg(test)]
mod tests {
    use super::load_bytes;
    use crate::source::compression::Compression;
    use crate::source::options::Limits;

    fn load(bytes: &[u8]) -> Result<Vec<u8>, String> {
        load_bytes(&mut &bytes[..], &Limits::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn zstandard_is_read_and_damage_is_reported() {
        let text = "a,b\n1,2\n".repeat(1000).into_bytes();
        let packed = zstd::encode_all(&text[..], 3).expect("memory");
        assert_eq!(Compression::of(&packed), Some(Compression::Zstd));
        assert_eq!(load(&packed), Ok(text.clone()));
        // Several frames are one file, as with gzip.
        assert_eq!(load(&packed.repeat(2)), Ok(text.repeat(2)));
        let error = load(&packed[..packed.len() - 3]).expect_err("truncated");
        assert_eq!(error, ": the Zstandard data is truncated");
        let mut damaged = packed;
        damaged[5..12].fill(0xff);
        let error = load(&damaged).expect_err("damaged");
        assert!(error.starts_with(": the Zstandard data is corrupt: "), "{error}");
    }

    #[test]
    fn a_bomb_is_refused() {
        let packed = zstd::encode_all(&vec![b'a'; 80 << 20][..], 19).expect("memory");
        let limits = Limits { max_line_bytes: usize::MAX, ..Limits::default() };
        let error = load_bytes(&mut &packed[..], &limits).expect_err("a bomb").to_string();
        assert!(error.contains("decompression bomb"), "{error}");
    }
}
