//! Concepts as JSON, one object per line.

use super::{ConceptForm, push_number, push_set};
use pellucid_close::ConceptView;
use pellucid_data::{Context, Names};

/// Writes one JSON object per line.
///
/// ```json
/// {"intent":["swims","lays eggs"],"support":2,"extent":["salmon","duck"]}
/// ```
///
/// The extent is optional.
#[derive(Clone, Debug)]
pub struct JsonForm {
    attributes: Vec<Box<[u8]>>,
    objects: Option<Vec<Box<[u8]>>>,
}

impl JsonForm {
    /// Returns the writer for a context, with or without extents.
    #[must_use]
    pub fn new(context: &Context, extents: bool) -> JsonForm {
        let string = |name: &str| serde_json::Value::from(name).to_string().into_bytes().into();
        let all = |names: &Names| names.iter().map(|name| string(&name)).collect();
        JsonForm {
            attributes: all(&context.attributes),
            objects: extents.then(|| all(&context.objects)),
        }
    }
}

impl ConceptForm for JsonForm {
    fn push(&self, found: &ConceptView<'_>, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(b"{\"intent\":[");
        push_set(found.intent, &self.attributes, b",", buffer);
        buffer.extend_from_slice(b"],\"support\":");
        push_number(found.support, buffer);
        if let Some(objects) = &self.objects {
            buffer.extend_from_slice(b",\"extent\":[");
            push_set(found.extent, objects, b",", buffer);
            buffer.push(b']');
        }
        buffer.extend_from_slice(b"}\n");
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
        let context =
            Context::new("", names(["duck", "größer"]), names(["swims", "5\""]), relation);
        let mut buffer = Vec::new();
        let json = JsonForm::new(&context, true);
        json.push(&ConceptView { intent: &[0b11], support: 1, extent: &[0b01] }, &mut buffer);
        let json = JsonForm::new(&context, false);
        json.push(&ConceptView { intent: &[0], support: 2, extent: &[] }, &mut buffer);
        let expected = concat!(
            r#"{"intent":["swims","5\""],"support":1,"extent":["duck"]}"#,
            "\n",
            r#"{"intent":[],"support":2}"#,
            "\n"
        );
        assert_eq!(String::from_utf8(buffer).unwrap(), expected);
    }
}
