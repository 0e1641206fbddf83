//! What every learner exports, run elsewhere: names that try to escape, names that collide, columns
//! that are text.

mod collide;
mod files;
mod hostile;
mod skewed;
mod table;
mod text_columns;
