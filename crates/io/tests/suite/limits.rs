//! Input that exceeds the limits is rejected while it is read.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use pellucid_io::{Limits, ReadOptions, read_from};

/// A reader that repeats one byte and counts the bytes read.
struct Endless<'a> {
    byte: u8,
    left: u64,
    taken: &'a mut u64,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = buffer.len() as u64;
        let given = usize::try_from(self.left.min(room)).map_err(io::Error::other)?;
        buffer[..given].fill(self.byte);
        self.left -= given as u64;
        *self.taken += given as u64;
        Ok(given)
    }
}

fn refused(reader: impl Read, limits: Limits) -> String {
    let options = ReadOptions::default().limits(limits);
    read_from(reader, "big.csv", &options).expect_err("refused").to_string()
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn a_line_of_a_gigabyte_is_rejected_early() {
    let mut taken = 0;
    let limits = Limits { max_line_bytes: 1 << 20, ..Limits::default() };
    let start = &b"a,b\n1,2\n"[..];
    let reader = start.chain(Endless { byte: b'7', left: 1 << 30, taken: &mut taken });
    let message = refused(reader, limits);
    assert_eq!(
        message,
        "big.csv, line 3: the line is longer than 1048576 bytes; raise max_line_bytes to read it"
    );
    assert!(taken < 8 << 20, "{taken} bytes were read");
}

#[test]
fn a_short_limit_applies_within_a_chunk() {
    let limits = Limits { max_line_bytes: 10, ..Limits::default() };
    let message = refused(&b"a,b\n1,2\n1,22222222222\n3,4\n"[..], limits);
    assert_eq!(
        message,
        "big.csv, line 3: the line is longer than 10 bytes; raise max_line_bytes to read it"
    );
}

#[test]
fn endless_lines_end_at_the_limit() {
    let mut taken = 0;
    let limits = Limits { max_bytes: 1 << 20, ..Limits::default() };
    let message = refused(Endless { byte: b'\n', left: 1 << 30, taken: &mut taken }, limits);
    assert_eq!(
        message,
        "big.csv: the decompressed data is larger than 1048576 bytes; raise max_bytes to read it"
    );
    assert!(taken < 8 << 20, "{taken} bytes were read");
}

#[test]
fn a_decompression_bomb_is_rejected() {
    // A few hundred kilobytes that decompress to 256 MiB of short lines.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let block = b"0\n".repeat(1 << 19);
    for _ in 0..256 {
        encoder.write_all(&block).expect("memory");
    }
    let bomb = encoder.finish().expect("memory");
    assert!(bomb.len() < 400_000, "{}", bomb.len());
    let message = refused(&bomb[..], Limits::default());
    assert_eq!(
        message,
        "big.csv: the data grows more than 400-fold when decompressed and may be a decompression bomb; \
         raise max_expansion to read it"
    );
}

#[test]
fn truncated_and_corrupt_gzip_is_reported() {
    let whole = zipped(&b"a,b\n1,2\n3,4\n".repeat(100));
    let message = refused(&whole[..whole.len() / 2], Limits::default());
    assert_eq!(message, "big.csv: the gzip data is truncated");
    let mut damaged = whole.clone();
    let end = damaged.len() - 6;
    damaged[end] ^= 0x55;
    let message = refused(&damaged[..], Limits::default());
    assert_eq!(
        message,
        "big.csv: the gzip data is corrupt: corrupt gzip stream does not have a matching checksum"
    );
}

#[test]
fn gzip_is_detected_by_content_and_members_are_joined() {
    let mut both = zipped(b"a,y\n1,0\n");
    both.extend(zipped(b"2,1\n"));
    let data = read_from(&both[..], "plain-name.csv", &ReadOptions::default()).expect("sound");
    assert_eq!((data.rows, data.name.as_str()), (2, "plain-name"));
}
