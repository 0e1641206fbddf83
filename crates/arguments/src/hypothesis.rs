use pellucid::cover::Hypothesis;
use std::str::FromStr;

/// The value of `--hypothesis`.
#[derive(Clone, Copy, Debug)]
pub struct HypothesisArg(pub Hypothesis);

impl FromStr for HypothesisArg {
    type Err = String;

    fn from_str(text: &str) -> Result<HypothesisArg, String> {
        let number = |digits: &str| digits.trim().parse::<u32>().ok();
        let parsed = match text.split_once('=') {
            None if text == "rows" => Some(Hypothesis::Rows),
            None if text == "presence" => Some(Hypothesis::Presence),
            Some(("at-least", low)) => number(low).map(Hypothesis::AtLeast),
            Some(("between", range)) => range
                .split_once("..")
                .and_then(|(low, high)| number(low).zip(number(high)))
                .filter(|(low, high)| low <= high)
                .map(|(low, high)| Hypothesis::Between(low, high)),
            _ => None,
        };
        parsed.map(HypothesisArg).ok_or_else(|| {
            "expected rows, presence, at-least=N or between=A..B with A <= B".to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_hypotheses() {
        let parsed = |text: &str| {
            text.parse::<HypothesisArg>().ok().map(|HypothesisArg(hypothesis)| hypothesis)
        };
        assert_eq!(parsed("rows"), Some(Hypothesis::Rows));
        assert_eq!(parsed("presence"), Some(Hypothesis::Presence));
        assert_eq!(parsed("at-least=3"), Some(Hypothesis::AtLeast(3)));
        assert_eq!(parsed("between=2..4"), Some(Hypothesis::Between(2, 4)));
        for wrong in [
            "",
            "row",
            "at-least",
            "at-least=",
            "at-least=-1",
            "between=4..2",
            "between=4",
            "presence=1",
        ] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }
}
