//! The software bill of materials: the crates in the released binaries, as CycloneDX 1.5 in JSON.

use super::Outcome;
use super::notes::version;
use crate::tools::{self, root};
use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The packages that are released.
const RELEASED: [&str; 2] = ["pellucid-cli", "pellucid-python"];

/// Writes the bill of materials from what cargo and its lock file say.
pub(super) fn write(out: &Path) -> Result<Outcome<()>> {
    let metadata = tools::output("cargo", &["metadata", "--format-version", "1", "--locked"])?;
    let lock = std::fs::read_to_string(root().join("Cargo.lock"))?;
    let date =
        tools::output("git", &["log", "-1", "--format=%cd", "--date=format:%Y-%m-%dT%H:%M:%SZ"])?;
    let bill =
        bill(&serde_json::from_str(&metadata)?, &checksums(&lock), date.trim(), &version()?)?;
    let parts = bill["components"].as_array().map_or(0, Vec::len);
    std::fs::write(out.join("pellucid.cdx.json"), format!("{bill:#}\n"))?;
    Ok(Outcome::done(format!("pellucid.cdx.json: {parts} crates")))
}

/// Returns the checksum of each package by its name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let field = |entry: &str, name: &str| {
        let start = format!("{name} = \"");
        let value = entry.lines().find_map(|line| line.strip_prefix(&start)?.strip_suffix('"'));
        value.map(str::to_owned)
    };
    let each = lock.split("[[package]]").filter_map(|entry| {
        Some(((field(entry, "name")?, field(entry, "version")?), field(entry, "checksum")?))
    });
    each.collect()
}

fn bill(
    metadata: &Value,
    checksums: &BTreeMap<(String, String), String>,
    date: &str,
    version: &str,
) -> Result<Value> {
    let packages: BTreeMap<&str, &Value> = list(&metadata["packages"])
        .iter()
        .filter_map(|one| Some((one["id"].as_str()?, one)))
        .collect();
    let linked = linked(metadata, &packages)?;
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    for (id, needed) in &linked {
        let package = packages.get(id).context("a package that is not listed")?;
        components.push(component(package, checksums)?);
        let needed: BTreeSet<String> = needed
            .iter()
            .filter_map(|id| packages.get(id))
            .map(|package| reference(package))
            .collect();
        dependencies.push(json!({"ref": reference(package), "dependsOn": needed}));
    }
    let by =
        |key: &'static str| move |one: &Value| one[key].as_str().unwrap_or_default().to_owned();
    components.sort_by_key(by("bom-ref"));
    dependencies.sort_by_key(by("ref"));
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": date,
            "component": {
                "type": "application",
                "name": "pellucid",
                "version": version,
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
            },
        },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// Returns the packages that are linked into what is released, each with those that it needs. Packages for
/// tests and build scripts are not part of a binary.
fn linked<'a>(
    metadata: &'a Value,
    packages: &BTreeMap<&'a str, &'a Value>,
) -> Result<BTreeMap<&'a str, Vec<&'a str>>> {
    let nodes: BTreeMap<&str, &Value> = list(&metadata["resolve"]["nodes"])
        .iter()
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let is_released = |package: &Value| RELEASED.iter().any(|name| package["name"] == *name);
    let mut next: Vec<&str> =
        packages.iter().filter(|(_, package)| is_released(package)).map(|(id, _)| *id).collect();
    ensure!(next.len() == RELEASED.len(), "cargo metadata does not list {RELEASED:?}");
    let mut found = BTreeMap::new();
    while let Some(id) = next.pop() {
        if found.contains_key(id) {
            continue;
        }
        let node =
            nodes.get(id).with_context(|| format!("cargo metadata does not resolve {id}"))?;
        let is_normal =
            |one: &&Value| list(&one["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
        let needed: Vec<&str> = list(&node["deps"])
            .iter()
            .filter(is_normal)
            .filter_map(|one| one["pkg"].as_str())
            .collect();
        next.extend(&needed);
        found.insert(id, needed);
    }
    Ok(found)
}

fn component(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Result<Value> {
    let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let (name, version, reference) = (text("name"), text("version"), reference(package));
    // Older manifests separate alternatives by a slash.
    let license = text("license").replace('/', " OR ");
    let license = license.split_whitespace().collect::<Vec<_>>().join(" ");
    ensure!(!license.is_empty(), "{name} {version} declares no license");
    let mut component = json!({
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": version,
        "purl": reference,
        "licenses": [{"expression": license}],
    });
    if let Some(sum) = checksums.get(&(name, version)) {
        component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
    }
    Ok(component)
}

/// Returns the address of a package, as other tools write it.
fn reference(package: &Value) -> String {
    let text = |key: &str| package[key].as_str().unwrap_or_default();
    format!("pkg:cargo/{}@{}", text("name"), text("version"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str) -> Value {
        json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT / Apache-2.0"})
    }

    fn metadata() -> Value {
        let normal = |name: &str| json!({"pkg": name, "dep_kinds": [{"kind": null}]});
        let test = json!({"pkg": "proptest", "dep_kinds": [{"kind": "dev"}]});
        let packages = ["pellucid-cli", "pellucid-python", "clap", "proptest"].map(package);
        json!({
            "packages": packages,
            "resolve": {"nodes": [
                {"id": "pellucid-cli", "deps": [normal("clap"), test]},
                {"id": "pellucid-python", "deps": [normal("pellucid-cli")]},
                {"id": "clap", "deps": []},
            ]},
        })
    }

    #[test]
    fn crates_of_binaries_are_listed_and_those_of_tests_are_not() {
        let lock = "[[package]]\nname = \"clap\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n\n\
                    [[package]]\nname = \"pellucid-cli\"\nversion = \"1.0.0\"\n";
        let bill =
            bill(&metadata(), &checksums(lock), "2026-01-31T00:00:00Z", "1.0.0").expect("a bill");
        let names: Vec<&str> =
            list(&bill["components"]).iter().filter_map(|one| one["name"].as_str()).collect();
        assert_eq!(names, ["clap", "pellucid-cli", "pellucid-python"]);
        assert_eq!(bill["components"][0]["hashes"][0]["content"], "abc");
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["dependencies"][1]["dependsOn"], json!(["pkg:cargo/clap@1.0.0"]));
    }

    #[test]
    fn a_crate_without_a_license_is_refused() {
        let mut metadata = metadata();
        metadata["packages"][2]["license"] = Value::Null;
        let error =
            bill(&metadata, &BTreeMap::new(), "", "1.0.0").expect_err("no license").to_string();
        assert_eq!(error, "clap 1.0.0 declares no license");
    }
}
