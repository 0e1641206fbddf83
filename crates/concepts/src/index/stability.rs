//! Stability of concepts.
//!
//! Every subset of the objects has the intent of exactly one concept. The subsets of an extent are
//! therefore partitioned among the concept and all concepts below it, and counting from the bottom
//! up gives the share of each (Roth, Obiedkov and Kourie 2006). The cost is one step for every pair
//! of a concept and a lower one: a few seconds for hundreds of thousands of concepts.

use crate::lattice::{ConceptLinks, Lattice};

/// The largest extent whose subsets are counted exactly: it has 2^126 subsets.
const MAX_EXACT: u64 = 126;

/// An extent smaller than the largest lower one by this much has less than 2^-80 of its subsets and
/// is omitted from sums.
const NEGLIGIBLE: u64 = 80;

/// The share of the subsets of an extent that have the same intent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// The share, from 0 to 1.
    pub share: f64,
    /// The base-2 logarithm of 1 - share. It distinguishes large extents, whose share rounds to 1.
    /// Negative infinity if the share is exactly 1.
    pub log2_rest: f64,
}

/// Stability: for each concept, the share of all subsets of its extent that have the same intent.
///
/// For concepts of up to 126 objects, the subsets are counted exactly and only the result is
/// rounded. For larger concepts, the relative error of the rest is of the order of 2^-53 times the
/// number of lower concepts with almost as many objects.
///
/// Returns `None` if concepts with objects are missing from the lattice, because their subsets
/// would be attributed to the concepts above. A concept without objects may be missing, because the
/// empty set is its only subset.
#[must_use]
pub fn stability(lattice: &Lattice) -> Option<Vec<Stability>> {
    // A concept with objects is listed if the object concepts of its objects are.
    let objects = 0..u32::try_from(lattice.objects()).ok()?;
    objects.map(|object| lattice.object_concept(object)).collect::<Option<Vec<_>>>()?;
    let sizes: Vec<u64> = lattice.concepts().map(|concept| lattice.support(concept)).collect();
    let is_bottom_missing = lattice.bottom().is_none();
    Some(shares(&sizes, lattice.lower_links(), is_bottom_missing, (0..sizes.len()).rev()))
}

/// Extensional stability: for each concept, the share of all subsets of its intent that have the
/// same extent.
///
/// It is also exact for iceberg lattices.
#[must_use]
pub fn extensional_stability(lattice: &Lattice) -> Vec<Stability> {
    let sizes: Vec<u64> =
        lattice.concepts().map(|concept| u64::from(lattice.intent_size(concept))).collect();
    shares(&sizes, lattice.upper_links(), false, 0..sizes.len())
}

/// Computes all shares. In `order`, every concept comes after those reachable over `links`.
/// `is_bottom_missing` says that the bottom concept is not listed.
fn shares(
    sizes: &[u64],
    links: &ConceptLinks,
    is_bottom_missing: bool,
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
            if is_bottom_missing { (1, power(0, next.unwrap_or(0))) } else { (0u128, 0.0) };
        seen[concept] = concept;
        stack.push(concept);
        while let Some(from) = stack.pop() {
            for &other in links.of(from) {
                let other = other as usize;
                if seen[other] == concept || (size > MAX_EXACT && sizes[other] < smallest) {
                    continue;
                }
                seen[other] = concept;
                stack.push(other);
                if size <= MAX_EXACT {
                    others += whole[other];
                } else {
                    // In units of the subsets of the largest lower extent, to avoid underflow.
                    rest += shares[other].share * power(sizes[other], next.unwrap_or(0));
                }
            }
        }
        shares[concept] = if size <= MAX_EXACT {
            let all = 1u128 << size;
            whole[concept] = all - others;
            Stability {
                share: whole[concept] as f64 / all as f64,
                log2_rest: libm::log2(others as f64) - size as f64,
            }
        } else {
            let below = next.unwrap_or(0);
            Stability {
                share: 1.0 - rest * power(below, size),
                log2_rest: libm::log2(rest) - (size - below) as f64,
            }
        };
    }
    shares
}

/// Returns `2^(exponent - base)` for an exponent of at most `base`.
fn power(exponent: u64, base: u64) -> f64 {
    i32::try_from(base - exponent).map_or(0.0, |gap| 2f64.powi(-gap))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_close::Terms;
    use pellucid_data::Relation;

    /// A context with many equal rows, so that extents are large and subsets can be counted by
    /// hand.
    #[test]
    fn large_extents_differ_in_the_logarithm_of_the_rest() {
        // 200 objects have 0 and 1, 100 have only 0: the top changes only if all 100 are removed.
        let rows = (0..300).map(|object| if object < 200 { vec![0, 1] } else { vec![0] });
        let relation = Relation::new(2, rows).unwrap();
        let lattice = Lattice::build(&relation, &Terms::default(), 1).unwrap();
        let stability = stability(&lattice).unwrap();
        assert_eq!(lattice.len(), 2);
        assert_eq!(stability[0], Stability { share: 1.0, log2_rest: -100.0 });
        assert_eq!(stability[1], Stability { share: 1.0, log2_rest: f64::NEG_INFINITY });
    }
}
