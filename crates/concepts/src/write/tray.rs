//! Where the sheets of all threads come together.

use super::Form;
use pellucid_engine::close::{Found, Visitor};
use std::fmt;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A sheet with this many bytes is full.
const SHEET: usize = 1 << 16;

/// What all scribes write to, sheet by sheet.
pub struct Tray<'a, W> {
    form: &'a dyn Form,
    inner: Mutex<Inner<W>>,
    failed: AtomicBool,
}

struct Inner<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W> fmt::Debug for Tray<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tray").field("failed", &self.failed).finish_non_exhaustive()
    }
}

impl<'a, W: Write + Send> Tray<'a, W> {
    /// Begins to write.
    ///
    /// # Errors
    /// When that fails.
    pub fn new(mut out: W, form: &'a dyn Form) -> io::Result<Tray<'a, W>> {
        let mut head = Vec::new();
        form.head(&mut head);
        out.write_all(&head)?;
        let inner = Mutex::new(Inner { out, error: None });
        Ok(Tray { form, inner, failed: AtomicBool::new(false) })
    }

    /// As many scribes as a search has threads. What is on their sheets is written when they are dropped.
    #[must_use]
    pub fn scribes<'t>(&'t self, count: usize) -> Vec<Scribe<'t, 'a, W>> {
        (0..count).map(|_| Scribe { tray: self, sheet: Vec::new() }).collect()
    }

    /// Whether something could not be written, and a search had better stop.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.failed.load(Relaxed)
    }

    /// Ends writing, and gives back what was written to.
    ///
    /// # Errors
    /// The first one that there was.
    pub fn finish(self) -> io::Result<W> {
        let mut inner = self.inner.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        match inner.error {
            Some(error) => Err(error),
            None => inner.out.flush().map(|()| inner.out),
        }
    }

    /// Takes a full sheet; it is empty afterwards.
    fn take(&self, sheet: &mut Vec<u8>) {
        if !self.has_failed() {
            let mut inner = self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            // Another scribe may have failed while this one waited.
            if inner.error.is_none()
                && let Err(error) = inner.out.write_all(sheet)
            {
                inner.error = Some(error);
                self.failed.store(true, Relaxed);
            }
        }
        sheet.clear();
    }
}

/// Notes concepts on a sheet of its own.
pub struct Scribe<'t, 'a, W: Write + Send> {
    tray: &'t Tray<'a, W>,
    sheet: Vec<u8>,
}

impl<W: Write + Send> fmt::Debug for Scribe<'_, '_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scribe").field("sheet", &self.sheet.len()).finish_non_exhaustive()
    }
}

impl<W: Write + Send> Visitor for Scribe<'_, '_, W> {
    fn visit(&mut self, found: &Found<'_>) {
        self.tray.form.note(found, &mut self.sheet);
        if self.sheet.len() >= SHEET {
            self.tray.take(&mut self.sheet);
        }
    }
}

impl<W: Write + Send> Drop for Scribe<'_, '_, W> {
    fn drop(&mut self) {
        if !self.sheet.is_empty() {
            self.tray.take(&mut self.sheet);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a line of a thousand letters for every concept.
    struct Lines;

    impl Form for Lines {
        fn note(&self, found: &Found<'_>, sheet: &mut Vec<u8>) {
            let letter = b'a' + u8::try_from(found.support % 26).unwrap();
            sheet.extend(std::iter::repeat_n(letter, 1000));
            sheet.push(b'\n');
        }
    }

    /// Takes so many bytes and then no more.
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

    fn found(support: u64) -> Found<'static> {
        Found { intent: &[], support, extent: &[] }
    }

    #[test]
    fn lines_of_several_threads_stay_whole() {
        let tray = Tray::new(Vec::new(), &Lines).unwrap();
        let mut scribes = tray.scribes(3);
        std::thread::scope(|scope| {
            for (number, scribe) in (0..).zip(&mut scribes) {
                scope.spawn(move || (0..200).for_each(|_| scribe.visit(&found(number))));
            }
        });
        drop(scribes);
        let text = String::from_utf8(tray.finish().unwrap()).unwrap();
        let mut counts = [0; 3];
        for line in text.lines() {
            let letter = line.as_bytes()[0];
            assert!(line.len() == 1000 && line.bytes().all(|other| other == letter));
            counts[usize::from(letter - b'a')] += 1;
        }
        assert_eq!(counts, [200; 3]);
    }

    #[test]
    fn what_cannot_be_written_is_told_and_the_sheets_stay_small() {
        let tray = Tray::new(Full(100_000), &Lines).unwrap();
        let mut scribes = tray.scribes(1);
        for _ in 0..1000 {
            scribes[0].visit(&found(0));
            assert!(scribes[0].sheet.len() <= SHEET + 1001);
        }
        assert!(tray.has_failed());
        drop(scribes);
        assert_eq!(tray.finish().err().unwrap().kind(), io::ErrorKind::StorageFull);
    }
}
