//! Judges: verdicts, labels of people, and how far they agree.

use cot_core::{
    Runner,
    eval::{Agreement, Case, Eval, Report, score::Score},
    prelude::*,
};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::process::{Clerk, Sorter, SorterState};

/// What a judge says.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Verdict {
    tone: Tone,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Tone {
    Friendly,
    Rude,
}

cot_process! {
    /// Judges the tone of a mail.
    process Judge {
        state: { input mail: String, verdict: Verdict },
        max_retries: 1,

        task judge -> Verdict {
            prompt: "What is the tone of this mail? ${state.mail}",
            update: { verdict = output },
            next: done,
        }

        task done { end }
    }
}

const MAILS: &str = "\
name,state.mail,expected
a,Hello Ann,friendly
b,Hello Bob,rude
c,Pay now,rude
d,Pay,rude
e,Hello,
f,Mumble,friendly
";

/// Reports what a judge says of the mails, some of which have a label.
async fn report(judge: Runner<Judge>) -> Report {
    let cases = Case::<SorterState, Option<Tone>>::from_csv(MAILS).unwrap();
    Eval::new("tones", cases)
        .variant("small", Sorter::runner().model(Clerk::bills()))
        .judge("tone", 1.0, move |trial| {
            let label = *trial.expected();
            let mail = trial.case().state.mail.clone();
            let judged = trial.metered(judge.clone()).run(JudgeState::new(mail));
            async move {
                match judged.await {
                    Ok(run) => {
                        let tone = run.state.verdict.map(|verdict| verdict.tone);
                        Score::from(tone == Some(Tone::Friendly))
                            .labelled(&tone, Some(&label).filter(|label| label.is_some()))
                    }
                    Err(error) => Score::fail(error.to_string()),
                }
            }
        })
        .run()
        .await
}

fn judge() -> Runner<Judge> {
    Judge::runner().model(Clerk::new(&[
        ("Hello", r#"{"tone": "friendly"}"#),
        ("Pay", r#"{"tone": "rude"}"#),
        ("Mumble", "I would rather talk about the weather."),
    ]))
}

#[tokio::test]
async fn a_report_says_how_far_a_judge_agrees_with_people() {
    let report = report(judge()).await;
    let agreement = &report.agreement("small")["tone"];
    assert_eq!((agreement.agreed, agreement.pairs), (3, 4), "a case without a label is no pair");
    let line = "small, tone agrees with people: 3 of 4 (75 %), kappa 0.50; people say rude, the judge friendly: 1";
    assert!(report.to_string().contains(line), "{report}");
    assert!(report.to_markdown().contains(line), "{}", report.to_markdown());
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
}

#[tokio::test]
async fn a_judge_that_answers_nonsense_has_no_verdict() {
    let report = report(judge()).await;
    let nonsense = report.trials.iter().find(|trial| trial.case == "f").unwrap();
    let score = &nonsense.scores["tone"];
    assert!(!nonsense.passed && nonsense.error.is_none() && score.judgement.is_none(), "{score:?}");
    assert!(score.why.contains("no attempt gave a valid reply"), "{score:?}");
}

#[tokio::test]
async fn a_report_without_labels_says_nothing_of_agreement() {
    let report = crate::process::folders(Clerk::bills()).run().await;
    assert!(
        report.agreement("small").is_empty() && !report.to_string().contains("agrees"),
        "{report}"
    );
}

#[test]
fn kappa_is_that_of_cohen() {
    // A published table: both yes 20, both no 15, and 5 and 10 that differ.
    let pairs = [("yes", "yes", 20), ("yes", "no", 10), ("no", "yes", 5), ("no", "no", 15)];
    let pairs = pairs.into_iter().flat_map(|(a, b, count)| vec![(a, b); count]);
    let agreement = Agreement::new(pairs);
    assert!((agreement.kappa().unwrap() - 0.4).abs() < 1e-12, "{agreement}");
    let opposite = Agreement::new([("a", "b"), ("b", "a")]);
    assert_eq!(opposite.kappa(), Some(-1.0));
}

#[test]
fn an_undefined_kappa_is_said() {
    let same = Agreement::new([("good", "good"); 3]);
    assert_eq!(same.kappa(), None);
    assert_eq!(
        same.to_string(),
        "3 of 3 (100 %), kappa undefined: all verdicts and labels are the same"
    );
    let none = Agreement::new(Vec::<(&str, &str)>::new());
    assert_eq!(none.to_string(), "0 of 0 (0 %), kappa undefined: there is no label");
}

proptest! {
    #[test]
    fn kappa_is_between_its_bounds(pairs in prop::collection::vec((0_u8..4, 0_u8..4), 1..60)) {
        let words = pairs.iter().map(|(a, b)| (a.to_string(), b.to_string()));
        let agreement = Agreement::new(words);
        if let Some(kappa) = agreement.kappa() {
            prop_assert!((-1.0 - 1e-9..=1.0 + 1e-9).contains(&kappa), "{agreement}");
            prop_assert_eq!((kappa - 1.0).abs() < 1e-12, agreement.agreed == agreement.pairs);
        }
    }
}
