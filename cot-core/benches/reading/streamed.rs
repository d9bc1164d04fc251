//! Measures partial values of a streamed reply, compared to a run without them.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use cot_core::{model::ScriptedModel, prelude::*};
use tokio::runtime::{self, Runtime};

use crate::replies::Report;

/// The size of a chunk in bytes.
pub(crate) const PIECE: usize = 16;

cot_process! {
    process Study {
        state: Report,
        max_retries: 0,

        task write -> Report {
            full_prompt: "Write.",
            update: { title = output.title, findings = output.findings },
            next: done,
        }

        task done { end }
    }
}

/// Prints the cost of partial values and their number.
pub(crate) fn cost(reply: &str, rounds: usize) -> (u32, Duration) {
    let runtime = runtime::Builder::new_current_thread().build().expect("a runtime");
    let (_, plain) = least(&runtime, reply, rounds, false);
    let (partials, elapsed) = least(&runtime, reply, rounds, true);
    (partials, elapsed.saturating_sub(plain))
}

fn least(runtime: &Runtime, reply: &str, rounds: usize, with_partials: bool) -> (u32, Duration) {
    let run = |_| runtime.block_on(streamed(reply, with_partials));
    (0..rounds).map(run).min_by_key(|(_, elapsed)| *elapsed).expect("a round")
}

/// Counts the emitted partial values, each read as its type, and measures the run.
async fn streamed(reply: &str, with_partials: bool) -> (u32, Duration) {
    let model = ScriptedModel::new([reply]).streaming(PIECE);
    let runner = Study::runner().model(model).token_deltas(!with_partials).partials(with_partials);
    let mut active = runner.start(Report::default()).expect("it starts");
    let began = Instant::now();
    let mut partials = 0;
    while let Some(event) = active.next().await {
        if let RunEvent::Partial { partial: Some(partial), .. } = event {
            black_box(partial.read::<Report>());
            partials += 1;
        }
    }
    (partials, began.elapsed())
}
