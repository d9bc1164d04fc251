//! The output, files and exit status of `cot task fmt`.

use std::fs;

use super::{FINE, STRAY, cot, file};

/// The same trace in another layout.
fn squeezed() -> String {
    FINE.replace("    ", "\t").replace("\n\n", "\r\n")
}

const WRONG: &str = "plan { a -> 1 }\n";

#[test]
fn one_file_is_printed_in_the_usual_layout() {
    let path = file("print.task", squeezed());
    for ended in [cot(&["task", "fmt", &path], ""), cot(&["task", "fmt", "-"], squeezed())] {
        assert_eq!((ended.out.as_str(), ended.err.as_str(), ended.code), (FINE, "", 0));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), squeezed());
}

#[test]
fn what_steers_a_terminal_is_printed_as_an_escape() {
    let path = file("escapes.task", "user「a\u{1b}[2J\u{202e}b\u{9b}m」🏷 usr1\n");
    let ended = cot(&["task", "fmt", &path], "");
    assert_eq!(ended.out, "user \"a\\u{1b}[2J\\u{202e}b\\u{9b}m\" 🏷 usr1\n");
    let again = cot(&["task", "fmt", "-"], &*ended.out);
    assert_eq!((&again.out, again.code), (&ended.out, 0));
    let json = |path: &str| cot(&["task", "json", path], "").out;
    assert_eq!(json(&path), json(&file("escaped.task", &again.out)));
}

#[test]
fn several_files_are_not_printed() {
    let path = file("several.task", FINE);
    let ended = cot(&["task", "fmt", &path, &path], "");
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
    assert!(ended.err.contains("several files need `--write` or `--check`"), "{}", ended.err);
}

#[test]
fn files_are_written_where_they_differ() {
    let (fine, other) = (file("write_fine.task", FINE), file("write_other.task", squeezed()));
    let before = fs::metadata(&fine).unwrap().modified().unwrap();
    let ended = cot(&["task", "fmt", "--write", &fine, &other], "");
    assert_eq!((ended.out.as_str(), ended.err.as_str(), ended.code), ("", "", 0));
    assert_eq!(fs::read_to_string(&other).unwrap(), FINE);
    assert_eq!(fs::metadata(&fine).unwrap().modified().unwrap(), before);
    assert_eq!(cot(&["task", "fmt", "--check", &fine, &other], "").code, 0);
}

#[test]
fn check_names_the_files_that_differ_and_changes_nothing() {
    let (fine, other) = (file("check_fine2.task", FINE), file("check_other.task", squeezed()));
    let marked = file("check_marked.task", format!("\u{feff}{FINE}"));
    let ended = cot(&["task", "fmt", "--check", &other, &fine, &marked], "");
    assert_eq!(ended.out, format!("{other}\n{marked}\n"));
    assert_eq!((ended.err.as_str(), ended.code), ("", 1));
    assert_eq!(fs::read_to_string(&other).unwrap(), squeezed());
    assert_eq!(cot(&["task", "fmt", "--check", "-"], squeezed()).out, "-\n");
}

#[test]
fn numbers_keep_their_texts() {
    let text = "plan {\n    a ↦ 123456789012345678901234567890n •\n    b ↦ 0xFF 𝑝 1.0\n}\n";
    let ended = cot(&["task", "fmt", "-"], text);
    assert_eq!((ended.out.as_str(), ended.code), (text, 0));
}

#[test]
fn what_has_syntax_errors_is_never_changed_and_the_others_are() {
    let (wrong, other) = (file("wrong.task", WRONG), file("beside_wrong.task", squeezed()));
    let mut arguments = vec!["task", "fmt", "--write", "--drop-stray-text", &wrong, &other];
    let ended = cot(&arguments, "");
    assert_eq!((ended.out.as_str(), ended.code), ("", 1));
    assert!(ended.err.contains("error[stand_in]"), "{}", ended.err);
    assert!(ended.err.contains(&format!("{wrong}:1:10")), "{}", ended.err);
    assert_eq!(fs::read_to_string(&wrong).unwrap(), WRONG);
    assert_eq!(fs::read_to_string(&other).unwrap(), FINE);
    arguments[2] = "--check";
    assert_eq!(cot(&arguments, "").code, 1);
    let printed = cot(&["task", "fmt", "-"], WRONG);
    assert_eq!((printed.out.as_str(), printed.code), ("", 1));
}

#[test]
fn stray_text_is_dropped_from_a_file_only_where_that_is_allowed() {
    let path = file("stray.task", STRAY);
    let printed = cot(&["task", "fmt", &path], "");
    assert!(printed.out.starts_with("system「a」\n\nuser"), "{}", printed.out);
    assert!(printed.err.contains("warning[stray_text]"), "{}", printed.err);
    assert_eq!(printed.code, 1);

    let refused = cot(&["task", "fmt", "--write", &path], "");
    assert!(refused.err.contains("is not written: text would be dropped"), "{}", refused.err);
    assert_eq!((refused.code, fs::read_to_string(&path).unwrap().as_str()), (1, STRAY));

    let allowed = cot(&["task", "fmt", "--drop-stray-text", "--write", &path], "");
    assert_eq!((allowed.err.as_str(), allowed.code), ("", 0));
    assert_eq!(fs::read_to_string(&path).unwrap(), printed.out);
}

#[test]
fn a_wrong_call_changes_nothing() {
    let path = file("both.task", squeezed());
    assert_eq!(cot(&["task", "fmt", "--write", "--check", &path], "").code, 2);
    assert_eq!(fs::read_to_string(&path).unwrap(), squeezed());
    let standard = cot(&["task", "fmt", "--write", "-"], FINE);
    assert_eq!((standard.out.as_str(), standard.code), ("", 2));
    assert!(standard.err.contains("omit `--write`"), "{}", standard.err);
}
