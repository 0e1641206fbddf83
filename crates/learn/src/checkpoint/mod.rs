//! Checkpoints: the exact state of a run in a file.
//!
//! A [`Checkpoint`] has the state that a learner needs to continue, with a header that identifies
//! the run and a checksum. [`save`](Checkpoint::save) replaces the file atomically, so a full disk
//! or a power failure leaves the previous checkpoint intact.
//!
//! The file: eight bytes `PELLCKPT`, the format version (4 bytes), the length of the body (8), its
//! checksum (8, a [`Fingerprint`]), then the body in the postcard format. Numbers are
//! little-endian.
//!
//! ```
//! use pellucid_learn::checkpoint::Checkpoint;
//! use pellucid_learn::fingerprint::Fingerprint;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("run.ckpt");
//! let fingerprint = Fingerprint::new().with("seed=1");
//! let state = vec![3_u32, 1, 4];
//! Checkpoint { learner: "rules".into(), fingerprint, step: 7, seconds: 0.5, state }.save(&path)?;
//!
//! let back: Checkpoint<Vec<u32>> = Checkpoint::load(&path, "rules", fingerprint)?;
//! assert_eq!((back.step, back.state), (7, vec![3, 1, 4]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;

pub use error::{CheckpointError, CheckpointFault};

use crate::fingerprint::Fingerprint;
use pellucid_files::Content;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

const MAGIC: &[u8; 8] = b"PELLCKPT";
const HEADER: usize = 8 + 4 + 8 + 8;

/// The version of the file format that is written and read.
pub const VERSION: u32 = 2;

/// The maximum size of a checkpoint, in bytes: 8 GiB.
pub const MAX_BYTES: u64 = 8 << 30;

/// The state of a run at the end of a step, and what identifies the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint<S> {
    /// The learner, such as `rules`.
    pub learner: Cow<'static, str>,
    /// A digest of the data and parameters the run was started with.
    pub fingerprint: Fingerprint,
    /// The number of steps done.
    pub step: u64,
    /// The duration of the run so far, including the time before a resume.
    pub seconds: f64,
    /// The state of the learner.
    pub state: S,
}

/// The part of a checkpoint before the state. It can be read even if the state has another type.
#[derive(Deserialize)]
struct Head {
    learner: String,
    fingerprint: Fingerprint,
}

/// When checkpoints are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cadence {
    /// After this number of steps.
    Steps(u64),
    /// After the first step that ends this long after the last checkpoint.
    Time(Duration),
}

impl Default for Cadence {
    /// Every minute.
    fn default() -> Self {
        Cadence::Time(Duration::from_secs(60))
    }
}

impl Cadence {
    /// Returns whether a checkpoint is due, `steps` and `time` after the last one.
    #[must_use]
    pub fn is_due(self, steps: u64, time: Duration) -> bool {
        match self {
            Cadence::Steps(every) => steps >= every.max(1),
            Cadence::Time(every) => steps > 0 && time >= every,
        }
    }
}

impl<S: Serialize> Checkpoint<S> {
    /// Returns the checkpoint as the bytes of a file.
    ///
    /// # Errors
    /// If the state cannot be serialized (a sequence of unknown length).
    pub fn to_bytes(&self) -> Result<Vec<u8>, postcard::Error> {
        let mut bytes = postcard::to_extend(self, vec![0; HEADER])?;
        let body = &bytes[HEADER..];
        let (length, checksum) = (body.len() as u64, Fingerprint::new().with(body));
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..20].copy_from_slice(&length.to_le_bytes());
        bytes[20..28].copy_from_slice(&checksum.value().to_le_bytes());
        Ok(bytes)
    }

    /// Writes the checkpoint to `path`, replacing the file atomically.
    ///
    /// # Errors
    /// If the state cannot be serialized or the file cannot be written. An existing file is then
    /// unchanged.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let bytes = self.to_bytes().map_err(|error| CheckpointError::Encode {
            learner: self.learner.clone().into_owned(),
            error,
        })?;
        pellucid_files::write(path, &bytes).map_err(|error| CheckpointError::write(path, error))
    }
}

impl<S: DeserializeOwned> Checkpoint<S> {
    /// Reads a checkpoint from the bytes of a file, for the given learner and digest of data and
    /// parameters.
    ///
    /// # Errors
    /// If the bytes are not a checkpoint, are truncated or damaged, or belong to another learner or
    /// run.
    pub fn from_bytes(
        bytes: &[u8],
        learner: &str,
        fingerprint: Fingerprint,
    ) -> Result<Self, CheckpointFault> {
        let body = body(bytes)?;
        // Read the head first: decoding the state of another learner gives a confusing error.
        let (head, _): (Head, _) =
            postcard::take_from_bytes(body).map_err(CheckpointFault::Undecodable)?;
        if head.learner != learner {
            return Err(CheckpointFault::Learner {
                found: head.learner,
                expected: learner.to_owned(),
            });
        }
        if head.fingerprint != fingerprint {
            return Err(CheckpointFault::Fingerprint {
                found: head.fingerprint,
                expected: fingerprint,
            });
        }
        match postcard::take_from_bytes::<Self>(body).map_err(CheckpointFault::Undecodable)? {
            (checkpoint, []) if checkpoint.seconds >= 0.0 && checkpoint.seconds.is_finite() => {
                Ok(checkpoint)
            }
            _ => Err(CheckpointFault::Undecodable(postcard::Error::DeserializeBadEncoding)),
        }
    }

    /// Reads a checkpoint from the content of a file.
    pub(crate) fn from_content(
        content: Content,
        learner: &str,
        fingerprint: Fingerprint,
    ) -> Result<Self, CheckpointFault> {
        match content {
            Content::Whole(bytes) => Self::from_bytes(&bytes, learner, fingerprint),
            Content::Foreign(_) => Err(CheckpointFault::Foreign),
            Content::TooLarge => Err(CheckpointFault::TooLarge),
        }
    }

    /// Reads a checkpoint file.
    ///
    /// # Errors
    /// If the file cannot be read, and as [`Checkpoint::from_bytes`].
    pub fn load(
        path: &Path,
        learner: &str,
        fingerprint: Fingerprint,
    ) -> Result<Self, CheckpointError> {
        let content = pellucid_files::read(path, MAX_BYTES, is_checkpoint)
            .map_err(|error| CheckpointError::Read { path: path.to_owned(), error })?;
        Self::from_content(content, learner, fingerprint)
            .map_err(|fault| CheckpointError::Content { path: path.to_owned(), fault })
    }
}

/// Returns whether a file starts like a checkpoint.
pub(crate) fn is_checkpoint(first: &[u8]) -> bool {
    first.starts_with(MAGIC)
}

/// Returns the body of a checkpoint after checking its header and checksum.
fn body(bytes: &[u8]) -> Result<&[u8], CheckpointFault> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(CheckpointFault::Foreign);
    };
    let truncated =
        || CheckpointFault::Length { found: bytes.len() as u64, expected: HEADER as u64 };
    let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(truncated)?;
    let found = u32::from_le_bytes(*version);
    if found != VERSION {
        return Err(CheckpointFault::Version { found });
    }
    let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(truncated)?;
    let (checksum, body) = rest.split_first_chunk::<8>().ok_or_else(truncated)?;
    let length = u64::from_le_bytes(*length);
    if length != body.len() as u64 {
        let expected = length.saturating_add(HEADER as u64);
        return Err(CheckpointFault::Length { found: bytes.len() as u64, expected });
    }
    if Fingerprint::new().with(body).value() != u64::from_le_bytes(*checksum) {
        return Err(CheckpointFault::Damaged);
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Stream, Streams};
    use proptest::prelude::*;

    type State = (Vec<String>, Stream, Option<f64>);

    fn checkpoint() -> Checkpoint<State> {
        let state =
            (vec!["a > 1".into(), "b <= 2".into()], Streams::new(1).stream(&[]), Some(0.1 + 0.2));
        let fingerprint = Fingerprint::new().with("data");
        Checkpoint { learner: "toy".into(), fingerprint, step: 9, seconds: 1.5, state }
    }

    fn read(bytes: &[u8]) -> Result<Checkpoint<State>, CheckpointFault> {
        Checkpoint::from_bytes(bytes, "toy", Fingerprint::new().with("data"))
    }

    #[test]
    fn checkpoints_round_trip() {
        let bytes = checkpoint().to_bytes().expect("plain data");
        assert_eq!(read(&bytes), Ok(checkpoint()));
    }

    #[test]
    fn each_fault_has_a_message() {
        let bytes = checkpoint().to_bytes().expect("plain data");
        assert_eq!(read(b"{}"), Err(CheckpointFault::Foreign));
        assert_eq!(read(b""), Err(CheckpointFault::Foreign));
        let mut newer = bytes.clone();
        newer[8] = 3;
        assert_eq!(read(&newer), Err(CheckpointFault::Version { found: 3 }));
        let (found, expected) = (bytes.len() as u64 - 1, bytes.len() as u64);
        assert_eq!(
            read(&bytes[..bytes.len() - 1]),
            Err(CheckpointFault::Length { found, expected })
        );
        let data = Fingerprint::new().with("data");
        let other = Checkpoint::<State>::from_bytes(&bytes, "xcs", data);
        assert_eq!(
            other.expect_err("another learner").to_string(),
            "found learner 'toy'; expected 'xcs'"
        );
        let other = Checkpoint::<State>::from_bytes(&bytes, "toy", data.with("more"));
        let text = other.expect_err("another run").to_string();
        assert!(text.starts_with("the checkpoint belongs to other data or parameters: "), "{text}");
        // A valid header with a state of another type.
        let other = Checkpoint::<String>::from_bytes(&bytes, "toy", data);
        assert!(matches!(other, Err(CheckpointFault::Undecodable(_))));
    }

    #[test]
    fn a_missing_folder_is_a_clear_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("missing/run.ckpt");
        let text = checkpoint().save(&path).expect_err("no folder").to_string();
        assert!(
            text.starts_with("cannot write checkpoint ")
                && text.ends_with("; no checkpoint was written"),
            "{text}"
        );
        let data = Fingerprint::new();
        let text = Checkpoint::<State>::load(&path, "toy", data).expect_err("no file").to_string();
        assert!(text.starts_with("cannot read checkpoint "), "{text}");
    }

    #[test]
    fn cadences_fall_due() {
        let second = Duration::from_secs(1);
        assert!(
            Cadence::Steps(3).is_due(3, Duration::ZERO) && !Cadence::Steps(3).is_due(2, second)
        );
        assert!(
            Cadence::Steps(0).is_due(1, Duration::ZERO) && !Cadence::Steps(0).is_due(0, second)
        );
        assert!(
            Cadence::Time(second).is_due(1, second) && !Cadence::Time(second).is_due(0, second)
        );
    }

    proptest! {
        #[test]
        fn every_changed_byte_is_detected(at: prop::sample::Index, change in 1_u8..) {
            let mut bytes = checkpoint().to_bytes().expect("plain data");
            let at = at.index(bytes.len());
            bytes[at] ^= change;
            prop_assert!(read(&bytes).is_err());
        }

        #[test]
        fn every_truncation_is_detected(at: prop::sample::Index) {
            let bytes = checkpoint().to_bytes().expect("plain data");
            prop_assert!(read(&bytes[..at.index(bytes.len())]).is_err());
        }

        #[test]
        fn random_bodies_with_a_valid_checksum_never_panic(
            random in prop::collection::vec(any::<u8>(), 1..200),
        ) {
            let wrapped = |body: &[u8]| {
                let mut bytes = MAGIC.to_vec();
                bytes.extend(VERSION.to_le_bytes());
                bytes.extend((body.len() as u64).to_le_bytes());
                bytes.extend(Fingerprint::new().with(body).value().to_le_bytes());
                bytes.extend(body);
                bytes
            };
            let _ = read(&wrapped(&random));
            let whole = checkpoint().to_bytes().expect("plain data");
            prop_assert_eq!(&wrapped(&whole[HEADER..]), &whole);
            let longer = [&whole[HEADER..], &random].concat();
            prop_assert!(matches!(read(&wrapped(&longer)), Err(CheckpointFault::Undecodable(_))));
        }
    }
}
