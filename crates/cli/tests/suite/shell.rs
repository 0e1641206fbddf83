//! What a shell, a manual and a newcomer see of the command.

use crate::support::{Folder, done, pellucid, run_with, stderr, stdout};
use pellucid::registry::Registry;
use std::collections::BTreeSet;

/// The commands below one, by its help.
fn below(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    listed
        .take_while(|line| !line.is_empty())
        // A line further in goes on with the one above.
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = done(["completions", shell], "");
        for word in ["evaluate", "hypotheses", "multiplexer", "implications"] {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
    }
}

#[test]
fn manual_pages_are_written() {
    let folder = Folder::new();
    let man = folder.at("deep/man");
    let output = run_with(&mut pellucid(["man", &man]), b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("pellucid.1"), "{}", stderr(&output));
    for (page, word) in [
        ("pellucid", "evaluate"),
        ("pellucid-evaluate", "hypotheses"),
        ("pellucid-generate-bags", "planted"),
    ] {
        let text = std::fs::read_to_string(folder.at(&format!("deep/man/{page}.1"))).expect(page);
        assert!(text.starts_with(".ie") && text.contains(".TH"), "{page} is no manual page");
        assert!(text.contains(word), "{page} does not mention {word}");
    }
}

#[test]
fn help_fits_on_a_narrow_terminal() {
    let (mut commands, mut done_with) = (vec![Vec::new()], Vec::new());
    while let Some(command) = commands.pop() {
        for flag in ["--help", "-h", "--help-all"] {
            let help = done(command.iter().map(String::as_str).chain([flag]), "");
            assert!(help.contains("Usage: pellucid"), "{help}");
            for line in help.lines() {
                assert!(line.chars().count() <= 80, "{command:?} {flag}: {line}");
            }
            if flag == "--help" {
                let more = below(&help).into_iter();
                commands.extend(more.map(|name| [&command[..], &[name]].concat()));
            }
        }
        done_with.push(command.join(" "));
    }
    for known in ["", "man", "learn network", "cv logic", "generate multiplexer"] {
        assert!(done_with.iter().any(|command| command == known), "{done_with:?}");
    }
}

/// Every command, the empty one first.
fn all_commands() -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut next = 0;
    while let Some(command) = commands.get(next).cloned() {
        let help = done(command.iter().map(String::as_str).chain(["--help"]), "");
        let more = below(&help).into_iter();
        commands.extend(more.map(|name| [&command[..], &[name]].concat()));
        next += 1;
    }
    commands
}

#[test]
fn short_help_fits_on_a_screen_and_has_an_example() {
    for command in all_commands() {
        let name = command.join(" ");
        for columns in ["80", "100"] {
            let mut short = pellucid(command.iter().map(String::as_str).chain(["-h"]));
            let help = stdout(&run_with(short.env("COLUMNS", columns), b""));
            let lines = help.lines().count();
            assert!(lines <= 40, "'{name} -h' has {lines} lines at {columns} columns:\n{help}");
            let widest = help.lines().map(|line| line.chars().count()).max();
            assert!(widest <= columns.parse().ok(), "{name}: {widest:?} columns:\n{help}");
            let example = format!("\n  pellucid {name}");
            assert!(help.contains(example.trim_end()), "no example of '{name}':\n{help}");
        }
    }
}

#[test]
fn long_help_has_the_flags_of_short_help_and_says_more() {
    let flags = |help: &str| -> Vec<String> {
        let starts = help.lines().filter(|line| line.trim_start().starts_with('-'));
        let words = starts.flat_map(str::split_whitespace).filter(|word| word.starts_with("--"));
        words.map(|word| word.trim_end_matches(',').to_owned()).collect()
    };
    for command in all_commands() {
        let [short, long] =
            ["-h", "--help"].map(|flag| done(command.iter().map(String::as_str).chain([flag]), ""));
        let all = flags(&long);
        assert!(flags(&short).iter().all(|flag| all.contains(flag)), "{command:?}:\n{long}");
        // Flags that only few people need are in the long help.
        if ["learn rules", "predict", "lattice"].contains(&&*command.join(" ")) {
            assert!(all.len() > flags(&short).len() + 5, "{command:?}:\n{short}");
        }
    }
}

#[test]
fn all_help_has_every_flag_and_every_detail() {
    for command in all_commands() {
        let [long, all] = ["--help", "--help-all"]
            .map(|flag| done(command.iter().map(String::as_str).chain([flag]), ""));
        let flags = |help: &str| -> BTreeSet<String> {
            let words = help.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
            words.filter(|word| word.starts_with("--")).map(str::to_owned).collect()
        };
        let missing: Vec<String> = flags(&long).difference(&flags(&all)).cloned().collect();
        assert!(missing.is_empty(), "{command:?} --help-all lacks {missing:?}");
        assert!(all.contains(&format!("Usage: pellucid {}", command.join(" "))), "{all}");
    }
    let [listed, all] = ["--help", "--help-all"].map(|flag| done(["learn", "rules", flag], ""));
    assert!(listed.lines().count() + 50 < all.lines().count(), "{listed}");
    assert!(done(["--help-all"], "").contains("Usage: pellucid generate multiplexer"));
    assert_eq!(done(["help", "learn", "rules"], ""), listed);
}

#[test]
fn the_help_of_evaluate_is_correct() {
    let help = done(["evaluate", "--help"], "");
    let folder = Folder::new();
    let people = folder
        .file("people.csv", "age,colour,smoker,class\n30,red,true,0\n50,'dark blue',false,1\n");
    let shown: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Expressions:")
        .filter_map(|line| line.strip_prefix("  ")?.split("  ").next())
        .filter(|line| ["age ", "40 <= age", "colour "].iter().any(|start| line.starts_with(start)))
        .collect();
    assert_eq!(shown.len(), 3, "{help}");
    done(["evaluate", &people, "--hypotheses", "-"], &shown.join("\n"));
    assert!(help.contains("smoker = 'true'"));
    let answer = done(["evaluate", &people, "--hypotheses", "-"], "smoker = 'true'\n");
    assert_eq!(answer, "{\"line\":1,\"counts\":{\"0\":1,\"1\":0},\"nodes\":3}\n");
    let family = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/family.ttl");
    let classes: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("For an ontology"))
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split("  ").next())
        .collect();
    assert_eq!(classes.len(), 5, "{help}");
    done(["evaluate", family, "--hypotheses", "-"], &classes.join("\n"));
}

#[test]
fn version_names_the_instruction_set() {
    let version = |level: &str| {
        let output = run_with(pellucid(["--version"]).env("PELLUCID_SIMD", level), b"");
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(version("portable"), format!("pellucid {} (portable)\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(version("scalar"), format!("pellucid {} (scalar)\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_starts_with_a_summary_of_the_learner() {
    let list = done(["learn", "--help"], "");
    for learner in Registry::standard().iter().map(|learner| learner.name()) {
        let line = list.lines().find_map(|line| line.trim().strip_prefix(learner)).expect("a line");
        for command in ["learn", "cv"] {
            let help = done([command, learner, "--help"], "");
            let about = help.lines().next().expect("a line");
            assert!(about.starts_with(line.trim()), "{command} {learner}: {about}");
        }
    }
}
