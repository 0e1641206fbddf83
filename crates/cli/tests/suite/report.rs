//! `pellucid report`, and `--report` of `learn` and `cv`.

use crate::support::{Folder, done, pellucid, run_with, stderr};

/// Returns a page after checks that hold for every report.
fn page(path: &str) -> String {
    let page = std::fs::read_to_string(path).expect("a report");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(page.contains("Content-Security-Policy"));
    assert_eq!(page.matches("<script").count(), 2);
    let sources = page.replace("http://www.w3.org/", "");
    let (script, _) = sources.rsplit_once("</script>").expect("a script");
    assert!(!script.rsplit("<script>").next().expect("a script").contains("http"));
    assert!(page.len() < 300_000, "{} bytes", page.len());
    page
}

/// Returns rows of two classes, or of a number.
fn table(number: bool) -> String {
    let mut text = "age,color,outcome\n".to_owned();
    for row in 0..90_u32 {
        let (age, color) = (20 + (row * 7) % 60, ["red", "blue", "green"][(row % 3) as usize]);
        let is_positive = age > 50 || (color == "red" && row % 2 == 0);
        let outcome = match number {
            true => (2 * age + row % 5).to_string(),
            false => if is_positive { "yes" } else { "no" }.to_owned(),
        };
        text += &format!("{age},{color},{outcome}\n");
    }
    text
}

#[test]
fn every_learner_has_a_report() {
    let folder = Folder::new();
    let data = folder.file("people.csv", table(false));
    for (learner, kind) in [("rules", "rules"), ("xcs", "rules"), ("network", "network")] {
        let (model, report) =
            (folder.at(&format!("{learner}.json")), folder.at(&format!("{learner}.html")));
        let mut learn = vec!["learn", learner, &data, "--target", "outcome", "--quiet"];
        learn.extend(["--out", &model, "--report", &report]);
        if learner == "xcs" {
            learn.extend(["--iterations", "2000"]);
        }
        done(learn, "");
        let learned = page(&report);
        assert!(learned.contains("\"kind\":\"folds\""), "held-out figures of {learner}");
        assert!(learned.contains(&format!("\"kind\":\"{kind}\"")), "{learner}");
        // From the model file: with and without data.
        done(["report", &model, "--out", &report], "");
        assert!(!page(&report).contains("\"evaluation\""));
        done(["report", &model, &data, "--out", &report], "");
        assert!(page(&report).contains("\"training\":true"), "the training data is recognized");
    }
}

#[test]
fn class_expressions_have_a_report() {
    let folder = Folder::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let (ontology, problem) = (format!("{root}/family.ttl"), format!("{root}/uncle.json"));
    let (model, report) = (folder.at("uncle.json"), folder.at("uncle.html"));
    let learn = ["learn", "logic", &ontology, "--problem", &problem, "--out", &model];
    done(learn.into_iter().chain(["--quiet", "--report", &report]), "");
    let learned = page(&report);
    assert!(learned.contains("\"kind\":\"expressions\""));
    assert!(learned.contains("\"english\":") && learned.contains("\"instances\":{"));
    let again = ["report", &model, &ontology, "--problem", &problem, "--out", &report];
    done(again, "");
    page(&report);
}

#[test]
fn a_scorecard_has_its_points_and_risks_in_the_report() {
    let folder = Folder::new();
    let data = folder.file("people.csv", table(false));
    let (model, report) = (folder.at("card.json"), folder.at("card.html"));
    let learn = ["learn", "rules", &data, "--target", "outcome", "--mode", "scorecard", "--quiet"];
    let text = done(learn.into_iter().chain(["--out", &model, "--report", &report]), "");
    let page = page(&report);
    // The page has a card for every size; the smallest has no points.
    assert!(page.contains("\"card\":{") && page.contains("\"groups\":[[["), "points");
    // The same sentence as in the text, whose lines are wrapped.
    let how = "Add the points of the lines that apply, one in each group: 0 to ";
    assert!(page.contains(how) && text.contains(how), "{text}");
}

#[test]
fn groups_of_a_training_run_have_their_own_figures() {
    let folder = Folder::new();
    let lines = table(false);
    let with_ward = |(row, line): (usize, &str)| match row {
        0 => format!("{line},ward\n"),
        row => format!("{line},{}\n", ["north", "south", "east", "west", "old"][row % 5]),
    };
    let text: String = lines.lines().enumerate().map(with_ward).collect();
    let data = folder.file("wards.csv", text);
    let (model, report) = (folder.at("model.json"), folder.at("report.html"));
    let learn = ["learn", "rules", &data, "--target", "outcome", "--groups", "ward", "--quiet"];
    done(learn.into_iter().chain(["--out", &model, "--report", &report]), "");
    let page = page(&report);
    assert!(page.contains("\"groups\":{\"column\":\"ward\","), "figures by group");
    for ward in ["north", "south", "east", "west", "old"] {
        assert!(page.contains(&format!("\"name\":\"{ward}\"")), "{ward}");
    }
}

#[test]
fn a_watched_run_is_lines_without_a_terminal() {
    let folder = Folder::new();
    let data = folder.file("people.csv", table(false));
    let model = folder.at("model.json");
    let learn = ["learn", "xcs", &data, "--target", "outcome", "--iterations", "2000", "--watch"];
    let output = run_with(&mut pellucid(learn.into_iter().chain(["--out", &model])), b"");
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("xcs: step ")).collect();
    assert!(lines.len() >= 2, "{text}");
    assert!(lines.iter().all(|line| line.contains("best accuracy")), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn numbers_and_cross_validations_have_a_report() {
    let folder = Folder::new();
    let data = folder.file("rents.csv", table(true));
    let (model, report) = (folder.at("rent.json"), folder.at("rent.html"));
    let common = ["rules", &data, "--target", "outcome", "--quiet", "--report", &report];
    done(["learn"].into_iter().chain(common).chain(["--out", &model]), "");
    assert!(page(&report).contains("\"key\":\"r2\""));
    let data = folder.file("people.csv", table(false));
    let common = ["rules", &data, "--target", "outcome", "--quiet", "--report", &report];
    done(["cv"].into_iter().chain(common).chain(["--folds", "3"]), "");
    let validated = page(&report);
    assert!(validated.contains("\"folds\":3") && !validated.contains("\"pool\""));
}

#[test]
fn wrong_arguments_are_explained() {
    let folder = Folder::new();
    let data = folder.file("people.csv", table(false));
    let model = folder.at("model.json");
    done(["learn", "rules", &data, "--target", "outcome", "--out", &model, "--quiet"], "");
    let refused = |arguments: &[&str]| {
        let output = run_with(&mut pellucid(arguments), b"");
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let fixed = ["report", &model, "--fixed", "sex", "--out", "-"];
    assert!(refused(&fixed).contains("--fixed: the model has no column 'sex'"));
    let overwriting = ["report", &model, "--out", &model];
    assert!(refused(&overwriting).contains("would overwrite the model"));
    let to_output = done(["report", &model, "--fixed", "age", "--out", "-"], "");
    assert!(to_output.starts_with("<!doctype html>") && to_output.contains("\"fixed\":[\"age\"]"));
}

#[test]
fn the_training_data_itself_has_not_changed() {
    let folder = Folder::new();
    // 43 ages, so that the bins of the profile hold several.
    let data = folder.file("people.csv", table(false));
    let model = folder.at("model.json");
    done(["learn", "rules", &data, "--target", "outcome", "--out", &model, "--quiet"], "");
    let shown = done(["monitor", &model, &data, "--quiet"], "");
    let age = shown.lines().find(|line| line.starts_with("age ")).expect("a line for the age");
    assert!(age.contains("0.000") && !age.contains("median"), "{age}");
}

#[test]
fn many_classes_have_the_effects_on_those_that_change_most() {
    let folder = Folder::new();
    let mut text = "x,y,kind\n".to_owned();
    for row in 0..400_u32 {
        text += &format!("{},{},kind{}\n", row % 8 * 10 + row / 8 % 7, row % 5, row % 8);
    }
    let data = folder.file("kinds.csv", text);
    let (model, report) = (folder.at("model.json"), folder.at("report.html"));
    let learn = ["learn", "rules", &data, "--target", "kind", "--out", &model, "--report", &report];
    done(learn.into_iter().chain(["--quiet"]), "");
    let page = page(&report);
    let content =
        page.split("id=\"content\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let content: serde_json::Value = serde_json::from_str(content.expect("content")).expect("JSON");
    let effects = content["effects"]["columns"].as_array().expect("effects");
    assert!(effects.iter().any(|one| one["column"] == "x"));
    for one in effects {
        let classes = one["classes"].as_array().expect("classes");
        assert_eq!(classes.len(), 3);
        let points = one["points"].as_array().expect("points");
        assert!(points.iter().all(|point| point[1].as_array().map(Vec::len) == Some(3)), "{one}");
    }
    let model = &content["model"]["rules"];
    let selected = model["selected"].as_u64().and_then(|at| usize::try_from(at).ok());
    let rules = model["sizes"][selected.expect("a size")]["rules"].as_array().expect("rules");
    assert_eq!(content["held_out_coverage"].as_array().map(Vec::len), Some(rules.len()));
}
