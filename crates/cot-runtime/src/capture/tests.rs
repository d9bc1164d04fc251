//! Tests of captures and replays.

use std::{io::Write, sync::Arc, time::Duration};

use cot_engine::CallKey;
use cot_model::{
    FinishReason, ModelError, ModelErrorKind, ModelReply, ModelRequest, PromptSegments,
    ReplySchema, Turn, Usage,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    capture::Capture,
    error::{CaptureError, ReplayError},
    replay::Replay,
};

type Answer = Result<ModelReply, ModelError>;

fn key(text: &str) -> CallKey {
    CallKey::try_from(text.to_owned()).unwrap()
}

/// A request in segments: the part, stability and text of each.
fn asked(segments: &[(&str, &str, &str)]) -> ModelRequest {
    let segment = |(part, stability, text): &(&str, &str, &str)| json!({ "part": part, "stability": stability, "text": text });
    let json: Vec<Value> = segments.iter().map(segment).collect();
    let segments: PromptSegments = serde_json::from_value(json.into()).unwrap();
    ModelRequest::from_segments(&segments)
}

fn greeting(name: &str) -> ModelRequest {
    asked(&[
        ("system", "fixed", "Be kind."),
        ("intro", "fixed", "You greet people.\n\n"),
        ("prompt", "fixed", "Greet "),
        ("prompt", "volatile", name),
        ("prompt", "fixed", "."),
        ("output", "fixed", "\n\nReply with a JSON text."),
    ])
}

fn with_schema(mut request: ModelRequest, json: Value) -> ModelRequest {
    request.schema = Some(Arc::new(ReplySchema { name: "greeting".to_owned(), json }));
    request
}

fn record(capture: &Capture, at: &str, request: &ModelRequest, answer: &Answer) {
    capture.start_run("Greeter");
    let elapsed = Duration::from_micros(12_345);
    capture.model_call(&key(at), Some("fast"), request, answer, elapsed);
}

/// A replay of one call with the reply *hello*.
fn replay_of(request: &ModelRequest) -> Replay {
    let (capture, captured) = Capture::to_memory();
    record(&capture, "greet#1@1", request, &Ok("hello".into()));
    capture.finish().unwrap();
    captured.replay().unwrap()
}

fn divergence(replay: &Replay, at: &str, request: &ModelRequest) -> String {
    let error = replay.model_call(&key(at), request).unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Diverged);
    error.to_string()
}

#[test]
fn a_capture_is_lines_of_json() {
    let (capture, captured) = Capture::to_memory();
    let mut request = with_schema(greeting("Ada"), json!({ "type": "string" }));
    Arc::make_mut(&mut request.settings).temperature = Some(0.5);
    Arc::make_mut(&mut request.settings).max_tokens = Some(100);
    let reply = ModelReply::new("hello").usage(Usage::for_call(7, 2));
    record(&capture, "greet#1@1", &request, &Ok(reply));
    capture.human_answer(&key("confirm#1@1"), &Value::Null);
    capture.finish().unwrap();

    let text = captured.text();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({ "cot_capture": 1, "process": "Greeter" }));
    assert_eq!(lines[1]["key"], "greet#1@1");
    assert_eq!(lines[1]["engine"], "fast");
    let name = json!({ "part": "prompt", "stability": "volatile", "text": "Ada" });
    assert_eq!(lines[1]["prompt"][3], name);
    assert_eq!(lines[1]["schema"]["json"], json!({ "type": "string" }));
    assert_eq!(lines[1]["settings"], json!({ "temperature": 0.5, "max_tokens": 100 }));
    assert_eq!(lines[1]["reply"]["text"], "hello");
    assert_eq!(lines[1]["reply"]["usage"]["input_tokens"], 7);
    assert_eq!(lines[1]["elapsed_ms"], 12.345);
    assert_eq!(lines[2], json!({ "key": "confirm#1@1", "answer": null }));
    assert_eq!(lines.len(), 3);
}

#[test]
fn replies_errors_and_answers_are_replayed() {
    let (capture, captured) = Capture::to_memory();
    let cut = ModelReply::new("{").finish(FinishReason::Length);
    let cut = cut.usage(Usage::for_call(3, 4).cost(0.25));
    let busy = ModelErrorKind::Status { code: 429, retry_after: Some(Duration::from_secs(2)) };
    let busy = ModelError::new(busy, "too many requests");
    record(&capture, "greet#1@1", &greeting("Ada"), &Ok(cut.clone()));
    record(&capture, "greet#1@2", &greeting("Ada"), &Err(busy.clone()));
    capture.human_answer(&key("confirm#1@1"), &json!({ "yes": true }));

    let replay = captured.replay().unwrap();
    assert_eq!(replay.process(), "Greeter");
    assert_eq!(replay.unused(), ["greet#1@1", "greet#1@2", "confirm#1@1"].map(key));
    assert_eq!(replay.model_call(&key("greet#1@2"), &greeting("Ada")), Err(busy));
    assert_eq!(replay.unused(), ["greet#1@1", "confirm#1@1"].map(key));
    // One replay serves any number of runs.
    for _ in 0..2 {
        assert_eq!(replay.model_call(&key("greet#1@1"), &greeting("Ada")), Ok(cut.clone()));
    }
    let answer = replay.clone().human_answer(&key("confirm#1@1")).unwrap().unwrap();
    assert_eq!(answer, json!({ "yes": true }));
    assert!(replay.unused().is_empty());
}

#[test]
fn a_request_of_one_piece_is_compared_as_a_whole() {
    let request = ModelRequest::new("Say hello.\nBe brief.");
    let replay = replay_of(&request).accept_changed_fixed_text();
    assert!(replay.model_call(&key("greet#1@1"), &request).is_ok());
    let said = divergence(&replay, "greet#1@1", &ModelRequest::new("Say hello.\nBe long."));
    let expected = "\
the replay diverged at `greet#1@1`: the values shown in `prompt` changed
--- captured
+++ now
@@ -1 +1 @@
 Say hello.
-Be brief.
+Be long.";
    assert_eq!(said, expected);
    // The same text in segments is the same text.
    let in_segments = asked(&[("prompt", "fixed", "Say hello.\nBe brief.")]);
    assert!(replay.model_call(&key("greet#1@1"), &in_segments).is_ok());
}

#[test]
fn other_turns_before_the_prompt_are_a_change() {
    let mut request = greeting("Ada");
    request.turns = vec![Turn::user("Hi."), Turn::assistant("Hello.")];
    let replay = replay_of(&request);
    assert!(replay.model_call(&key("greet#1@1"), &request).is_ok());
    request.turns.pop();
    let said = divergence(&replay_of(&greeting("Ada")), "greet#1@1", &request);
    let expected = "\
the replay diverged at `greet#1@1`: the turns before the prompt changed
--- captured
+++ now
@@ -1 +1 @@
+user: Hi.";
    assert_eq!(said, expected);
}

#[test]
fn the_part_that_changed_is_named() {
    let replay = replay_of(&greeting("Ada"));
    let reworded = asked(&[
        ("system", "fixed", "Be kind."),
        ("intro", "fixed", "You welcome people.\n\n"),
        ("errors", "volatile", "Too long."),
        ("prompt", "fixed", "Greet "),
        ("prompt", "volatile", "Grace"),
        ("prompt", "fixed", "."),
    ]);
    let said = divergence(&replay, "greet#1@1", &reworded);
    let expected = "\
the replay diverged at `greet#1@1`: the fixed text of `intro` changed; the values shown in `prompt` \
changed; the part `output` is gone; the part `errors` is new
--- captured
+++ now
@@ -1 +1 @@
-You greet people.
+You welcome people.
 ";
    assert_eq!(said, expected);
    assert_eq!(replay.unused().len(), 1);
}

#[test]
fn changed_fixed_text_can_be_accepted_and_changed_values_can_not() {
    let replay = replay_of(&greeting("Ada")).accept_changed_fixed_text();
    let reworded = |name| {
        asked(&[
            ("system", "fixed", "Be very kind."),
            ("prompt", "fixed", "Say hello to "),
            ("prompt", "volatile", name),
            ("prompt", "fixed", ", please."),
        ])
    };
    assert!(replay.model_call(&key("greet#1@1"), &reworded("Ada")).is_ok());
    let said = divergence(&replay, "greet#1@1", &reworded("Grace"));
    assert!(said.contains("the values shown in `prompt` changed\n"), "{said}");
    assert!(said.contains("-Ada\n+Grace") && !said.contains("hello"), "{said}");
}

#[test]
fn a_changed_schema_is_a_divergence_unless_accepted_itself() {
    let replay = replay_of(&with_schema(greeting("Ada"), json!({ "type": "string" })));
    let changed = with_schema(greeting("Ada"), json!({ "type": "string", "maxLength": 9 }));
    for replay in [replay.clone(), replay.clone().accept_changed_fixed_text()] {
        let said = divergence(&replay, "greet#1@1", &changed);
        assert!(said.contains("the schema of the reply changed\n"), "{said}");
        assert!(said.contains("+  \"maxLength\": 9"), "{said}");
        let said = divergence(&replay, "greet#1@1", &greeting("Ada"));
        assert!(said.contains("the present request has no schema"), "{said}");
    }
    let replay = replay.accept_changed_schemas();
    assert!(replay.model_call(&key("greet#1@1"), &changed).is_ok());
    divergence(&replay, "greet#1@1", &greeting("Grace"));
}

#[test]
fn a_call_that_was_not_captured_fails_and_says_what_was() {
    let replay = replay_of(&greeting("Ada"));
    for (at, expected) in [
        ("greet#1@2", "the reply of `greet#1@1` was accepted on capture and is rejected now"),
        ("greet#2@1", "the captured calls of this task are `greet#1@1`"),
        ("part#1@1", "the next captured call is `greet#1@1`"),
    ] {
        let said = divergence(&replay, at, &greeting("Ada"));
        assert!(said.contains(expected), "{said}");
    }
    replay.model_call(&key("greet#1@1"), &greeting("Ada")).unwrap();
    let said = divergence(&replay, "part#1@1", &greeting("Ada"));
    assert!(said.contains("the captured run had ended before"), "{said}");
}

#[test]
fn people_and_models_are_not_taken_for_each_other() {
    let (capture, captured) = Capture::to_memory();
    record(&capture, "greet#1@1", &greeting("Ada"), &Ok("hello".into()));
    capture.human_answer(&key("confirm#1@1"), &json!(true));
    let replay = captured.replay().unwrap();
    divergence(&replay, "confirm#1@1", &greeting("Ada"));
    assert!(replay.human_answer(&key("greet#1@1")).unwrap().is_err());
    assert!(replay.human_answer(&key("other#1@1")).unwrap().is_err());
    replay.model_call(&key("greet#1@1"), &greeting("Ada")).unwrap();
    replay.human_answer(&key("confirm#1@1")).unwrap().unwrap();
    // The capture ends with a question, so a person has to answer it.
    assert!(replay.human_answer(&key("other#1@1")).is_none());
}

#[test]
fn a_replay_can_be_failed_on_purpose() {
    let replay = replay_of(&greeting("Ada"));
    replay.clone().fail("the fixture is stale");
    replay.fail("a second reason");
    let said = divergence(&replay, "greet#1@1", &greeting("Ada"));
    assert_eq!(said, "the replay was failed before `greet#1@1`: the fixture is stale");
    assert!(replay.human_answer(&key("confirm#1@1")).unwrap().is_err());
}

#[test]
fn a_large_difference_fits_into_the_error() {
    let text = |word: &str| (0..2000).map(|n| format!("{word} {n}\n")).collect::<String>();
    let replay = replay_of(&ModelRequest::new(text("old")));
    let said = divergence(&replay, "greet#1@1", &ModelRequest::new(text("new")));
    assert!(said.len() < 2000 && said.ends_with("more lines"), "{said}");
}

#[test]
fn a_capture_holds_one_run_of_one_process() {
    let (capture, captured) = Capture::to_memory();
    record(&capture, "greet#1@1", &greeting("Ada"), &Ok("hello".into()));
    let text = captured.text();
    record(&capture, "greet#1@1", &greeting("Ada"), &Ok("hello".into()));
    record(&capture, "greet#2@1", &greeting("Ada"), &Ok("hello".into()));
    assert!(matches!(capture.finish(), Err(CaptureError::KeyTwice { .. })));
    assert_eq!(captured.text(), text);

    let (capture, captured) = Capture::to_memory();
    capture.start_run("Greeter");
    capture.start_run("Other");
    capture.human_answer(&key("confirm#1@1"), &json!(true));
    let error = capture.finish().unwrap_err();
    assert!(matches!(error, CaptureError::OtherProcess { captured: "Greeter", other: "Other" }));
    assert_eq!(captured.text().lines().count(), 1);
}

#[test]
fn a_replay_of_another_process_is_refused() {
    let replay = replay_of(&greeting("Ada"));
    assert!(replay.check_process("Greeter").is_ok());
    let error = replay.check_process("Other").unwrap_err();
    assert_eq!(error.to_string(), "the capture belongs to process `Greeter`, not to `Other`");
}

#[test]
fn a_writer_that_fails_is_told_at_the_end() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.0 == 0 {
                return Err(std::io::Error::other("the disk is full"));
            }
            self.0 -= 1;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let capture = Capture::new(Full(1));
    capture.start_run("Greeter");
    assert!(capture.finish().is_ok());
    record(&capture, "greet#1@1", &greeting("Ada"), &Ok("hello".into()));
    for _ in 0..2 {
        let Err(CaptureError::Write(source)) = capture.finish() else { panic!("it was written") };
        assert_eq!(source.to_string(), "the disk is full");
    }
}

#[test]
fn a_function_that_panics_lets_nothing_through() {
    let (capture, captured) = Capture::to_memory();
    let capture = capture.scrub_with(|_| panic!("no"));
    record(&capture, "greet#1@1", &greeting("Ada"), &Ok("hello".into()));
    assert!(matches!(capture.finish(), Err(CaptureError::Panicked)));
    assert_eq!(captured.text().lines().count(), 1);

    let replay = replay_of(&greeting("Ada")).scrub_with(|_| panic!("no"));
    let said = divergence(&replay, "greet#1@1", &greeting("Ada"));
    assert!(said.ends_with("a scrubbing function panicked"), "{said}");
}

#[test]
fn a_replay_that_diverges_is_not_captured() {
    let (capture, captured) = Capture::to_memory();
    let answer = Err(ModelError::new(ModelErrorKind::Diverged, "another prompt"));
    record(&capture, "greet#1@1", &greeting("Ada"), &answer);
    assert_eq!(captured.text().lines().count(), 1);
    assert!(capture.finish().is_ok());
}

#[test]
fn files_are_written_and_read() {
    let name = format!("cot-capture-{}.jsonl", std::process::id());
    let path = std::env::temp_dir().join(name);
    let capture = Capture::to_file(&path).unwrap();
    record(&capture, "greet#1@1", &greeting("Ada"), &Ok("hello".into()));
    // Every line is written as soon as its call is answered.
    let replay = Replay::from_file(&path);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(replay.unwrap().unused(), [key("greet#1@1")]);
    assert!(matches!(Replay::from_file(&path), Err(ReplayError::Io(_))));
}

proptest! {
    #[test]
    fn what_is_captured_is_replayed(
        texts in prop::collection::vec((0..8usize, any::<bool>(), ".*"), 0..8),
        reply in ".*",
        changed in any::<prop::sample::Index>(),
    ) {
        const PARTS: [&str; 8] =
            ["system", "intro", "goal", "history", "errors", "prompt", "transitions", "output"];
        let mut texts = texts;
        texts.sort_by_key(|(part, ..)| *part);
        let segments = |texts: &[(usize, bool, String)]| {
            let segment = |(part, fixed, text): &(usize, bool, String)| {
                (PARTS[*part], if *fixed { "fixed" } else { "volatile" }, text.clone())
            };
            let owned: Vec<_> = texts.iter().map(segment).collect();
            asked(&owned.iter().map(|(part, kind, text)| (*part, *kind, &**text)).collect::<Vec<_>>())
        };
        let (capture, captured) = Capture::to_memory();
        let capture = capture.scrub_keys(false);
        record(&capture, "greet#1@1", &segments(&texts), &Ok((&*reply).into()));
        capture.finish().unwrap();
        let replay = captured.replay().unwrap().scrub_keys(false);
        let answer = replay.model_call(&key("greet#1@1"), &segments(&texts));
        prop_assert_eq!(answer.unwrap().text, reply);

        if !texts.is_empty() {
            let at = changed.index(texts.len());
            texts[at].2.push('!');
            let answer = replay.model_call(&key("greet#1@1"), &segments(&texts));
            prop_assert!(answer.is_err());
            let lenient = replay.accept_changed_fixed_text();
            let answer = lenient.model_call(&key("greet#1@1"), &segments(&texts));
            prop_assert_eq!(answer.is_ok(), texts[at].1, "{:?}", answer);
        }
    }
}
