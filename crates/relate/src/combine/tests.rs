use super::*;
use pellucid_bits::Bits;
use pellucid_program::{Kind, Schema};
use pellucid_testdevices::cases;
use proptest::prelude::*;

const GIVEN: u32 = 4;
const LEN: usize = 5 * 512 + 77;

/// Programs over some classes, each composed of earlier ones.
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

/// Returns the bits of a program, computed one row at a time.
fn plain(programs: &Programs, root: ProgramId, given: &[Bits]) -> Bits {
    (0..LEN).map(|row| holds(programs, root, given, row)).collect()
}

fn holds(programs: &Programs, id: ProgramId, given: &[Bits], row: usize) -> bool {
    let of = |part: &ProgramId| holds(programs, *part, given, row);
    match programs.node(id) {
        Node::Constant(value) => value,
        Node::Leaf(column, _) => given[column as usize].get(row),
        Node::Not(part) => !of(&part),
        Node::And(parts) => parts.iter().all(of),
        Node::Or(parts) => parts.iter().any(of),
        Node::Related { .. } => unreachable!("there are no roles"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(64)))]

    #[test]
    fn every_level_agrees_with_one_row_at_a_time(
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
        // Two disjoint classes, side by side in every block. They cover all rows only if
        // `complete`.
        let complete = seeds[3] % 2 == 0;
        let in_second = |row: usize| !given[0].get(row) && (complete || given[1].get(row));
        let classes = [given[0].clone(), (0..LEN).map(in_second).collect()];
        let side_by_side = |block: usize| classes.iter().map(move |bits| bits.blocks()[block]);
        let masks: Vec<Block> = (0..blocks).flat_map(side_by_side).collect();
        let combine = || Combine { programs: &programs, nodes: &nodes, roots: &roots, blocks };
        let levels = Level::ALL.into_iter().filter(|level| level.is_available());
        let ways: Vec<(Level, bool)> =
            levels.flat_map(|level| [(level, false), (level, true)]).collect();
        let results: Vec<(Vec<Bits>, Vec<u64>)> = ways.iter().map(|&(level, planned)| {
            let mut bits = vec![vec![Block::ZERO; blocks]; roots.len()];
            let mut counts = vec![0; 2 * roots.len()];
            let rows = CombineOutput::Bits { rows: bits.iter_mut().map(Vec::as_mut_slice).collect() };
            let tallies = CombineOutput::Counts { masks: &masks, classes: 2, counts: &mut counts };
            for output in [rows, tallies] {
                if planned {
                    combine().planned(&mut Combinations::default(), level, known, output);
                } else {
                    combine().in_steps(level, known, output);
                }
            }
            let bits: Vec<Bits> = bits.into_iter().map(|bits| Bits::from_blocks(bits, LEN)).collect();
            (bits, counts)
        }).collect();
        let expected: Vec<Bits> = roots.iter().map(|&root| plain(&programs, root, &given)).collect();
        let count = |bits: &Bits, class: &Bits| {
            bits.ones().filter(|&row| class.get(row)).count() as u64
        };
        let counts: Vec<u64> = expected
            .iter()
            .flat_map(|bits| classes.iter().map(move |class| count(bits, class)))
            .collect();
        for ((level, planned), (bits, found)) in ways.iter().zip(&results) {
            prop_assert_eq!(bits, &expected, "{}, planned: {}", level, planned);
            prop_assert_eq!(found, &counts, "{}, planned: {}", level, planned);
        }
    }
}
