//! Plain lines.

use cot_core::{model::ScriptedModel, prelude::*, progress::Progress};

use crate::world::{Chapters, Draft, Kept, Outer, Texts, Trip, TripState, Words, replies};

#[tokio::test]
async fn each_event_worth_telling_is_a_line() {
    let kept = Kept::default();
    let model = ScriptedModel::new([r#"{"text":""}"#, r#"{"text":"a\u001b[2Jb"}"#]);
    let runner = Progress::plain(kept.clone()).attach(Draft::runner().model(model));
    let run = runner.run(Words::default()).await.unwrap();
    let text = kept.text();
    let lines: Vec<&str> = text.lines().collect();
    let prefix = format!("{} Draft ", run.run_id);
    assert_eq!(lines[0], format!("{prefix}write: started, step 1"));
    assert!(lines[1].starts_with(&format!("{prefix}write: attempt 1 ")), "{text}");
    assert!(lines[1].contains("$.text") && lines[1].ends_with("will retry"), "{text}");
    assert!(lines[2].starts_with(&format!("{prefix}write: committed (1 call, ")), "{text}");
    assert!(lines[3].starts_with(&format!("✓ {prefix}ended at done (step 1, 2 calls, ")), "{text}");
    assert_eq!(lines.len(), 4, "{text}");
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
}

#[tokio::test]
async fn items_people_and_failures_are_told() {
    let kept = Kept::default();
    let model = ScriptedModel::new(replies(&["one", "two", "three"]));
    let runner = Chapters::runner().model(model).person(async |question| {
        assert!(question.text.contains("go out"));
        serde_json::json!({ "text": "yes" })
    });
    let state = Texts { topics: ["a", "b", "c"].map(str::to_owned).into(), ..Texts::default() };
    Progress::plain(kept.clone()).attach(runner).report(state).await.unwrap();
    let text = kept.text();
    for expected in [
        "chapters: 3 items\n",
        "chapters: 3 of 3 items done\n",
        "release: waits for a person: May it go out?\n",
    ] {
        assert!(text.contains(expected), "no `{expected}` in\n{text}");
    }

    let kept = Kept::default();
    let runner = Outer::runner().model(ScriptedModel::new(["no", "no", "no", "no"]));
    Progress::plain(kept.clone()).attach(runner).report(Words::default()).await.unwrap();
    let text = kept.text();
    assert!(text.contains(" inner: Draft: write: started, step 1\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("✗ "), "{text}");
    assert!(text.contains(" halted: "), "{text}");
}

#[tokio::test]
async fn branches_are_told_by_an_observer_without_a_process() {
    let kept = Kept::default();
    let progress = Progress::plain(kept.clone());
    let runner = Trip::runner().model(ScriptedModel::new(replies(&["LH 1", "Inn"])));
    let runner = runner.observe(progress.observer());
    let run = runner.run(TripState::new()).await.unwrap();
    let text = kept.text();
    for expected in
        ["search: started, step 1", "search: branch flight joined", "hotel: started, step 3"]
    {
        let expected = format!("{} {expected}\n", run.run_id);
        assert!(text.contains(&expected), "no `{expected}` in\n{text}");
    }
}

#[tokio::test]
async fn a_run_that_is_dropped_is_told() {
    let kept = Kept::default();
    let runner = Progress::plain(kept.clone())
        .attach(Chapters::runner().model(ScriptedModel::new(replies(&["one"]))));
    let state = Texts { topics: vec!["a".to_owned()], ..Texts::default() };
    let mut run = runner.start(state).unwrap();
    while let Some(event) = run.next().await {
        if matches!(event, RunEvent::Asked { .. }) {
            break;
        }
    }
    drop(run);
    let text = kept.text();
    let last = text.lines().last().unwrap();
    assert!(last.contains("left at release: waits for a person: May it go out?"), "{text}");
}

#[test]
fn lines_of_the_program_stay_whole() {
    use std::io::Write as _;
    let kept = Kept::default();
    let progress = Progress::plain(kept.clone());
    progress.println("one");
    let mut writer = progress.writer();
    write!(writer, "two\nthr").unwrap();
    progress.println("four");
    writer.write_all(b"ee").unwrap();
    drop(writer);
    progress.suspend(|| ());
    assert_eq!(kept.text(), "one\ntwo\nfour\nthree\n");
    Progress::hidden().println("nothing");
}

#[test]
fn each_tenth_of_a_bar_is_a_line() {
    let kept = Kept::default();
    let bar = Progress::plain(kept.clone()).bar("mails\u{1b}[2J");
    for done in 1..=40 {
        bar.set(done, 40, if done > 20 { "1 failed" } else { "" });
    }
    let text = kept.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (10, "mails[2J: 4 of 40"), "{text}");
    assert_eq!(lines[9], "✓ mails[2J: 40 of 40, 1 failed");
}
