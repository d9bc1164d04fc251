//! Tasks that are answered with a text that thinks aloud.

use cot_core::{
    Event, EventOutcome, Machine, ProcessEvent, RunEvent,
    model::{FinishReason, ModelReply},
    prelude::*,
    reasoning::{Reasoning, Step, default_system_prompt},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::drive::{calls, reply_item, survives};
use crate::drive::{
    Note, SECOND, after, call, engine, go, history, note, outcome, prompt, reply, request, started,
    state,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Advice {
    pub(crate) question: String,
    pub(crate) steps: Vec<Step>,
    pub(crate) conclusion: Option<String>,
    pub(crate) answer: Option<Note>,
}

impl Advice {
    pub(crate) fn on(question: &str) -> Self {
        Self { question: question.to_owned(), ..Self::default() }
    }
}

fn is_short(output: &Reasoning, _: &Advice) -> Result<(), Issues> {
    let is_long = |step: &Step| step.content.len() > 50;
    match output.steps.iter().position(is_long) {
        Some(index) => Err(Issues::at(format!("$.steps[{index}].content"), "is too long")),
        None => Ok(()),
    }
}

cot_process! {
    pub(crate) process Advise {
        state: Advice,
        goal: "Give good advice",
        max_retries: 1,

        task decide {
            prompt: "Is it clear how to answer?",
            transitions: { think: "It has to be thought through", write: "It is", done },
        }

        task think {
            reason: "How is this to be answered?\n${quoted(&state.question)}",
            model: ["thinker", "other"],
            temperature: 0.25,
            max_tokens: 900,
            errors_primer: "That was no reasoning:",
            check: is_short,
            update: { steps = output.steps, conclusion = output.conclusion },
            on: { exhausted => lost, truncated => cut, refused => refused },
            next: { decide if output.conclusion.is_none(), write },
        }

        task write -> Note {
            prompt: "Answer in a sentence, by these steps: ${json(state.steps)}",
            update: { answer = Some(output) },
            next: done,
        }

        task lost { fail: "no reasoning" }
        task cut { end }
        task refused { end }
        task done { end }
    }
}

pub(crate) const THOUGHT: &str = "Let me see.\n\nStep 1: Rain is forecast.\nStep 2: There is an \
     umbrella.\n\nConclusion: Take the umbrella.";

fn thinking() -> Machine<Advise> {
    after(Advice::on("What to take?"), [go("think")])
}

#[test]
fn a_text_is_asked_for_and_its_steps_and_conclusion_are_kept() {
    let mut machine = thinking();
    let waiting = call(&mut machine);
    assert_eq!(engine(&waiting), Some("thinker"));
    let request = reply(&mut machine, THOUGHT);
    assert_eq!(
        (request.settings.temperature, request.settings.max_tokens),
        (Some(0.25), Some(900))
    );
    assert_eq!(request.schema, None);
    for text in [request.prompt(), &*request.prompt_without_format()] {
        assert!(text.contains("How is this to be answered?"), "{text}");
        assert!(text.contains(default_system_prompt()), "{text}");
        assert!(!text.contains("JSON schema"), "{text}");
    }
    assert!(!request.system().unwrap().contains("JSON"), "{:?}", request.system());

    let contents: Vec<_> = state(&machine).steps.iter().map(|step| &*step.content).collect();
    assert_eq!(contents, ["Rain is forecast.", "There is an umbrella."]);
    assert_eq!(state(&machine).conclusion.as_deref(), Some("Take the umbrella."));
    let entry = &history(&machine)[1];
    assert_eq!(
        (&entry["task"], &entry["output"]["steps"][1]["number"]),
        (&json!("think"), &json!(2))
    );

    let request = reply(&mut machine, note("An umbrella.", 1));
    assert!(request.prompt().contains(r#""content":"There is an umbrella.""#));
    assert!(request.prompt().contains("one JSON value"));
    assert!(matches!(outcome(&mut machine), AdviseOutcome::Done));
}

#[test]
fn a_text_without_steps_and_conclusion_is_asked_for_again() {
    let json = r#"{"steps":[{"number":1,"content":"a"}],"conclusion":"b"}"#;
    for nothing in ["", " \n", "I don't know.", "Step 1:", json] {
        let mut machine = thinking();
        reply(&mut machine, nothing);
        let again = reply(&mut machine, THOUGHT);
        for said in ["That was no reasoning:", "there are no steps in it, and no conclusion"] {
            assert!(again.prompt().contains(said), "{}", again.prompt());
        }
        assert_eq!(state(&machine).steps.len(), 2, "{nothing}");

        let mut machine = thinking();
        reply(&mut machine, nothing);
        reply(&mut machine, nothing);
        let AdviseOutcome::Lost(why) = outcome(&mut machine) else { panic!() };
        assert_eq!((why.as_str(), &state(&machine).steps), ("no reasoning", &Vec::new()));
    }
}

#[test]
fn steps_alone_and_a_conclusion_alone_are_enough() {
    let mut machine = thinking();
    reply(&mut machine, "- a\n- b");
    assert_eq!((state(&machine).steps.len(), &state(&machine).conclusion), (2, &None));
    assert_eq!(machine.task(), Some(AdviseTask::Decide));
    let mut machine = thinking();
    reply(&mut machine, "So stay at home.");
    assert_eq!((state(&machine).steps.len(), machine.task()), (0, Some(AdviseTask::Write)));
}

#[test]
fn what_was_found_is_checked() {
    let mut machine = thinking();
    reply(&mut machine, format!("1. short\n2. {}", "long ".repeat(20)));
    let again = reply(&mut machine, THOUGHT);
    assert!(again.prompt().contains("- $.steps[1].content: "), "{}", again.prompt());
    assert_eq!(state(&machine).steps.len(), 2);
}

#[test]
fn too_much_text_is_an_issue_and_any_text_is_read() {
    let mut machine = thinking();
    machine.record(true);
    reply(&mut machine, "1. a\n".repeat(300_000));
    assert!(prompt(&mut machine).contains("bytes: at most"));
    reply(&mut machine, "\0\u{202e}\u{feff}\r\r\n1.\u{a0}\u{1}\n####\u{200b}99999999999999999999");
    let kept = state(&machine);
    assert_eq!(
        (kept.steps.len(), kept.conclusion.as_deref()),
        (1, Some("\u{200b}99999999999999999999"))
    );
    let is_repair = |event: ProcessEvent<Advise>| matches!(event, RunEvent::Repaired { .. });
    assert!(!machine.drain_events().any(is_repair));
}

#[test]
fn what_was_cut_off_and_what_was_refused_go_their_own_ways() {
    for (finish, expected) in [
        (FinishReason::Length, AdviseOutcome::Cut),
        (FinishReason::Refusal, AdviseOutcome::Refused),
    ] {
        let mut machine = thinking();
        reply(&mut machine, ModelReply::new(THOUGHT).finish(finish));
        assert_eq!(outcome(&mut machine), expected);
        assert_eq!(state(&machine).conclusion, None);
    }
}

#[test]
fn a_snapshot_holds_wherever_it_stands() {
    let mut machine = thinking();
    survives(&mut machine);
    reply(&mut machine, "hm");
    survives(&mut machine);
    reply(&mut machine, THOUGHT);
    survives(&mut machine);
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Doubts {
    claims: Vec<String>,
    thoughts: Vec<Reasoning>,
}

cot_process! {
    process Doubt {
        state: Doubts,
        max_retries: 1,

        task doubt {
            for_each: claim in &state.claims,
            reason: "Is this so: ${claim}?",
            update: { thoughts = output },
            next: done,
        }

        task done { end }
    }
}

#[test]
fn every_item_is_thought_about() {
    let claims = ["a", "b"].map(str::to_owned).to_vec();
    let mut machine = started::<Doubt>(Doubts { claims, ..Doubts::default() });
    let asked = calls(&mut machine);
    assert!(asked.iter().all(|call| request(call).schema.is_none()));
    assert!(request(&asked[1]).prompt().contains("Is this so: b?"));
    reply_item(&mut machine, 1, "So no.");
    survives(&mut machine);
    reply_item(&mut machine, 0, "yes");
    survives(&mut machine);
    reply_item(&mut machine, 0, "1. It is.\nSo yes.");
    let thoughts = &state(&machine).thoughts;
    assert_eq!(thoughts[0], Reasoning::parse("1. It is.\nSo yes."));
    assert_eq!(thoughts[1].conclusion.as_deref(), Some("no."));
}

/// What the machine wants to be done is done twice, as by a driver that lost the first.
#[test]
fn the_same_reply_counts_once() {
    let mut machine = thinking();
    let call = call(&mut machine);
    let event = Event::Replied { id: call.id, reply: THOUGHT.into(), elapsed: SECOND };
    assert_eq!(machine.handle(event.clone()), EventOutcome::Applied);
    assert_eq!(machine.handle(event), EventOutcome::Stale);
    assert_eq!(state(&machine).steps.len(), 2);
}
