//! How many of its objects a concept could do without.
//!
//! Every set of objects has the attributes of exactly one concept. So the sets of a concept's own objects divide among it and
//! all concepts below, and counting from the bottom up gives each its share (Roth, Obiedkov and Kourie 2006). That takes a
//! step for every pair of a concept and one below it, so some seconds for hundreds of thousands of concepts.

use crate::lattice::{ConceptLinks, Lattice};

/// The largest extent whose subsets are counted in whole numbers: there are 2^126 of them.
const WHOLE: u64 = 126;

/// An extent smaller than the largest below by this much has less than 2^-80 of its subsets, and is left out of sums.
const NEGLIGIBLE: u64 = 80;

/// The share of a concept's subsets that mean the same concept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// The share itself, from 0 to 1.
    pub share: f64,
    /// The base-2 logarithm of what is missing to 1: large extents have a share that is 1 for all a `f64` can tell, and
    /// differ here. Minus infinity if nothing is missing.
    pub log2_rest: f64,
}

/// Stability: for each concept the share of all sets of its objects that have its attributes in common, and no more.
///
/// Concepts of up to 126 objects are counted in whole numbers, and so exact but for the rounding of the result. For larger
/// ones the rest is a sum of parts known to 53 bits: its relative error is of the order of 2^-53 times the number of concepts below
/// with almost as many objects.
///
/// Nothing where concepts with objects were left out of the lattice: what belongs to them would be taken for the share of all that
/// lie above. A concept without objects may be missing, because it can have no set but the empty one.
#[must_use]
pub fn stability(lattice: &Lattice) -> Option<Vec<Stability>> {
    // Whatever has an object has more of them than the object's own concept.
    let objects = 0..u32::try_from(lattice.objects()).ok()?;
    objects.map(|object| lattice.object_concept(object)).collect::<Option<Vec<_>>>()?;
    let sizes: Vec<u64> = lattice.concepts().map(|concept| lattice.support(concept)).collect();
    let homeless = lattice.bottom().is_none();
    Some(shares(&sizes, lattice.lower_links(), homeless, (0..sizes.len()).rev()))
}

/// Extensional stability, the same from the other side: the share of all sets of a concept's attributes that its objects,
/// and no others, have.
///
/// Also exact where small concepts were left out.
#[must_use]
pub fn extensional_stability(lattice: &Lattice) -> Vec<Stability> {
    let sizes: Vec<u64> =
        lattice.concepts().map(|concept| u64::from(lattice.intent_size(concept))).collect();
    shares(&sizes, lattice.upper_links(), false, 0..sizes.len())
}

/// The shares of all concepts, which come in such an `order` that whatever is reached over `links` came before. The empty set
/// is `homeless` if its concept is not among them.
fn shares(
    sizes: &[u64],
    links: &ConceptLinks,
    homeless: bool,
    order: impl Iterator<Item = usize>,
) -> Vec<Stability> {
    let mut whole = vec![0u128; sizes.len()];
    let mut shares = vec![Stability { share: 0.0, log2_rest: 0.0 }; sizes.len()];
    let (mut seen, mut stack) = (vec![usize::MAX; sizes.len()], Vec::new());
    for concept in order {
        let size = sizes[concept];
        let next = links.of(concept).iter().map(|&other| sizes[other as usize]).max();
        let smallest = next.unwrap_or(0).saturating_sub(NEGLIGIBLE);
        let (mut others, mut rest) =
            if homeless { (1, power(0, next.unwrap_or(0))) } else { (0u128, 0.0) };
        seen[concept] = concept;
        stack.push(concept);
        while let Some(from) = stack.pop() {
            for &other in links.of(from) {
                let other = other as usize;
                if seen[other] == concept || (size > WHOLE && sizes[other] < smallest) {
                    continue;
                }
                seen[other] = concept;
                stack.push(other);
                if size <= WHOLE {
                    others += whole[other];
                } else {
                    // In units of the subsets of the largest other, so that nothing is too small to be told.
                    rest += shares[other].share * power(sizes[other], next.unwrap_or(0));
                }
            }
        }
        shares[concept] = if size <= WHOLE {
            let all = 1u128 << size;
            whole[concept] = all - others;
            Stability {
                share: whole[concept] as f64 / all as f64,
                log2_rest: (others as f64).log2() - size as f64,
            }
        } else {
            let below = next.unwrap_or(0);
            Stability {
                share: 1.0 - rest * power(below, size),
                log2_rest: rest.log2() - (size - below) as f64,
            }
        };
    }
    shares
}

/// `2^(exponent - base)`, for an exponent that is not larger.
fn power(exponent: u64, base: u64) -> f64 {
    i32::try_from(base - exponent).map_or(0.0, |gap| 2f64.powi(-gap))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_close::Terms;
    use pellucid_data::Relation;

    /// Each row of a context many times: large extents, whose subsets are counted by hand.
    #[test]
    fn large_extents_are_told_by_what_is_missing() {
        // 200 objects have 0 and 1, and 100 have 0 alone: the top loses itself only with all of the 100.
        let rows = (0..300).map(|object| if object < 200 { vec![0, 1] } else { vec![0] });
        let relation = Relation::new(2, rows).unwrap();
        let lattice = Lattice::build(&relation, &Terms::default(), 1).unwrap();
        let stability = stability(&lattice).unwrap();
        assert_eq!(lattice.len(), 2);
        assert_eq!(stability[0], Stability { share: 1.0, log2_rest: -100.0 });
        assert_eq!(stability[1], Stability { share: 1.0, log2_rest: f64::NEG_INFINITY });
    }
}
