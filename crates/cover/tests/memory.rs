//! Tests the memory use of a table against the documentation.

use pellucid_cover::Table;
use pellucid_data::Values;

/// Returns the number of bytes of the planes of a column of 4,096 rows, which needs no padding.
fn bytes(values: Vec<f64>) -> usize {
    assert_eq!(values.len(), 4096);
    Table::new(vec![("x".into(), Values::Numeric(values.into()))]).expect("a table").plane_bytes()
}

#[test]
fn a_cell_takes_the_bits_its_column_needs() {
    for (distinct, bits) in [(1i32, 0), (2, 1), (3, 2), (256, 8), (257, 9), (4096, 12)] {
        let values: Vec<f64> = (0..4096).map(|row| f64::from(row % distinct)).collect();
        assert_eq!(bytes(values.clone()), 512 * bits, "{distinct} distinct values");
        // The missing value replaces a value that occurs again, except when all values differ.
        let mut with_missing = values;
        with_missing[0] = f64::NAN;
        let left = if distinct == 4096 { 4095 } else { distinct };
        let bits = left.unsigned_abs().next_power_of_two().ilog2() as usize;
        assert_eq!(
            bytes(with_missing),
            512 * (bits + 1),
            "{distinct} distinct values and a missing value"
        );
    }
}

#[test]
fn bags_of_different_sizes_take_less_than_twice_their_rows() {
    // 102 bags of 1 to 1,044 rows.
    let sizes = (0..102u32).map(|bag| if bag == 60 { 1_044 } else { 1 + (bag * bag * 37) % 110 });
    let bag_of_row: Vec<u32> =
        (0u32..).zip(sizes).flat_map(|(bag, size)| vec![bag; size as usize]).collect();
    let values =
        Values::Numeric((0u32..).take(bag_of_row.len()).map(|row| f64::from(row % 256)).collect());
    let table = Table::with_bags(vec![("x".into(), values)], &bag_of_row).expect("a table");
    assert!(
        table.plane_bytes() < 2 * bag_of_row.len(),
        "{} for {}",
        table.plane_bytes(),
        bag_of_row.len()
    );
}
