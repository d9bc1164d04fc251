//! `llms.txt` at the top of the repository (<https://llmstxt.org>) lists the pages of the book, each with its first
//! sentence: `UPDATE_EXPECT=1 cargo test -p cot-book --test book` writes it.

use std::{env, fs, path::Path};

use cot_book::{Page, entries, folder, guide_of, workspace};

const START: &str = "\
# cot

> A Rust library for typed, durable workflows of model calls: `cot_process!` declares a graph of tasks over a shared state, and the \
compiler checks it.

It is in no package registry: `cot-core` and `cot` there are other projects, so depend on it by path or by git. The first page below has the whole \
language and is enough to write a process; run `cargo check` after each change, since nearly every mistake is a compile error that says how to mend it.

- [For assistants that write code](cot-core/docs/for_assistants.md): Every item, the rules, twenty mistakes with their mends, and how to read the errors.
";

#[test]
fn llms_txt_lists_every_page() {
    let summary = fs::read_to_string(folder().join("src/SUMMARY.md")).unwrap();
    let mut text = START.to_owned();
    for line in summary.lines().skip(1) {
        if let Some(part) = line.strip_prefix("# ") {
            text += &format!("\n## {part}\n\n");
        }
        for entry in entries(line).into_iter().filter(|entry| !entry.file.contains("introduction"))
        {
            let (file, sentence) = place_and_sentence(&entry.file);
            text += &format!("- [{}]({file}): {sentence}\n", entry.title);
        }
    }
    let path = workspace().join("llms.txt");
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), text, "UPDATE_EXPECT=1 writes it");
    for link in Page::new(&text).links {
        assert!(workspace().join(link.target).exists(), "{} is dead", link.target);
    }
}

/// The file with the text of a page, from the top of the repository, and the first sentence of the page.
fn place_and_sentence(file: &str) -> (String, String) {
    let text = fs::read_to_string(folder().join("src").join(file)).unwrap();
    let guide = guide_of(Path::new(file), &text);
    let place =
        guide.map_or_else(|| format!("book/src/{file}"), |guide| guide.display().to_string());
    let paragraph = text.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    let end = paragraph.find(". ").or_else(|| paragraph.find(": ")).unwrap_or(paragraph.len());
    let sentence = paragraph[..end].trim_end_matches(['.', ':']);
    (place, format!("{}.", without_links(sentence)))
}

/// Replaces links by their labels.
fn without_links(text: &str) -> String {
    let mut plain = text.to_owned();
    for link in Page::new(text).links.iter().rev() {
        if let Some(whole) = &link.whole {
            plain.replace_range(whole.clone(), &text[whole.start + 1..link.place.start - 2]);
        }
    }
    plain
}
