//! `cot explain`: prints the entry of a compile error.

use clap::Args;
use cot_core::internal::ERRORS;
use thiserror::Error;

use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// Prints the cause of a compile error and its fix, by the code at the end of the message.
///
/// Without a code, lists all codes with the messages that they stand for; `…` is any text.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot explain COT0001",
        "cot explain | grep transition",
    ],
    "",
))]
pub(crate) struct Explain {
    /// The code, such as `COT0001`; lower case is accepted.
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

/// The error for a code that no entry has.
#[derive(Debug, Error)]
#[error("no error has the code `{code}`; the codes are {first} to {last}{hint}")]
struct UnknownCodeError {
    code: String,
    first: &'static str,
    last: &'static str,
    hint: String,
}

impl Explain {
    pub(crate) fn run(self) -> Outcome {
        match self.code {
            Some(code) => output::text(&explanation(&code)?)?,
            None => output::text(&list())?,
        }
        Ok(Verdict::Fine)
    }
}

/// Returns the entry of a code as it is on the page.
fn explanation(code: &str) -> Result<String, UnknownCodeError> {
    let wanted = code.to_uppercase();
    let mut entries = entries();
    match entries.find(|entry| entry.code == wanted) {
        Some(entry) => {
            let text = without_links(entry.text);
            Ok(format!("{}: {}\n\n{text}\n", entry.code, entry.title))
        }
        None => Err(unknown(code, &wanted)),
    }
}

fn unknown(code: &str, wanted: &str) -> UnknownCodeError {
    let codes = || entries().map(|entry| entry.code);
    let is_of_rustc = wanted.starts_with('E') && wanted[1..].parse::<u16>().is_ok();
    let hint = match is_of_rustc {
        true => format!(", and `rustc --explain {wanted}` explains this one"),
        false => String::new(),
    };
    let (first, last) = (codes().min().unwrap_or_default(), codes().max().unwrap_or_default());
    UnknownCodeError { code: code.to_owned(), first, last, hint }
}

fn list() -> String {
    entries().map(|entry| format!("{}  {}\n", entry.code, entry.title)).collect()
}

/// An error on the page.
struct Entry {
    code: &'static str,
    title: &'static str,
    text: &'static str,
}

/// Returns the errors that have a code. The others are those that rustc words itself.
fn entries() -> impl Iterator<Item = Entry> {
    let sections = ERRORS.split("\n## ").skip(1);
    sections.filter(|section| section.starts_with("COT")).filter_map(|section| {
        let (heading, text) = section.split_once('\n')?;
        let (code, title) = heading.split_once(": ")?;
        // The last entry of a chapter is followed by the title of the next one.
        let text = text.split("\n# ").next()?;
        // The last entry of the page is followed by where its links lead.
        let text = text.split("\n<!-- ").next()?.trim();
        Some(Entry { code, title, text })
    })
}

/// Replaces links such as `[the table][crate::Item]` by their labels.
fn without_links(text: &str) -> String {
    let mut pieces = text.split("][");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let link = piece.split_once(']').filter(|(target, _)| target.contains("crate::"));
        match (link, plain.rfind('[')) {
            (Some((_, rest)), Some(open)) => {
                plain.remove(open);
                plain.push_str(rest);
            }
            _ => plain = plain + "][" + piece,
        }
    }
    plain
}
