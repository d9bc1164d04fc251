//! What a model is asked: visible transitions, the parts of the prompt, the schema, the issues.

use cot_engine::private::{
    Definition, Primer, ProcessCode, ProcessTexts, TextFacts, TransitionCode, write_text,
};
use cot_model::ModelRequest;
use serde_json::{Value, json};

use crate::harness::{
    NOTE, PROCESS, Run, ai, append, end, functions, go, if_visible, note, only_if, process, text,
    to,
};

process! {
    Parts {
        both: ai("PROMPT")
            .output(NOTE)
            .commit(append)
            .go(&[to(Self::first), to(Self::second)])
            .transitions(&[
                TransitionCode {
                    label: Some(text!("one")),
                    ..if_visible(|scope| scope.state["open"] == true)
                },
                TransitionCode {
                    label: Some(text!("two")),
                    ..if_visible(|scope| scope.state["both"].is_null())
                },
            ]),
        first: ai("")
            .go(&[to(Self::both), to(Self::second)])
            .transitions(&[
                TransitionCode { label: Some(text!("back")), ..TransitionCode::NONE },
                TransitionCode {
                    label: Some(text!("on")),
                    ..if_visible(|scope| scope.state["open"] != true)
                },
            ]),
        second: ai("")
            .output(NOTE)
            .next(&[Self::done, Self::both])
            .arms(&[only_if(|_, _| false)]),
        done: end(),
    }
    definition: Definition {
        default_return: Some(0),
        texts: ProcessTexts { intro: Some(TextFacts::new(0, 0, [1, 0, 0], 0)), ..ProcessTexts::NONE },
        ..PROCESS
    };
    functions: ProcessCode {
        goal: Some(text!("Sell")),
        intro: Some(|cx, out| write_text(out, cx.state["intro"].as_str().unwrap())),
        primers: &[(Primer::Goal, text!("PRIMER goal")), (Primer::History, text!("PRIMER history")), (Primer::Errors, text!("PRIMER errors")), (Primer::Transitions, text!("PRIMER transitions")), (Primer::Output, text!("PRIMER output"))],
        ..functions()
    };
}

fn shop(open: bool, intro: &str) -> Value {
    json!({ "open": open, "intro": intro })
}

/// A shop that has a note.
fn with_note(mut shop: Value) -> Value {
    shop["both"] = json!([note("", 0)]);
    shop
}

/// The first lines of the parts of a prompt.
fn parts(prompt: &str) -> Vec<&str> {
    prompt.split("\n\n").map(|part| part.lines().next().unwrap_or_default()).collect()
}

#[test]
fn the_parts_of_a_prompt_stand_in_order() {
    let mut run =
        Run::start::<Parts>(shop(true, "INTRO")).after([go("first"), go("both"), go("no")]);
    let prompt = run.prompt();
    let expected = [
        "INTRO",
        "PRIMER goal",
        "PROMPT",
        "PRIMER transitions",
        "PRIMER output",
        "PRIMER history",
        "The tasks:",
        "PRIMER errors",
    ];
    assert_eq!(parts(&prompt), expected, "{prompt}");
}

#[test]
fn empty_parts_are_left_out_with_their_primers() {
    // No intro, no history, no errors, no transitions.
    let mut run = Run::start::<Parts>(with_note(shop(false, " \n")));
    let prompt = run.prompt();
    assert_eq!(parts(&prompt), ["PRIMER goal", "PROMPT", "PRIMER output"], "{prompt}");
    // No prompt and no output either.
    let mut run = Run::start::<Parts>(shop(true, "INTRO")).after([go("first")]);
    let prompt = run.prompt();
    let format = "Reply with one JSON object of this type, and nothing else:";
    let expected =
        ["INTRO", "PRIMER goal", "PRIMER transitions", format, "PRIMER history", "The tasks:"];
    assert_eq!(parts(&prompt), expected, "{prompt}");
    assert!(!prompt.contains("PRIMER errors") && !prompt.contains("PRIMER output"), "{prompt}");
}

/// The targets that the schema of a request allows.
fn targets(request: &ModelRequest) -> Value {
    let json = &request.schema.as_ref().unwrap().json;
    let choice = json.pointer("/anyOf/0").unwrap_or(json);
    choice.pointer("/properties/goTo/enum").cloned().unwrap_or_default()
}

#[test]
fn only_transitions_whose_guards_hold_are_shown_and_allowed() {
    for (open, empty, expected) in [
        (true, true, json!(["first", "second"])),
        (false, true, json!(["second"])),
        (true, false, json!(["first"])),
        (false, false, Value::Null),
    ] {
        let shop = if empty { shop(open, "") } else { with_note(shop(open, "")) };
        let call = Run::start::<Parts>(shop).only();
        let request = call.request();
        assert_eq!(targets(request), expected);
        assert_eq!(request.prompt().contains("- \"first\": one"), open);
        assert_eq!(request.prompt().contains("- \"second\": two"), empty);
    }
}

#[test]
fn guards_are_evaluated_again_at_every_visit() {
    let mut run = Run::start::<Parts>(shop(true, ""));
    assert_eq!(targets(&run.reply(note("a", 1))), json!(["first", "second"]));
    assert_eq!(targets(run.only().request()), json!(["first"]));
}

#[test]
fn the_schema_is_of_what_can_be_replied() {
    let schema = |request: &ModelRequest| request.schema.as_ref().unwrap().json.clone();
    let both = schema(Run::start::<Parts>(shop(true, "")).only().request());
    assert_eq!(both["anyOf"].as_array().unwrap().len(), 2);
    let first = schema(Run::start::<Parts>(shop(true, "")).after([go("first")]).only().request());
    let mut required: Vec<_> =
        first["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    required.sort_unstable();
    assert_eq!(required, ["goTo", "intent", "stepAfter"]);
    assert_eq!(first["properties"]["goTo"]["enum"], json!(["both"]));
    assert_eq!(first["additionalProperties"], json!(false));
    let second = schema(Run::start::<Parts>(shop(true, "")).after([go("second")]).only().request());
    assert_eq!(second, *NOTE().json());
}

#[test]
fn what_the_schema_allows_is_accepted() {
    let call = Run::start::<Parts>(shop(true, "")).only();
    let validator = jsonschema_of(call.request());
    assert!(validator(&go("second")) && validator(&note("a", 1)));
    assert!(!validator(&go("nowhere")) && !validator(&json!({ "goTo": "first" })));
    Run::start::<Parts>(shop(true, "")).after([go("second"), note("a", 1)]);
}

/// Whether a value is one of the two that an `anyOf` schema offers, told by hand.
fn jsonschema_of(request: &ModelRequest) -> impl Fn(&Value) -> bool {
    let (allowed, has_output) = (targets(request), request.prompt().contains("PRIMER output"));
    move |value| match value.get("goTo") {
        Some(target) => {
            let texts = ["intent", "stepAfter"].iter().all(|key| value[key].is_string());
            texts && allowed.as_array().unwrap().contains(target)
        }
        None => has_output && value["rank"].is_u64(),
    }
}

#[test]
fn json_is_found_in_prose_and_fences() {
    let fenced = format!("Sure! Here it is:\n```json\n{}\n```\nAnything else?", note("a", 1));
    let run = Run::start::<Parts>(shop(true, "")).after([fenced]);
    assert_eq!(run.state()["both"].as_array().unwrap().len(), 1);
    let prose = format!("I think {} is best [1].", go("first"));
    let mut run = Run::start::<Parts>(shop(true, "")).after([prose]);
    assert_eq!(run.only().task, "first");
}

#[test]
fn intent_or_step_after_alone_make_a_transition_attempt() {
    for key in ["intent", "stepAfter"] {
        let mut mixed = note("a", 1);
        mixed[key] = json!("x");
        let run = Run::start::<Parts>(shop(true, "")).after([mixed]);
        assert!(run.state()["both"].is_null(), "{key} is not the word of an output");
    }
}

#[test]
fn issues_are_shown_on_a_retry_with_path_message_and_value() {
    let mut run = Run::start::<Parts>(shop(true, ""));
    let first = run.reply(json!({ "text": [5, 6], "rank": 4000 }));
    assert!(!first.prompt().contains("PRIMER errors"));
    let second = run.prompt();
    let (_, errors) = second.split_once("PRIMER errors\n").unwrap();
    let lines: Vec<&str> = errors.lines().collect();
    let [text, rank, instruction] = lines[..] else { panic!("all at once, each once: {errors}") };
    assert!(text.starts_with("- $.text: ") && text.ends_with("; you gave [5,6]"), "{text}");
    assert!(rank.starts_with("- $.rank: ") && rank.ends_with("; you gave 4000"), "{rank}");
    assert!(rank.contains("1000"), "{rank}");
    assert_eq!(instruction, "Write the whole reply again, with all of this put right.");
}

#[test]
fn a_retry_shows_the_issues_of_the_last_reply_alone() {
    let bad = [json!({ "text": [5, 6], "rank": 1 }), json!({ "text": "a", "rank": "b" })];
    let prompt = Run::start::<Parts>(shop(true, "")).after(bad).prompt();
    assert!(prompt.contains("$.rank") && !prompt.contains("$.text"), "{prompt}");
}

#[test]
fn after_a_retry_that_succeeds_the_errors_are_forgotten() {
    let replies = [json!({ "text": 5 }), note("a", 1)];
    let mut run = Run::start::<Parts>(shop(true, "")).after(replies);
    assert!(!run.prompt().contains("PRIMER errors"));
    assert_eq!(run.only().attempt(), 1);
}

#[test]
fn retries_are_no_history() {
    let replies = [json!({}), go("nowhere"), go("first")];
    let run = Run::start::<Parts>(shop(true, "")).after(replies);
    assert_eq!(
        run.history_json(),
        json!([
            { "task": "both", "goTo": "first", "intent": "try it", "stepAfter": "see" },
        ])
    );
}
