//! A model taken elsewhere.
use crate::model::NetworkModel;
/// The model as a person reads it.
#[must_use]
pub fn text(_: &NetworkModel) -> String {
    String::new()
}
