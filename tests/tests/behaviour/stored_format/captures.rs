//! Captures of runs, replayed without a model.

use cot_core::replay::{Capture, Replay};

use super::{
    endings::{Ends, Plan},
    sample::{assert_end, assert_same, pretty, read},
    script::scripted,
    tale::{Tale, end_of},
    tour::{Journey, Tour},
};

/// The ways to end of which a capture tells all.
const KINDS: [&str; 5] = ["exhausted", "unreachable", "nested", "spent", "refused"];

/// Captures a run whose replies are streamed.
async fn write<P: Tale>(name: &str, state: P::State) {
    let (capture, captured) = Capture::to_memory();
    let runner = scripted::<P>().capture(capture.clone()).token_deltas(true).partials(true);
    let mut active = runner.start(state).unwrap();
    while active.next().await.is_some() {}
    let run = active.finish().report().await.unwrap();
    capture.finish().unwrap();
    assert_same(&format!("captures/{name}.jsonl"), &captured.text());
    assert_same(&format!("captures/{name}.end.json"), &pretty(&end_of(&run)));
}

async fn replay<P: Tale>(name: &str, state: P::State) {
    let replay = Replay::read(read(&format!("captures/{name}.jsonl")).as_bytes()).unwrap();
    let run = cot_core::Runner::<P>::new().replay(replay.clone()).report(state).await.unwrap();
    assert_end(&format!("captures/{name}.end.json"), &end_of(&run), "replayed");
    assert!(replay.unused().is_empty(), "{name}: {:?}", replay.unused());
}

#[tokio::test(start_paused = true)]
async fn captures_are_written_as_they_were() {
    write::<Tour>("tour", Journey::to("Lisbon")).await;
    for kind in KINDS {
        write::<Ends>(kind, Plan::new(kind)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn runs_are_replayed_from_captures() {
    replay::<Tour>("tour", Journey::to("Lisbon")).await;
    for kind in KINDS {
        replay::<Ends>(kind, Plan::new(kind)).await;
    }
}
