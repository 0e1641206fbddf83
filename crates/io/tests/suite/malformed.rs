//! Malformed input and the exact messages.

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
        ("a.csv", "", plain(), "a.csv: the file is empty; expected a table"),
        ("a.csv", " \n\n", plain(), "a.csv: the file is empty; expected a table"),
        (
            "a.csv",
            "a,b,c\n",
            plain(),
            "a.csv: found a header but no rows; expected at least one row",
        ),
        ("a.csv", "a,b,c\n1,2,3\n4,5\n", plain(), "a.csv, line 3: found 2 values; expected 3"),
        ("a.csv", "a,b\n1,2\n\n3,4,5\n", plain(), "a.csv, line 4: found 3 values; expected 2"),
        ("a.data", "1 2 3\n4 5\n", plain(), "a.data, line 2: found 2 values; expected 3"),
        (
            "a.csv",
            "a,b\n1,\"x\n3,4\n",
            plain(),
            "a.csv, line 2, column 2: the quoted value that starts here is never closed; expected \"",
        ),
        (
            "a.csv",
            "a,b\n\"x\"y,2\n",
            plain(),
            "a.csv, line 2, column 1: found 'y,2' after a closing quote; expected a delimiter or \
             the end of the line",
        ),
        (
            "a.csv",
            "a,y\n1,\n2,?\n",
            plain(),
            "a.csv: target column 'y' is empty in every row; expected at least one label; assumed \
             column 'y' is the target; use `target` to change it",
        ),
        (
            "a.csv",
            "a,b,y\n1,,0\n",
            plain().bag("b"),
            "a.csv, line 2: bag column 'b' is empty; expected a bag name in every row",
        ),
        (
            "a.csv",
            "a,b,y\n1,p,0\n2,q,1\n3,p,1\n",
            plain().bag("b"),
            "a.csv, line 4: bag 'p' has two labels: '1' here and '0' on line 2; expected one label \
             per bag; assumed column 'y' is the target; use `target` to change it",
        ),
        (
            "a.csv",
            "a,b;1\n",
            plain().delimiter('é'),
            "a.csv: found the delimiter '\\u{e9}'; expected one ASCII character",
        ),
        (
            "a.csv",
            "a,b\n1,2\n",
            plain().delimiter('"'),
            "a.csv: the delimiter and the quote are the same character; expected different ones",
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
            "a.csv: target column 'wieght' not found; did you mean 'weight'?",
        ),
        (
            "a.csv",
            text,
            plain().bag("9"),
            "a.csv: bag column '9' not found; expected one of 'weight', 'height', 'colour', 'y'",
        ),
        (
            "a.csv",
            text,
            plain().ignore(["0"]),
            "a.csv: ignored column '0' not found; expected one of 'weight', 'height', 'colour', 'y'",
        ),
        (
            "a.csv",
            text,
            plain().target("y").bag("4"),
            "a.csv: column 'y' has two roles: target and bag; expected one",
        ),
        (
            "a.csv",
            text,
            plain().ignore(["weight", "1"]),
            "a.csv: column 'weight' has two roles: ignored and ignored; expected one",
        ),
        (
            "a.csv",
            text,
            plain().positive_class("2"),
            "a.csv: positive class '2' is not a class of target column 'y'; expected one of '0', \
             '1'; assumed column 'y' is the target; use `target` to change it",
        ),
        (
            "a.csv",
            text,
            plain().target("y").labels("labels.txt"),
            "a.csv: found both a target column and a file of labels; expected one of them",
        ),
    ]);
}

#[test]
fn attribute_files() {
    let expected_type = "numeric, real, integer, string, date, relational or {…}";
    check(&[
        ("a.arff", "", plain(), "a.arff: the file is empty; expected a table"),
        (
            "a.arff",
            "@relation r\n@attribute a numeric\n",
            plain(),
            "a.arff: unexpected end of file; expected '@data'",
        ),
        (
            "a.arff",
            "@relation r\n@data\n1\n",
            plain(),
            "a.arff, line 2: found '@data'; expected an attribute before '@data'",
        ),
        (
            "a.arff",
            "@relation r\n@attribute a numbr\n@data\n1\n",
            plain(),
            &format!("a.arff, line 2: found 'numbr'; expected {expected_type}"),
        ),
        (
            "a.arff",
            "@attribute a {x, y\n@data\nx\n",
            plain(),
            "a.arff, line 1: found 'x, y'; expected a list that ends with '}'",
        ),
        (
            "a.arff",
            "@attribute a {x,y,x}\n@data\nx\n",
            plain(),
            "a.arff, line 1: found 'x'; expected each value once in the list of categories",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x}\n@data\n1,x\n1\n",
            plain(),
            "a.arff, line 5: found 1 value; expected 2",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x}\n@data\nabc,x\n",
            plain(),
            "a.arff, line 4, column 1: found 'abc'; expected a number (column 'a' is declared numeric)",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x,z}\n@data\n1,y\n",
            plain(),
            "a.arff, line 4, column 2: found 'y'; expected one of 'x', 'z' (column 'class')",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x}\n@data\n1,'x\n",
            plain(),
            "a.arff, line 4: the quoted value that starts here is never closed; expected '",
        ),
    ]);
}

#[test]
fn sparse_and_relational_files() {
    check(&[
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x}\n@data\n{7 1}\n",
            plain(),
            "a.arff, line 4: found '{7 1}'; expected an index from 0 to 1 and a value",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@attribute class {x}\n@data\n{0 1, 0 2}\n",
            plain(),
            "a.arff, line 4: found '{0 1, 0 2}'; expected index 0 only once",
        ),
        (
            "a.arff",
            "@attribute i {p}\n@attribute b relational\n@attribute f numeric\n@data\n",
            plain(),
            "a.arff, line 4: found '@data'; expected '@end b'",
        ),
        (
            "a.arff",
            "@attribute i {p}\n@attribute b relational\n@attribute f numeric\n@end b\n@attribute \
             class {0,1}\n@data\np,\"1\\nx\",0\n",
            plain(),
            "a.arff, line 7, column 2: found 'x'; expected a number (column 'f' is declared numeric)",
        ),
        (
            "a.arff",
            "@attribute i {p}\n@attribute b relational\n@attribute f numeric\n@end b\n@attribute \
             class {0,1}\n@data\np,\"\",0\n",
            plain(),
            "a.arff, line 7: bag 'p' has no instances; expected at least one",
        ),
        (
            "a.arff",
            "@attribute a numeric\n@data\n",
            plain(),
            "a.arff: found a header but no rows; expected at least one row",
        ),
    ]);
}

#[test]
fn keel_files() {
    let two_outputs = "@relation r\n@attribute a real\n@attribute p {0,1}\n@attribute q {0,1}\n\
                       @inputs a\n@outputs p, q\n@data\n1,0,0\n";
    let no_output =
        "@relation r\n@attribute a real\n@attribute c {0,1}\n@inputs a\n@outputs C\n@data\n1,0\n";
    let two_labels = "@relation r\n@attribute bag {p,q}\n@attribute a real [0,1]\n@attribute c \
                      {0,1}\n@inputs bag, a\n@outputs c\n@data\np,1,0\nq,1,1\np,0,1\n";
    check(&[
        (
            "a.dat",
            two_outputs,
            plain(),
            "a.dat: @outputs names 'p', 'q'; use `target` to choose one of them",
        ),
        (
            "a.dat",
            no_output,
            plain(),
            "a.dat: @outputs names 'C', which is not an attribute; use `target` to choose the target",
        ),
        (
            "a.dat",
            two_labels,
            plain(),
            "a.dat, line 10: bag 'p' has two labels: '1' here and '0' on line 8; expected one label per bag",
        ),
        (
            "a.dat",
            "@relation r\n@attribute a real [0;1]\n@data\n1\n",
            plain(),
            "a.dat, line 2: found '[0;1]'; expected a range such as [0, 1]",
        ),
        (
            "a.dat",
            "@relation r\n@atribute a real\n",
            plain(),
            "a.dat, line 2: found '@atribute a real'; expected '@relation', '@attribute', \
             '@inputs', '@outputs', '@data' or a comment",
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
            "a.data, line 1, column 4: found 'x'; expected an integer",
        ),
        (
            "a.data",
            "MUSK-1,1_1,3,4,1\n",
            uci.clone(),
            "a.data, line 1, column 5: found '1'; expected a class followed by a dot",
        ),
        (
            "a.data",
            "MUSK-1,1_1,3,4,1.\nMUSK-2,2_1,3,4,0\n",
            uci,
            "a.data, line 2, column 5: found '0'; expected a class followed by a dot",
        ),
    ]);
}

#[test]
fn bytes_that_are_not_text() {
    let error = read_from(&b"a,b\n1,2\n3,\xff\x01\n"[..], "a.csv", &plain()).expect_err("not text");
    assert_eq!(
        error.to_string(),
        "a.csv, line 3: byte 3 of the line is 0xff, which is not valid UTF-8; convert the file to UTF-8"
    );
    let error = read_from(&b"PAR1...."[..], "standard input", &plain()).expect_err("truncated");
    assert_eq!(
        error.to_string(),
        "standard input: invalid Parquet file: the file does not end with PAR1; it is truncated, or its \
         columns are encrypted"
    );
}

#[test]
fn one_class_is_an_error_only_on_request() {
    let data = read_from(&b"a,y\n1,1\n2,1\n"[..], "toys.csv", &plain()).expect("sound");
    let error = data.require_classes().expect_err("one class");
    assert_eq!(
        error.to_string(),
        "toys: target column 'y' has only one class ('1'); expected at least two"
    );
    let data = read_from(&b"a,y\n1,1\n2,1\n"[..], "toys.csv", &plain().target(Choice::None))
        .expect("sound");
    assert_eq!(data.columns.len(), 2);
    let error = data.require_classes().expect_err("no target");
    assert_eq!(error.to_string(), "toys: found no target column; use `target` to choose one");
}

#[test]
fn the_number_of_labels_is_checked() {
    let folder = tempfile::tempdir().expect("folder");
    let labels = folder.path().join("t.labels");
    std::fs::write(&labels, "1\n-1\n1\n").expect("written");
    let options = plain().header(Header::No).labels(&labels).labels_by_position(true);
    let read = |text: &str, options: &ReadOptions| read_from(text.as_bytes(), "t.data", options);
    let error = read("1 2\n3 4\n", &options).expect_err("three labels for two rows");
    assert_eq!(error.to_string(), format!("{}: found 3 labels; expected 2", labels.display()));
    let data = read("1 2\n3 4\n5 6\n", &options).expect("three rows");
    assert_eq!(data.target.expect("target").codes, [1, 0, 1]);
    let by_bag = options.bag("1");
    let data = read("a 2\nb 4\na 6\nc 7\n", &by_bag).expect("three bags");
    assert_eq!(data.target.expect("target").codes, [1, 0, 1]);
    let error = read("1 2\n3 4\n", &by_bag).expect_err("two bags");
    assert_eq!(
        error.to_string(),
        format!(
            "{}: found 3 labels; expected 2 (one per row) or 2 (one per bag)",
            labels.display()
        )
    );
    std::fs::write(&labels, "1\n\n1\n").expect("written");
    let error = read("1 2\n3 4\n5 6\n", &by_bag).expect_err("blank label");
    assert_eq!(
        error.to_string(),
        format!("{}, line 2: found ''; expected a label", labels.display())
    );
}
