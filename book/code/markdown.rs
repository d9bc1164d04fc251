//! Reading Markdown: fences, headings and links, as far as the pages of the book use them.

use std::{collections::HashMap, ops::Range, path::Component, path::Path, path::PathBuf};

/// A text of Markdown and what is in it.
#[derive(Debug)]
pub struct Page<'a> {
    /// The text.
    pub text: &'a str,
    /// The code blocks.
    pub fences: Vec<Fence<'a>>,
    /// The links and images outside of code.
    pub links: Vec<Link<'a>>,
    /// The places of the headings outside of code: the ranges of their lines.
    pub headings: Vec<Range<usize>>,
}

/// A code block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence<'a> {
    /// The words behind the opening marks.
    pub info: &'a str,
    /// The number of its first line, from 1.
    pub line: usize,
    /// The lines between the marks, in the text of the page.
    pub code: Range<usize>,
}

/// A link or an image: `[label](target)`, or `[label]: target` in a line of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link<'a> {
    /// Where it leads.
    pub target: &'a str,
    /// The place of the target in the text.
    pub place: Range<usize>,
    /// The place of the whole link, if it is written in one piece.
    pub whole: Option<Range<usize>>,
}

impl<'a> Page<'a> {
    /// Reads a text.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let mut page = Self { text, fences: Vec::new(), links: Vec::new(), headings: Vec::new() };
        let (mut paragraph, mut at) = (0, 0);
        let mut open: Option<(&str, Fence<'a>)> = None;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let end = at + line.len();
            let marks = marks(line);
            match open.take() {
                Some((opening, mut fence)) if closes(line, opening) => {
                    fence.code.end = at;
                    page.fences.push(fence);
                    paragraph = end;
                }
                Some(inside) => open = Some(inside),
                None if marks.len() >= 3 => {
                    page.read_links(paragraph..at);
                    let info = line.trim_start()[marks.len()..].trim();
                    open = Some((marks, Fence { info, line: number + 1, code: end..end }));
                }
                None if line.starts_with('#') || line.trim().is_empty() => {
                    page.read_links(paragraph..at);
                    if line.starts_with('#') {
                        page.headings.push(at..end);
                    }
                    paragraph = if line.starts_with('#') { at } else { end };
                }
                None => {}
            }
            at = end;
        }
        page.read_links(paragraph..if open.is_some() { paragraph } else { at });
        page
    }

    /// Returns the anchors of the headings, as mdBook and code hosts make them.
    #[must_use]
    pub fn anchors(&self) -> Vec<String> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let headings = self.headings.iter().map(|place| anchor(&self.text[place.clone()]));
        let mut unique = |anchor: String| {
            let count = seen.entry(anchor.clone()).or_insert(0);
            *count += 1;
            if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
        };
        headings.map(&mut unique).collect()
    }

    /// Reads the links of a paragraph, in which code spans end.
    fn read_links(&mut self, paragraph: Range<usize>) {
        let text = &self.text[paragraph.clone()];
        let mut in_code = false;
        for (at, c) in text.char_indices() {
            let rest = &text[at..];
            if c == '`' {
                in_code = !in_code;
            } else if !in_code && rest.starts_with("](") {
                let start = paragraph.start + at + 2;
                let length = rest[2..].find(')').unwrap_or(rest.len() - 2);
                let opening = opening_bracket(&text[..at]);
                let whole = opening.map(|from| paragraph.start + from..start + length + 1);
                self.push_link(start..start + length, whole);
            } else if !in_code && rest.starts_with("]: ") && is_definition(&text[..at]) {
                let start = paragraph.start + at + 3;
                let length = rest[3..].find(char::is_whitespace).unwrap_or(rest.len() - 3);
                self.push_link(start..start + length, None);
            }
        }
    }

    fn push_link(&mut self, place: Range<usize>, whole: Option<Range<usize>>) {
        self.links.push(Link { target: &self.text[place.clone()], place, whole });
    }
}

/// Returns the backticks with which a line opens or closes a code block.
fn marks(line: &str) -> &str {
    let line = line.trim_start();
    &line[..line.len() - line.trim_start_matches('`').len()]
}

fn closes(line: &str, opening: &str) -> bool {
    let marks = marks(line);
    marks.len() >= opening.len() && line.trim() == marks
}

/// Whether a text before `]:` is the label of a definition, at the beginning of its line.
fn is_definition(before: &str) -> bool {
    before.rsplit('\n').next().is_some_and(|line| line.starts_with('['))
}

/// Finds the bracket that opens the label of a link, and the mark of an image before it.
fn opening_bracket(before: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in before.char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' if depth == 0 => {
                return Some(if before[..at].ends_with('!') { at - 1 } else { at });
            }
            '[' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim();
    let mut anchor = String::new();
    for c in text.chars() {
        if c.is_whitespace() {
            anchor.push('-');
        } else if c.is_alphanumeric() || c == '_' || c == '-' {
            anchor.extend(c.to_lowercase());
        }
    }
    anchor
}

/// Returns the path to a file as seen from a folder, both without `.` and with a common root.
#[must_use]
pub fn relative(from: &Path, to: &Path) -> String {
    let (from, to) = (normal(from), normal(to));
    let common = from.iter().zip(to.iter()).take_while(|(a, b)| a == b).count();
    let ups = std::iter::repeat_n("..".to_owned(), from.iter().count() - common);
    let downs = to.iter().skip(common).map(|part| part.to_string_lossy().into_owned());
    ups.chain(downs).collect::<Vec<_>>().join("/")
}

/// Removes `.` and what `..` leads out of.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_are_none() {
        let text = "# A `b` c?\n\n[x `y`](z.md#a) and `[no](no.md)`\n```text\n[no](no)\n```\n![p](q.png)\n\n[r]: s.md\n";
        let page = Page::new(text);
        let targets: Vec<_> = page.links.iter().map(|link| link.target).collect();
        assert_eq!(targets, ["z.md#a", "q.png", "s.md"]);
        assert_eq!(&text[page.links[0].whole.clone().unwrap()], "[x `y`](z.md#a)");
        assert_eq!(&text[page.links[1].whole.clone().unwrap()], "![p](q.png)");
        assert_eq!(page.anchors(), ["a-b-c"]);
        assert_eq!((page.fences[0].info, page.fences[0].line), ("text", 4));
    }

    #[test]
    fn a_longer_fence_holds_shorter_ones() {
        let page = Page::new("````markdown\n```\n# no\n````\n# yes\n");
        assert_eq!((page.fences.len(), page.headings.len()), (1, 1));
    }

    #[test]
    fn paths_are_relative() {
        assert_eq!(relative(Path::new("a/b"), Path::new("a/./c/../d.md")), "../d.md");
        assert_eq!(relative(Path::new(""), Path::new("d.md")), "d.md");
    }
}
