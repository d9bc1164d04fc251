//! For-each tasks over models.

use cot_engine::{
    Attempt, Budget, EventOutcome, FailedItem, Failure, HaltReason, ResumeOptions, SnapshotError,
    private::{Collect, Definition, Ending, OnRoutes, write_text},
};
use cot_model::{FinishReason, ModelReply, Usage};
use cot_schema::Issues;
use serde_json::{Value, json};

use crate::harness::{
    NOTE, PROCESS, Run, SECOND, ai, checked, deliver, each_ai, each_reading, end, fail, gateway,
    go, inputs, inputs_of, item, note, process, seconds, to,
};

process! {
    Sorter {
        open: gateway().next(&[Self::sort]).arms(&[inputs(|_, _| deliver(json!("again")))]),
        sort: each_ai()
            .inputs(None)
            .prompt(|cx, out| {
                let count = cx.state["items"].as_array().map_or(0, Vec::len);
                let word = inputs_of(cx).as_str().unwrap();
                write_text(out, format!("{} of {count}, {word}", item(cx).as_str().unwrap()))
            })
            .output(NOTE)
            .work(each_reading(|given, cx| {
                Ok(json!([checked(given, |note| differs(note, item(cx)))?]))
            }))
            .items(Some(3), Collect::All)
            .timeout(seconds(30))
            .on(OnRoutes {
                exhausted: Some(Self::failed),
                timeout: Some(Self::late),
                truncated: Some(Self::cut),
                budget: Some(Self::dear),
                ..OnRoutes::NONE
            })
            .next(&[Self::done]),
        failed: fail("not sorted"),
        late: end(),
        cut: end(),
        dear: end(),
        done: end(),
        hub: ai("").go(&[to(Self::wide), to(Self::done)]),
        wide: each_ai().output(NOTE).items(Some(100), Collect::All),
    }
    definition: Definition { max_retries: Some(1), ..PROCESS };
}

fn differs(note: &Value, item: &Value) -> Result<(), Issues> {
    match note["text"] == *item {
        true => Err(Issues::at("text", format!("is {} again", item.as_str().unwrap()))),
        false => Ok(()),
    }
}

fn pile(count: usize) -> Value {
    json!({ "items": (0..count).map(|item| format!("item {item}")).collect::<Vec<_>>() })
}

fn sorter(count: usize) -> Run {
    Run::start::<Sorter>(pile(count))
}

fn items(run: &mut Run) -> Vec<usize> {
    run.directives().iter().filter_map(|call| call.key.item()).collect()
}

fn failed(run: &Run) -> (FailedItem, Vec<Attempt>) {
    let halt = run.last_failure().unwrap();
    match halt.reason {
        HaltReason::ItemFailed(failed) => (*failed, halt.attempts),
        other => panic!("expected an item, got {other:?}"),
    }
}

#[test]
fn nothing_gives_an_empty_list_at_once() {
    let mut run = sorter(0);
    assert_eq!(run.ending(), Ending::End("done"));
    assert_eq!(run.history_json(), json!([{ "task": "sort", "output": [] }]));
    assert_eq!((run.usage(), run.steps()), (Usage::default(), 1));
}

#[test]
fn one_item_is_asked_about_with_all_that_a_prompt_sees() {
    let mut run = sorter(1);
    let [call] = run.directives().try_into().unwrap();
    assert_eq!((call.key.item(), call.attempt(), call.timeout), (Some(0), 1, Some(SECOND * 30)));
    assert_eq!(call.key.to_string(), "sort#1[0]@1");
    let prompt = call.request().prompt();
    assert!(prompt.contains("item 0 of 1, again"), "{prompt}");
    run.survives();
    run.reply_item(0, note("a", 1));
    assert_eq!(run.ending(), Ending::End("done"));
    let output = json!([{ "task": "sort", "output": [note("a", 1)] }]);
    assert_eq!((run.history_json(), run.usage().calls), (output, 1));
}

#[test]
fn the_order_is_that_of_the_items_whatever_that_of_the_answers() {
    let mut run = sorter(7);
    for turn in 0..7 {
        let calls = run.directives();
        assert_eq!(calls.len(), 3.min(7 - turn));
        let call = &calls[(turn * 5 + 1) % calls.len()];
        let text = format!("{}", call.key.item().unwrap());
        assert_eq!(run.reply_to(call, note(&text, 1)), EventOutcome::Applied);
        assert_eq!(run.reply_to(call, note("late", 1)), EventOutcome::Stale);
        if turn < 6 {
            run.survives();
        }
    }
    assert_eq!(run.ending(), Ending::End("done"));
    let found = run.state()["sort"].as_array().unwrap();
    let texts: Vec<_> = found.iter().map(|note| note["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["0", "1", "2", "3", "4", "5", "6"]);
}

#[test]
fn an_item_has_retries_and_issues_of_its_own() {
    let mut run = sorter(3);
    for item in 0..3 {
        run.reply_item(item, note(&format!("item {item}"), 1));
    }
    for call in run.directives() {
        let (prompt, item) = (call.request().prompt(), call.key.item().unwrap());
        assert!(prompt.contains(&format!("is item {item} again")), "{prompt}");
        assert_eq!((call.attempt(), prompt.matches("is item").count()), (2, 1));
    }
    run.survives();
    assert!(run.state()["sort"].is_null());
    for item in [2, 0, 1] {
        run.reply_item(item, note("good", 1));
    }
    assert_eq!(run.ending(), Ending::End("done"));
}

#[test]
fn an_item_that_fails_ends_the_task_and_the_rest_is_not_asked() {
    let mut run = sorter(5);
    run.reply_item(2, note("good", 1));
    run.reply_item(1, "nonsense");
    let late = run.directives().into_iter().find(|call| call.key.item() == Some(0)).unwrap();
    run.reply_item(1, json!(5));
    assert_eq!(run.ending(), Ending::Fail("failed", "not sorted".to_owned()));
    assert_eq!(run.reply_to(&late, note("late", 1)), EventOutcome::NotRunning);
    let (failed, attempts) = failed(&run);
    assert_eq!((failed.item, failed.reason, failed.total), (1, HaltReason::Exhausted, 5));
    assert_eq!(failed.done, [2]);
    assert!(attempts.iter().all(|attempt| attempt.item == Some(1)));
    assert_eq!(attempts.len(), 2);
    // Two calls for other items were in flight.
    assert_eq!((run.usage().calls, run.usage().uncounted_calls), (5, 2));
    assert!(run.state()["sort"].is_null() && run.history().is_empty());
}

#[test]
fn what_goes_wrong_with_an_item_has_its_route() {
    let mut run = sorter(2);
    let cut = ModelReply::new("{").finish(FinishReason::Length);
    run.reply_item(1, cut);
    assert_eq!(run.ending(), Ending::End("cut"));
    let mut run = sorter(2);
    run.time_out(SECOND * 30);
    assert_eq!(run.ending(), Ending::End("late"));
    assert_eq!(failed(&run).1[0].failure, Failure::TimedOut);
}

#[test]
fn calls_at_once_take_the_time_of_the_slowest() {
    let mut run = Run::with::<Sorter>(|options| options.timeout = Some(SECOND * 5), pile(6));
    for item in [0, 1, 3] {
        run.reply_item(item, note("a", 1));
    }
    let left: Vec<_> = run.directives().iter().map(|call| call.timeout).collect();
    let mut sorted = left.clone();
    sorted.sort();
    assert_eq!(sorted, [3, 4, 5].map(|secs| Some(SECOND * secs)));
    run.survives();
    let after: Vec<_> = run.resumed().directives().iter().map(|call| call.timeout).collect();
    assert_eq!(after, left);
}

#[test]
fn no_more_calls_are_begun_than_the_budget_has() {
    let budget = Budget { calls: Some(2), ..Budget::NONE };
    let mut run = Run::with::<Sorter>(|options| options.budget = Some(budget), pile(5));
    assert_eq!(items(&mut run), [0, 1]);
    run.survives();
    run.reply_item(1, note("a", 1));
    assert_eq!(items(&mut run), [0]);
    run.survives();
    run.reply_item(0, note("a", 1));
    assert_eq!(run.ending(), Ending::End("dear"));
    let (failed, _) = failed(&run);
    assert_eq!((failed.item, failed.done.as_slice()), (2, &[0, 1][..]));
    assert_eq!(run.usage().calls, 2);
}

#[test]
fn tokens_used_up_in_the_middle_end_the_task_after_the_calls_in_flight() {
    let budget = Budget { tokens: Some(10), ..Budget::NONE };
    let mut run = Run::with::<Sorter>(|options| options.budget = Some(budget), pile(5));
    let reply = ModelReply::from(note("a", 1)).usage(Usage::for_call(6, 5));
    run.reply_item(0, reply);
    let in_flight = run.directives().len();
    for item in 1..=in_flight {
        run.reply_item(item, note("b", 1));
    }
    assert_eq!(run.ending(), Ending::End("dear"));
    assert_eq!((in_flight, failed(&run).0.done), (2, vec![0, 1, 2]));
}

#[test]
fn items_that_do_not_add_up_are_refused() {
    let mut run = sorter(5);
    run.reply_item(0, note("a", 1));
    run.directives();
    let changes: [fn(&mut Value); 8] = [
        |each| each["asked"][1]["item"] = each["asked"][0]["item"].clone(),
        |each| each["asked"][1]["call"] = each["asked"][0]["call"].clone(),
        |each| each["asked"][0]["item"] = json!(0),
        |each| each["asked"][0]["item"] = json!(4),
        |each| each["asked"] = json!([]),
        |each| each["next"] = json!(5),
        |each| each["total"] = json!(6),
        |each| each["done"] = json!({ "0": 1, "1": 1 }),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let change = |json: &mut Value| change(&mut json["position"]["each"]);
        let error = run.changed(change, &ResumeOptions::new()).err();
        let is_refused = matches!(error, Some(SnapshotError::Inconsistent(_)));
        assert!(is_refused, "{number}: {error:?}");
    }
}

#[test]
fn ten_thousand_items_are_asked_about() {
    let mut run = Run::at::<Sorter>("hub", pile(10_000)).after([go("wide")]);
    let (mut in_flight, mut known) = (Vec::new(), None);
    for _ in 0..10_000 {
        in_flight.extend(run.directives_after(known));
        let call = in_flight.pop().unwrap();
        known = known.max(Some(call.id));
        let text = format!("{}", call.key.item().unwrap());
        run.reply_to(&call, note(&text, 1));
    }
    run.reply(go("done"));
    assert_eq!(run.ending(), Ending::End("done"));
    let found = run.state()["wide"].as_array().unwrap();
    assert!(
        found
            .iter()
            .enumerate()
            .all(|(item, note)| note["text"].as_str() == Some(&*item.to_string()))
    );
    assert_eq!(found.len(), 10_000);
}
