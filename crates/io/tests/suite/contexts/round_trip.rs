//! Writing and reading a context returns the same context.

use super::{contents, plain};
use pellucid_data::Relation;
use pellucid_io::{
    Context, ContextFormat, ContextOptions, Names, WriteError, read_context_from,
    write_context_csv, write_cxt, write_dat, write_pairs,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Names with special characters of every format, and names that look like marks or counts.
fn names(count: usize, breaks: bool) -> impl Strategy<Value = Names> {
    let odd = if breaks { "[ a-c,;|'\"\t\n\ré]{0,5}" } else { "[ a-c,;|'\"\té]{0,5}" };
    let name = prop_oneof![
        3 => odd.prop_map(String::from),
        1 => proptest::sample::select(vec!["", "X", "1", "0", ".", "B", "true", "12"]).prop_map(String::from),
    ];
    prop_oneof![
        4 => proptest::collection::vec(name, count).prop_map(Names::Listed),
        1 => (0..5usize).prop_map(move |first| Names::Numbered { first, count }),
    ]
}

fn contexts(breaks: bool) -> impl Strategy<Value = Context> {
    (0..7usize, 0..7usize).prop_flat_map(move |(objects, attributes)| {
        let row = proptest::collection::vec(any::<bool>(), attributes);
        let rows = proptest::collection::vec(row, objects);
        (names(objects, breaks), names(attributes, breaks), rows, "[a-z0-9]{0,3}").prop_map(
            move |(object_names, attribute_names, rows, name)| {
                let crosses = |row: &Vec<bool>| -> Vec<u32> {
                    (0..).zip(row).filter(|(_, cross)| **cross).map(|(number, _)| number).collect()
                };
                let relation =
                    Relation::new(attributes, rows.iter().map(crosses)).expect("in range");
                Context::new(name, object_names, attribute_names, relation)
            },
        )
    })
}

type Writer = fn(&Context, &mut Vec<u8>) -> Result<(), WriteError>;

fn back(
    context: &Context,
    write: Writer,
    name: &str,
    options: &ContextOptions,
) -> Result<Context, TestCaseError> {
    let mut bytes = Vec::new();
    write(context, &mut bytes).map_err(|error| TestCaseError::fail(error.to_string()))?;
    read_context_from(&bytes[..], name, options).map_err(|error| {
        TestCaseError::fail(format!("{error} in {:?}", String::from_utf8_lossy(&bytes)))
    })
}

/// Returns the crosses as pairs of names.
fn arrows(context: &Context) -> BTreeSet<(String, String)> {
    let (objects, attributes, rows) = contents(context);
    let of_row = |(object, row): (usize, &Vec<u32>)| {
        let ends = row.iter().map(|&a| (objects[object].clone(), attributes[a as usize].clone()));
        ends.collect::<Vec<_>>()
    };
    rows.iter().enumerate().flat_map(of_row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(600)))]

    #[test]
    fn burmeister(context in contexts(false)) {
        let read = back(&context, |context, out| write_cxt(context, out), "stem.cxt", &plain())?;
        prop_assert_eq!(contents(&read), contents(&context));
        let name = if context.name.is_empty() { "stem" } else { &context.name };
        prop_assert_eq!(read.name, name);
    }

    #[test]
    fn csv(context in contexts(true)) {
        let write: Writer = |context, out| write_context_csv(context, out);
        prop_assert_eq!(contents(&back(&context, write, "a.csv", &plain())?), contents(&context));
    }

    #[test]
    fn transactions(context in contexts(true), numbers in proptest::collection::btree_set(any::<u32>(), 7)) {
        let used = context.relation.supports().iter().all(|&support| support > 0);
        prop_assume!(used && !context.objects.is_empty());
        let numbers: Names = numbers.iter().take(context.attributes.len()).map(u32::to_string).collect();
        let context = Context { attributes: numbers, ..context };
        let read = back(&context, |context, out| write_dat(context, out), "a.dat", &plain())?;
        let (_, attributes, rows) = contents(&context);
        prop_assert_eq!((contents(&read).1, contents(&read).2), (attributes, rows));
    }

    #[test]
    fn graphs(pairs in proptest::collection::btree_set((0..9u8, 0..9u8), 1..20), symmetric in any::<bool>()) {
        let text: String = pairs.iter().map(|(from, to)| format!("m{from} m{to}\n")).collect();
        let pairs = plain().format(ContextFormat::Pairs);
        let first = super::sound("a", &text, &pairs.clone().symmetric(symmetric));
        let write: Writer = |context, out| write_pairs(context, out);
        let again = back(&first, write, "a.pairs", &pairs)?;
        prop_assert_eq!(arrows(&again), arrows(&first));
        if symmetric {
            prop_assert_eq!(arrows(&back(&first, write, "a", &pairs.symmetric(true))?), arrows(&first));
        }
    }
}

#[test]
fn names_that_are_not_numbers_become_indices() {
    let context = super::sound("a.csv", ",p,q\na,0,1\nb,1,1\n", &plain());
    let mut bytes = Vec::new();
    write_dat(&context, &mut bytes).expect("memory");
    assert_eq!(bytes, b"2\n1 2\n");
}
