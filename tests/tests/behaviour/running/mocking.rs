//! The mock mode of a run that is under way, and the scope of its next prompt.

use cot_core::{
    MockMode, StartError, UpdateError, model::ScriptedModel, prelude::*, store::MemoryStore,
};
use serde::{Deserialize, Serialize};

use super::{Asked, note, until_waiting};
use crate::drive::Note;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Pages {
    texts: Vec<String>,
}

cot_process! {
    pub(crate) process Drafting {
        state: Pages,
        goal: "Three pages",

        task one -> Note { mock: made_up, update: { texts[] = output.text }, next: two }

        task two -> Note {
            prompt: "After ${list(&state.texts)}",
            mock: made_up,
            update: { texts[] = output.text },
            next: three,
        }

        task three -> Note { update: { texts[] = output.text }, next: done }
        task done { end }
    }
}

fn made_up(_: &Pages) -> Note {
    Note { text: "made up".into(), ..Note::default() }
}

fn only(task: DraftingTask) -> MockMode {
    MockMode::Only(vec![task]).into_names()
}

#[tokio::test]
async fn the_mock_mode_changes_at_the_next_task_boundary() {
    let model = ScriptedModel::new([note("asked"), note("asked")]);
    let mut active = Drafting::runner().model(model).start(Pages::default()).unwrap();
    let handle = active.handle();
    assert_eq!(active.step().await, Some(DraftingTask::One));
    let changed = handle.set_mock_mode(only(DraftingTask::Two));
    let run = active.await.unwrap();
    changed.await.unwrap();
    assert_eq!(run.state.texts, ["asked", "made up", "asked"]);
    assert_eq!(handle.set_mock_mode(false).await, Err(UpdateError::Over));
}

#[tokio::test]
async fn mocks_are_switched_off_while_a_run_goes_on() {
    let runner = Drafting::runner().model(Asked::always(note("asked")));
    let mode = MockMode::Only(vec![DraftingTask::One, DraftingTask::Two]);
    let mut active = runner.mock_mode(mode).start(Pages::default()).unwrap();
    assert_eq!(active.step().await, Some(DraftingTask::One));
    let changed = active.handle().set_mock_mode(false);
    assert_eq!(active.await.unwrap().state.texts, ["made up", "asked", "asked"]);
    changed.await.unwrap();
}

#[tokio::test]
async fn a_mode_that_the_process_does_not_have_changes_nothing() {
    let runner = Drafting::runner().model(Asked::always(note("asked")));
    let active = runner.start(Pages::default()).unwrap();
    let all = active.handle().set_mock_mode(true);
    let unknown = active.handle().set_mock_mode(MockMode::Only(vec!["tow".to_owned()]));
    assert_eq!(active.await.unwrap().state.texts, ["asked"; 3]);
    let lacking = StartError::NoMock { tasks: vec!["three"] };
    assert_eq!(all.await, Err(UpdateError::MockMode(lacking)));
    let error = unknown.await.unwrap_err();
    assert!(matches!(&error, UpdateError::MockMode(StartError::UnknownTask { .. })), "{error:?}");
    assert!(format!("{error:?}").contains("the mock mode can't be set: "), "{error:?}");
}

#[tokio::test]
async fn a_stored_run_resumes_with_its_changed_mode() {
    let store = MemoryStore::default();
    let runner = |model: Asked| Drafting::runner().model(model).store(store.clone());
    let mut active = runner(Asked::never()).run_id("x").start(Pages::default()).unwrap();
    let changed = active.handle().set_mock_mode(only(DraftingTask::Two));
    until_waiting(&mut active);
    changed.await.unwrap();
    drop(active);
    let run = runner(Asked::always(note("again"))).resume("x").unwrap().await.unwrap();
    assert_eq!(run.state.texts, ["again", "made up", "again"]);
}

#[tokio::test]
async fn the_scope_of_the_current_prompt_is_there_from_outside() {
    let mut active =
        Drafting::runner().model(Asked::times(1, note("a"))).start(Pages::default()).unwrap();
    let scope = |active: &cot_core::ActiveRun<Drafting>| {
        active.machine().prompt_scope(|scope| {
            (scope.task.name, scope.goal.to_owned(), scope.state.texts.clone(), scope.history.len())
        })
    };
    let goal = || "Three pages".to_owned();
    assert_eq!(scope(&active).unwrap(), ("one", goal(), vec![], 0));
    until_waiting(&mut active);
    assert_eq!(scope(&active).unwrap(), ("two", goal(), vec!["a".to_owned()], 1));
    assert!(cot_core::Machine::<Drafting>::new().prompt_scope(|_| ()).is_none());
}
