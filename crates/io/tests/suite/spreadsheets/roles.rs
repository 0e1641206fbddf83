//! The roles of columns: identifiers, bags, features of a model, and descriptions.

use super::{load, noted, plain, refused};
use pellucid_data::{MISSING_MARKS, Values};
use pellucid_io::{Choice, ColumnContent, ColumnRole, ExpectedColumn, ExpectedKind, describe_from};

/// Rows with a name, a running number and a measure.
fn people(rows: usize) -> String {
    let mut text = "name,customer_no,size,colour,ill\n".to_owned();
    for row in 0..rows {
        let colour = ["red", "blue", "green"][row % 3];
        text += &format!("person {row},{},{}.5,{colour},{}\n", 1000 + row * 7, row % 11, row % 2);
    }
    text
}

fn names(data: &pellucid_io::Dataset) -> Vec<&str> {
    data.columns.iter().map(|column| column.name.as_str()).collect()
}

#[test]
fn identifiers_are_skipped() {
    let data = load(people(30), &plain());
    assert_eq!(names(&data), ["size", "colour"]);
    assert_eq!(data.origin.reading.left_out, ["name", "customer_no"]);
    assert!(noted(&data, &["skipped column 'name'", "`keep name`"]), "{:?}", data.notes);
    assert_eq!(names(&load(people(30), &plain().keep(["name"]))), ["name", "size", "colour"]);
    assert_eq!(names(&load(people(30), &plain().keep_identifiers(true))).len(), 4);
    // In a small table all values may differ by chance.
    assert_eq!(names(&load(people(6), &plain())).len(), 4);
    let error = refused(&people(30), &plain().keep(["nme"]));
    assert!(error.contains("kept column 'nme' not found; did you mean 'name'?"), "{error}");
}

#[test]
fn the_only_column_is_not_skipped() {
    let text: String = (0..20).map(|row| format!("w{row},{}\n", row % 2)).collect();
    assert_eq!(names(&load(format!("word,y\n{text}"), &plain())), ["word"]);
}

/// Bags of three rows with a name, a street that identifies the bag, and a weight.
fn visits(first: &str, name: impl Fn(usize) -> String) -> String {
    let mut text = format!("{first},street,weight,ill\n");
    for row in 0..45 {
        let bag = row / 3;
        text += &format!("{},street {bag},{},{}\n", name(bag), row % 10, bag % 2);
    }
    text
}

#[test]
fn bags_of_a_csv_are_detected() {
    let data = load(visits("patient", |bag| format!("p{bag}")), &plain());
    assert_eq!((data.examples(), data.heading()), (15, "patient"));
    assert!(noted(&data, &["assumed column 'patient' names the bags", "`bag none`"]));
    // Every patient has one street, so the street identifies the bag, too.
    assert_eq!(names(&data), ["weight"]);
    assert!(noted(&data, &["skipped column 'street'", "bag"]), "{:?}", data.notes);
    let data = load(visits("patient", |bag| format!("p{bag}")), &plain().bag(Choice::None));
    assert_eq!((data.examples(), names(&data)), (45, vec!["patient", "street", "weight"]));
    // Numbers name bags only if the name of the column suggests it.
    let data = load(visits("bag", |bag| format!("0{bag}")), &plain());
    assert_eq!(data.bags.expect("bags").names[3], "03");
    assert_eq!(load(visits("patient_id", |bag| bag.to_string()), &plain()).examples(), 15);
    let data = load(visits("height", |bag| bag.to_string()), &plain());
    assert_eq!((data.examples(), data.columns[0].name.as_str()), (45, "height"));
}

#[test]
fn a_first_column_that_does_not_name_bags_is_a_feature() {
    let mut text = "group,x,y\n".to_owned();
    (0..40).for_each(|row| text += &format!("{},{},{}\n", row % 4, row % 5, row % 3));
    let data = load(&text, &plain());
    assert_eq!((data.examples(), super::numbers(&data, "group")[5]), (40, 1.0));
}

#[test]
fn a_description_has_every_column() {
    let mut text = "name,day,size,colour,ward,unit,ill\n".to_owned();
    for row in 0..40 {
        let size = if row == 9 { "big".to_owned() } else { format!("{}.5", row % 11) };
        let colour = ["red", "blue", ""][row % 3];
        text += &format!(
            "p{row},2024-01-{:02},{size},{colour},{},kg,{}\n",
            row % 28 + 1,
            row % 4,
            row % 2
        );
    }
    let description = describe_from(text.as_bytes(), "t.csv", &plain()).expect("sound");
    let roles: Vec<ColumnRole> = description.columns.iter().map(|column| column.role).collect();
    assert_eq!(
        roles,
        [
            ColumnRole::Identifier,
            ColumnRole::Date,
            ColumnRole::Attribute,
            ColumnRole::Attribute,
            ColumnRole::Code,
            ColumnRole::Constant,
            ColumnRole::Target { guessed: true }
        ]
    );
    let size = &description.columns[2];
    assert_eq!((size.missing, size.distinct, size.misfits.count), (1, 11, 1));
    assert_eq!(size.content, ColumnContent::Numbers { range: Some((0.5, 10.5)), unit: None });
    let shown = description.to_string();
    assert!(shown.starts_with("t: 40 rows, 7 columns\n"), "{shown}");
    assert!(shown.contains("1 invalid: 'big' (line 11)"), "{shown}");
    assert!(shown.contains("2024-01-01 to 2024-01-28, 28 distinct"), "{shown}");
    let json = description.to_json();
    assert_eq!(json["columns"][2]["misfits"]["first"][0]["place"], "line 11");
    assert_eq!(json["columns"][3]["values"][0], serde_json::json!({"value": "red", "rows": 14}));
    assert_eq!(json["columns"][6]["guessed"], true);
    // An ignored column is listed, but not read.
    let description =
        describe_from(text.as_bytes(), "t.csv", &plain().ignore(["size"])).expect("sound");
    assert_eq!(
        (description.columns[2].role, &description.columns[2].content),
        (ColumnRole::Ignored, &ColumnContent::Unread)
    );
}

#[test]
fn a_file_is_read_with_the_types_of_a_model() {
    let expected = |name: &str, kind| ExpectedColumn { name: name.to_owned(), kind };
    let options = plain().target(Choice::None).expected([
        expected("code", ExpectedKind::Words(Vec::new())),
        expected("size", ExpectedKind::Numbers),
        expected("day", ExpectedKind::Dates("%d.%m.%Y".parse().expect("a format"))),
    ]);
    let data = load("size,day,code,other\n1,02.01.1970,007,x\nlarge,?,8,y\n", &options);
    assert_eq!(names(&data), ["size", "day", "code"]);
    assert_eq!(super::words(&data, "code"), ["007", "8"]);
    assert_eq!(super::numbers(&data, "day")[0], 1.0);
    assert!(noted(&data, &["1 of 2 cells", "'large' (line 3)"]), "{:?}", data.notes);
    // If a column is missing, all are kept, so that the error can list them.
    assert_eq!(load("size,other\n1,x\n", &options).columns.len(), 2);
}

/// Returns the text of each row of a column, and `missing` for a missing value.
fn cells(data: &pellucid_io::Dataset, name: &str) -> Vec<String> {
    let column = data.columns.iter().find(|column| column.name == name).expect("a column");
    let Values::Nominal { codes, categories } = &column.values else { panic!("words") };
    let word = |&code: &u32| categories.get(code as usize).cloned().unwrap_or("missing".to_owned());
    codes.iter().map(word).collect()
}

/// Marks of missing values, and texts with blanks around them, are categories if the model knows them.
#[test]
fn categories_of_a_model_are_not_missing() {
    for mark in MISSING_MARKS.into_iter().chain([" a", "  "]) {
        let known = vec![mark.to_owned(), "b".to_owned()];
        let words = ExpectedKind::Words(known.clone());
        let options =
            plain().target("y").expected([ExpectedColumn { name: "x".to_owned(), kind: words }]);
        let text = format!("x,n,y\n{mark},1,p\nb,2,q\n");
        assert_eq!(cells(&load(&text, &options), "x"), known, "{mark}");
        // Otherwise a mark is a missing value.
        let other = ExpectedKind::Words(vec!["b".to_owned()]);
        let options =
            plain().target("y").expected([ExpectedColumn { name: "x".to_owned(), kind: other }]);
        let missing = load(&text, &options).columns[0].values.missing();
        assert_eq!(missing, usize::from(mark != " a"), "{mark}");
    }
}

#[test]
fn classes_of_a_model_are_not_missing() {
    let mut options = plain().target("y");
    options.classes = vec!["NA".to_owned(), "1.0".to_owned()];
    let data = load("x,y\n1,NA\n2,1\n3,NA\n", &options);
    let target = data.target.expect("a target");
    let classes: Vec<&str> =
        target.codes.iter().map(|&code| target.classes[code as usize].as_str()).collect();
    assert_eq!(classes, ["NA", "1.0", "NA"]);
}

#[test]
fn categories_are_aligned_with_a_model() {
    let kind = ExpectedKind::Words(["1", "2", "True", " c", "d", " d"].map(str::to_owned).to_vec());
    let options = plain().target("y").expected([ExpectedColumn { name: "x".to_owned(), kind }]);
    let data = load("x,y\n1.0,p\n1,q\n2.00,p\ntrue,q\nc,p\n3.0,q\n01,p\nd,p\n\" d\",p\n", &options);
    assert_eq!(cells(&data, "x"), ["1", "1", "2", "True", " c", "3.0", "01", "d", " d"]);
    assert!(noted(&data, &["'d' and ' d'", "differ only in blanks"]), "{:?}", data.notes);
}

#[test]
fn units_come_from_the_model_or_the_cells() {
    let text = "weight,y\n12 kg,p\n13 kg,q\n14 kg,p\n";
    let expected = |kind| {
        let weight = ExpectedColumn { name: "weight".to_owned(), kind };
        plain().expected([
            weight,
            ExpectedColumn { name: "y".to_owned(), kind: ExpectedKind::Words(Vec::new()) },
        ])
    };
    // A model of numbers without a unit does not accept a unit.
    let data = load(text, &expected(ExpectedKind::Numbers));
    assert!(super::numbers(&data, "weight").iter().all(|number| number.is_nan()));
    assert!(noted(&data, &["3 of 3 cells", "'12 kg' (line 2)"]), "{:?}", data.notes);
    // A model with the unit gram accepts only grams, even if the caller declares the column numeric.
    let grams = expected(ExpectedKind::Measured("g".to_owned()));
    for options in [grams.clone(), grams.numeric(["weight"])] {
        let data = load(text, &options);
        assert!(super::numbers(&data, "weight").iter().all(|number| number.is_nan()));
        assert!(noted(&data, &["3 of 3 cells", "'12 kg' (line 2)"]), "{:?}", data.notes);
    }
    let data = load(text, &expected(ExpectedKind::Measured("kg".to_owned())));
    assert_eq!(super::numbers(&data, "weight"), [12.0, 13.0, 14.0]);
    // If the caller declares the column numeric, the unit is detected and noted.
    let data = load(text, &plain().numeric(["weight"]));
    assert_eq!(super::numbers(&data, "weight"), [12.0, 13.0, 14.0]);
    assert!(noted(&data, &["column 'weight' as numbers with the unit 'kg'"]), "{:?}", data.notes);
    assert_eq!(data.origin.reading.units["weight"], "kg");
}

#[test]
fn rounded_integers_are_noted() {
    let table = |number: &str| {
        let rows: String =
            (0..20).map(|row| format!("{number},{},{}\n", row % 7, row % 2)).collect();
        load(format!("account,size,ill\n{rows}"), &plain().keep(["account"]))
    };
    let large = table("9007199254740993");
    assert!(
        noted(&large, &["'account' holds integers of 9007199254740992 or more", "are rounded"]),
        "{:?}",
        large.notes
    );
    for exact in ["9007199254740991", "1.5", "90071992547"] {
        assert!(!noted(&table(exact), &["are rounded"]), "{exact}");
    }
    // A text column keeps every digit.
    let words = load(
        "account,size,ill\n9007199254740993,1,0\n9007199254740992,2,1\n",
        &plain().nominal(["account"]),
    );
    assert!(!noted(&words, &["are rounded"]), "{:?}", words.notes);
}
