//! FIMI's `.dat`: each line is an object, and the numbers on it are its attributes.
//!
//! The file does not say how many attributes there are or where their numbers begin. The attributes
//! are therefore exactly the numbers that occur, in ascending order, each named by its number. An
//! attribute without objects would add nothing, but would keep an object with all other attributes
//! from having all. An empty line is an object without attributes.

use super::rows::{CrossRows, numbered};
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use pellucid_data::{Context, Names, message};

/// Reads a context; its objects are numbered from 1.
pub(super) fn read(text: &str, name: &str) -> Result<Context, ReadError> {
    let mut rows = CrossRows::default();
    // A number takes three or four bytes. If the memory is not available, the list grows as needed.
    let _ = rows.crosses.try_reserve(text.len() / 3);
    rows.expect(text.bytes().filter(|&byte| byte == b'\n').count() + 1);
    let empty = cut(text, &mut rows)?;
    let numbers = compact(&mut rows.crosses)?;
    let objects = Names::Numbered { first: 1, count: rows.len() };
    let relation = rows.relation(numbers.len())?;
    let mut context = Context::new(name, objects, names(&numbers), relation);
    if empty > 0 {
        context.notes.push(message!("treated empty lines as objects without attributes: {empty}"));
    }
    Ok(context)
}

/// Splits the text into rows of numbers; returns the number of empty rows.
fn cut(text: &str, rows: &mut CrossRows) -> Result<usize, ReadError> {
    let bytes = text.as_bytes();
    let mut position = 0;
    let mut empty = 0;
    while position < bytes.len() {
        let first = rows.crosses.len();
        loop {
            // The fast path: a few digits followed by one blank or the end of the line.
            if let Some((number, digits @ 1..=7)) = ahead(bytes, position).map(short) {
                let end = position + digits;
                if bytes[end] == b' ' {
                    rows.push(number);
                    position = end + 1;
                    continue;
                }
                if bytes[end] == b'\n' {
                    rows.push(number);
                    position = end + 1;
                    break;
                }
            }
            match bytes.get(position).copied() {
                None => break,
                Some(b'\n') => {
                    position += 1;
                    break;
                }
                Some(b' ' | b'\t') => position += 1,
                Some(b'\r') if matches!(bytes.get(position + 1), None | Some(b'\n')) => {
                    position += 1;
                }
                Some(_) => {
                    let Some((number, end)) = number(bytes, position) else {
                        let column = rows.crosses.len() - first + 1;
                        return Err(not_a_number(&text[position..], rows.len(), column));
                    };
                    rows.push(number);
                    position = end;
                }
            }
        }
        empty += usize::from(rows.crosses.len() == first);
        rows.end_row();
    }
    Ok(empty)
}

/// Parses the number at a position; returns it and its end, which must be a blank or the end of the line.
fn number(bytes: &[u8], start: usize) -> Option<(u32, usize)> {
    let (number, end) = long(bytes, start)?;
    let ended = matches!(bytes.get(end), None | Some(b' ' | b'\t' | b'\n' | b'\r'));
    ended.then_some((number, end))
}

#[inline]
fn ahead(bytes: &[u8], position: usize) -> Option<[u8; 8]> {
    bytes[position..].first_chunk().copied()
}

/// Parses the digits at the start of eight bytes; returns the number and the count of digits.
/// Correct for up to seven digits.
///
/// Without a loop, because the branch at its end would be mispredicted for nearly every number.
#[inline]
fn short(ahead: [u8; 8]) -> (u32, usize) {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let less = u64::from_le_bytes(ahead) ^ (0x30 * EACH);
    // The highest bit of each byte that is not a digit.
    let others = (less | ((less & (0x7f * EACH)) + 0x76 * EACH)) & (0x80 * EACH);
    let digits = others.trailing_zeros() / 8;
    // The first digit is in the lowest byte; the shift adds leading zeros.
    let moved = less.checked_shl(64 - 8 * digits).unwrap_or(0);
    let pairs = (moved * 10 + (moved >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let eight = (fours * 10_000 + (fours >> 32)) & 0xffff_ffff;
    (u32::try_from(eight).unwrap_or_default(), digits as usize)
}

/// Parses any number of digits, one by one; returns `None` if there is no digit or the number is too large.
fn long(bytes: &[u8], start: usize) -> Option<(u32, usize)> {
    let digits = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit());
    let mut value: Option<u32> = None;
    let mut end = start;
    for digit in digits.map(|byte| u32::from(byte - b'0')) {
        value = Some(value.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
        end += 1;
    }
    Some((value?, end))
}

fn not_a_number(rest: &str, row: usize, column: usize) -> ReadError {
    let line = row as u64 + 1;
    if rest.starts_with('\r') {
        let (found, expected) =
            ("\\r".to_owned(), "a line feed after a carriage return".to_owned());
        return ReadError::at(Position::Line(line), ReadProblem::Form { found, expected });
    }
    let word = rest.split_ascii_whitespace().next().unwrap_or_default();
    let found = shorten(word);
    let problem = if word.starts_with('@') {
        ReadProblem::ManyValued { found, expected: "a line of item numbers" }
    } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
        ReadProblem::Form { found, expected: format!("an item number of at most {}", u32::MAX) }
    } else {
        let expected = "item numbers separated by blanks".to_owned();
        ReadProblem::Form { found, expected }
    };
    ReadError::at(Position::Value { line, column }, problem)
}

/// Replaces numbers by their index among the distinct numbers, which are returned in ascending order.
fn compact(crosses: &mut [u32]) -> Result<Vec<u32>, ReadError> {
    let Some(&highest) = crosses.iter().max() else { return Ok(Vec::new()) };
    // A lookup table is fast, but is used only if it is not much larger than the file.
    let highest = highest as usize;
    if highest > crosses.len().saturating_mul(8).max(1 << 16) {
        let mut numbers = crosses.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        for cross in crosses {
            let index = numbers.binary_search(cross).unwrap_or_default();
            *cross = numbered(index)?;
        }
        return Ok(numbers);
    }
    let mut index_of = vec![u32::MAX; highest + 1];
    crosses.iter().for_each(|&number| index_of[number as usize] = 0);
    let mut numbers = Vec::new();
    for (number, index) in (0..).zip(&mut index_of).filter(|(_, index)| **index == 0) {
        *index = numbered(numbers.len())?;
        numbers.push(number);
    }
    crosses.iter_mut().for_each(|cross| *cross = index_of[*cross as usize]);
    Ok(numbers)
}

fn names(numbers: &[u32]) -> Names {
    let first = numbers.first().map_or(0, |&first| first as usize);
    match numbers.last() {
        Some(&last) if last as usize - first + 1 > numbers.len() => {
            numbers.iter().map(u32::to_string).collect()
        }
        _ => Names::Numbered { first, count: numbers.len() },
    }
}

#[cfg(test)]
mod tests {
    use super::{ahead, long, short};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fast_and_slow_parsing_agree(text in "[0-9]{0,9}[ \t\n\r,x/:\u{0}\u{7f}é]?[0-9 é]{8}") {
            let bytes = text.as_bytes();
            let (number, digits) = ahead(bytes, 0).map(short).expect("eight bytes and more");
            let counted = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            prop_assert_eq!(digits, counted.min(8));
            if (1..8).contains(&digits) {
                prop_assert_eq!(Some((number, digits)), long(bytes, 0));
            }
        }
    }
}
