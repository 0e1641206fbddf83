//! The Boolean multiplexer, the classic test of classifier systems.

use super::{GenerateError, fits, table_bytes};
use crate::io::{ClassTarget, Column, Dataset, Values};
use crate::learn::params::{ParamError, within};
use crate::learn::rng::Streams;

/// The maximum number of bits for which all inputs are listed.
const LISTED: u32 = 20;

/// Generates the multiplexer problem.
///
/// An input has `bits = k + 2^k` bits. The first `k` bits, the most significant first, are the
/// index of the data bit that is the class. Lists every input once, or draws `rows` inputs at
/// random.
///
/// # Errors
/// When `bits` is not `k + 2^k`, when `rows` is 0, or when there are too many inputs to list and
/// `rows` is not given.
pub fn multiplexer(bits: u32, rows: Option<usize>, seed: u64) -> Result<Dataset, GenerateError> {
    let Some(address) = (1..32).find(|address| address + (1 << address) == bits) else {
        let allowed = "k + 2^k, as in 3, 6, 11, 20, 37, 70, 135, 264, 521";
        return Err(ParamError::new("bits", bits, allowed).into());
    };
    let columns = bits as usize;
    let needed = rows.unwrap_or(if bits > LISTED { 0 } else { 1 << bits });
    let what = format!("{needed} rows of {bits} inputs");
    fits("rows", &what, table_bytes(needed, columns))?;
    let inputs: Vec<Vec<bool>> = match rows {
        None if bits > LISTED => {
            let every = format!("none for all 2^{bits} inputs");
            let allowed = format!("a number of rows to draw if there are more than {LISTED} bits");
            return Err(ParamError::new("rows", every, allowed).into());
        }
        None => (0u64..1 << bits)
            .map(|input| (0..bits).rev().map(|bit| input >> bit & 1 == 1).collect())
            .collect(),
        Some(rows) => {
            within("rows", rows, 1..)?;
            let mut stream = Streams::new(seed).stream(&["multiplexer".into(), bits.into()]);
            (0..rows).map(|_| (0..bits).map(|_| stream.below(2) == 1).collect()).collect()
        }
    };
    let class = |input: &Vec<bool>| {
        let chosen =
            input[..address as usize].iter().fold(0, |number, &bit| number << 1 | usize::from(bit));
        u32::from(input[address as usize + chosen])
    };
    let column = |index: usize| {
        let name = if index < address as usize {
            format!("a{index}")
        } else {
            format!("d{}", index - address as usize)
        };
        let values =
            Values::Numeric(inputs.iter().map(|input| f64::from(u8::from(input[index]))).collect());
        Column { name, values }
    };
    let target = ClassTarget {
        name: "class".into(),
        classes: vec!["0".into(), "1".into()],
        codes: inputs.iter().map(class).collect(),
    };
    Ok(Dataset {
        name: format!("multiplexer{bits}"),
        columns: (0..columns).map(column).collect(),
        rows: inputs.len(),
        target: Some(target),
        bags: None,
        notes: Vec::new(),
        ..Dataset::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_inputs() {
        let data = multiplexer(6, None, 0).unwrap();
        assert_eq!((data.rows, data.columns.len()), (64, 6));
        let codes = data.target.unwrap().codes;
        assert_eq!(codes.iter().sum::<u32>(), 32);
        // 10 0010: address 2, data bits 0, 0, 1, 0.
        assert_eq!(codes[0b10_0010], 1);
        assert_eq!(codes[0b10_1101], 0);
    }

    #[test]
    fn only_k_plus_two_to_the_k() {
        let error = |bits, rows| multiplexer(bits, rows, 0).unwrap_err().to_string();
        assert!(error(7, None).starts_with("bits: found 7; expected k + 2^k, as in 3, 6, 11"));
        assert!(error(37, None).starts_with("rows: found none for all 2^37 inputs"));
        assert_eq!(error(6, Some(0)), "rows: found 0; expected a number of at least 1");
        assert_eq!(multiplexer(135, Some(10), 1).unwrap().columns.len(), 135);
        assert_eq!(
            error(6, Some(usize::MAX)),
            format!("rows: {} rows of 6 inputs do not fit in memory", usize::MAX)
        );
        assert!(error(31 + (1 << 31), Some(1_000_000)).ends_with("do not fit in memory"));
    }
}
