//! Timers.

use std::time::Duration;

use cot_core::{RunEvent, prelude::*};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::{Asked, note, shown, until_waiting};
use crate::drive::Note;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Notes {
    texts: Vec<String>,
}

cot_process! {
    pub(crate) process Slow {
        state: Notes,
        timeout: 1m,

        task first -> Note { update: { texts[] = output.text }, next: later }
        task later -> Note { wait: 24h, update: { texts[] = output.text }, next: done }
        task done { end }
    }
}

#[tokio::test(start_paused = true)]
async fn a_timer_passes_and_is_no_time_of_the_run() {
    let began = Instant::now();
    let runner = Slow::runner().model(Asked::always(note("a")));
    let run = runner.run(Notes::default()).await.unwrap();
    assert_eq!((shown(&run.outcome), run.state.texts.len()), ("Done".into(), 2));
    assert_eq!(began.elapsed(), Duration::from_secs(24 * 3600));
}

#[tokio::test(start_paused = true)]
async fn a_waiting_run_says_so_and_is_steered() {
    let model = Asked::always(note("a"));
    let mut active = Slow::runner().model(model.clone()).start(Notes::default()).unwrap();
    let handle = active.handle();
    let events = until_waiting(&mut active);
    let Some(RunEvent::Waiting { task: SlowTask::Later, duration }) = events.last() else {
        panic!("{events:?}")
    };
    assert_eq!(*duration, Duration::from_secs(24 * 3600));

    // A pause that comes meanwhile takes effect between the timer and the task.
    handle.pause();
    assert!(matches!(active.next().await, Some(RunEvent::Paused)));
    assert_eq!(model.calls.all(), 1);
    handle.resume();
    assert!(matches!(active.next().await, Some(RunEvent::TaskStarted { .. })));
    until_waiting(&mut active);
    assert_eq!(model.calls.all(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_timer_can_be_cancelled_and_starts_anew_after_a_snapshot() {
    let runner = Slow::runner().model(Asked::always(note("a")));
    let mut active = runner.start(Notes::default()).unwrap();
    until_waiting(&mut active);
    let snapshot = active.snapshot().unwrap();
    let began = Instant::now();
    active.handle().cancel("enough");
    let run = active.finish().report().await.unwrap();
    assert!(shown(&run.outcome).contains("Cancelled"));
    assert_eq!((began.elapsed(), run.state.texts.len()), (Duration::ZERO, 1));

    let machine = cot_core::Machine::resume(snapshot, cot_core::ResumeOptions::new()).unwrap();
    assert_eq!(runner.run_machine(machine).report().await.unwrap().state.texts.len(), 2);
    assert_eq!(began.elapsed(), Duration::from_secs(24 * 3600));
}
