//! What a model is asked: visible transitions, the parts of the prompt, the schema, the issues.

use cot_core::{model::ModelRequest, prelude::*};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::drive::{Note, after, call, go, history, note, prompt, reply, request, started, state};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Shop {
    notes: Vec<Note>,
    open: bool,
    intro: String,
}

cot_process! {
    process Parts {
        state: Shop,
        intro: "${state.intro}",
        goal: "Sell",
        primers: {
            goal: "PRIMER goal",
            history: "PRIMER history",
            errors: "PRIMER errors",
            transitions: "PRIMER transitions",
            output: "PRIMER output",
        },
        default_return: both,

        task both -> Note {
            prompt: "PROMPT",
            update: notes[],
            transitions: {
                first: "one" if state.open,
                second: "two" if state.notes.is_empty(),
            },
        }

        task first { transitions: { both: "back", second: "on" if !state.open } }
        task second -> Note { next: { done if state.notes.len() > 9, both } }
        task done { end }
    }
}

fn shop(open: bool, intro: &str) -> Shop {
    Shop { open, intro: intro.to_owned(), ..Shop::default() }
}

/// The first lines of the parts of a prompt.
fn parts(prompt: &str) -> Vec<&str> {
    prompt.split("\n\n").map(|part| part.lines().next().unwrap_or_default()).collect()
}

#[test]
fn the_parts_of_a_prompt_stand_in_order() {
    let mut machine = after::<Parts, _>(shop(true, "INTRO"), [go("first"), go("both"), go("no")]);
    let prompt = prompt(&mut machine);
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
    let mut machine = started::<Parts>(Shop { notes: vec![Note::default()], ..shop(false, " \n") });
    let prompt = prompt(&mut machine);
    assert_eq!(parts(&prompt), ["PRIMER goal", "PROMPT", "PRIMER output"], "{prompt}");
    // No prompt and no output either.
    let mut machine = after::<Parts, _>(shop(true, "INTRO"), [go("first")]);
    let prompt = self::prompt(&mut machine);
    let format = "Reply with that JSON object alone, without any text around it.";
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
        let notes = if empty { Vec::new() } else { vec![Note::default()] };
        let request =
            request(&call(&mut started::<Parts>(Shop { notes, ..shop(open, "") }))).clone();
        assert_eq!(targets(&request), expected);
        assert_eq!(request.prompt().contains("- \"first\": one"), open);
        assert_eq!(request.prompt().contains("- \"second\": two"), empty);
    }
}

#[test]
fn guards_are_evaluated_anew_at_every_visit() {
    let mut machine = started::<Parts>(shop(true, ""));
    assert_eq!(targets(&reply(&mut machine, note("a", 1))), json!(["first", "second"]));
    assert_eq!(targets(request(&call(&mut machine))), json!(["first"]));
}

#[test]
fn the_schema_is_of_what_can_be_replied() {
    let schema = |request: &ModelRequest| request.schema.as_ref().unwrap().json.clone();
    let both = schema(request(&call(&mut started::<Parts>(shop(true, "")))));
    assert_eq!(both["anyOf"].as_array().unwrap().len(), 2);
    let first = schema(request(&call(&mut after::<Parts, _>(shop(true, ""), [go("first")]))));
    let mut required: Vec<_> =
        first["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    required.sort_unstable();
    assert_eq!(required, ["goTo", "intent", "stepAfter"]);
    assert_eq!(first["properties"]["goTo"]["enum"], json!(["both"]));
    assert_eq!(first["additionalProperties"], json!(false));
    let second = schema(request(&call(&mut after::<Parts, _>(shop(true, ""), [go("second")]))));
    assert_eq!(second, *Note::output_schema().json());
}

#[test]
fn what_the_schema_allows_is_accepted() {
    let request = request(&call(&mut started::<Parts>(shop(true, "")))).clone();
    let validator = jsonschema_of(&request);
    assert!(validator(&go("second")) && validator(&note("a", 1)));
    assert!(!validator(&go("nowhere")) && !validator(&json!({ "goTo": "first" })));
    after::<Parts, _>(shop(true, ""), [go("second"), note("a", 1)]).state().unwrap();
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
    let machine = after::<Parts, _>(shop(true, ""), [fenced]);
    assert_eq!(state(&machine).notes.len(), 1);
    let prose = format!("I think {} is best [1].", go("first"));
    let mut machine = after::<Parts, _>(shop(true, ""), [prose]);
    assert_eq!(call(&mut machine).task, PartsTask::First);
}

#[test]
fn intent_or_step_after_alone_make_a_transition_attempt() {
    for key in ["intent", "stepAfter"] {
        let mut mixed = note("a", 1);
        mixed[key] = json!("x");
        let machine = after::<Parts, _>(shop(true, ""), [mixed]);
        assert!(state(&machine).notes.is_empty(), "{key} is not the word of an output");
    }
}

#[test]
fn issues_are_shown_on_a_retry_with_path_message_and_value() {
    let mut machine = started::<Parts>(shop(true, ""));
    let first = reply(&mut machine, json!({ "text": [5, 6], "rank": 4000 }));
    assert!(!first.prompt().contains("PRIMER errors"));
    let second = prompt(&mut machine);
    let (_, errors) = second.split_once("PRIMER errors\n").unwrap();
    let issues: Vec<Issue> = serde_json::from_str(errors).unwrap();
    let of = |path: &str| issues.iter().find(|issue| issue.path == path).unwrap();
    assert_eq!(of("$.text").value, Some(json!([5, 6])));
    assert_eq!(of("$.rank").value, Some(json!(4000)));
    assert!(of("$.rank").message.contains("1000"), "{}", of("$.rank").message);
    assert_eq!(issues.len(), 2, "all at once, each once");
}

#[test]
fn a_retry_shows_the_issues_of_the_last_reply_alone() {
    let bad = [json!({ "text": [5, 6], "rank": 1 }), json!({ "text": "a", "rank": "b" })];
    let prompt = prompt(&mut after::<Parts, _>(shop(true, ""), bad));
    assert!(prompt.contains("$.rank") && !prompt.contains("$.text"), "{prompt}");
}

#[test]
fn after_a_retry_that_succeeds_the_errors_are_forgotten() {
    let replies = [json!({ "text": 5 }), note("a", 1)];
    let mut machine = after::<Parts, _>(shop(true, ""), replies);
    assert!(!prompt(&mut machine).contains("PRIMER errors"));
    assert_eq!(call(&mut machine).key.attempt(), 1);
}

#[test]
fn retries_are_no_history() {
    let replies = [json!({}), go("nowhere"), go("first")];
    let machine = after::<Parts, _>(shop(true, ""), replies);
    assert_eq!(
        history(&machine),
        json!([
            { "task": "both", "goTo": "first", "intent": "try it", "stepAfter": "see" },
        ])
    );
}
