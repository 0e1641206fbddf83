//! Tables as people have them: what the command makes of a spreadsheet, and what it says about it.

use crate::support::{Folder, answers, done, pellucid, run_with, stderr, stdout};

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
fn rows_are_named_by_their_identifier() {
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

/// A German spreadsheet as Excel saves it: semicolons, decimal commas, points between thousands, dates,
/// umlauts of Windows, a mark of a missing value and one stray cell. A customer with a high turnover
/// and an early date is a good one.
fn customers() -> Vec<u8> {
    let mut text = "Kunde;Umsatz;Rabatt;seit;Straße;gut\r\n".to_owned();
    for row in 0..60u32 {
        let (thousands, rest) = (row % 7, row * 13 % 1000);
        let turnover =
            if thousands > 0 { format!("{thousands}.{rest:03},50") } else { format!("{rest},50") };
        let rebate = match row {
            17 => "n/a".to_owned(),
            23 => "viel".to_owned(),
            _ => format!("{},5", row % 5),
        };
        let since = format!("{:02}.{:02}.{}", row % 28 + 1, row % 12 + 1, 2000 + row % 20);
        let good = if thousands > 2 && row % 20 < 12 { "ja" } else { "nein" };
        let street = ["Hauptstraße", "Am Öhr"][(row % 2) as usize];
        text += &format!("Müller {row};{turnover};{rebate};{since};{street};{good}\r\n");
    }
    // Windows-1252 has these letters where Unicode has them.
    text.chars()
        .map(|letter| u8::try_from(u32::from(letter)).expect("a letter of Latin-1"))
        .collect()
}

#[test]
fn a_german_spreadsheet_is_described_learned_and_predicted() {
    let folder = Folder::new();
    let (data, model) = (folder.file("kunden.csv", customers()), folder.at("m.json"));
    let output = run_with(&mut pellucid(["describe", &data]), b"");
    let (shown, message) = (stdout(&output), stderr(&output));
    for line in [
        "Kunde   identifier (skipped)  text           0  60 distinct: ",
        "Umsatz  feature               numbers        0  0.5 to 6",
        "1 invalid: 'viel' (line 25)",
        "seit    date                  dates          0  01.01.2000 to ",
        "Straße  feature               text           0  Am Öhr (30), Hauptstraße (30)",
        "gut     target (assumed)      text           0  nein (",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    for note in [
        "windows-1252, because line ",
        "decimal separator is ',' and the thousands separator is '.'",
        "'viel' (line 25); use `--missing viel` to confirm",
        "use `--keep Kunde` to keep it",
    ] {
        assert!(message.contains(note), "{note}\n{message}");
    }
    let learned = run_with(&mut pellucid(["learn", "rules", &data, "--out", &model]), b"");
    assert!(learned.status.success(), "{}", stderr(&learned));
    assert!(stderr(&learned).contains("'viel' (line 25)"), "the same notes when learning");
    let shown = done(["show", &model], "");
    // Turnover is at most 7,000; days since 1970 would be above 10,000.
    assert!(!shown.contains("seit >") || shown.contains("seit > '"), "{shown}");
    assert!(shown.contains("seit"), "{shown}");
    // New customers in the same form, one of them unlike any before.
    let new = "Kunde;Umsatz;Rabatt;seit;Stra\u{df}e;gut\n\
               A;6.100,5;1,5;03.04.2005;Hauptstra\u{df}e;ja\n\
               B;99.000;keiner;01.01.2031;Am Teich;nein\n";
    let new: Vec<u8> = new.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    let new = folder.file("neu.csv", new);
    let output = run_with(&mut pellucid(["predict", &model, &new]), b"");
    let message = stderr(&output);
    assert!(output.status.success(), "{message}");
    assert!(
        message.contains(
            "column 'Umsatz': 1 row has a value outside the range of the training data (0.5 to"
        ),
        "{message}"
    );
    assert!(
        message.contains("'99000' (line 3)") && message.contains("'01.01.2031' (line 3)"),
        "{message}"
    );
    assert!(
        stdout(&output).lines().nth(1).is_some_and(|line| line.contains("ja")),
        "{}",
        stdout(&output)
    );
    let explained = done(["predict", &model, &new, "--explain", "--quiet"], "");
    assert!(explained.contains("seit = '03.04.2005'"), "{explained}");
}

#[test]
fn a_description_is_an_object_for_programs() {
    let folder = Folder::new();
    let data = folder.file("kunden.csv", customers());
    let description = &answers(&done(["describe", &data, "--json", "--quiet"], ""))[0];
    assert_eq!(description["rows"], 60);
    assert_eq!(description["columns"][0]["role"], "identifier");
    assert_eq!(
        description["columns"][2]["misfits"]["first"][0],
        serde_json::json!({"place": "line 25", "text": "viel"})
    );
    assert_eq!(description["columns"][3]["format"], "%d.%m.%Y");
}

#[test]
fn errors_mention_an_assumed_target() {
    let folder = Folder::new();
    let data = folder.file("one.csv", "a,b\n1,x\n2,x\n3,x\n4,x\n");
    let output =
        run_with(&mut pellucid(["learn", "rules", &data, "--out", &folder.at("m.json")]), b"");
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2));
    let hint = "assumed column 'b' is the target, use `--target` to change it";
    assert!(message.contains(hint), "{message}");
    let named = run_with(&mut pellucid(["cv", "rules", &data, "--target", "b"]), b"");
    assert!(!stderr(&named).contains("assumed"), "{}", stderr(&named));
    // What is wrong with something else does not blame the target.
    let data = folder.file("alone.csv", "name,class\nanna,x\nbert,y\ncleo,x\ndora,y\n");
    let words = ["learn", "rules", &data, "--ignore", "name", "--out", &folder.at("n.json")];
    let message = stderr(&run_with(&mut pellucid(words), b""));
    assert!(message.contains("found no column besides the target"), "{message}");
    assert_eq!(message.matches("assumed").count(), 1, "{message}");
    let help = done(["learn", "rules", "--help-all"], "");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("named target, class, label or y, otherwise the last column"), "{help}");
}

#[test]
fn two_tables_are_joined_and_predicted() {
    let folder = Folder::new();
    let (mut rows, mut boxes) =
        ("box,length\n".to_owned(), "box,supplier,weight,good\n".to_owned());
    for bag in 0..30 {
        let supplier = ["ann", "bob", "eve"][bag % 3];
        boxes += &format!(
            "b{bag},{supplier},{},{}\n",
            bag % 9,
            if supplier == "bob" { "no" } else { "yes" }
        );
        (0..3).for_each(|row| rows += &format!("b{bag},{}\n", (bag * 7 + row * 5) % 23));
    }
    let (rows, boxes) = (folder.file("parts.csv", rows), folder.file("boxes.csv", boxes));
    let model = folder.at("m.json");
    let base =
        ["learn", "rules", &rows, "--bags", &boxes, "--key", "box", "--out", &model, "--quiet"];
    done(base, "");
    let shown = done(["show", &model], "");
    assert!(
        shown.contains("supplier")
            && shown.contains("Predicts good (no or yes) for each bag (column 'box')"),
        "{shown}"
    );
    // The model knows the key.
    let predicted = done(["predict", &model, &rows, "--bags", &boxes, "--quiet"], "");
    assert!(predicted.contains("b1,no") && predicted.contains("b3,yes"), "{predicted}");
    let output = run_with(&mut pellucid(["learn", "rules", &rows, "--bags", &boxes]), b"");
    assert!(stderr(&output).contains("--bags needs --key"), "{}", stderr(&output));
}

/// Prices with a currency: learned as numbers, remembered, and understood with it and without.
#[test]
fn a_model_keeps_the_units_of_its_numbers() {
    let folder = Folder::new();
    let mut text = "customer,price,good\n".to_owned();
    for row in 0..60u32 {
        let (price, good) = (row * 37 % 60, row * 37 % 60 > 30);
        text += &format!("c{row},\"$1,{price:03}.50\",{}\n", if good { "yes" } else { "no" });
    }
    let (data, model) = (folder.file("prices.csv", text), folder.at("m.json"));
    done(["learn", "rules", &data, "--out", &model, "--quiet"], "");
    let kept = std::fs::read_to_string(&model).expect("a model");
    assert!(kept.contains("\"units\": {") && kept.contains("\"price\": \"$\""), "{kept}");
    for cells in ["\"$1,050.50\"\n\"$1,002\"\n", "1050.50\n1002\n", "1050.5 $\n$1002\n"] {
        let new = folder.file("new.csv", format!("price\n{cells}"));
        let predictions = done(["predict", &model, &new, "--quiet"], "");
        let classes: Vec<&str> =
            predictions.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
        assert_eq!(classes, ["yes", "no"], "{cells}");
    }
    let module = done(["show", &model, "--format", "python"], "");
    assert!(module.contains("UNITS = {\"price\": \"$\"}"), "{module}");
}

#[test]
fn two_tables_are_described_and_their_keys_may_differ() {
    let folder = Folder::new();
    let (mut rows, mut boxes) = ("box,length\n".to_owned(), "id,supplier,good\n".to_owned());
    for bag in 0..20 {
        rows += &format!("b{bag},{}\nb{bag},{}\n", bag, bag + 3);
        boxes += &format!(
            "b{bag},{},{}\n",
            ["ann", "bob"][bag % 2],
            ["no", "yes"][usize::from(bag > 9)]
        );
    }
    let (rows, boxes) = (folder.file("rows.csv", rows), folder.file("boxes.csv", boxes));
    let (model, joined) = (folder.at("m.json"), ["--bags", &boxes, "--key", "box=id"]);
    let description = done(["describe", &rows].iter().chain(&joined).chain(&["--quiet"]), "");
    for part in ["rows: 40 rows", "Table of bags, boxes: 20 rows", "target (assumed)"] {
        assert!(description.contains(part), "{description}");
    }
    let learn = ["learn", "rules", &rows, "--out", &model, "--quiet"];
    done(learn.iter().chain(&joined), "");
    // The model knows both names.
    let predicted = done(["predict", &model, &rows, "--bags", &boxes, "--quiet"], "");
    assert!(
        predicted.starts_with("box,predicted") && predicted.lines().count() == 21,
        "{predicted}"
    );
    let output = run_with(&mut pellucid(["describe", &rows, "--bags", &boxes]), b"");
    assert!(stderr(&output).contains("--bags needs --key"), "{}", stderr(&output));
}

#[test]
fn a_column_of_bags_may_have_an_equals_sign_in_its_name() {
    let folder = Folder::new();
    let (mut rows, mut boxes) = ("T=br,length\n".to_owned(), "T=br,weight,good\n".to_owned());
    for bag in 0..6 {
        rows += &format!("b{bag},{bag}\nb{bag},{}\n", bag + 3);
        boxes += &format!("b{bag},{},{}\n", bag * 2, ["no", "yes"][bag % 2]);
    }
    let (rows, boxes) = (folder.file("rows.csv", rows), folder.file("boxes.csv", boxes));
    let description = done(["describe", &rows, "--bags", &boxes, "--bag", "T=br", "--quiet"], "");
    assert!(description.contains("Table of bags, boxes: 6 rows"), "{description}");
}
