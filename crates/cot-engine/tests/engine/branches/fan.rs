//! A process with branches of all kinds of tasks, and answers by what is asked.

use std::time::Duration;

use cot_engine::{
    Action, Event, EventOutcome,
    private::{Collect, Definition, Join, OnRoutes, write_text},
};
use serde_json::{Value, json};

use crate::harness::{
    Call, PROCESS, Run, SECOND, ai, append, code, each_ai, end, fail, gateway, human, only_if,
    parallel, process, schema, sub_process,
};

schema! {
    topic_schema: {
        "type": "object",
        "properties": { "text": { "type": "string", "maxLength": 100 } },
        "required": ["text"],
    }
}

process! {
    Inner {
        first: ai("")
            .full_prompt(|cx, out| {
                write_text(out, format!("inner 1: {}", cx.state["topic"].as_str().unwrap_or("")))
            })
            .output(topic_schema)
            .next(&[Self::second]),
        second: ai("inner 2").output(topic_schema).next(&[Self::finished]),
        finished: end(),
    }
}

process! {
    /// A loop, a for-each task with branches after it, a person, a sub-process and functions, all at once.
    Fan {
        plan: ai("plan").output(topic_schema).next(&[Self::spread]),
        spread: parallel(
            Join::All,
            &[Self::web, Self::topics, Self::person, Self::inner, Self::count],
        )
            .on(OnRoutes { exhausted: Some(Self::apologize), ..OnRoutes::NONE })
            .next(&[Self::merge]),
        web: ai("")
            .full_prompt(|cx, out| write_text(out, format!("web {}", webs(cx.state))))
            .output(topic_schema)
            .commit(append)
            .next(&[Self::web, Self::merge])
            .arms(&[only_if(|scope, _| webs(scope.state) < 3)]),
        topics: each_ai()
            .full_prompt(|cx, out| {
                write_text(out, format!("item {}", crate::harness::item(cx).as_str().unwrap()))
            })
            .output(topic_schema)
            .items(Some(2), Collect::All)
            .next(&[Self::nested]),
        nested: parallel(Join::Settled, &[Self::left, Self::right]).next(&[Self::nested_end]),
        left: ai("left").max_retries(0).output(topic_schema).next(&[Self::nested_end]),
        right: ai("right")
            .wait(Duration::from_secs(3600))
            .output(topic_schema)
            .next(&[Self::nested_end]),
        nested_end: gateway().next(&[Self::merge]),
        person: human("Which?").output(topic_schema).next(&[Self::merge]),
        inner: sub_process::<Inner>().next(&[Self::merge]),
        count: code()
            .result()
            .next(&[Self::count, Self::merge])
            .arms(&[only_if(|_, output| output.is_some_and(|count| count.as_u64() < Some(3)))]),
        merge: ai("merge").output(topic_schema).next(&[Self::done]),
        apologize: fail("sorry"),
        done: end(),
    }
    definition: Definition { max_retries: Some(1), max_steps: Some(60), ..PROCESS };
}

process! {
    Race {
        race: parallel(Join::Any, &[Self::fast, Self::careful])
            .on(OnRoutes { exhausted: Some(Self::apologize), ..OnRoutes::NONE })
            .next(&[Self::use_first]),
        fast: ai("fast").output(topic_schema).next(&[Self::use_first]),
        careful: ai("careful").output(topic_schema).next(&[Self::check]),
        check: ai("check").output(topic_schema).next(&[Self::use_first]),
        use_first: gateway().next(&[Self::done]),
        apologize: fail("both failed"),
        done: end(),
    }
    definition: Definition { max_retries: Some(0), ..PROCESS };
}

process! {
    /// Two branches of which the failures are forgiven, and two of which they are not.
    Survey {
        ask: parallel(Join::Settled, &[Self::one, Self::other]).next(&[Self::done]),
        one: ai("one").output(topic_schema).next(&[Self::done]),
        other: ai("other").output(topic_schema).next(&[Self::done]),
        done: end(),
        both: parallel(Join::All, &[Self::one, Self::other]).next(&[Self::done]),
    }
    definition: Definition { max_retries: Some(0), ..PROCESS };
}

process! {
    /// Branches with tasks after each other, also within a branch. Each prompt shows the history.
    Told {
        plan: ai("plan").output(topic_schema).next(&[Self::split]),
        split: parallel(Join::All, &[Self::left, Self::right]).next(&[Self::merge]),
        left: ai("left").output(topic_schema).next(&[Self::left_again]),
        left_again: ai("left again").output(topic_schema).next(&[Self::merge]),
        right: parallel(Join::All, &[Self::one, Self::two]).next(&[Self::right_end]),
        one: ai("one").output(topic_schema).next(&[Self::right_end]),
        two: ai("two").output(topic_schema).next(&[Self::two_again]),
        two_again: ai("two again").output(topic_schema).next(&[Self::right_end]),
        right_end: ai("right end").output(topic_schema).next(&[Self::merge]),
        merge: ai("merge").output(topic_schema).next(&[Self::done]),
        done: end(),
    }
}

fn webs(state: &Value) -> usize {
    state["web"].as_array().map_or(0, Vec::len)
}

pub(super) fn fan() -> Run {
    Run::start::<Fan>(json!({ "items": ["a", "b"], "start": { "topic": "Rome" } }))
}

pub(super) fn topic(text: &str) -> Value {
    json!({ "text": text })
}

/// What a directive asks for: the prompt, the question, or the kind of the call.
pub(super) fn asked(call: &Call) -> String {
    match &call.action {
        Action::CallModel(model) => model.request.prompt().lines().next().unwrap_or("").to_owned(),
        Action::AskHuman(question) => question.text.clone(),
        Action::RunFunction(_) => format!("run {}", call.key.task()),
        Action::Sleep { .. } => format!("sleep {}", call.key.task()),
    }
}

/// What the run waits for, in words.
pub(super) fn waits_for(run: &mut Run) -> Vec<String> {
    run.directives().iter().map(asked).collect()
}

/// Answers the first directive whose text begins like this. Each call takes a second.
pub(super) fn answer(run: &mut Run, wanted: &str, value: Value) -> EventOutcome {
    let calls = run.directives();
    let call = calls.iter().find(|call| asked(call).starts_with(wanted));
    let call = call.unwrap_or_else(|| panic!("`{wanted}` is not among {calls:?}"));
    let (id, elapsed) = (call.id, SECOND);
    run.handle(match &call.action {
        Action::CallModel(_) => Event::Replied { id, reply: value.into(), elapsed },
        Action::RunFunction(_) => Event::Ran { id, result: Ok(value), elapsed },
        Action::AskHuman(_) => Event::Answered { id, answer: value, elapsed },
        Action::Sleep { .. } => Event::Woken { id },
    })
}

/// Answers a call with a reply that is refused.
pub(super) fn refuse(run: &mut Run, wanted: &str) {
    answer(run, wanted, json!("nonsense"));
}
