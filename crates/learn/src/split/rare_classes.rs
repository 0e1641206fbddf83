use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Returns the class of each example, or the most frequent class if its own is rare; in a tie, the first one.
/// As strata, they do not let a rare class reduce the number of folds.
#[must_use]
pub fn with_rare_classes_joined(codes: &[u32], is_rare: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    codes.iter().for_each(|&code| *counts.entry(code).or_default() += 1);
    let frequent = counts.into_iter().max_by_key(|&(class, count)| (count, Reverse(class)));
    let frequent = frequent.map_or(0, |(class, _)| class);
    codes.iter().map(|&code| if is_rare(code) { frequent } else { code }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_classes_join_the_most_frequent_one() {
        let codes = [0, 1, 1, 1, 2, 2, 2, 2, 3];
        let joined = with_rare_classes_joined(&codes, |class| class == 0 || class == 3);
        assert_eq!(joined, [2, 1, 1, 1, 2, 2, 2, 2, 2]);
        assert_eq!(with_rare_classes_joined(&[5, 5, 4, 4, 7], |class| class == 7), [5, 5, 4, 4, 4]);
    }
}
