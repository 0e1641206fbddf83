//! The output of concepts in one form, shared by the threads of a search.

use super::ConceptForm;
use super::lines::{LineBuffer, SharedLines};
use pellucid_close::{ConceptView, Visitor};
use std::fmt;
use std::io::{self, Write};

/// The output shared by all writers of a search.
#[derive(Debug)]
pub struct SharedOutput<'a, W> {
    form: FormOf<'a>,
    lines: SharedLines<W>,
}

/// A form, which has no debug output of its own.
#[derive(Clone, Copy)]
struct FormOf<'a>(&'a dyn ConceptForm);

impl fmt::Debug for FormOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConceptForm")
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
        Ok(SharedOutput { form: FormOf(form), lines: SharedLines::new(out) })
    }

    /// Returns one writer per thread. A writer flushes its buffer when it is dropped.
    #[must_use]
    pub fn writers<'t>(&'t self, count: usize) -> Vec<ConceptWriter<'t, 'a, W>> {
        let writer = |_| ConceptWriter { form: self.form, buffer: self.lines.buffer() };
        (0..count).map(writer).collect()
    }

    /// Whether writing failed, so that the search should stop.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.lines.has_failed()
    }

    /// Finishes writing and returns the underlying writer.
    ///
    /// # Errors
    /// The first write error.
    pub fn finish(self) -> io::Result<W> {
        self.lines.finish()
    }
}

/// Writes concepts into a buffer of its own.
pub struct ConceptWriter<'t, 'a, W: Write + Send> {
    form: FormOf<'a>,
    buffer: LineBuffer<'t, W>,
}

impl<W: Write + Send> fmt::Debug for ConceptWriter<'_, '_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConceptWriter").field("form", &self.form).finish_non_exhaustive()
    }
}

impl<W: Write + Send> Visitor for ConceptWriter<'_, '_, W> {
    fn visit(&mut self, found: &ConceptView<'_>) {
        self.buffer.push(|bytes| self.form.0.push(found, bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::BUFFER;
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
            assert!(writers[0].buffer.bytes.len() <= BUFFER + 1001);
        }
        assert!(output.has_failed());
        drop(writers);
        assert_eq!(output.finish().err().unwrap().kind(), io::ErrorKind::StorageFull);
    }
}
