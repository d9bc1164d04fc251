//! Items of stored runs whose program dies.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use cot_core::{
    RunReport, Runner,
    model::{ModelReply, ScriptedModel},
    store::RunHistory,
};

use super::mill::{Mill, Milling, MillingOutcome};
use crate::{
    drive::note,
    storing::ledger::{Fate, Ledger},
};

const RUN: &str = "a-run";

struct Lab {
    store: Ledger,
    calls: Arc<AtomicUsize>,
    runner: Runner<Milling>,
}

impl Lab {
    fn new() -> Self {
        let (store, calls) = (Ledger::default(), Arc::<AtomicUsize>::default());
        let counted = Arc::clone(&calls);
        let model = ScriptedModel::from_fn(move |request| {
            counted.fetch_add(1, Ordering::SeqCst);
            match request.prompt() == "ssss3" {
                true => ModelReply::new("nonsense"),
                false => note("good", request.prompt().len() as u32 % 100).into(),
            }
        });
        let runner = Milling::runner()
            .model(model)
            .person(async |question| note(&question.text, 1))
            .store(store.clone())
            .run_id(RUN);
        Self { store, calls, runner }
    }

    async fn run(&self) -> Option<RunReport<Milling>> {
        tokio::select! {
            biased;
            run = self.runner.run(Mill::new(5)) => Some(run.unwrap()),
            () = self.store.cut() => None,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_survives_a_cut_at_every_append() {
    let whole = Lab::new();
    let uncut = whole.run().await.unwrap();
    assert_eq!(uncut.outcome, MillingOutcome::Done);
    for append in 0..whole.store.appends() {
        for fate in [Fate::CutBefore, Fate::CutAfter] {
            let lab = Lab::new();
            lab.store.at(append, fate);
            assert!(lab.run().await.is_none());
            let run = lab.run().await.unwrap();
            let what = format!("{fate:?} {append}");
            let state = serde_json::to_string(&run.state).unwrap();
            let interrupted = state.contains("it is not known") || state.contains("[1,2,3]");
            // A call that is made once may have been in flight.
            if !interrupted {
                assert_eq!(run.state, uncut.state, "{what}");
                assert_eq!(run.usage, uncut.usage, "{what}");
            }
            assert_eq!(run.outcome, uncut.outcome, "{what}");
            let (calls, all) =
                (lab.calls.load(Ordering::SeqCst), whole.calls.load(Ordering::SeqCst));
            assert!(calls <= all + 3, "{what}: {calls} and {all}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_survives_cuts_in_a_row() {
    for fate in [Fate::CutBefore, Fate::CutAfter] {
        let lab = Lab::new();
        let run = loop {
            lab.store.at(3, fate);
            if let Some(run) = lab.run().await {
                break run;
            }
        };
        assert_eq!(run.outcome, MillingOutcome::Done);
    }
}

#[tokio::test(start_paused = true)]
async fn the_history_shows_the_steps_of_each_item() {
    let lab = Lab::new();
    lab.run().await.unwrap();
    let history = RunHistory::load(&lab.store, &RUN.parse().unwrap()).await.unwrap().unwrap();
    let step = |task: &str| history.steps.iter().find(|step| step.task == task).unwrap();
    let mut failed = step("weigh").items_failed.clone();
    failed.sort_unstable();
    let mut done = step("weigh").items_done.clone();
    done.sort_unstable();
    assert_eq!((done, failed), (vec![0, 1, 3, 4], vec![2]));
    let bake = step("bake");
    assert_eq!(bake.items_done.len(), 5);
    for item in 0..5 {
        let nested: Vec<_> = bake.nested.iter().filter(|step| step.item == Some(item)).collect();
        let tasks: Vec<&str> = nested.iter().map(|step| &*step.task).collect();
        assert_eq!(tasks, ["plan", "bake", "taste"]);
        assert!(nested.iter().all(|step| step.is_committed && !step.attempts.is_empty()));
        assert_eq!(nested[1].attempts.len(), 3);
    }
    let text = history.to_string();
    assert!(text.contains("Bakery[3]::taste"), "{text}");
    let _ = lab.store.summary(RUN).await;
}
