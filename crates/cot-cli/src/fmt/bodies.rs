//! Formats the bodies of several files with few calls of rustfmt.

use std::{collections::BTreeMap, path::Path};

use cot_format::{Batch, Document, Language, Problem, Snippet};

use super::rustfmt::{Config, Rustfmt};

/// A file that is formatted.
#[derive(Debug)]
pub(super) struct Source<'p> {
    pub(super) path: &'p Path,
    pub(super) text: String,
    pub(super) edition: String,
    pub(super) language: Language,
}

/// The number of calls of rustfmt with which code that it refuses is looked for.
const MAX_CALLS: usize = 32;

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
        let (mut calls, mut codes) = (MAX_CALLS, Vec::with_capacity(snippets.len()));
        format_snippets(&snippets, &rustfmt, &mut calls, &mut codes);
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

/// Formats code. Where rustfmt refuses a part of it, it is called for each half.
fn format_snippets(
    snippets: &[&Snippet],
    rustfmt: &Rustfmt<'_>,
    calls: &mut usize,
    codes: &mut Vec<Option<String>>,
) {
    if snippets.is_empty() {
        return;
    }
    let batch = Batch::new(snippets);
    let formatted = calls.checked_sub(1).map(|left| {
        *calls = left;
        rustfmt.format(&batch.source())
    });
    match formatted {
        Some(Ok(formatted)) => codes.extend(batch.split(&formatted)),
        Some(Err(error)) if error.is_refusal() && snippets.len() > 1 => {
            let (first, second) = snippets.split_at(snippets.len() / 2);
            format_snippets(first, rustfmt, calls, codes);
            format_snippets(second, rustfmt, calls, codes);
        }
        Some(Err(error)) if !error.is_refusal() => {
            *calls = 0;
            codes.extend(snippets.iter().map(|_| None));
        }
        _ => codes.extend(snippets.iter().map(|_| None)),
    }
}
