//! The handle of a display.

use std::{
    fmt::{self, Debug, Display as Text},
    io,
    sync::Arc,
};

use cot_engine::{Process, RunEvent};
use cot_runtime::{EventContext, Runner, Worker, WorkerEvent};
use indicatif::TermLike;

use crate::{bar::Bar, display::Display, screen::Screen, text::clean, writer::ProgressWriter};

/// Shows runs while they happen: any number of runs, of any processes, at the same time.
///
/// A terminal shows for each run its steps, tokens and cost, below them its tasks (one for each branch), with
/// attempts, received text, tool calls and waits, and a bar for the items of a for-each task. Sub-processes are
/// indented. A run that ends leaves one line. Anywhere else, there is a plain line for each event worth telling.
///
/// Cloning it is cheap, and all clones are the same display. When the last one is dropped, those in runners
/// included, the terminal is left without it.
///
/// ```
/// # use cot_core::{cot_process, model::ScriptedModel, prelude::*};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// use cot_core::progress::Progress;
/// #
/// # #[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
/// # pub struct Greeting {
/// #     text: String,
/// # }
/// #
/// # cot_process! {
/// #     pub process Greeter {
/// #         state: Greeting,
/// #         task greet -> Greeting { prompt: "Say hello.", update: { text = output.text }, next: done }
/// #         task done { end }
/// #     }
/// # }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let model = ScriptedModel::new([r#"{"text":"Hello"}"#]);
/// let runner = Progress::stderr().attach(Greeter::runner().model(model));
/// runner.run(Greeting::default()).await?;
/// # Ok::<_, RunError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Progress {
    display: Arc<Display>,
}

impl Progress {
    /// Creates a display on standard error. If that is no terminal, it has plain lines.
    #[must_use]
    pub fn stderr() -> Self {
        let plain = || Display::plain(Box::new(io::stderr()));
        Self::new(Screen::stderr().map_or_else(plain, Display::on_screen))
    }

    /// Creates a display of plain lines. It ignores errors of the writer.
    #[must_use]
    pub fn plain(writer: impl io::Write + Send + 'static) -> Self {
        Self::new(Display::plain(Box::new(writer)))
    }

    /// Creates a display on any terminal, such as indicatif's `InMemoryTerm` in tests.
    #[must_use]
    pub fn terminal(terminal: impl TermLike + Clone + 'static) -> Self {
        Self::new(Display::on_screen(Screen::on(terminal)))
    }

    /// Creates a display that shows nothing: for an option of a program that turns it off.
    #[must_use]
    pub fn hidden() -> Self {
        Self::new(Display::hidden())
    }

    fn new(display: Display) -> Self {
        Self { display: Arc::new(display) }
    }

    /// Shows the runs of a runner. On a terminal, it also enables their
    /// [`token_deltas`](Runner::token_deltas), to show text while it is received.
    #[must_use]
    pub fn attach<P: Process>(&self, runner: Runner<P>) -> Runner<P> {
        let display = Arc::clone(&self.display);
        let process = P::DEFINITION.about.name;
        let runner = if self.is_terminal() { runner.token_deltas(true) } else { runner };
        runner.observe(move |event, context| display.observe(Some(process), event, context))
    }

    /// Returns an observer that shows runs without the name of their process, for
    /// [`Runner::observe`].
    pub fn observer<T: Text, O: Debug>(
        &self,
    ) -> impl Fn(&RunEvent<T, O>, &EventContext) + Send + Sync + 'static + use<T, O> {
        let display = Arc::clone(&self.display);
        move |event: &RunEvent<T, O>, context: &EventContext| display.observe(None, event, context)
    }

    /// Creates a bar of work that the program counts itself. It is shown once it is [set](Bar::set).
    ///
    /// A bar of an eval:
    ///
    /// ```
    /// # use cot_core::{Process, eval::Eval, progress::Progress};
    /// # #[allow(dead_code, reason = "no process is declared here")]
    /// # fn shown<P: Process, E>(eval: Eval<P, E>) -> Eval<P, E> {
    /// let bar = Progress::stderr().bar("departments");
    /// eval.on_result(move |_, at| bar.set(at.done, at.total, format!("{} failed", at.failed)))
    /// # }
    /// ```
    #[must_use]
    pub fn bar(&self, name: &str) -> Bar {
        Bar::new(Arc::clone(&self.display), name)
    }

    /// Prints the failures of a worker: of runs that it can't drive or sets aside, and of its store. The runs
    /// themselves are shown by [`attach`](Self::attach), for each runner of the worker.
    pub fn attach_worker(&self, worker: Worker) -> Worker {
        let display = Arc::clone(&self.display);
        worker.observe(move |event| {
            let is_failure = matches!(
                event,
                WorkerEvent::Failed { .. }
                    | WorkerEvent::SetAside { .. }
                    | WorkerEvent::Incompatible { .. }
                    | WorkerEvent::StoreFailed { .. }
            );
            if is_failure {
                display.print(&clean(&format!("! {event}")));
            }
        })
    }

    /// Returns whether the display is on a terminal.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        self.display.is_terminal()
    }

    /// Prints a text of the program itself, above the runs on a terminal. It is printed as it is.
    pub fn println(&self, text: impl AsRef<str>) {
        self.display.print(text.as_ref());
    }

    /// Calls a function that prints to the terminal by itself, and draws nothing meanwhile.
    ///
    /// It must not use this display: that would wait for itself.
    pub fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.display.suspend(print)
    }

    /// Returns a writer that prints whole lines above the runs, for the log of the program.
    #[must_use]
    pub fn writer(&self) -> ProgressWriter {
        ProgressWriter::new(Arc::clone(&self.display))
    }
}

impl Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("is_terminal", &self.is_terminal()).finish_non_exhaustive()
    }
}
