//! Errors of checkpoints.

use super::{MAX_BYTES, VERSION};
use crate::fingerprint::Fingerprint;
use pellucid_data::shorten;
use std::io;
use std::path::{Path, PathBuf};

/// Why a checkpoint could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file could not be written.
    #[error("cannot write checkpoint {path}: {error}; {kept}", kept = kept(*is_new))]
    Write {
        /// The file.
        path: PathBuf,
        /// Whether there was no such file before.
        is_new: bool,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The state cannot be serialized.
    #[error("cannot serialize the state of learner {learner}: {error}")]
    Encode {
        /// The learner.
        learner: String,
        /// The error of the encoder.
        #[source]
        error: postcard::Error,
    },
    /// A new run would overwrite an existing checkpoint.
    #[error("checkpoint {0} already exists; resume from it, or remove it to start over")]
    Exists(PathBuf),
    /// Another running process writes to it.
    #[error("checkpoint {0} is in use by another run; wait for it to end, or use another file")]
    InUse(PathBuf),
    /// It has more steps than this run would do.
    #[error(
        "checkpoint {path} has {done} steps, but this run has only {asked}; use at least {done} \
         steps, or start over with another file"
    )]
    Beyond {
        /// The file.
        path: PathBuf,
        /// The number of steps in the checkpoint.
        done: u64,
        /// The number of steps of this run.
        asked: u64,
    },
    /// The file could not be read.
    #[error("cannot read checkpoint {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The content is invalid.
    #[error("checkpoint {path}: {fault}")]
    Content {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        fault: CheckpointFault,
    },
}

/// Why the content of a checkpoint is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointFault {
    /// It is another kind of file.
    #[error("not a Pellucid checkpoint: it does not start with PELLCKPT")]
    Foreign,
    /// It has another format version.
    #[error(
        "found checkpoint format {found}; expected format {VERSION}; resume with the version of \
         Pellucid that wrote it"
    )]
    Version {
        /// The version found.
        found: u32,
    },
    /// It is truncated or too long.
    #[error("found {found} bytes; expected {expected}: the file is truncated or too long")]
    Length {
        /// The bytes found.
        found: u64,
        /// The bytes announced.
        expected: u64,
    },
    /// It exceeds the size limit.
    #[error("the file is larger than the limit of {MAX_BYTES} bytes")]
    TooLarge,
    /// The content has changed since it was written.
    #[error("the file is damaged: the checksum does not match")]
    Damaged,
    /// The content is intact but cannot be decoded for this learner.
    #[error("cannot decode the content: {0}")]
    Undecodable(postcard::Error),
    /// It belongs to another learner.
    #[error("found learner '{}'; expected '{expected}'", shorten(found))]
    Learner {
        /// The learner in the file.
        found: String,
        /// The learner of this run.
        expected: String,
    },
    /// It belongs to another run.
    #[error(
        "the checkpoint belongs to other data or parameters: found fingerprint {found}; expected \
         {expected}"
    )]
    Fingerprint {
        /// The digest in the file.
        found: Fingerprint,
        /// The digest of this run.
        expected: Fingerprint,
    },
}

impl CheckpointError {
    /// Returns the error of a file that could not be written.
    pub(crate) fn write(path: &Path, error: io::Error) -> CheckpointError {
        CheckpointError::Write { path: path.to_owned(), is_new: !path.exists(), error }
    }
}

/// Returns what is left of a checkpoint that could not be written.
fn kept(is_new: bool) -> &'static str {
    if is_new { "no checkpoint was written" } else { "the previous checkpoint is unchanged" }
}
