//! `cargo xtask ptx`: for every kernel source `gpu/kernels/NAME.cu` of a crate there is
//! `gpu/generated/NAME.ptx`, which the binary carries.
//!
//! Who builds the project needs no compiler of NVIDIA's, because the PTX is kept with its source. Its first
//! line names the source's hash and the compiler, so that a test without any compiler sees when the two have
//! drifted apart.

use crate::tools::{self, need, output};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// The oldest of the 12 series: its PTX (8.0) is understood by every driver since CUDA 12.0.
const NVRTC: &str = "12.0.140";
/// Every GPU since Turing, unless the source's first line names a later generation.
const ARCHITECTURE: &str = "compute_75";
/// How the first line of a source names the generation of GPUs that it needs.
const NAMED: &str = "// Architecture: ";
/// No fast mathematics: it would flush denormals, and comparisons would change.
const OPTIONS: [&str; 2] = ["-default-device", "--std=c++17"];

/// Writes the PTX of every kernel source.
pub(crate) fn write() -> Result<()> {
    let python = compiler()?;
    for source in all_sources()? {
        let target = target_of(&source);
        std::fs::write(&target, compile(&python, &source)?)
            .with_context(|| target.display().to_string())?;
        eprintln!("{}", target.display());
    }
    Ok(())
}

/// Compiles every kernel source again, and fails where the PTX beside it is not exactly that.
pub(crate) fn check() -> Result<()> {
    let python = compiler()?;
    for source in all_sources()? {
        let target = target_of(&source);
        let kept = std::fs::read_to_string(&target).unwrap_or_default();
        let same = kept == compile(&python, &source)?;
        ensure!(
            same,
            "{} is not what its source compiles to: run cargo xtask ptx",
            target.display()
        );
    }
    Ok(())
}

/// The kernel sources of all crates, in order.
fn all_sources() -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(tools::root().join("crates"))? {
        let folder = entry?.path().join("src/gpu/kernels");
        folders.extend(folder.is_dir().then_some(folder));
    }
    folders.sort();
    let mut all = Vec::new();
    for folder in folders {
        all.extend(sources(&folder)?);
    }
    Ok(all)
}

/// Where the PTX of a source goes: apart from what people write.
fn target_of(source: &Path) -> PathBuf {
    let generated = folder(source).with_file_name("generated");
    generated.join(source.file_name().unwrap_or_default()).with_extension("ptx")
}

/// The kernel sources of a folder, in order.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "cu") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A Python that has NVRTC, made on first use.
fn compiler() -> Result<String> {
    need("python3", &["-m", "ensurepip", "--version"], "python3-venv")?;
    let environment = tools::root().join(format!("target/nvrtc-{NVRTC}"));
    let python = environment.join("bin/python").display().to_string();
    if !Path::new(&python).exists() {
        tools::run("python3", &["-m", "venv", &environment.display().to_string()], &[])?;
    }
    let wheel = format!("nvidia-cuda-nvrtc-cu12=={NVRTC}");
    tools::run(&python, &["-m", "pip", "install", "--quiet", &wheel], &[])?;
    Ok(python)
}

fn compile(python: &str, source: &Path) -> Result<String> {
    let text = with_headers(source)?;
    let script = tools::root().join("xtask/nvrtc.py").display().to_string();
    let path = source.display().to_string();
    let named = text.lines().next().and_then(|line| line.strip_prefix(NAMED));
    let architecture = format!("--gpu-architecture={}", named.unwrap_or(ARCHITECTURE));
    let headers = format!("--include-path={}", folder(source).display());
    let shared = format!("--include-path={}", shared_headers().display());
    let options = [script.as_str(), &path, &architecture, &headers, &shared];
    let ptx = output(python, &[&options[..], &OPTIONS[..]].concat())?;
    Ok(format!("{}\n{ptx}", first_line(source, &text)))
}

fn folder(source: &Path) -> &Path {
    source.parent().unwrap_or(Path::new("."))
}

/// Where headers are that the kernels of several crates include.
fn shared_headers() -> PathBuf {
    tools::root().join("crates/emulator/include")
}

/// A source, and behind it the headers that it includes, of its folder or of all crates.
fn with_headers(source: &Path) -> Result<String> {
    let read =
        |path: &Path| std::fs::read_to_string(path).with_context(|| path.display().to_string());
    let mut text = read(source)?;
    let included =
        |line: &str| line.strip_prefix("#include \"")?.strip_suffix('"').map(String::from);
    for header in text.lines().filter_map(included).collect::<Vec<_>>() {
        let own = folder(source).join(&header);
        text += &read(&if own.exists() { own } else { shared_headers().join(&header) })?;
    }
    Ok(text)
}

/// What the PTX of this source begins with.
fn first_line(source: &Path, text: &str) -> String {
    let name = source.file_name().unwrap_or_default().display();
    format!("// {name} {:016x} nvrtc {NVRTC}", fnv1a(text.as_bytes()))
}

/// FNV-1a on 64 bits.
fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong with the PTX of some sources.
    fn complaints(sources: Vec<PathBuf>) -> Vec<String> {
        let mut complaints = Vec::new();
        for source in sources {
            let wanted = first_line(&source, &with_headers(&source).unwrap());
            let ptx = std::fs::read_to_string(target_of(&source));
            let wrong = match ptx.as_ref().map(|ptx| ptx.lines().next().unwrap_or_default()) {
                Err(_) => "has no PTX".to_owned(),
                Ok(found) if found != wanted => {
                    format!("has changed: its PTX begins with {found:?} and not with {wanted:?}")
                }
                Ok(_) => continue,
            };
            complaints.push(format!("{} {wrong}; run cargo xtask ptx", source.display()));
        }
        complaints
    }

    #[test]
    fn every_kernel_has_the_ptx_of_its_source() {
        let sources = all_sources().unwrap();
        assert!(!sources.is_empty());
        let complaints = complaints(sources);
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }

    #[test]
    fn ptx_that_is_missing_or_old_is_seen() {
        let crate_folder = tempfile::tempdir().unwrap();
        let folder = crate_folder.path().join("kernels");
        std::fs::create_dir(&folder).unwrap();
        std::fs::create_dir(crate_folder.path().join("generated")).unwrap();
        let complaints = || complaints(sources(&folder).unwrap());
        let (source, ptx) = (folder.join("a.cu"), crate_folder.path().join("generated/a.ptx"));
        std::fs::write(&source, "first").unwrap();
        assert!(complaints()[0].contains("a.cu has no PTX; run cargo"));
        std::fs::write(&ptx, first_line(&source, "first") + "\n.version 8.0\n").unwrap();
        assert_eq!(complaints(), [""; 0]);
        std::fs::write(&source, "#include \"b.cuh\"\n").unwrap();
        std::fs::write(folder.join("b.cuh"), "header").unwrap();
        assert!(complaints()[0].contains("a.cu has changed: its PTX begins with"));
        let whole = "#include \"b.cuh\"\nheader";
        std::fs::write(&ptx, first_line(&source, whole) + "\n.version 8.0\n").unwrap();
        assert_eq!(complaints(), [""; 0]);
        std::fs::write(folder.join("b.cuh"), "another").unwrap();
        assert!(complaints()[0].contains("a.cu has changed: its PTX begins with"));
    }

    #[test]
    fn the_hash_is_fnv1a() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
