//! The frame of a page: its head with the content security policy, the data, the script and the style.

use super::sha256::{base64, sha256};
use pellucid_export::xml::escaped;
use serde_json::Value;

const STYLE: &str = concat!(include_str!("base.css"), include_str!("parts.css"));

/// The script, in the order in which its parts depend on each other.
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("text.js"),
    include_str!("dom.js"),
    include_str!("exp.js"),
    include_str!("score.js"),
    include_str!("change.js"),
    include_str!("plot.js"),
    include_str!("answer.js"),
    include_str!("curves.js"),
    include_str!("threshold.js"),
    include_str!("quality.js"),
    include_str!("points.js"),
    include_str!("rules.js"),
    include_str!("effects.js"),
    include_str!("form.js"),
    include_str!("tryout.js"),
    include_str!("paste.js"),
    include_str!("data.js"),
    include_str!("limits.js"),
    include_str!("save.js"),
    include_str!("main.js"),
);

/// Returns a page with this title that is drawn from this content.
pub(super) fn page(title: &str, content: &Value) -> String {
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        base64(&sha256(SCRIPT.as_bytes())),
        base64(&sha256(STYLE.as_bytes())),
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}: Pellucid report</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main id=\"page\">\n\
         <noscript>This report needs JavaScript. It loads nothing from the network.</noscript>\n\
         </main>\n<script type=\"application/json\" id=\"content\">{content}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n",
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
        let page = page(hostile, &json!({ "name": hostile }));
        assert!(!page.contains("alert(1)</script>"), "{page}");
        assert_eq!(page.matches("</script>").count(), 2);
        assert_eq!(page.matches("<script").count(), 2);
        let text =
            page.split("id=\"content\">").nth(1).and_then(|rest| rest.split("</script>").next());
        let read: Value = serde_json::from_str(text.expect("the content")).expect("JSON");
        assert_eq!(read["name"], json!(hostile));
    }

    #[test]
    fn the_script_and_the_style_refer_to_nothing_outside() {
        for source in [SCRIPT, STYLE] {
            for outside in
                ["http:", "https:", "//cdn", "@import", "url(", "eval(", "innerHTML", "</"]
            {
                // Namespaces of SVG are names, not addresses.
                let source = source.replace("http://www.w3.org/2000/svg", "");
                assert!(!source.contains(outside), "{outside}");
            }
        }
        assert!(SCRIPT.len() + STYLE.len() < 140_000, "{}", SCRIPT.len() + STYLE.len());
    }
}
