//! Tables as people have them: what the command makes of a spreadsheet, and what it says about it.

mod support;

use support::{Folder, answers, done};

/// Twenty visits with names: who is old is ill.
fn visits() -> String {
    let mut text = "visit,age,ill\n".to_owned();
    for visit in 0..20 {
        let age = 20 + 3 * visit;
        text += &format!("v-{visit},{age},{}\n", if age > 50 { "yes" } else { "no" });
    }
    text
}

#[test]
fn rows_are_called_by_their_names() {
    let folder = Folder::new();
    let (data, model) = (folder.file("visits.csv", visits()), folder.at("m.json"));
    done(["learn", "rules", &data, "--id", "visit", "--out", &model, "--quiet"], "");
    // The model remembers which column names the rows.
    let predicted = done(["predict", &model, &data, "--quiet"], "");
    let lines: Vec<&str> = predicted.lines().collect();
    assert!(lines[0].starts_with("visit,predicted"), "{}", lines[0]);
    assert!(lines[1].starts_with("v-0,no") && lines[20].starts_with("v-19,yes"), "{predicted}");
    let explained = done(["predict", &model, &data, "--explain", "--quiet"], "");
    assert!(explained.contains("row 20 ('v-19'): yes"), "{explained}");
    let json = answers(&done(["predict", &model, &data, "--json", "--quiet"], ""));
    assert_eq!(json[19]["example"], "v-19");
    // Without the column rows are numbered.
    let bare = folder.file("bare.csv", "age\n30\n80\n");
    assert!(done(["predict", &model, &bare, "--quiet"], "").starts_with("row,predicted"));
}
