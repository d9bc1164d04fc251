//! Tasks with `read` and everything beside it: a schema, inputs, an async check, a mock, a context.

use std::sync::Arc;

use cot_core::{
    EventOutcome, Machine, MachineOptions, MachinePoll, MockMode, Reply, ResumeOptions, Snapshot,
    model::{ModelReply, ReplySchema},
    prelude::*,
    testing::Monkey,
};
use serde_json::json;

use super::read::{Game, Move, Play, PlayTask};

/// What the program knows.
struct Rules {
    schema: Option<Arc<ReplySchema>>,
    forbidden: String,
}

fn rules() -> Rules {
    let json = json!({ "type": "object", "properties": { "word": { "type": "string" } } });
    let schema = Arc::new(ReplySchema { name: "word".to_owned(), json });
    Rules { schema: Some(schema), forbidden: "tree".to_owned() }
}

/// An error that becomes an issue.
struct Refusal(&'static str);

impl From<Refusal> for Issues {
    fn from(refusal: Refusal) -> Self {
        Self::at("$.word", refusal.0)
    }
}

fn read_word(reply: &ModelReply, _: &Game, suffix: &str) -> Result<Move, Refusal> {
    match reply.text.len() {
        0 => Err(Refusal("is empty")),
        _ => Ok(Move { word: format!("{}{suffix}", reply.text), calls: Vec::new() }),
    }
}

fn schema(_: &Game, _: &String, cx: &Cx<'_, Recite>) -> Option<Arc<ReplySchema>> {
    cx.app().schema.clone()
}

async fn is_allowed(
    output: &Move,
    _: &Game,
    _: &String,
    cx: &Cx<'_, Recite>,
) -> Result<(), Issues> {
    match output.word.starts_with(&cx.app().forbidden) {
        true => Err(Issues::at("$.word", "is forbidden")),
        false => Ok(()),
    }
}

fn mocked(game: &Game, _: &String) -> Reply<Move> {
    match game.words.len() {
        0 => Move { word: "output".to_owned(), calls: vec!["mocked".to_owned()] }.into(),
        1 => Reply::json(json!("text")),
        2 => Reply::json(json!("")),
        _ => Reply::json(json!({ "word": 3 })),
    }
}

cot_process! {
    process Recite {
        state: Game,
        context: Rules,
        max_retries: 1,
        task open { next: say with "!".to_owned() }

        task say -> Move {
            inputs: String,
            prompt: "Say a word before ${inputs}.",
            read: { reply: read_word, schema: schema },
            check: async is_allowed,
            mock: mocked,
            update: { words[] = output.word, calls = output.calls },
            on: { exhausted => lost },
            next: { open if state.words.len() < 4, done },
        }

        task lost { end }
        task done { end }
    }
}

fn recite(mock_mode: Option<bool>, words: &[&str]) -> Machine<Recite> {
    let mut options = MachineOptions::default();
    options.mock_mode = mock_mode.map(MockMode::from);
    let mut machine = Machine::with_context(rules()).options(options);
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    machine.start(Game { words, ..Game::default() }).unwrap();
    machine
}

/// Answers the call of a model, and runs the functions that follow.
fn say(machine: &mut Machine<Recite>, text: &str) {
    let MachinePoll::Waiting([call]) = machine.poll() else { panic!("no call") };
    assert!(call.as_model_call().is_some(), "{call:?}");
    let (id, reply, elapsed) = (call.id, ModelReply::new(text), crate::drive::SECOND);
    let replied = cot_core::Event::Replied { id, reply, elapsed };
    assert_eq!(machine.handle(replied), EventOutcome::Applied);
    run(machine);
}

/// Runs a function, if one is due.
fn run(machine: &mut Machine<Recite>) {
    let MachinePoll::Waiting([call]) = machine.poll() else { return };
    let Some(function) = call.as_function_call() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (id, result) = (call.id, runtime.block_on(function.run()));
    machine.handle(cot_core::Event::Ran { id, result, elapsed: crate::drive::SECOND });
}

fn prompt(machine: &mut Machine<Recite>) -> String {
    let MachinePoll::Waiting([call]) = machine.poll() else { panic!("no call") };
    call.as_model_call().unwrap().request.prompt().to_owned()
}

#[test]
fn the_schema_of_the_program_is_sent_and_explained_nowhere() {
    let mut machine = recite(None, &[]);
    let MachinePoll::Waiting([call]) = machine.poll() else { panic!("no call") };
    let request = &call.as_model_call().unwrap().request;
    assert_eq!(request.schema, rules().schema);
    for prompt in [request.prompt(), &*request.prompt_without_format()] {
        assert!(prompt.ends_with("Say a word before !."), "{prompt}");
    }
}

#[test]
fn the_function_receives_the_inputs_and_its_output_is_checked() {
    let mut machine = recite(None, &[]);
    say(&mut machine, "house");
    assert_eq!(machine.state().unwrap().words, ["house!"]);
    say(&mut machine, "tree");
    assert_eq!(machine.state().unwrap().words.len(), 1);
    assert!(prompt(&mut machine).contains("is forbidden"));
    say(&mut machine, "");
    assert!(matches!(machine.poll(), MachinePoll::Finished(ReciteOutcome::Lost)));
}

#[test]
fn an_error_of_the_program_becomes_an_issue() {
    let mut machine = recite(None, &[]);
    say(&mut machine, "");
    assert!(prompt(&mut machine).contains("is empty"));
}

#[test]
fn a_resumed_run_checks_the_output_that_was_read() {
    let mut machine = recite(None, &[]);
    let MachinePoll::Waiting([call]) = machine.poll() else { panic!("no call") };
    let (id, reply, elapsed) = (call.id, ModelReply::new("house"), crate::drive::SECOND);
    machine.handle(cot_core::Event::Replied { id, reply, elapsed });
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let snapshot = Snapshot::from_json(&json).unwrap();
    let options = ResumeOptions::new();
    let mut machine =
        Machine::<Recite>::resume_with_context(snapshot, options, rules(), "").unwrap();
    run(&mut machine);
    assert_eq!(machine.state().unwrap().words, ["house!"]);
}

#[test]
fn a_mock_answers_with_an_output_or_with_the_text_of_a_reply() {
    let mut machine = recite(Some(true), &[]);
    for _ in 0..2 {
        run(&mut machine);
    }
    // The output of a mock is not read, but checked.
    assert_eq!(machine.state().unwrap().words, ["output"]);
    assert_eq!(machine.state().unwrap().calls, ["mocked"]);
    for _ in 0..2 {
        run(&mut machine);
    }
    assert_eq!(machine.state().unwrap().words, ["output", "text!"]);
    for _ in 0..2 {
        run(&mut machine);
    }
    assert!(matches!(machine.poll(), MachinePoll::Finished(ReciteOutcome::Lost)));

    let mut machine = recite(Some(true), &["a", "b", "c"]);
    for _ in 0..2 {
        run(&mut machine);
    }
    assert_eq!(machine.state().unwrap().words[3], r#"{"word":3}!"#);
}

#[test]
fn a_description_names_the_function() {
    let text = Play::describe().text();
    assert!(text.contains("play (asks a model, and reads replies with `read_move`)"), "{text}");
    let manifest = Play::describe().manifest();
    assert_eq!(manifest["tasks"][0]["reads"], "read_move");
    assert_eq!(manifest["tasks"][1].get("reads"), None);
    assert_eq!(manifest["tasks"][0]["output"]["schema"], json!(null));
}

#[test]
fn a_monkey_writes_replies_with_a_function() {
    let monkey = || Monkey::<Play>::new(Game::default).runs(200);
    let report = monkey().run().unwrap();
    assert!(report.ended("lost") > 100 && report.ended("done") < 10, "{report}");
    let number = std::cell::Cell::new(0);
    let played = move |_| {
        number.set(number.get() + 1);
        format!("MOVE {}", number.get()).into()
    };
    let report = monkey().reply(PlayTask::Play, played).run().unwrap();
    assert!(report.ended("done") > 80, "{report}");
}
