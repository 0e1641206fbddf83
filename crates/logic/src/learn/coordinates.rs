//! Finds data properties that are coordinates of a drawing.
//!
//! Structures and pages are often stored with the position of each part. Such numbers depend on how
//! something was drawn, so they describe no class, but with many parts some range of them separates
//! any examples.

use crate::KnowledgeBase;
use crate::kb::local;
use pellucid_program::Domain;

/// The axes.
const AXES: [&str; 3] = ["x", "y", "z"];
/// Words that may be joined to an axis without a separator, as in `xcoord` and `posx`.
const JOINED: [&str; 5] = ["coord", "coordinate", "coordinates", "pos", "position"];

/// Returns the coordinates among the data properties, ascending: numeric properties whose names
/// differ only in the letter of the axis, at least x and y, and that the same individuals have.
pub(super) fn coordinates(kb: &KnowledgeBase) -> Vec<u32> {
    let properties = kb.world.properties();
    let named = (0u32..).zip(kb.world.property_names().iter()).filter_map(|(property, iri)| {
        let values = &properties[property as usize];
        let is_numeric = matches!(values.values, Domain::Numeric(_)) && !values.edges.is_empty();
        let name = axis(local(iri)).or_else(|| axis(kb.show_property(property)));
        name.filter(|_| is_numeric).map(|(rest, axis)| (property, rest, axis))
    });
    let named: Vec<(u32, Vec<String>, usize)> = named.collect();
    let subjects = |property: u32| properties[property as usize].edges.subjects();
    let is_coordinate = |(property, rest, _): &&(u32, Vec<String>, usize)| {
        let has_axis = |axis: usize| {
            named.iter().any(|(other, other_rest, other_axis)| {
                *other_axis == axis && other_rest == rest && subjects(*other) == subjects(*property)
            })
        };
        has_axis(0) && has_axis(1)
    };
    named.iter().filter(is_coordinate).map(|&(property, _, _)| property).collect()
}

/// Splits a name into its words without the axis, and the axis; `None` if it does not have exactly one.
fn axis(name: &str) -> Option<(Vec<String>, usize)> {
    let (mut rest, mut found) = (Vec::new(), Vec::new());
    for word in words(name) {
        let axis_of = |letter: &str| AXES.iter().position(|&axis| axis == letter);
        let joined = JOINED.iter().find_map(|&part| {
            let letter = word.strip_prefix(part).or_else(|| word.strip_suffix(part))?;
            Some((axis_of(letter)?, part))
        });
        match axis_of(&word).map(|axis| (axis, "")).or(joined) {
            Some((axis, part)) => {
                found.push(axis);
                rest.extend(Some(part.to_owned()).filter(|part| !part.is_empty()));
            }
            None => rest.push(word),
        }
    }
    match found[..] {
        [axis] => Some((rest, axis)),
        _ => None,
    }
}

/// Splits a name at separators, digits and capital letters, in lower case: `atomXCoord` is atom, x, coord.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let letters: Vec<char> = name.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        let next_is_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let after_small = at > 0 && letters[at - 1].is_lowercase();
        if letter.is_uppercase() && (after_small || next_is_small) || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::axis;
    use crate::{Closure, KnowledgeBase};

    #[test]
    fn an_axis_is_a_word_of_its_own() {
        let cases = [
            ("x", "", 0),
            ("hasY", "has", 1),
            ("xCoord", "coord", 0),
            ("atomYCoordinate", "atom coordinate", 1),
            ("coord_z", "coord", 2),
            ("posX", "pos", 0),
            ("xcoord", "coord", 0),
            ("ycoordinate", "coordinate", 1),
            ("positiony", "position", 1),
            ("X", "", 0),
        ];
        for (name, rest, number) in cases {
            let found = axis(name).map(|(words, axis)| (words.join(" "), axis));
            assert_eq!(found, Some((rest.to_owned(), number)), "{name}");
        }
        for name in ["xylose", "p1_flex", "maxValue", "index", "year", "xToY", "latitude", "charge"]
        {
            assert_eq!(axis(name), None, "{name}");
        }
    }

    #[test]
    fn coordinates_come_in_pairs() {
        let turtle = "@prefix : <http://x.example/#> .\n\
            :a :x 1.5 ; :y 2.5 ; :atomX 1 ; :hasZ 4 ; :charge 2 ; :sizeX 1 .\n\
            :b :x 0.5 ; :y 2.0 ; :atomY 1 ; :charge 2 ; :sizeX 3 ; :sizeY 1 .";
        let ontology = pellucid_io::read_ontology_from(turtle.as_bytes(), "x.ttl").expect("Turtle");
        let kb = KnowledgeBase::new(ontology, &Closure::default()).expect("sound");
        let found = super::coordinates(&kb);
        let names: Vec<&str> = found.iter().map(|&one| kb.show_property(one)).collect();
        // The others have no partner, or their partner has other subjects.
        assert_eq!(names, ["x", "y"]);
    }
}
