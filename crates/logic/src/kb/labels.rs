//! Labels in place of short names that are codes.

use super::short_names::local;
use pellucid_data::{EntityLabel, Register};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which labels are shown in place of short names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LabelChoice {
    /// Those of names whose short name is a code, such as `HP_0001627`: letters, then possibly a
    /// separator, then digits. English labels are preferred, then those without a language, then
    /// the first language of the alphabet.
    #[default]
    Codes,
    /// None.
    None,
    /// All labels in this language, or else without a language.
    Language(String),
}

impl LabelChoice {
    /// Whether the label of a name is shown.
    fn replaces(&self, short: &str) -> bool {
        match self {
            LabelChoice::Codes => is_code(short),
            LabelChoice::None => false,
            LabelChoice::Language(_) => true,
        }
    }

    /// Returns the rank of a language, the best one first; `None` if such labels are not shown.
    fn rank<'l>(&self, language: &'l str) -> Option<(u8, &'l str)> {
        let wanted = match self {
            LabelChoice::Codes => "en",
            LabelChoice::None => return None,
            LabelChoice::Language(language) => language,
        };
        let main = language.split('-').next().unwrap_or_default();
        if language.eq_ignore_ascii_case(wanted) {
            Some((0, language))
        } else if main.eq_ignore_ascii_case(wanted) {
            Some((1, language))
        } else if language.is_empty() {
            Some((2, language))
        } else {
            (*self == LabelChoice::Codes).then_some((3, language))
        }
    }
}

/// Whether a short name is a code: letters, possibly a separator, and digits to the end.
fn is_code(short: &str) -> bool {
    let rest = short.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let digits = rest.strip_prefix(['_', '-', ':', '.']).unwrap_or(rest);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the names to show for the names of one kind: labels, or else `short`, which has the same
/// numbers as `iris`. A label that several names share, or that is the short name of another one,
/// is followed by the short name.
pub(super) fn shown(
    iris: &Register,
    short: &Register,
    labels: &[EntityLabel],
    chosen: &LabelChoice,
) -> Register {
    let found = chosen_labels(iris, short, labels, chosen);
    if found.is_empty() {
        return short.clone();
    }
    let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
    found.values().for_each(|label| *uses.entry(label).or_default() += 1);
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut shown = Register::default();
    for (number, (iri, short_name)) in (0u32..).zip(iris.iter().zip(short.iter())) {
        let candidate = found.get(&number).map(|label| {
            let is_own = short.find(label).is_none_or(|other| other == number);
            if uses[label.as_str()] == 1 && is_own {
                label.clone()
            } else {
                format!("{label} ({})", local(iri))
            }
        });
        let free = |name: &String| {
            !taken.contains(name) && short.find(name).is_none_or(|other| other == number)
        };
        let name = candidate.filter(free).unwrap_or_else(|| short_name.to_owned());
        shown.add(&name);
        taken.insert(name);
    }
    shown
}

/// Returns the label of each name that has one to show.
fn chosen_labels(
    iris: &Register,
    short: &Register,
    labels: &[EntityLabel],
    chosen: &LabelChoice,
) -> FxHashMap<u32, String> {
    let mut best: FxHashMap<u32, (&EntityLabel, (u8, &str))> = FxHashMap::default();
    for label in labels {
        let Some(number) = iris.find(&label.iri) else { continue };
        let Some(rank) = chosen.rank(&label.language) else { continue };
        let is_better = best.get(&number).is_none_or(|(_, known)| rank < *known);
        if is_better && chosen.replaces(short.get(number)) {
            best.insert(number, (label, rank));
        }
    }
    let text = |label: &EntityLabel| label.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let named = best.into_iter().map(|(number, (label, _))| (number, text(label)));
    // Brackets are for IRIs.
    named.filter(|(_, text)| !text.is_empty() && !text.starts_with(['<', '_'])).collect()
}

#[cfg(test)]
mod tests {
    use super::{EntityLabel, LabelChoice, Register, is_code, shown};

    #[test]
    fn codes_end_in_digits() {
        for code in ["HP_0001627", "RO:0000051", "Q42", "0001", "C-12", "EFO.7"] {
            assert!(is_code(code), "{code}");
        }
        for name in ["hasPart", "Carbon-22a", "d1_1", "", "<u:a1>", "abc"] {
            assert!(!is_code(name), "{name}");
        }
    }

    #[test]
    fn ambiguous_labels_have_the_code() {
        let register = |names: &[&str]| {
            let mut register = Register::default();
            names.iter().for_each(|name| assert!(register.add(name) < 9));
            register
        };
        let iris = register(&["u:x/A_1", "u:x/A_2", "u:x/A_3", "u:x/heart", "u:x/A_4"]);
        let short = register(&["A_1", "A_2", "A_3", "heart", "A_4"]);
        let label = |iri: &str, text: &str, language: &str| EntityLabel {
            iri: format!("u:x/{iri}"),
            text: text.to_owned(),
            language: language.to_owned(),
        };
        let labels = [
            label("A_1", "Lunge", "de"),
            label("A_1", " lung\n left", "en-gb"),
            label("A_2", "valve", ""),
            label("A_3", "valve", "en"),
            label("A_4", "heart", "en"),
            label("heart", "cor", "en"),
        ];
        let all = |chosen: &LabelChoice| {
            shown(&iris, &short, &labels, chosen).iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let expected = ["lung left", "valve (A_2)", "valve (A_3)", "heart", "heart (A_4)"];
        assert_eq!(all(&LabelChoice::Codes), expected);
        assert_eq!(all(&LabelChoice::None), ["A_1", "A_2", "A_3", "heart", "A_4"]);
        let german = ["Lunge", "valve", "A_3", "heart", "A_4"];
        assert_eq!(all(&LabelChoice::Language("de".to_owned())), german);
    }
}
