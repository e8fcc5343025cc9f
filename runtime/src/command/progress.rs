//! A line on the terminal that says how far a long step is, or what is waited for. In: counts, or a text. Out: one line on stderr that is
//! rewritten at most ten times a second and wiped at the end; nothing where stderr is no terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use unisono_compiler::diagnostic::counted;

/// How often the line is rewritten.
const PAUSE: Duration = Duration::from_millis(100);
/// Back to the begin of the line, and nothing behind it.
const WIPE: &str = "\r\x1b[K";

/// A wait that has nothing to count: what is waited for stands on the terminal until it is dropped.
pub(super) struct Waiting {
    visible: bool,
}

impl Waiting {
    /// A wait that begins.
    pub(super) fn new(what: &str, quiet: bool) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        if visible {
            write(&format!("\r{what} .."));
        }
        Waiting { visible }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.visible {
            write(WIPE);
        }
    }
}

/// A step under way.
pub(super) struct Progress {
    title: String,
    rows: u64,
    shown: Option<Instant>,
    began: Instant,
    visible: bool,
}

impl Progress {
    /// A step that begins.
    pub(super) fn new(title: &str, quiet: bool) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        Progress { title: title.to_string(), rows: 0, shown: None, began: Instant::now(), visible }
    }

    /// So many rows more.
    pub(super) fn add(&mut self, rows: u64) {
        self.rows += rows;
        // A step that ends at once shows nothing.
        let due = self.shown.unwrap_or(self.began + PAUSE);
        if self.visible && due.elapsed() >= PAUSE {
            self.shown = Some(Instant::now());
            let seconds = self.began.elapsed().as_secs();
            write(&format!("\r{}: {}, {seconds} s", self.title, counted(self.rows, "row")));
        }
    }

    /// The step has ended.
    pub(super) fn done(&mut self) {
        if self.shown.take().is_some() {
            write(WIPE);
        }
    }
}

fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // A terminal that is gone is no reason to stop.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
