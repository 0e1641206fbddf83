//! Draws of units with replacement.

use crate::rng::Stream;

/// Returns how often each example is drawn, if as many units as there are are drawn with replacement.
/// Examples of one unit are drawn together. Without units, each example is one.
#[must_use]
pub fn draw_units(examples: usize, units: Option<&[u32]>, stream: &mut Stream) -> Vec<u32> {
    let unit_of = |example: usize| units.map_or(example, |units| units[example] as usize);
    let count = (0..examples).map(|example| unit_of(example) + 1).max().unwrap_or(0);
    let mut is_there = vec![false; count];
    (0..examples).for_each(|example| is_there[unit_of(example)] = true);
    let all: Vec<usize> = (0..count).filter(|&unit| is_there[unit]).collect();
    let mut times = vec![0; count];
    all.iter().for_each(|_| times[all[stream.index(all.len())]] += 1);
    (0..examples).map(|example| times[unit_of(example)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn units_are_drawn_as_often_as_there_are_units(
            units in prop::collection::vec(0_u32..9, 1..40),
            seed in any::<u64>(),
        ) {
            let mut stream = Streams::new(seed).stream(&["draw".into()]);
            let times = draw_units(units.len(), Some(&units), &mut stream);
            let mut of_unit: Vec<Option<u32>> = vec![None; 9];
            for (&unit, &times) in units.iter().zip(&times) {
                prop_assert_eq!(*of_unit[unit as usize].get_or_insert(times), times);
            }
            let there: Vec<u32> = of_unit.into_iter().flatten().collect();
            prop_assert_eq!(there.iter().sum::<u32>() as usize, there.len());
        }
    }
}
