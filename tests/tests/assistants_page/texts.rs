//! Sections of the pages on processes and outputs, without links and code.

use std::fs;

use crate::root;

/// Returns a section, such as `process.md: Templates`.
pub(crate) fn section(what: &str) -> Option<String> {
    let (file, heading) = what.split_once(": ")?;
    let text = fs::read_to_string(root().join("cot-core/docs").join(file)).unwrap();
    let start = format!("\n# {heading}\n\n");
    let (_, section) = text.split_once(&start).unwrap_or_else(|| panic!("no {what}"));
    let end = ["\n# ", "\n## ", "\n```"].iter().filter_map(|mark| section.find(mark)).min();
    let section = &section[..end.unwrap_or(section.len())];
    Some(format!("{}\n", without_links(section).trim_end()))
}

/// Replaces each link by its label.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((label, target)) = next_link(rest) {
        plain += &rest[..label.0];
        plain += &rest[label.0 + 1..label.1];
        rest = &rest[target..];
    }
    plain + rest
}

/// Returns where the label of the first link is, and where the link ends.
fn next_link(text: &str) -> Option<((usize, usize), usize)> {
    let close = ["](", "][crate::", "][macro@crate::", "][derive@crate::"]
        .iter()
        .filter_map(|mark| text.find(mark))
        .min()?;
    let open = text[..close].rfind('[')?;
    // A list in code, such as `[Turn]`, is a part of a label: its own bracket is further left.
    let open = match text[..close].matches(']').count() {
        0 => open,
        _ => text[..close].rfind("[`").unwrap_or(open),
    };
    Some(((open, close), close + 2 + text[close + 2..].find([')', ']'])? + 1))
}
