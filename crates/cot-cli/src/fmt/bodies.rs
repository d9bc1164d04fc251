//! Formats the bodies of several files with few calls of rustfmt.

use std::{collections::BTreeMap, path::Path};

use annotate_snippets::Level;
use cot_format::{Document, Language, Problem, Refusal, Snippet, format_snippets};

use super::rustfmt::{Config, Rustfmt, RustfmtError};
use crate::message;

/// A file that is formatted.
#[derive(Debug)]
pub(super) struct Source<'p> {
    pub(super) path: &'p Path,
    pub(super) text: String,
    pub(super) edition: String,
    pub(super) language: Language,
}

/// The formatted text of a file, or why it can't be formatted.
pub(super) type Formatted = Result<String, Vec<Problem>>;

/// Formats the bodies of one file.
pub(super) fn format_one(source: &Source<'_>, width: usize, config: &Config) -> Formatted {
    let formatted = format(std::slice::from_ref(source), width, config).pop();
    formatted.unwrap_or_else(|| Ok(source.text.clone()))
}

/// Formats the bodies of files. Returns the result for each, in order.
pub(super) fn format(sources: &[Source<'_>], width: usize, config: &Config) -> Vec<Formatted> {
    let mut documents = Vec::with_capacity(sources.len());
    for source in sources {
        documents.push((source, Document::read(&source.text, source.language, width)));
    }
    let mut editions: BTreeMap<&str, Vec<&Snippet>> = BTreeMap::new();
    for (source, document) in &documents {
        let snippets = document.iter().flat_map(Document::snippets);
        editions.entry(&source.edition).or_default().extend(snippets);
    }
    let mut formatted: BTreeMap<&str, _> = BTreeMap::new();
    for (edition, snippets) in editions {
        let rustfmt = Rustfmt { edition, config: Some(config) };
        let mut rustfmt = |code: &str| rustfmt.format(code).map_err(|error| warn(&error));
        let codes = format_snippets(&snippets, &mut rustfmt);
        formatted.insert(edition, codes.into_iter());
    }
    let finish = |(source, document): (&Source<'_>, Result<Document<'_>, _>)| {
        let document = document?;
        let codes = formatted.get_mut(&*source.edition).into_iter().flatten();
        let codes: Vec<_> = codes.take(document.snippets().len()).collect();
        document.finish(&codes)
    };
    documents.into_iter().map(finish).collect()
}

/// Reports that rustfmt can't be called.
fn warn(error: &RustfmtError) -> Refusal {
    let refusal = error.refusal();
    if refusal == Refusal::Program {
        let text = format!("{error}: Rust code in processes stays as it is written");
        message::print(Level::WARNING, text);
    }
    refusal
}
