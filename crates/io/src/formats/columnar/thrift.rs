//! Scans Thrift's compact protocol without allocating. Every length is checked against the bytes
//! that are left.

/// The type of a value, as the protocol numbers it.
pub(super) type Kind = u8;
pub(super) const INT32: Kind = 5;
pub(super) const LIST: Kind = 9;
pub(super) const STRUCT: Kind = 12;

/// The maximum nesting depth of structures; Parquet needs half of it.
const DEEPEST: usize = 16;

/// A cursor over the bytes.
#[derive(Clone, Debug)]
pub(super) struct ThriftCursor<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
    depth: usize,
}

impl<'a> ThriftCursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> ThriftCursor<'a> {
        ThriftCursor { bytes, at: 0, depth: 0 }
    }

    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn skip_bytes(&mut self, bytes: u64) -> Option<()> {
        let bytes = usize::try_from(bytes).ok().filter(|&bytes| bytes <= self.left())?;
        self.at += bytes;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Parses an integer of any width; the lowest bit is its sign.
    pub(super) fn integer(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1).cast_signed() ^ -((value & 1).cast_signed()))
    }

    /// Parses the header of a list: the kind and the number of its values. Each takes at least a
    /// byte, so larger numbers fail.
    pub(super) fn list(&mut self) -> Option<(Kind, usize)> {
        let head = self.byte()?;
        let size = match head >> 4 {
            15 => usize::try_from(self.varint()?).ok()?,
            few => usize::from(few),
        };
        (size <= self.left()).then_some((head & 15, size))
    }

    /// Passes the fields of a structure to `take` by number and kind; fields for which it returns
    /// `Some(false)` are skipped.
    pub(super) fn fields(
        &mut self,
        mut take: impl FnMut(&mut Self, i64, Kind) -> Option<bool>,
    ) -> Option<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut field = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                self.depth -= 1;
                return Some(());
            }
            field = match head >> 4 {
                0 => self.integer()?,
                further => field.checked_add(i64::from(further))?,
            };
            let kind = head & 15;
            if !take(self, field, kind)? {
                self.skip(kind, false)?;
            }
        }
    }

    /// Skips a value. A Boolean takes a byte in a list; in a structure it is part of the kind.
    fn skip(&mut self, kind: Kind, in_list: bool) -> Option<()> {
        match kind {
            1 | 2 => self.skip_bytes(u64::from(in_list)),
            3 => self.skip_bytes(1),
            4..=6 => self.varint().map(drop),
            7 => self.skip_bytes(8),
            8 => {
                let length = self.varint()?;
                self.skip_bytes(length)
            }
            LIST | 10 => {
                let (kind, size) = self.list()?;
                (0..size).try_for_each(|_| self.skip(kind, true))
            }
            11 => {
                let size = self.varint()?;
                if size == 0 {
                    return Some(());
                }
                let kinds = self.byte()?;
                (0..size).try_for_each(|_| {
                    self.skip(kinds >> 4, true)?;
                    self.skip(kinds & 15, true)
                })
            }
            STRUCT => self.fields(|_, _, _| Some(false)),
            13 => self.skip_bytes(16),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the integer fields, if the structure ends at the end of the bytes.
    fn integers(bytes: &[u8]) -> Option<Vec<(i64, i64)>> {
        let (mut cursor, mut found) = (ThriftCursor::new(bytes), Vec::new());
        cursor.fields(|cursor, field, kind| {
            if kind == INT32 {
                found.push((field, cursor.integer()?));
            }
            Some(kind == INT32)
        })?;
        (cursor.left() == 0).then_some(found)
    }

    #[test]
    fn structures_are_scanned() {
        assert_eq!(integers(&[0x15, 0x04, 0x15, 0x03, 0]), Some(vec![(1, 2), (2, -2)]));
        // A text, a list of structures, a Boolean, a field with its full number.
        let mixed = [0x18, 2, b'a', b'b', 0x19, 0x2c, 0, 0x15, 2, 0, 0x11, 0x05, 0x28, 0x02, 0];
        assert_eq!(integers(&mixed), Some(vec![(20, 1)]));
    }

    #[test]
    fn lengths_beyond_the_bytes_fail() {
        for wrong in [
            &[0x15, 0x04][..],
            &[0x18, 9, b'a', 0],
            &[0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0],
            &[0x1b, 0xff, 0xff, 0xff, 0xff, 0x07, 0x88, 0],
            &[0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0],
            &[0x1e, 0],
            &[0x1c; 1000],
            &[],
        ] {
            assert_eq!(integers(wrong), None, "{wrong:x?}");
        }
    }
}
