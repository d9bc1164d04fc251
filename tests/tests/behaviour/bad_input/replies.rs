//! Replies that no task can use: each is an issue with a clear text, asked for again, and at last an
//! outcome that names the task and holds all attempts.

use cot_core::{
    Attempt, Halt, HaltReason, Machine,
    model::{ModelReply, ScriptedModel},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::drive::{Note, call, go, note, outcome, prompt, reply, request, started, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Desk {
    notes: Vec<Note>,
}

/// Many at once.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Batch {
    notes: Vec<Note>,
}

fn all_ranked(batch: &Batch, _: &Desk) -> Result<(), Issues> {
    let unranked = batch.notes.iter().enumerate().filter(|(_, note)| note.rank == 0);
    let issue = |(index, _)| Issue::new(format!("notes[{index}].rank"), "must not be zero");
    unranked.map(issue).collect::<Issues>().into_result()
}

cot_process! {
    process Handling {
        state: Desk,
        max_retries: 3,
        default_return: decide,

        task decide {
            transitions: {
                add_note: "Add a note",
                add_many: "Add many" if state.notes.len() > 9,
                done: "Done",
            },
        }

        task add_note -> Note {
            update: notes[],
            transitions: { decide if state.notes.len() > 9 },
        }

        task add_many -> Batch { check: all_ranked, next: ask_more }
        task ask_more -> Note { transitions: { decide } }
        task done { end }
    }
}

/// Machines that have committed a note, at each kind of task: one that chooses, and one that gives.
fn machines() -> [(Machine<Handling>, HandlingTask); 2] {
    [false, true].map(|writes| {
        let mut machine = started(Desk::default());
        reply(&mut machine, go("add_note"));
        reply(&mut machine, note("kept", 1));
        if writes {
            reply(&mut machine, go("add_note"));
        }
        let task = call(&mut machine).task;
        (machine, task)
    })
}

fn at_decide() -> Machine<Handling> {
    let [(machine, _), _] = machines();
    machine
}

fn at_add_note() -> Machine<Handling> {
    let [_, (machine, _)] = machines();
    machine
}

/// Gives the same reply until the run halts, and checks what holds of all bad replies.
fn halted_by(mut machine: Machine<Handling>, bad: &str) -> Halt<HandlingTask> {
    let (task, before) = (call(&mut machine).task, state(&machine).clone());
    let entries = machine.history().len();
    for attempt in 1..=4 {
        let call = call(&mut machine);
        assert_eq!((call.task, call.key.attempt()), (task, attempt));
        assert!(request(&call).prompt().len() < 20_000);
        reply(&mut machine, bad);
    }
    assert_eq!(*state(&machine), before, "nothing is lost and nothing added");
    assert_eq!(machine.history().len(), entries);
    let halt = outcome(&mut machine).halt().unwrap().clone();
    assert_eq!(halt.task, task);
    assert!(matches!(halt.reason, HaltReason::Exhausted));
    assert_eq!(halt.attempts.len(), 4);
    assert!(halt.attempts.iter().all(|attempt| !attempt.issues.is_empty()));
    halt
}

/// What the first issue says, which the retry has to show to the model.
fn complaint(mut machine: Machine<Handling>, bad: &Value) -> String {
    reply(&mut machine, bad.clone());
    let shown = prompt(&mut machine);
    let halt = halted_by(at_same(&machine), &bad.to_string());
    let first = halt.attempts[0].issues.iter().next().unwrap().to_string();
    let Issue { path, message, .. } = halt.attempts[0].issues.iter().next().unwrap();
    assert!(shown.contains(&format!("- {path}: {message}")), "{path} in {shown}");
    first
}

fn at_same(machine: &Machine<Handling>) -> Machine<Handling> {
    match machine.snapshot().unwrap().task() {
        "decide" => at_decide(),
        _ => at_add_note(),
    }
}

#[test]
fn garbage_for_ever_and_empty_replies_exhaust_the_task() {
    for garbage in [
        "",
        " \n\t ",
        "I'd rather not.",
        "{",
        "[[[[",
        "null",
        "42",
        "\"goTo\"",
        "}{",
        "\u{0}\u{feff}",
    ] {
        for (machine, _) in machines() {
            halted_by(machine, garbage);
        }
    }
}

#[test]
fn an_empty_reply_is_called_empty() {
    for (machine, _) in machines() {
        let halt = halted_by(machine, "  ");
        assert!(halt.attempts[0].issues.to_string().contains("empty"), "{halt}");
    }
}

#[test]
fn a_target_that_is_not_visible_is_not_available() {
    let hidden = complaint(at_decide(), &go("add_many"));
    assert!(hidden.starts_with("$.goTo") && hidden.contains("add_many"), "{hidden}");
    assert!(
        hidden.contains("\"add_note\"") && hidden.contains("\"done\""),
        "names the choices: {hidden}"
    );
    let elsewhere = complaint(at_decide(), &go("ask_more"));
    assert!(elsewhere.starts_with("$.goTo") && elsewhere.contains("\"done\""), "{elsewhere}");
}

#[test]
fn a_target_in_another_case_is_understood_and_a_misspelled_one_gets_a_suggestion() {
    for spelled in ["Add_Note", "ADD_NOTE", "addNote", " add_note ", "add-note"] {
        let mut machine = at_decide();
        reply(&mut machine, go(spelled));
        assert_eq!(call(&mut machine).task, HandlingTask::AddNote, "{spelled}");
    }
    let issue = complaint(at_decide(), &go("add_noet"));
    assert!(issue.contains("did you mean \"add_note\""), "{issue}");
    let unlike = complaint(at_decide(), &go("fly"));
    assert!(!unlike.contains("did you mean"), "{unlike}");
}

#[test]
fn a_target_with_the_fields_of_an_output_is_refused() {
    let mut mixed = go("done");
    mixed["text"] = json!("a");
    let issue = complaint(at_decide(), &mixed);
    assert!(issue.contains("\"text\""), "{issue}");
    let mut mixed = note("a", 1);
    mixed["goTo"] = json!("decide");
    complaint(at_add_note(), &mixed);
}

#[test]
fn a_target_that_is_no_text_is_refused() {
    for target in [json!(3), json!(null), json!(true), json!(["done"]), json!({ "done": 1 })] {
        let mut choice = go("done");
        choice["goTo"] = target;
        let issue = complaint(at_decide(), &choice);
        assert!(issue.starts_with("$.goTo"), "{issue}");
        assert!(issue.contains("\"add_note\""), "says what would be right: {issue}");
    }
}

#[test]
fn intent_and_step_after_are_required_texts() {
    for key in ["intent", "stepAfter"] {
        for value in [Value::Null, json!(7)] {
            let mut choice = go("done");
            choice[key] = value;
            assert!(complaint(at_decide(), &choice).starts_with(&format!("$.{key}")));
            choice.as_object_mut().unwrap().remove(key);
            assert!(complaint(at_decide(), &choice).starts_with(&format!("$.{key}")));
        }
    }
}

#[test]
fn a_choice_where_an_output_is_wanted_and_the_other_way_round() {
    let issue = complaint(at_add_note(), &go("decide"));
    assert!(issue.contains("output"), "{issue}");
    let issue = complaint(at_decide(), &note("a", 1));
    assert!(issue.contains("goTo"), "{issue}");
}

#[test]
fn several_different_answers_are_ambiguous() {
    let halt = halted_by(at_decide(), &format!("{} or {}", go("done"), go("add_note")));
    assert!(halt.attempts[0].issues.to_string().contains('2'), "{halt}");
    let mut machine = at_decide();
    reply(&mut machine, format!("{} I repeat: {}", go("done"), go("done")));
    assert!(matches!(outcome(&mut machine), HandlingOutcome::Done));
}

fn size_of(attempts: &[Attempt]) -> usize {
    serde_json::to_string(attempts).unwrap().len()
}

#[test]
fn megabytes_are_refused_in_time_and_kept_in_part() {
    let mega = 4 << 20;
    let many: Vec<_> = (0..50_000).map(|i| json!({ "text": i, "rank": "x" })).collect();
    for bad in [
        "x".repeat(mega),
        "[".repeat(mega),
        "{\"a\":".repeat(mega / 8),
        format!("\"{}", "\\".repeat(mega)),
        format!("{{\"text\": \"{}\", \"rank\": 1}}", "é".repeat(mega)),
        format!("{{\"goTo\": \"{}\", \"intent\": \"a\", \"stepAfter\": \"b\"}}", "d".repeat(mega)),
        format!("{{\"goTo\": \"done\", \"{}\": 1}}", "k".repeat(mega)),
        json!({ "text": many, "rank": 1 }).to_string(),
        json!(many).to_string(),
    ] {
        for (machine, _) in machines() {
            let halt = halted_by(machine, &bad);
            assert!(size_of(&halt.attempts) < 100_000, "{} bytes", size_of(&halt.attempts));
            assert!(halt.to_string().len() < 20_000);
        }
    }
}

#[test]
fn megabytes_of_issues_are_cut() {
    let mut machine = started::<Handling>(Desk { notes: vec![Note::default(); 10] });
    reply(&mut machine, go("add_many"));
    let many = vec![note("a", 0); 20_000];
    for _ in 0..4 {
        let prompt = prompt(&mut machine);
        assert!(prompt.len() < 20_000 && prompt.matches("\n- $").count() <= 30);
        reply(&mut machine, json!({ "notes": many }));
    }
    let halt = outcome(&mut machine).halt().unwrap().clone();
    assert_eq!(halt.attempts.len(), 4);
    assert!(halt.attempts.iter().all(|attempt| (2..100).contains(&attempt.issues.len())));
    assert!(size_of(&halt.attempts) < 100_000, "{} bytes", size_of(&halt.attempts));
}

#[test]
fn a_good_answer_among_megabytes_is_found() {
    let mut machine = at_add_note();
    let chatter = "so I think { that [ ".repeat(10_000);
    reply(&mut machine, format!("{chatter}\n```json\n{}\n```", note("found", 1)));
    assert_eq!(state(&machine).notes.len(), 2);
}

#[tokio::test]
async fn the_runner_gives_the_same_outcome() {
    let model = ScriptedModel::from_fn(|_| ModelReply::new("never JSON"));
    let run = Handling::runner().model(model).report(Desk::default()).await.unwrap();
    let halt = run.outcome.halt().unwrap();
    assert_eq!((halt.task, halt.attempts.len()), (HandlingTask::Decide, 4));
    assert_eq!((run.usage.calls, run.state), (4, Desk::default()));
}
