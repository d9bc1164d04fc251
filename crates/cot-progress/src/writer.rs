//! A writer that prints whole lines beside a display.

use std::{fmt, io, mem, sync::Arc};

use crate::display::Display;

/// A writer for the log of a program: prints whole lines above the runs of a [`Progress`](crate::Progress). The rest of a line
/// is printed when the writer is dropped.
///
/// A subscriber of `tracing` writes there with `.with_writer(move || progress.writer())`.
pub struct ProgressWriter {
    display: Arc<Display>,
    line: Vec<u8>,
}

impl ProgressWriter {
    pub(crate) const fn new(display: Arc<Display>) -> Self {
        Self { display, line: Vec::new() }
    }

    fn print(&mut self, bytes: &[u8]) {
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        self.display.print(&String::from_utf8_lossy(bytes));
    }
}

impl io::Write for ProgressWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        while let Some(end) = self.line.iter().position(|byte| *byte == b'\n') {
            let rest = self.line.split_off(end + 1);
            let line = mem::replace(&mut self.line, rest);
            self.print(line.strip_suffix(b"\n").unwrap_or(&line));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for ProgressWriter {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            let line = mem::take(&mut self.line);
            self.print(&line);
        }
    }
}

impl fmt::Debug for ProgressWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgressWriter").finish_non_exhaustive()
    }
}
