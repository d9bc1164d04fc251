//! Displays of random events.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use cot_core::{
    BranchOutcome, EventContext, RunEvent, TaskName, Usage, model::ModelRequest,
    progress::Progress, store::RunId, testing::MonkeyModel,
};
use indicatif::InMemoryTerm;
use proptest::prelude::*;

use crate::world::{Chapters, Kept, Outer, Texts, Trip, TripState, Words};

type Any = RunEvent<TaskName>;

/// Texts that are hard on a terminal.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,20}",
        "[a-c]",
        Just("\u{1b}[2J\u{1b}[1A\r\n\u{7}".to_owned()),
        Just("日本語\u{202e}abc\u{200b}".repeat(30)),
        Just("a\tb".to_owned()),
    ]
}

fn tasks() -> impl Strategy<Value = TaskName> {
    prop_oneof!["[a-c]", texts()].prop_map(TaskName::from)
}

fn events() -> impl Strategy<Value = Any> {
    let item = proptest::option::of(0..4_usize);
    let usage = (0..u64::MAX).prop_map(|tokens| Usage::for_call(tokens, 1));
    let facts = (tasks(), tasks(), item, any::<u32>(), texts(), usage);
    let event = (0..16_u8, facts).prop_map(|(kind, facts)| event(kind, facts));
    event.prop_recursive(3, 8, 1, |inner| {
        let item = proptest::option::of(0..9_usize);
        (tasks(), item, texts(), inner).prop_map(|(task, item, process, event)| RunEvent::Nested {
            task,
            item,
            attempt: 1,
            process: process.into(),
            event: Box::new(event),
        })
    })
}

type Facts = (TaskName, TaskName, Option<usize>, u32, String, Usage);

fn event(kind: u8, (task, other, item, attempt, text, usage): Facts) -> Any {
    let (elapsed, output) = (Duration::from_millis(attempt.into()), Default::default());
    match kind {
        0 => RunEvent::TaskStarted { task, step: attempt.into(), visit: 1 },
        1 => RunEvent::Prompt { task, item, attempt, request: Arc::new(ModelRequest::new(text)) },
        2 => RunEvent::RateLimited { task, item, attempt, wait: elapsed },
        3 => RunEvent::Delta { task, item, attempt, text: Some(text.into()) },
        4 => RunEvent::Delta { task, item, attempt, text: None },
        5 => RunEvent::Thought { task, item, attempt, text: text.into() },
        6 => RunEvent::ToolCalled { task, call: attempt, tool: text.clone(), arguments: text },
        7 => RunEvent::ToolReturned {
            task,
            call: attempt,
            tool: text.clone(),
            result: Err(text),
            elapsed,
        },
        8 => RunEvent::ItemsStarted { task, items: attempt as usize },
        9 => RunEvent::ItemDone { task, item: 0, output, usage, elapsed },
        10 => RunEvent::ItemFailed { task, item: 1, reason: text },
        11 => RunEvent::BranchEnded { task, branch: other, outcome: BranchOutcome::Failed(text) },
        12 => RunEvent::Waiting { task, duration: elapsed },
        13 => RunEvent::Committed { task, output, usage, elapsed },
        14 => RunEvent::TaskFinished { task, next: Some(other), route: cot_core::Route::Sequence },
        _ if attempt % 7 == 0 => RunEvent::Detached,
        _ => RunEvent::Paused,
    }
}

fn context(run: u8, millis: u64) -> EventContext {
    let run: RunId = format!("run-{run}").parse().unwrap();
    EventContext::new(run, SystemTime::UNIX_EPOCH + Duration::from_millis(millis))
}

proptest! {
    #[test]
    fn no_events_break_a_display(
        told in proptest::collection::vec((0..3_u8, 0..200_u64, events()), 0..60),
        (rows, columns) in (1..12_u16, 1..60_u16),
    ) {
        let (terminal, kept) = (InMemoryTerm::new(rows, columns), Kept::default());
        let displays = [Progress::terminal(terminal.clone()), Progress::plain(kept.clone())];
        for progress in &displays {
            let observe = progress.observer();
            for (run, millis, event) in &told {
                observe(event, &context(*run, *millis));
            }
        }
        drop(displays);
        let text = kept.text();
        prop_assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{:?}", text);
        let is_turned = text.contains('\u{202e}');
        prop_assert!(!is_turned);
    }
}

#[tokio::test]
async fn runs_with_random_replies_are_shown_to_their_end() {
    for seed in 0..30 {
        let (terminal, kept) = (InMemoryTerm::new(10, 60), Kept::default());
        let displays = [Progress::terminal(terminal.clone()), Progress::plain(kept.clone())];
        let model = Arc::new(MonkeyModel::seeded(seed));
        let state = Texts { topics: vec!["a".to_owned(); 12], ..Texts::default() };
        let [screen, plain] = &displays;
        let answer = async |_| serde_json::json!({ "text": "yes" });
        let chapters = Chapters::runner().model(Arc::clone(&model)).person(answer);
        let chapters = plain.attach(screen.attach(chapters)).report(state);
        let trip = plain.attach(screen.attach(Trip::runner().model(Arc::clone(&model))));
        let outer = plain.attach(screen.attach(Outer::runner().model(model)));
        let (outer, trip) = (outer.report(Words::default()), trip.report(TripState::new()));
        let (one, two, three) = tokio::join!(chapters, trip, outer);
        assert!(one.is_ok() && two.is_ok() && three.is_ok());
        screen.suspend(|| ());
        let (shown, text) = (terminal.contents(), kept.text());
        assert_eq!(shown.lines().count(), 3, "seed {seed}: {shown}");
        assert!(shown.lines().all(|line| line.starts_with(['✓', '✗'])), "seed {seed}: {shown}");
        assert_eq!(text.lines().filter(|line| line.starts_with(['✓', '✗'])).count(), 3);
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
}
