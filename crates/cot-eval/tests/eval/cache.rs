#[cfg(unix)]
use std::{env, process::Command};
use std::{fs, num::NonZeroUsize};

use cot_core::{
    Budget,
    eval::{CacheError, Eval, ReplyCache},
};

use crate::process::{Clerk, Sorter, folders, mails};

#[tokio::test]
async fn a_call_is_paid_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("replies.jsonl");
    let clerk = Clerk::bills();
    let first =
        folders(clerk.clone()).cache(ReplyCache::open(&path).unwrap()).repeats(2).run().await;
    assert_eq!((clerk.calls(), first.paid.calls), (6, 6));
    let again =
        folders(clerk.clone()).cache(ReplyCache::open(&path).unwrap()).repeats(3).run().await;
    assert_eq!((clerk.calls(), again.paid.calls), (9, 3), "one more repeat");
    assert_eq!(first.trials[0].usage, again.trials[0].usage);
    assert_eq!(again.trials[0].usage.input_tokens, 10, "as when the call was made");
}

#[tokio::test]
async fn an_eval_that_was_killed_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("replies.jsonl");
    let clerk = Clerk::bills();
    let budget = Budget { calls: Some(2), ..Budget::NONE };
    let cut = folders(clerk.clone()).cache(ReplyCache::open(&path).unwrap()).budget(budget);
    assert_eq!(cut.concurrency(NonZeroUsize::MIN).run().await.left_out, 1);
    // The program died while it wrote a line.
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{whole}{{\"key\":\"half")).unwrap();
    let report = folders(clerk.clone()).cache(ReplyCache::open(&path).unwrap()).run().await;
    assert_eq!((report.trials.len(), report.paid.calls, clerk.calls()), (3, 1, 3));
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
}

#[tokio::test]
async fn a_request_that_is_made_twice_has_two_replies() {
    // Both attempts of a trial have other prompts; two trials of a case have the same.
    let cache = ReplyCache::new();
    let clerk = Clerk::new(&[("", r#"{"name":"two words"}"#)]);
    let eval =
        || Eval::new("retried", mails()).variant("small", Sorter::runner().model(clerk.clone()));
    let first = eval().cache(cache.clone()).run().await;
    let again = eval().cache(cache).run().await;
    assert_eq!((first.paid.calls, again.paid.calls, clerk.calls()), (6, 0, 6));
}

#[tokio::test]
async fn variants_do_not_share_replies() {
    let cache = ReplyCache::new();
    let report = folders(Clerk::bills())
        .variant("other", Sorter::runner().model(Clerk::new(&[("", r#"{"name":"friends"}"#)])))
        .cache(cache)
        .run()
        .await;
    assert_eq!((report.summary("small").passed, report.summary("other").passed), (2, 1));
}

#[test]
fn a_file_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "Dear diary,\n").unwrap();
    let error = ReplyCache::open(&path).unwrap_err();
    assert!(matches!(error, CacheError::Line { line: 1, .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "Dear diary,\n", "it is left alone");
    fs::write(&path, "Dear diary").unwrap();
    assert!(matches!(ReplyCache::open(&path).unwrap_err(), CacheError::Line { line: 1, .. }));
    assert_eq!(fs::read_to_string(&path).unwrap(), "Dear diary", "it is left alone, too");
    assert!(matches!(ReplyCache::open(folder.path()).unwrap_err(), CacheError::Io { .. }));
}

#[test]
fn one_cache_has_a_file_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("replies.jsonl");
    let first = ReplyCache::open(&path).unwrap();
    let error = ReplyCache::open(&path).unwrap_err();
    assert!(matches!(error, CacheError::InUse { .. }), "{error}");
    drop(first);
    ReplyCache::open(&path).unwrap();
}

#[cfg(unix)]
#[test]
fn a_device_is_no_cache() {
    for path in ["/dev/zero", "/dev/null"] {
        let refused = ReplyCache::open(path);
        assert!(matches!(refused, Err(CacheError::Io { .. })), "{path}: {refused:?}");
    }
}

#[cfg(unix)]
const PATH: &str = "COT_TEST_CACHE";

/// Runs in a process of its own, in which no file may have more than a kilobyte.
#[cfg(unix)]
#[tokio::test]
#[ignore = "a part of the next test"]
async fn a_cache_that_has_no_room() {
    let Some(path) = env::var_os(PATH) else { return };
    let report =
        folders(Clerk::bills()).cache(ReplyCache::open(path).unwrap()).repeats(20).run().await;
    assert_eq!((report.summary("small").trials, report.summary("small").passed), (60, 40));
    let error = report.cache_error.as_deref().unwrap();
    assert!(report.to_string().contains(&format!("The cache could not be written: {error}")));
}

#[cfg(unix)]
#[tokio::test]
async fn a_write_that_fails_in_the_middle_loses_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("replies.jsonl");
    let test = "cache::a_cache_that_has_no_room";
    let script = r#"trap '' XFSZ; ulimit -f 1; exec "$0" --exact "$1" --include-ignored"#;
    let child = Command::new("bash")
        .args(["-c", script])
        .arg(env::current_exe().unwrap())
        .arg(test)
        .env(PATH, &path)
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    let written = fs::read_to_string(&path).unwrap();
    assert!(!written.is_empty() && !written.ends_with('\n'), "the last line is cut: {written}");
    let clerk = Clerk::bills();
    let again =
        folders(clerk.clone()).cache(ReplyCache::open(&path).unwrap()).repeats(20).run().await;
    assert_eq!(again.summary("small").passed, 40);
    assert_eq!(clerk.calls(), 60 - (written.lines().count() - 1), "whole lines are paid once");
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 60);
}
