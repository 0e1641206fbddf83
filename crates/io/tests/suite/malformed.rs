//! Wrong input and the exact sentence each gets.

use pellucid_io::{Choice, Format, Header, ReadOptions, read_from};

fn message(name: &str, text: &str, options: &ReadOptions) -> String {
    match read_from(text.as_bytes(), name, options) {
        Ok(data) => panic!("{name} {text:?} was read: {data:?}"),
        Err(error) => error.to_string(),
    }
}

fn check(cases: &[(&str, &str, ReadOptions, &str)]) {
    for (name, text, options, expected) in cases {
        assert_eq!(message(name, text, options), *expected, "{text:?}");
    }
}

fn plain() -> ReadOptions {
    ReadOptions::default()
}

#[test]
fn delimited_text() {
    check(&[
        ("a.csv", "", plain(), "a.csv: the file is empty; a table was expected"),
        ("a.csv", " \n\n", plain(), "a.csv: the file is empty; a table was expected"),
        (
            "a.csv",
            "a,b,c\n",
            plain(),
            "a.csv: there is a header but no data row; at least one was expected",
        ),
        ("a.csv", "a,b,c\n1,2,3\n4,5\n", plain(), "a.csv line 3: found 2 values, 3 were expected"),
        ("a.csv", "a,b\n1,2\n\n3,4,5\n", plain(), "a.csv line 4: found 3 values, 2 were expected"),
        ("a.data", "1 2 3\n4 5\n", plain(), "a.data line 2: found 2 values, 3 were expected"),
        (
            "a.csv",
            "a,b\n1,\"x\n3,4\n",
            plain(),
            "a.csv line 2, column 2: a quoted value starts here and is never closed; \" was expected",
        ),
        (
            "a.csv",
            "a,b\n\"x\"y,2\n",
            plain(),
            "a.csv line 2, column 1: found 'y,2' after a closing quote; a delimiter or the end of the line was expected",
        ),
        (
            "a.csv",
            "a,y\n1,\n2,?\n",
            plain(),
            "a.csv: target column 'y' is empty in every row; at least one label was expected; assumed column 'y' is the target, use `target` to change it",
        ),
        (
            "a.csv",
            "a,b,y\n1,,0\n",
            plain().bag("b"),
            "a.csv line 2: the name in bag column 'b' is missing; every row needs one",
        ),
        (
            "a.csv",
            "a,b,y\n1,p,0\n2,q,1\n3,p,1\n",
            plain().bag("b"),
            "a.csv line 4: bag 'p' has two labels: '1' here and '0' on line 2; a bag has one label; assumed column 'y' is the target, use `target` to change it",
        ),
        (
            "a.csv",
            "a,b;1\n",
            plain().delimiter('é'),
            "a.csv: the delimiter '\\u{e9}' is not one ASCII character",
        ),
        (
            "a.csv",
            "a,b\n1,2\n",
            plain().delimiter('"'),
            "a.csv: the delimiter and the quote are the same character",
        ),
    ]);
}

#[test]
fn column_selectors() {
    let text = "weight,height,colour,y\n1,2,red,0\n3,4,blue,1\n";
    check(&[
        (
            "a.csv",
            text,
            plain().target("wieght"),
            "a.csv: target column 'wieght' is not there; did you mean 'weight'?",
        ),
        (
            "a.csv",
            text,
            plain().bag("9"),
            "a.csv: bag column '9' is not there; the columns are 'weight', 'height', 'colour', 'y'",
        ),
        (
            "a.csv",
            text,
            plain().ignore(["0"]),
            "a.csv: ignored column '0' is not there; the columns are 'weight', 'height', 'colour', 'y'",
        ),
        (
            "a.csv",
            text,
            plain().target("y").bag("4"),
            "a.csv: column 'y' is given twice: as target and as bag",
        ),
        (
            "a.csv",
            text,
            plain().ignore(["weight", "1"]),
            "a.csv: column 'weight' is given twice: as ignored and as ignored",
        ),
        (
            "a.csv",
            text,
            plain().positive_class("2"),
            "a.csv: positive class '2' is not a class of target column 'y'; the classes are '0', '1'; assumed column 'y' is the target, use `target` to change it",
        ),
        (
            "a.csv",
            text,
            plain().target("y").labels("labels.txt"),
            "a.csv: a target column and a file of labels are both given; one of them was expected",
        ),
    ]);
}

#[test]
fn attribute_files() {
    let expected_type = "numeric, real, integer, string, date, relational or {…}";
    check(&[
        ("a.arff", "", plain(), "a.arff: the file is empty; a table was expected"),
        (
            "a.arff",
            "@relation r\n@attribute a numeric\n",
            plain(),
            "a.arff: the file ends and '@data' was expected",
        ),
        (
            "a.arff",
            "@relation r\n@data\n1\n",
            plain(),
            "a.arff line 2: found '@data'; an attribute before the data was expected",
        ),
        (
            "a.arff",
            "@relation r\n@attribute a numbr\n@data\n1\n",
            plain(),
            &format!("a.arff line 2: found 'numbr'; {expected_type} was expected"),
        ),
        (
            "a.arff",
            "@attribute a {x, y\n@data\nx\n",
            plain(),
            "a.arff line 1: found 'x, y'; a list that ends with '}' was expected",
        ),
        (
            "a.arff",
            "@attribute a {x,y,x}\n@data\nx\n",
            plain(),
            "a.arff line 1: found 'x'; each value once in the list was expected",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x}\n@data\n1,x\n1\n",
            plain(),
            "a.arff line 5: found 1 values, 2 were expected",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x}\n@data\nabc,x\n",
            plain(),
            "a.arff line 4, column 1: found 'abc', a number was expected (column 'a' is declared numeric)",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x,z}\n@data\n1,y\n",
            plain(),
            "a.arff line 4, column 2: found 'y', one of 'x', 'z' was expected (column 'class')",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x}\n@data\n1,'x\n",
            plain(),
            "a.arff line 4: a quoted value starts here and is never closed; ' was expected",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x}\n@data\n{7 1}\n",
            plain(),
            "a.arff line 4: found '{7 1}'; an index from 0 to 1 and a value was expected",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x}\n@data\n{0 1, 0 2}\n",
            plain(),
            "a.arff line 4: found '{0 1, 0 2}'; index 0 once was expected",
        ),
        (
            "a.arff",
            "@attribute i {p}\n@attribute b relational\n@attribute f numeric\n@data\n",
            plain(),
            "a.arff line 4: found '@data'; '@end b' was expected",
        ),
        (
            "a.arff",
            "@attribute i {p}\n@attribute b relational\n@attribute f numeric\n@end b\n@attribute class {0,1}\n@data\np,\"1\\nx\",0\n",
            plain(),
            "a.arff line 7, column 2: found 'x', a number was expected (column 'f' is declared numeric)",
        ),
        (
            "a.arff",
            "@attribute i {p}\n@attribute b relational\n@attribute f numeric\n@end b\n@attribute class {0,1}\n@data\np,\"\",0\n",
            plain(),
            "a.arff line 7: bag 'p' has no instances; at least one was expected",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@data\n",
            plain(),
            "a.arff: there is a header but no data row; at least one was expected",
        ),
    ]);
}

#[test]
fn keel_files() {
    let two_outputs = "@relation r\n@attribute a real\n@attribute p {0,1}\n@attribute q {0,1}\n@inputs a\n@outputs p, q\n@data\n1,0,0\n";
    let no_output =
        "@relation r\n@attribute a real\n@attribute c {0,1}\n@inputs a\n@outputs C\n@data\n1,0\n";
    let two_labels = "@relation r\n@attribute bag {p,q}\n@attribute a real [0,1]\n@attribute c {0,1}\n@inputs bag, a\n@outputs c\n@data\np,1,0\nq,1,1\np,0,1\n";
    check(&[
        (
            "a.dat",
            two_outputs,
            plain(),
            "a.dat: @outputs names 'p', 'q'; say which one is the target",
        ),
        (
            "a.dat",
            no_output,
            plain(),
            "a.dat: @outputs names 'C', which is no attribute; say which one is the target",
        ),
        (
            "a.dat",
            two_labels,
            plain(),
            "a.dat line 10: bag 'p' has two labels: '1' here and '0' on line 8; a bag has one label",
        ),
        (
            "a.dat",
            "@relation r\n@attribute a real [0;1]\n@data\n1\n",
            plain(),
            "a.dat line 2: found '[0;1]'; a range such as [0, 1] was expected",
        ),
        (
            "a.dat",
            "@relation r\n@atribute a real\n",
            plain(),
            "a.dat line 2: found '@atribute a real'; '@relation', '@attribute', '@inputs', '@outputs', '@data' or a comment was expected",
        ),
    ]);
}

#[test]
fn uci_files() {
    let uci = plain().format(Format::Uci);
    check(&[
        (
            "a.data",
            "MUSK-1,1_1,3,x,1.\n",
            uci.clone(),
            "a.data line 1, column 4: found 'x'; an integer was expected",
        ),
        (
            "a.data",
            "MUSK-1,1_1,3,4,1\n",
            uci.clone(),
            "a.data line 1, column 5: found '1'; a class with a dot behind it was expected",
        ),
        (
            "a.data",
            "MUSK-1,1_1,3,4,1.\nMUSK-2,2_1,3,4,0\n",
            uci,
            "a.data line 2, column 5: found '0'; a class with a dot behind it was expected",
        ),
    ]);
}

#[test]
fn bytes_that_are_not_text() {
    let error = read_from(&b"a,b\n1,2\n3,\xff\x01\n"[..], "a.csv", &plain()).expect_err("not text");
    assert_eq!(
        error.to_string(),
        "a.csv line 3: byte 3 of the line is 0xff, which is not UTF-8 text; convert the file to UTF-8"
    );
    let error = read_from(&b"PAR1...."[..], "standard input", &plain()).expect_err("not seekable");
    assert_eq!(
        error.to_string(),
        "standard input: Parquet is read from its end, so a plain file was expected"
    );
}

#[test]
fn one_class_is_told_on_request_only() {
    let data = read_from(&b"a,y\n1,1\n2,1\n"[..], "toys.csv", &plain()).expect("sound");
    let error = data.require_classes().expect_err("one class");
    assert_eq!(
        error.to_string(),
        "toys: target column 'y' has one class only ('1'); two or more are needed"
    );
    let data = read_from(&b"a,y\n1,1\n2,1\n"[..], "toys.csv", &plain().target(Choice::None))
        .expect("sound");
    assert_eq!(data.columns.len(), 2);
    let error = data.require_classes().expect_err("no target");
    assert_eq!(error.to_string(), "toys: there is no target column; name one");
}

#[test]
fn labels_must_fit_the_table() {
    let folder = tempfile::tempdir().expect("folder");
    let labels = folder.path().join("t.labels");
    std::fs::write(&labels, "1\n-1\n1\n").expect("written");
    let options = plain().header(Header::No).labels(&labels).labels_by_position(true);
    let told = |text: &str, options: &ReadOptions| read_from(text.as_bytes(), "t.data", options);
    let error = told("1 2\n3 4\n", &options).expect_err("three labels for two rows");
    assert_eq!(error.to_string(), format!("{}: found 3 labels, 2 were expected", labels.display()));
    let data = told("1 2\n3 4\n5 6\n", &options).expect("three rows");
    assert_eq!(data.target.expect("target").codes, [1, 0, 1]);
    let by_bag = options.bag("1");
    let data = told("a 2\nb 4\na 6\nc 7\n", &by_bag).expect("three bags");
    assert_eq!(data.target.expect("target").codes, [1, 0, 1]);
    let error = told("1 2\n3 4\n", &by_bag).expect_err("two bags");
    assert_eq!(
        error.to_string(),
        format!(
            "{}: found 3 labels, 2 (one a row) or 2 (one a bag) were expected",
            labels.display()
        )
    );
    std::fs::write(&labels, "1\n\n1\n").expect("written");
    let error = told("1 2\n3 4\n5 6\n", &by_bag).expect_err("blank label");
    assert_eq!(
        error.to_string(),
        format!("{} line 2: found ''; one label was expected", labels.display())
    );
}
