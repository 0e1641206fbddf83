//! Commands to interrupt, and their expected output.

use crate::Options;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The instruction sets that a run may be resumed under.
const LEVELS: [&str; 4] = ["scalar", "portable", "avx2", "avx512"];

/// A temporary folder with data, and the command to run in it.
#[derive(Debug)]
pub(crate) struct Sandbox {
    pub(crate) folder: tempfile::TempDir,
    pellucid: PathBuf,
    /// The instruction sets that this CPU supports.
    pub(crate) levels: Vec<&'static str>,
}

/// A command that trains a model, long enough to be interrupted.
#[derive(Clone, Debug)]
pub(crate) struct TrainingCommand {
    pub(crate) name: &'static str,
    words: Vec<String>,
}

/// A command that writes a file.
#[derive(Clone, Debug)]
pub(crate) struct WriteCommand {
    pub(crate) file: &'static str,
    words: Vec<String>,
}

impl Sandbox {
    pub(crate) fn new(options: &Options) -> Result<Sandbox> {
        let pellucid = options.pellucid.clone();
        ensure!(pellucid.exists(), "cannot find {}; build it first", pellucid.display());
        let mut sandbox = Sandbox { folder: tempfile::tempdir()?, pellucid, levels: Vec::new() };
        let made = [
            "generate bags --bags 120 --noise 0.3 --seed 3 --out bags.csv",
            "generate context --objects 40 --attributes 40 --density 0.3 --out c.cxt",
            "generate context --objects 200 --density 0.02 --graph chung-lu --out g.pairs",
        ];
        for words in made {
            sandbox.done(&words.split(' ').collect::<Vec<_>>())?;
        }
        for (name, text) in ["twins.ttl", "positive.txt", "negative.txt"].iter().zip(twins()) {
            std::fs::write(sandbox.at(name), text)?;
        }
        std::fs::write(sandbox.at("true.txt"), "true\n")?;
        sandbox.done(&["generate", "multiplexer", "--out", "m.csv"])?;
        std::fs::write(sandbox.at("mixed.csv"), mixed())?;
        for level in LEVELS {
            let mut probe = sandbox.command(&["evaluate", "m.csv", "--hypotheses", "true.txt"]);
            if probe.env("PELLUCID_SIMD", level).output()?.status.success() {
                sandbox.levels.push(level);
            }
        }
        Ok(sandbox)
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the command, to be run in the folder.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        self.within(&[], words)
    }

    /// Returns the command, to be started by other commands such as `strace`.
    pub(crate) fn within(&self, others: &[&str], words: &[&str]) -> Command {
        let program = self.pellucid.to_str().unwrap_or_default();
        let all: Vec<&str> = others.iter().chain([&program]).chain(words).copied().collect();
        let mut command = Command::new(all[0]);
        command.args(&all[1..]).current_dir(self.folder.path()).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::piped()).env_remove("PELLUCID_SIMD");
        command
    }

    fn done(&self, words: &[&str]) -> Result<()> {
        let output = self.command(words).output()?;
        ensure!(output.status.success(), "{words:?}: {}", stderr_line(&output));
        Ok(())
    }

    /// Returns the training commands.
    pub(crate) fn training_commands(&self) -> Vec<TrainingCommand> {
        let all = [
            (
                "g3p-mi",
                "learn rules bags.csv --bag bag --mode g3p-mi --population 150 --generations 120",
            ),
            (
                "pareto",
                "learn rules bags.csv --bag bag --mode pareto --population 60 --generations 40",
            ),
            ("default", "learn rules bags.csv --bag bag --most-rules 6 --no-inner-folds"),
            (
                "classes",
                "learn rules mixed.csv --target class --ignore amount --most-rules 4 --no-inner-folds",
            ),
            (
                "number",
                "learn rules mixed.csv --target amount --ignore class --task number --most-rules 6 \
                 --no-inner-folds",
            ),
            (
                "list",
                "learn rules mixed.csv --target class --ignore amount --mode list --most-rules 6 \
                 --no-inner-folds",
            ),
            ("xcs", "learn xcs m.csv --iterations 40000 --population 300 --no-inner-folds"),
            (
                "intervals",
                "learn xcs mixed.csv --target class --ignore amount --iterations 25000 --population 300 \
                 --no-inner-folds",
            ),
            (
                "reward",
                "learn xcs m.csv --mode reward --iterations 25000 --population 300 --no-inner-folds",
            ),
            (
                "network",
                "learn network mixed.csv --target class --ignore amount --drop-class rare --rounds 20 \
                 --generations 20 --no-inner-folds",
            ),
            (
                "paper",
                "learn network mixed.csv --target class --ignore amount --drop-class rare --mode paper \
                 --generations 60 --no-inner-folds",
            ),
            (
                "evolve",
                "learn logic twins.ttl --positive positive.txt --negative negative.txt --method evolve \
                 --max-hypotheses 30000",
            ),
            (
                "refine",
                "learn logic twins.ttl --positive positive.txt --negative negative.txt --method refine \
                 --max-hypotheses 20000",
            ),
        ];
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        all.map(|(name, text)| TrainingCommand { name, words: words(text) }).to_vec()
    }

    /// Returns commands that write one file each.
    pub(crate) fn write_commands(&self) -> Vec<WriteCommand> {
        let all = [
            ("t.csv", "generate table --rows 4000 --out"),
            ("t.arff.gz", "generate table --rows 4000 --out"),
            ("t.parquet", "generate table --rows 4000 --out"),
            ("r.cxt", "generate context --objects 300 --out"),
            ("l.txt", "concepts c.cxt --threads 1 --out"),
            ("l.bin", "concepts c.cxt --threads 1 --format binary --out"),
            ("w.csv", "concepts c.cxt --count --write"),
            ("i.txt", "implications c.cxt --max 500 --out"),
            ("l.json", "lattice c.cxt --min-support 4 --json"),
            ("l.svg", "lattice c.cxt --min-support 8 --svg"),
            ("k.csv", "cluster g.pairs --starts 1 --format csv --out"),
            ("k.svg", "cluster g.pairs --starts 1 --format csv --svg"),
        ];
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        all.map(|(file, text)| WriteCommand { file, words: words(text) }).to_vec()
    }

    /// Returns the model of an uninterrupted run.
    pub(crate) fn reference_model(&self, training: &TrainingCommand) -> Result<Vec<u8>> {
        let out = format!("{}.whole.json", training.name);
        let words = training.words(&["--out", &out, "--force", "--quiet"]);
        self.done(&words.iter().map(String::as_str).collect::<Vec<_>>())?;
        Ok(std::fs::read(self.at(&out))?)
    }

    /// Returns the file that an uninterrupted command writes.
    pub(crate) fn reference_file(&self, command: &WriteCommand) -> Result<Vec<u8>> {
        let words = command.words();
        self.done(&words)?;
        std::fs::read(self.at(command.file)).with_context(|| command.file.to_owned())
    }

    /// Returns the unfinished temporary files in the folder.
    pub(crate) fn unfinished(&self) -> Vec<String> {
        unfinished(self.folder.path())
    }
}

/// Returns the unfinished temporary files in a folder.
pub(crate) fn unfinished(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".unfinished")).collect()
}

impl TrainingCommand {
    /// Returns the arguments, with some more appended.
    pub(crate) fn words(&self, more: &[&str]) -> Vec<String> {
        self.words.iter().cloned().chain(more.iter().map(|&word| word.to_owned())).collect()
    }
}

impl WriteCommand {
    pub(crate) fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).chain([self.file]).collect()
    }
}

/// Returns the standard error of a command in one line.
pub(crate) fn stderr_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().replace('\n', " | ")
}

/// Returns an ontology, its positive and its negative individuals. Individuals come in
/// indistinguishable pairs of one positive and one negative, so that a search does not end early.
fn twins() -> [String; 3] {
    let mut ontology = "@prefix : <http://pellucid.example/twins#> .\n".to_owned();
    let (mut positive, mut negative) = (String::new(), String::new());
    for number in 0..60 {
        let pair = number / 2;
        let (class, value, other) = (["A", "B", "C"][pair % 3], pair % 7, (2 * pair + 10) % 60);
        ontology += &format!(":p{number} a :{class} ; :knows :p{other} ; :size {value} .\n");
        let list = if number % 2 == 0 || number % 7 == 0 { &mut positive } else { &mut negative };
        *list += &format!("p{number}\n");
    }
    [ontology, positive, negative]
}

/// Returns a table of numbers and text with missing values, three classes, one of them rare, and a
/// number to predict. Some labels are wrong, so that training takes a while.
fn mixed() -> String {
    let mut text = String::from("size,weight,colour,class,amount\n");
    for row in 0..160_u32 {
        let (size, weight) = (row * 37 % 101, row * 53 % 89);
        let colour = ["red", "green", "", "blue"][(row * 7 % 11 % 4) as usize];
        let high = (size > 50) != (weight > 60 && colour != "red");
        let is_wrong = row * 29 % 17 == 0;
        let class =
            if row % 40 == 7 { "rare" } else { ["low", "high"][usize::from(high != is_wrong)] };
        let weight_cell = if row % 11 == 3 { String::new() } else { format!("{weight}.5") };
        let amount = size + 10 * u32::from(high) + row * 29 % 17;
        text += &format!("{size},{weight_cell},{colour},{class},{amount}.25\n");
    }
    text
}
