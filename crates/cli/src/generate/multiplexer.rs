//! The Boolean multiplexer, the classic test of classifier systems.

use anyhow::{Result, bail, ensure};
use pellucid::io::{Column, Dataset, Target, Values};
use pellucid::learn::rng::Streams;

/// Above this many inputs not every one is listed.
const LISTED: u32 = 20;

/// `bits` inputs, of which the first `k` (the highest first) are the number of the one of the other `2^k` that is the class.
pub(super) fn generate(bits: u32, rows: Option<usize>, seed: u64) -> Result<Dataset> {
    let Some(address) = (1..32).find(|address| address + (1 << address) == bits) else {
        bail!(
            "--bits: found {bits}, a multiplexer has k + 2^k inputs: 3, 6, 11, 20, 37, 70, 135, 264, 521, …"
        );
    };
    let inputs: Vec<Vec<bool>> = match rows {
        None => {
            ensure!(
                bits <= LISTED,
                "--bits {bits}: there are 2^{bits} inputs; say with --rows how many to draw"
            );
            (0u64..1 << bits)
                .map(|input| (0..bits).rev().map(|bit| input >> bit & 1 == 1).collect())
                .collect()
        }
        Some(rows) => {
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
    let target = Target {
        name: "class".into(),
        classes: vec!["0".into(), "1".into()],
        codes: inputs.iter().map(class).collect(),
    };
    Ok(Dataset {
        name: format!("multiplexer{bits}"),
        columns: (0..bits as usize).map(column).collect(),
        rows: inputs.len(),
        target: Some(target),
        bags: None,
        notes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_inputs() {
        let data = generate(6, None, 0).unwrap();
        assert_eq!((data.rows, data.columns.len()), (64, 6));
        let codes = data.target.unwrap().codes;
        assert_eq!(codes.iter().sum::<u32>(), 32);
        // 10 0010: address 2, data bits 0, 0, 1, 0.
        assert_eq!(codes[0b10_0010], 1);
        assert_eq!(codes[0b10_1101], 0);
    }

    #[test]
    fn only_k_plus_two_to_the_k() {
        assert!(generate(7, None, 0).unwrap_err().to_string().contains("3, 6, 11, 20, 37"));
        assert!(generate(37, None, 0).unwrap_err().to_string().contains("--rows"));
        assert_eq!(generate(135, Some(10), 1).unwrap().columns.len(), 135);
    }
}
