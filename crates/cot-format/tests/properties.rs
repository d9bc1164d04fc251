//! Properties of the formatter, over all processes of this workspace and variants of them.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod corpus;
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

/// Checks variants of all files. The seeds are fixed, unless `COT_FORMAT_SEEDS` gives their number.
fn check_variants(vary: impl Fn(&[File], &mut fastrand::Rng) -> Vec<File>) {
    let files: Vec<File> =
        files().into_iter().filter(|file| file.language == Language::Rust).collect();
    let seeds = std::env::var("COT_FORMAT_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    for seed in 0..seeds.unwrap_or(2) {
        let varied = vary(&files, &mut fastrand::Rng::with_seed(seed));
        check(&varied);
    }
}
