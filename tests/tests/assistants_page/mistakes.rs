//! The mistakes: each is a program in `tests/ui`, which differs from the accepted one in one place.

use std::fs;

use crate::root;

/// The programs in the order of the page.
const MISTAKES: [&str; 20] = [
    "assistants/output_as_item",
    "assistants/state_forgotten",
    "assistants/unknown_task",
    "assistants/no_next",
    "assistants/read_too_early",
    "assistants/option",
    "assistants/brackets",
    "assistants/update_without_braces",
    "assistants/closure",
    "assistants/no_kind",
    "assistants/item_of_another_kind",
    "assistants/unknown_failure",
    "assistants/duration",
    "assistants/comma",
    "assistants/inputs",
    "rustc/assistants/no_output_type",
    "rustc/assistants/list_in_a_text",
    "rustc/assistants/check_returns_bool",
    "rustc/assistants/run_is_not_async",
    "rustc/assistants/unknown_field",
];

/// Returns the accepted program, as a block.
pub(crate) fn program() -> String {
    let text = accepted();
    let (_, text) = text.split_once("\n\n").unwrap();
    format!("```rust\n{text}```\n")
}

/// Returns all mistakes with their errors and their mends.
pub(crate) fn all() -> String {
    let known = |folder: &str| {
        let files = fs::read_dir(root().join("tests/ui").join(folder)).unwrap();
        files.filter(|file| file.as_ref().unwrap().path().extension().unwrap() == "rs").count()
    };
    let there = known("assistants") + known("rustc/assistants");
    assert_eq!(there, MISTAKES.len(), "each program is on the page");
    MISTAKES.iter().enumerate().map(|(index, name)| mistake(index + 1, name)).collect()
}

fn mistake(number: usize, name: &str) -> String {
    let wrong = read(&format!("{name}.rs"));
    let (title, wrong) = wrong.split_once('\n').unwrap();
    let right = accepted();
    let (_, right) = right.split_once('\n').unwrap();
    let (wrong, right) = difference(wrong, right);
    let title = title.trim_start_matches("//! ").trim_end_matches('.');
    let error = error(&read(&format!("{name}.stderr")));
    let (wrong, right) = (block(&wrong), block(&right));
    format!("## {number}. {title}\n\n{wrong}\n\n```text\n{error}```\n\n*Instead:*\n\n{right}\n\n")
}

/// Returns lines as a block. rustdoc warns of Rust whose brackets are not closed.
fn block(lines: &str) -> String {
    let is_closed = lines.matches('{').count() == lines.matches('}').count();
    let language = if is_closed { "rust,ignore" } else { "text" };
    format!("```{language}\n{lines}```")
}

fn accepted() -> String {
    read("accepted/assistants/desk.rs")
}

fn read(file: &str) -> String {
    let path = root().join("tests/ui").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the lines in which two programs differ, with the line before them if one of them lacks all.
fn difference(one: &str, other: &str) -> (String, String) {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let mut start = same(&mut one.iter().zip(&other));
    let left = one.len().min(other.len()) - start;
    let end = same(&mut one.iter().rev().zip(other.iter().rev())).min(left);
    start -= usize::from(one.len() == start + end || other.len() == start + end);
    let (one_end, other_end) = (closed(&one, start, end), closed(&other, start, end));
    (shown(&one[start..one_end]), shown(&other[start..other_end]))
}

/// Returns the end of the lines before the last `after`, or that behind the brace that closes what they open.
fn closed(lines: &[&str], start: usize, after: usize) -> usize {
    let end = lines.len() - after;
    let text = lines[start..end].concat();
    let is_open = text.matches('{').count() > text.matches('}').count();
    end + usize::from(is_open && lines[end] == "}")
}

/// Joins lines without their common indentation.
fn shown(lines: &[&str]) -> String {
    let indents = lines.iter().filter(|line| !line.trim().is_empty());
    let indent = indents.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    lines.iter().map(|line| format!("{}\n", line.get(indent..).unwrap_or_default())).collect()
}

/// Returns the first line of the only error, and the notes that say what to do.
fn error(printed: &str) -> String {
    let is_first = |line: &&str| line.starts_with("error");
    assert_eq!(printed.lines().filter(is_first).count(), 1, "one mistake, one error: {printed}");
    let says = |line: &&str| {
        let note = line.trim_start();
        ["= note: ", "= help: "].iter().any(|start| note.starts_with(start))
            && !note.contains("the trait `")
            && !note.ends_with("implement trait `cot_core::CotOutput`:")
            || line.starts_with("help: a field")
    };
    let first = printed.lines().find(is_first).into_iter().map(str::to_owned);
    let notes = printed.lines().filter(says).map(|line| format!("  {}", line.trim_start()));
    let place = printed.lines().find(|line| line.trim_start().starts_with("-->"));
    let underlined = printed.lines().skip_while(|line| Some(*line) != place).skip(2).take(2);
    let underlined = underlined.filter_map(|line| line.split_once("| ")).map(|(_, line)| line);
    let underlined: Vec<&str> = underlined.collect();
    let lines = shown(&underlined);
    let lines = lines.lines().map(|line| format!("  | {}", line.trim_end()));
    first.chain(notes).chain(lines).map(|line| line + "\n").collect()
}
