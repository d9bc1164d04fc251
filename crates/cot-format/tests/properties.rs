//! Properties of the formatter, over all processes of this workspace and variants of them.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod corpus;
mod style;
mod variants;

use corpus::{File, comments, files, format_all, tokens};
use cot_format::Language;

/// Formats texts twice, and checks each that is accepted. Returns their number.
#[track_caller]
fn check(files: &[File]) -> usize {
    let first = format_all(files);
    let mut accepted = Vec::new();
    for (file, formatted) in files.iter().zip(first) {
        let Ok(text) = formatted else { continue };
        accepted.push((file, File { text, ..file.clone() }));
    }
    let second: Vec<File> = accepted.iter().map(|(_, formatted)| formatted.clone()).collect();
    let second = format_all(&second);
    let mut wrong = Vec::new();
    for ((file, once), twice) in accepted.iter().zip(second) {
        let name = &file.name;
        match twice {
            Ok(twice) if twice == once.text => {}
            Ok(twice) => {
                wrong.push(format!("{name} is not stable: {}", difference(&once.text, &twice)));
            }
            Err(problems) => wrong.push(format!("{name} is refused:\n{}\n{problems:?}", once.text)),
        }
        if comments(&file.text) != comments(&once.text) {
            wrong.push(format!("{name} has other comments:\n{}\nthen\n{}", file.text, once.text));
        }
        if file.language == Language::Rust && tokens(&file.text) != tokens(&once.text) {
            wrong.push(format!("{name} has other tokens:\n{}\nthen\n{}", file.text, once.text));
        }
    }
    let count = wrong.len();
    assert!(wrong.is_empty(), "{count} of {}: {}", files.len(), wrong.join("\n"));
    accepted.len()
}

/// Returns the lines around the first difference.
fn difference(first: &str, second: &str) -> String {
    let same = first.lines().zip(second.lines()).take_while(|(a, b)| a == b).count();
    let lines = |text: &str| {
        let lines: Vec<&str> = text.lines().skip(same.saturating_sub(3)).take(8).collect();
        lines.join("\n")
    };
    format!("line {}\n{}\n--- then\n{}", same + 1, lines(first), lines(second))
}

#[test]
fn all_processes_keep_their_tokens_and_comments() {
    let files = files();
    let accepted = check(&files);
    assert!(accepted > 400, "{accepted} of {}", files.len());
    let refused = files.iter().zip(format_all(&files)).filter(|(_, formatted)| formatted.is_err());
    for (file, formatted) in refused {
        assert!(file.name.contains("tests/ui/"), "{} is refused: {formatted:?}", file.name);
    }
}

/// The check of `.ci/run`. Wrong programs are left out: their messages have the lines of their mistakes.
#[test]
fn our_processes_are_formatted() {
    let mut files = files();
    files.retain(|file| !file.name.contains("tests/ui/") || file.name.contains("/accepted/"));
    let formatted = format_all(&files);
    let mut others = files
        .iter()
        .zip(formatted)
        .filter(|(file, formatted)| !matches!(formatted, Ok(formatted) if *formatted == file.text));
    let other = others.next().map(|(file, formatted)| (&file.name, formatted));
    assert!(other.is_none(), "format it with `cot fmt`, see CONTRIBUTING.md: {other:#?}");
}

#[test]
fn processes_in_any_layout_are_formatted() {
    check_variants(|files, random| {
        files.iter().map(|file| variants::spaced(file, random)).collect()
    });
}

#[test]
fn comments_stand_anywhere() {
    check_variants(|files, random| {
        files.iter().map(|file| variants::commented(file, random)).collect()
    });
}

#[test]
fn cut_texts_are_refused_or_kept() {
    check_variants(|files, random| files.iter().map(|file| variants::cut(file, random)).collect());
}

/// Checks variants of files. Each seed takes some of them; `COT_FORMAT_SEEDS` gives the number of seeds.
fn check_variants(vary: impl Fn(&[File], &mut fastrand::Rng) -> Vec<File>) {
    let mut files = files();
    files.retain(|file| file.language == Language::Rust);
    let seeds = std::env::var("COT_FORMAT_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    for seed in 0..seeds.unwrap_or(1) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut some = files.clone();
        some.retain(|_| random.u8(..4) == 0);
        check(&vary(&some, &mut random));
    }
}
