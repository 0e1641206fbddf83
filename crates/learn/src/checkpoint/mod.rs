//! Checkpoints: the state of a run in a file, exact and whole.
//!
//! A [`Checkpoint`] is what a learner needs to go on, wrapped so that a reader can tell whether it
//! is the right one and whether it is intact. [`save`](Checkpoint::save) replaces the file in one
//! move, so a full disk or a power failure leaves the previous checkpoint as it was.
//!
//! The file: eight bytes `PELLCKPT`, the format version (4 bytes), the length of the body (8), its
//! checksum (8, a [`Fingerprint`]), then the body in postcard's wire form. Numbers are
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

pub use error::{CheckpointError, Fault};

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

/// The largest checkpoint that is read, in bytes: 8 GiB.
pub const MAX_BYTES: u64 = 8 << 30;

/// The state of a run at the end of a step, with what a reader must know about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint<S> {
    /// The learner, such as `rules`.
    pub learner: Cow<'static, str>,
    /// A digest of the data and parameters the run was started with.
    pub fingerprint: Fingerprint,
    /// How many steps were done.
    pub step: u64,
    /// How long the run took so far, over all its parts.
    pub seconds: f64,
    /// What the learner needs to go on.
    pub state: S,
}

/// The part of a checkpoint before the state, to be read when the state is of another kind.
#[derive(Deserialize)]
struct Head {
    learner: String,
    fingerprint: Fingerprint,
}

/// When checkpoints are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cadence {
    /// After every so many steps.
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
    /// Whether a checkpoint is due, `steps` and `time` after the last one.
    #[must_use]
    pub fn is_due(self, steps: u64, time: Duration) -> bool {
        match self {
            Cadence::Steps(every) => steps >= every.max(1),
            Cadence::Time(every) => steps > 0 && time >= every,
        }
    }
}

impl<S: Serialize> Checkpoint<S> {
    /// The checkpoint as the bytes of a file.
    ///
    /// # Errors
    /// When the state has no wire form (a sequence of unknown length).
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

    /// Writes the checkpoint in place of the one at `path`, in one move.
    ///
    /// # Errors
    /// When the state has no wire form or the file cannot be written; what was at `path` is then
    /// unharmed.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let bytes = self.to_bytes().map_err(|error| CheckpointError::Encode {
            learner: self.learner.clone().into_owned(),
            error,
        })?;
        pellucid_files::write(path, &bytes)
            .map_err(|error| CheckpointError::Write { path: path.to_owned(), error })
    }
}

impl<S: DeserializeOwned> Checkpoint<S> {
    /// Reads a checkpoint from the bytes of a file, for the given learner and digest of data and
    /// parameters.
    ///
    /// # Errors
    /// When the bytes are no checkpoint, are cut off or damaged, or belong to another learner or
    /// run.
    pub fn from_bytes(
        bytes: &[u8],
        learner: &str,
        fingerprint: Fingerprint,
    ) -> Result<Self, Fault> {
        let body = body(bytes)?;
        // The head is read first: the state of another learner would only give a riddle of an
        // error.
        let (head, _): (Head, _) = postcard::take_from_bytes(body).map_err(Fault::Undecodable)?;
        if head.learner != learner {
            return Err(Fault::Learner { found: head.learner, expected: learner.to_owned() });
        }
        if head.fingerprint != fingerprint {
            return Err(Fault::Fingerprint { found: head.fingerprint, expected: fingerprint });
        }
        match postcard::take_from_bytes::<Self>(body).map_err(Fault::Undecodable)? {
            (checkpoint, []) if checkpoint.seconds >= 0.0 && checkpoint.seconds.is_finite() => {
                Ok(checkpoint)
            }
            _ => Err(Fault::Undecodable(postcard::Error::DeserializeBadEncoding)),
        }
    }

    /// The same from what was found in a file.
    pub(crate) fn from_content(
        content: Content,
        learner: &str,
        fingerprint: Fingerprint,
    ) -> Result<Self, Fault> {
        match content {
            Content::Whole(bytes) => Self::from_bytes(&bytes, learner, fingerprint),
            Content::Foreign(_) => Err(Fault::Foreign),
            Content::TooLarge => Err(Fault::TooLarge),
        }
    }

    /// Reads a checkpoint file.
    ///
    /// # Errors
    /// When the file cannot be read, and as [`Checkpoint::from_bytes`].
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

/// Whether a file begins as checkpoints do.
pub(crate) fn is_checkpoint(first: &[u8]) -> bool {
    first.starts_with(MAGIC)
}

/// The body of a checkpoint, once its header and checksum are found to be right.
fn body(bytes: &[u8]) -> Result<&[u8], Fault> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(Fault::Foreign);
    };
    let cut_off = || Fault::Length { found: bytes.len() as u64, expected: HEADER as u64 };
    let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(cut_off)?;
    let found = u32::from_le_bytes(*version);
    if found != VERSION {
        return Err(Fault::Version { found });
    }
    let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(cut_off)?;
    let (checksum, body) = rest.split_first_chunk::<8>().ok_or_else(cut_off)?;
    let length = u64::from_le_bytes(*length);
    if length != body.len() as u64 {
        let expected = length.saturating_add(HEADER as u64);
        return Err(Fault::Length { found: bytes.len() as u64, expected });
    }
    if Fingerprint::new().with(body).value() != u64::from_le_bytes(*checksum) {
        return Err(Fault::Damaged);
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

    fn read(bytes: &[u8]) -> Result<Checkpoint<State>, Fault> {
        Checkpoint::from_bytes(bytes, "toy", Fingerprint::new().with("data"))
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = checkpoint().to_bytes().expect("plain data");
        assert_eq!(read(&bytes), Ok(checkpoint()));
    }

    #[test]
    fn each_fault_has_its_sentence() {
        let bytes = checkpoint().to_bytes().expect("plain data");
        assert_eq!(read(b"{}"), Err(Fault::Foreign));
        assert_eq!(read(b""), Err(Fault::Foreign));
        let mut newer = bytes.clone();
        newer[8] = 3;
        assert_eq!(read(&newer), Err(Fault::Version { found: 3 }));
        let (found, expected) = (bytes.len() as u64 - 1, bytes.len() as u64);
        assert_eq!(read(&bytes[..bytes.len() - 1]), Err(Fault::Length { found, expected }));
        let data = Fingerprint::new().with("data");
        let other = Checkpoint::<State>::from_bytes(&bytes, "xcs", data);
        assert_eq!(
            other.expect_err("another learner").to_string(),
            "it was made by learner 'toy', expected 'xcs'"
        );
        let other = Checkpoint::<State>::from_bytes(&bytes, "toy", data.with("more"));
        let text = other.expect_err("another run").to_string();
        assert!(
            text.starts_with("this checkpoint was made with other data or parameters: "),
            "{text}"
        );
        // The right wrapping around a state of another shape.
        let other = Checkpoint::<String>::from_bytes(&bytes, "toy", data);
        assert!(matches!(other, Err(Fault::Undecodable(_))));
    }

    #[test]
    fn a_missing_folder_is_a_clear_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("missing/run.ckpt");
        let text = checkpoint().save(&path).expect_err("no folder").to_string();
        assert!(
            text.starts_with("cannot write checkpoint ") && text.contains("unharmed"),
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
        fn no_changed_byte_goes_unnoticed(at: prop::sample::Index, change in 1_u8..) {
            let mut bytes = checkpoint().to_bytes().expect("plain data");
            let at = at.index(bytes.len());
            bytes[at] ^= change;
            prop_assert!(read(&bytes).is_err());
        }

        #[test]
        fn no_cut_goes_unnoticed(at: prop::sample::Index) {
            let bytes = checkpoint().to_bytes().expect("plain data");
            prop_assert!(read(&bytes[..at.index(bytes.len())]).is_err());
        }

        #[test]
        fn made_up_bodies_with_a_right_checksum_never_panic(
            made_up in prop::collection::vec(any::<u8>(), 1..200),
        ) {
            let wrapped = |body: &[u8]| {
                let mut bytes = MAGIC.to_vec();
                bytes.extend(VERSION.to_le_bytes());
                bytes.extend((body.len() as u64).to_le_bytes());
                bytes.extend(Fingerprint::new().with(body).value().to_le_bytes());
                bytes.extend(body);
                bytes
            };
            let _ = read(&wrapped(&made_up));
            let whole = checkpoint().to_bytes().expect("plain data");
            prop_assert_eq!(&wrapped(&whole[HEADER..]), &whole);
            let longer = [&whole[HEADER..], &made_up].concat();
            prop_assert!(matches!(read(&wrapped(&longer)), Err(Fault::Undecodable(_))));
        }
    }
}
