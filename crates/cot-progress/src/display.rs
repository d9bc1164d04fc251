//! The runs of a display, and where they are shown.

use std::{
    fmt::{Debug, Display as Text},
    io::Write,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, SystemTime},
};

use cot_engine::RunEvent;
use cot_runtime::EventContext;
use indicatif::MultiProgress;

use crate::{
    plain::{PlainLines, is_worth_a_line},
    screen::Screen,
    text::{clean, fit},
    view::{
        lines::{self, Line, LineKind},
        run::RunView,
    },
};

/// A display of runs.
pub(crate) struct Display {
    state: Mutex<State>,
    /// Prints above the lines of a terminal. It has a lock of its own, so that printing never waits for an event.
    printer: Option<MultiProgress>,
}

struct State {
    runs: Vec<(String, RunView)>,
    /// The bars of the program, with their numbers.
    bars: Vec<(usize, Line)>,
    /// The number of the next bar.
    next_bar: usize,
    output: Output,
    /// When text that is being received was drawn last.
    drawn: Option<SystemTime>,
}

enum Output {
    Screen(Screen),
    Plain(PlainLines, Box<dyn Write + Send>),
    Hidden,
}

/// The shortest time between two drawings of text that is being received.
const TEXT_PERIOD: Duration = Duration::from_millis(50);
/// The columns of the name of a run.
const MAX_NAME: usize = 40;

impl Display {
    pub(crate) fn on_screen(screen: Screen) -> Self {
        let printer = Some(screen.printer());
        Self { printer, ..Self::new(Output::Screen(screen)) }
    }

    pub(crate) fn plain(writer: Box<dyn Write + Send>) -> Self {
        Self::new(Output::Plain(PlainLines::default(), writer))
    }

    pub(crate) fn hidden() -> Self {
        Self::new(Output::Hidden)
    }

    fn new(output: Output) -> Self {
        let state = State { runs: Vec::new(), bars: Vec::new(), next_bar: 0, output, drawn: None };
        Self { state: Mutex::new(state), printer: None }
    }

    pub(crate) const fn is_terminal(&self) -> bool {
        self.printer.is_some()
    }

    /// Shows an event of a run.
    pub(crate) fn observe<T: Text, O: Debug>(
        &self,
        process: Option<&str>,
        event: &RunEvent<T, O>,
        context: &EventContext,
    ) {
        self.lock().observe(process, event, context);
    }

    /// Returns the number of a new bar.
    pub(crate) fn new_bar(&self) -> usize {
        let mut state = self.lock();
        state.next_bar += 1;
        state.next_bar
    }

    /// Shows a bar.
    pub(crate) fn set_bar(&self, bar: (usize, &str), done: (usize, usize), note: &str) {
        self.lock().set_bar(bar, done, note);
    }

    /// Removes a bar.
    pub(crate) fn remove_bar(&self, number: usize) {
        let mut state = self.lock();
        let bars = state.bars.len();
        state.bars.retain(|(known, _)| *known != number);
        if state.bars.len() < bars {
            state.draw(None);
        }
    }

    /// Prints a line, as it is: above the runs on a terminal.
    pub(crate) fn print(&self, line: &str) {
        match &self.printer {
            // A terminal that can't be written shows nothing.
            Some(printer) => _ = printer.println(line),
            None => self.lock().output.print(line),
        }
    }

    /// Calls a function that prints, while nothing is drawn.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.printer {
            Some(printer) => printer.suspend(print),
            None => print(),
        }
    }

    // A panic with the lock, as of a writer, leaves at most a line that is not shown.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn observe<T: Text, O: Debug>(
        &mut self,
        process: Option<&str>,
        event: &RunEvent<T, O>,
        context: &EventContext,
    ) {
        if matches!(self.output, Output::Hidden) {
            return;
        }
        let id = context.run_id.as_str();
        let index = self.runs.iter().position(|(known, _)| known == id).unwrap_or_else(|| {
            let name = name(id, process);
            self.runs.push((id.to_owned(), RunView::new(name, context.at)));
            self.runs.len() - 1
        });
        let (_, run) = &mut self.runs[index];
        let over = match event {
            RunEvent::Detached => Some(run.detached()),
            _ => None,
        };
        run.apply(event);
        let over = match event {
            RunEvent::Finished { ending, .. } => Some(run.ended(ending, context.at)),
            _ => over,
        };
        if let Output::Plain(lines, _) = &mut self.output
            && let Some(line) = lines.line(&run.name, event)
        {
            self.output.print(&line);
        }
        if over.is_some() {
            self.runs.remove(index);
        }
        if is_text(event) && !self.is_text_due(context.at) {
            return;
        }
        self.draw(over.as_deref());
    }

    fn set_bar(
        &mut self,
        (number, name): (usize, &str),
        (done, total): (usize, usize),
        note: &str,
    ) {
        let is_over = done >= total;
        let after = if note.is_empty() { String::new() } else { format!(", {note}") };
        let mark = if is_over { "✓ " } else { "" };
        let text = format!("{mark}{name}: {done} of {total}{after}");
        self.bars.retain(|(known, _)| *known != number || !is_over);
        match &self.output {
            Output::Hidden => {}
            Output::Plain(..) if !is_over && !is_worth_a_line(done, total) => {}
            Output::Plain(..) => self.output.print(&text),
            Output::Screen(_) if is_over => self.draw(Some(&text)),
            Output::Screen(_) => {
                let kind = LineKind::Bar { done, total };
                let line =
                    Line { key: format!("bar {number}"), kind, text: format!("{name}\t{note}") };
                match self.bars.iter_mut().find(|(known, _)| *known == number) {
                    Some((_, drawn)) => *drawn = line,
                    None => self.bars.push((number, line)),
                }
                self.draw(None);
            }
        }
    }

    /// Returns whether so much time has passed that received text is drawn again.
    fn is_text_due(&mut self, now: SystemTime) -> bool {
        let passed = self.drawn.map(|drawn| now.duration_since(drawn).unwrap_or(TEXT_PERIOD));
        let is_due = passed.is_none_or(|passed| passed >= TEXT_PERIOD);
        if is_due {
            self.drawn = Some(now);
        }
        is_due
    }

    /// Draws the runs, and prints the line of a run that is over.
    fn draw(&mut self, over: Option<&str>) {
        let Output::Screen(screen) = &mut self.output else {
            return over.into_iter().for_each(|line| self.output.print(line));
        };
        if thread::panicking() {
            return screen.abandon();
        }
        let (columns, max) = screen.room();
        if let Some(line) = over {
            screen.print(&fit(line, columns));
        }
        let bars = self.bars.iter().map(|(_, line)| line.clone()).take(max);
        let mut lines: Vec<Line> = bars.collect();
        lines.extend(lines::lines(&self.runs, columns, max - lines.len()));
        screen.draw(lines);
    }
}

impl Output {
    fn print(&mut self, line: &str) {
        match self {
            Self::Screen(screen) => screen.print(line),
            // A writer that fails loses lines, and no run.
            Self::Plain(_, writer) => _ = writeln!(writer, "{line}").and_then(|()| writer.flush()),
            Self::Hidden => {}
        }
    }
}

const fn is_text<T, O>(event: &RunEvent<T, O>) -> bool {
    matches!(event, RunEvent::Delta { .. } | RunEvent::Thought { .. } | RunEvent::Partial { .. })
}

/// Returns the name of a run with that of its process, unless it begins with that.
fn name(id: &str, process: Option<&str>) -> String {
    let id = fit(&clean(id), MAX_NAME);
    match process.map(|process| fit(&clean(process), MAX_NAME)) {
        Some(process) => format!("{id} {process}"),
        None => id,
    }
}
