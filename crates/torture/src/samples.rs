//! Valid sample files.

use crate::bundled;
use flate2::Compression;
use flate2::write::GzEncoder;
use pellucid::close::Terms;
use pellucid::concepts::write::{ListFormat, list};
use pellucid::device::Machine;
use pellucid::io::Context;
use pellucid::learn::checkpoint::Cadence;
use pellucid::learn::fingerprint::Fingerprint;
use pellucid::learn::learner::Inner;
use pellucid::learn::run::{Control, Driver, Silent};
use pellucid::registry::{AnyLearner, Data, Settings};
use std::io::Write;
use std::path::Path;

/// Returns files of the project by their paths.
pub(crate) fn files(paths: &[&str]) -> Vec<Vec<u8>> {
    paths.iter().map(|path| bundled::file(path).to_vec()).collect()
}

/// Returns texts as files.
pub(crate) fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Compresses bytes with gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to a vector succeeds")
}

/// Corrects the length and the checksum of a checkpoint, so that a damaged body is read.
pub(crate) fn seal_checkpoint(bytes: &[u8]) -> Vec<u8> {
    const HEAD: usize = 28;
    let Some((head, body)) = bytes.split_at_checked(HEAD) else { return bytes.to_vec() };
    let checksum = Fingerprint::new().with(body).value().to_le_bytes();
    let length = (body.len() as u64).to_le_bytes();
    [&head[..12], &length, &checksum, body].concat()
}

/// Returns the checkpoint of a short run.
pub(crate) fn checkpoint(
    learner: &dyn AnyLearner,
    data: &Data,
    settings: &Settings,
    machine: &Machine,
    path: &Path,
) -> Vec<u8> {
    let driver = Driver::new(&Control::new()).checkpoint(path, Cadence::Steps(1));
    let alone = Inner { folds: 0, ..Inner::default() };
    let learned = learner.fit(data, settings, alone, machine, &driver, &mut Silent);
    learned.map(drop).expect("a run");
    std::fs::read(path).expect("its checkpoint")
}

/// Trains a model and returns its file.
pub(crate) fn model(
    learner: &dyn AnyLearner,
    data: &Data,
    settings: &Settings,
    machine: &Machine,
) -> Vec<u8> {
    let (control, alone) = (Control::new(), Inner { folds: 0, ..Inner::default() });
    let driver = Driver::new(&control);
    let learned = learner.fit(data, settings, alone, machine, &driver, &mut Silent);
    let text = learned.expect("a run").model.to_json().expect("a model");
    text.into_bytes()
}

/// Returns all concepts of a context in the binary format.
pub(crate) fn packed(context: &Context, machine: &Machine, extents: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let terms = Terms { extents, ..Terms::default() };
    list(context, machine, &terms, ListFormat::Binary, &mut bytes).expect("concepts");
    bytes
}
