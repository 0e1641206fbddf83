//! Words in the names of columns, which tell what a column is for.

/// Names of groups of rows.
pub(crate) const GROUP: [&str; 7] =
    ["id", "molecule", "train", "name", "image", "document", "group"];
/// Names of running numbers.
pub(crate) const NUMBERING: [&str; 9] =
    ["id", "ids", "no", "nr", "number", "nummer", "index", "key", "uuid"];
/// Names of codes: numbers that are no quantities.
pub(crate) const CODE: [&str; 12] = [
    "code", "codes", "zip", "zipcode", "postcode", "plz", "type", "category", "region", "ward",
    "sector", "branch",
];

/// Whether one of the words stands in a name, between punctuation or where the letter case changes.
pub(crate) fn has_word(name: &str, wanted: &[&str]) -> bool {
    let mut spaced = String::new();
    let mut lower_before = false;
    for character in name.chars() {
        if !character.is_alphanumeric() || (lower_before && character.is_uppercase()) {
            spaced.push(' ');
        }
        lower_before = character.is_lowercase();
        spaced.extend(character.to_lowercase());
    }
    spaced.split(|c: char| !c.is_alphanumeric()).any(|word| wanted.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn words_in_names() {
        for name in ["ID-Bag", "Atoms-bag-id", "bag", "bagId", "theBag"] {
            assert!(has_word(name, &["bag"]), "{name}");
        }
        for name in ["cabbage", "Baggage", "Train_id", ""] {
            assert!(!has_word(name, &["bag"]), "{name}");
        }
        assert!(has_word("Train_id", &["id"]));
    }
}
