use cot_core::eval::{Comparison, Eval, Report, score};

use crate::process::{Clerk, Sorter, mail};

/// Twenty mails, of which the clerk knows this many.
async fn report(known: usize) -> Report {
    let cases = (0..20)
        .map(|number| mail(&format!("mail {number:02}"), &format!("Mail {number:02}."), "bills"));
    let answer = |number: usize| {
        if number < known { r#"{"name":"bills"}"# } else { r#"{"name":"friends"}"# }
    };
    let texts: Vec<String> = (0..20).map(|number| format!("Mail {number:02}.")).collect();
    let answers: Vec<_> = texts
        .into_iter()
        .enumerate()
        .map(|(number, text)| (&*text.leak(), answer(number)))
        .collect();
    Eval::new("folders", cases.collect())
        .variant("small", Sorter::runner().model(Clerk::new(&answers)))
        .score("folder", |trial| {
            score::equal(&trial.state().folder.as_deref(), &Some(trial.expected().as_str()))
        })
        .run()
        .await
}

#[tokio::test]
async fn a_change_counts_beyond_chance() {
    let (good, bad) = (report(18).await, report(6).await);
    let worse = Comparison::between(&good, &bad);
    let change = &worse.changes[0];
    assert!(change.is_worse() && !change.is_better(), "{worse}");
    assert_eq!((change.old, change.new, change.cases), (0.9, 0.3, 20));
    assert!(worse.is_worse_by(0.5) && !worse.is_worse_by(0.7));
    assert!(Comparison::between(&bad, &good).changes[0].is_better());
}

#[tokio::test]
async fn one_case_of_twenty_is_chance() {
    let comparison = Comparison::between(&report(18).await, &report(17).await);
    assert!(
        comparison.changes.iter().all(|change| !change.is_worse() && !change.is_better()),
        "{comparison}"
    );
    assert!(!comparison.is_worse_by(0.0));
    assert!(comparison.to_string().contains("no change beyond chance"), "{comparison}");
}

#[tokio::test]
async fn the_same_report_has_no_change() {
    let report = report(10).await;
    let comparison = Comparison::between(&report, &report);
    assert!(
        comparison
            .changes
            .iter()
            .all(|change| change.interval.low == 0.0 && change.interval.high == 0.0)
    );
    assert!(comparison.only_in_one.is_empty());
}

#[tokio::test]
async fn what_only_one_report_has_is_named() {
    let (old, mut new) = (report(10).await, report(10).await);
    new.trials.retain(|trial| trial.case != "mail 03");
    let comparison = Comparison::between(&old, &new);
    assert_eq!(comparison.only_in_one, ["case mail 03 of small, in the old report"]);
    new.trials.iter_mut().for_each(|trial| trial.variant = "large".to_owned());
    let comparison = Comparison::between(&old, &new);
    assert_eq!(
        comparison.only_in_one,
        ["variant small, in the old report", "variant large, in the new report"]
    );
    assert!(comparison.changes.is_empty());
}
