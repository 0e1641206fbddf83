//! The output that the threads of a search share: full buffers are written one at a time.

use super::ConceptForm;
use pellucid_close::{ConceptView, Visitor};
use std::fmt;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The size in bytes at which a buffer is written.
const BUFFER: usize = 1 << 16;

/// The output shared by all writers of a search.
pub struct SharedOutput<'a, W> {
    form: &'a dyn ConceptForm,
    inner: Mutex<Inner<W>>,
    failed: AtomicBool,
}

struct Inner<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W> fmt::Debug for SharedOutput<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedOutput").field("failed", &self.failed).finish_non_exhaustive()
    }
}

impl<'a, W: Write + Send> SharedOutput<'a, W> {
    /// Writes the header.
    ///
    /// # Errors
    /// If writing fails.
    pub fn new(mut out: W, form: &'a dyn ConceptForm) -> io::Result<SharedOutput<'a, W>> {
        let mut head = Vec::new();
        form.head(&mut head);
        out.write_all(&head)?;
        let inner = Mutex::new(Inner { out, error: None });
        Ok(SharedOutput { form, inner, failed: AtomicBool::new(false) })
    }

    /// Returns one writer per thread. A writer flushes its buffer when it is dropped.
    #[must_use]
    pub fn writers<'t>(&'t self, count: usize) -> Vec<ConceptWriter<'t, 'a, W>> {
        (0..count).map(|_| ConceptWriter { output: self, buffer: Vec::new() }).collect()
    }

    /// Whether writing failed, so that the search should stop.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.failed.load(Relaxed)
    }

    /// Finishes writing and returns the underlying writer.
    ///
    /// # Errors
    /// The first write error.
    pub fn finish(self) -> io::Result<W> {
        let mut inner = self.inner.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        match inner.error {
            Some(error) => Err(error),
            None => inner.out.flush().map(|()| inner.out),
        }
    }

    /// Writes a full buffer and clears it.
    fn write_buffer(&self, buffer: &mut Vec<u8>) {
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

/// Writes concepts into a buffer of its own. The alignment keeps writers on separate cache lines:
/// with shared cache lines, sixteen threads were twenty times slower.
#[repr(align(128))]
pub struct ConceptWriter<'t, 'a, W: Write + Send> {
    output: &'t SharedOutput<'a, W>,
    buffer: Vec<u8>,
}

impl<W: Write + Send> fmt::Debug for ConceptWriter<'_, '_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConceptWriter").field("buffer", &self.buffer.len()).finish_non_exhaustive()
    }
}

impl<W: Write + Send> Visitor for ConceptWriter<'_, '_, W> {
    fn visit(&mut self, found: &ConceptView<'_>) {
        self.output.form.push(found, &mut self.buffer);
        if self.buffer.len() >= BUFFER {
            self.output.write_buffer(&mut self.buffer);
        }
    }
}

impl<W: Write + Send> Drop for ConceptWriter<'_, '_, W> {
    fn drop(&mut self) {
        if !self.buffer.is_empty() {
            self.output.write_buffer(&mut self.buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a line of a thousand letters for every concept.
    struct Lines;

    impl ConceptForm for Lines {
        fn push(&self, found: &ConceptView<'_>, buffer: &mut Vec<u8>) {
            let letter = b'a' + u8::try_from(found.support % 26).unwrap();
            buffer.extend(std::iter::repeat_n(letter, 1000));
            buffer.push(b'\n');
        }
    }

    /// Accepts a number of bytes, then fails.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn found(support: u64) -> ConceptView<'static> {
        ConceptView { intent: &[], support, extent: &[] }
    }

    #[test]
    fn lines_of_several_threads_stay_whole() {
        let output = SharedOutput::new(Vec::new(), &Lines).unwrap();
        let mut writers = output.writers(3);
        std::thread::scope(|scope| {
            for (number, writer) in (0..).zip(&mut writers) {
                scope.spawn(move || (0..200).for_each(|_| writer.visit(&found(number))));
            }
        });
        drop(writers);
        let text = String::from_utf8(output.finish().unwrap()).unwrap();
        let mut counts = [0; 3];
        for line in text.lines() {
            let letter = line.as_bytes()[0];
            assert!(line.len() == 1000 && line.bytes().all(|other| other == letter));
            counts[usize::from(letter - b'a')] += 1;
        }
        assert_eq!(counts, [200; 3]);
    }

    #[test]
    fn write_errors_are_reported_and_buffers_stay_small() {
        let output = SharedOutput::new(Full(100_000), &Lines).unwrap();
        let mut writers = output.writers(1);
        for _ in 0..1000 {
            writers[0].visit(&found(0));
            assert!(writers[0].buffer.len() <= BUFFER + 1001);
        }
        assert!(output.has_failed());
        drop(writers);
        assert_eq!(output.finish().err().unwrap().kind(), io::ErrorKind::StorageFull);
    }
}
