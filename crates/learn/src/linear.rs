//! Systems of linear equations.
//!
//! The order of the floating-point operations is fixed, because models depend on every bit.

/// Solves a system by elimination with partial pivoting. An unknown that the equations leave open
/// is 0.
///
/// ```
/// use pellucid_learn::linear::solve;
/// assert_eq!(solve(vec![vec![0.0, 2.0], vec![4.0, 0.0]], vec![6.0, 8.0]), [2.0, 3.0]);
/// ```
#[must_use]
pub fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for column in 0..size {
        let largest = (column..size)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))
            .unwrap_or(column);
        matrix.swap(column, largest);
        right.swap(column, largest);
        let pivot = matrix[column][column];
        if pivot == 0.0 {
            continue;
        }
        let upper = matrix[column].clone();
        for row in column + 1..size {
            let factor = matrix[row][column] / pivot;
            let entries = matrix[row].iter_mut().zip(&upper).skip(column);
            entries.for_each(|(entry, above)| *entry -= factor * above);
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|place| matrix[row][place] * right[place]).sum();
        let pivot = matrix[row][row];
        right[row] = if pivot == 0.0 { 0.0 } else { (right[row] - known) / pivot };
    }
    right
}

/// Solves a symmetric positive definite system, given its lower triangle, by Cholesky
/// decomposition. Returns `None` if the matrix is not positive definite.
#[must_use]
pub fn solve_positive(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let (head, tail) = matrix.split_at(row * size);
            let above =
                if column == row { &tail[..column] } else { &head[column * size..][..column] };
            let dot: f64 = tail[..column].iter().zip(above).map(|(left, right)| left * right).sum();
            let rest = tail[column] - dot;
            matrix[row * size + column] = if column < row {
                rest / matrix[column * size + column]
            } else if rest > 0.0 {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    for row in 0..size {
        let dot: f64 = (0..row).map(|column| matrix[row * size + column] * right[column]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let dot: f64 = (row + 1..size).map(|below| matrix[below * size + row] * right[below]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
    right.iter().all(|number| number.is_finite()).then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Both methods solve the normal equations of random rows.
        #[test]
        fn solutions_satisfy_the_equations(
            rows in prop::collection::vec(prop::collection::vec(-2.0_f64..2.0, 3), 3..8),
            right in prop::collection::vec(-2.0_f64..2.0, 3),
        ) {
            let dot = |a: usize, b: usize| rows.iter().map(|row| row[a] * row[b]).sum::<f64>();
            let entry = |a, b| dot(a, b) + if a == b { 0.5 } else { 0.0 };
            let matrix: Vec<Vec<f64>> =
                (0..3).map(|a| (0..3).map(|b| entry(a, b)).collect()).collect();
            let by_elimination = solve(matrix.clone(), right.clone());
            let by_cholesky = solve_positive(matrix.concat(), right.clone()).expect("positive");
            for found in [by_elimination, by_cholesky] {
                for (row, right) in matrix.iter().zip(&right) {
                    let left: f64 = row.iter().zip(&found).map(|(entry, x)| entry * x).sum();
                    prop_assert!((left - right).abs() < 1e-9, "{left} {right}");
                }
            }
        }
    }

    #[test]
    fn singular_systems_are_recognized() {
        let matrix = vec![vec![1.0, 1.0], vec![1.0, 1.0]];
        assert_eq!(solve_positive(matrix.concat(), vec![1.0, 1.0]), None);
        assert_eq!(solve(matrix, vec![1.0, 1.0]), [1.0, 0.0]);
    }
}
