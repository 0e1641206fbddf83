//! A table of some of the examples of another, as folds need it: what is ranked already needs no sorting again.

use super::layout::Layout;
use super::rank::Ranked;
use super::store::{Packed, TILE_BLOCKS, Table};
use super::{Bags, Column};
use pellucid_bits::{BLOCK_BITS, as_u32, transpose_64};
use pellucid_data::MISSING;
use pellucid_device::Threads;
use pellucid_program::Domain;

impl Table {
    /// Some of the examples, in the order given: rows, or whole bags where rows are grouped. It is the table that the same examples of
    /// the data would give.
    ///
    /// # Panics
    /// When a bag is named twice, or an example is not there.
    #[must_use]
    pub fn select(&self, threads: &Threads, examples: &[u32]) -> Table {
        let (rows, layout) = match self.layout() {
            Layout::Plain { .. } => (examples.to_vec(), Layout::Plain { rows: examples.len() }),
            Layout::Bags(bags) => {
                let (rows, bag_of_row) = rows_of(bags, self.rows(), examples);
                (rows, Layout::Bags(Bags::new(&bag_of_row, examples.len())))
            }
        };
        let positions: Vec<u32> =
            rows.iter().map(|&row| as_u32(self.layout().position(row as usize))).collect();
        let packed = threads.map(self.columns().len(), |column| {
            let column = &self.columns()[column];
            let all = self.ranks_by_position(column);
            let ranks = positions.iter().map(|&position| all[position as usize]).collect();
            let ranked = among_themselves(Ranked { domain: column.domain.clone(), ranks });
            Packed::new(column.name.clone(), ranked, &layout)
        });
        Table::join(packed, layout)
    }

    /// The ranks of a column in the order of the layout; those of padding mean nothing.
    fn ranks_by_position(&self, column: &Column) -> Vec<u32> {
        let mut ranks = vec![0; self.layout().blocks() * BLOCK_BITS];
        for (tile, ranks) in ranks.chunks_mut(TILE_BLOCKS * BLOCK_BITS).enumerate() {
            let tile = self.tile(tile);
            for (word, ranks) in ranks.as_chunks_mut::<64>().0.iter_mut().enumerate() {
                let bits = |plane: u32| tile.plane(plane)[word / 8].0[word % 8];
                let mut square = [0; 64];
                square
                    .iter_mut()
                    .zip(column.planes())
                    .for_each(|(word, plane)| *word = bits(plane));
                transpose_64(&mut square);
                let is_known = column.validity.map_or(u64::MAX, bits);
                for (row, (rank, number)) in ranks.iter_mut().zip(square).enumerate() {
                    #[expect(clippy::cast_possible_truncation, reason = "a rank has 32 bits")]
                    let known = number as u32;
                    *rank = if is_known >> row & 1 == 1 { known } else { MISSING };
                }
            }
        }
        ranks
    }
}

/// The rows of some bags, bag after bag, and for each the number of its bag among them.
fn rows_of(bags: &Bags, rows: usize, examples: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut place = vec![MISSING; bags.len()];
    for (new, &bag) in (0..).zip(examples) {
        assert_eq!(place[bag as usize], MISSING, "an example is named twice");
        place[bag as usize] = new;
    }
    // Rows sorted by the number of their bag, in one pass for the counts and one for the places.
    let new_of = |row: usize| place[bags.bag_of(row) as usize];
    let mut ends = vec![0u32; examples.len() + 1];
    (0..rows).map(new_of).filter(|&bag| bag != MISSING).for_each(|bag| ends[bag as usize + 1] += 1);
    for bag in 0..examples.len() {
        ends[bag + 1] += ends[bag];
    }
    let kept = ends[examples.len()] as usize;
    let (mut of_bags, mut bag_of_row) = (vec![0; kept], vec![0; kept]);
    for row in 0..rows {
        let bag = new_of(row);
        if bag != MISSING {
            let at = ends[bag as usize] as usize;
            ends[bag as usize] += 1;
            (of_bags[at], bag_of_row[at]) = (as_u32(row), bag);
        }
    }
    (of_bags, bag_of_row)
}

/// Numbers that no row has any more are forgotten; categories stay.
fn among_themselves(ranked: Ranked) -> Ranked {
    let Ranked { domain: Domain::Numeric(values), mut ranks } = ranked else { return ranked };
    let mut new = vec![MISSING; values.len()];
    ranks.iter().filter(|&&rank| rank != MISSING).for_each(|&rank| new[rank as usize] = 0);
    let mut kept = Vec::new();
    for (new, value) in new.iter_mut().zip(values) {
        if *new != MISSING {
            *new = as_u32(kept.len());
            kept.push(value);
        }
    }
    ranks.iter_mut().filter(|rank| **rank != MISSING).for_each(|rank| *rank = new[*rank as usize]);
    Ranked { domain: Domain::Numeric(kept), ranks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_data::{Bags as Groups, Column, Dataset, Values};
    use proptest::prelude::*;

    /// Everything of a table that is not padding.
    #[derive(Debug, PartialEq)]
    struct Content {
        columns: Vec<super::Column>,
        ranks: Vec<Vec<Option<u32>>>,
        bags: Vec<Option<u32>>,
    }

    fn content(table: &Table) -> Content {
        let ranks =
            |row| (0..table.columns().len()).map(|column| table.rank(row, column)).collect();
        let bag = |row| table.layout().bags().map(|bags| bags.bag_of(row));
        let rows = 0..table.rows();
        Content {
            columns: table.columns().to_vec(),
            ranks: rows.clone().map(ranks).collect(),
            bags: rows.map(bag).collect(),
        }
    }

    proptest! {
        #[test]
        fn it_is_the_table_of_the_selected_data(
            rows in prop::collection::vec(
                (prop_oneof![6 => (-9i8..9).prop_map(f64::from), 1 => Just(f64::NAN)],
                 prop_oneof![6 => 0u32..4, 1 => Just(MISSING)],
                 prop::option::weighted(0.9, any::<bool>()),
                 0usize..7),
                1..1200,
            ),
            has_bags: bool,
            picks in prop::collection::vec(any::<prop::sample::Index>(), 0..900),
        ) {
            let mut met: Vec<usize> = Vec::new();
            let of_row: Vec<u32> = rows.iter().map(|row| {
                let place = met.iter().position(|known| *known == row.3);
                as_u32(place.unwrap_or_else(|| { met.push(row.3); met.len() - 1 }))
            }).collect();
            let names = met.iter().map(usize::to_string).collect();
            let categories = ["a", "b", "c", "d"].map(String::from).to_vec();
            let values = [
                Values::Numeric(rows.iter().map(|row| row.0).collect()),
                Values::Nominal { codes: rows.iter().map(|row| row.1).collect(), categories },
                Values::Boolean(rows.iter().map(|row| row.2).collect()),
            ];
            let column = |(name, values): (&str, Values)| Column { name: name.to_owned(), values };
            let data = Dataset {
                columns: ["number", "word", "truth"].into_iter().zip(values).map(column).collect(),
                rows: rows.len(),
                bags: has_bags.then(|| Groups { name: "bag".to_owned(), names, of_row }),
                ..Dataset::default()
            };
            let all = data.examples();
            let mut examples: Vec<u32> = Vec::new();
            for pick in picks {
                let example = as_u32(pick.index(all));
                if !examples.contains(&example) {
                    examples.push(example);
                }
            }
            let threads = Threads::new(std::num::NonZeroUsize::new(2)).unwrap();
            let selected = Table::from_dataset(data.clone()).unwrap().select(&threads, &examples);
            let wanted = Table::from_dataset(data.select(&examples)).unwrap();
            prop_assert_eq!(content(&selected), content(&wanted));
            prop_assert_eq!(selected.planes(), wanted.planes());
            for tile in 0..wanted.tiles() {
                let all = 0..wanted.planes();
                prop_assert_eq!(selected.tile(tile).planes(all.clone()), wanted.tile(tile).planes(all));
            }
        }
    }
}
