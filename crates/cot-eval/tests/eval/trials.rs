use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex},
};

use cot_core::{
    Budget, RunReport,
    eval::{Eval, Progress, score::Score},
    model::ScriptedModel,
    prelude::*,
    store::{MemoryStore, Store},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::process::{Clerk, Sorter, SorterTask, folders, mail, mails};

#[tokio::test]
async fn every_case_runs_with_every_variant() {
    let report = folders(Clerk::bills())
        .variant(
            "better",
            Sorter::runner().model(Clerk::new(&[
                ("How", r#"{"name":"friends"}"#),
                ("", r#"{"name":"bills"}"#),
            ])),
        )
        .repeats(2)
        .run()
        .await;
    assert_eq!((report.name.as_str(), report.process.as_str()), ("folders", "Sorter"));
    assert_eq!(report.variants, ["small", "better"]);
    let (small, better) = (report.summary("small"), report.summary("better"));
    assert_eq!((small.passed, small.trials), (4, 6));
    assert_eq!((better.passed, better.trials), (6, 6));
    let order: Vec<_> =
        report.trials.iter().map(|trial| (&*trial.variant, &*trial.case, trial.repeat)).collect();
    assert_eq!(
        order[..3],
        [("small", "invoice", 1), ("small", "invoice", 2), ("small", "reminder", 1)]
    );
    assert_eq!((report.paid.calls, report.paid.input_tokens), (12, 120));
}

#[tokio::test]
async fn a_run_that_fails_is_scored_like_any_other() {
    let report = folders(Clerk::new(&[("Invoice", r#"{"name":"two words"}"#)]))
        .score("end", |trial| trial.ended_at(SorterTask::Done))
        .run()
        .await;
    let [invoice, reminder, _] = &report.trials[..] else { panic!("{report:?}") };
    assert_eq!(invoice.scores["folder"].why, "None is not Some(\"bills\")");
    assert_eq!(invoice.scores["end"].why, "it halted at `sort`, and should have ended at `done`");
    assert_eq!(invoice.end.as_deref(), Some("sort"));
    assert!(
        invoice.why.as_deref().unwrap().contains("no attempt gave a valid reply"),
        "{:?}",
        invoice.why
    );
    let sort = invoice.tasks["sort"];
    assert_eq!((sort.visits, sort.failed_attempts, sort.retries, sort.usage.calls), (1, 2, 1, 2));
    assert_eq!(sort.accepted_replies, 0);
    assert_eq!(report.by_task("small")["sort"], sort, "without the trials that are errors");
    assert_eq!(invoice.state.as_ref().unwrap()["mail"], "Invoice 7");
    assert!(reminder.error.as_deref().unwrap().contains("the clerk is out"), "{reminder:?}");
    let summary = report.summary("small");
    assert_eq!(
        (summary.trials, summary.errors, summary.cases),
        (1, 2, 1),
        "an outage is no answer"
    );
}

#[tokio::test]
async fn a_run_that_can_not_start_does_not_pass() {
    let report = Eval::new("none", mails()).variant("no model", Sorter::runner()).run().await;
    assert!(report.trials.iter().all(|trial| !trial.passed && trial.error.is_some()));
    assert!(report.to_string().contains("no model"), "{report}");
}

#[tokio::test]
async fn a_scorer_that_panics_is_a_score() {
    let report = folders(Clerk::bills())
        .score("broken", |trial| match trial.case().name.as_str() {
            "hello" => panic!("no idea"),
            _ => true,
        })
        .run()
        .await;
    assert_eq!(report.trials[2].scores["broken"], Score::fail("the scorer panicked: no idea"));
    assert!(report.trials[0].passed);
}

#[tokio::test]
async fn a_score_can_be_less_than_all() {
    let report = Eval::new("half", mails())
        .variant("small", Sorter::runner().model(Clerk::bills()))
        .score_at_least("enough", 0.5, |_| 0.5)
        .metric("reported", |_| 0.1)
        .run()
        .await;
    assert!(report.trials.iter().all(|trial| trial.passed));
    assert!((report.summary("small").mean_score("reported") - 0.1).abs() < 1e-9);
}

#[tokio::test]
async fn outputs_are_shown_to_scorers() {
    let report = folders(Clerk::bills())
        .score("outputs", |trial| trial.outputs().len() == 1)
        .score("calls", |trial| trial.usage().calls == 1 && trial.why().is_none())
        .run()
        .await;
    assert!(report.trials[0].passed, "{report}");
}

#[tokio::test]
async fn a_budget_leaves_trials_out() {
    let clerk = Clerk::bills();
    let report = folders(clerk.clone())
        .repeats(10)
        .concurrency(NonZeroUsize::MIN)
        .budget(Budget { calls: Some(4), ..Budget::NONE })
        .run()
        .await;
    assert_eq!((report.trials.len(), report.left_out, clerk.calls()), (4, 26, 4));
    assert!(report.to_string().contains("The budget left out 26 trials."), "{report}");
}

#[tokio::test]
async fn a_stored_trial_names_its_run() {
    let store = MemoryStore::default();
    let stored = Sorter::runner().model(Clerk::bills()).store(store.clone());
    let report = folders(Clerk::bills()).variant("stored", stored).run().await;
    let runs: Vec<_> = report.trials.iter().map(|trial| trial.run.clone()).collect();
    assert_eq!(runs[..3], [None, None, None], "of the variant without a store");
    for run in &runs[3..] {
        assert!(store.run(run.as_ref().unwrap()).await.unwrap().is_some(), "{run:?}");
    }
    assert!(report.at.is_some());
    let empty = Eval::<Sorter>::new("none", Vec::new()).run().await;
    assert_eq!(empty.join(report.clone()).at, report.at);
}

#[tokio::test]
async fn each_result_is_told() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let all = Arc::clone(&told);
    folders(Clerk::bills())
        .concurrency(NonZeroUsize::MIN)
        .on_result(move |result, progress| {
            let Progress { done, failed, total, .. } = progress;
            all.lock().unwrap().push((result.unwrap().case.clone(), done, failed, total));
        })
        .run()
        .await;
    let told = told.lock().unwrap();
    let names = ["invoice", "reminder", "hello"].map(str::to_owned);
    let [invoice, reminder, hello] = names;
    assert_eq!(*told, [(invoice, 1, 0, 3), (reminder, 2, 0, 3), (hello, 3, 1, 3)]);
}

#[tokio::test]
async fn a_bar_reaches_its_total_if_the_budget_leaves_trials_out() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let all = Arc::clone(&told);
    folders(Clerk::bills())
        .concurrency(NonZeroUsize::MIN)
        .budget(Budget { calls: Some(1), ..Budget::NONE })
        .on_result(move |result, at| {
            all.lock().unwrap().push((result.is_some(), at.done, at.total));
        })
        .run()
        .await;
    assert_eq!(*told.lock().unwrap(), [(true, 1, 3), (false, 2, 3), (false, 3, 3)]);
}

#[test]
fn an_eval_can_be_sent_to_another_thread() {
    fn send<T: Send>(_: T) {}
    send(folders(Clerk::bills()).run());
}

cot_process! {
    /// Judges how a mail was sorted.
    process Judge {
        state: { input folder: String, verdict: Verdict },

        task judge -> Verdict {
            prompt: "Is `${state.folder}` a good name?",
            update: { verdict = output },
            next: done,
        }

        task done { end }
    }
}

/// What a judge says.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Verdict {
    /// From 1 to 5.
    mark: u8,
}

#[tokio::test]
async fn a_judge_is_a_process() {
    let judge = Judge::runner().model(Clerk::new(&[("bills", r#"{"mark": 4}"#)]));
    let report =
        folders(Clerk::new(&[("How", r#"{"name":"friends"}"#), ("", r#"{"name":"bills"}"#)]))
            .judge("name", 0.7, move |trial| {
                let folder = trial.state().folder.clone().unwrap_or_default();
                let judged = trial.metered(judge.clone()).run(JudgeState::new(folder));
                async move {
                    let mark = |run: RunReport<Judge>| Some(f64::from(run.state.verdict?.mark));
                    judged.await.map_or(Score::fail("no verdict"), |run| {
                        Score::from(mark(run).unwrap_or_default() / 5.0)
                    })
                }
            })
            .run()
            .await;
    assert_eq!(report.trials[0].scores["name"], Score::from(0.8));
    assert!(report.trials[0].passed);
    assert_eq!(report.trials[2].scores["name"], Score::fail("no verdict"));
    assert_eq!(report.paid.calls, 6, "the calls of the judge are metered");
}

#[tokio::test]
async fn a_judge_that_panics_is_a_score() {
    let report = folders(Clerk::bills())
        .judge("broken", 1.0, |_| async { if true { panic!("no idea") } else { true } })
        .run()
        .await;
    assert_eq!(report.trials[0].scores["broken"], Score::fail("the scorer panicked: no idea"));
}

#[tokio::test]
async fn nothing_to_do_is_an_empty_report() {
    let empty = Eval::<Sorter, String>::new("nothing", Vec::new())
        .variant("small", Sorter::runner().model(Clerk::bills()))
        .run()
        .await;
    assert_eq!((empty.trials.len(), empty.summary("small").pass_rate()), (0, 0.0));
    assert!(empty.to_string().contains("Nothing was run: the eval had no cases"), "{empty}");
    let report = folders(Clerk::bills()).repeats(0).run().await;
    assert!(report.trials.is_empty() && report.to_string().starts_with("folders: "), "{report}");
}

#[tokio::test]
async fn names_are_told_apart() {
    let twice = [mails(), mails()].concat();
    let report = Eval::new("twice", twice)
        .variant("small", Sorter::runner().model(Clerk::new(&[])))
        .variant("small", Sorter::runner().model(Clerk::bills()))
        .score("right", |_| false)
        .score("right", |_| true)
        .run()
        .await;
    let names: Vec<_> = report.trials.iter().map(|trial| trial.case.as_str()).collect();
    assert_eq!(names, ["invoice", "reminder", "hello", "invoice (2)", "reminder (2)", "hello (2)"]);
    assert!(
        report.trials.iter().all(|trial| trial.passed),
        "the later ones replace the earlier: {report}"
    );
}

#[tokio::test]
async fn without_scorers_a_run_passes_that_has_not_failed() {
    let eval =
        |model| Eval::new("ends", mails()).variant("small", Sorter::runner().model(model)).run();
    assert_eq!(eval(Clerk::bills()).await.summary("small").passed, 3);
    assert_eq!(
        eval(Clerk::new(&[("", r#"{"name":"two words"}"#)])).await.summary("small").passed,
        0
    );
}

#[tokio::test]
async fn a_budget_leaves_out_the_last_cases_of_all_variants() {
    let report = folders(Clerk::bills())
        .variant("other", Sorter::runner().model(Clerk::bills()))
        .concurrency(NonZeroUsize::MIN)
        .budget(Budget { calls: Some(4), ..Budget::NONE })
        .run()
        .await;
    assert_eq!((report.summary("small").trials, report.summary("other").trials), (2, 2));
}

#[tokio::test]
async fn each_repeat_has_a_seed_of_its_own() {
    let model = Arc::new(ScriptedModel::new([r#"{"name":"bills"}"#; 3]));
    let runner = Sorter::runner().model(Arc::clone(&model));
    let eval = Eval::new("seeds", vec![mail("a", "Invoice", "bills")]).variant("small", runner);
    let eval = eval.seed(7).repeats(3).concurrency(NonZeroUsize::MIN);
    assert_eq!(eval.run().await.summary("small").passed, 3);
    let seeds: Vec<_> = model.requests().iter().map(|request| request.settings.seed).collect();
    assert_eq!(seeds, [Some(7), Some(8), Some(9)]);
}
