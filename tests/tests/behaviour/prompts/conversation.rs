//! Turns and examples, which precede the prompt.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
};

use cot_core::{
    Example, Machine, Models, PanicPlace, RunError, StartError,
    model::{ModelRequest, Role, ScriptedModel, Turn},
    prelude::*,
    reasoning::Reasoning,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::drive::{Note, after, call, go, note, only, outcome, request, started};

/// The role and the text of each message.
fn messages(request: &ModelRequest) -> Vec<(Role, String)> {
    let messages = request.messages(true).into_iter();
    let text = |part: &cot_core::model::MessagePart<'_>| match part {
        cot_core::model::MessagePart::Text { text, .. } => (*text).to_owned(),
        other => panic!("{other:?}"),
    };
    messages.map(|message| (message.role, message.parts.iter().map(text).collect())).collect()
}

fn turns(request: &ModelRequest) -> Vec<(Role, String)> {
    let mut messages = messages(request);
    assert_eq!(messages.remove(0).0, Role::System);
    assert_eq!(messages.pop().unwrap().0, Role::User);
    messages
}

fn said(texts: &[(&str, &str)]) -> Vec<(Role, String)> {
    let turns = texts.iter().flat_map(|(asked, replied)| {
        [(Role::User, (*asked).to_owned()), (Role::Assistant, (*replied).to_owned())]
    });
    turns.collect()
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "lowercase")]
enum Mood {
    Glad,
    Sad,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Talk {
    turns: Vec<Turn>,
    letters: Vec<Letter>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Letter {
    text: String,
    before: Vec<Turn>,
}

static COMPUTED: AtomicUsize = AtomicUsize::new(0);

fn notes() -> Vec<Example<Note>> {
    COMPUTED.fetch_add(1, Ordering::Relaxed);
    vec![
        Example::new("plain text", Note { text: "a".to_owned(), rank: 1 }),
        Example::new(json!({ "length": 3 }), Note { text: "b".to_owned(), rank: 2 }),
    ]
}

fn moods() -> [Example<Mood>; 2] {
    [Example::new("Hooray", Mood::Glad), Example::new("Alas", Mood::Sad)]
}

fn thoughts() -> Vec<Example<Reasoning>> {
    vec![Example::new("6 * 7?", Reasoning::parse("Step 1: Count.\nConclusion: 42"))]
}

cot_process! {
    process Chat {
        state: Talk,

        task reply -> Note {
            prompt: "Go on.",
            turns: state.turns,
            examples: notes,
            transitions: { moods, think },
            update: { turns[] = Turn::assistant(output.text) },
            next: reply,
        }

        task moods -> Mood {
            for_each: letter in state.letters,
            prompt: "${quoted(&letter.text)}",
            turns: &letter.before,
            examples: moods,
            next: think,
        }

        task think {
            reason: "How many?",
            examples: thoughts,
            next: recall with vec![Turn::user("So?")],
        }

        task recall -> Note { inputs: Vec<Turn>, prompt: "?", turns: inputs, next: done }
        task done { end }
    }
}

const NOTES: [(&str, &str); 2] =
    [("plain text", r#"{"text":"a","rank":1}"#), (r#"{"length":3}"#, r#"{"text":"b","rank":2}"#)];

#[test]
fn examples_and_then_turns_precede_the_prompt() {
    let talk = Talk { turns: vec![Turn::user("Hello"), Turn::assistant("Hi")], ..Talk::default() };
    let mut machine = started::<Chat>(talk.clone());
    let mut expected = said(&NOTES);
    expected.extend(said(&[("Hello", "Hi")]));
    let first = call(&mut machine);
    assert_eq!(turns(request(&first)), expected);
    assert_eq!(**request(&first), machine.prompt().unwrap());
    assert!(request(&first).prompt().contains("Go on."));

    // The next request has the turn that was appended, and the same examples.
    let mut machine = after::<Chat, _>(talk, [note("How are you?", 1)]);
    expected.push((Role::Assistant, "How are you?".to_owned()));
    assert_eq!(turns(request(&call(&mut machine))), expected);
    assert_eq!(COMPUTED.load(Ordering::Relaxed), 1, "examples are computed once");
}

#[test]
fn each_item_has_the_examples_and_turns_of_its_own() {
    let letter = |text: &str, before| Letter { text: text.to_owned(), before };
    let letters = vec![letter("Yes!", vec![]), letter("No", vec![Turn::user("Really?")])];
    let talk = Talk { letters, ..Talk::default() };
    let mut machine = after::<Chat, _>(talk, [go("moods")]);
    let cot_core::MachinePoll::Waiting(directives) = machine.poll() else { panic!() };
    let asked: Vec<_> = directives.iter().map(|directive| turns(request(directive))).collect();
    let moods = said(&[("Hooray", r#"{"value":"glad"}"#), ("Alas", r#"{"value":"sad"}"#)]);
    let mut second = moods.clone();
    second.push((Role::User, "Really?".to_owned()));
    assert_eq!(asked, [moods, second]);
}

#[test]
fn examples_of_reasoning_are_texts_and_turns_may_be_inputs() {
    let mut machine = after::<Chat, _>(Talk::default(), [go("think")]);
    let think = only(&mut machine);
    let expected = Reasoning::parse("Step 1: Count.\nConclusion: 42").to_text();
    assert_eq!(turns(request(&think)), said(&[("6 * 7?", &expected)]));
    let mut machine = after::<Chat, cot_core::model::ModelReply>(
        Talk::default(),
        [go("think").into(), "Conclusion: 42".into()],
    );
    let recall = call(&mut machine);
    assert_eq!(turns(request(&recall)), [(Role::User, "So?".to_owned())]);
}

cot_process! {
    process Unset {
        state: { talk: Vec<Turn>, text: String = "".to_owned() },

        task first -> Note {
            prompt: "?",
            turns: state.talk?,
            update: { talk = vec![Turn::user(output.text)] },
            next: second,
        }

        task second -> Note {
            prompt: "?",
            turns: state.talk?,
            update: { text = output.text },
            next: done,
        }

        task done { end }
    }
}

#[test]
fn a_field_that_is_not_set_has_no_turns() {
    let mut machine = started::<Unset>(UnsetState::default());
    assert!(request(&call(&mut machine)).turns.is_empty());
    let mut machine = after::<Unset, _>(UnsetState::default(), [note("a", 1)]);
    assert_eq!(request(&call(&mut machine)).turns, [Turn::user("a")]);
}

cot_process! {
    process Wrong {
        state: (),
        task outer { process: Inner with (), next: own }
        task own -> Note { prompt: "?", examples: wrong_notes, next: broken }
        task broken -> Note { prompt: "?", examples: broken_notes, next: done }
        task done { end }
    }
}

cot_process! {
    process Inner {
        state: (),
        task think { reason: "?", examples: empty_thoughts, next: fine }
        task fine -> Note { prompt: "?", examples: notes_of_one, next: done }
        task done { end }
    }
}

fn notes_of_one() -> Vec<Example<Note>> {
    vec![Example::new("", Note::default())]
}

fn wrong_notes() -> Vec<Example<Note>> {
    let by_pair = BTreeMap::from([((1, 2), 3)]);
    vec![
        Example::new("right", Note { text: "a".to_owned(), rank: 1 }),
        Example::new("too long", Note { text: "a".repeat(101), rank: 2000 }),
        Example::new(by_pair, Note::default()),
    ]
}

fn broken_notes() -> Vec<Example<Note>> {
    panic!("no file")
}

fn empty_thoughts() -> Vec<Example<Reasoning>> {
    vec![Example::new("?", Reasoning::default())]
}

#[test]
fn a_preflight_names_the_examples_that_are_not_valid() {
    let models = Models::new().model(ScriptedModel::new([""]));
    let error = Wrong::preflight(&models).unwrap_err();
    let found: Vec<_> = error.examples.iter().map(|it| (it.process, it.task, it.index)).collect();
    let expected = [
        ("Wrong", "own", Some(1)),
        ("Wrong", "own", Some(2)),
        ("Wrong", "broken", None),
        ("Inner", "think", Some(0)),
    ];
    assert_eq!(found, expected);
    let texts: Vec<_> = error.examples.iter().map(ToString::to_string).collect();
    assert!(texts[0].starts_with("`examples[1]` of task `own` of `Wrong`: $.text: "), "{texts:?}");
    assert!(texts[0].contains("$.rank: "), "{texts:?}");
    assert!(texts[1].contains("the input can't be written as JSON"), "{texts:?}");
    let panicked = "the examples of task `broken` of `Wrong`: $: it panicked: no file";
    assert_eq!(texts[2], panicked);
    assert!(texts[3].contains("there are no steps in it"), "{texts:?}");
    assert!(error.to_string().ends_with(&texts[3]), "{error}");
    assert!(Chat::preflight(&models).is_ok());
}

#[tokio::test]
async fn no_model_is_called_before_the_examples_are_right() {
    let model = ScriptedModel::from_fn(|_| -> &str { panic!("was asked") });
    let ended = Wrong::runner().model(model).run(()).await;
    let Err(RunError::Start(StartError::InvalidExample(error))) = ended else {
        panic!("{ended:?}")
    };
    assert_eq!((error.task, error.index), ("own", Some(1)));
    let error = Machine::<Inner>::new().start(()).unwrap_err();
    assert!(matches!(error, StartError::InvalidExample(error) if error.task == "think"));
    // A task that runs alone needs only its own examples.
    let mut machine = Machine::<Inner>::new();
    assert_eq!(machine.start_task(InnerTask::Fine, None, ()), Ok(()));
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Flawed;

impl Flawed {
    fn talk(&self) -> Vec<Turn> {
        panic!("no talk")
    }
}

cot_process! {
    process Panicking {
        state: Flawed,
        task only -> Note { prompt: "?", turns: state.talk(), may_end }
    }
}

#[test]
fn a_panic_in_the_turns_halts_the_run() {
    let mut machine = started::<Panicking>(Flawed);
    let ended = outcome(&mut machine);
    let cot_core::HaltReason::Panicked(panic) = &ended.halt().unwrap().reason else { panic!() };
    assert_eq!((panic.place, panic.message.as_str()), (PanicPlace::Turns, "no talk"));
}

mod reworded {
    use cot_core::{Example, prelude::*};

    use crate::drive::Note;

    cot_process! {
        pub(super) process Inner {
            state: (),
            task think { reason: "?", examples: super::empty_thoughts, next: fine }
            task fine -> Note { prompt: "?", examples: other_notes, next: done }
            task done { end }
        }
    }

    fn other_notes() -> Vec<Example<Note>> {
        vec![Example::new("reworded", Note::default())]
    }
}

#[test]
fn examples_count_in_the_fingerprint_of_the_prompts() {
    let prompts = |manifest: serde_json::Value, task: &str| {
        manifest["fingerprint"]["prompts"][task].as_str().unwrap().to_owned()
    };
    let [old, new] = [Inner::describe().manifest(), reworded::Inner::describe().manifest()];
    assert_ne!(prompts(old.clone(), "fine"), prompts(new.clone(), "fine"));
    assert_eq!(prompts(old, "done"), prompts(new, "done"));
}
