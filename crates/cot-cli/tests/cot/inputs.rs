//! Inputs of all commands.

use std::{fs, process::Stdio};

use super::{FINE, STRAY, command, cot, ended, file, folder, report};

const ALL: [&[&str]; 6] = [
    &["task", "check"],
    &["task", "fmt"],
    &["task", "json"],
    &["task", "from-json"],
    &["steps"],
    &["read"],
];

#[test]
fn what_can_t_be_read_ends_with_2_and_says_why() {
    let folder = folder();
    let folder = folder.to_str().unwrap();
    let bytes = file("latin1.txt", b"a\nb\xe9\n");
    for subcommand in ALL {
        for (path, why) in [
            ("/no/such/file", "error: can't read `/no/such/file`: "),
            (folder, "irectory"),
            (&bytes, "latin1.txt`: it is not UTF-8 at line 2, column 2, after 3 bytes\n"),
        ] {
            let ended = cot(&[subcommand, &[path]].concat(), "");
            assert_eq!(ended.code, 2, "{subcommand:?} {path}");
            assert!(ended.err.contains(why), "{subcommand:?} {path}: {}", ended.err);
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_reported_as_json_too() {
    let bytes = b"system\xff";
    let (printed, code) = report(&["task", "check", "--json", "-"], bytes);
    assert_eq!((&printed["valid"], code), (&false.into(), 2));
    let error = &printed["errors"][0];
    assert_eq!((&error["code"], &error["column"]), (&"invalid_utf8".into(), &7.into()));

    let (printed, code) = report(&["read", "-"], bytes);
    assert_eq!((printed["value"].is_null(), code), (true, 2));
    assert!(printed["issues"][0]["message"].as_str().unwrap().contains("not UTF-8"), "{printed}");
}

#[test]
fn an_empty_file_is_read() {
    let path = file("empty.txt", "");
    for (arguments, code) in ALL.into_iter().zip([1, 0, 0, 1, 0, 1]) {
        assert_eq!(cot(&[arguments, &[&path]].concat(), "").code, code, "{arguments:?}");
    }
}

#[test]
fn a_byte_order_mark_is_no_mistake() {
    for (arguments, text) in ALL.into_iter().zip([FINE, FINE, FINE, "[]", "1. a", "{}"]) {
        let ended = cot(&[arguments, &["-"]].concat(), format!("\u{feff}{text}"));
        assert_eq!((ended.err.as_str(), ended.code), ("", 0), "{arguments:?}");
    }
}

#[test]
fn every_file_is_gone_through_whatever_comes_of_the_others() {
    let (wrong, fine) = (file("through_wrong.task", "plan {"), file("through.task", STRAY));
    let ended = cot(&["task", "check", "/no/such/file", &wrong, &fine], "");
    for said in ["/no/such/file", "error[unclosed_object]", "warning[stray_text]"] {
        assert!(ended.err.contains(said), "{said}: {}", ended.err);
    }
    assert_eq!(ended.code, 2);
}

#[test]
fn standard_input_is_read_once() {
    let ended = cot(&["task", "check", "-", "-"], FINE);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("standard input can be read only once"), "{}", ended.err);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let path = file("pipe.txt", "Step 1: a\n".repeat(100_000));
    for arguments in [vec!["steps", &path], vec!["man"], vec!["completions", "bash"]] {
        let mut child =
            command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ended = ended(child.wait_with_output().unwrap());
        assert_eq!((ended.err.as_str(), ended.code), ("", 0), "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let path = file("full.txt", "Step 1: a\n");
    let full = fs::File::create("/dev/full").unwrap();
    let output = command(&["steps", &path]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let ended = ended(output);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("error: can't write standard output: "), "{}", ended.err);
}

#[test]
fn a_line_of_50_megabytes_is_read() {
    const SIZE: usize = 50_000_000;
    let mut text = "user「".to_owned();
    text.push_str(&"x".repeat(SIZE));
    text.push_str("」 🏷 usr1 ※ nope");
    let path = file("large.task", &text);
    let checked = cot(&["task", "check", &path], "");
    assert_eq!(checked.code, 1);
    assert!(checked.err.contains(&format!("{path}:1:50000017\n")), "{}", checked.err);
    // A message shows a part of the line around the position.
    assert!(checked.err.len() < 10_000, "{}", checked.err.len());
    assert!(checked.err.contains("xxx」 🏷 usr1 ※ nope"), "{}", checked.err);

    let printed = cot(&["steps", &path], "");
    let nothing = "{\"steps\":[],\"conclusion\":null}\n";
    assert_eq!((printed.out.as_str(), printed.code), (nothing, 0));
    fs::remove_file(path).unwrap();
}
