//! Functions of the standard library whose last digits depend on the system.
//!
//! `f64::ln` and its relatives call the library of the system, so a model could differ between Linux and
//! macOS. The functions of `libm` return the same bits everywhere. Tests may use either.

use crate::files::with_extensions;
use anyhow::{Result, ensure};

/// The functions whose results are not specified to the last bit. Roots and roundings are.
const DEPENDENT: [&str; 25] = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp",
    "exp2", "exp_m1", "hypot", "ln", "ln_1p", "log", "log10", "log2", "powf", "sin", "sin_cos",
    "sinh", "tan", "tanh",
];

/// Fails with a list of the calls outside tests and measurements.
pub(crate) fn check() -> Result<()> {
    let is_product = |path: &str| {
        path.starts_with("crates/")
            && path.contains("/src/")
            && !path.starts_with("crates/bench/")
            && !path.ends_with("tests.rs")
            && !path.contains("/tests/")
    };
    let files = with_extensions(&["rs"])?;
    let findings: Vec<String> = files
        .iter()
        .filter(|file| is_product(&file.path))
        .flat_map(|file| {
            calls(&file.text).map(|(line, name)| format!("{}:{line}: {name}", file.path))
        })
        .collect();
    ensure!(
        findings.is_empty(),
        "the last digits of these functions depend on the system; those of `libm` do not:\n{}",
        findings.join("\n")
    );
    Ok(())
}

/// Returns the lines before the tests that call one of the functions, and which.
fn calls(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let product = source.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code = product.lines().map(|line| line.split("//").next().unwrap_or_default());
    (1..).zip(code).flat_map(|(line, code)| {
        let called = code.match_indices('(').filter_map(|(end, _)| {
            let before = code[..end]
                .trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
            let name = &code[before.len()..end];
            let is_method =
                (before.ends_with('.') && !before.ends_with("math.")) || before.ends_with("f64::");
            (is_method && DEPENDENT.contains(&name)).then_some(name)
        });
        called.map(move |name| (line, name))
    })
}

#[test]
fn calls_of_the_systems_functions_are_found() {
    let source = "let a = x.ln() + libm::exp(y) + f64::powf(x, 2.0);\n\
                  math.exp(exported to Python)\n\
                  // x.ln()\n\
                  let b = (-x).exp().sqrt();\n\
                  #[cfg(test)]\nmod tests {\n    let c = x.ln();\n}\n";
    assert_eq!(calls(source).collect::<Vec<_>>(), [(1, "ln"), (1, "powf"), (4, "exp")]);
}
