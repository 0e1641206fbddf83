//! Valid files of each format, and the notes about them.

use pellucid_io::{Choice, Dataset, Header, MISSING, Quoting, ReadOptions, Values, read_from};

fn load(name: &str, text: &str, options: &ReadOptions) -> Dataset {
    let data = read_from(text.as_bytes(), name, options).unwrap_or_else(|error| panic!("{error}"));
    data.check().unwrap_or_else(|error| panic!("{error}"));
    data
}

fn plain() -> ReadOptions {
    ReadOptions::default()
}

fn names(data: &Dataset) -> Vec<&str> {
    data.columns.iter().map(|column| column.name.as_str()).collect()
}

fn numbers(data: &Dataset, column: usize) -> &[f64] {
    match &data.columns[column].values {
        Values::Numeric(values) => values,
        other => panic!("expected numbers, found {other:?}"),
    }
}

fn nominal(data: &Dataset, column: usize) -> (&[u32], Vec<&str>) {
    match &data.columns[column].values {
        Values::Nominal { codes, categories } => {
            (codes, categories.iter().map(String::as_str).collect())
        }
        other => panic!("expected categories, found {other:?}"),
    }
}

#[test]
fn headers_are_detected() {
    let header = |text: &str| {
        let data = load("t.csv", text, &plain().target(Choice::None));
        data.notes.iter().any(|note| note.starts_with("treated the first line as column names"))
    };
    assert!(header("a,b\n1,2\n"));
    assert!(header("a,b\nx,y\nz,w\n"));
    assert!(header("name,size\nx,1\nx,?\n"));
    assert!(header("NA,Mg\n1,2\n3,4\n"));
    assert!(!header("1,2\n3,4\n"));
    assert!(!header("a,b\na,c\n"));
    assert!(!header("a,a\nb,c\n"));
    assert!(!header("a,1\nb,2\n"));
    assert!(!header("?,b\nc,d\n"));
}

#[test]
fn delimiters_and_quotes_are_detected() {
    let rows = |text: &str| {
        let data = load("t.txt", text, &plain().target(Choice::None).header(Header::No));
        (data.columns.len(), data.rows)
    };
    assert_eq!(rows("1,2,3\n4,5,6\n"), (3, 2));
    assert_eq!(rows("1,5;2\n4,5;6\n"), (2, 2));
    assert_eq!(rows("a, b\tc\nd, e\tf\n"), (2, 2));
    assert_eq!(rows("a|b|c d\ne|f|g h\n"), (3, 2));
    assert_eq!(rows("  1   2 3\n4 5 6  \n"), (3, 2));
    assert_eq!(rows("1,2,\n3,4,\n"), (2, 2));
    assert_eq!(rows("1\n2\n3\n"), (1, 3));
    assert_eq!(rows("'a,b','c'\n'd','e'\n"), (2, 2));
    assert_eq!(rows("\u{feff}1,2\r\n3,4\r\n"), (2, 2));
    assert_eq!(rows("a,\"b;c\"\nd,\"e;f\"\n"), (2, 2));
    assert_eq!(rows("5\" pipe;a\n6\" pipe;b\n"), (2, 2));
    assert_eq!(rows("a,\"b;c\"\n\"d\"\"e\",1\n"), (2, 2));
    let quoted =
        load("t.csv", "a,b\n\"x\",'y\n", &plain().quoting(Quoting::None).target(Choice::None));
    assert_eq!(nominal(&quoted, 0).1, ["\"x\""]);
    let tabs = load("t.tsv", "a b\tc\n1 2\t3\n", &plain().target(Choice::None));
    assert_eq!(names(&tabs), ["a b", "c"]);
}

#[test]
fn types_follow_from_all_values() {
    // The text comes after the sample, so the column is read again.
    let mut text = String::from("a,b,y\n");
    for row in 0..1500 {
        text.push_str(&format!("0{row}.50,{row},{}\n", row % 2));
    }
    // A single text would be a stray cell.
    (0..100).for_each(|_| text.push_str("late,7,1\n"));
    let data = load("t.csv", &text, &plain());
    let (codes, categories) = nominal(&data, 0);
    assert_eq!((codes.len(), categories.len()), (1600, 1501));
    assert_eq!(categories[codes[3] as usize], "03.50");
    assert_eq!(categories[codes[1500] as usize], "late");
    assert_eq!(numbers(&data, 1)[1499], 1499.0);
}

#[test]
fn missing_values_and_numbers() {
    let data = load("t.csv", "a,b,y\n1e3,?,p\n,red,q\nNA, -.5 ,q\ninf,blue,p\n", &plain());
    let a = numbers(&data, 0);
    assert_eq!((a[0], a[3]), (1000.0, f64::INFINITY));
    assert!(a[1].is_nan() && a[2].is_nan());
    assert_eq!(nominal(&data, 1), (&[MISSING, 2, 0, 1][..], vec!["-.5", "blue", "red"]));
    let data = load("t.csv", "a,y\n-9,p\n1,q\n", &plain().missing(["-9"]));
    assert!(numbers(&data, 0)[0].is_nan());
}

#[test]
fn classes_are_ordered_and_the_positive_one_is_last() {
    let classes =
        |text: &str, options: &ReadOptions| load("t.csv", text, options).target.expect("target");
    let target = classes("a,y\n1,10\n2,9\n3,-1\n", &plain());
    assert_eq!(
        (target.classes, target.codes),
        (vec!["-1".into(), "9".into(), "10".into()], vec![2, 1, 0])
    );
    let target = classes("a,y\n1,10\n2,9\n3,-1\n", &plain().positive_class("9"));
    assert_eq!(
        (target.classes, target.codes),
        (vec!["-1".into(), "10".into(), "9".into()], vec![1, 2, 0])
    );
    let target = classes("a,y\n1,b\n2,a\n", &plain());
    assert_eq!(target.classes, ["a", "b"]);
}

#[test]
fn an_assumed_target_is_noted() {
    let noted = |text: &str, options: &ReadOptions| {
        let data = load("t.csv", text, options);
        (data.target.map(|target| target.name), data.notes.last().cloned().unwrap_or_default())
    };
    let (name, note) = noted("Class,a\n0,1\n1,2\n", &plain());
    assert_eq!(
        (name.as_deref(), note.as_str()),
        (Some("Class"), "assumed column 'Class' is the target; use `target` to change it")
    );
    let (name, note) = noted("b,a\n0,1\n1,2\n", &plain());
    assert_eq!(
        (name.as_deref(), note.as_str()),
        (Some("a"), "assumed column 'a' is the target; use `target` to change it")
    );
    let (name, _) = noted("b,a,c\n0,1,2\n1,2,3\n", &plain().ignore(["c"]));
    assert_eq!(name.as_deref(), Some("a"));
    let if_there = |column: &str| plain().target(Choice::IfPresent(column.to_owned()));
    assert_eq!(noted("b,a\n0,1\n1,2\n", &if_there("b")).0.as_deref(), Some("b"));
    assert_eq!(noted("b,a\n0,1\n1,2\n", &if_there("z")).0, None);
}

#[test]
fn a_number_selects_unless_it_is_a_name() {
    let data = load("t.csv", "2,a\n0,x\n1,y\n", &plain().header(Header::Yes).target("2"));
    assert_eq!(data.target.expect("target").name, "2");
    let data = load("t.csv", "b,a\n0,x\n1,y\n", &plain().target("1"));
    assert_eq!(data.target.expect("target").name, "b");
}

#[test]
fn scattered_bags_are_numbered_by_first_appearance() {
    let text = "id,v,y\nq,1,0\np,2,1\nq,1,0\nq,3,0\np,2,1\n";
    let data = load("t.csv", text, &plain().bag("id"));
    let bags = data.bags.as_ref().expect("bags");
    assert_eq!(
        (&bags.names[..], &bags.of_row[..]),
        (&["q".to_owned(), "p".to_owned()][..], &[0, 1, 0, 0, 1][..])
    );
    assert_eq!(data.target.as_ref().expect("target").codes, [0, 1]);
    let data = load("t.csv", text, &plain().bag("id").dedupe_instances(true));
    assert_eq!((data.rows, data.bags.expect("bags").of_row), (3, vec![0, 1, 0]));
    assert_eq!(
        data.notes.last().map(|note| note.as_str()),
        Some("dropped 2 rows that repeat another row of their bag")
    );
}

#[test]
fn rows_are_named_by_the_id_column() {
    let text = "v,who,y\n1,anna,0\n2,,1\n\n3,carl,0\n";
    let data = load("t.csv", text, &plain().id("who"));
    assert_eq!((names(&data), data.heading()), (vec!["v"], "who"));
    let called: Vec<String> = (0..3).map(|row| data.example_name(row)).collect();
    assert_eq!(called, ["anna", "2", "carl"]);
    assert_eq!(data.origin.lines, [2, 3, 5]);
    let absent = plain().id(Choice::IfPresent("absent".to_owned()));
    assert_eq!(load("t.csv", text, &absent).heading(), "row");
    let error = read_from(text.as_bytes(), "t.csv", &plain().id("whom")).unwrap_err().to_string();
    assert_eq!(error, "t.csv: id column 'whom' not found; did you mean 'who'?");
    let bags = load(
        "t.csv",
        "b,i,v,y\np,1,1,0\np,2,1,0\nq,3,2,1\n",
        &plain().bag("b").id("i").dedupe_instances(true),
    );
    assert_eq!((bags.heading(), bags.example_name(1).as_str()), ("b", "q"));
    assert_eq!((bags.row_id(1), bags.line(1)), (Some("3"), Some(4)));
}

const ARFF: &str = "% a comment\n@RELATION 'toy set'\n\n@ATTRIBUTE size REAL\n@attribute 'the \
    colour' {red, 'dark blue'}\n\
@attribute note string\n@attribute Class {no,yes}\n@DATA\n1, red, hello, yes, {5}\n?, 'dark blue', \
'?', no % behind\n\
{0 2.5, 3 yes}\n{}\n";

#[test]
fn arff_dense_and_sparse_rows() {
    let data = load("t.arff", ARFF, &plain());
    assert_eq!((data.name.as_str(), names(&data)), ("toy set", vec!["size", "the colour", "note"]));
    let size = numbers(&data, 0);
    assert!(size[1].is_nan());
    assert_eq!((size[0], size[2], size[3]), (1.0, 2.5, 0.0));
    assert_eq!(nominal(&data, 1), (&[0, 1, 0, 0][..], vec!["red", "dark blue"]));
    assert_eq!(nominal(&data, 2), (&[1, 0, MISSING, MISSING][..], vec!["?", "hello"]));
    assert_eq!(data.target.expect("target").codes, [1, 0, 1, 0]);
    assert_eq!(
        data.notes,
        [
            "assumed column 'Class' is the target; use `target` to change it",
            "ignored the weights of 1 row",
            "read the text of column 'note' as categories"
        ]
    );
}

#[test]
fn relational_bags_without_names_are_numbered() {
    let text = "@relation r\n@attribute b relational\n@attribute f numeric\n@attribute g {x,'y z'}\n@end b\n\
@attribute class {0,1}\n@data\n\"1,x\\n2,'y z'\",1\n\"3,?\",0\n";
    let data = load("t.arff", text, &plain());
    let bags = data.bags.as_ref().expect("bags");
    assert_eq!((bags.names.join(" "), &bags.of_row[..]), ("1 2".to_owned(), &[0, 0, 1][..]));
    assert_eq!(nominal(&data, 1).0, [0, 1, MISSING]);
    assert_eq!(data.target.as_ref().expect("target").codes, [1, 0]);
    let rows = load("t.arff", text, &plain().bag(Choice::None));
    assert_eq!((rows.bags, rows.target.expect("target").codes), (None, vec![1, 1, 0]));
}

/// A KEEL file whose first attribute is called `name` and has the given values and labels.
fn keel(name: &str, rows: &[(&str, u8)]) -> String {
    let mut values: Vec<&str> = rows.iter().map(|row| row.0).collect();
    values.sort_unstable();
    values.dedup();
    let data: String = rows.iter().map(|(value, label)| format!("{value}, 5, {label}\n")).collect();
    let list = values.join(", ");
    format!(
        "@relation r\n@attribute {name} {{{list}}}\n@attribute a real [0, 1]\n@attribute c{{0, \
         1}}\n@inputs {name}, a\n@outputs c\n@data\n{data}"
    )
}

#[test]
fn keel_bags_are_detected() {
    let has_bags = |text: &str| load("t.dat", text, &plain()).bags.is_some();
    let two = [("p", 0), ("p", 0), ("q", 1)];
    assert!(has_bags(&keel("molecule", &two)));
    assert!(has_bags(&keel("my-bag", &two)));
    assert!(!has_bags(&keel("colour", &two)));
    assert!(!has_bags(&keel("id", &[("p", 0), ("p", 1), ("q", 1)])));
    let ids: Vec<String> = (0..10).map(|id| format!("v{id}")).collect();
    let many: Vec<(&str, u8)> =
        ids.iter().flat_map(|id| [(id.as_str(), u8::from(id > &ids[4])); 2]).collect();
    assert!(has_bags(&keel("colour", &many)));
    assert!(!has_bags(&keel("colour", &many[2..])));
}

#[test]
fn keel_notes_values_outside_the_range_and_unused_attributes() {
    let text = keel("colour", &[("p", 0), ("q", 1)]);
    let data = load("t.dat", &text, &plain());
    let note = "column 'a' has 2 values outside its declared range [0, 1], the first on line 8";
    assert!(data.notes.iter().any(|found| found == note), "{:?}", data.notes);
    let text = text.replace("@inputs colour, a", "@inputs colour");
    let data = load("t.dat", &text, &plain());
    assert_eq!(names(&data), ["colour"]);
    assert!(
        data.notes.iter().any(|found| found == "ignored column 'a' because it is not an input"),
        "{:?}",
        data.notes
    );
}

#[test]
fn the_format_is_detected_from_the_content() {
    let text = keel("colour", &[("p", 0), ("q", 1)]);
    for name in ["t.dat", "t.txt", "standard input"] {
        assert_eq!(load(name, &text, &plain()).name, "r", "{name}");
    }
    assert_eq!(load("t.txt", ARFF, &plain()).name, "toy set");
    assert_eq!(load("t.dat", "1 2 0\n3 4 1\n", &plain()).columns.len(), 2);
}
