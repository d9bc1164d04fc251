//! A short unified diff of two texts.

use std::fmt::Write;

use cot_schema::internal::truncate;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

/// The number of lines of context around a difference.
const CONTEXT: usize = 2;

/// The maximum number of lines that are compared, from the first difference on.
const MAX_LINES: usize = 200;

/// The maximum length of a line in the diff, in bytes.
const MAX_LINE: usize = 160;

/// The length of the text before a difference in a long line, in bytes.
const BEFORE: usize = 40;

/// Returns the unified diff of two texts, truncated to `max_bytes` and one more line.
pub(super) fn diff(old: &str, new: &str, max_bytes: usize) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let start = same.saturating_sub(CONTEXT);
    let (old, new) = (window(&old, start), window(&new, start));
    let operations = capture_diff_slices(Algorithm::Myers, old, new);
    let mut lines = vec!["--- captured".to_owned(), "+++ now".to_owned()];
    for hunk in group_diff_ops(operations, CONTEXT) {
        lines.extend(hunk.first().map(|first| hunk_header(first, start)));
        for operation in hunk {
            write_operation(&operation, old, new, &mut lines);
        }
    }
    join_lines(&lines, max_bytes)
}

fn window<'a, 'b>(lines: &'b [&'a str], start: usize) -> &'b [&'a str] {
    let lines = lines.get(start..).unwrap_or_default();
    &lines[..lines.len().min(MAX_LINES)]
}

fn hunk_header(first: &DiffOp, start: usize) -> String {
    let (old, new) = (first.old_range().start, first.new_range().start);
    format!("@@ -{} +{} @@", start + old + 1, start + new + 1)
}

fn write_operation(operation: &DiffOp, old: &[&str], new: &[&str], lines: &mut Vec<String>) {
    let (old, new) = (&old[operation.old_range()], &new[operation.new_range()]);
    if matches!(operation, DiffOp::Equal { .. }) {
        lines.extend(old.iter().map(|line| format!(" {}", excerpt(line, 0))));
        return;
    }
    let differs_at = |at: usize| match (old.get(at), new.get(at)) {
        (Some(old), Some(new)) => common_prefix_len(old, new),
        _ => 0,
    };
    let shown =
        |sign, (at, line): (usize, &&str)| format!("{sign}{}", excerpt(line, differs_at(at)));
    lines.extend(old.iter().enumerate().map(|line| shown('-', line)));
    lines.extend(new.iter().enumerate().map(|line| shown('+', line)));
}

fn common_prefix_len(old: &str, new: &str) -> usize {
    old.bytes().zip(new.bytes()).take_while(|(old, new)| old == new).count()
}

/// Returns a line, or an excerpt around `at` if the line is long.
fn excerpt(line: &str, at: usize) -> String {
    if line.len() <= MAX_LINE {
        return line.to_owned();
    }
    let start = line.floor_char_boundary(at.saturating_sub(BEFORE));
    let rest = &line[start..];
    let shown = truncate(rest, MAX_LINE);
    let before = if start > 0 { "…" } else { "" };
    let after = if shown.len() < rest.len() { "…" } else { "" };
    format!("{before}{shown}{after}")
}

fn join_lines(lines: &[String], max_bytes: usize) -> String {
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        if text.len() + line.len() >= max_bytes {
            // Writing to a `String` can't fail.
            let _ = write!(text, "… {} more lines", lines.len() - at);
            return text;
        }
        text.push_str(line);
        text.push('\n');
    }
    text.truncate(text.trim_end_matches('\n').len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_what_changed_with_its_surroundings() {
        let old = "one\ntwo\nthree\nfour\nfive\nsix\nseven";
        let new = "one\ntwo\nthree\nFOUR\nfive\nsix\nseven\neight";
        let expected = "\
--- captured
+++ now
@@ -2 +2 @@
 two
 three
-four
+FOUR
 five
 six
 seven
+eight";
        assert_eq!(diff(old, new, 1500), expected);
    }

    #[test]
    fn shows_the_place_in_a_long_line() {
        let old = format!("{}old{}", "ä".repeat(2000), "b".repeat(4000));
        let new = format!("{}new{}", "ä".repeat(2000), "b".repeat(4000));
        let shown = diff(&old, &new, 1500);
        assert!(shown.contains("ääold"), "{shown}");
        assert!(shown.contains("äänewbb"), "{shown}");
        assert!(shown.len() < 500, "{shown}");
    }

    #[test]
    fn is_cut_and_says_so() {
        let old: String = (0..5000).map(|n| format!("old {n}\n")).collect();
        let new: String = (0..5000).map(|n| format!("new {n}\n")).collect();
        let shown = diff(&old, &new, 300);
        assert!(shown.len() < 340, "{shown}");
        assert!(shown.ends_with("more lines"), "{shown}");
    }

    #[test]
    fn shows_where_one_text_ends() {
        assert_eq!(diff("a", "a\nb", 100), "--- captured\n+++ now\n@@ -1 +1 @@\n a\n+b");
        assert_eq!(diff("", "b", 100), "--- captured\n+++ now\n@@ -1 +1 @@\n+b");
    }
}
