use super::{Environment, Outcome};
use pellucid_learn::rng::Stream;
use std::collections::VecDeque;

/// A grid of trees, food and empty places. One starts anywhere, sees the eight places around, and walks in eight directions
/// until there is food. The map has no edge: who walks off one side comes in on the other.
#[derive(Clone, Debug)]
pub struct Maze {
    places: Vec<Vec<Place>>,
    row: usize,
    column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Empty,
    Tree,
    Food,
}

/// Clockwise from north: rows down, columns to the right.
const DIRECTIONS: [(usize, usize); 8] = {
    const BACK: usize = usize::MAX;
    [(BACK, 0), (BACK, 1), (0, 1), (1, 1), (1, 0), (1, BACK), (0, BACK), (BACK, BACK)]
};

impl Maze {
    /// A map as text, a line for each row: `T` or `O` is a tree, `F` food, anything else an empty place. Nothing where
    /// lines differ in length, or where there is no food or no empty place.
    #[must_use]
    pub fn parse(map: &str) -> Option<Maze> {
        let place = |letter| match letter {
            'T' | 'O' => Place::Tree,
            'F' => Place::Food,
            _ => Place::Empty,
        };
        let places: Vec<Vec<Place>> =
            map.lines().map(|line| line.chars().map(place).collect()).collect();
        let width = places.first()?.len();
        let has = |wanted| places.iter().flatten().any(|&place| place == wanted);
        (places.iter().all(|row| row.len() == width) && has(Place::Food) && has(Place::Empty))
            .then_some(Maze { places, row: 0, column: 0 })
    }

    /// Wilson's Woods1: a tree-lined clearing that repeats for ever.
    #[must_use]
    pub fn woods1() -> Maze {
        Maze::parse(".....\n.OOF.\n.OOO.\n.OOO.\n.....")
            .unwrap_or_else(|| unreachable!("a map with food"))
    }

    /// Lanzi's Maze4.
    #[must_use]
    pub fn maze4() -> Maze {
        let map = "TTTTTTTT\nT..T..FT\nTT..T..T\nTT.T..TT\nT......T\nTT.T...T\nT....T.T\nTTTTTTTT";
        Maze::parse(map).unwrap_or_else(|| unreachable!("a map with food"))
    }

    /// How many steps the best walk takes, on average over all empty places from which there is one.
    #[must_use]
    pub fn best_steps(&self) -> f64 {
        let (height, width) = (self.places.len(), self.places[0].len());
        let mut distance = vec![vec![None; width]; height];
        let mut queue = VecDeque::new();
        for (row, places) in self.places.iter().enumerate() {
            for (column, place) in places.iter().enumerate() {
                if *place == Place::Food {
                    distance[row][column] = Some(0_u32);
                    queue.push_back((row, column, 0));
                }
            }
        }
        let mut all = Vec::new();
        while let Some((row, column, steps)) = queue.pop_front() {
            for direction in 0..8 {
                let (row, column) = self.next(row, column, direction);
                if self.places[row][column] == Place::Empty && distance[row][column].is_none() {
                    distance[row][column] = Some(steps + 1);
                    all.push(f64::from(steps + 1));
                    queue.push_back((row, column, steps + 1));
                }
            }
        }
        all.iter().sum::<f64>() / all.len().max(1) as f64
    }

    fn next(&self, row: usize, column: usize, direction: usize) -> (usize, usize) {
        let (height, width) = (self.places.len(), self.places[0].len());
        let (down, right) = DIRECTIONS[direction];
        let step = |at: usize, by: usize, size: usize| match by {
            usize::MAX => (at + size - 1) % size,
            by => (at + by) % size,
        };
        (step(row, down, height), step(column, right, width))
    }
}

impl Environment for Maze {
    /// Two for each place around: whether something is there, and whether it is food.
    fn columns(&self) -> usize {
        16
    }

    fn actions(&self) -> u32 {
        8
    }

    fn begin(&mut self, stream: &mut Stream) {
        loop {
            self.row = stream.index(self.places.len());
            self.column = stream.index(self.places[0].len());
            if self.places[self.row][self.column] == Place::Empty {
                return;
            }
        }
    }

    fn see(&self, codes: &mut Vec<u32>) {
        codes.clear();
        for direction in 0..8 {
            let (row, column) = self.next(self.row, self.column, direction);
            let place = self.places[row][column];
            codes.push(u32::from(place != Place::Empty));
            codes.push(u32::from(place == Place::Food));
        }
    }

    fn act(&mut self, action: u32) -> Outcome {
        let (row, column) = self.next(self.row, self.column, action as usize % 8);
        match self.places[row][column] {
            Place::Tree => return Outcome { reward: 0.0, is_over: false },
            Place::Food => return Outcome { reward: 1000.0, is_over: true },
            Place::Empty => {}
        }
        (self.row, self.column) = (row, column);
        Outcome { reward: 0.0, is_over: false }
    }
}
