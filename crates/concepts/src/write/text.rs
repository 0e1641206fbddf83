//! Concepts for people, one a line.

use super::{Form, note_number, note_set};
use crate::names::{NOTHING, quoted};
use pellucid_engine::close::Found;
use pellucid_engine::data::{Context, Names};

/// A line for every concept: how many objects, the attributes, and perhaps the objects, with tabs between.
///
/// ```text
/// 2<TAB>swims, lays eggs<TAB>salmon, duck
/// ```
///
/// A set without members is `{}`. A name in which a comma, an arrow or a quote could be mistaken stands in quotes with the
/// escapes of JSON, as in rules; so a tab is always the end of a field.
#[derive(Clone, Debug)]
pub struct Text {
    attributes: Vec<Box<[u8]>>,
    objects: Option<Vec<Box<[u8]>>>,
}

impl Text {
    /// The concepts of a context, with their objects or without.
    #[must_use]
    pub fn new(context: &Context, extents: bool) -> Text {
        let all =
            |names: &Names| names.iter().map(|name| quoted(&name).as_bytes().into()).collect();
        Text {
            attributes: all(&context.attributes),
            objects: extents.then(|| all(&context.objects)),
        }
    }
}

impl Form for Text {
    fn note(&self, found: &Found<'_>, sheet: &mut Vec<u8>) {
        note_number(found.support, sheet);
        let extent = self.objects.as_ref().map(|names| (found.extent, names));
        for (set, names) in std::iter::once((found.intent, &self.attributes)).chain(extent) {
            sheet.push(b'\t');
            let before = sheet.len();
            note_set(set, names, b", ", sheet);
            if sheet.len() == before {
                sheet.extend_from_slice(NOTHING.as_bytes());
            }
        }
        sheet.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_engine::close::Relation;

    #[test]
    fn lines_are_as_documented() {
        let relation = Relation::new(2, [[0, 1].as_slice(), &[]]).unwrap();
        let names = |names: [&str; 2]| names.into_iter().collect();
        let context = Context::new("", names(["duck", "a\tb"]), names(["swims", "x, y"]), relation);
        let mut sheet = Vec::new();
        let text = Text::new(&context, true);
        text.note(&Found { intent: &[0b11], support: 1, extent: &[0b01] }, &mut sheet);
        text.note(&Found { intent: &[0], support: 2, extent: &[0b11] }, &mut sheet);
        let text = Text::new(&context, false);
        text.note(&Found { intent: &[0b01], support: 1, extent: &[] }, &mut sheet);
        let expected = "1\tswims, \"x, y\"\tduck\n2\t{}\tduck, \"a\\tb\"\n1\tswims\n";
        assert_eq!(String::from_utf8(sheet).unwrap(), expected);
    }
}
