//! The blocks of the pages that show a program, or what it prints.
//!
//! `UPDATE_EXPECT=1 cargo test -p cot-book --test book` writes them into the pages.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use cot_book::{Page, folder};

/// The line before a block that shows a part of a file in `programs`, or all of it.
const PROGRAM: &str = "<!-- program: ";
/// The line before a block that shows what commands of a program print.
const OUTPUT: &str = "<!-- output: ";

#[test]
fn pages_show_the_programs_and_what_they_print() {
    let mut blocks = 0;
    for page in super::pages::files_in(&folder().join("src")) {
        let text = fs::read_to_string(&page).unwrap();
        let directory = scratch(&page);
        let wanted = rewritten(&text, &directory, &mut blocks);
        if wanted == text {
            continue;
        }
        if env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&page, wanted).unwrap();
            continue;
        }
        let differs = text.lines().zip(wanted.lines()).find(|(is, wants)| is != wants);
        panic!("{} is not up to date; UPDATE_EXPECT=1 writes it: {differs:#?}", page.display());
    }
    assert!(blocks > 25, "only {blocks} blocks are found");
}

/// An empty folder for the files of the programs of a page, which run in their order.
fn scratch(page: &Path) -> PathBuf {
    let name = page.file_stem().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the text of a page with the present programs and outputs. What differs only in the size of prompts stays.
fn rewritten(text: &str, directory: &Path, blocks: &mut usize) -> String {
    let mut wanted = String::new();
    let mut at = 0;
    for fence in Page::new(text).fences {
        let before = &text[at..fence.code.start];
        let marker = before.trim_end().lines().rev().nth(1).unwrap_or_default();
        let shown = &text[fence.code.clone()];
        let present = present(marker, directory);
        *blocks += usize::from(present.is_some());
        let present = present.filter(|present| without_sizes(present) != without_sizes(shown));
        wanted.push_str(before);
        wanted.push_str(present.as_deref().unwrap_or(shown));
        at = fence.code.end;
    }
    wanted + &text[at..]
}

/// Returns what a marker stands for.
fn present(marker: &str, directory: &Path) -> Option<String> {
    let words = |start| marker.strip_prefix(start)?.strip_suffix(" -->");
    words(PROGRAM).map(part).or_else(|| words(OUTPUT).map(|words| output(words, directory)))
}

/// Returns the lines of a program between the anchors of a part, or all, without anchors.
fn part(words: &str) -> String {
    let (file, part) = words.split_once(' ').unwrap_or((words, ""));
    let text = fs::read_to_string(folder().join("programs").join(file)).unwrap();
    let is_anchor = |line: &&str, mark: &str| line.trim().strip_prefix(mark) == Some(part);
    let lines: Vec<&str> = match part.is_empty() {
        true => text.lines().collect(),
        false => {
            let lines = text.lines().skip_while(|line| !is_anchor(line, "// ANCHOR: ")).skip(1);
            lines.take_while(|line| !is_anchor(line, "// ANCHOR_END: ")).collect()
        }
    };
    assert!(!lines.is_empty(), "there is no part {words}");
    let indents = lines.iter().filter(|line| !line.is_empty());
    let indent = indents.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let shown = lines.into_iter().filter(|line| !line.trim_start().starts_with("// ANCHOR"));
    shown.map(|line| format!("{}\n", line.get(indent..).unwrap_or_default())).collect()
}

/// Returns what commands print, such as `classify` or `CRASH=1 store work < ticket.txt`.
fn output(words: &str, directory: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tutorial"));
    for word in words.split(' ') {
        match word.split_once('=') {
            Some((name, value)) => command.env(name, value),
            None => command.arg(word),
        };
    }
    for name in ["OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_API_KEY"] {
        command.env_remove(name);
    }
    let output = command.current_dir(directory).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Leaves out the sizes of prompts, which change with every word of them.
fn without_sizes(text: &str) -> String {
    let mut pieces = text.split("prompt of ");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        text + "prompt of " + piece.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}
