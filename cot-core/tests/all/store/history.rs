use std::time::UNIX_EPOCH;

use cot_core::{
    CallKey, Failure, Usage,
    store::{
        Answer, EndKind, MemoryStore, Record, RunHistory, StepHistory, Store, StoreError,
        snapshot_at,
    },
};
use serde_json::json;

use crate::store::process::{finished, history};

/// Returns the replies of the models at a step.
fn replies(step: &StepHistory) -> Vec<&str> {
    let replies = step.attempts.iter().filter_map(|attempt| match attempt.answer.as_ref()? {
        Answer::Replied { text, .. } => Some(text.as_str()),
        _ => None,
    });
    replies.collect()
}

#[tokio::test]
async fn tells_where_a_run_has_been() {
    let (store, run) = finished().await;
    let history = history(&store, &run).await;
    let ways: Vec<_> = history
        .steps
        .iter()
        .map(|step| {
            (step.task.as_str(), step.next.as_deref().unwrap(), step.route.as_deref().unwrap())
        })
        .collect();
    assert_eq!(
        ways,
        [
            ("decide", "add", "transition"),
            ("add", "decide", "next"),
            ("decide", "add", "transition"),
            ("add", "decide", "next"),
            ("decide", "write", "transition"),
            ("write", "mark", "next"),
            ("mark", "approve", "next"),
            ("approve", "done", "next"),
        ]
    );
    let numbers: Vec<u64> = history.steps.iter().map(|step| step.step).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 9, 10], "the two steps within count too");
    assert_eq!(history.summary.steps, 10);
    assert!(history.summary.status.is_ended());
    assert_eq!(history.summary.status.word(), EndKind::End.word());
    assert!(history.steps.iter().all(|step| step.is_finished() && step.finished.is_some()));
    let total = history.steps.iter().map(StepHistory::usage).fold(Usage::default(), |a, b| a + b);
    assert_eq!(total, history.summary.usage);
}

#[tokio::test]
async fn tells_attempts_with_prompt_reply_issues_and_cost() {
    let (store, run) = finished().await;
    let history = history(&store, &run).await;
    let add = &history.steps[1];
    assert_eq!(add.attempts.len(), 2);
    let [bad, good] = &add.attempts[..] else { panic!("{add:?}") };
    assert_eq!(bad.failure, Some(Failure::Rejected));
    assert!(bad.issues.to_string().contains("$.name"), "{}", bad.issues);
    assert_eq!(
        (bad.usage, bad.engine.as_deref()),
        (Usage::for_call(10, 2).cost(0.5), Some("clever"))
    );
    assert_eq!(bad.key, Some(CallKey::try_from("add#1@1".to_owned()).unwrap()));
    assert!(bad.at.is_some());
    let prompt = good.prompt.as_ref().unwrap();
    assert!(prompt.prompt().contains("For A letter: a name."), "{prompt}");
    assert!(prompt.prompt().contains("$.name"), "the second prompt shows what was wrong");
    assert_eq!((good.failure, good.issues.is_empty()), (None, true));
    assert!(!good.repairs.is_empty(), "single quotes were mended");
    assert_eq!(replies(add)[1], "{'name': 'Anna'}");
    assert!(add.is_committed);
    assert_eq!(add.output, Some(json!({ "name": "Anna" })));

    let decide = &history.steps[2];
    assert_eq!(decide.attempts.len(), 2);
    let transition = decide.transition.as_ref().unwrap();
    assert_eq!((transition.go_to.as_str(), transition.intent.as_str()), ("add", "to go on"));
    assert!(!decide.is_committed && decide.output.is_none());
}

/// Models can be faster than the resolution of the clock.
#[tokio::test]
async fn attempts_of_one_moment_are_told_in_their_order() {
    let (store, run) = finished().await;
    let at_once = MemoryStore::default();
    let mut records = Vec::new();
    for mut entry in store.entries(&run, 0, usize::MAX).await.unwrap() {
        match &mut entry.record {
            Record::Begun(begun) => begun.at = UNIX_EPOCH,
            Record::Submitted(_) => {}
            Record::Event(event) => event.at = UNIX_EPOCH,
            Record::Step(step) => step.at = UNIX_EPOCH,
        }
        records.push(entry.record);
    }
    let lease = at_once.acquire(&run).await.unwrap();
    at_once.append(&lease, records).await.unwrap();
    for step in history(&at_once, &run).await.steps {
        let numbers: Vec<u32> = step.attempts.iter().map(|attempt| attempt.number).collect();
        assert!(numbers.is_sorted(), "{}: {numbers:?}", step.task);
    }
}

#[tokio::test]
async fn tells_what_is_within_and_of_each_item() {
    let (store, run) = finished().await;
    let history = history(&store, &run).await;
    let write = &history.steps[5];
    let nested: Vec<_> = write.nested.iter().map(|step| (&*step.task, step.step)).collect();
    assert_eq!(nested, [("draft", 1), ("polish", 2)]);
    assert_eq!(write.nested[1].process.as_deref(), Some("Writer"));
    assert_eq!(replies(&write.nested[1]), [r#"{"text":"Dear Anna, dear Ben"}"#]);
    assert_eq!(write.output, Some(json!({ "text": "Dear Anna, dear Ben" })));
    assert_eq!(write.usage().calls, 2);

    let mark = &history.steps[6];
    let items: Vec<_> = mark.attempts.iter().map(|attempt| attempt.item.unwrap()).collect();
    assert_eq!(items.len(), 2);
    assert!(items.contains(&0) && items.contains(&1));
    assert_eq!(mark.items_done.len(), 2);

    let approve = &history.steps[7];
    assert_eq!(approve.attempts[0].answer, Some(Answer::Answered(json!({ "is_good": true }))));
}

#[tokio::test]
async fn survives_json_and_prints() {
    let (store, run) = finished().await;
    let history = history(&store, &run).await;
    let json = serde_json::to_string(&history).unwrap();
    let read: RunHistory = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), json);

    let text = history.to_string();
    for line in [
        "letter (Letters) end at done, 10 steps",
        "  1 decide -> add (transition)",
        "    @1 by clever: {\"name\":\"x\"}; not accepted: $.name: ",
        "  6 write -> mark (next)",
        "    1 Writer::draft -> polish (next)",
        "      @1: {\"text\":\"Dear all\"}",
        "    @1: {\"is_good\":true}",
    ] {
        assert!(text.lines().any(|other| other.starts_with(line)), "{line} in\n{text}");
    }
}

#[tokio::test]
async fn a_run_is_seen_as_it_stood_after_any_step() {
    let (store, run) = finished().await;
    let names = async |steps| {
        let snapshot = snapshot_at(&store, &run, steps).await.unwrap();
        let state: serde_json::Value = serde_json::from_str(snapshot.state().get()).unwrap();
        (state["names"].as_array().unwrap().len(), snapshot.task().to_owned())
    };
    assert_eq!(names(0).await, (0, "decide".to_owned()));
    assert_eq!(names(1).await, (0, "add".to_owned()));
    assert_eq!(names(2).await, (1, "decide".to_owned()));
    assert_eq!(names(4).await, (2, "decide".to_owned()));
    assert_eq!(names(7).await, (2, "write".to_owned()), "in the middle of the process within");
    assert_eq!(names(10).await, (2, "done".to_owned()));
    let error = snapshot_at(&store, &run, 11).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no step 11 in the journal of run `letter`, which has 0 to 10"
    );
    let error = snapshot_at(&store, &"nobody".parse().unwrap(), 0).await.unwrap_err();
    assert!(matches!(error, StoreError::UnknownRun { .. }), "{error:?}");
}

#[tokio::test]
async fn there_is_no_history_of_no_run() {
    let store = MemoryStore::default();
    assert_eq!(RunHistory::load(&store, &"none".parse().unwrap()).await.unwrap(), None);
}

/// A store that fails before it has written the step after a reply.
#[tokio::test]
async fn tells_of_a_reply_that_nothing_has_come_of_yet() {
    let (store, run) = finished().await;
    let entries = store.entries(&run, 0, usize::MAX).await.unwrap();
    for count in 1..entries.len() {
        let part = MemoryStore::default();
        let lease = part.acquire(&run).await.unwrap();
        let records = entries[..count].iter().map(|entry| entry.record.clone()).collect();
        part.append(&lease, records).await.unwrap();
        let history = history(&part, &run).await;
        let events = entries[..count]
            .iter()
            .filter(|entry| matches!(&entry.record, Record::Event(event) if event.asked.is_some()));
        fn attempts(steps: &[StepHistory]) -> usize {
            steps.iter().map(|step| step.attempts.len() + attempts(&step.nested)).sum()
        }
        assert_eq!(attempts(&history.steps), events.count(), "after {count} entries:\n{history}");
        let tasks: Vec<&str> = history.steps.iter().map(|step| &*step.task).collect();
        let all = ["decide", "add", "decide", "add", "decide", "write", "mark", "approve"];
        assert_eq!(tasks, all[..tasks.len()], "after {count} entries");
    }
}

mod crowd {
    use cot_core::cot_process;

    use crate::store::process::{Letter, Mark};

    cot_process! {
        pub process Crowd {
            state: Letter,

            task mark -> Mark {
                for_each: name in state.names,
                max_concurrency: 400,
                prompt: "Mark ${name.name}.",
                update: marks,
                next: done,
            }

            task done { end }
        }
    }
}

#[tokio::test]
async fn nothing_is_missed_of_many_replies_at_once() {
    use crate::store::process::{Letter, Name};

    let store = MemoryStore::default();
    let names = (0..400).map(|number| Name { name: format!("name {number}") }).collect();
    let state = Letter { names, ..Letter::default() };
    let model = cot_core::model::ScriptedModel::from_fn(|_| r#"{"value":1}"#);
    let heard = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&heard);
    let runner = cot_core::Runner::<crowd::Crowd>::new().model(model).observe(move |event, _| {
        let is_item = matches!(event, cot_core::RunEvent::ItemDone { .. });
        count.fetch_add(usize::from(is_item), std::sync::atomic::Ordering::SeqCst);
    });
    runner.clone().run(state.clone()).await.unwrap();
    assert_eq!(heard.load(std::sync::atomic::Ordering::SeqCst), 400);

    runner.store(store.clone()).run_id("crowd").run(state).await.unwrap();

    let told = history(&store, &"crowd".parse().unwrap()).await;
    assert_eq!(told.steps[0].items_done.len(), 400);
}
