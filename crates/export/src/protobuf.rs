//! The subset of Protocol Buffers that an ONNX file needs: numbered fields with integers, floats or
//! bytes.

/// A message under construction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProtoMessage(Vec<u8>);

impl ProtoMessage {
    /// Returns an empty message.
    #[must_use]
    pub fn new() -> ProtoMessage {
        ProtoMessage::default()
    }

    /// Returns the encoded message.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push((number & 0x7f) as u8);
    }

    /// Appends an integer field.
    #[must_use]
    pub fn number(mut self, field: u64, number: i64) -> ProtoMessage {
        self.varint(field << 3);
        self.varint(number.cast_unsigned());
        self
    }

    /// Appends a float field.
    #[must_use]
    pub fn float(mut self, field: u64, number: f32) -> ProtoMessage {
        self.varint(field << 3 | 5);
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    /// Appends a field of bytes.
    #[must_use]
    pub fn bytes(mut self, field: u64, bytes: &[u8]) -> ProtoMessage {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// Appends a string field.
    #[must_use]
    pub fn text(self, field: u64, text: &str) -> ProtoMessage {
        self.bytes(field, text.as_bytes())
    }

    /// Appends a nested message.
    #[must_use]
    pub fn message(self, field: u64, message: &ProtoMessage) -> ProtoMessage {
        self.bytes(field, &message.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_match_the_examples_of_the_encoding_guide() {
        assert_eq!(ProtoMessage::new().number(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        assert_eq!(
            ProtoMessage::new().text(2, "testing").into_bytes(),
            [0x12, 7, b't', b'e', b's', b't', b'i', b'n', b'g']
        );
        let inner = ProtoMessage::new().number(1, 150);
        assert_eq!(
            ProtoMessage::new().message(3, &inner).into_bytes(),
            [0x1a, 3, 0x08, 0x96, 0x01]
        );
        assert_eq!(ProtoMessage::new().number(1, -1).into_bytes().len(), 11);
        assert_eq!(ProtoMessage::new().float(2, 1.0).into_bytes(), [0x15, 0, 0, 0x80, 0x3f]);
    }
}
