//! Tasks for each of many items.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use cot_core::{
    ProcessEvent, RunEvent, Usage,
    model::{ModelReply, ScriptedModel},
    prelude::*,
    store::{MemoryStore, Store},
};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use super::{Asked, note, shown, until_waiting};
use crate::drive::Note;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct List {
    pub(super) items: Vec<u32>,
    pub(super) notes: Vec<Note>,
}

impl List {
    pub(super) fn new(count: u32) -> Self {
        Self { items: (0..count).collect(), notes: Vec::new() }
    }

    fn texts(&self) -> Vec<&str> {
        self.notes.iter().map(|note| note.text.as_str()).collect()
    }
}

cot_process! {
    pub(crate) process Read {
        state: List,

        task read -> Note {
            for_each: item in state.items,
            max_concurrency: 7,
            full_prompt: "${item}",
            update: { notes = output },
            next: sum_up,
        }

        task sum_up -> Note { full_prompt: "all", update: { notes[] = output }, next: done }
        task done { end }
    }
}

/// Answers with the prompt, each after a time of its own that has nothing to do with the order.
pub(super) fn echo() -> Asked {
    Asked::new(|prompt: String| async move {
        let number: u64 = prompt.parse().unwrap_or(0);
        sleep(Duration::from_millis(1 + number * 7919 % 97)).await;
        Ok(note(&prompt).into())
    })
}

#[tokio::test(start_paused = true)]
async fn the_order_is_kept_and_the_bound_is_reached_and_never_passed() {
    let model = echo();
    let run = Read::runner().model(model.clone()).run(List::new(100)).await.unwrap();
    let mut expected: Vec<String> = (0..100).map(|item| item.to_string()).collect();
    expected.push("all".into());
    assert_eq!(run.state.texts(), expected);
    assert_eq!((model.calls.most(), model.calls.all(), model.calls.now()), (7, 101, 0));
    assert_eq!(run.usage.calls, 101);
}

cot_process! {
    process Nested {
        state: List,
        task read { process: Read with state.clone(), update: { notes = output.notes }, next: done }
        task done { end }
    }
}

/// An item costs as many tokens as its number; the first reply for item 3 is refused.
fn priced() -> ScriptedModel {
    ScriptedModel::from_fn(|request| {
        let number = request.prompt().lines().next().and_then(|line| line.parse().ok());
        let is_refused = request.prompt() == "3";
        let reply = if is_refused { ModelReply::new("?") } else { note("a").into() };
        reply.usage(Usage::for_call(number.unwrap_or(0), if is_refused { 1000 } else { 1 }))
    })
}

/// The usages of items, and of the commit of the task that has them.
fn usages(event: &ProcessEvent<Read>) -> (Usage, Usage) {
    match event {
        RunEvent::ItemDone { usage, .. } => (*usage, Usage::default()),
        RunEvent::Committed { task: ReadTask::Read, usage, .. } => (Usage::default(), *usage),
        _ => <_>::default(),
    }
}

fn sum(usages: impl Iterator<Item = (Usage, Usage)>) -> (Usage, Usage) {
    usages.fold(<_>::default(), |(items, commit), more| (items + more.0, commit + more.1))
}

#[tokio::test]
async fn the_usage_of_a_commit_is_the_sum_of_its_items() {
    let mut expected = Usage::for_call((0..10).sum(), 10);
    expected.calls = 10;
    let mut run = Read::runner().model(priced()).start(List::new(10)).unwrap();
    let mut events = Vec::new();
    while let Some(event) = run.next().await {
        events.push(usages(&event));
    }
    assert_eq!(sum(events.into_iter()), (expected, expected));
    assert_eq!(
        run.await.unwrap().usage.output_tokens,
        1011,
        "the run pays for refused replies too"
    );
    let mut run = Nested::runner().model(priced()).start(List::new(10)).unwrap();
    let mut events = Vec::new();
    while let Some(event) = run.next().await {
        events.extend(event.nested::<Read>().as_ref().map(usages));
    }
    assert_eq!(sum(events.into_iter()), (expected, expected));
}

/// Neither a list of what is done nor one of what is in flight is written for each answer.
#[tokio::test]
async fn a_journal_has_as_much_for_each_of_many_items_as_of_few() {
    let mut sizes = Vec::new();
    for count in [100, 1000, 10_000] {
        let store = MemoryStore::default();
        let model = ScriptedModel::from_fn(|request| note(request.prompt()));
        let runner = Read::runner().model(model).store(store.clone()).run_id("a");
        runner.run(List::new(count)).await.unwrap();
        let entries = store.entries(&"a".parse().unwrap(), 0, usize::MAX).await.unwrap();
        let bytes = |record| serde_json::to_vec(record).unwrap().len();
        let all: usize = entries.iter().map(|entry| bytes(&entry.record)).sum();
        sizes.push((count, all, all / count as usize));
    }
    let (few, many) = (sizes[0].2, sizes[2].2);
    assert!(many <= few + few / 20, "items, bytes, bytes an item: {sizes:?}");
}

#[tokio::test(start_paused = true)]
async fn calls_take_as_long_as_the_fullest_lane() {
    let model = Asked::new(|_| async {
        sleep(Duration::from_secs(1)).await;
        Ok(note("a").into())
    });
    let began = Instant::now();
    Read::runner().model(model).run(List::new(70)).await.unwrap();
    assert_eq!(began.elapsed(), Duration::from_secs(11));
}

#[tokio::test]
async fn ten_thousand_items_and_none_are_fine() {
    let model = ScriptedModel::from_fn(|request| note(request.prompt()));
    let runner = Read::runner().model(model);
    let run = runner.run(List::new(10_000)).await.unwrap();
    let texts = run.state.texts();
    assert_eq!((texts.len(), texts[9_999]), (10_001, "9999"));

    let run = runner.run(List::new(0)).await.unwrap();
    assert_eq!(run.state.texts(), ["all"]);
}

#[tokio::test]
async fn an_item_is_asked_again_alone() {
    let model = Asked::new(|prompt: String| async move {
        Ok(if prompt == "3" { "no JSON".into() } else { note(&prompt).into() })
    });
    let mut active = Read::runner().model(model.clone()).start(List::new(10)).unwrap();
    let events = until_waiting(&mut active);
    let failed: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            RunEvent::AttemptFailed { attempt, will_retry, .. } => {
                Some((attempt.item, attempt.number, *will_retry))
            }
            _ => None,
        })
        .collect();
    assert_eq!(failed, [(Some(3), 1, true), (Some(3), 2, true), (Some(3), 3, false)]);
    assert!(shown(&active.finish().report().await.unwrap().outcome).contains("ItemFailed"));
}

#[tokio::test]
async fn cancelling_drops_all_calls() {
    let model = Asked::never();
    let mut active = Read::runner().model(model.clone()).start(List::new(100)).unwrap();
    let events = until_waiting(&mut active);
    // The start of the task, that of its items, and seven prompts.
    assert_eq!((model.calls.now(), events.len()), (7, 9));
    active.handle().cancel("enough");
    let run = active.finish().report().await.unwrap();
    assert_eq!((model.calls.now(), model.calls.all()), (0, 7));
    assert!(run.state.notes.is_empty() && shown(&run.outcome).contains("Cancelled"));
    assert_eq!((run.usage.calls, run.usage.uncounted_calls), (7, 7));
}

#[tokio::test(start_paused = true)]
async fn a_pause_takes_effect_when_every_item_is_done() {
    let model = echo();
    let mut active = Read::runner().model(model.clone()).start(List::new(20)).unwrap();
    let handle = active.handle();
    until_waiting(&mut active);
    handle.pause();
    let mut last = None;
    while !handle.is_paused() {
        last = active.next().await;
    }
    assert!(matches!(last, Some(RunEvent::Paused)), "{last:?}");
    assert_eq!((model.calls.all(), active.machine().state().unwrap().notes.len()), (20, 20));
    handle.resume();
    assert_eq!(active.await.unwrap().state.notes.len(), 21);
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_between_items_asks_only_for_what_is_left() {
    let model = echo();
    let mut active = Read::runner().model(model.clone()).start(List::new(50)).unwrap();
    let mut done = 0;
    while done < 20 {
        done += usize::from(matches!(active.next().await, Some(RunEvent::ItemDone { .. })));
    }
    let snapshot = active.snapshot().unwrap();
    drop(active);
    assert_eq!(model.calls.now(), 0);
    let machine = cot_core::Machine::resume(snapshot, cot_core::ResumeOptions::new()).unwrap();
    let again = echo();
    let run = Read::runner().model(again.clone()).run_machine(machine).await.unwrap();
    assert_eq!(run.state.texts()[..50], *(0..50).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(again.calls.all(), 31);
}

#[tokio::test]
async fn the_number_of_items_is_told_before_the_first() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&told);
    let runner = Read::runner().model(echo()).observe(move |event, _| {
        keep.lock().unwrap().push(event.to_string());
    });
    runner.run(List::new(3)).await.unwrap();
    let told = told.lock().unwrap();
    let place = |text: &str| told.iter().position(|event| event.contains(text)).unwrap();
    assert!(
        place("started") < place("3 items") && place("3 items") < place("attempt 1"),
        "{told:?}"
    );
}

#[tokio::test]
async fn observers_learn_that_a_run_was_dropped() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&told);
    let runner = Read::runner().model(echo()).observe(move |event, _| {
        keep.lock().unwrap().push(matches!(event, RunEvent::Detached));
    });
    // A run that nobody has polled has told nothing.
    drop(runner.start(List::new(3)).unwrap());
    assert!(told.lock().unwrap().is_empty());
    let mut active = runner.start(List::new(3)).unwrap();
    active.next().await.unwrap();
    drop(active);
    let detached: Vec<bool> = std::mem::take(&mut *told.lock().unwrap());
    assert!(detached.last() == Some(&true) && detached.iter().filter(|it| **it).count() == 1);
    // One that is over is not left.
    runner.run(List::new(3)).await.unwrap();
    assert!(!told.lock().unwrap().contains(&true));
}
