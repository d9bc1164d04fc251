//! A model with a limit by the minute holds calls back, and the runs say so.

use std::{sync::Arc, time::Duration};

use cot_core::{
    model::{ModelExt, RateLimit, ScriptedModel},
    prelude::*,
};

use crate::drive::{Note, note};

cot_process! {
    process Notes {
        state: (),
        task write -> Note { prompt: "Write a note.", next: done }
        task done { end }
    }
}

cot_process! {
    process Items {
        state: Vec<u32>,
        task each -> Note { for_each: item in state.iter(), prompt: "About ${item}.", next: done }
        task done { end }
    }
}

type Held = Vec<(Option<usize>, u32, Duration)>;

/// Returns what a run tells of the limit.
async fn held<P: Process<Context = ()>>(runner: &Runner<P>, state: P::State) -> Held {
    let mut run = runner.start(state).unwrap();
    let mut held = Held::new();
    while let Some(event) = run.next().await {
        if let RunEvent::RateLimited { item, attempt, wait, .. } = event {
            held.push((item, attempt, wait));
        }
    }
    run.finish().await.unwrap();
    held
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_held_back_is_an_event_of_its_run() {
    let model = ScriptedModel::from_fn(|_| note("a", 1)).limited(4);
    let model: Arc<dyn LanguageModel> =
        Arc::new(model.rate_limited(RateLimit::per_minute().requests(2)));
    let runner = Notes::runner().model(Arc::clone(&model));
    assert_eq!(held(&runner, ()).await, []);
    assert_eq!(held(&runner, ()).await, []);
    assert_eq!(held(&runner, ()).await, [(None, 1, Duration::from_secs(30))]);
    // Another process on the same model shares the limit.
    let items = held(&Items::runner().model(model), vec![1, 2]).await;
    let half = Duration::from_secs(30);
    let queued = (Some(1), 1, Duration::ZERO);
    assert_eq!(items, [(Some(0), 1, half), queued, (Some(1), 1, half)]);
}
