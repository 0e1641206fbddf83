//! The output that several threads share: each fills a buffer of its own, and full buffers are
//! written one at a time, so lines stay whole.

use std::fmt;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The size in bytes at which a buffer is written.
pub(super) const BUFFER: usize = 1 << 16;

/// The output behind all buffers.
pub(crate) struct SharedLines<W> {
    inner: Mutex<Inner<W>>,
    failed: AtomicBool,
}

struct Inner<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W> fmt::Debug for SharedLines<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedLines").field("failed", &self.failed).finish_non_exhaustive()
    }
}

impl<W: Write + Send> SharedLines<W> {
    pub(crate) fn new(out: W) -> SharedLines<W> {
        let inner = Mutex::new(Inner { out, error: None });
        SharedLines { inner, failed: AtomicBool::new(false) }
    }

    /// Returns an empty buffer. It is written when it is full and when it is dropped.
    pub(crate) fn buffer(&self) -> LineBuffer<'_, W> {
        LineBuffer { output: self, bytes: Vec::new() }
    }

    /// Whether writing failed, so that the search should stop.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Relaxed)
    }

    /// Finishes writing and returns the underlying writer, or the first write error.
    pub(crate) fn finish(self) -> io::Result<W> {
        let mut inner = self.inner.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        match inner.error {
            Some(error) => Err(error),
            None => inner.out.flush().map(|()| inner.out),
        }
    }

    /// Writes a full buffer and clears it.
    fn write(&self, buffer: &mut Vec<u8>) {
        if !self.has_failed() {
            let mut inner = self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            // Another writer may have failed while this one waited.
            if inner.error.is_none()
                && let Err(error) = inner.out.write_all(buffer)
            {
                inner.error = Some(error);
                self.failed.store(true, Relaxed);
            }
        }
        buffer.clear();
    }
}

/// The lines of one thread that are not written yet. The alignment keeps buffers on separate cache
/// lines: with shared cache lines, sixteen threads were twenty times slower.
#[repr(align(128))]
pub(crate) struct LineBuffer<'t, W: Write + Send> {
    output: &'t SharedLines<W>,
    pub(super) bytes: Vec<u8>,
}

impl<W: Write + Send> LineBuffer<'_, W> {
    /// Appends what `line` writes.
    pub(crate) fn push(&mut self, line: impl FnOnce(&mut Vec<u8>)) {
        line(&mut self.bytes);
        if self.bytes.len() >= BUFFER {
            self.output.write(&mut self.bytes);
        }
    }
}

impl<W: Write + Send> Drop for LineBuffer<'_, W> {
    fn drop(&mut self) {
        if !self.bytes.is_empty() {
            self.output.write(&mut self.bytes);
        }
    }
}
