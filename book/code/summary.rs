//! The order of the book.

use crate::markdown::Page;

/// A page of the book, as `SUMMARY.md` lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The title in the list.
    pub title: String,
    /// The file, from the folder of the pages.
    pub file: String,
}

/// Returns the pages in their order.
#[must_use]
pub fn entries(summary: &str) -> Vec<Entry> {
    let page = Page::new(summary);
    let entry = |link: &crate::Link<'_>| {
        let label = &summary[link.whole.clone()?.start..link.place.start];
        let title = label.trim_start_matches('[').trim_end_matches("](").to_owned();
        Some(Entry { title, file: link.target.to_owned() })
    };
    page.links.iter().filter_map(entry).collect()
}
