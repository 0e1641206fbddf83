//! Concepts as text, one per line.

use super::{ConceptForm, push_number, push_set};
use crate::names::{EMPTY_SET, quoted};
use pellucid_close::ConceptView;
use pellucid_data::{Context, Names};

/// Writes one line per concept: support, intent and optionally extent, separated by tabs.
///
/// ```text
/// 2<TAB>swims, lays eggs<TAB>salmon, duck
/// ```
///
/// The empty set is `{}`. A name with a comma, an arrow or a quote is quoted, with JSON escapes, so
/// a tab always ends a field.
#[derive(Clone, Debug)]
pub struct TextForm {
    attributes: Vec<Box<[u8]>>,
    objects: Option<Vec<Box<[u8]>>>,
}

impl TextForm {
    /// Returns the writer for a context, with or without extents.
    #[must_use]
    pub fn new(context: &Context, extents: bool) -> TextForm {
        let all =
            |names: &Names| names.iter().map(|name| quoted(&name).as_bytes().into()).collect();
        TextForm {
            attributes: all(&context.attributes),
            objects: extents.then(|| all(&context.objects)),
        }
    }
}

impl ConceptForm for TextForm {
    fn push(&self, found: &ConceptView<'_>, buffer: &mut Vec<u8>) {
        push_number(found.support, buffer);
        let extent = self.objects.as_ref().map(|names| (found.extent, names));
        for (set, names) in std::iter::once((found.intent, &self.attributes)).chain(extent) {
            buffer.push(b'\t');
            let before = buffer.len();
            push_set(set, names, b", ", buffer);
            if buffer.len() == before {
                buffer.extend_from_slice(EMPTY_SET.as_bytes());
            }
        }
        buffer.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_data::Relation;

    #[test]
    fn lines_are_as_documented() {
        let relation = Relation::new(2, [[0, 1].as_slice(), &[]]).unwrap();
        let names = |names: [&str; 2]| names.into_iter().collect();
        let context = Context::new("", names(["duck", "a\tb"]), names(["swims", "x, y"]), relation);
        let mut buffer = Vec::new();
        let text = TextForm::new(&context, true);
        text.push(&ConceptView { intent: &[0b11], support: 1, extent: &[0b01] }, &mut buffer);
        text.push(&ConceptView { intent: &[0], support: 2, extent: &[0b11] }, &mut buffer);
        let text = TextForm::new(&context, false);
        text.push(&ConceptView { intent: &[0b01], support: 1, extent: &[] }, &mut buffer);
        let expected = "1\tswims, \"x, y\"\tduck\n2\t{}\tduck, \"a\\tb\"\n1\tswims\n";
        assert_eq!(String::from_utf8(buffer).unwrap(), expected);
    }
}
