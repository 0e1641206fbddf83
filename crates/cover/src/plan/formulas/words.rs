//! Formulas as a list of numbers, for transfer to another process.

use super::{FormulaPart, Formulas, Literal, Token};
use pellucid_bits::as_u32;
use pellucid_program::MAX_DEPTH;

impl Formulas {
    /// Encodes some of the roots, in ascending order, and all parts as numbers. Each formula starts
    /// with twice the number of its groups, plus one for a root. Each group starts with the number
    /// of its literals and parts, followed by them.
    pub(crate) fn to_words(&self, roots: &[u32]) -> Vec<u64> {
        let (mut words, mut new_indices) = (Vec::new(), vec![0; self.forms.len()]);
        let (mut all, mut wanted) = (self.roots.iter().peekable(), roots.iter().peekable());
        let mut forms = 0;
        for (form, index) in (0..as_u32(self.forms.len())).zip(0..) {
            let is_root = all.next_if_eq(&&form).is_some();
            if wanted.next_if_eq(&&form).is_none() && is_root {
                continue;
            }
            new_indices[index] = forms;
            forms += 1;
            words.push(u64::from(self.forms[index].groups) << 1 | u64::from(is_root));
            for group in self.groups(form) {
                words.push(group.len() as u64);
                words.extend(group.iter().map(|token| match token.part() {
                    None => token.0,
                    Some(part) => Token::PART | new_indices[part],
                }));
            }
        }
        words
    }

    /// Decodes formulas from [their numbers](crate::elsewhere). Returns `None` if the numbers are
    /// invalid or if parts are nested more than [`MAX_DEPTH`] deep, because parts are evaluated
    /// recursively.
    #[must_use]
    pub fn from_words(words: &[u64]) -> Option<Formulas> {
        let mut formulas = Formulas::new();
        let mut words = words.iter().copied();
        // By formula: the nesting depth of its parts.
        let mut depths: Vec<usize> = Vec::new();
        while let Some(head) = words.next() {
            let mut depth = 0;
            for _ in 0..head >> 1 {
                for _ in 0..words.next()? {
                    let token = Token(words.next()?);
                    match token.part() {
                        None => formulas.literal(Literal::from_number(token.0)),
                        Some(part) if part < formulas.forms.len() => {
                            depth = depth.max(depths[part] + 1);
                            formulas.part(FormulaPart(as_u32(part)));
                        }
                        Some(_) => return None,
                    }
                }
                formulas.end_group();
            }
            if depth > MAX_DEPTH {
                return None;
            }
            depths.push(depth);
            match head & 1 {
                1 => formulas.end_root(),
                _ => drop(formulas.end_part()),
            }
        }
        Some(formulas)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formulas() -> Formulas {
        let mut formulas = Formulas::new();
        let literal = |column| Literal::new(column, 3 * column, column % 2 == 0);
        formulas.literal(literal(1));
        formulas.literal(literal(2));
        formulas.end_group();
        formulas.end_root();
        formulas.literal(literal(3));
        formulas.end_group();
        formulas.literal(literal(1));
        formulas.end_group();
        let part = formulas.end_part();
        formulas.end_root(); // False.
        formulas.part(part);
        formulas.literal(literal(2));
        formulas.end_group();
        formulas.end_root();
        formulas
    }

    #[test]
    fn formulas_survive_a_round_trip() {
        let formulas = formulas();
        let words = formulas.to_words(formulas.roots());
        let again = Formulas::from_words(&words).expect("valid numbers");
        assert_eq!(again.len(), 3);
        assert_eq!(again.to_words(again.roots()), words);
        let prints = |formulas: &Formulas| -> Vec<_> {
            formulas.roots().iter().map(|&root| formulas.fingerprint(root)).collect()
        };
        assert_eq!(prints(&again), prints(&formulas));
    }

    #[test]
    fn some_roots_are_encoded_without_the_others() {
        let formulas = formulas();
        let last = &formulas.roots()[2..];
        let alone = Formulas::from_words(&formulas.to_words(last)).expect("valid numbers");
        assert_eq!(alone.len(), 1);
        let groups =
            |formulas: &Formulas, root| formulas.groups(root).map(<[Token]>::len).sum::<usize>();
        assert_eq!(groups(&alone, alone.roots()[0]), groups(&formulas, last[0]));
    }

    #[test]
    fn invalid_numbers_are_rejected() {
        let words = formulas().to_words(formulas().roots());
        for length in 1..words.len() {
            // A prefix of complete formulas is valid.
            if let Some(fewer) = Formulas::from_words(&words[..length]) {
                assert!(fewer.forms.len() < 4);
            }
        }
        assert!(Formulas::from_words(&[3, 1, Token::PART]).is_none());
        // Nested parts.
        let nested = |depth: u64| -> Option<Formulas> {
            let part = |index| [2 | u64::from(index == depth), 1, Token::PART | (index - 1)];
            let first = [2, 1, Literal::new(0, 0, false).number()];
            let words: Vec<u64> = first.into_iter().chain((1..=depth).flat_map(part)).collect();
            Formulas::from_words(&words)
        };
        assert_eq!(nested(MAX_DEPTH as u64).expect("the maximum depth").len(), 1);
        assert!(nested(MAX_DEPTH as u64 + 1).is_none());
        assert!(nested(1_000_000).is_none());
        assert!(Formulas::from_words(&[u64::MAX]).is_none());
    }
}
