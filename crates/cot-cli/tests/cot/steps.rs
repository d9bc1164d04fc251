//! The output of `cot steps`.

use super::{Ended, cot, file};

fn printed(text: &str) -> String {
    let Ended { out, err, code } = cot(&["steps", "-"], text);
    assert_eq!((err.as_str(), code), ("", 0));
    out
}

#[test]
fn the_steps_and_the_conclusion_are_printed_to_the_byte() {
    assert_eq!(
        printed("Step 1: 6 * 7 is \"42\".\r\n2) Größe 日本\nAnswer: 42\n"),
        "{\"steps\":[{\"number\":1,\"content\":\"6 * 7 is \\\"42\\\".\"},\
         {\"number\":2,\"content\":\"Größe 日本\"}],\"conclusion\":\"42\"}\n"
    );
}

#[test]
fn what_a_reply_lacks_is_empty_or_null() {
    assert_eq!(printed(""), "{\"steps\":[],\"conclusion\":null}\n");
    assert_eq!(
        printed("- a\nb"),
        "{\"steps\":[{\"number\":1,\"content\":\"a\\nb\"}],\"conclusion\":null}\n"
    );
    assert_eq!(
        printed("99999999999999999999. a"),
        "{\"steps\":[{\"number\":99999999999999999999,\"content\":\"a\"}],\"conclusion\":null}\n"
    );
}

#[test]
fn a_file_is_read_as_standard_input_is_and_a_byte_order_mark_does_not_count() {
    let text = "Step 1: a\nAnswer: b";
    let path = file("steps.txt", format!("\u{feff}{text}"));
    assert_eq!(cot(&["steps", &path], "").out, printed(text));
}

#[test]
fn one_file_is_taken_no_more() {
    assert_eq!(cot(&["steps"], "").code, 2);
    assert_eq!(cot(&["steps", "-", "-"], "").code, 2);
}
