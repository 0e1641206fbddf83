use super::*;
use pellucid_bits::Bits;
use pellucid_program::{Kind, Schema};
use proptest::prelude::*;

const GIVEN: u32 = 4;
const LEN: usize = 5 * 512 + 77;

/// Programs over some classes: each is made of earlier ones.
fn programs(recipes: &[(u8, usize, usize, usize)]) -> (Programs, Vec<ProgramId>) {
    let columns = (0..GIVEN).map(|number| (format!("c{number}"), Kind::Boolean));
    let mut programs = Programs::new(Schema::new(columns));
    let mut made: Vec<ProgramId> = (0..GIVEN).map(|column| programs.is(column).unwrap()).collect();
    for &(kind, first, second, third) in recipes {
        let part = |place: usize| made[place % made.len()];
        let parts = [part(first), part(second), part(third)];
        made.push(match kind {
            0 => programs.not(parts[0]),
            1 => programs.and(&parts),
            2 => programs.or(&parts),
            3 => programs.constant(first % 2 == 0),
            _ => programs.and(&parts[..2]),
        });
    }
    (programs, made)
}

proptest! {
    #[test]
    fn the_planner_finds_what_steps_find(
        recipes in prop::collection::vec((0u8..5, 0usize..40, 0usize..40, 0usize..40), 1..40),
        seeds in prop::array::uniform4(any::<u64>()),
        roots in prop::collection::vec(0usize..44, 1..8),
    ) {
        let (programs, made) = programs(&recipes);
        let roots: Vec<ProgramId> = roots.iter().map(|&root| made[root % made.len()]).collect();
        let nodes: Vec<ProgramId> = programs.ids_from(0).collect();
        let given: Vec<Bits> = seeds
            .iter()
            .map(|&seed| (0..LEN as u64).map(|row| (row + 1).wrapping_mul(seed | 1) >> 40 & 1 == 1).collect())
            .collect();
        let known = |id: ProgramId| match programs.node(id) {
            Node::Leaf(column, _) => Some(given[column as usize].blocks()),
            _ => None,
        };
        let blocks = given[0].blocks().len();
        // Two classes, side by side in every block; a row is in one of them at most, and in one at least or not.
        let complete = seeds[3] % 2 == 0;
        let in_second = |row: usize| !given[0].get(row) && (complete || given[1].get(row));
        let classes = [given[0].clone(), (0..LEN).map(in_second).collect()];
        let side_by_side = |block: usize| classes.iter().map(move |bits| bits.blocks()[block]);
        let masks: Vec<Block> = (0..blocks).flat_map(side_by_side).collect();
        let combine = || Combine { programs: &programs, nodes: &nodes, roots: &roots, blocks };
        let results = [false, true].map(|planned| {
            let mut bits = vec![vec![Block::ZERO; blocks]; roots.len()];
            let mut counts = vec![0; 2 * roots.len()];
            let rows = Wanted::Bits { rows: bits.iter_mut().map(Vec::as_mut_slice).collect() };
            let tallies = Wanted::Counts { masks: &masks, classes: 2, counts: &mut counts };
            for wanted in [rows, tallies] {
                if planned {
                    combine().planned(&mut Combinations::default(), Level::best(), known, wanted);
                } else {
                    combine().in_steps(Level::best(), known, wanted);
                }
            }
            let bits: Vec<Bits> = bits.into_iter().map(|bits| Bits::from_blocks(bits, LEN)).collect();
            (bits, counts)
        });
        prop_assert_eq!(&results[0].0, &results[1].0);
        prop_assert_eq!(&results[0].1, &results[1].1);
    }
}
