//! The frame of a page: its head with the content security policy, the data, the script and the style.

use super::sha256::{base64, sha256};
use pellucid_export::xml::escaped;
use serde_json::Value;

const STYLE: &str = concat!(include_str!("base.css"), include_str!("parts.css"));

/// The style of a drawing, and of what is around it.
const LATTICE_STYLE: &str = concat!(
    include_str!("base.css"),
    include_str!("parts.css"),
    include_str!("../lattice/style.css"),
    include_str!("lattice/explorer.css"),
);

/// The style of questions and of the form for an object.
const EXPLORATION_STYLE: &str = concat!(
    include_str!("base.css"),
    include_str!("parts.css"),
    include_str!("exploration/exploration.css"),
);

/// Joins the parts of a script, in the order in which they depend on each other. All scripts start with what
/// all pages share.
macro_rules! script {
    ($($part:literal),* $(,)?) => {
        concat!(
            "\"use strict\";\n",
            include_str!("text.js"),
            include_str!("dom.js"),
            include_str!("frame.js"),
            include_str!("plot.js"),
            $(include_str!($part)),*
        )
    };
}

/// A kind of page, which has its own script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageKind {
    /// The report of a model.
    Report,
    /// Two models.
    Comparison,
    /// A model on new data.
    Monitoring,
    /// A table.
    Description,
    /// The lattice of a context.
    Lattice,
    /// Questions about the implications of a domain.
    Exploration,
}

impl PageKind {
    #[cfg(test)]
    const ALL: [PageKind; 6] = [
        PageKind::Report,
        PageKind::Comparison,
        PageKind::Monitoring,
        PageKind::Description,
        PageKind::Lattice,
        PageKind::Exploration,
    ];

    fn script(self) -> String {
        compact(self.source())
    }

    fn source(self) -> &'static str {
        match self {
            PageKind::Report => script!(
                "exp.js",
                "values.js",
                "network.js",
                "score.js",
                "predict.js",
                "network_reasons.js",
                "sizes.js",
                "change.js",
                "answer.js",
                "curves.js",
                "threshold.js",
                "figures.js",
                "groups.js",
                "quality.js",
                "card.js",
                "points.js",
                "overlap.js",
                "dependence.js",
                "rule_table.js",
                "rules.js",
                "effects.js",
                "expressions.js",
                "form.js",
                "tryout.js",
                "bag_form.js",
                "individuals.js",
                "paste.js",
                "data.js",
                "limits.js",
                "csv.js",
                "tables.js",
                "save.js",
                "main.js",
            ),
            PageKind::Comparison => {
                script!("curves.js", "figures.js", "csv.js", "differences.js", "compare.js")
            }
            PageKind::Monitoring => {
                script!("figures.js", "data.js", "csv.js", "differences.js", "monitor.js")
            }
            PageKind::Description => script!("data.js", "csv.js", "describe.js"),
            PageKind::Lattice => script!(
                "csv.js",
                "lattice/names.js",
                "lattice/content.js",
                "lattice/view.js",
                "lattice/layout.js",
                "lattice/drawing.js",
                "lattice/files.js",
                "lattice/explorer.js",
            ),
            PageKind::Exploration => script!(
                "csv.js",
                "exploration/sets.js",
                "exploration/questions.js",
                "exploration/files.js",
                "exploration/session.js",
                "exploration/counterexample.js",
                "exploration/dialog.js",
                "exploration/progress.js",
                "exploration/start.js",
            ),
        }
    }

    fn style(self) -> &'static str {
        match self {
            PageKind::Lattice => LATTICE_STYLE,
            PageKind::Exploration => EXPLORATION_STYLE,
            _ => STYLE,
        }
    }
}

/// Returns a script without indentation and without comments that have lines of their own. No string of the
/// scripts spans several lines.
fn compact(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut is_comment = false;
    for line in source.lines().map(str::trim) {
        let starts = is_comment || line.starts_with("/**");
        let code = match line.split_once("*/") {
            Some((_, rest)) if is_comment => rest.trim_start(),
            Some((_, "")) if starts => "",
            None if starts => "",
            _ if line.starts_with("//") => "",
            _ => line,
        };
        is_comment = starts && !line.contains("*/");
        if !code.is_empty() {
            out += &without_casts(code);
            out.push('\n');
        }
    }
    out
}

/// Returns a line of code without the types of its expressions.
fn without_casts(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("/** @type ") {
        let Some((_, code)) = after.split_once("*/") else { break };
        out += before;
        rest = code.trim_start();
    }
    out + rest
}

/// Returns a page with this title that is drawn from this content.
pub(crate) fn page(kind: PageKind, title: &str, content: &Value) -> String {
    let (script, style) = (kind.script(), kind.style());
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        base64(&sha256(script.as_bytes())),
        base64(&sha256(style.as_bytes())),
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n\
         <style>{style}</style>\n</head>\n<body>\n<main id=\"page\">\n\
         <noscript>This report needs JavaScript. It loads nothing from the network.</noscript>\n\
         </main>\n<script type=\"application/json\" id=\"content\">{content}</script>\n\
         <script>{script}</script>\n</body>\n</html>\n",
        title = escaped(title),
        content = embedded(content),
    )
}

/// Returns JSON that can stand in a script element: it has no `<`, so it cannot end the element.
fn embedded(content: &Value) -> String {
    // Outside of strings JSON has none of these characters, and within strings an escape is the same text.
    let text = content.to_string().replace('<', "\\u003c");
    text.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_content_ends_the_script() {
        let hostile = "</script><script>alert(1)</script><!--";
        let page = page(PageKind::Report, hostile, &json!({ "name": hostile }));
        assert!(!page.contains("alert(1)</script>"), "{page}");
        assert_eq!(page.matches("</script>").count(), 2);
        assert_eq!(page.matches("<script").count(), 2);
        let text =
            page.split("id=\"content\">").nth(1).and_then(|rest| rest.split("</script>").next());
        let read: Value = serde_json::from_str(text.expect("the content")).expect("JSON");
        assert_eq!(read["name"], json!(hostile));
    }

    #[test]
    fn a_script_is_sent_without_comments() {
        let source = "// One.\n/** Two. @param {any} a */\nfunction f(a) {\n  /**\n   * Three.\n   */\n\n  \
                      /** @type {B} */ (a).b(); // Four.\n}\n";
        assert_eq!(compact(source), "function f(a) {\n(a).b(); // Four.\n}\n");
    }

    #[test]
    fn the_script_and_the_style_refer_to_nothing_outside() {
        let styles = [LATTICE_STYLE, EXPLORATION_STYLE].map(str::to_owned);
        for source in PageKind::ALL.map(PageKind::script).into_iter().chain(styles) {
            for outside in
                ["http:", "https:", "//cdn", "@import", "url(", "eval(", "innerHTML", "</"]
            {
                // Namespaces of SVG are names, not addresses.
                let source = source.replace("http://www.w3.org/2000/svg", "");
                assert!(!source.contains(outside), "{outside}");
            }
        }
        for kind in PageKind::ALL {
            let bytes = kind.script().len() + kind.style().len();
            assert!(bytes < 170_000, "{kind:?}: {bytes}");
        }
    }
}
