//! What every learner exports, run elsewhere: names that try to escape, names that collide, columns that are text.

mod collide;
mod hostile;
mod table;
mod text_columns;
