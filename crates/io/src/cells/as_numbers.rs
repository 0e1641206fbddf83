//! Parses texts as numbers, such as the classes of a target that is numeric.

use crate::cells::number_form::NumberForm;
use crate::cells::units;
use pellucid_data::Reading;

/// Parses texts as numbers in the number format of their file. All texts that have a unit must have
/// the same one.
///
/// ```
/// use pellucid_io::{Reading, as_numbers};
/// let texts = ["1", "2.5 €", "-3 €"].map(str::to_owned);
/// assert_eq!(as_numbers(&texts, &Reading::default()), Ok(vec![1.0, 2.5, -3.0]));
/// let texts = ["1 kg", "500 g"].map(str::to_owned);
/// assert_eq!(as_numbers(&texts, &Reading::default()), Err("500 g".to_owned()));
/// ```
///
/// # Errors
/// Returns the first text that is not a finite number.
pub fn as_numbers(texts: &[String], reading: &Reading) -> Result<Vec<f64>, String> {
    let form = NumberForm { decimal: reading.decimal.unwrap_or('.'), thousands: reading.thousands };
    let mut unit: Option<&str> = None;
    let mut numbers = Vec::with_capacity(texts.len());
    for text in texts {
        let bare = text.trim();
        let measured = || {
            let (digits, own) = units::split(bare)?;
            let sign = if bare.starts_with('-') { -1.0 } else { 1.0 };
            Some((sign, digits, own))
        };
        let found = match (form.parse(bare), measured()) {
            (Some(number), _) => Some(number),
            (None, Some((sign, digits, own))) if *unit.get_or_insert(own) == own => {
                form.parse(digits).map(|number| sign * number)
            }
            _ => None,
        };
        match found.filter(|number| number.is_finite()) {
            Some(number) => numbers.push(number + 0.0),
            None => return Err(text.clone()),
        }
    }
    Ok(numbers)
}
