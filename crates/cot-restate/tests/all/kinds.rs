//! A run through a task of every kind.

use std::time::Duration;

use cot_restate::{Activity, Outcome};
use serde_json::{Value, json};

use crate::{
    processes::{Note, PileState, TourState},
    world::{World, until},
};

fn answer(prompt: &str) -> Value {
    let text = match prompt {
        _ if prompt.contains("is a first draft") => "second".to_owned(),
        _ if prompt.contains("A draft of") => "first".to_owned(),
        _ if prompt.contains("Detail of") => "all fine".to_owned(),
        _ => prompt.split("Explain ").nth(1).unwrap().split('.').next().unwrap().to_owned(),
    };
    json!({ "text": text })
}

#[tokio::test]
async fn every_kind_of_task_is_run() {
    let Some(world) = World::start(answer, Duration::ZERO).await else { return };
    let words: Vec<String> = (0..50).map(|word| format!("word {word}")).collect();
    // All fifty must be requested before the first is answered.
    world.model.hold("Explain");
    world.send("Tour", "ada", TourState::new(words.clone())).await;
    world.model.until("Explain", 50).await;
    let status = world.status("Tour", "ada").await;
    let Activity::AsksModels { calls, .. } = &status.doing else { panic!("{status:?}") };
    assert_eq!(
        (status.task.as_str(), calls.len(), calls[49].as_str()),
        ("explain", 50, "explain#1[49]@1")
    );
    assert_eq!((status.steps, status.usage.calls), (2, 2));
    world.model.release();

    let status = world.until_asked("Tour", "ada").await;
    assert_eq!(status.doing, Activity::AsksPerson { call: "approve#1@1".to_owned() });
    let question = status.question.unwrap();
    assert_eq!(question.text, "May `second` (6) go out? all fine");
    assert_eq!(question.schema["properties"]["approved"]["type"], "boolean");
    let answered = world.answer("Tour", "ada", &json!({ "approved": true, "remark": null })).await;
    assert_eq!((answered.accepted, answered.issues), (true, None));

    let ended = world.attach::<TourState>("Tour", "ada").await;
    assert_eq!(ended.outcome, Outcome::End { task: "done".to_owned() });
    let notes: Vec<Note> = words.into_iter().map(|text| Note { text }).collect();
    assert_eq!((ended.state.draft.as_str(), ended.state.notes), ("second", notes));
    assert_eq!((ended.usage.calls, ended.usage.output_tokens, ended.steps), (53, 106, 6));
    assert_eq!(world.model.prompts().len(), 53);
    let status = world.status("Tour", "ada").await;
    assert_eq!((status.doing, status.task.as_str()), (Activity::Ended, "done"));
}

/// A handler whose result is journaled may run again if the server dies before it has recorded the end
/// of the handler: then it must return the same result.
#[tokio::test]
async fn a_call_for_an_item_is_in_the_journal_by_its_key() {
    let Some(world) = World::start(|_| json!({ "text": "fine" }), Duration::ZERO).await else {
        return;
    };
    world.model.hold("round 0");
    world.send("Pile", "ada", PileState::new("p".to_owned(), vec![0, 1])).await;
    world.model.until("round 0", 2).await;
    let query = "select name from sys_journal where name like 'read#1[%' order by name";
    until("both calls to be in the journal", || async {
        let rows = world.query(query).await;
        let names: Vec<_> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
        (names == ["read#1[0]@1", "read#1[1]@1"]).then_some(())
    })
    .await;
    world.model.release();
    let ended = world.attach::<PileState>("Pile", "ada").await;
    assert_eq!(ended.outcome, Outcome::End { task: "done".to_owned() });
}
