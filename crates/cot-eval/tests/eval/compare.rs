use cot_core::eval::{Comparison, Eval, Report, score};

use crate::process::{Clerk, Sorter, SorterTask, mail};

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
    assert!(comparison.missing.is_empty() && comparison.added.is_empty());
}

#[tokio::test]
async fn what_only_one_report_has_is_named() {
    let (old, mut new) = (report(10).await, report(10).await);
    new.trials.retain(|trial| trial.case != "mail 03");
    let comparison = Comparison::between(&old, &new);
    assert_eq!(comparison.missing, ["case of variant small: mail 03"]);
    assert!(comparison.is_worse_by(0.5), "nothing vanishes unseen");
    assert!(
        comparison
            .to_string()
            .contains("Missing in the new report: case of variant small: mail 03.")
    );
    new.variants = vec!["large".to_owned()];
    new.process = "Other".to_owned();
    let comparison = Comparison::between(&old, &new);
    assert_eq!(comparison.missing, ["process Sorter", "variant small"]);
    assert_eq!(comparison.added, ["process Other", "variant large"]);
    assert!(comparison.changes.is_empty());
}

#[tokio::test]
async fn few_cases_say_nothing() {
    let (mut good, mut bad) = (report(20).await, report(0).await);
    for report in [&mut good, &mut bad] {
        report.trials.truncate(5);
    }
    let change = &Comparison::between(&good, &bad).changes[0];
    assert_eq!(
        (change.old, change.new, change.chance),
        (1.0, 0.0, 0.125),
        "2 of 32 signs, of two figures"
    );
    assert!(!change.is_worse());
}

#[tokio::test]
async fn a_metric_does_not_decide() {
    let (mut old, mut new) = (report(20).await, report(0).await);
    for report in [&mut old, &mut new] {
        report.scorers.insert("folder".to_owned(), 0.0);
        report.trials.iter_mut().for_each(|trial| trial.passed = true);
    }
    let comparison = Comparison::between(&old, &new);
    assert!(comparison.changes[1].is_worse() && comparison.changes[1].is_metric, "{comparison}");
    assert!(!comparison.is_worse_by(0.0), "{comparison}");
}

#[tokio::test]
async fn an_outage_is_no_change() {
    let (old, mut new) = (report(20).await, report(20).await);
    for trial in &mut new.trials[..8] {
        trial.passed = false;
        trial.error = Some("the server is down".to_owned());
    }
    let comparison = Comparison::between(&old, &new);
    assert_eq!((comparison.changes[0].cases, comparison.changes[0].new), (12, 1.0));
    assert_eq!(comparison.missing.len(), 8, "but it is noticed");
}

/// A report of six mails, which the clerk puts into the right folder or not.
async fn of_variant(variant: &str, is_right: bool) -> Report {
    let folder = if is_right { "bills" } else { "friends" };
    let cases = ('a'..='f').map(|name| mail(&name.to_string(), "Invoice", folder));
    Eval::new("folders", cases.collect())
        .variant(variant, Sorter::runner().model(Clerk::bills()))
        .score("folder", |trial| {
            score::equal(&trial.state().folder.as_deref(), &Some(trial.expected().as_str()))
        })
        .run()
        .await
}

#[tokio::test]
async fn variants_are_compared_with_their_own_or_else_with_all_others() {
    let (small, large) = (of_variant("small", false).await, of_variant("large", true).await);
    let across = Comparison::between(&small, &large);
    let change = &across.changes[0];
    assert_eq!((&*change.variant, change.old, change.new), ("small -> large", 0.0, 1.0));
    assert!(change.interval.low > 0.0 && change.cases == 6, "{across}");
    assert_eq!(across.missing, ["variant small"], "a gate still sees it");
    let both = Comparison::between(&small, &small.clone().join(large));
    let variants: Vec<_> = both.changes.iter().map(|change| &*change.variant).collect();
    assert_eq!(variants, ["small", "small"], "{both}");
    assert_eq!(both.added, ["variant large"]);
}

#[tokio::test]
async fn reports_of_several_evals_are_joined() {
    let small = of_variant("small", true).await;
    let other = Eval::new("ends", vec![mail("other", "Hello", "bills")])
        .variant("small", Sorter::runner().model(Clerk::bills()))
        .score("end", |trial| trial.ended_at(SorterTask::Done))
        .run()
        .await;
    let joined = small.clone().join(other);
    let summary = joined.summary("small");
    assert_eq!((summary.trials, summary.passed), (7, 7));
    assert_eq!((summary.mean_score("folder"), summary.mean_score("end")), (1.0, 1.0));
    assert!(Comparison::between(&joined, &joined).missing.is_empty());
    let lost = Comparison::between(&joined, &small).missing;
    assert_eq!(lost, ["scorer end", "case of variant small: other"]);
    let mut unscored = joined.clone();
    unscored.trials.iter_mut().for_each(|trial| drop(trial.scores.remove("end")));
    assert_eq!(Comparison::between(&joined, &unscored).missing, ["end of variant small: other"]);
}

/// A report of many cases with one trial each, which passes where this says so.
async fn many(cases: usize, is_right: impl Fn(usize) -> bool) -> Report {
    let mut report = report(20).await;
    let trial = report.trials[0].clone();
    let trials = (0..cases).map(|number| {
        let mut trial = trial.clone();
        (trial.case, trial.passed) = (format!("mail {number}"), is_right(number));
        trial
    });
    report.trials = trials.collect();
    report
}

#[tokio::test]
async fn many_cases_are_compared_as_few_are() {
    let changes = |cases: usize| async move {
        // Of these cases, a tenth is better and a twentieth is worse.
        let old = many(cases, |number| number % 10 != 1).await;
        let new = many(cases, |number| number % 20 != 2).await;
        Comparison::between(&old, &new).changes[0].clone()
    };
    // Signs are drawn below a thousand changed cases, and not above.
    let (drawn, normal) = (changes(6_000).await, changes(20_000).await);
    for change in [&drawn, &normal] {
        assert!((change.new - change.old - 0.05).abs() < 1e-9, "{change:?}");
        assert!(change.is_better() && change.interval.low > 0.0, "{change:?}");
    }
    let width = |change: &cot_core::eval::Change| change.interval.high - change.interval.low;
    let ratio = width(&drawn) / width(&normal) * (6_000.0_f64 / 20_000.0).sqrt();
    assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
    let (right, left) = (many(20_000, |n| n % 2 == 0).await, many(20_000, |n| n % 2 == 1).await);
    let even = Comparison::between(&left, &right).changes[0].clone();
    assert!((even.chance - 1.0).abs() < 1e-6 && !even.is_worse(), "{even:?}");
}

#[tokio::test]
async fn a_change_of_many_cases_can_be_chance() {
    // 1,050 cases are better and 990 are worse: z is 60 / sqrt(2040), which is 1.328; two figures double the chance.
    let old = many(3_000, |number| number >= 1_050).await;
    let new = many(3_000, |number| number < 2_010).await;
    let change = Comparison::between(&old, &new).changes[0].clone();
    assert!((change.chance - 2.0 * 0.18407).abs() < 2e-3, "{change:?}");
    assert!(!change.is_better() && !change.is_worse());
}
