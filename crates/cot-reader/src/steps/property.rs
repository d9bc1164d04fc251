//! Property tests of step extraction.

use proptest::prelude::*;

use super::{extract::extract_steps_and_conclusion, reasoning::Reasoning};

/// Generates texts that look like reasoning, and arbitrary ones.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        4 => "[ \t\r\n]{1,3}",
        3 => "(Step|step|STEP|Schritt|第)?[ \n]{0,2}[0-9٣]{1,22}[.:)： 步]",
        3 => "\n(### |[*][*]|> )?(Step |步骤)?[1-4][.:]?([*][*])?",
        2 => "\n[*_](Conclusion|Answer): ?[a-z0-9 *_]{0,8}[*_][.]?",
        3 => "\n([*][*]|## )?(conclusion|Answer|So|Final answer|Fazit|结论|Solve|Thus)[:：\\- ,]?([*][*])?",
        1 => "\n---\n|[*][*]",
        2 => "\n[-*•] ?",
        1 => "#{2,5}",
        4 => "\\PC{0,6}",
    ];
    prop_oneof![
        prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat()),
        any::<String>()
    ]
}

/// Generates a line without markers.
fn plain() -> impl Strategy<Value = String> {
    "x[a-zé光 ]{0,12}[a-zé光]"
}

/// Returns the text after a content, from which the mark that closes an emphasis may be missing. Nothing else is.
fn after_content<'t>(text: &'t str, content: &str) -> Option<&'t str> {
    if let Some(at) = text.find(content) {
        return text.get(at + content.len()..);
    }
    let places = (0..=content.len()).filter(|at| content.is_char_boundary(*at));
    let marks = ["***", "**", "__", "*", "_", "】"];
    places.flat_map(|at| marks.map(|mark| (at, mark))).find_map(|(at, mark)| {
        let (before, after) = content.split_at(at);
        text.match_indices(before).find_map(|(start, _)| {
            let rest = text.get(start + before.len()..)?;
            let rest = rest.trim_start().strip_prefix(mark).or_else(|| rest.strip_prefix(mark))?;
            rest.strip_prefix(after).or_else(|| rest.trim_start().strip_prefix(after))
        })
    })
}

proptest! {
    #[test]
    fn what_is_found_is_of_the_text_and_in_its_order(text in texts()) {
        let (steps, conclusion) = extract_steps_and_conclusion(&text);
        let found = steps.iter().map(|step| &step.content).chain(&conclusion);
        // Line endings may change.
        let text = text.replace('\r', "");
        let mut rest = text.as_str();
        for content in found.map(|content| content.replace('\r', "")) {
            prop_assert!(!content.is_empty());
            prop_assert_eq!(content.trim(), &content);
            let after = after_content(rest, &content);
            prop_assert!(after.is_some(), "{:?} in {:?}", content, text);
            rest = after.unwrap_or_default();
        }
    }

    #[test]
    fn what_is_found_can_be_written_down_and_found_again(text in texts()) {
        // CRLF is normalized to LF, and a remaining CRLF would be normalized again.
        prop_assume!(!text.contains("\r\r\n"));
        let found = Reasoning::parse(&text);
        prop_assert_eq!(Reasoning::parse(&found.to_text()), found);
    }

    #[test]
    fn numbered_steps_come_back(
        steps in prop::collection::vec((0..u64::MAX, plain()), 1..6),
        answer in plain(),
    ) {
        for (before, after) in [("Step ", ": "), ("", ". "), ("  ", ") "), ("step\t", ".")] {
            let lines = steps.iter().map(|(number, text)| format!("{before}{number}{after}{text}\n"));
            let mut text: String = lines.collect();
            text.push_str(&format!("Answer: {answer}"));
            let (found, conclusion) = extract_steps_and_conclusion(&text);
            let found: Vec<_> =
                found.into_iter().map(|step| (step.number.as_u64().unwrap(), step.content)).collect();
            prop_assert_eq!(&found, &steps);
            prop_assert_eq!(conclusion.as_deref(), Some(&*answer));
        }
    }

    #[test]
    fn bullets_come_back(steps in prop::collection::vec(plain(), 1..6), answer in plain()) {
        let lines: String = steps.iter().map(|step| format!("- {step}\n")).collect();
        let (found, conclusion) = extract_steps_and_conclusion(&format!("{lines}#### {answer}"));
        let numbers: Vec<_> = found.iter().filter_map(|step| step.number.as_u64()).collect();
        prop_assert_eq!(numbers, (1..=steps.len() as u64).collect::<Vec<_>>());
        let found: Vec<_> = found.into_iter().map(|step| step.content).collect();
        prop_assert_eq!(found, steps);
        prop_assert_eq!(conclusion, Some(answer));
    }
}
