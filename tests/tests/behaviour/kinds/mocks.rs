//! Synthetic answers.

use cot_core::{
    Action, FunctionError, Machine, MachineOptions, MachinePoll, MockMode, Reply, RunEvent,
    StartError, prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::drive::{code, question, run, survives};
use crate::drive::{Note, call, only, outcome, prompt, started_with, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Stage {
    items: Vec<u32>,
    notes: Vec<Note>,
    wrong: bool,
}

async fn build(_: &Stage) -> Result<Note, FunctionError> {
    Err(FunctionError::new("not mocked"))
}

fn choose(stage: &Stage) -> Reply<()> {
    match stage.notes.len() {
        0 => Reply::go(PlayTask::Write),
        _ => Reply::go(PlayTask::Each),
    }
}

fn written(stage: &Stage) -> Reply<Note> {
    match stage.wrong {
        true => Reply::json(json!({ "text": ["a", "b"], "rank": 1 })),
        false => Note { text: "mocked".to_owned(), rank: 1 }.into(),
    }
}

fn each(_: &Stage, item: &u32) -> Note {
    Note { text: item.to_string(), rank: *item }
}

cot_process! {
    process Play {
        state: Stage,
        max_retries: 1,
        task hub { mock: choose, transitions: { write, each } }

        task write -> Note {
            mock: written,
            update: notes[],
            on: { exhausted => failed },
            next: build,
        }

        task build -> Note {
            mock: written,
            run: build,
            update: notes[],
            on: { exhausted => failed },
            next: ask,
        }

        task ask -> Note { mock: written, ask: "What?", update: notes[], next: hub }

        task each -> Note {
            mock: each,
            for_each: item in state.items,
            prompt: "${item}",
            update: { notes = output },
            next: real,
        }

        task real -> Note { mock: written, mock_mode: false, update: notes[], next: done }
        task failed { fail: "wrong" }
        task done { end }
    }
}

fn play(mock_mode: Option<bool>, stage: Stage) -> Machine<Play> {
    let mut options = MachineOptions::default();
    options.mock_mode = mock_mode.map(Into::into);
    started_with(options, stage)
}

#[test]
fn mocks_stand_for_models_people_functions_and_items() {
    let items = (0..1000).collect();
    let mut machine = play(Some(true), Stage { items, ..Stage::default() });
    machine.record(true);
    let (mut prompts, mut done, mut ids) = (0, 0, Vec::new());
    loop {
        let call = only(&mut machine);
        match &call.action {
            Action::RunFunction(_) => {
                survives(&mut machine);
                ids.push(call.key.to_string());
                run(&mut machine);
            }
            Action::CallModel(_) => {
                assert_eq!(call.task, PlayTask::Real, "a task's own mode comes first");
                break;
            }
            other => panic!("unexpected {other:?}"),
        }
        for event in machine.drain_events() {
            prompts += usize::from(matches!(event, RunEvent::Prompt { .. }));
            done += usize::from(matches!(event, RunEvent::ItemDone { .. }));
        }
    }
    done += machine.drain_events().filter(|it| matches!(it, RunEvent::ItemDone { .. })).count();
    assert_eq!((done, state(&machine).notes.len()), (1000, 1000), "every event is told");
    assert_eq!(ids, ["hub#1@1", "write#1@1", "build#1@1", "ask#1@1", "hub#2@1"]);
    assert_eq!((machine.usage().calls, prompts > 2), (0, true));
}

#[test]
fn options_come_before_the_process_and_a_task_before_both() {
    assert_eq!(call(&mut play(None, Stage::default())).task, PlayTask::Hub);
    assert_eq!(call(&mut play(Some(false), Stage::default())).task, PlayTask::Hub);
    assert_eq!(code(&mut play(Some(true), Stage::default())).task, PlayTask::Hub);
}

#[test]
fn a_wrong_answer_of_a_mock_is_asked_for_again() {
    let mut machine = play(Some(true), Stage { wrong: true, ..Stage::default() });
    run(&mut machine);
    run(&mut machine);
    assert_eq!(code(&mut machine).key.attempt(), 2);
    survives(&mut machine);
    run(&mut machine);
    assert_eq!(outcome(&mut machine), PlayOutcome::Failed("wrong".to_owned()));
    assert!(machine.last_failure().unwrap().attempts[1].issues.to_string().contains("$.text"));
    let mut machine = Play::machine();
    assert!(machine.start_task(PlayTask::Ask, None, Stage::default()).is_ok());
    assert_eq!(question(&mut machine).task, PlayTask::Ask);
}

cot_process! {
    process Bare {
        state: Stage,
        task hub -> Note { update: notes[], next: items }

        task items -> Note {
            for_each: item in state.items,
            prompt: "${item}",
            update: { notes = output },
            next: done,
        }

        task done { end }
    }
}

#[test]
fn mock_mode_without_mocks_does_not_start() {
    let mut options = MachineOptions::default();
    options.mock_mode = Some(true.into());
    let mut machine = Machine::<Bare>::new().options(options);
    let error = machine.start(Stage::default()).unwrap_err();
    assert_eq!(error, StartError::NoMock { tasks: vec!["hub", "items"] });
    let mut machine = started_with::<Bare>(MachineOptions::default(), Stage::default());
    assert!(!prompt(&mut machine).is_empty());
    assert!(only(&mut machine).as_model_call().is_some());
}

fn mocked(mode: MockMode<PlayTask>) -> MachineOptions {
    let mut options = MachineOptions::default();
    options.mock_mode = Some(mode.into_names());
    options
}

#[test]
fn a_run_says_which_tasks_are_mocked() {
    let stage = || Stage { items: vec![1], ..Stage::default() };
    let only = mocked(MockMode::Only(vec![PlayTask::Hub, PlayTask::Ask]));
    let mut machine = started_with::<Play>(only, stage());
    assert_eq!(code(&mut machine).task, PlayTask::Hub);
    run(&mut machine);
    assert_eq!(call(&mut machine).task, PlayTask::Write);
    // A snapshot keeps the mode.
    survives(&mut machine);
    let except = mocked(MockMode::Except(vec![PlayTask::Ask]));
    let mut machine = started_with::<Play>(except, stage());
    for task in [PlayTask::Hub, PlayTask::Write, PlayTask::Build] {
        assert_eq!(code(&mut machine).task, task);
        run(&mut machine);
    }
    assert_eq!(question(&mut machine).task, PlayTask::Ask);
    // The mode of a task comes first.
    let mut machine = Machine::new().options(mocked(MockMode::Only(vec![PlayTask::Real])));
    machine.start_task(PlayTask::Real, None, stage()).unwrap();
    assert_eq!(call::<Play>(&mut machine).task, PlayTask::Real);
}

#[test]
fn a_mode_that_names_what_can_t_be_mocked_is_refused() {
    let start = |mode: MockMode| {
        let mut options = MachineOptions::default();
        options.mock_mode = Some(mode);
        Machine::<Play>::new().options(options).start(Stage::default())
    };
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let error = start(MockMode::Only(names(&["hub", "done"]))).unwrap_err();
    assert_eq!(error, StartError::NoMock { tasks: vec!["done"] });
    assert_eq!(start(MockMode::Except(names(&["done"]))), Ok(()));
    let error = start(MockMode::Except(names(&["hubb"]))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the mock mode names the task `hubb`, and the process has no such task (did you mean `hub`?)"
    );
}

#[test]
fn options_of_older_snapshots_have_a_mode_for_all() {
    for (json, mode) in [("true", MockMode::All), ("false", MockMode::None)] {
        let options: MachineOptions =
            serde_json::from_str(&format!(r#"{{ "mock_mode": {json} }}"#)).unwrap();
        assert_eq!(options.mock_mode, Some(mode));
        assert!(
            serde_json::to_string(&options).unwrap().contains(&format!("\"mock_mode\":{json}"))
        );
    }
}

fn made_up(cx: &Cx<'_, Whole>) -> Reply<WholeOutput> {
    let note = |text: &str| Note { text: text.to_owned(), rank: 1 };
    match cx.task.name {
        "hub" => Reply::go(WholeTask::Write),
        "write" => WholeOutput::Write(note("for all")).into(),
        "each" => WholeOutput::Each(vec![note("first"), note("second")]).into(),
        "wrong" => WholeOutput::Write(note("of another")).into(),
        _ => Reply::json(json!({ "text": "raw", "rank": 1 })),
    }
}

cot_process! {
    process Whole {
        state: Stage,
        mock: made_up,
        task hub { transitions: { write }, always_ask }
        task write -> Note { update: notes[], next: own }
        task own -> Note { mock: written, update: notes[], next: each }

        task each -> Note {
            for_each: item in state.items,
            prompt: "${item}",
            update: { notes = output },
            next: ask,
        }

        task ask -> Note { ask: "What?", update: notes[], next: build }

        task build -> Note {
            run: built,
            update: notes[],
            next: { wrong if state.items.len() == 1, done },
        }

        task wrong -> Note { update: notes[], next: done }
        task done { end }
    }
}

async fn built(_: &Stage) -> Result<Note, FunctionError> {
    Ok(Note { text: "built".to_owned(), rank: 1 })
}

fn texts(items: &[u32]) -> (Vec<String>, Machine<Whole>) {
    let mut options = MachineOptions::default();
    options.mock_mode = Some(true.into());
    let stage = Stage { items: items.to_vec(), ..Stage::default() };
    let mut machine: Machine<Whole> = started_with(options, stage);
    let mut before = Vec::new();
    while let MachinePoll::Waiting([call]) = machine.poll() {
        assert!(call.as_function_call().is_some(), "{call:?}");
        if call.task == WholeTask::Each || call.task == WholeTask::Ask {
            before = state(&machine).notes.clone();
        }
        run(&mut machine);
    }
    let notes = before.iter().chain(&state(&machine).notes);
    (notes.map(|note| note.text.clone()).collect(), machine)
}

#[test]
fn the_mock_of_a_process_answers_where_a_task_has_none() {
    let (texts, machine) = texts(&[1, 2]);
    assert_eq!(texts, ["first", "second", "first", "second", "raw", "built"]);
    assert_eq!(machine.outcome(), Some(WholeOutcome::Done));
    assert_eq!(machine.usage().calls, 0);
    // It is not used where nobody says so.
    assert_eq!(
        call(&mut started_with::<Whole>(MachineOptions::default(), Stage::default())).task,
        WholeTask::Hub
    );
}

#[test]
fn the_mock_of_a_process_gives_the_output_of_the_task_that_is_run() {
    let (_, machine) = texts(&[1]);
    let outcome = format!("{:?}", machine.outcome());
    assert!(
        outcome.contains("the `mock` of the process gave the output of another task"),
        "{outcome}"
    );
}
