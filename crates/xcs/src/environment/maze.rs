use super::{Environment, Outcome};
use pellucid_learn::rng::Stream;
use std::collections::VecDeque;

/// A grid of trees, food and empty cells. The agent starts in a random empty cell, sees the eight
/// cells around it, and moves in eight directions until it reaches food. The grid wraps around at
/// its edges.
#[derive(Clone, Debug)]
pub struct Maze {
    cells: Vec<Vec<Cell>>,
    row: usize,
    column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Empty,
    Tree,
    Food,
}

/// Clockwise from north, as (down, right).
const DIRECTIONS: [(usize, usize); 8] = {
    const BACK: usize = usize::MAX;
    [(BACK, 0), (BACK, 1), (0, 1), (1, 1), (1, 0), (1, BACK), (0, BACK), (BACK, BACK)]
};

impl Maze {
    /// Parses a map with one line for each row: `T` or `O` is a tree, `F` is food, and anything
    /// else is an empty cell. Returns `None` if lines differ in length, or if there is no food or
    /// no empty cell.
    #[must_use]
    pub fn parse(map: &str) -> Option<Maze> {
        let cell = |letter| match letter {
            'T' | 'O' => Cell::Tree,
            'F' => Cell::Food,
            _ => Cell::Empty,
        };
        let cells: Vec<Vec<Cell>> =
            map.lines().map(|line| line.chars().map(cell).collect()).collect();
        let width = cells.first()?.len();
        let has = |wanted| cells.iter().flatten().any(|&cell| cell == wanted);
        (cells.iter().all(|row| row.len() == width) && has(Cell::Food) && has(Cell::Empty))
            .then_some(Maze { cells, row: 0, column: 0 })
    }

    /// Returns Woods1 by Wilson.
    #[must_use]
    pub fn woods1() -> Maze {
        Maze::parse(".....\n.OOF.\n.OOO.\n.OOO.\n.....")
            .unwrap_or_else(|| unreachable!("a map with food"))
    }

    /// Returns Maze4 by Lanzi.
    #[must_use]
    pub fn maze4() -> Maze {
        let map = "TTTTTTTT\nT..T..FT\nTT..T..T\nTT.T..TT\nT......T\nTT.T...T\nT....T.T\nTTTTTTTT";
        Maze::parse(map).unwrap_or_else(|| unreachable!("a map with food"))
    }

    /// Returns the mean number of steps on a shortest path, over all empty cells from which food
    /// can be reached.
    #[must_use]
    pub fn best_steps(&self) -> f64 {
        let (height, width) = (self.cells.len(), self.cells[0].len());
        let mut distance = vec![vec![None; width]; height];
        let mut queue = VecDeque::new();
        for (row, cells) in self.cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                if *cell == Cell::Food {
                    distance[row][column] = Some(0_u32);
                    queue.push_back((row, column, 0));
                }
            }
        }
        let mut all = Vec::new();
        while let Some((row, column, steps)) = queue.pop_front() {
            for direction in 0..8 {
                let (row, column) = self.next(row, column, direction);
                if self.cells[row][column] == Cell::Empty && distance[row][column].is_none() {
                    distance[row][column] = Some(steps + 1);
                    all.push(f64::from(steps + 1));
                    queue.push_back((row, column, steps + 1));
                }
            }
        }
        all.iter().sum::<f64>() / all.len().max(1) as f64
    }

    fn next(&self, row: usize, column: usize, direction: usize) -> (usize, usize) {
        let (height, width) = (self.cells.len(), self.cells[0].len());
        let (down, right) = DIRECTIONS[direction];
        let step = |at: usize, by: usize, size: usize| match by {
            usize::MAX => (at + size - 1) % size,
            by => (at + by) % size,
        };
        (step(row, down, height), step(column, right, width))
    }
}

impl Environment for Maze {
    /// Two columns for each adjacent cell: whether it is not empty, and whether it has food.
    fn columns(&self) -> usize {
        16
    }

    fn actions(&self) -> u32 {
        8
    }

    fn begin(&mut self, stream: &mut Stream) {
        loop {
            self.row = stream.index(self.cells.len());
            self.column = stream.index(self.cells[0].len());
            if self.cells[self.row][self.column] == Cell::Empty {
                return;
            }
        }
    }

    fn see(&self, codes: &mut Vec<u32>) {
        codes.clear();
        for direction in 0..8 {
            let (row, column) = self.next(self.row, self.column, direction);
            let cell = self.cells[row][column];
            codes.push(u32::from(cell != Cell::Empty));
            codes.push(u32::from(cell == Cell::Food));
        }
    }

    fn act(&mut self, action: u32) -> Outcome {
        let (row, column) = self.next(self.row, self.column, action as usize % 8);
        match self.cells[row][column] {
            Cell::Tree => return Outcome { reward: 0.0, is_over: false },
            Cell::Food => return Outcome { reward: 1000.0, is_over: true },
            Cell::Empty => {}
        }
        (self.row, self.column) = (row, column);
        Outcome { reward: 0.0, is_over: false }
    }
}
