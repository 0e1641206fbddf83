//! Concepts on their way out: written as they are found, and forgotten.
//!
//! Picture several clerks at one desk. Each has a sheet of its own on which it notes what it finds; when the sheet is full, it
//! goes into the tray, and a new one is begun. So nobody waits for the tray at every line, no line is torn in two, and the
//! room never holds more than one sheet for each clerk, however many concepts there are.
//!
//! The clerks are [`Scribe`]s, one for every thread of a search; the tray is a [`Tray`]; how a concept is noted is a
//! [`Form`]: [`Text`] for people, [`Json`] for scripts, [`Binary`] for programs that read hundreds of millions.
//!
//! ```
//! use pellucid_concepts::enumerate::enumerate;
//! use pellucid_concepts::write::{Text, Tray};
//! use pellucid_engine::close::{Relation, Terms};
//! use pellucid_engine::data::Context;
//!
//! let relation = Relation::new(2, [[0].as_slice(), &[0, 1]])?;
//! let context = Context::new("pets", ["cat", "bat"].into_iter().collect(), ["fur", "wings"].into_iter().collect(), relation);
//! let form = Text::new(&context, true);
//! let tray = Tray::new(Vec::new(), &form)?;
//! let mut scribes = tray.scribes(1);
//! enumerate(&context.relation, &Terms { extents: true, ..Terms::default() }, &mut scribes);
//! drop(scribes);
//! assert_eq!(tray.finish()?, b"2\tfur\tcat, bat\n1\tfur, wings\tbat\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binary;
mod json;
mod read;
mod text;
mod tray;

pub use binary::Binary;
pub use json::Json;
pub use read::{BinaryError, Kept, Reader};
pub use text::Text;
pub use tray::{Scribe, Tray};

use pellucid_engine::close::Found;
use pellucid_engine::close::words::members;

/// How a concept is noted.
pub trait Form: Sync {
    /// What stands before the first concept.
    fn head(&self, sheet: &mut Vec<u8>) {
        let _ = sheet;
    }

    /// Notes a concept.
    fn note(&self, found: &Found<'_>, sheet: &mut Vec<u8>);
}

/// Notes a set: what stands for its members, with a mark between them.
fn note_set(set: &[u64], names: &[Box<[u8]>], between: &[u8], sheet: &mut Vec<u8>) {
    for (index, member) in members(set).enumerate() {
        if index > 0 {
            sheet.extend_from_slice(between);
        }
        sheet.extend_from_slice(&names[member]);
    }
}

/// Notes a number in digits.
fn note_number(number: u64, sheet: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let (mut first, mut left) = (digits.len(), number);
    loop {
        first -= 1;
        digits[first] = b"0123456789"[(left % 10) as usize];
        left /= 10;
        if left == 0 {
            break;
        }
    }
    sheet.extend_from_slice(&digits[first..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_digits() {
        for number in [0, 7, 10, 99, 100, 8_124, u64::from(u32::MAX), u64::MAX] {
            let mut sheet = Vec::new();
            note_number(number, &mut sheet);
            assert_eq!(sheet, number.to_string().into_bytes());
        }
    }
}
