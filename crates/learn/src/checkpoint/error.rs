//! What can be wrong with a checkpoint.

use super::{MAX_BYTES, VERSION};
use crate::fingerprint::Fingerprint;
use pellucid_data::shorten;
use std::io;
use std::path::PathBuf;

/// Why a checkpoint could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The disk is full, the folder is missing or may not be written to.
    #[error("cannot write checkpoint {path}: {error}; an earlier checkpoint there is unharmed")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The state has no wire form.
    #[error("the state of learner {learner} cannot be stored: {error}")]
    Encode {
        /// The learner.
        learner: String,
        /// What the encoder said.
        #[source]
        error: postcard::Error,
    },
    /// A new run would overwrite the checkpoint of another.
    #[error("checkpoint {0} exists already; resume from it, or move it away to start anew")]
    Exists(PathBuf),
    /// Another run that is under way writes to it.
    #[error("checkpoint {0} is in use by another run; wait until that ends, or name another file")]
    InUse(PathBuf),
    /// It holds more than was asked for now, and there is no way back.
    #[error(
        "checkpoint {path} has done {done} steps, this run is to do {asked}; ask for no fewer than are done, or start anew with another file"
    )]
    Beyond {
        /// The file.
        path: PathBuf,
        /// How many steps it has done.
        done: u64,
        /// How many were asked for.
        asked: u64,
    },
    /// The file is missing or may not be read.
    #[error("cannot read checkpoint {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The content is not what it should be.
    #[error("checkpoint {path}: {fault}")]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        fault: Fault,
    },
}

/// What is wrong with the content of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is another kind of file.
    #[error("not a Pellucid checkpoint (those begin with PELLCKPT)")]
    Foreign,
    /// It was written by another version.
    #[error(
        "found checkpoint format {found}, this Pellucid reads format {VERSION}; resume with the version that wrote it"
    )]
    Version {
        /// The version found.
        found: u32,
    },
    /// It ends too early or goes on too long.
    #[error("found {found} bytes, {expected} were written: it was cut off or added to")]
    Length {
        /// The bytes found.
        found: u64,
        /// The bytes announced.
        expected: u64,
    },
    /// It is larger than any checkpoint that is read.
    #[error("it is larger than {MAX_BYTES} bytes, the most that is read")]
    TooLarge,
    /// A bit has changed since it was written.
    #[error("it is damaged: its checksum does not fit its content")]
    Damaged,
    /// The content is intact and yet makes no sense for this learner.
    #[error("its content cannot be understood: {0}")]
    Undecodable(postcard::Error),
    /// It belongs to another learner.
    #[error("it was made by learner '{}', expected '{expected}'", shorten(found))]
    Learner {
        /// The learner that made it.
        found: String,
        /// The learner that wants to read it.
        expected: String,
    },
    /// It belongs to another run.
    #[error(
        "this checkpoint was made with other data or parameters: its fingerprint is {found}, that of this run {expected}"
    )]
    Fingerprint {
        /// The digest in the file.
        found: Fingerprint,
        /// The digest of this run.
        expected: Fingerprint,
    },
}
