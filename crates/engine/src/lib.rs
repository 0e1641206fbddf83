//! Very many hypotheses against very many examples, exactly, at the speed of the machine.
//!
//! A [`Table`] holds columns as bit planes. [`Programs`] is a pool of formulas over its columns. A [`Session`] evaluates
//! many of them together and gives back a tally per formula: how many rows, or bags of rows, of each class it holds for.
//! Everything is counted in integers, so the answer is the same on every instruction set, device and number of threads.
//!
//! ```
//! use pellucid_engine::{Cpu, Hypothesis, Labels, Session, Table, Values};
//! use std::sync::Arc;
//!
//! // Five atoms in two molecules.
//! let charge = Values::Numeric(vec![0.2, -0.7, 0.9, -0.1, -0.4]);
//! let element = Values::Nominal { codes: vec![0, 1, 0, 0, 1], categories: vec!["c".into(), "o".into()] };
//! let table = Table::with_bags(vec![("charge".into(), charge), ("element".into(), element)], &[0, 0, 0, 1, 1])?;
//! let labels = Labels::bags(&table, &[1, 0], 2)?;
//!
//! let cpu = Arc::new(Cpu::new(None)?);
//! let mut session = Session::new(Arc::new(table), labels, Hypothesis::Presence, &[cpu])?;
//! let rule = session.programs_mut().parse("element = c and charge > 0.5")?;
//! assert_eq!(session.tally(&[rule])?.of(0), [0, 1]); // no molecule of class 0, one of class 1
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The way of a batch: [`program`] (what is meant) → [`kernel`] (what it means on the table, and what is to be computed)
//! → [`schedule`] (which device) → [`device`] → [`cpu`] (tile by tile).
//!
//! `unsafe` is found in the instruction-set files of [`cpu`], where large pages are asked for, and where kernels of a GPU are
//! launched, nowhere else.

pub mod bits;
pub mod close;
pub mod cpu;
pub mod data;
pub mod device;
pub mod gpu;
pub mod kernel;
mod machine;
pub mod program;
pub mod schedule;
mod session;
pub mod table;
pub mod world;

pub use bits::{BLOCK_BITS, BitRows, Bits, Block};
pub use cpu::{Level, LevelError, overlap};
pub use device::{
    Batch, Cpu, Device, DeviceError, DeviceKind, Discovered, FAULT_VARIABLE, FailAt, Failing,
    Probe, Rehearsal, RehearsalError, Resident, Threads, devices, probe,
};
pub use kernel::{BindError, Formulas, Hypothesis, Literal, Part, Tallies, spec};
pub use machine::Machine;
pub use program::{
    Edge, Expr, Interval, Kind, Leaf, Node, Op, ParseError, ProgramError, ProgramId, Programs,
    Quantifier, Role, Schema, Value,
};
pub use schedule::{Fault, FaultListener, LoadError, Schedule};
pub use session::{EvaluateError, Session};
pub use table::{
    Bags, Column, Domain, Labels, Layout, MISSING, Space, Table, TableError, UNCOUNTED, Values,
};
