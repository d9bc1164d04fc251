//! For-each tasks.

use cot_core::{
    EventOutcome, Failure, HaltReason, Machine, MachineOptions, Usage,
    model::{FinishReason, ModelReply},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::drive::{calls, reply_item, reply_to, resumed, survives, time_out};
use crate::drive::{
    Note, SECOND, go, history, note, outcome, reply, request, started, started_with, state,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Pile {
    items: Vec<String>,
    found: Vec<Note>,
}

fn differs(note: &Note, _: &Pile, word: &Word, item: &String) -> Result<(), Issues> {
    match note.text == *item {
        true => Err(Issues::at("text", format!("is {item} {}", word.text))),
        false => Ok(()),
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Word {
    text: String,
}

cot_process! {
    process Sorter {
        state: Pile,
        max_retries: 1,
        start: open,
        task open { next: sort with Word { text: "again".to_owned() } }

        task sort -> Note {
            inputs: Word,
            for_each: item in state.items,
            max_concurrency: 3,
            timeout: 30s,
            prompt: "${item} of ${state.items.len()}, ${inputs.text}",
            check: differs,
            update: { found = output },
            on: { exhausted => failed, timeout => late, truncated => cut, budget => dear },
            next: done,
        }

        task failed { fail: "not sorted" }
        task late { end }
        task cut { end }
        task dear { end }
        task done { end }
    }
}

fn pile(count: usize) -> Pile {
    Pile { items: (0..count).map(|item| format!("item {item}")).collect(), found: Vec::new() }
}

fn sorter(count: usize) -> Machine<Sorter> {
    started(pile(count))
}

fn items(machine: &mut Machine<Sorter>) -> Vec<usize> {
    calls(machine).iter().filter_map(|call| call.key.item()).collect()
}

fn failed(machine: &Machine<Sorter>) -> (cot_core::FailedItem, Vec<cot_core::Attempt>) {
    let halt = machine.last_failure().unwrap();
    match halt.reason {
        HaltReason::ItemFailed(failed) => (*failed, halt.attempts),
        other => panic!("expected an item, got {other:?}"),
    }
}

#[test]
fn nothing_gives_an_empty_list_at_once() {
    let mut machine = sorter(0);
    assert_eq!(outcome(&mut machine), SorterOutcome::Done);
    assert_eq!(history(&machine), json!([{ "task": "sort", "output": [] }]));
    assert_eq!((machine.usage(), machine.steps()), (Usage::default(), 1));
}

#[test]
fn one_item_is_asked_about_with_all_that_a_prompt_sees() {
    let mut machine = sorter(1);
    let [call] = calls(&mut machine).try_into().unwrap();
    assert_eq!(
        (call.key.item(), call.key.attempt(), call.timeout),
        (Some(0), 1, Some(SECOND * 30))
    );
    assert_eq!(call.key.to_string(), "sort#1[0]@1");
    let prompt = request(&call).prompt();
    assert!(prompt.contains("item 0 of 1, again"), "{prompt}");
    survives(&mut machine);
    reply_item(&mut machine, 0, note("a", 1));
    assert_eq!(outcome(&mut machine), SorterOutcome::Done);
    let output = json!([{ "task": "sort", "output": [note("a", 1)] }]);
    assert_eq!((history(&machine), machine.usage().calls), (output, 1));
}

#[test]
fn the_order_is_that_of_the_items_whatever_that_of_the_answers() {
    let mut machine = sorter(7);
    for turn in 0..7 {
        let calls = calls(&mut machine);
        assert_eq!(calls.len(), 3.min(7 - turn));
        let call = &calls[(turn * 5 + 1) % calls.len()];
        let text = format!("{}", call.key.item().unwrap());
        assert_eq!(reply_to(&mut machine, call.id, note(&text, 1)), EventOutcome::Applied);
        assert_eq!(reply_to(&mut machine, call.id, note("late", 1)), EventOutcome::Stale);
        if turn < 6 {
            survives(&mut machine);
        }
    }
    assert_eq!(outcome(&mut machine), SorterOutcome::Done);
    let texts: Vec<_> = state(&machine).found.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(texts, ["0", "1", "2", "3", "4", "5", "6"]);
}

#[test]
fn an_item_has_retries_and_issues_of_its_own() {
    let mut machine = sorter(3);
    for item in 0..3 {
        reply_item(&mut machine, item, note(&format!("item {item}"), 1));
    }
    for call in calls(&mut machine) {
        let (prompt, item) = (request(&call).prompt(), call.key.item().unwrap());
        assert!(prompt.contains(&format!("is item {item} again")), "{prompt}");
        assert_eq!((call.key.attempt(), prompt.matches("is item").count()), (2, 1));
    }
    survives(&mut machine);
    assert!(state(&machine).found.is_empty());
    for item in [2, 0, 1] {
        reply_item(&mut machine, item, note("good", 1));
    }
    assert_eq!(outcome(&mut machine), SorterOutcome::Done);
}

#[test]
fn an_item_that_fails_ends_the_task_and_the_rest_is_not_asked() {
    let mut machine = sorter(5);
    reply_item(&mut machine, 2, note("good", 1));
    reply_item(&mut machine, 1, "nonsense");
    let late = calls(&mut machine).into_iter().find(|call| call.key.item() == Some(0)).unwrap().id;
    reply_item(&mut machine, 1, json!(5));
    assert_eq!(outcome(&mut machine), SorterOutcome::Failed("not sorted".to_owned()));
    assert_eq!(reply_to(&mut machine, late, note("late", 1)), EventOutcome::NotRunning);
    let (failed, attempts) = failed(&machine);
    assert_eq!((failed.item, failed.reason, failed.total), (1, HaltReason::Exhausted, 5));
    assert_eq!(failed.done, [2]);
    assert!(attempts.iter().all(|attempt| attempt.item == Some(1)));
    assert_eq!((attempts.len(), machine.usage().calls), (2, 3));
    assert!(state(&machine).found.is_empty() && machine.history().is_empty());
}

#[test]
fn what_goes_wrong_with_an_item_has_its_route() {
    let mut machine = sorter(2);
    let cut = ModelReply::new("{").finish(FinishReason::Length);
    reply_item(&mut machine, 1, cut);
    assert_eq!(outcome(&mut machine), SorterOutcome::Cut);
    let mut machine = sorter(2);
    time_out(&mut machine, SECOND * 30);
    assert_eq!(outcome(&mut machine), SorterOutcome::Late);
    assert_eq!(failed(&machine).1[0].failure, Failure::TimedOut);
}

#[test]
fn calls_at_once_take_the_time_of_the_slowest() {
    let mut options = MachineOptions::default();
    options.timeout = Some(SECOND * 5);
    let mut machine = started_with::<Sorter>(options, pile(6));
    for item in [0, 1, 3] {
        reply_item(&mut machine, item, note("a", 1));
    }
    let left: Vec<_> = calls(&mut machine).iter().map(|call| call.timeout).collect();
    let mut sorted = left.clone();
    sorted.sort();
    assert_eq!(sorted, [3, 4, 5].map(|secs| Some(SECOND * secs)));
    survives(&mut machine);
    let after: Vec<_> = calls(&mut resumed(&machine)).iter().map(|call| call.timeout).collect();
    assert_eq!(after, left);
}

#[test]
fn no_more_calls_are_begun_than_the_budget_has() {
    let mut options = MachineOptions::default();
    options.budget = Some(cot_core::Budget { calls: Some(2), ..cot_core::Budget::NONE });
    let mut machine = started_with::<Sorter>(options, pile(5));
    assert_eq!(items(&mut machine), [0, 1]);
    survives(&mut machine);
    reply_item(&mut machine, 1, note("a", 1));
    assert_eq!(items(&mut machine), [0]);
    survives(&mut machine);
    reply_item(&mut machine, 0, note("a", 1));
    assert_eq!(outcome(&mut machine), SorterOutcome::Dear);
    let (failed, _) = failed(&machine);
    assert_eq!((failed.item, failed.done.as_slice()), (2, &[0, 1][..]));
    assert_eq!(machine.usage().calls, 2);
}

#[test]
fn tokens_used_up_in_the_middle_end_the_task() {
    let mut options = MachineOptions::default();
    options.budget = Some(cot_core::Budget { tokens: Some(10), ..cot_core::Budget::NONE });
    let mut machine = started_with::<Sorter>(options, pile(5));
    let reply = ModelReply::from(note("a", 1)).usage(Usage::for_call(6, 5));
    reply_item(&mut machine, 0, reply);
    assert_eq!(outcome(&mut machine), SorterOutcome::Dear);
    assert_eq!(failed(&machine).0.done, [0]);
}

#[test]
fn items_that_do_not_add_up_are_refused() {
    let mut machine = sorter(5);
    reply_item(&mut machine, 0, note("a", 1));
    machine.poll();
    let good = serde_json::to_value(machine.snapshot().unwrap()).unwrap();
    let changes: [fn(&mut Value); 8] = [
        |each| each["asked"][1]["item"] = each["asked"][0]["item"].clone(),
        |each| each["asked"][1]["call"] = each["asked"][0]["call"].clone(),
        |each| each["asked"][0]["item"] = json!(0),
        |each| each["asked"][0]["item"] = json!(4),
        |each| each["asked"] = json!([]),
        |each| each["next"] = json!(5),
        |each| each["total"] = json!(6),
        |each| each["done"] = json!({ "0": 1, "1": 1 }),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut json = good.clone();
        change(&mut json["position"]["each"]);
        let snapshot = cot_core::Snapshot::from_json(&json.to_string()).unwrap();
        let error = Machine::<Sorter>::resume(snapshot, cot_core::ResumeOptions::new());
        let is_refused = matches!(error, Err(cot_core::SnapshotError::Inconsistent(_)));
        assert!(is_refused, "{number}: {error:?}");
    }
}

cot_process! {
    process Wide {
        state: Pile,
        task hub { transitions: { sort, done } }

        task sort -> Note {
            for_each: item in state.items,
            max_concurrency: 100,
            prompt: "${item}",
            update: { found = output },
        }

        task done { end }
    }
}

#[test]
fn ten_thousand_items_are_asked_about() {
    let mut machine = started::<Wide>(pile(10_000));
    reply(&mut machine, go("sort"));
    for _ in 0..10_000 {
        let call = calls(&mut machine).swap_remove(0);
        let text = format!("{}", call.key.item().unwrap());
        reply_to(&mut machine, call.id, note(&text, 1));
    }
    reply(&mut machine, go("done"));
    assert_eq!(outcome(&mut machine), WideOutcome::Done);
    let found = &state(&machine).found;
    assert!(found.iter().enumerate().all(|(item, note)| note.text == item.to_string()));
    assert_eq!(found.len(), 10_000);
}
