//! Exports of every learner, run in `SQLite` and Python: names that need escaping, names that collide,
//! and columns of text.

mod collide;
mod files;
mod hostile;
mod skewed;
mod table;
mod text_columns;
