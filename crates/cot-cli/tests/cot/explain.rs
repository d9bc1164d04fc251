//! The output of `cot explain`.

use super::{Ended, cot};

#[test]
fn a_code_is_explained_in_either_case() {
    let Ended { out, err, code } = cot(&["explain", "COT0001"], "");
    assert_eq!((err.as_str(), code), ("", 0));
    assert!(out.starts_with("COT0001: no task `…` in this process\n\n```text\n"), "{out}");
    assert!(out.contains("error: no task `ad` in this process [COT0001]\n"), "{out}");
    assert!(out.contains("*Fix:* name a task"), "{out}");
    assert!(!out.contains("COT0002") && !out.contains("\n#"), "{out}");
    assert_eq!(cot(&["explain", "cot0001"], "").out, out);
}

#[test]
fn without_a_code_all_are_listed() {
    let Ended { out, code, .. } = cot(&["explain"], "");
    assert_eq!(code, 0);
    assert_eq!(out.lines().next(), Some("COT0001  no task `…` in this process"));
    assert!(out.lines().count() > 200 && out.lines().all(|line| line.starts_with("COT")), "{out}");
}

#[test]
fn an_unknown_code_is_an_error_with_the_range() {
    let Ended { out, err, code } = cot(&["explain", "COT9999"], "");
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(
        err.contains("no error has the code `COT9999`; the codes are COT0001 to COT0"),
        "{err}"
    );
    let err = cot(&["explain", "e0308"], "").err;
    assert!(err.contains("`rustc --explain E0308` explains this one"), "{err}");
}
