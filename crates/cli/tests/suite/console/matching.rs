//! Whether printed lines are those that are shown, where `…` leaves something out.

/// Whether what is shown is what was printed, from the first line to the last.
pub(crate) fn whole<S: AsRef<str>>(shown: &[S], printed: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else {
        return printed.is_empty();
    };
    if is_gap(first.as_ref()) {
        return (0..=printed.len()).any(|from| whole(rest, &printed[from..]));
    }
    match printed.split_first() {
        Some((line, others)) => one(first.as_ref(), line) && whole(rest, others),
        None => false,
    }
}

/// Whether what is shown stands somewhere in what was printed, its lines one after the other.
pub(crate) fn part<S: AsRef<str>>(shown: &[S], printed: &[&str]) -> bool {
    let ends = |from: usize| (from..=printed.len()).any(|to| whole(shown, &printed[from..to]));
    (0..=printed.len()).any(ends)
}

/// A line that stands for any number of lines.
fn is_gap(line: &str) -> bool {
    matches!(line.trim(), "…" | "...")
}

/// Whether a line is the one shown, where `…` is any text.
fn one(shown: &str, printed: &str) -> bool {
    match shown.split_once('…') {
        None => shown == printed,
        Some((before, after)) => printed.strip_prefix(before).is_some_and(|rest| {
            let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.into_iter().any(|at| one(after, &rest[at..]))
        }),
    }
}

#[test]
fn only_missing_values_are_filled() {
    let lines = ["a", "bcd", "", "e"];
    for shown in [&["a", "bcd", "", "e"][..], &["a", "…"], &["...", "e"], &["a", "b…d", "", "…"]]
    {
        assert!(whole(shown, &lines), "{shown:?}");
    }
    for shown in
        [&["a", "bcd", "e"][..], &["a", "bcd", ""], &["a", "b…c", "", "e"], &["…", "x"], &[]]
    {
        assert!(!whole(shown, &lines), "{shown:?}");
    }
    assert!(part(&["bcd", ""], &lines));
    assert!(!part(&["a", ""], &lines));
}
