//! Traces of arbitrary events.

use std::time::Duration;

use cot_core::prelude::*;
use cot_engine::{AnyOutput, Attempt, BranchOutcome, Ending, Failure, Route, TaskName};
use cot_model::Usage;
use cot_schema::Issues;
use proptest::prelude::*;

use super::{Line, Writing, WritingOutput, WritingTask, assert_sound};
use crate::recorder::run_recorder::RunRecorder;

/// Events in arbitrary order.
fn event() -> impl Strategy<Value = ProcessEvent<Writing>> {
    let task = || prop::sample::select(WritingTask::ALL);
    let (usage, elapsed) = (Usage::default(), Duration::ZERO);
    let text = crate::texts::text;
    let routes = [Route::End, Route::Return, Route::On("exhausted"), Route::Next(1)];
    let route = prop::sample::select(routes.to_vec());
    prop_oneof![
        task().prop_map(|task| RunEvent::TaskStarted { task, step: 1, visit: 1 }),
        task().prop_map(|task| RunEvent::Waiting { task, duration: Duration::from_secs(1) }),
        (task(), text()).prop_map(move |(task, text)| RunEvent::Committed {
            task,
            output: WritingOutput::Add(Line { text }),
            usage,
            elapsed
        }),
        (task(), task(), text()).prop_map(move |(task, go_to, intent)| RunEvent::Transitioned {
            task,
            go_to,
            step_after: intent.clone(),
            intent,
            times: 1,
            usage,
            elapsed
        }),
        (task(), text(), any::<bool>()).prop_map(move |(task, reply, will_retry)| {
            let mut attempt = Attempt::new(1, Failure::Failed);
            attempt.issues =
                if will_retry { Issues::new() } else { Issues::at("$", reply.clone()) };
            (attempt.reply, attempt.usage, attempt.elapsed) = (reply, usage, elapsed);
            RunEvent::AttemptFailed { task, attempt, will_retry }
        }),
        (task(), prop::option::of(task()), route)
            .prop_map(|(task, next, route)| RunEvent::TaskFinished { task, next, route }),
        prop::option::of(text()).prop_map(move |why| RunEvent::Finished {
            ending: match why {
                Some(why) => Ending::Fail(WritingTask::ALL[0], why),
                None => Ending::End(WritingTask::ALL[0]),
            },
            usage,
            elapsed
        }),
        Just(RunEvent::Paused),
    ]
}

/// Events of tools, items, branches and sub-processes, in arbitrary order.
fn part_event() -> impl Strategy<Value = ProcessEvent<Writing>> {
    let task = || prop::sample::select(WritingTask::ALL);
    let text = crate::texts::text;
    let result = prop_oneof![text().prop_map(Ok), text().prop_map(Err)];
    let outcome = prop_oneof![Just(BranchOutcome::Joined), text().prop_map(BranchOutcome::Failed)];
    prop_oneof![
        (task(), 0..3_u32, text(), text()).prop_map(|(task, call, tool, arguments)| {
            RunEvent::ToolCalled { task, call, tool, arguments }
        }),
        (task(), 0..3_u32, text(), result).prop_map(|(task, call, tool, result)| {
            RunEvent::ToolReturned { task, call, tool, result, elapsed: Duration::ZERO }
        }),
        (task(), 0..3_usize, text()).prop_map(|(task, item, text)| RunEvent::ItemDone {
            task,
            item,
            output: WritingOutput::Each(vec![Line { text }]),
            usage: Usage::default(),
            elapsed: Duration::ZERO
        }),
        (task(), 0..3_usize, text()).prop_map(|(task, item, reason)| RunEvent::ItemFailed {
            task,
            item,
            reason
        }),
        (task(), task(), outcome).prop_map(|(task, branch, outcome)| RunEvent::BranchEnded {
            task,
            branch,
            outcome
        }),
    ]
}

/// An event of a sub-process, at some depth.
fn nested(
    event: ProcessEvent<Writing>,
    (depth, item): (usize, Option<usize>),
) -> ProcessEvent<Writing> {
    (0..depth).fold(event, |event, _| {
        let event = event.map(|task| TaskName::Borrowed(task.name()), |_| AnyOutput::default());
        let (task, process) = (WritingTask::Nest, "Inner".into());
        RunEvent::Nested { task, item, attempt: 1, process, event: Box::new(event) }
    })
}

proptest! {
    #[test]
    fn any_events_give_a_valid_trace(
        goal in crate::texts::text(),
        events in prop::collection::vec(
            (prop_oneof![event(), part_event()], 0..3_usize, prop::option::of(0..2_usize)),
            0..30,
        ),
    ) {
        let recorder = RunRecorder::<Writing>::new(goal);
        for (event, depth, item) in events {
            recorder.record(&nested(event, (depth, item)));
        }
        assert_sound(&recorder.trace());
    }
}
