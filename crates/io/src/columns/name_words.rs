//! Words in column names that suggest the role of a column.

/// Words that suggest bags.
pub(crate) const GROUP: [&str; 7] =
    ["id", "molecule", "train", "name", "image", "document", "group"];
/// Words that suggest row numbers or keys.
pub(crate) const NUMBERING: [&str; 9] =
    ["id", "ids", "no", "nr", "number", "nummer", "index", "key", "uuid"];
/// Words that suggest codes: numbers that are not quantities.
pub(crate) const CODE: [&str; 12] = [
    "code", "codes", "zip", "zipcode", "postcode", "plz", "type", "category", "region", "ward",
    "sector", "branch",
];

/// Whether a name contains one of the words, delimited by punctuation or by a change of case.
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
