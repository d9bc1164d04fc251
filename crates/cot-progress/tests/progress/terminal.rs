//! Displays on a terminal.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Mutex},
};

use cot_core::{
    model::{ModelError, ModelErrorKind, ScriptedModel},
    prelude::*,
    progress::Progress,
};
use indicatif::{InMemoryTerm, TermLike};

use crate::world::{Chapters, Draft, Outer, Texts, Trip, TripState, Words, replies};

fn terminal() -> (InMemoryTerm, Progress) {
    let terminal = InMemoryTerm::new(20, 80);
    let progress = Progress::terminal(terminal.clone());
    (terminal, progress)
}

/// What a terminal shows once everything is drawn.
fn shown(terminal: &InMemoryTerm, progress: &Progress) -> String {
    progress.suspend(|| ());
    terminal.contents()
}

/// The frames of a display: each event with what the terminal shows after it.
#[derive(Clone, Default)]
struct Frames(Arc<Mutex<Vec<(String, String)>>>);

impl Frames {
    /// Attaches a display to a runner, and takes a frame after each event.
    fn attach<P: Process>(
        &self,
        (terminal, progress): &(InMemoryTerm, Progress),
        runner: Runner<P>,
    ) -> Runner<P> {
        let (frames, terminal, handle) = (Arc::clone(&self.0), terminal.clone(), progress.clone());
        progress.attach(runner).observe(move |event, _| {
            let frame = (event.to_string(), shown(&terminal, &handle));
            frames.lock().unwrap().push(frame);
        })
    }

    /// Returns the frame after the first event whose text contains this.
    fn after(&self, event: &str) -> String {
        let frames = self.0.lock().unwrap();
        let found = frames.iter().find(|(told, _)| told.contains(event));
        found.unwrap_or_else(|| panic!("no `{event}` in {frames:#?}")).1.clone()
    }
}

#[tokio::test]
async fn a_run_is_drawn_in_place_and_leaves_a_line() {
    let (world, frames) = (terminal(), Frames::default());
    let model = ScriptedModel::new([r#"{"text":""}"#, r#"{"text":"The \u001b[2Jsea is deep."}"#]);
    let runner = frames.attach(&world, Draft::runner().model(model.streaming(80)));
    let id = runner.run(Words::default()).await.unwrap().run_id;
    let started = frames.after("attempt 1, prompt");
    assert!(started.contains(&format!("{id} Draft  step 1")), "{started}");
    assert!(started.contains("  write: asks the model"), "{started}");
    let received = frames.after("reply continues");
    assert!(received.contains("  write: {\"text\":\"\"}"), "{received}");
    let retried = frames.after("attempt 2, prompt");
    assert!(retried.contains("write, attempt 2 ($.text"), "{retried}");
    assert!(retried.contains("1 call, "), "{retried}");
    let ended = shown(&world.0, &world.1);
    assert!(
        ended.starts_with(&format!("✓ {id} Draft ended at done (step 1, 2 calls, ")),
        "{ended}"
    );
    assert_eq!(ended.lines().count(), 1, "{ended}");
}

#[tokio::test]
async fn items_are_a_bar_branches_are_lines_and_sub_processes_are_indented() {
    let (world, frames) = (terminal(), Frames::default());
    let model = ScriptedModel::new(replies(&["one", "two", "three"]));
    let runner = frames.attach(&world, Chapters::runner().model(model));
    let state = Texts { topics: ["a", "b", "c"].map(str::to_owned).into(), ..Texts::default() };
    let mut run = runner.start(state).unwrap();
    while let Some(event) = run.next().await {
        if matches!(event, RunEvent::Asked { .. }) {
            break;
        }
    }
    let second = frames.after("chapters[1]: done");
    let line = second.lines().nth(1).unwrap();
    assert!(line.starts_with("  chapters █████████████"), "{second}");
    assert!(line.contains(" 2/3 ") && line.contains("/s"), "{second}");
    let asked = frames.after("waits for a person");
    assert!(asked.contains("  release: waits for a person: May it go out?"), "{asked}");
    assert_eq!(asked.lines().count(), 2, "{asked}");

    let model = ScriptedModel::new(replies(&["1", "2"]));
    frames.attach(&world, Trip::runner().model(model)).run(TripState::new()).await.unwrap();
    let both = frames.after("hotel: attempt 1, prompt");
    for expected in [" Chapters ", " Trip ", "\n  search\n", "\n  flight: asks", "\n  hotel: asks"]
    {
        assert!(both.contains(expected), "no `{expected}` in\n{both}");
    }

    let model = ScriptedModel::new(replies(&["1"]));
    frames.attach(&world, Outer::runner().model(model)).run(Words::default()).await.unwrap();
    let nested = frames.after("Draft: write: attempt 1, prompt");
    assert!(nested.contains("\n  inner\n    Draft.write: asks the model"), "{nested}");

    drop(run);
    let rest = shown(&world.0, &world.1);
    assert_eq!(rest.lines().count(), 3, "{rest}");
    for expected in ["Trip ended at done", "Outer ended at done", "Chapters left at release: waits"]
    {
        assert!(rest.contains(expected), "no `{expected}` in\n{rest}");
    }
}

#[tokio::test]
async fn dropping_a_display_clears_the_terminal() {
    let (terminal, progress) = terminal();
    let runner = progress.attach(Draft::runner().model(ScriptedModel::new(replies(&["1"]))));
    let mut run = runner.start(Words::default()).unwrap();
    run.next().await.unwrap();
    progress.println("a line of the program");
    let printed = shown(&terminal, &progress);
    assert!(
        printed.starts_with("a line of the program\n") && printed.contains("write"),
        "{printed}"
    );
    drop((run, runner, progress));
    let left = terminal.contents();
    assert!(left.starts_with("a line of the program\n- "), "{left}");
    assert_eq!(left.lines().count(), 2, "{left}");
}

#[test]
fn what_a_panic_prints_stays() {
    // The spinner may turn between the panic's lines and its unwinding, and draws over them.
    let attempts = || (0..100).map(|_| panic_while_drawn());
    let printed = "thread panicked: oh no";
    let Some(shown) = attempts().find(|shown| shown.contains(printed)) else {
        panic!("no `{printed}` in\n{}", panic_while_drawn());
    };
    let at = |text: &str| shown.find(text).unwrap_or_else(|| panic!("no `{text}` in\n{shown}"));
    assert!(at("write") < at(printed), "{shown}");
    assert!(at(printed) < at("after it"), "{shown}");
}

/// Returns what a terminal shows after a panic in a program with a run.
fn panic_while_drawn() -> String {
    let (terminal, progress) = terminal();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let model = ScriptedModel::new(replies(&["1"]));
        let mut run =
            progress.attach(Draft::runner().model(model)).start(Words::default()).unwrap();
        runtime.block_on(run.next()).unwrap();
        shown(&terminal, &progress);
        // As the hook of a panic prints; the real one would take longer than the period of the spinner.
        terminal.write_line("").unwrap();
        terminal.write_line("thread panicked: oh no").unwrap();
        resume_unwind(Box::new("oh no"));
    }));
    panicked.unwrap_err();
    progress.println("after it");
    shown(&terminal, &progress)
}

#[tokio::test]
async fn a_failed_run_says_why_on_a_narrow_terminal() {
    let terminal = InMemoryTerm::new(4, 30);
    let progress = Progress::terminal(terminal.clone());
    let error = ModelError::new(ModelErrorKind::Other, "no key\u{202e}\u{7}");
    let model = ScriptedModel::from_fn(move |_| Err::<&str, _>(error.clone()));
    let runner = progress.attach(Draft::runner().model(model));
    let runs: Vec<_> = (0..9).map(|_| runner.start(Words::default()).unwrap()).collect();
    let mut runs = runs;
    for run in &mut runs {
        run.next().await.unwrap();
    }
    let many = shown(&terminal, &progress);
    assert!(many.contains("… and 8 more runs"), "{many}");
    assert!(many.lines().all(|line| line.chars().count() <= 30), "{many}");
    for run in runs {
        run.finish().report().await.unwrap();
    }
    let ended = shown(&terminal, &progress);
    assert!(ended.lines().all(|line| line.starts_with("✗ ")), "{ended}");
}

#[test]
fn a_bar_of_the_program_is_drawn_and_leaves_a_line() {
    let (terminal, progress) = terminal();
    let (mails, others) = (progress.bar("mails"), progress.bar("others"));
    mails.set(1, 4, "");
    others.set(1, 2, "1 failed");
    let drawn = shown(&terminal, &progress);
    assert!(drawn.starts_with("mails ") && drawn.contains("1/4"), "{drawn}");
    assert!(drawn.contains("\nothers ") && drawn.ends_with("1 failed"), "{drawn}");
    mails.set(4, 4, "");
    let done = shown(&terminal, &progress);
    assert!(done.starts_with("✓ mails: 4 of 4\nothers "), "{done}");
    drop(others);
    assert_eq!(shown(&terminal, &progress), "✓ mails: 4 of 4");
}
