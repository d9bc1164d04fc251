//! Journals of runs that a store keeps, resumed from every entry.

use cot_core::{
    Runner,
    store::{MemoryStore, Record, RunId, RunSummary, Store},
};
use serde_json::Value;

use super::{
    calls::{Calls, Sums},
    endings::{Ends, KINDS, Plan},
    pinned::pin,
    sample::{assert_end, assert_same, joined, lines, pretty},
    script::scripted,
    steered::{forked, paused},
    tale::{Tale, end_of, timeless},
    tour::{Journey, Tour},
};
use crate::storing::ledger::{Fate, Ledger};

/// The name of each run.
pub(super) const RUN: &str = "sample";

pub(super) fn runner<P: Tale>(store: impl Store + 'static) -> Runner<P> {
    scripted::<P>().store(store).run_id(RUN)
}

/// Runs a process to its end; its program dies at each so many writes, if that is wanted.
async fn run<P: Tale>(state: P::State, dies_after: Option<usize>) -> Vec<Record> {
    let store = Ledger::default();
    let runner = runner::<P>(store.clone());
    loop {
        if let Some(writes) = dies_after {
            store.at(writes, Fate::CutAfter);
        }
        tokio::select! {
            biased;
            run = runner.report(state.clone()) => {
                run.unwrap();
                break;
            }
            () = store.cut() => {}
        };
    }
    store.records(RUN).await
}

/// A store that holds these records alone.
async fn holding(records: &[Record]) -> MemoryStore {
    let store = MemoryStore::default();
    let lease = store.acquire(&id()).await.unwrap();
    store.append(&lease, records.to_vec()).await.unwrap();
    drop(lease);
    store
}

fn id() -> RunId {
    RUN.parse().unwrap()
}

async fn summary(store: &MemoryStore) -> RunSummary {
    store.run(&id()).await.unwrap().unwrap()
}

async fn records(store: &MemoryStore) -> Vec<Record> {
    let entries = store.entries(&id(), 0, usize::MAX).await.unwrap();
    entries.into_iter().map(|entry| entry.record).collect()
}

/// What happened, but for how long it took and in which order items came back.
fn notes(records: &[Record]) -> Vec<String> {
    let steps = records.iter().filter_map(|record| match record {
        Record::Step(step) => Some(&step.notes),
        _ => None,
    });
    let mut notes: Vec<String> = steps.flatten().map(|note| timeless(note).to_string()).collect();
    notes.sort();
    notes
}

/// The end of the run in a store.
async fn resume<P: Tale>(store: &MemoryStore) -> Value {
    end_of(&runner::<P>(store.clone()).resume(RUN).unwrap().finish().report().await.unwrap())
}

async fn write<P: Tale>(name: &str, mut records: Vec<Record>) {
    pin(&mut records);
    let store = holding(&records).await;
    let summary = serde_json::to_string(&summary(&store).await).unwrap();
    let records = records.iter().map(|record| serde_json::to_string(record).unwrap());
    let file = joined([summary].into_iter().chain(records));
    assert_same(&format!("journals/{name}.jsonl"), &file);
    assert_same(&format!("journals/{name}.end.json"), &pretty(&resume::<P>(&store).await));
}

/// Resumes a run after each of its entries, or after the last one alone.
async fn read<P: Tale>(name: &str, is_interrupted: bool) {
    let mut lines = lines(&format!("journals/{name}.jsonl"));
    let then: RunSummary = serde_json::from_str(&lines.remove(0)).unwrap();
    let journal: Vec<Record> =
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (record, line) in journal.iter().zip(&lines) {
        assert_eq!(serde_json::to_string(record).unwrap(), *line, "{name}");
    }
    assert_eq!(summary(&holding(&journal).await).await, then, "{name}");
    let first = if is_interrupted { 1 } else { journal.len() };
    for count in first..=journal.len() {
        let what = format!("{name} after {count} entries");
        let store = holding(&journal[..count]).await;
        assert_end(&format!("journals/{name}.end.json"), &resume::<P>(&store).await, &what);
        let now = summary(&store).await;
        assert!(now.status.is_ended(), "{what}");
        if then.status.is_ended() {
            assert_eq!((now.status, now.steps), (then.status.clone(), then.steps), "{what}");
            assert_eq!(notes(&records(&store).await), notes(&journal), "{what}");
        }
    }
}

fn file(kind: &str) -> String {
    kind.replace(' ', "_")
}

#[tokio::test(start_paused = true)]
async fn journals_are_written_as_they_were() {
    let tour = || Journey::to("Lisbon");
    write::<Tour>("tour", run::<Tour>(tour(), None).await).await;
    let later = run::<Tour>(Journey::later(), Some(3)).await;
    write::<Tour>("many_lives", later).await;
    write::<Tour>("paused", paused(tour()).await).await;
    write::<Tour>("forked", forked(tour()).await).await;
    write::<Calls>("calls", run::<Calls>(Sums::new(), None).await).await;
    for kind in KINDS {
        write::<Ends>(&file(kind), run::<Ends>(Plan::new(kind), None).await).await;
    }
}

#[tokio::test(start_paused = true)]
async fn runs_resume_from_every_entry() {
    read::<Tour>("tour", true).await;
    read::<Tour>("many_lives", true).await;
    read::<Tour>("paused", false).await;
    read::<Tour>("forked", true).await;
    read::<Calls>("calls", true).await;
    for kind in KINDS {
        read::<Ends>(&file(kind), true).await;
    }
}

#[test]
fn journals_hold_everything() {
    let mut all = ["tour", "many_lives", "paused", "forked"]
        .map(|name| lines(&format!("journals/{name}.jsonl")).concat())
        .concat();
    all.extend(KINDS.map(|kind| lines(&format!("journals/{}.jsonl", file(kind))).concat()));
    let notes = [
        "task_started",
        "repaired",
        "attempt_failed",
        "item_done",
        "committed",
        "transitioned",
        "task_finished",
        "nested",
    ];
    let events = ["replied", "failed", "ran", "answered", "timed_out", "woken", "cancelled"];
    let statuses = ["running", "asking", "sleeping", "ended"];
    let ends = ["end", "fail", "ran_out", "halted"];
    let wanted = notes
        .map(|note| format!(r#""note":"{note}""#))
        .into_iter()
        .chain(events.map(|event| format!(r#""event":{{"{event}":{{"#)))
        .chain(statuses.map(|status| format!(r#""status":"{status}""#)))
        .chain(ends.map(|end| format!(r#""how":"{end}""#)))
        .chain(["whole", "changed"].map(|progress| format!(r#""progress":{{"{progress}":"#)))
        .chain([r#""origin":{"#.to_owned(), "+check\"".to_owned()]);
    for text in wanted {
        assert!(all.contains(&text), "{text}");
    }
}
