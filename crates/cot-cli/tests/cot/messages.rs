//! The form and the colours of messages.

use super::{Ended, command, cot, ended, file, run};

const ESCAPE: char = '\u{1b}';

fn shown(text: &str) -> String {
    cot(&["task", "check", "-"], text).err
}

#[test]
fn a_mistake_is_shown_under_its_line() {
    let path =
        file("shown.task", "system「a」\nuser「b」 🏷 usr1\nplan { a -> 1 }\nresponse「c」\n");
    let Ended { out, err, code } = cot(&["task", "check", &path], "");
    let expected = format!(
        "error[stand_in]: write `↦` for `->`
 --> {path}:3:10
  |
3 | plan {{ a -> 1 }}
  |          ^

error: `{path}` has 1 error
"
    );
    assert_eq!((out.as_str(), err.as_str(), code), ("", expected.as_str(), 1));
}

/// Returns the excerpt for a position, and the marks under it.
fn mark_under(err: &str, place: &str) -> (String, String) {
    let mut lines = err.lines().skip_while(|line| !line.ends_with(place)).skip(2);
    let mut next = || {
        let (_, shown) = lines.next().unwrap().split_once('|').unwrap();
        shown.strip_prefix(' ').unwrap_or(shown).to_owned()
    };
    (next(), next())
}

#[test]
fn marks_stand_under_their_words_in_any_script() {
    for (line, place, expected, mark) in [
        // Tabs are shown as four spaces.
        ("\t\tuser「b」 ※ nope", ":2:13", "        user「b」 ※ nope", 8 + 4 + 5 + 3),
        // Characters of two columns.
        ("user「日本」 ※ nope", ":2:12", "user「日本」 ※ nope", 4 + 8 + 3),
        // A combining character has no width.
        ("user「e\u{301}」 ※ nope", ":2:12", "user「e\u{301}」 ※ nope", 4 + 5 + 3),
        ("user「שלום」 ※ nope", ":2:14", "user「שלום」 ※ nope", 4 + 8 + 3),
        ("user「b」 ※ nope\r", ":2:11", "user「b」 ※ nope", 4 + 5 + 3),
        // Control characters are shown as symbols.
        ("user「\u{1b}[2J」 ※ nope", ":2:14", "user「␛[2J」 ※ nope", 4 + 8 + 3),
    ] {
        let err = shown(&format!("system「a」\n{line}\n"));
        let found = mark_under(&err, place);
        assert_eq!(found, (expected.to_owned(), format!("{}^^^^", " ".repeat(mark))), "{err}");
    }
}

#[test]
fn a_byte_order_mark_is_not_counted() {
    let err = shown("\u{feff}user「b」 ※ nope");
    let expected = ("user「b」 ※ nope".to_owned(), format!("{}^^^^", " ".repeat(12)));
    assert_eq!(mark_under(&err, ":1:11"), expected, "{err}");
}

#[test]
fn the_end_of_a_text_is_shown_too() {
    let err = shown("system「a」\n");
    assert_eq!(mark_under(&err, "standard input:2:1"), (String::new(), "^".to_owned()), "{err}");
    assert!(shown("").contains("standard input:1:1\n"));
}

#[test]
fn a_part_of_a_long_line_is_shown() {
    let err = shown(&format!("user「{}」 ※ nope {}", "日".repeat(5_000), "x".repeat(5_000)));
    let (line, mark) = mark_under(&err.replace(" ::: \n", ""), ":1:5010");
    assert!(line.starts_with("... 日") && line.ends_with("x..."), "{line}");
    assert!(line.chars().count() < 200 && mark.ends_with(" ^^^^"), "{err}");
}

#[test]
fn messages_have_colours_where_that_is_asked_for() {
    let colours = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(&[&["task", "check", "-"], arguments].concat());
        command.envs(variables.iter().copied());
        let Ended { err, code, .. } = ended(run(&mut command, b"plan { a -> 1 }"));
        assert_eq!(code, 1);
        assert!(err.contains("stand_in"), "{err}");
        err.contains(ESCAPE)
    };
    // Standard error is not a terminal here.
    assert!(!colours(&[], &[]));
    assert!(!colours(&["--color", "auto"], &[]));
    assert!(colours(&["--color", "always"], &[]));
    assert!(colours(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!colours(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(colours(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colours(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn results_have_no_colours() {
    let ended = cot(&["--color", "always", "task", "check", "--json", "-"], "plan { a -> 1 }");
    assert_eq!((ended.out.contains(ESCAPE), ended.err.as_str()), (false, ""));
}

#[test]
fn a_wrong_colour_is_a_wrong_call() {
    let ended = cot(&["--color", "sometimes", "steps", "-"], "");
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("auto, always, never"), "{}", ended.err);
}
