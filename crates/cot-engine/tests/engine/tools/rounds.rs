//! Rounds: what models see, what is called, and what stays of it.

use cot_engine::{Effect, Event, EventOutcome, RunEvent, private::Ending};
use cot_model::{ModelReply, ToolCall, Usage};
use serde_json::{Value, json};

use super::shop::{Visit, answer, key, open, words};
use crate::harness::SECOND;

fn tools(visit: &mut Visit) -> Vec<String> {
    visit.request().tools.iter().map(|tool| tool.name().to_owned()).collect()
}

#[test]
fn models_see_the_tools_whose_guards_hold() {
    let mut visit = Visit::new(open());
    let request = visit.request();
    let described: Vec<_> =
        request.tools.iter().map(|tool| (tool.name(), &*tool.description)).collect();
    assert_eq!(
        described,
        [
            ("search", "Searches the catalogue"),
            ("pay", "Charges the card"),
            ("hours", "Says when the shop is open"),
            ("read_file", "Reads a file"),
        ]
    );
    assert_eq!(request.tools[0].schema.json["properties"]["words"]["type"], "array");
    assert_eq!(request.tools[3].schema.json["required"], json!(["path"]));
    assert!(request.schema.is_some() && request.rounds.is_empty());
    // Each guard alone hides the tool.
    assert_eq!(tools(&mut Visit::new(json!({}))), ["search", "hours", "read_file"]);
    let frozen = json!({ "is_open": true, "is_frozen": true });
    assert_eq!(tools(&mut Visit::new(frozen)), ["search", "hours", "read_file"]);
}

#[test]
fn the_calls_of_a_reply_are_made_at_once_and_the_model_is_asked_again() {
    let mut visit = Visit::new(open());
    assert_eq!(visit.keys(), ["answer#1@1"]);
    let calls = [ToolCall::new("search", words("a")).with_id("x"), ToolCall::new("hours", "")];
    let reply = ModelReply { text: "Let me look.".to_owned(), ..ModelReply::calling(calls) };
    visit.reply(reply.usage(Usage::for_call(10, 5)));
    assert_eq!(visit.keys(), ["answer#1@1+tool-1", "answer#1@1+tool-2"]);
    assert_eq!(visit.run.pending_calls(), 2);
    // In any order.
    visit.run_one("answer#1@1+tool-2");
    assert_eq!(visit.keys(), ["answer#1@1+tool-1"]);
    visit.run_one("answer#1@1+tool-1");
    assert_eq!(visit.log(), ["run/answer#1+tool-1 attempt 1"]);

    let request = visit.request();
    assert_eq!(visit.keys(), ["answer#1@1+round-1"]);
    assert_eq!((key(&mut visit).attempt(), key(&mut visit).round()), (1, 1));
    let [round] = &*request.rounds else { panic!("{:?}", request.rounds) };
    assert_eq!(round.text, "Let me look.");
    assert_eq!((&*round.calls[0].0.id, &*round.calls[1].0.id), ("x", ""));
    assert_eq!(visit.results(), [Ok(r#"["a found"]"#.to_owned()), Ok(r#""9 to 5""#.to_owned())]);

    visit.call(&[("search", words("b"))]);
    assert_eq!(visit.keys(), ["answer#1@1+tool-3"]);
    visit.run_all();
    assert_eq!(visit.keys(), ["answer#1@1+round-2"]);
    assert_eq!(visit.request().rounds.len(), 2);
    visit.reply(ModelReply::from(answer("a and b")).usage(Usage::for_call(100, 50)));
    assert_eq!(visit.ending(), Ending::End("done"));
    assert_eq!(visit.run.state()["answer"], json!([answer("a and b")]));
    assert_eq!(visit.run.usage().calls, 3);

    let result = |word: &str| json!([format!("{word} found")]);
    let call =
        |word: &str| json!({ "tool": "search", "arguments": words(word), "result": result(word) });
    // It was called with what engines require where nothing was written.
    let hours = json!({ "tool": "hours", "arguments": {}, "result": "9 to 5" });
    assert_eq!(
        visit.run.history_json(),
        json!([
            { "task": "answer", "toolCalls": [call("a"), hours, call("b")] },
            { "task": "answer", "output": { "text": "a and b" } },
        ])
    );
}

#[test]
fn each_call_and_its_result_is_an_event() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words("a")), ("fly", json!({}))]);
    assert_eq!(
        visit.events(),
        [
            r#"answer: call 1 of search with {"words":["a"]}"#,
            "answer: call 2 of fly with {}",
            r#"answer: call 2 of fly failed: there is no tool "fly". The tools are "search", "pay", "hours", "read_file""#,
        ]
    );
    visit.run_all();
    assert_eq!(visit.events(), [r#"answer: call 1 of search returned ["a found"]"#]);
}

#[test]
fn a_rejected_reply_is_retried_with_the_rounds_and_has_their_cost() {
    let mut visit = Visit::new(open());
    let reply = ModelReply::calling([ToolCall::new("hours", "{}")]);
    visit.reply(reply.usage(Usage::for_call(10, 5)));
    visit.run_all();
    visit.reply(ModelReply::new("9 to 5").usage(Usage::for_call(20, 5)));
    assert_eq!(visit.keys(), ["answer#1@2+round-1"]);
    let request = visit.request();
    assert_eq!(request.rounds.len(), 1);
    assert!(request.prompt().contains("no JSON"), "{}", request.prompt());
    visit.call(&[("hours", json!({}))]);
    assert_eq!(visit.keys(), ["answer#1@1+tool-2"]);
    visit.run_all();
    assert_eq!(visit.keys(), ["answer#1@2+round-2"]);
    visit.reply(ModelReply::from(answer("9 to 5")).usage(Usage::for_call(30, 5)));
    let events = visit.run.drain_events();
    let costs: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            RunEvent::AttemptFailed { attempt, .. } => {
                Some((attempt.usage.input_tokens, attempt.elapsed))
            }
            RunEvent::Committed { usage, elapsed, .. } => Some((usage.input_tokens, *elapsed)),
            _ => None,
        })
        .collect();
    assert_eq!(costs, [(30, 3 * SECOND), (30, 3 * SECOND)]);
    assert_eq!(visit.ending(), Ending::End("done"));
}

#[test]
fn calls_are_read_from_the_text_of_a_reply() {
    let mut visit = Visit::new(open());
    visit.reply(
        "I search first.\n```json\n{\"tool\": \"search\", \"arguments\": {words: 'a'}}\n```",
    );
    assert_eq!(visit.keys(), ["answer#1@1+tool-1"]);
    visit.run_all();
    assert_eq!(visit.results(), [Ok(r#"["a found"]"#.to_owned())]);
    visit.reply(json!([
        { "tool": "hours", "arguments": {} },
        { "name": "read_file", "parameters": { "path": "a.txt", "lines": "3" } },
    ]));
    visit.run_all();
    let read = json!({
        "tool": "read_file",
        "arguments": { "path": "a.txt", "lines": 3 },
        "key": "run/answer#1+tool-3",
    });
    let results: Vec<Value> = visit
        .results()
        .iter()
        .map(|it| serde_json::from_str(it.as_ref().unwrap()).unwrap())
        .collect();
    assert_eq!(results, [json!("9 to 5"), read]);
    visit.reply(answer("done"));
    assert_eq!(visit.ending(), Ending::End("done"));
}

#[test]
fn calls_with_an_effect_are_made_one_after_the_other() {
    let mut visit = Visit::new(open());
    visit.call(&[
        ("pay", json!({ "cents": 1 })),
        ("search", words("a")),
        ("pay", json!({ "cents": 2 })),
    ]);
    assert_eq!(visit.keys(), ["answer#1@1+tool-2"]);
    visit.run_all();
    for (number, keys) in [(1, "answer#1@1+approve-1"), (3, "answer#1@1+approve-3")] {
        assert_eq!(visit.keys(), [keys]);
        assert_eq!(visit.person(json!({ "approved": true })), EventOutcome::Applied);
        assert_eq!(key(&mut visit).tool_call(), Some(number));
        let call = visit.only();
        let call = call.as_function_call().unwrap();
        assert_eq!((call.effect(), call.is_started()), (Effect::Once, false));
        let id = visit.only().id;
        visit.handle(Event::Started { id });
        assert!(visit.only().as_function_call().unwrap().is_started());
        visit.run_all();
    }
    let paid = [
        "run/answer#1+tool-2 attempt 1",
        "run/answer#1+tool-1 paid 1",
        "run/answer#1+tool-3 paid 2",
    ];
    assert_eq!(visit.log(), paid);
    assert_eq!(visit.results()[0], Ok("1".to_owned()));
}
