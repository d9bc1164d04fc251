//! Texts, and what is in them.

use super::extract_steps_and_conclusion;

/// A text, its steps with their numbers, and its conclusion, empty for none.
type Case = (&'static str, &'static [(u64, &'static str)], &'static str);

fn check(cases: &[Case]) {
    for (text, steps, conclusion) in cases {
        let (found, concluded) = extract_steps_and_conclusion(text);
        let found: Vec<_> =
            found.iter().map(|step| (step.number.as_u64().unwrap(), &*step.content)).collect();
        assert_eq!(found, *steps, "steps of {text:?}");
        assert_eq!(concluded.as_deref().unwrap_or_default(), *conclusion, "{text:?}");
        assert_ne!(concluded.as_deref(), Some(""), "{text:?}");
    }
}

#[test]
fn steps_have_numbers() {
    check(&[
        ("", &[], ""),
        ("Forty-two.", &[], ""),
        ("Step 1: a\nStep 2: b", &[(1, "a"), (2, "b")], ""),
        ("Step 1. a\nstep 2) b\nSTEP 3:c", &[(1, "a"), (2, "b"), (3, "c")], ""),
        ("1. a\n2) b\n3: c", &[(1, "a"), (2, "b"), (3, "c")], ""),
        ("  1. a\n\t2. b\n\n\n 3.c", &[(1, "a"), (2, "b"), (3, "c")], ""),
        ("3. c\n1. a\n1. again\n0. zero", &[(3, "c"), (1, "a"), (1, "again"), (0, "zero")], ""),
        ("007. a", &[(7, "a")], ""),
        ("Step\t\u{a0}1: a\nStep\n2: b", &[(1, "a"), (2, "b")], ""),
        ("Let me see.\n1. a", &[(1, "a")], ""),
        ("1. a\n   goes on\n\nand on  \n2. b", &[(1, "a\n   goes on\n\nand on"), (2, "b")], ""),
        ("1. 2. 3.\n2. of 4. this", &[(1, "2. 3."), (2, "of 4. this")], ""),
    ]);
}

#[test]
fn what_looks_like_a_step_is_none() {
    check(&[
        ("Step one: a", &[], ""),
        ("Step1: a", &[], ""),
        ("Step 1 : a", &[], ""),
        ("Step 1 - a", &[], ""),
        ("1 a\n2- b\n12", &[], ""),
        ("Footstep 1: a\nx 1. b", &[], ""),
        ("(1) a\n[2] b\n-1. c", &[], ""),
        ("١. a\n１. b", &[], ""),
        ("1. a\nStep", &[(1, "a\nStep")], ""),
    ]);
}

#[test]
fn empty_steps_are_dropped() {
    check(&[
        ("1.", &[], ""),
        ("1.\n2. b\n3.   \n4. d\n5.", &[(2, "b"), (4, "d")], ""),
        ("Step 1:\nStep 2:\n\n  b", &[(2, "b")], ""),
        ("-\n- a\n*   \n-\n* b\n•", &[(1, "a"), (2, "b")], ""),
        ("Step 1:\nAnswer: 4", &[], "4"),
    ]);
}

#[test]
fn bullets_count_where_there_are_no_numbers() {
    check(&[
        ("- a\n* b\n• c", &[(1, "a"), (2, "b"), (3, "c")], ""),
        ("Thus far:", &[], "far:"),
        ("First of all:\n- a\n- b", &[(1, "a"), (2, "b")], ""),
        ("- a\n  - a1\n  - a2\n- b", &[(1, "a\n  - a1\n  - a2"), (2, "b")], ""),
        ("-a\n**b**\n--\n•c\n---", &[], ""),
        (" - a", &[], ""),
        ("-\u{3000}a\n-\tb", &[(1, "a"), (2, "b")], ""),
        ("- a\n1. b\n- c", &[(1, "b\n- c")], ""),
        ("- a\n1.\n", &[], ""),
        ("- a - b * c", &[(1, "a - b * c")], ""),
        ("- a\nSo: b", &[(1, "a")], "b"),
    ]);
}

#[test]
fn the_first_marker_begins_the_conclusion() {
    for word in [
        "Conclusion",
        "answer",
        "THEREFORE",
        "Final answer",
        "fInAl AnSwEr",
        "In conclusion",
        "Thus",
        "hence",
        "So",
    ] {
        for separator in [": ", ":", " : ", " - ", "-", " ", "\n", ":\n\n", "\u{a0}:\u{3000}"] {
            let text = format!("1. a\n{word}{separator}it is 4\nand no more\n2. b\n");
            let (steps, conclusion) = extract_steps_and_conclusion(&text);
            assert_eq!(conclusion.as_deref(), Some("it is 4\nand no more\n2. b"), "{text:?}");
            assert_eq!((steps.len(), &*steps[0].content), (1, "a"), "{text:?}");
        }
    }
    check(&[
        ("1. a\nAnswer: 4\nConclusion: 5", &[(1, "a")], "4\nConclusion: 5"),
        ("  \tAnswer: 4", &[], "4"),
        ("Answer: -4", &[], "-4"),
        ("Answer:: 4", &[], ": 4"),
        ("Therefore, 4", &[], ", 4"),
        ("Answer:", &[], ""),
        ("1. a\nAnswer:  \n ", &[(1, "a")], ""),
        ("Answer\n- a\n- b", &[], "- a\n- b"),
        ("1. Therefore 4\n2. b", &[(1, "Therefore 4"), (2, "b")], ""),
        ("It is so: 4", &[], ""),
    ]);
}

#[test]
fn a_marker_is_a_whole_word() {
    check(&[
        (
            "1. a\nSolve it\nSomething\nSofia\nanswers",
            &[(1, "a\nSolve it\nSomething\nSofia\nanswers")],
            "",
        ),
        ("Thusly\nHence4\nSo_\nAnswer2: x\nConclusions: y", &[], ""),
        ("So\u{301} a\nSoñar\nsоviet\nSo我", &[], ""),
        ("Final  answer: 4\nIn\nconclusion: 5", &[], "5"),
        ("So", &[], ""),
        ("so.", &[], "."),
        ("ſo: 4", &[], ""),
        ("Answer：４", &[], "：４"),
    ]);
}

#[test]
fn hashes_divide_steps_and_conclusion() {
    check(&[
        ("20 - x = 12; x = 8. #### 8", &[], "8"),
        ("Step 1: a\nStep 2: b\n#### x = 8\n", &[(1, "a"), (2, "b")], "x = 8"),
        ("1. a\n####\n\n8\n#### 9", &[(1, "a")], "8\n#### 9"),
        ("1. a #####", &[(1, "a")], "#"),
        ("1. a\nAnswer: 7\n#### 8", &[(1, "a\nAnswer: 7")], "8"),
        ("1. a\n####  \n", &[(1, "a\n####")], ""),
        ("1. a\nAnswer: 7\n####", &[(1, "a")], "7\n####"),
        ("### 1. a", &[], ""),
        (" - a\n- b #### c", &[(1, "a"), (2, "b")], "c"),
        ("####8", &[], "8"),
    ]);
}

#[test]
fn lines_may_end_with_crlf() {
    check(&[
        ("1. a\r\nb\r\n2. c\r\nAnswer: 4\r\n5\r\n", &[(1, "a\nb"), (2, "c")], "4\n5"),
        ("- a\r\n-\r\n- b\r\n", &[(1, "a"), (2, "b")], ""),
        ("1. a\r\nb\r\n2. c\r\n#### 4\r\n5", &[(1, "a\r\nb"), (2, "c")], "4\r\n5"),
        ("1. a\r2. b", &[(1, "a\r2. b")], ""),
    ]);
}

#[test]
fn a_byte_order_mark_hides_nothing() {
    check(&[
        ("\u{feff}Step 1: a\nSo: b", &[(1, "a")], "b"),
        ("\u{feff}- a", &[(1, "a")], ""),
        ("\u{feff}Answer: b", &[], "b"),
        ("\u{feff}", &[], ""),
    ]);
}

/// Anything worse than linear would not come to an end here.
#[test]
fn it_takes_linear_time() {
    let pieces = [
        "1",
        "\n1.",
        "step ",
        "Step\n",
        "\nStep 1:",
        "\n",
        " ",
        "\n- ",
        "#",
        "####",
        "\nsolve",
        "\nfinal ",
        "\r\n",
    ];
    for first in pieces {
        for second in pieces {
            let alternating = [first, second].concat().repeat(10_000);
            let _ = extract_steps_and_conclusion(&alternating);
            let _ = extract_steps_and_conclusion(&(first.repeat(10_000) + &second.repeat(10_000)));
        }
    }
}

#[test]
fn any_script_is_taken_apart_alike() {
    check(&[
        (
            "Step 1: 🧮 наука\nStep 2: 答え e\u{301}\nAnswer: ٤٢",
            &[(1, "🧮 наука"), (2, "答え e\u{301}")],
            "٤٢",
        ),
        ("• עברית\n• हिन्दी", &[(1, "עברית"), (2, "हिन्दी")], ""),
        ("\u{3000}1.第一歩\n\u{3000}2.第二歩\n####　了", &[(1, "第一歩"), (2, "第二歩")], "了"),
        ("👨‍👩‍👧\n1. 👨‍👩‍👧\0\nSo: 👨‍👩‍👧", &[(1, "👨‍👩‍👧\0")], "👨‍👩‍👧"),
    ]);
}
