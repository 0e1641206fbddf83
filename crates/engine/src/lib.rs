//! The engine's crates under one name.
#![forbid(unsafe_code)]

pub use pellucid_bits as bits;
pub use pellucid_bits::{BLOCK_BITS, BitRows, Bits, Block, Level, LevelError, overlap};
pub use pellucid_cover as kernel;
pub use pellucid_cover::{
    Batch, BindError, EvaluateError, Formulas, Hypothesis, Labels, Layout, Literal, Part, Probe,
    Resident, Session, Space, Table, TableError, Tallies, UNCOUNTED, probe, probed_schedule, spec,
};
pub use pellucid_data as data;
pub use pellucid_data::{MISSING, Values};
pub use pellucid_device as device;
pub use pellucid_device::{
    Device, DeviceError, DeviceKind, Discovered, FAULT_VARIABLE, FailAt, Fault, FaultListener,
    LoadError, Machine, Rehearsal, RehearsalError, Schedule, Threads, devices, gpu, schedule,
};
pub use pellucid_program as program;
pub use pellucid_program::{
    Domain, Edge, Expr, Interval, Kind, Leaf, Node, Op, ParseError, ProgramError, ProgramId,
    Programs, Quantifier, Role, Schema, Value,
};

/// Closed sets.
pub mod close {
    pub use pellucid_bits::words;
    pub use pellucid_close::*;
    pub use pellucid_data::{Relation, RelationError};
}

/// Tables.
pub mod table {
    pub use pellucid_cover::table::*;
    pub use pellucid_data::{MISSING, Values};
    pub use pellucid_program::Domain;
}

/// Worlds.
pub mod world {
    pub use pellucid_data::INDIVIDUAL;
    pub use pellucid_relate::*;
}
