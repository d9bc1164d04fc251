//! How the calls of a state are performed.

use std::sync::atomic::Ordering;

use cot_engine::{Event, MockMode, ResumeOptions, private::Ending};
use cot_model::ToolCall;
use serde_json::{Value, json};

use super::desk::{Visit, papers, read_call, send_call};
use crate::harness::SECOND;

/// A desk at the task that allows one call.
fn at_few(calls: impl IntoIterator<Item = ToolCall>) -> Visit {
    let mut visit = Visit::new(papers(calls));
    let to_few = |json: &mut Value| json["position"]["at"]["arrival"]["task"] = json!("few");
    visit.run = visit.run.changed(to_few, &ResumeOptions::new()).unwrap();
    visit
}

#[test]
fn calls_are_performed_in_the_order_of_the_state_a_few_at_once() {
    let calls = ["a", "bb", "ccc"].map(read_call);
    let mut visit = Visit::new(papers(calls.clone()));
    assert_eq!(visit.keys(), ["work#1@1+tool-1", "work#1@1+tool-2"]);
    let id = visit.due()[1].id;
    visit.handle(Event::Ran { id, result: Ok(json!(2)), elapsed: SECOND });
    // The third call takes the place of the second one.
    assert_eq!(visit.keys(), ["work#1@1+tool-1", "work#1@1+tool-3"]);
    visit.run_all();
    assert_eq!(visit.ending(), Ending::End("done"));
    assert_eq!(visit.results(), ["1", "2", "3"].map(|text| Ok(text.to_owned())));
    let round = visit.round();
    assert_eq!(round.iter().map(|(call, _)| call.clone()).collect::<Vec<_>>(), calls);
    let events = visit.events();
    assert_eq!(
        events[..events.len() - 3],
        [
            "work: started, step 1",
            r#"work: call 1 of read with {"text":"a"}"#,
            r#"work: call 2 of read with {"text":"bb"}"#,
            r#"work: call 3 of read with {"text":"ccc"}"#,
            "work: call 2 of read returned 2",
            "work: call 1 of read returned 1",
            "work: call 3 of read returned 3",
        ]
    );
}

#[test]
fn without_calls_the_task_is_done_at_once() {
    let mut visit = Visit::new(papers([]));
    assert_eq!(visit.ending(), Ending::End("done"));
    assert!(visit.round().is_empty());
}

#[test]
fn a_call_that_cannot_be_made_is_answered_and_the_run_continues() {
    let unknown = ToolCall::new("shred", json!({})).with_id("x");
    let invalid = ToolCall::new("read", r#"{"words": 1}"#).with_id("x");
    let hidden = ToolCall::new("burn", json!({ "text": "a" }));
    let mut visit = Visit::new(papers([unknown, invalid, hidden, read_call("a")]));
    visit.run_all();
    assert_eq!(visit.ending(), Ending::End("done"));
    let results = visit.results();
    let errors =
        ["there is no tool \"shred\"", "the arguments of \"read\"", "there is no tool \"burn\""];
    for (result, start) in results.iter().zip(errors) {
        assert!(result.as_ref().unwrap_err().starts_with(start), "{result:?}");
    }
    assert_eq!(results[3], Ok("1".to_owned()));
    // Two calls can have the same id.
    let round = visit.round();
    assert!(round.result("x").unwrap().text.contains("shred"));
}

#[test]
fn a_failed_call_is_retried_by_the_rules_of_its_tool() {
    let mut visit = {
        let mut papers = papers([read_call("fail")]);
        papers["is_open"] = json!(true);
        Visit::new(papers)
    };
    visit.run_all();
    let id = visit.due()[0].id;
    visit.handle(Event::Woken { id });
    assert_eq!(visit.keys(), ["work#1@2+tool-1"]);
    visit.run_all();
    assert_eq!(visit.ending(), Ending::End("done"));
    assert_eq!(visit.results(), [Err("it is sealed".to_owned())]);
}

#[test]
fn results_that_are_rejected_fail_the_task_without_another_call() {
    let mut visit = Visit::new(papers([read_call("fail")]));
    visit.run_all();
    let id = visit.due()[0].id;
    visit.handle(Event::Woken { id });
    visit.run_all();
    assert_eq!(visit.ending(), Ending::End("lost"));
    assert_eq!(visit.log().len(), 2);
    assert_eq!(visit.run.state()["calls"].as_array().unwrap().len(), 1);
}

#[test]
fn a_call_with_an_effect_follows_the_free_ones_after_its_approval() {
    let mut visit = Visit::new(papers([send_call("a"), read_call("b"), send_call("c")]));
    assert_eq!(visit.keys(), ["work#1@1+tool-2"]);
    visit.run_all();
    let question = visit.due()[0].as_question().unwrap().text.clone();
    assert!(question.starts_with("The process wants to call the tool `send`"), "{question}");
    visit.approve(true);
    let id = visit.due()[0].id;
    visit.handle(Event::Started { id });
    visit.run_all();
    visit.approve(false);
    assert_eq!(visit.ending(), Ending::End("done"));
    let denied = "a person did not approve the call: because".to_owned();
    assert_eq!(visit.results(), [Ok("\"a\"".to_owned()), Ok("1".to_owned()), Err(denied)]);
}

#[test]
fn time_outs_and_interruptions_take_their_routes() {
    let mut visit = Visit::new(papers([ToolCall::new("open_drawer", json!({}))]));
    let id = visit.due()[0].id;
    visit.handle(Event::TimedOut { id, elapsed: 300 * SECOND });
    assert_eq!(visit.ending(), Ending::End("late"));

    let mut visit = Visit::new(papers([send_call("a")]));
    visit.approve(true);
    let id = visit.due()[0].id;
    visit.handle(Event::Started { id });
    visit.handle(Event::Interrupted { id });
    assert_eq!(visit.ending(), Ending::End("unknown"));
}

#[test]
fn the_mock_answers_in_the_place_of_the_calls() {
    let mock = Some(MockMode::All);
    let mut visit = Visit::with(|options| options.mock_mode = mock, papers([read_call("a")]));
    assert_eq!(visit.keys(), ["work#1@1"]);
    assert_eq!(visit.keys(), ["work#1@1"]);
    assert_eq!(visit.app.mocked.load(Ordering::Relaxed), 1);
    visit.resume();
    visit.run_all();
    assert_eq!(visit.ending(), Ending::End("done"));
    assert_eq!(visit.results(), [Ok("6".to_owned())]);
    assert!(visit.log().is_empty());
}

#[test]
fn a_limit_of_calls_fails_the_task_before_any_is_made() {
    let mut visit = at_few([read_call("a"), read_call("b")]);
    assert_eq!(visit.ending(), Ending::End("lost"));
    let mut visit = at_few([read_call("a")]);
    visit.run_all();
    assert_eq!(visit.ending(), Ending::End("done"));
    assert_eq!(visit.run.state()["few"]["calls"][0][1]["text"], "1");
    assert_eq!(visit.run.history().len(), 2);
}

#[test]
fn a_round_has_at_most_a_thousand_calls_unless_a_limit_is_declared() {
    let mut visit = Visit::new(papers((0..1001).map(|_| read_call("a"))));
    assert_eq!(visit.ending(), Ending::End("lost"));
    assert!(visit.log().is_empty());

    let mut visit = Visit::new(papers((0..400).map(|_| read_call("a"))));
    while !visit.due().is_empty() {
        visit.run_all();
    }
    assert_eq!(visit.ending(), Ending::End("done"));
    assert_eq!(visit.results().len(), 400);
}

#[test]
fn ids_stay_as_they_are() {
    let id = "x".repeat(1000);
    let mut visit = Visit::new(papers([read_call("a").with_id(&*id)]));
    visit.run_all();
    assert_eq!(visit.ending(), Ending::End("done"));
    assert_eq!(visit.round().result(&id).unwrap().text, "1");
}
