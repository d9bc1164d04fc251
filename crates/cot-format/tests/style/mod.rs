//! The style, by example.

use cot_format::Language;

use crate::corpus::{File, format_all};

/// Checks the layout of the items of a process, and that it is stable.
#[track_caller]
fn becomes(items: &str, expected: &str) {
    let file = |text| File { name: String::new(), text, language: Language::Rust };
    let once = format_all(&[file(format!("cot_process! {{ process A {{ {items} }} }}\n"))]);
    let once = once.into_iter().next().unwrap().unwrap();
    let lines = expected.lines().map(|line| match line.trim_start_matches("    | ") {
        "    |" => "\n".to_owned(),
        line => format!("        {line}\n"),
    });
    let expected: String = lines.collect();
    assert_eq!(once, format!("cot_process! {{\n    process A {{\n{expected}    }}\n}}\n"));
    let twice = format_all(&[file(once.clone())]).into_iter().next().unwrap().unwrap();
    assert_eq!(twice, once);
}

#[test]
fn commas_and_empty_lines_are_added_where_they_are_due() {
    becomes(
        "state: { a: u8 = 3,\n\n\n b: Map<String, (u8,)> } prompts: { a: \"b\" } sequence s [a, b] task a { \
         transitions: { b } next: b } parallel p [a, b] => c parallel q [a] => c { join: all },task c { end }
         task d { title: \"d\",\n end }",
        "    | state: { a: u8 = 3, b: Map<String, (u8,)> },
    | prompts: { a: \"b\" },
    | sequence s [a, b]
    | task a { transitions: { b }, next: b }
    | parallel p [a, b] => c
    | parallel q [a] => c { join: all }
    | task c { end }
    | task d { title: \"d\", end }",
    );
    becomes(
        "state: B,\n\n\n\n max_retries: 2, task a {\n\nend } task b { end } task c { end }\n\n task d {end}",
        "    | state: B,
    |
    | max_retries: 2,
    |
    | task a {
    |     end,
    | }
    |
    | task b { end }
    | task c { end }
    |
    | task d { end }",
    );
}

#[test]
fn long_entries_are_continued_below_their_clauses() {
    becomes(
        "state: B, task a { transitions: { b: \"a label that is long enough to break the line in two pieces\" with \
         Foo { a: 1 } if state.a.b.c<50&&state.other, c with model if x, d: words }, next: { b with Foo { a: \
         state.aaaaaaaaaaaaaaaaaaaaaaaaaaaaa.clone(), b: state.bbbbbbbbbbbbbbbbbbbbbbbbbbbb.clone(), c: 3 }, e if let \
         Some(a)=state.a && a.is_b(), c } }",
        "    | state: B,
    |
    | task a {
    |     transitions: {
    |         b: \"a label that is long enough to break the line in two pieces\"
    |             with Foo { a: 1 }
    |             if state.a.b.c < 50 && state.other,
    |         c with model if x,
    |         d: words,
    |     },
    |     next: {
    |         b
    |             with Foo {
    |                 a: state.aaaaaaaaaaaaaaaaaaaaaaaaaaaaa.clone(),
    |                 b: state.bbbbbbbbbbbbbbbbbbbbbbbbbbbb.clone(),
    |                 c: 3,
    |             },
    |         e
    |             if let Some(a) = state.a
    |                 && a.is_b(),
    |         c,
    |     },
    | }",
    );
}

#[test]
fn comments_and_attributes_keep_their_places() {
    becomes(
        "\n// first\n state: B, // the state\n\n\n /* alone */\n goal: /* why */ \"x\" // before the comma\n , \
         #[cfg(test)] #[cfg(a)] task a { end } /* behind */\n /// Documented.\n task b { end // why\n }\n // last\n",
        "    | // first
    | state: B, // the state
    |
    | /* alone */
    | goal: /* why */ \"x\", // before the comma
    | #[cfg(test)]
    | #[cfg(a)]
    | task a { end } /* behind */
    |
    | /// Documented.
    | task b {
    |     end, // why
    | }
    | // last",
    );
}

#[test]
fn literals_macros_and_code_that_rustfmt_would_change_stay() {
    becomes(
        "state: B, intro: r#\"} \" cot_process! { two  spaces } \"#, extra: {\"a\":-2.5,\"b\":[1,{}]}, task a -> X { \
         run: f :: <Vec<u8>> ,update: { a . b [\"}\"]=vec![1,2 , 3], y = |x| { x }, z = m!{a  b} } }",
        "    | state: B,
    | intro: r#\"} \" cot_process! { two  spaces } \"#,
    | extra: { \"a\": -2.5, \"b\": [1, {}] },
    |
    | task a -> X {
    |     run: f::<Vec<u8>>,
    |     update: { a.b[\"}\"] = vec![1, 2, 3], y = |x| { x }, z = m! {a  b} },
    | }",
    );
}
