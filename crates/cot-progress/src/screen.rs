//! Draws lines on a terminal, in place.

use std::time::Duration;

use console::Term;
use indicatif::{
    MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike,
};

use crate::view::lines::{Line, LineKind};

/// How often the time and the spinner of a run are redrawn.
const TICK: Duration = Duration::from_millis(120);

/// The lines on a terminal.
pub(crate) struct Screen {
    multi: MultiProgress,
    terminal: Box<dyn Terminal>,
    bars: Vec<(Line, ProgressBar)>,
}

/// Where a screen draws.
trait Terminal: Send {
    fn target(&self) -> ProgressDrawTarget;

    /// Returns the numbers of lines and columns.
    fn size(&self) -> (usize, usize);
}

struct Stderr;

impl Terminal for Stderr {
    fn target(&self) -> ProgressDrawTarget {
        ProgressDrawTarget::stderr()
    }

    fn size(&self) -> (usize, usize) {
        let (height, width) = Term::stderr().size();
        (height.into(), width.into())
    }
}

impl<T: TermLike + Clone + 'static> Terminal for T {
    fn target(&self) -> ProgressDrawTarget {
        ProgressDrawTarget::term_like_with_hz(Box::new(self.clone()), 20)
    }

    fn size(&self) -> (usize, usize) {
        (TermLike::height(self).into(), TermLike::width(self).into())
    }
}

impl Screen {
    /// Returns the screen of standard error; `None` if that is not a terminal that can move its cursor.
    pub(crate) fn stderr() -> Option<Self> {
        let screen = Self::new(Box::new(Stderr));
        (!screen.multi.is_hidden()).then_some(screen)
    }

    pub(crate) fn on(terminal: impl TermLike + Clone + 'static) -> Self {
        Self::new(Box::new(terminal))
    }

    fn new(terminal: Box<dyn Terminal>) -> Self {
        let multi = MultiProgress::with_draw_target(terminal.target());
        Self { multi, terminal, bars: Vec::new() }
    }

    /// Returns the handle that prints above the lines.
    pub(crate) fn printer(&self) -> MultiProgress {
        self.multi.clone()
    }

    /// Returns the columns of the terminal, and the lines that may be drawn.
    pub(crate) fn room(&self) -> (usize, usize) {
        let (height, width) = self.terminal.size();
        // A line as wide as the terminal leaves the cursor in the next one on some.
        (width.saturating_sub(1), height.saturating_sub(2).clamp(1, 40))
    }

    /// Draws these lines instead of those that are drawn.
    pub(crate) fn draw(&mut self, lines: Vec<Line>) {
        let columns = self.room().0;
        let count = lines.len();
        for (index, line) in lines.into_iter().enumerate() {
            let rest = self.bars.get(index..).unwrap_or_default();
            match rest.iter().position(|(drawn, _)| line.is_same(drawn)) {
                Some(skipped) => self.remove(index, index + skipped),
                None => self.insert(index, &line, columns),
            }
            if let Some((drawn, bar)) = self.bars.get_mut(index) {
                if *drawn != line || bar.message().is_empty() {
                    set(bar, &line);
                }
                *drawn = line;
            }
        }
        self.shorten(count);
    }

    /// Removes the bars from `from` up to `to`.
    fn remove(&mut self, from: usize, to: usize) {
        for (_, bar) in self.bars.drain(from..to) {
            self.multi.remove(&bar);
        }
    }

    fn shorten(&mut self, count: usize) {
        self.remove(count, self.bars.len());
        if self.bars.is_empty() {
            // A terminal that can't be written has nothing to clear.
            _ = self.multi.clear();
        }
    }

    fn insert(&mut self, index: usize, line: &Line, columns: usize) {
        let bar = self.multi.insert(index, ProgressBar::new(0));
        bar.set_style(style(line.kind, columns));
        if line.kind == LineKind::Head {
            bar.enable_steady_tick(TICK);
        }
        self.bars.insert(index, (line.clone(), bar));
    }

    /// Leaves what is drawn as it is, since the program is printing why it panics. Later lines are drawn below.
    pub(crate) fn abandon(&mut self) {
        self.multi.set_draw_target(ProgressDrawTarget::hidden());
        self.remove(0, self.bars.len());
        self.multi.set_draw_target(self.terminal.target());
    }

    /// Prints a line above the others.
    pub(crate) fn print(&self, line: &str) {
        // A terminal that can't be written shows nothing.
        _ = self.multi.println(line);
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.abandon();
        } else {
            self.shorten(0);
        }
    }
}

impl Line {
    /// Returns whether a line is a later form of another.
    fn is_same(&self, drawn: &Self) -> bool {
        let forms = [self.kind, drawn.kind].map(|kind| std::mem::discriminant(&kind));
        self.key == drawn.key && forms[0] == forms[1]
    }
}

fn set(bar: &ProgressBar, line: &Line) {
    if let LineKind::Bar { done, total } = line.kind {
        let (name, after) = line.text.split_once('\t').unwrap_or((&line.text, ""));
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        bar.set_prefix(name.to_owned());
        bar.set_message(after.to_owned());
    } else {
        bar.set_message(line.text.clone());
    }
}

fn style(kind: LineKind, columns: usize) -> ProgressStyle {
    let template = match kind {
        LineKind::Head => "{spinner:.cyan} {msg:.bold} {elapsed}",
        LineKind::Text => "{msg}",
        LineKind::Bar { .. } if columns < 60 => "{prefix} {bar:8.cyan} {pos}/{len} {msg}",
        LineKind::Bar { .. } => "{prefix} {bar:20.cyan} {pos}/{len} {rate} {msg}",
    };
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    style.with_key("rate", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        _ = write!(text, "{:.1}/s", state.per_sec());
    })
}
