//! Finds the Rust code in Markdown.

use std::ops::Range;

/// The words behind a fence with which its block can be Rust code. Without a word, rustdoc takes it as such.
const RUST: [&str; 7] = ["", "rust", "no_run", "ignore", "should_panic", "compile_fail", "rs"];

/// Returns the ranges of the fenced blocks of Rust code, without their fences.
pub(crate) fn rust_blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut open: Option<Fence<'_>> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some((mark, info)) = fence(line) else { continue };
        match &open {
            None => open = Some(Fence { mark, info, start: at }),
            Some(fence) if info.is_empty() && mark.starts_with(fence.mark) => {
                if fence.is_rust() {
                    blocks.push(fence.start..start);
                }
                open = None;
            }
            Some(_) => {}
        }
    }
    blocks
}

struct Fence<'t> {
    mark: &'t str,
    info: &'t str,
    /// The offset of the first line in it.
    start: usize,
}

impl Fence<'_> {
    fn is_rust(&self) -> bool {
        let first = self.info.split([',', ' ', '{']).next().unwrap_or_default();
        RUST.contains(&first)
    }
}

/// Returns the marks of a fence and what follows them.
fn fence(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let first = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = line.trim_start_matches(first);
    let mark = &line[..line.len() - info.len()];
    (mark.len() >= 3 && !info.contains('`')).then(|| (mark, info.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_rust_are_found() {
        let text = "```rust\na\n```\n````text\n```rust\nb\n```\n````\n  ~~~rust,no_run\r\nc\r\n  ~~~\n```rust\nd";
        let blocks: Vec<&str> = rust_blocks(text).into_iter().map(|block| &text[block]).collect();
        assert_eq!(blocks, ["a\n", "c\r\n"]);
    }
}
