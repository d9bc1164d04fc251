//! For-each tasks over sub-processes.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use cot_core::{
    Cx, Event, EventOutcome, HaltReason, Machine, MachinePoll, PanicPlace, Scope,
    model::{ModelReply, ScriptedModel},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use crate::drive::{Note, SECOND, note, started};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Study {
    topics: Vec<Topic>,
    reports: Vec<Topic>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Topic {
    name: String,
    parts: Vec<u32>,
    sum: u32,
    note: Option<Note>,
    key: String,
}

impl Study {
    fn new(names: &[&str]) -> Self {
        let topic = |(place, name): (usize, &&str)| Topic {
            name: (*name).to_owned(),
            parts: (0..place as u32 + 1).collect(),
            ..Topic::default()
        };
        Self { topics: names.iter().enumerate().map(topic).collect(), ..Self::default() }
    }
}

async fn double(_: &Topic, part: &u32, cx: &Cx<'_, Research>) -> Result<u32, std::fmt::Error> {
    cx.app().lock().unwrap().insert(cx.call_key());
    Ok(part * 2)
}

async fn key(_: &Topic, cx: &Cx<'_, Research>) -> Result<String, std::fmt::Error> {
    Ok(cx.call_key())
}

type Keys = Mutex<BTreeSet<String>>;

cot_process! {
    process Research {
        state: Topic,
        context: Keys,
        max_retries: 1,

        task sum -> u32 {
            for_each: part in state.parts,
            run: double,
            max_concurrency: 2,
            update: { sum = output.iter().sum() },
            next: think,
        }

        task think -> Note {
            full_prompt: "${state.name}",
            update: { note = Some(output) },
            next: key,
        }

        task key -> String { run: key, update: key, next: { done if state.name != "void", failed } }
        task failed { fail: "nothing about ${state.name}" }
        task done { end }
    }
}

cot_process! {
    process Library {
        state: Study,
        context: Keys,

        task research {
            for_each: topic in state.topics,
            process: Research with topic,
            max_concurrency: 3,
            max_retries: 1,
            update: { reports = output },
            next: done,
        }

        task done { end }
    }
}

fn model() -> ScriptedModel {
    ScriptedModel::from_fn(|request| {
        let name = request.prompt().lines().next().unwrap_or_default().to_owned();
        let reply: ModelReply = match request.prompt() == "odd" {
            true => "?".into(),
            false => note(&format!("about {name}"), 1).into(),
        };
        reply
    })
}

#[tokio::test]
async fn final_states_are_in_the_order_of_the_items() {
    let keys = Arc::new(Keys::default());
    let names = ["a", "odd", "c", "d", "e"];
    let run = Library::runner(Arc::clone(&keys)).model(model()).run(Study::new(&names));
    let run = run.await.unwrap();
    assert_eq!(run.outcome, LibraryOutcome::Done);
    let id = &run.run_id;
    for (item, report) in run.state.reports.iter().enumerate() {
        let sum = (0..=item as u32).sum::<u32>() * 2;
        assert_eq!((&*report.name, report.sum), (names[item], sum));
        assert_eq!(report.note.as_ref().unwrap().text, format!("about {}", names[item]));
        assert_eq!(report.key, format!("{id}/research#1[{item}]/key#1"));
    }
    assert_eq!((run.state.reports.len(), run.usage.calls), (5, 6));
    let keys = keys.lock().unwrap().clone();
    let expected = (0..5).flat_map(|item| {
        (0..=item).map(move |part| format!("{id}/research#1[{item}]/sum#1[{part}]"))
    });
    assert_eq!(keys, expected.collect());
}

#[tokio::test]
async fn a_sub_process_that_fails_is_run_again_and_then_fails_the_task() {
    let keys = Arc::new(Keys::default());
    let run = Library::runner(Arc::clone(&keys)).model(model()).report(Study::new(&["void"]));
    let run = run.await.unwrap();
    let id = run.run_id;
    let LibraryOutcome::Halted(failure) = run.outcome else { panic!("{:?}", run.outcome) };
    let HaltReason::ItemFailed(failed) = &failure.reason else { panic!("{failure}") };
    let HaltReason::ProcessFailed(nested) = &failed.reason else { panic!("{failure}") };
    assert_eq!(
        (&*nested.process, &*nested.task, &*nested.why),
        ("Research", "failed", "nothing about void")
    );
    assert_eq!((failure.attempts.len(), run.usage.calls), (2, 2));
    let keys = keys.lock().unwrap().clone();
    let expected = ["[0]/sum#1[0]", "[0]@2/sum#1[0]"].map(|key| format!("{id}/research#1{key}"));
    assert_eq!(keys.into_iter().collect::<Vec<_>>(), expected);
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Plain {
    names: Vec<String>,
    cells: Vec<Cell>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Cell {
    name: String,
    note: Note,
}

fn show(scope: &Scope<'_, Ask>) -> String {
    assert_ne!(scope.state.name, "broken");
    scope.state.name.clone()
}

cot_process! {
    process Ask {
        state: Cell,
        task wait { wait: 1s, next: ask }
        task ask -> Note { ask: show, update: note, next: done }
        task done { end }
    }
}

cot_process! {
    process AskAll {
        state: Plain,

        task all {
            for_each: name in state.names,
            process: Ask with Cell { name: name.clone(), note: Note::default() },
            max_concurrency: 2,
            update: { cells = output },
            next: done,
        }

        task done { end }
    }
}

fn plain(names: &[&str]) -> Plain {
    Plain { names: names.iter().map(|name| (*name).to_owned()).collect(), cells: Vec::new() }
}

/// Wakes the timers of the calls in flight.
fn wake(machine: &mut Machine<AskAll>) {
    let timers = machine.poll().directives().to_vec();
    for timer in timers.iter().filter(|timer| timer.is_sleep()) {
        assert_eq!(machine.handle(Event::Woken { id: timer.id }), EventOutcome::Applied);
    }
}

#[test]
fn sub_processes_ask_people_each_for_themselves() {
    let mut machine = started::<AskAll>(plain(&["a", "b", "c"]));
    wake(&mut machine);
    let questions = machine.poll().directives().to_vec();
    let keys: Vec<String> = questions.iter().map(|question| question.key.to_string()).collect();
    assert_eq!(keys, ["all#1[0]/ask#1@1", "all#1[1]/ask#1@1"]);
    assert_eq!(machine.pending_calls(), 2);
    // An answer that is not accepted concerns its own question.
    let answer = |id, answer| Event::Answered { id, answer, elapsed: SECOND };
    let refused = machine.handle(answer(questions[1].id, note("x", 10_000)));
    assert!(matches!(refused, EventOutcome::Refused(_)), "{refused:?}");
    assert_eq!(machine.handle(answer(questions[0].id, note("for a", 1))), EventOutcome::Applied);
    let next = machine.poll().directives().to_vec();
    let keys: Vec<String> = next.iter().map(|question| question.key.to_string()).collect();
    assert_eq!(keys, ["all#1[1]/ask#1@2", "all#1[2]/wait#1@1"]);
    wake(&mut machine);
    for name in ["b", "c"] {
        let question = machine.poll().directives()[0].clone();
        machine.handle(answer(question.id, note(&format!("for {name}"), 1)));
    }
    assert!(matches!(machine.poll(), MachinePoll::Finished(AskAllOutcome::Done)));
    let texts: Vec<_> =
        machine.state().unwrap().cells.iter().map(|cell| &*cell.note.text).collect();
    assert_eq!(texts, ["for a", "for b", "for c"]);
}

#[tokio::test(start_paused = true)]
async fn a_runner_asks_one_question_after_the_other() {
    let runner = AskAll::runner().person(async |question| note(&question.text, 1));
    let run = runner.run(plain(&["a", "b", "c", "d"])).await.unwrap();
    let texts: Vec<_> = run.state.cells.iter().map(|cell| &*cell.note.text).collect();
    assert_eq!(texts, ["a", "b", "c", "d"]);
}

#[test]
fn a_panic_in_one_sub_process_halts_the_run_and_is_located() {
    let mut machine = started::<AskAll>(plain(&["a", "broken"]));
    wake(&mut machine);
    let MachinePoll::Finished(AskAllOutcome::Halted(halt)) = machine.poll() else {
        panic!("it goes on")
    };
    let HaltReason::Panicked(panic) = &halt.reason else { panic!("{halt}") };
    assert_eq!((&*panic.process, &*panic.task, panic.place), ("Ask", "ask", PanicPlace::Template));
}
