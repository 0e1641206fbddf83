//! Sound files to begin with.

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

/// Files of the project, by their paths.
pub(crate) fn files(paths: &[&str]) -> Vec<Vec<u8>> {
    paths.iter().map(|path| bundled::file(path).to_vec()).collect()
}

/// Texts that stand in no file.
pub(crate) fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Bytes as gzip packs them.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).and_then(|()| packed.finish()).expect("a vector takes all")
}

/// A checkpoint with the length and the checksum that its body has, so that damage gets behind them.
pub(crate) fn sealed_checkpoint(bytes: &[u8]) -> Vec<u8> {
    const HEAD: usize = 28;
    let Some((head, body)) = bytes.split_at_checked(HEAD) else { return bytes.to_vec() };
    let checksum = Fingerprint::new().with(body).value().to_le_bytes();
    let length = (body.len() as u64).to_le_bytes();
    [&head[..12], &length, &checksum, body].concat()
}

/// The checkpoint of a run after a few steps.
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

/// A model that was just learned.
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

/// All concepts of a context, packed.
pub(crate) fn packed(context: &Context, machine: &Machine, extents: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let terms = Terms { extents, ..Terms::default() };
    list(context, machine, &terms, ListFormat::Binary, &mut bytes).expect("concepts");
    bytes
}
