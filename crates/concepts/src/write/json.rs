//! Concepts for scripts, an object a line.

use super::{Form, note_number, note_set};
use pellucid_engine::close::Found;
use pellucid_engine::data::{Context, Names};

/// An object for every concept, each on a line.
///
/// ```json
/// {"intent":["swims","lays eggs"],"support":2,"extent":["salmon","duck"]}
/// ```
///
/// The extent is there only if it is asked for.
#[derive(Clone, Debug)]
pub struct Json {
    attributes: Vec<Box<[u8]>>,
    objects: Option<Vec<Box<[u8]>>>,
}

impl Json {
    /// The concepts of a context, with their objects or without.
    #[must_use]
    pub fn new(context: &Context, extents: bool) -> Json {
        let string = |name: &str| serde_json::Value::from(name).to_string().into_bytes().into();
        let all = |names: &Names| names.iter().map(|name| string(&name)).collect();
        Json {
            attributes: all(&context.attributes),
            objects: extents.then(|| all(&context.objects)),
        }
    }
}

impl Form for Json {
    fn note(&self, found: &Found<'_>, sheet: &mut Vec<u8>) {
        sheet.extend_from_slice(b"{\"intent\":[");
        note_set(found.intent, &self.attributes, b",", sheet);
        sheet.extend_from_slice(b"],\"support\":");
        note_number(found.support, sheet);
        if let Some(objects) = &self.objects {
            sheet.extend_from_slice(b",\"extent\":[");
            note_set(found.extent, objects, b",", sheet);
            sheet.push(b']');
        }
        sheet.extend_from_slice(b"}\n");
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
        let context =
            Context::new("", names(["duck", "größer"]), names(["swims", "5\""]), relation);
        let mut sheet = Vec::new();
        let json = Json::new(&context, true);
        json.note(&Found { intent: &[0b11], support: 1, extent: &[0b01] }, &mut sheet);
        let json = Json::new(&context, false);
        json.note(&Found { intent: &[0], support: 2, extent: &[] }, &mut sheet);
        let expected = concat!(
            r#"{"intent":["swims","5\""],"support":1,"extent":["duck"]}"#,
            "\n",
            r#"{"intent":[],"support":2}"#,
            "\n"
        );
        assert_eq!(String::from_utf8(sheet).unwrap(), expected);
    }
}
