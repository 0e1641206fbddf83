//! The datatypes and values of literals.

use pellucid_data::{Datatype, literal};
use pellucid_program::Value;

use super::vocabulary::Namespace;
use crate::source::error::shorten;

/// Returns the datatype of an IRI.
pub(super) fn datatype(iri: &str) -> Datatype {
    match Namespace::of(iri) {
        Some((Namespace::Xsd, local)) => literal::datatype(local).unwrap_or(Datatype::Text),
        Some((Namespace::Owl, "real")) => Datatype::Real,
        _ => Datatype::Text,
    }
}

/// Parses the value that a condition compares with.
pub(super) fn value(text: &str, datatype: Datatype) -> Result<Value, String> {
    let misfit = |kind: &str| format!("found '{}'; expected {kind}", shorten(text));
    match datatype {
        Datatype::Integer | Datatype::Real => literal::number(text)
            .filter(|number| !number.is_nan())
            .map(Value::Number)
            .ok_or_else(|| misfit("a number")),
        Datatype::Boolean => literal::boolean(text)
            .map(|truth| Value::Text(truth.to_string()))
            .ok_or_else(|| misfit("true or false")),
        Datatype::Date => literal::date(text).map(Value::Number).ok_or_else(|| misfit("a date")),
        Datatype::Text => Ok(Value::Text(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::value;
    use pellucid_data::Datatype;
    use pellucid_program::Value;

    #[test]
    fn values_follow_their_type() {
        assert_eq!(value(" 1.50 ", Datatype::Real), Ok(Value::Number(1.5)));
        assert_eq!(value("1", Datatype::Boolean), Ok(Value::Text("true".to_owned())));
        assert_eq!(value(" x", Datatype::Text), Ok(Value::Text(" x".to_owned())));
        assert_eq!(value("1970-01-02", Datatype::Date), Ok(Value::Number(86_400.0)));
        assert!(value("NaN", Datatype::Real).is_err());
        assert!(value("yes", Datatype::Boolean).is_err());
        assert_eq!(
            value("2024-02-30", Datatype::Date),
            Err("found '2024-02-30'; expected a date".to_owned())
        );
    }
}
