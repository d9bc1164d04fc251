//! Many concurrent runs, and the memory of one run.

use std::time::Duration;

use cot_core::{ActiveRun, Machine, RunFuture, RunHandle, Runner};

use crate::runner::{
    models::Told,
    process::{Page, Straight},
};

async fn a_thousand_runs() {
    let model = Told::well().after(Duration::from_millis(50));
    let runner = Runner::<Straight>::new().model(model.clone());
    let runs: Vec<_> = (0..1000).map(|_| tokio::spawn(runner.run(Page::default()))).collect();
    for run in runs {
        assert_eq!(run.await.unwrap().unwrap().state.lines.len(), 3);
    }
    assert_eq!(model.calls(), 3000);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_runs_at_once_take_as_long_as_one() {
    let began = tokio::time::Instant::now();
    a_thousand_runs().await;
    assert_eq!(began.elapsed(), Duration::from_millis(150));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_runs_on_several_threads() {
    a_thousand_runs().await;
}

#[test]
fn a_run_is_small_and_can_be_sent() {
    fn sent<T: Send + 'static>() {}
    fn shared<T: Send + Sync + Clone + 'static>() {}
    sent::<ActiveRun<Straight>>();
    sent::<RunFuture<Straight>>();
    shared::<Runner<Straight>>();
    shared::<RunHandle>();
    let run = Runner::<Straight>::new().run(Page::default());
    let (size, machine) = (size_of_val(&run), size_of::<Machine<Straight>>());
    assert!(size <= machine + 240, "{size} bytes, of which the machine has {machine}");
    assert!(size <= 1500, "{size} bytes");
}
