//! Changes of the state from outside.

use cot_core::{Machine, ProcessEvent, RunEvent, UpdateError, store::MemoryStore};

use super::{
    Asked, note, until_waiting,
    watching::{Book, Copy, CopyTask},
};
use crate::drive::reply;

fn add(text: &'static str) -> impl FnOnce(&mut Book) + Send {
    move |book| book.texts.push(text.to_owned())
}

fn changes(events: &[ProcessEvent<Copy>]) -> Vec<CopyTask> {
    let task = |event: &ProcessEvent<Copy>| match event {
        RunEvent::StateUpdated { task } => Some(*task),
        _ => None,
    };
    events.iter().filter_map(task).collect()
}

#[tokio::test]
async fn a_change_is_applied_between_two_tasks_and_acknowledged() {
    let model = Asked::times(1, note("a"));
    let mut active = Copy::runner().model(model).start(Book::default()).unwrap();
    let state = active.state_handle();
    let first = state.update(add("before"));
    assert_eq!(changes(&until_waiting(&mut active)), [CopyTask::One]);
    first.await.unwrap();
    assert_eq!(active.machine().state().unwrap().texts, ["before", "a"]);
    // The second task is under way: it is finished first.
    let late = state.clone().update(add("late"));
    assert!(changes(&until_waiting(&mut active)).is_empty());
    drop(active);
    assert_eq!(late.await, Err(UpdateError::Over));
    assert_eq!(state.update(add("after the end")).await, Err(UpdateError::Over));
}

#[tokio::test]
async fn changes_are_made_in_their_order_also_while_a_run_is_paused() {
    let mut active = Copy::runner().model(Asked::always(note("a"))).start(Book::default()).unwrap();
    let (handle, state) = (active.handle(), active.state_handle());
    handle.pause();
    until_waiting(&mut active);
    let (one, two) = (state.update(add("one")), state.update(add("two")));
    assert_eq!(changes(&until_waiting(&mut active)).len(), 2);
    assert_eq!((one.await, two.await), (Ok(()), Ok(())));
    handle.resume();
    assert_eq!(active.await.unwrap().state.texts, ["one", "two", "a", "a"]);
    assert_eq!(state.update(add("three")).await, Err(UpdateError::Over));
}

#[tokio::test]
async fn a_change_that_panics_changes_nothing() {
    let mut active = Copy::runner().model(Asked::always(note("a"))).start(Book::default()).unwrap();
    let change = active.state_handle().update(|book| {
        book.texts.push("half".to_owned());
        panic!("in the change")
    });
    assert!(changes(&until_waiting(&mut active)).is_empty());
    let error = change.await.unwrap_err();
    assert_eq!(error.to_string(), "the change of the state failed: it panicked: in the change");
    assert_eq!(active.await.unwrap().state.texts, ["a", "a"]);
}

#[tokio::test]
async fn a_change_of_a_stored_run_is_there_when_it_goes_on() {
    let store = MemoryStore::default();
    let runner = |model: Asked| Copy::runner().model(model).store(store.clone());
    let mut active = runner(Asked::never()).run_id("x").start(Book::default()).unwrap();
    let change = active.state_handle().update(add("kept"));
    until_waiting(&mut active);
    change.await.unwrap();
    drop(active);
    let run = runner(Asked::always(note("a"))).resume("x").unwrap().await.unwrap();
    assert_eq!(run.state.texts, ["kept", "a", "a"]);
}

#[test]
fn a_machine_alone_takes_changes_between_two_tasks() {
    let mut machine = Machine::<Copy>::new();
    assert_eq!(machine.update_state(add("too early")), Err(UpdateError::Over));
    machine.start(Book::default()).unwrap();
    machine.record(true);
    machine.update_state(add("one")).unwrap();
    assert_eq!(changes(&machine.drain_events().collect::<Vec<_>>()), [CopyTask::One]);
    drop(machine.poll());
    assert_eq!(machine.update_state(add("at a task")), Err(UpdateError::InTask));
    reply(&mut machine, note("a"));
    machine.update_state(add("two")).unwrap();
    reply(&mut machine, note("a"));
    assert_eq!(machine.state().unwrap().texts, ["one", "a", "two", "a"]);
    drop(machine.poll());
    assert_eq!(machine.update_state(add("too late")), Err(UpdateError::Over));
}
